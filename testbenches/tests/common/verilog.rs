//! What the tests of exported Verilog share: the export, and the tools that read it.

use std::path::Path;
use std::process::{Command, Output};

use testbenches::lockstep::{Schedule, benches};
use testbenches::testbench::Testbench;
use testbenches::verilog::Project;

use crate::common::asked::{Asked, Setup};
use crate::common::dump::options;

/// A program's output, which must be there; `arguments` are split at blanks.
pub fn tool(folder: &Path, program: &str, arguments: &str) -> Output {
    Command::new(program)
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed here: {error}"))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// With the default number of rounds.
pub fn export(bench: &'static Testbench, setup: &Setup, folder: &Path) -> Project {
    setup.export(bench, None, folder).unwrap()
}

/// Flip-flops of a module, as an export tells them.
pub fn flip_flops(exported: &Project, module: &str) -> usize {
    exported.fact("flip_flops")[module].as_u64().unwrap() as usize
}

/// A testbench on one of its schedules.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    pub bench: &'static Testbench,
    pub schedule: Option<Schedule>,
}

impl Machine {
    /// All there are.
    pub fn all() -> Vec<Machine> {
        let of = |bench: &'static Testbench| match bench.schedules {
            [] => vec![Machine::from(bench)],
            schedules => schedules
                .iter()
                .map(|schedule| Machine {
                    bench,
                    schedule: Some(*schedule),
                })
                .collect(),
        };
        benches().flat_map(of).collect()
    }

    /// Whether it carries such a load.
    pub fn carries(self, load: f64) -> bool {
        load >= 1.0 || !self.schedule.is_some_and(Schedule::is_full_only)
    }

    /// A run of it, of all nodes where it carries nothing else; enumerations take no payload.
    pub fn run(self, k: usize, payload_bits: usize, load: f64) -> Asked {
        let load = if self.carries(load) { load } else { 1.0 };
        let run = options(k, payload_bits, load, Path::new("run.vcd"));
        run.on(self.schedule.map(|schedule| schedule.name()))
    }
}

/// On its default schedule.
impl From<&'static Testbench> for Machine {
    fn from(bench: &'static Testbench) -> Self {
        Machine {
            bench,
            schedule: None,
        }
    }
}

/// Replaces the first `from` in a file of the project by `to`.
pub fn replace(project: &Path, file: &str, from: &str, to: &str) {
    let path = project.join(file);
    let before = std::fs::read_to_string(&path).unwrap();
    assert!(before.contains(from), "{file} has no `{from}`");
    std::fs::write(&path, before.replacen(from, to, 1)).unwrap();
}
