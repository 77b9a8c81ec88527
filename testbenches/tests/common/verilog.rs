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
    export_rounds(bench, setup, None, folder)
}

pub fn export_rounds(
    bench: &'static Testbench,
    setup: &Setup,
    rounds: Option<usize>,
    folder: &Path,
) -> Project {
    setup.export(bench, rounds, folder).unwrap()
}

/// Flip-flops of a module, as an export tells them.
pub fn flip_flops(exported: &Project, module: &str) -> usize {
    exported.fact("flip_flops")[module].as_u64().unwrap() as usize
}

/// Compiles with all warnings, which must be none, and runs; writes `tb.vcd`.
pub fn icarus(folder: &Path) -> Output {
    icarus_of(folder, "cube")
}

/// The same of a network whose module has this name.
pub fn icarus_of(folder: &Path, network: &str) -> Output {
    let files = format!("node.v sequencer.v {network}.v tb.v");
    let compiled = tool(
        folder,
        "iverilog",
        &format!("-g2005 -Wall -o tb.vvp {files}"),
    );
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    assert_eq!(text(&compiled.stderr), "");
    tool(folder, "vvp", "tb.vvp +vcd")
}

/// A testbench on one of its schedules.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    pub bench: &'static Testbench,
    pub schedule: Option<Schedule>,
}

impl Machine {
    /// Sizes that it has in addition to those that all have: schedule `radix4` packs from five dimensions on,
    /// in groups of one dimension or of two.
    pub fn further_sizes(self) -> &'static [(usize, usize)] {
        match self.schedule {
            Some(schedule) if schedule.name == "radix4" => {
                &[(5, 1), (5, 2), (6, 1), (6, 3), (7, 1), (7, 2)]
            }
            _ => &[],
        }
    }

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

/// The testbench of a folder, which [has been run](icarus), fails with any bit turned round of what it expects, and passes where the
/// bit does not matter. `matters` says so of a word of `expected.hex`, all of them before it, and a bit; `None`: it is left alone.
pub fn what_is_expected_is_compared_bit_by_bit(
    project: &Path,
    matters: impl Fn(usize, usize, &[u64]) -> Option<bool>,
) {
    let path = project.join("expected.hex");
    let before = std::fs::read_to_string(&path).unwrap();
    let words = before.lines().flat_map(|line| {
        let hexadecimal = line.split("//").next().unwrap_or_default();
        hexadecimal.split_whitespace()
    });
    let words: Vec<&str> = words.collect();
    let values = words.iter().map(|word| u64::from_str_radix(word, 16));
    let values: Vec<u64> = values.collect::<Result<_, _>>().unwrap();
    let mut turned = [0, 0];
    for (number, word) in words.iter().enumerate() {
        for bit in 0..4 * word.len() {
            let Some(matters) = matters(number, bit, &values) else {
                continue;
            };
            let (from, width) = (word.as_ptr().addr() - before.as_ptr().addr(), word.len());
            let other = format!("{:0width$x}", values[number] ^ 1 << bit);
            let mut text = before.clone();
            text.replace_range(from..from + width, &other);
            std::fs::write(&path, text).unwrap();
            let output = tool(project, "vvp", "tb.vvp");
            let verdict = if matters { "FAIL: " } else { "PASS: " };
            let printed = String::from_utf8_lossy(&output.stdout);
            let what = format!("word {number} of expected.hex, bit {bit}");
            assert!(printed.contains(verdict), "{what}: {printed}");
            assert_eq!(output.status.code(), Some(i32::from(matters)), "{what}");
            turned[(values[number] >> bit & 1) as usize] += usize::from(matters);
        }
    }
    assert!(
        turned.iter().all(|turned| *turned > 0),
        "bits of either kind: {turned:?}"
    );
    std::fs::write(path, before).unwrap();
}

/// Verilator has nothing to say of a network of nodes with `address_bits`.
///
/// It takes up every node by itself, which of many nodes is nearly all that it does. So it is given the larger networks in
/// parts: a node where no address bit is set, where some are, where all are; then the network around nodes that are empty.
pub fn verilator_is_silent(
    project: &Path,
    network: &str,
    files: &str,
    address_bits: usize,
    what: &str,
) {
    const ADDRESS_BITS_IN_FULL: usize = 3;
    let lint = |arguments: &str| {
        let lint = tool(
            project,
            "verilator",
            &format!("--lint-only -Wall {arguments}"),
        );
        let said = text(&lint.stderr);
        assert!(lint.status.success(), "{what}: {said}");
        assert_eq!(said, "", "{what}");
    };
    if address_bits > ADDRESS_BITS_IN_FULL {
        let all = (1 << address_bits) - 1;
        for address in [0, 0b0100101 & all, all] {
            let address = format!("-GADDRESS={address_bits}'d{address}");
            lint(&format!("--top-module node {address} node.v"));
        }
        empty_the_node(project);
    }
    lint(&format!("--top-module {network} {files}"));
}

/// Leaves of the module of a node its ports alone.
fn empty_the_node(project: &Path) {
    let path = project.join("node.v");
    let node = std::fs::read_to_string(&path).unwrap();
    let (head, body) = node.split_once("\n);\n").unwrap();
    assert!(body.contains("always @(posedge clk)"), "{body}");
    let ports = head
        .lines()
        .map(|line| line.trim().split(" //").next().unwrap());
    let port = |line: &'static str| {
        let named = |port: &&str| port.starts_with(line);
        let ports = ports
            .clone()
            .filter(named)
            .map(|port| port.trim_end_matches(','));
        ports
            .filter_map(|port| port.rsplit(' ').next())
            .collect::<Vec<_>>()
    };
    let (inputs, outputs) = (port("input wire "), port("output wire "));
    assert!(inputs.contains(&"clk") && !outputs.is_empty(), "{head}");
    let assigned: String = (outputs.iter())
        .map(|output| format!("  assign {output} = {{$bits({output}){{clk}}}};\n"))
        .collect();
    let read = inputs.join(", ");
    let empty =
        format!("{head}\n);\n  wire unused = &{{1'b0, ADDRESS, {read}}};\n{assigned}endmodule\n");
    std::fs::write(path, empty).unwrap();
}
