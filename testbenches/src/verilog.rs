//! A testbench as a Verilog project: the router's own description written down, with a testbench in
//! Verilog that loads the same traffic and expects what the traffic says.
//!
//! ```text
//!   tb.v  --traffic.hex-->  cube.v ( sequencer.v, node.v x 2^k )  --> against expected.hex
//! ```

mod readme;
mod rounds;
mod stimulus;
mod testbench;
pub mod wormhole;

use std::io;
use std::iter::once;
use std::path::Path;

use rtl_model::depth::LogicDepth;
use rtl_model::fabric::Fabric;
use rtl_model::meter::Storage;
use rtl_model::router::{ClosedForm, Machine, Router};
use rtl_model::verilog::Design;
use serde::Serialize;
use waves::gtkwave::{self, FileNames, View};
use waves::probe::{Probe, Recording, Selection};
use waves::vcd::VcdTrace;

use crate::benches::{self, Task, Testbench};
use crate::catalogue::{Bench, Schedule};
use crate::error::Error;
use crate::folder::Folder;
use crate::interrupt;
use crate::options::VerilogOptions;
use crate::report::{Depth, Formula};
use crate::verilog::rounds::{FIRST_ROUND, round_head, rounds_again};
use crate::wave::{ViewNames, view_names};

/// The largest cube that is written: Icarus takes 1.5 GB to build its 1,024 nodes of Algorithm 2.
pub const MOST_DIMENSIONS: usize = 10;
/// The widest vector that every Verilog tool takes (IEEE 1364-2005, 4.3.1).
pub const WIDEST_VECTOR: usize = 1 << 16;

/// A project that was written.
#[derive(Clone, Debug, Serialize)]
pub struct Project {
    /// The testbench.
    pub bench: &'static str,
    /// The schedule, where there are several.
    pub schedule: Option<&'static str>,
    /// Dimensions of the cube.
    pub dims: usize,
    /// Its nodes.
    pub nodes: usize,
    /// Payload bits of a message; none where no message is sent.
    pub payload_bits: Option<usize>,
    /// Bit times that a run takes.
    pub bit_times_formula: Formula,
    /// Flip-flops of a node, and of the sequencer.
    pub flip_flops: FlipFlops,
    /// Gates on the longest path between two registers.
    pub logic_depth: Depth,
    /// Ports of the cube through which the host writes all nodes, first node lowest.
    pub host_writes: Vec<Port>,
    /// Ports through which it reads.
    pub host_reads: Vec<Port>,
    /// The folder.
    pub folder: String,
    /// What was written into it.
    pub files: Vec<String>,
    /// A view, or its filter, that was edited and so is left as it is; only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_view: Option<String>,
    /// What to type there.
    pub commands: [String; 2],
}

/// Storage, as registers of the exported modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FlipFlops {
    /// In each node.
    pub node: usize,
    /// In the sequencer.
    pub sequencer: usize,
}

/// A port of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its bits for each node.
    pub bits_per_node: usize,
}

fn ports(ports: &[(String, usize)]) -> Vec<Port> {
    let port = |(name, width): &(String, usize)| Port {
        name: name.clone(),
        bits_per_node: *width,
    };
    ports.iter().map(port).collect()
}

/// The dump that the Verilog testbench writes when asked to.
const DUMP: &str = "tb.vcd";

/// The modules of routers in lockstep.
const FILES: [&str; 3] = ["node.v", "sequencer.v", "cube.v"];

/// What to type in a project's folder, where the machine is in these files: compile, then run.
fn commands(files: &[&str]) -> [String; 2] {
    [
        format!("iverilog -g2005 -o tb.vvp {} tb.v", files.join(" ")),
        "vvp tb.vvp".to_owned(),
    ]
}

/// Writes a testbench's project into a folder.
///
/// # Errors
/// What is refused of the options, before anything is written; a folder that cannot be written, or is not
/// empty; a project that would be unreasonably large.
pub fn export(bench: Bench, options: &VerilogOptions) -> Result<Project, Error> {
    let mut folder = Folder::plan(&options.out, options.force)?;
    if let Some(traffic_file) = &options.setup.traffic_file {
        folder.keep(traffic_file);
    }
    let dimensions = options.setup.dimensions()?;
    if dimensions.count() > MOST_DIMENSIONS {
        return Err(Error::TooManyNodesForVerilog {
            dimensions: dimensions.count(),
            nodes: dimensions.nodes(),
            most: MOST_DIMENSIONS,
        });
    }
    let rounds = options.rounds(dimensions.nodes())?;
    let export = Export {
        bench,
        rounds,
        seed: options.setup.seed,
        folder,
        shown: &options.out,
        command: options.machine_command(bench),
        payload_bits: (bench != Bench::Enumeration).then(|| options.setup.payload_bits()),
    };
    benches::set_up(bench, &options.setup, export)
}

struct Export<'a> {
    bench: Bench,
    rounds: usize,
    seed: u64,
    folder: Folder,
    shown: &'a Path,
    command: String,
    payload_bits: Option<usize>,
}

/// A testbench, and its schedule where there are several.
fn called(bench: &str, schedule: Option<&str>) -> String {
    match schedule {
        None => bench.to_owned(),
        Some(schedule) => format!("{bench}, schedule {schedule}"),
    }
}

/// What the texts of a project speak of.
struct Subject<'a> {
    view: &'a FileNames,
    bench: Bench,
    schedule: Option<Schedule>,
    command: &'a str,
    dims: usize,
    nodes: usize,
    /// What each round sends.
    rounds: &'a [String],
    bit_times: ClosedForm,
    storage: Storage,
    sequencer: Storage,
    depth: LogicDepth,
}

impl Subject<'_> {
    /// For the head of a file: what it is a part of, and how to get it again.
    fn title(&self) -> String {
        self.title_of("")
    }

    /// The same with what the file depends on beside the machine.
    fn title_of(&self, further: &str) -> String {
        format!(
            "{}: {}.\n{}.\nWritten by cubewave {}: {}{further} --out DIR\n\
             SPDX-License-Identifier: MIT OR Apache-2.0",
            called(self.bench.name(), self.schedule.map(Schedule::name)),
            self.bench.models(),
            self.bench.source_on(self.schedule),
            env!("CARGO_PKG_VERSION"),
            self.command,
        )
    }
}

impl Task for Export<'_> {
    type Output = Project;

    fn perform<T: Testbench>(self, testbench: T) -> Result<Project, Error> {
        let router = testbench.router();
        let nodes = router.dimensions().nodes();
        let ViewNames {
            names: view_files,
            kept,
        } = view_names(self.folder.path(), DUMP, true);
        let mut later = Vec::new();
        let mut rounds = vec![FIRST_ROUND.to_owned()];
        for round in 2..=self.rounds {
            let (testbench, name) = testbench.later(round)?;
            later.push(testbench);
            rounds.push(name);
        }
        let subject = Subject {
            view: &view_files,
            bench: self.bench,
            schedule: testbench.schedule(),
            command: &self.command,
            dims: router.dimensions().count(),
            nodes,
            rounds: &rounds,
            bit_times: router.bit_times(),
            storage: Storage::of(&router.node::<bool>()),
            sequencer: Storage::of(&router.sequencer::<bool>()),
            depth: LogicDepth::of(&router)?,
        };
        let title = subject.title();
        let design = Design::of(&router, &title);
        for (name, width) in design.host_writes.iter().chain(&design.host_reads) {
            if width * nodes > WIDEST_VECTOR {
                return Err(Error::PortTooWideForVerilog {
                    port: name.clone(),
                    bits: width * nodes,
                    most: WIDEST_VECTOR,
                });
            }
        }
        if design.host_writes.is_empty() || design.host_reads.is_empty() {
            return Err(Error::NothingToTest {
                bench: self.bench.name(),
            });
        }
        let (mut traffic, mut expected) = (String::new(), String::new());
        for (number, (name, testbench)) in rounds
            .iter()
            .zip(once(&testbench).chain(&later))
            .enumerate()
        {
            interrupt::check()?;
            let head = round_head((number + 1, rounds.len()), name);
            let mut fabric = Fabric::<_, u64>::new(router, 1)?;
            testbench.load(&mut fabric);
            traffic += &(head.clone() + &stimulus::traffic(&mut fabric));
            expected += &(head + &stimulus::expected(&fabric, testbench.expected()));
        }
        let again = rounds_again(rounds.len(), self.seed);
        let mut fabric = Fabric::<_, u64>::new(router, 1)?;
        testbench.load(&mut fabric);
        let view = view(&mut fabric, testbench.interesting(), &view_files)?;
        let files = [
            ("README.md", readme::text(&subject, &design)),
            ("node.v", design.node.clone()),
            ("sequencer.v", design.sequencer.clone()),
            ("cube.v", design.cube.clone()),
            (
                "tb.v",
                testbench::text(&subject, &design, &subject.title_of(&again)),
            ),
            ("traffic.csv", testbench.traffic_file()),
            ("traffic.hex", traffic),
            ("expected.hex", expected),
            (view_files.save.as_str(), view.save),
            (view_files.step_filter.as_str(), view.step_filter),
        ];
        let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        self.folder.write(&files)?;
        Ok(Project {
            bench: self.bench.name(),
            schedule: subject.schedule.map(Schedule::name),
            dims: subject.dims,
            nodes,
            payload_bits: self.payload_bits,
            bit_times_formula: subject.bit_times.into(),
            flip_flops: FlipFlops {
                node: subject.storage.total,
                sequencer: subject.sequencer.total,
            },
            logic_depth: (&subject.depth).into(),
            host_writes: ports(&design.host_writes),
            host_reads: ports(&design.host_reads),
            folder: self.shown.display().to_string(),
            files: names,
            kept_view: kept.map(|path| path.display().to_string()),
            commands: commands(&FILES),
        })
    }
}

/// A view of the dump that the Verilog will write: the signals of `nodes`, and when each step begins.
fn view<R: Router>(
    fabric: &mut Fabric<R, u64>,
    nodes: Vec<usize>,
    names: &FileNames,
) -> Result<View, Error> {
    let window = 0..fabric.router().bit_times().value + 1;
    let probe = |fabric: &Fabric<R, u64>, nodes| {
        let window = window.clone();
        let trace = VcdTrace::new(io::sink())?;
        Probe::attach(trace, fabric, Selection { nodes, window })
    };
    let unwritable = |reason| Error::Unwritable {
        path: DUMP.into(),
        reason,
    };
    let (_, signals) = probe(fabric, nodes)
        .and_then(Probe::finish)
        .map_err(unwritable)?;
    // Steps are the sequencer's, so no node is looked at while they pass.
    let mut steps = probe(fabric, Vec::new()).map_err(unwritable)?;
    loop {
        interrupt::check()?;
        fabric.transmit()?;
        steps.sample(fabric).map_err(unwritable)?;
        if fabric.is_done() {
            break;
        }
        fabric.clock();
    }
    let (_, steps) = steps.finish().map_err(unwritable)?;
    let recording = Recording {
        signals: signals.signals,
        titles: signals.titles,
        ..steps
    };
    Ok(gtkwave::view_of_verilog(DUMP, names, &recording))
}

impl Project {
    /// For people.
    pub fn text(&self) -> String {
        let kept = self.kept_view.as_ref().map_or(String::new(), |kept| {
            format!("kept         {kept}, which was edited; so the view has another name\n  ")
        });
        format!(
            "{}: {} nodes as Verilog in {}\n\n  \
             files        {}\n  {}\
             flip-flops   {} a node, {} in the sequencer\n  \
             logic depth  {} gates (node {}, sequencer {})\n  \
             bit times    {} = {}\n\n\
             there, with Icarus Verilog:\n  {}\n  {}\n",
            called(self.bench, self.schedule),
            self.nodes,
            self.folder,
            self.files.join(" "),
            kept,
            self.flip_flops.node,
            self.flip_flops.sequencer,
            self.logic_depth.total,
            self.logic_depth.node,
            self.logic_depth.sequencer,
            self.bit_times_formula.text,
            self.bit_times_formula.value,
            self.commands[0],
            self.commands[1],
        )
    }
}
