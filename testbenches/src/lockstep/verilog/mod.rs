//! A testbench as a Verilog project: the router's own description written down, with a testbench in
//! Verilog that loads the same traffic and expects what the traffic says.
//!
//! ```text
//!   tb.v  --traffic.hex-->  cube.v ( sequencer.v, node.v x 2^k )  --> against expected.hex
//! ```

mod readme;
mod stimulus;
mod testbench;

use std::io;
use std::iter::once;
use std::path::Path;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::machine::device::Device;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::ClosedForm;
use rtl_model::machine::simulation::Lockstep;
use waves::gtkwave::{self, FileNames, View};
use waves::probe::{Probe, Recording, Selection};
use waves::vcd::VcdTrace;

use crate::error::Error;
use crate::folder::Folder;
use crate::interrupt;
use crate::lockstep::options::{VerilogOptions, machine_command};
use crate::lockstep::{Bench, Schedule, Stimulus};
use crate::report::{Depth, Formula, value};
use crate::verilog::rounds::{FIRST_ROUND, TRAFFIC_FILE, round_head, rounds_again};
use crate::verilog::{FlipFlops, Project, WIDEST_VECTOR, called, commands, ports};
use crate::wave::{ViewNames, view_names};

/// The largest cube that is written: Icarus takes 1.5 GB to build its 1,024 nodes of Algorithm 2.
pub const MOST_DIMENSIONS: usize = 10;
/// The dump that the Verilog testbench writes when asked to.
const DUMP: &str = "tb.vcd";

/// The modules of routers in lockstep.
const FILES: [&str; 3] = ["node.v", "sequencer.v", "cube.v"];

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
        command: machine_command(&options.setup, bench),
        payload_bits: bench.has_messages().then(|| options.setup.payload_bits()),
    };
    export.write(&*bench.stimulus(&options.setup)?)
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
    /// The schedule, where there are several.
    fn choice(&self) -> (&'static str, Option<&'static str>) {
        ("schedule", self.schedule.map(Schedule::name))
    }

    /// For the head of a file: what it is a part of, and how to get it again.
    fn title(&self) -> String {
        self.title_of("")
    }

    /// The same with what the file depends on beside the machine.
    fn title_of(&self, further: &str) -> String {
        format!(
            "{}: {}.\n{}.\nWritten by cubewave {}: {}{further} --out DIR\n\
             SPDX-License-Identifier: MIT OR Apache-2.0",
            called(self.bench.name(), self.choice()),
            self.bench.models(),
            self.bench.source_on(self.schedule),
            env!("CARGO_PKG_VERSION"),
            self.command,
        )
    }
}

impl Export<'_> {
    fn write(self, stimulus: &dyn Stimulus) -> Result<Project, Error> {
        let device = stimulus.device();
        let topology = device.topology();
        let nodes = topology.nodes();
        let ViewNames {
            names: view_files,
            kept,
        } = view_names(self.folder.path(), DUMP, true);
        let mut later = Vec::new();
        let mut rounds = vec![FIRST_ROUND.to_owned()];
        for round in 2..=self.rounds {
            let (stimulus, name) = stimulus.later(round)?;
            later.push(stimulus);
            rounds.push(name);
        }
        let subject = Subject {
            view: &view_files,
            bench: self.bench,
            schedule: stimulus.schedule(),
            command: &self.command,
            dims: topology.dims(),
            nodes,
            rounds: &rounds,
            bit_times: device.bit_times(),
            storage: device.storage(),
            sequencer: device.sequencer_storage(),
            depth: device.logic_depth()?,
        };
        let title = subject.title();
        let design = device.design(&title);
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
        let all = once(stimulus).chain(later.iter().map(|later| &**later));
        for (number, (name, stimulus)) in rounds.iter().zip(all).enumerate() {
            interrupt::check()?;
            let head = round_head((number + 1, rounds.len()), name);
            let mut machine = device.build(1)?;
            stimulus.load(&mut *machine, &mut |_| Ok(()))?;
            traffic += &(head.clone() + &stimulus::traffic(&mut *machine));
            expected += &(head + &stimulus::expected(&*machine, &*stimulus.expected()));
        }
        let again = rounds_again(TRAFFIC_FILE, rounds.len(), self.seed);
        let view = view(device, stimulus.interesting(), &view_files)?;
        let files = [
            ("README.md", readme::text(&subject, &design)),
            ("node.v", design.node.clone()),
            ("sequencer.v", design.sequencer.clone()),
            ("cube.v", design.cube.clone()),
            (
                "tb.v",
                testbench::text(&subject, &design, &subject.title_of(&again)),
            ),
            ("traffic.csv", stimulus.traffic_file()),
            ("traffic.hex", traffic),
            ("expected.hex", expected),
            (view_files.save.as_str(), view.save),
            (view_files.step_filter.as_str(), view.step_filter),
        ];
        let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        self.folder.write(&files)?;
        let flip_flops = FlipFlops {
            node: subject.storage.total,
            sequencer: subject.sequencer.total,
        };
        let (form, depth) = (&subject.bit_times, Depth::from(&subject.depth));
        Ok(Project {
            bench: self.bench.name(),
            choice: subject.choice(),
            dims: subject.dims,
            nodes,
            facts: vec![
                ("payload_bits", value(&self.payload_bits)),
                ("bit_times_formula", value(&Formula::from(form.clone()))),
                ("flip_flops", value(&flip_flops)),
            ],
            logic_depth: depth,
            ports: vec![
                ("host_writes", value(&ports(&design.host_writes))),
                ("host_reads", value(&ports(&design.host_reads))),
            ],
            folder: self.shown.display().to_string(),
            files: names,
            kept_view: kept.map(|path| path.display().to_string()),
            commands: commands(&FILES),
            lines: vec![
                (
                    "flip-flops",
                    format!(
                        "{} a node, {} in the sequencer",
                        flip_flops.node, flip_flops.sequencer
                    ),
                ),
                (
                    "logic depth",
                    format!(
                        "{} gates (node {}, sequencer {})",
                        depth.total, depth.node, depth.sequencer
                    ),
                ),
                ("bit times", format!("{} = {}", form.text, form.value)),
            ],
        })
    }
}

/// A view of the dump that the Verilog will write: the signals of `nodes`, and when each step begins.
fn view(device: &dyn Device, nodes: Vec<usize>, names: &FileNames) -> Result<View, Error> {
    let mut machine = device.build(1)?;
    let window = 0..device.bit_times().value + 1;
    let probe = |machine: &dyn Lockstep, nodes| {
        let window = window.clone();
        let trace = VcdTrace::new(io::sink())?;
        Probe::attach(trace, machine, Selection { nodes, window })
    };
    let unwritable = |reason| Error::Unwritable {
        path: DUMP.into(),
        reason,
    };
    let (_, signals) = probe(&*machine, nodes)
        .and_then(Probe::finish)
        .map_err(unwritable)?;
    // Steps are the sequencer's, so no node is looked at while they pass.
    let mut steps = probe(&*machine, Vec::new()).map_err(unwritable)?;
    loop {
        interrupt::check()?;
        machine.transmit()?;
        steps.sample(&*machine).map_err(unwritable)?;
        if machine.is_done() {
            break;
        }
        machine.clock();
    }
    let (_, steps) = steps.finish().map_err(unwritable)?;
    let recording = Recording {
        signals: signals.signals,
        titles: signals.titles,
        ..steps
    };
    Ok(gtkwave::view_of_verilog(DUMP, names, &recording))
}
