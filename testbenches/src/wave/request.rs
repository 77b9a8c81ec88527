//! What is asked of a waveform, and what of that is refused.

use std::ops::Range;
use std::path::Path;

use rtl_model::csv_file::{is_whole, shown};
use rtl_model::machine::topology::Topology;

use crate::error::Error;
use crate::error::refusal::{Refusal, cannot_write};
use crate::options::RunOptions;

/// The end of the window of a run that may go on for as long as it likes.
const OPEN_END: u64 = u64::MAX;

/// What is asked for: the options of a run that are about its waveform.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// The dump; none if no waveform is wanted.
    pub path: Option<&'a Path>,
    /// The nodes to trace, by name or number with commas between, or `all`.
    pub nodes: Option<&'a str>,
    /// The first bit time in it; none for that of the run.
    pub from: Option<u64>,
    /// The one after the last; none for that of the run.
    pub to: Option<u64>,
}

impl<'a> From<&'a RunOptions> for Request<'a> {
    fn from(options: &'a RunOptions) -> Self {
        Request {
            path: options.wave.as_deref(),
            nodes: options.trace_nodes.as_deref(),
            from: options.trace_from,
            to: options.trace_to,
        }
    }
}

/// How a waveform is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Vcd,
    Fst,
}

impl Format {
    /// That of a file, by its ending.
    ///
    /// # Errors
    /// A name that says no format.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("vcd") => Ok(Format::Vcd),
            Some("fst") => Ok(Format::Fst),
            _ => Err(cannot_write(path)
                .because("waveforms are VCD or FST")
                .instead("give the file the ending .vcd or .fst")
                .into()),
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Format::Vcd => "VCD",
            Format::Fst => "FST",
        }
    }
}

/// The dump's name, by which the view knows it, and its format.
pub(super) fn dump_name(path: &Path) -> Result<(String, Format), Error> {
    let format = Format::of(path)?;
    let name = path.file_name().and_then(|name| name.to_str());
    match name.filter(|name| !name.contains(|c: char| c.is_control() || c == '"')) {
        Some(name) => Ok((name.to_owned(), format)),
        None => Err(cannot_write(path)
            .because("GTKWave's view could not spell this name")
            .into()),
    }
}

/// The bit times to trace. The one after a run of `bit_times` shows what its last clock edge leaves.
pub(super) fn window(request: &Request<'_>, bit_times: Option<u64>) -> Result<Range<u64>, Error> {
    let end = bit_times.map_or(OPEN_END, |bit_times| bit_times + 1);
    let (from, to) = (request.from.unwrap_or(0), request.to.unwrap_or(end));
    if from < to.min(end) {
        return Ok(from..to);
    }
    let has = |last| format!("; the waveform of this run has bit times 0 to {last}");
    let has = bit_times.map(has).unwrap_or_default();
    Err(Refusal::of("the trace window is empty")
        .because(format!(
            "it begins with bit time {from} and ends before {to}{has}"
        ))
        .into())
}

/// Numbers, or names that the network gives, with commas between, each once, in the order given.
pub(super) fn node_list(
    list: &str,
    topology: &(impl Topology + ?Sized),
) -> Result<Vec<usize>, Error> {
    let last = topology.nodes() - 1;
    let names_are_numbers = topology.node_name(last) == last.to_string();
    let mut selected = Vec::new();
    for text in list.split(',').map(str::trim) {
        let node = topology.node_named(text).ok_or_else(|| {
            let refusal = Refusal::of("--trace-nodes");
            if !names_are_numbers {
                let [first_name, last_name] = [0, last].map(|node| topology.node_name(node));
                let fields = topology.node_name_fields();
                refusal
                    .because(format!(
                        "there is no node `{text}`: the machine has nodes 0 to {last}, which by {fields} are {first_name} to \
                         {last_name}"
                    ))
                    .instead("give either, with commas between, or all")
            } else if is_whole(text) {
                refusal.because(format!(
                    "node {} is out of range: the cube has nodes 0 to {last}",
                    shown(text)
                ))
            } else {
                refusal
                    .because(format!("`{text}` is not a node number"))
                    .instead("give numbers with commas between, or all")
            }
        })?;
        if !selected.contains(&node) {
            selected.push(node);
        }
    }
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::router::Machine;
    use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::wormhole::machine::WormholeMachine;
    use rtl_model::routers::wormhole::network::Network;
    use rtl_model::routers::wormhole::parameters::Parameters;

    use super::*;

    #[test]
    fn the_window_may_reach_to_what_the_run_leaves() {
        let request = |from, to| Request {
            from,
            to,
            ..Request::default()
        };
        let closed = Some(63);
        assert_eq!(window(&request(None, None), closed).unwrap(), 0..64);
        assert_eq!(window(&request(Some(63), None), closed).unwrap(), 63..64);
        assert!(window(&request(Some(64), None), closed).is_err());
        assert!(window(&request(Some(5), Some(5)), closed).is_err());

        assert_eq!(window(&request(None, None), None).unwrap(), 0..OPEN_END);
        assert_eq!(
            window(&request(Some(64), None), None).unwrap(),
            64..OPEN_END
        );
        assert_eq!(window(&request(None, Some(9)), None).unwrap(), 0..9);
        assert_eq!(
            window(&request(Some(5), Some(5)), None)
                .unwrap_err()
                .to_string(),
            "the trace window is empty: it begins with bit time 5 and ends before 5"
        );
    }

    #[test]
    fn a_list_of_nodes_is_numbers_with_commas_between() {
        let cube = Dimensions::new(3).unwrap();
        assert_eq!(node_list("5, 0,5", &cube).unwrap(), [5, 0]);
        for (list, refusal) in [
            (
                "8",
                "--trace-nodes: node 8 is out of range: the cube has nodes 0 to 7",
            ),
            (
                "1,,2",
                "--trace-nodes: `` is not a node number: give numbers with commas between, or all",
            ),
            (
                "-1",
                "--trace-nodes: `-1` is not a node number: give numbers with commas between, or all",
            ),
        ] {
            assert_eq!(node_list(list, &cube).unwrap_err().to_string(), refusal);
        }
    }

    #[test]
    fn nodes_of_cube_connected_cycles_go_by_level_and_column_too() {
        let cycles = Network::CubeConnectedCycles(CubeConnectedCycles::new(3).unwrap());
        let parameters = Parameters {
            virtual_channels: 1,
            buffer_bits: 1,
            wire_bits: 1,
            weak_switch: false,
        };
        let cycles = WormholeMachine::new(cycles, parameters).unwrap().topology();
        assert_eq!(node_list("2_5, 0,21,0_1", &cycles).unwrap(), [21, 0, 1]);
        for text in ["24", "3_0", "x"] {
            assert_eq!(
                node_list(&format!("0,{text}"), &cycles)
                    .unwrap_err()
                    .to_string(),
                format!(
                    "--trace-nodes: there is no node `{text}`: the machine has nodes 0 to 23, which by level \
                     and column are 0_0 to 2_7: give either, with commas between, or all"
                )
            );
        }
    }
}
