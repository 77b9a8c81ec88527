//! A run's waveform: what is traced, the dump, and the view beside it.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rtl_model::memory;
use rtl_model::meter::Storage;
use rtl_model::router::{Machine, Router};
use rtl_model::topology::Topology;
use waves::fst::FstTrace;
use waves::gtkwave;
use waves::probe::{Probe, Recording, Selection, Subject};
use waves::trace::Trace;
use waves::vcd::VcdTrace;

use crate::error::Error;
use crate::options::RunOptions;
use crate::output::{Staged, Staging, Stream};
use crate::report::{Outputs, TracedNodes};

/// Bytes that a declared signal takes while it is traced, by a generous estimate.
const BYTES_PER_SIGNAL: u64 = 300;

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

/// A waveform that was asked for: checked, with its files begun.
pub struct Wave {
    dump: Staged,
    save: Staged,
    /// None where the machine has no steps.
    step_filter: Option<Staged>,
    name: String,
    format: Format,
    selection: Selection,
    all_nodes: bool,
}

/// A waveform that is written.
pub struct Written {
    /// The dump.
    pub dump: PathBuf,
    /// The save file.
    pub save: PathBuf,
    /// The filter file that names the steps, where the machine has any.
    pub step_filter: Option<PathBuf>,
    /// The nodes in it; none if all.
    pub nodes: Option<Vec<usize>>,
}

impl From<Written> for Outputs {
    fn from(written: Written) -> Self {
        let shown = |path: PathBuf| Some(path.display().to_string());
        Outputs {
            wave: shown(written.dump),
            view: shown(written.save),
            step_names: written.step_filter.and_then(shown),
            traced_nodes: Some(TracedNodes::new(written.nodes)),
            deliveries: None,
        }
    }
}

impl Wave {
    /// What is asked for of routers in lockstep, if anything is. `interesting` are the nodes to trace where none are
    /// named.
    ///
    /// # Errors
    /// A format that is not written, a node that the cube does not have, an empty window, a place that
    /// cannot be written, more signals than fit in memory.
    pub fn plan<'a>(
        request: impl Into<Request<'a>>,
        staging: &mut Staging,
        router: &impl Router,
        interesting: impl FnOnce() -> Vec<usize>,
    ) -> Result<Option<Self>, Error> {
        let request = request.into();
        let end = Some(router.bit_times().value);
        Self::begin(&request, staging, router, end, interesting)
    }

    /// As [`Wave::plan`], of a machine that sets its own pace: it has no steps, and nobody knows when it ends. Unless its
    /// end is asked for, the waveform goes on for as long as bit times are sampled.
    ///
    /// # Errors
    /// As [`Wave::plan`]. A window that the run never reaches is no error: it gives an empty waveform.
    pub fn plan_open<'a>(
        request: impl Into<Request<'a>>,
        staging: &mut Staging,
        machine: &impl Machine,
        interesting: impl FnOnce() -> Vec<usize>,
    ) -> Result<Option<Self>, Error> {
        Self::begin(&request.into(), staging, machine, None, interesting)
    }

    /// `bit_times` is the length of a run in lockstep.
    fn begin(
        request: &Request<'_>,
        staging: &mut Staging,
        machine: &impl Machine,
        bit_times: Option<u64>,
        interesting: impl FnOnce() -> Vec<usize>,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = request.path else {
            return Ok(None);
        };
        if let Some(stream) = Stream::of(path) {
            return Err(Error::NoFile {
                path: path.to_owned(),
                what: "the waveform",
                stream,
            });
        }
        let (name, format) = dump_name(path)?;
        let window = window(request, bit_times)?;
        let topology = machine.topology();
        let nodes = topology.nodes();
        let named = match request.nodes {
            None | Some("all") => None,
            Some(list) => Some(node_list(list, &topology)?),
        };
        // Files before nodes that have to be found: that may take as long as the run.
        let names = gtkwave::FileNames::of(&name);
        let beside = |name: String| path.with_file_name(name);
        let dump = staging.create(path, "the waveform")?;
        let save = staging.create(&beside(names.save), "the view of the waveform")?;
        let step_filter = match bit_times {
            Some(_) => {
                let path = beside(names.step_filter);
                Some(staging.create(&path, "the names of the steps")?)
            }
            None => None,
        };
        let selected = match (request.nodes, named) {
            (None, _) => Some(interesting()),
            (Some(_), named) => named,
        };
        let all_nodes = selected.is_none();
        let amount = selected.as_ref().map_or(nodes, Vec::len);
        let storage = Storage::of(&machine.node::<bool>()).total;
        let signals_per_node = storage + topology.driven() + topology.received();
        require_memory(amount, signals_per_node, memory::available())?;
        Ok(Some(Wave {
            dump,
            save,
            step_filter,
            name,
            format,
            selection: Selection {
                nodes: selected.unwrap_or_else(|| (0..nodes).collect()),
                window,
            },
            all_nodes,
        }))
    }

    /// Hangs a probe on what runs the machine; the probe writes this waveform.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    pub fn attach<S: Subject>(&mut self, subject: &S) -> Result<Probe<Box<dyn Trace + '_>>, Error> {
        let path = self.dump.path().to_owned();
        let selection = self.selection.clone();
        let attach = || -> io::Result<Probe<Box<dyn Trace + '_>>> {
            let trace: Box<dyn Trace> = match self.format {
                Format::Vcd => Box::new(VcdTrace::new(&mut self.dump)?),
                Format::Fst => Box::new(FstTrace::new(&mut self.dump)?),
            };
            Probe::attach(trace, subject, selection)
        };
        attach().map_err(|reason| Error::Unwritable { path, reason })
    }

    /// Where the dump will stand.
    pub fn path(&self) -> &Path {
        self.dump.path()
    }

    /// The nodes in it, in the order in which they are shown; none if all.
    pub fn named_nodes(&self) -> Option<&[usize]> {
        (!self.all_nodes).then_some(&self.selection.nodes)
    }

    /// Writes the view of what was recorded, and puts all files into their places.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    pub fn commit(mut self, recording: &Recording) -> Result<Written, Error> {
        let view = gtkwave::view(&self.name, recording);
        write_text(&mut self.save, &view.save)?;
        if let Some(step_filter) = &mut self.step_filter {
            write_text(step_filter, &view.step_filter)?;
        }
        Ok(Written {
            dump: self.dump.commit()?,
            save: self.save.commit()?,
            step_filter: self.step_filter.map(Staged::commit).transpose()?,
            nodes: (!self.all_nodes).then_some(self.selection.nodes),
        })
    }
}

/// How a waveform is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Vcd,
    Fst,
}

/// The dump's name, by which the view knows it, and its format.
fn dump_name(path: &Path) -> Result<(String, Format), Error> {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let format = match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("vcd") => Format::Vcd,
        Some("fst") => Format::Fst,
        _ => {
            return Err(Error::WaveFormat {
                path: path.to_owned(),
            });
        }
    };
    let name = path.file_name().and_then(|name| name.to_str());
    match name.filter(|name| !name.contains(|c: char| c.is_control() || c == '"')) {
        Some(name) => Ok((name.to_owned(), format)),
        None => Err(Error::Unwritable {
            path: path.to_owned(),
            reason: io::Error::new(
                io::ErrorKind::InvalidFilename,
                "GTKWave's view could not spell this name",
            ),
        }),
    }
}

/// The bit times to trace. The one after a run of `bit_times` shows what its last clock edge leaves.
fn window(request: &Request<'_>, bit_times: Option<u64>) -> Result<Range<u64>, Error> {
    let end = bit_times.map_or(OPEN_END, |bit_times| bit_times + 1);
    let (from, to) = (request.from.unwrap_or(0), request.to.unwrap_or(end));
    if from < to.min(end) {
        return Ok(from..to);
    }
    Err(match bit_times {
        Some(last) => Error::EmptyTraceWindow { from, to, last },
        None => Error::EmptyOpenTraceWindow { from, to },
    })
}

fn require_memory(nodes: usize, signals_per_node: usize, available: u64) -> Result<(), Error> {
    let signals = (nodes * signals_per_node) as u64;
    memory::require(
        format!("a trace of {nodes} nodes"),
        signals * BYTES_PER_SIGNAL,
        available,
    )?;
    Ok(())
}

fn write_text(file: &mut Staged, text: &str) -> Result<(), Error> {
    let written: io::Result<()> = file.write_all(text.as_bytes());
    written.map_err(|reason| Error::Unwritable {
        path: file.path().to_owned(),
        reason,
    })
}

/// Numbers, or names that the network gives, with commas between, each once, in the order given.
fn node_list(list: &str, topology: &impl Topology) -> Result<Vec<usize>, Error> {
    let last = topology.nodes() - 1;
    let names_are_numbers = topology.node_name(last) == last.to_string();
    let mut selected = Vec::new();
    for text in list.split(',').map(str::trim) {
        let node = topology.node_named(text).ok_or_else(|| {
            let text = text.to_owned();
            match text.parse() {
                _ if !names_are_numbers => Error::TraceNodeName {
                    text,
                    last,
                    first_name: topology.node_name(0),
                    last_name: topology.node_name(last),
                },
                Ok(node) => Error::TraceNode { node, last },
                Err(_) => Error::TraceList { text },
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
    use rtl_model::topology::cube_connected_cycles::CubeConnectedCycles;
    use rtl_model::topology::hypercube::Dimensions;
    use rtl_model::wormhole::machine::WormholeMachine;
    use rtl_model::wormhole::network::{Network, Parameters};

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
    fn a_trace_that_would_not_fit_is_refused() {
        assert!(require_memory(1000, 100, 30_000_000).is_ok());
        let refusal = require_memory(1 << 24, 100, 1 << 34)
            .unwrap_err()
            .to_string();
        assert!(
            refusal.starts_with("a trace of 16777216 nodes needs 468.75 GiB"),
            "{refusal}"
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
                     and column are 0_0 to 2_7; give either, with commas between, or all"
                )
            );
        }
    }
}
