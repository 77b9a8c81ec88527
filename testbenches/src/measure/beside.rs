//! Runs of another testbench, as the command line would run it: by its name, with arguments as text. So a family can be compared with
//! others and is linked to none of them.

use std::io::Write;

use clap::Command;
use tempfile::NamedTempFile;

use crate::error::Error;
use crate::error::refusal::{not_by, unwritable};
use crate::families::testbench;
use crate::output::unfinished::{Kind, Unfinished};
use crate::report::Report;

/// The most dimensions of a hypercube of worms.
const MAX_CUBE: usize = 20;

/// What `cubewave run` with that testbench and these arguments reports.
///
/// # Errors
/// A testbench that there is not; arguments that it does not have; what it refuses, and whatever keeps it
/// from its end.
pub fn run(name: &str, arguments: &[String]) -> Result<Report, Error> {
    let bench = testbench(name)?;
    let command = bench.run_arguments(Command::new(bench.name).no_binary_name(true));
    let arguments = command.try_get_matches_from(arguments).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        not_by(bench.name, first.trim_start_matches("error: "))
    })?;
    Ok(bench.run(&arguments)?.report)
}

/// That there is a hypercube of worms of so many dimensions, for whoever is called so.
///
/// # Errors
/// Dimensions that none has.
pub fn have_worms(called: &'static str, dims: usize) -> Result<(), Error> {
    match (1..=MAX_CUBE).contains(&dims) {
        true => Ok(()),
        false => {
            let why = format!("its hypercubes have 1 to {MAX_CUBE} dimensions, and none {dims}");
            Err(not_by(called, why))
        }
    }
}

/// Gives the name of a file with this text to what runs another testbench; it is there for as long.
///
/// # Errors
/// Those of `run`; a file that cannot be written.
pub fn with_file<T>(text: &str, run: impl FnOnce(String) -> Result<T, Error>) -> Result<T, Error> {
    let unwritable = unwritable(&std::env::temp_dir());
    let mut file = NamedTempFile::with_suffix(".csv").map_err(&unwritable)?;
    let _unfinished = Unfinished::of(file.path(), Kind::File);
    file.write_all(text.as_bytes()).map_err(unwritable)?;
    run(file.path().display().to_string())
}

/// Runs of one machine, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Runs(pub Vec<Report>);

impl Runs {
    /// A number of all together; none, if one has none.
    pub fn sum(&self, of: impl Fn(&Report) -> Option<u64>) -> Option<u64> {
        self.0.iter().map(of).sum()
    }

    /// The largest number of any, for nodes are used again.
    pub fn most(&self, of: impl Fn(&Report) -> Option<u64>) -> Option<u64> {
        self.0.iter().filter_map(of).max()
    }

    /// Register bits of a node.
    pub fn storage(&self) -> Option<u64> {
        self.most(|run| Some(run.storage_bits_per_node.total as u64))
    }

    /// The most message bits at a node.
    pub fn occupied(&self) -> Option<u64> {
        self.most(|run| run.peak.occupied_bits_per_node.map(u64::from))
    }

    /// Gates on the longest path between registers.
    pub fn logic_depth(&self) -> Option<u64> {
        self.most(|run| Some(run.logic_depth?.total as u64))
    }

    /// Their closed forms; none, if one has none.
    pub fn bit_times_formula(&self) -> Option<u64> {
        self.sum(|run| Some(run.bit_times_formula.as_ref()?.value))
    }

    /// The text of so many times the closed form of one, which is the same of all; none, if one has none.
    pub fn bit_times_text(&self, times: usize) -> Option<String> {
        self.bit_times_formula()?;
        let form = &self.0.first()?.bit_times_formula.as_ref()?.text;
        Some(match times {
            1 => form.clone(),
            times => format!("{times}({form})"),
        })
    }

    /// Data wires of a node.
    pub fn data_wires_per_node(&self) -> Option<u64> {
        self.most(|run| Some((run.topology.directed_wires / run.topology.nodes) as u64))
    }

    /// Wires of a node, those for flow control among them, of which a router says how many it has.
    pub fn wires_per_node(&self) -> Option<u64> {
        let said = self.most(|run| run.family.entry("wires").get("wires_per_node")?.as_u64());
        said.or_else(|| self.data_wires_per_node())
    }

    /// The share of wires' bit times with a bit.
    pub fn wire_use(&self) -> f64 {
        let times = |run: &Report| run.bit_times as f64;
        let busy = self.0.iter().map(|run| run.wire_use * times(run));
        busy.sum::<f64>() / self.0.iter().map(times).sum::<f64>().max(1.0)
    }

    /// The checks of all hold.
    pub fn passed(&self) -> bool {
        self.0.iter().all(|run| run.passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Entry, Formula, Peak, StorageBits, Topology};

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    /// A run by its bit times, wire use, occupied bits, and whether it has a closed form.
    fn ran(bit_times: u64, wire_use: f64, occupied: u32, has_form: bool) -> Report {
        Report {
            bit_times,
            bit_times_formula: has_form.then(|| Formula {
                text: "k".to_owned(),
                value: bit_times,
            }),
            wire_use,
            topology: Topology {
                nodes: 4,
                directed_wires: 8,
                ..Topology::default()
            },
            storage_bits_per_node: StorageBits {
                total: 50,
                by_part: Vec::new(),
            },
            peak: Peak {
                occupied_bits_per_node: Some(occupied),
                ..Peak::default()
            },
            passed: true,
            ..Report::default()
        }
    }

    #[test]
    fn runs_add_up_and_nodes_are_used_again() {
        let mut runs = Runs(vec![ran(30, 0.5, 7, true), ran(10, 0.1, 9, false)]);
        assert_eq!(runs.sum(|run| Some(run.bit_times)), Some(40));
        assert_eq!((runs.storage(), runs.occupied()), (Some(50), Some(9)));
        assert_eq!((runs.wires_per_node(), runs.logic_depth()), (Some(2), None));
        let wires = serde_json::json!({ "wires_per_node": 5 });
        runs.0[0].family.put(&Entry::part("wires"), &wires);
        assert_eq!(runs.wires_per_node(), Some(5));
        assert_eq!(runs.data_wires_per_node(), Some(2));
        assert_eq!(runs.bit_times_formula(), None);
        assert_eq!(runs.bit_times_text(2), None);
        assert!((runs.wire_use() - 0.4).abs() < 1e-12);
        assert!(runs.passed());
        runs.0[1].passed = false;
        assert!(!runs.passed());
        let one = Runs(vec![ran(30, 0.5, 7, true)]);
        assert_eq!(one.bit_times_formula(), Some(30));
        let texts = [1, 3].map(|times| one.bit_times_text(times).unwrap());
        assert_eq!(texts, ["k", "3(k)"]);
    }

    #[test]
    fn a_testbench_is_run_by_its_name() {
        let report = run("enumeration", &words("--dims 3")).unwrap();
        assert_eq!((report.bench, report.topology.nodes), ("enumeration", 8));
        assert!(report.passed);
    }

    #[test]
    fn what_a_testbench_does_not_have_is_refused_in_its_name() {
        let refused = run("enumeration", &words("--colour red")).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "enumeration: unexpected argument '--colour' found"
        );
        assert!(
            run("enumerations", &[])
                .unwrap_err()
                .to_string()
                .contains("did you mean")
        );
        let refused = run("enumeration", &words("--dims 99")).unwrap_err();
        assert!(!refused.to_string().is_empty());
    }
}
