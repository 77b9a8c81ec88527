//! A testbench as a Verilog project: the router's own description written down, with a testbench in
//! Verilog that loads the same traffic and expects what the traffic says.
//!
//! ```text
//!   tb.v  --traffic.hex-->  cube.v ( sequencer.v, node.v x 2^k )  --> against expected.hex
//! ```
//!
//! On a network that is no hypercube, the module in the place of `cube`, and its file, are called as the network calls its
//! machine.

mod plan;
mod readme;
mod stimulus;
mod testbench;

use std::io;
use std::iter::once;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::device::Device;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use waves::gtkwave::{self, FileNames, Links, View};
use waves::probe::{Probe, Recording, Selection};
use waves::provenance::Provenance;
use waves::vcd::VcdTrace;

use crate::error::Error;
use crate::error::refusal::{Refusal, unwritable};
use crate::interrupt;
use crate::lockstep::Stimulus;
use crate::lockstep::verilog::plan::check_ports;
pub use crate::lockstep::verilog::plan::{Exported, FirstRound, MOST_DIMENSIONS, MOST_NODES, Plan};
use crate::report::{Depth, Formula, value};
use crate::verilog::rounds::{FIRST_ROUND, round_head};
use crate::verilog::{FlipFlops, META_FILE, Project, called, commands, of_sequencer, ports, title};
use crate::wave::{ViewNames, view_names};

/// The dump that the Verilog testbench writes when asked to.
const DUMP: &str = "tb.vcd";

/// What the texts of a project speak of.
struct Subject<'a> {
    of: &'a Exported,
    view: &'a FileNames,
    topology: &'a dyn Topology,
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
        let identity = &self.of.identity;
        let command = match further {
            "" => &self.of.command,
            _ => &self.of.again,
        };
        title(
            &called(identity.name, self.of.choice),
            [identity.models, identity.source],
            &format!("{command}{further}"),
        )
    }

    fn nodes(&self) -> usize {
        self.topology.nodes()
    }

    /// The module that joins the nodes.
    fn machine(&self) -> &'static str {
        self.topology.machine_name()
    }

    /// Its file.
    fn machine_file(&self) -> String {
        format!("{}.v", self.machine())
    }

    /// What to type in the folder.
    fn commands(&self) -> [String; 2] {
        commands(&["node.v", "sequencer.v", &self.machine_file()])
    }
}

impl Plan {
    /// Writes the project.
    ///
    /// # Errors
    /// A port that Verilog tools need not take; a folder that cannot be written after all; [`Error::Interrupted`].
    pub fn write(self, of: &Exported, stimulus: &dyn Stimulus) -> Result<Project, Error> {
        let device = stimulus.device();
        let topology = device.topology();
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
            of,
            view: &view_files,
            topology: &*topology,
            rounds: &rounds,
            bit_times: device.bit_times(),
            storage: device.storage(),
            sequencer: device.sequencer_storage(),
            depth: device.logic_depth()?,
        };
        let title = subject.title();
        let design = device.design(&title);
        check_ports(&design, &*topology)?;
        if design.host_writes.is_empty() || design.host_reads.is_empty() {
            let bench = of.identity.name;
            return Err(Refusal::of(format!("testbench {bench} cannot be exported"))
                .because("its router has no port for the host, so nothing could be tested")
                .into());
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
        let again = of.first_round.words_of_rounds(rounds.len(), of.seed);
        let view = view(device, stimulus.interesting(), &view_files)?;
        let machine_file = subject.machine_file();
        let files = [
            ("README.md", readme::text(&subject, &design)),
            ("node.v", design.node.clone()),
            ("sequencer.v", design.sequencer.clone()),
            (machine_file.as_str(), design.cube.clone()),
            (
                "tb.v",
                testbench::text(&subject, &design, &subject.title_of(&again)),
            ),
            (of.first_round.file, stimulus.traffic_file()),
            ("traffic.hex", traffic),
            ("expected.hex", expected),
            (META_FILE, of.origin.file.clone()),
            (view_files.save.as_str(), view.save),
            (view_files.step_filter.as_str(), view.step_filter),
            (view_files.surfer.as_str(), view.surfer),
        ];
        let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        self.folder.write(&files)?;
        let (node, sequencer) = (subject.storage.total, subject.sequencer.total);
        let flip_flops = FlipFlops {
            node,
            sequencer: Some(sequencer),
        };
        let form = Formula::from(subject.bit_times.clone());
        let mut facts = of.facts.clone();
        facts.extend([
            ("bit_times_formula", value(&form)),
            ("flip_flops", value(&flip_flops)),
        ]);
        let depth = Depth::from(&subject.depth);
        Ok(Project {
            bench: of.identity.name,
            choice: of.choice,
            dims: topology.dims(),
            nodes: topology.nodes(),
            facts,
            logic_depth: depth,
            ports: vec![
                ("host_writes", value(&ports(&design.host_writes))),
                ("host_reads", value(&ports(&design.host_reads))),
            ],
            folder: self.shown.display().to_string(),
            files: names,
            kept_view: kept.map(|path| path.display().to_string()),
            commands: subject.commands(),
            meta: of.origin.meta.clone(),
            lines: of_sequencer([node, sequencer], depth, &form),
        })
    }
}

/// A view of the dump that the Verilog will write: the signals of `nodes`, and when each step begins.
fn view(device: &dyn Device, nodes: Vec<usize>, names: &FileNames) -> Result<View, Error> {
    let mut machine = device.build(1)?;
    let window = 0..device.bit_times().value + 1;
    let probe = |machine: &dyn Lockstep, nodes| {
        let window = window.clone();
        let trace = VcdTrace::new(io::sink(), &Provenance::default())?;
        Probe::attach(trace, &machine, Selection { nodes, window })
    };
    let unwritable = unwritable(DUMP.as_ref());
    let signals = probe(&*machine, nodes)
        .and_then(Probe::finish)
        .map_err(&unwritable)?;
    // Steps are the sequencer's, so no node is looked at while they pass.
    let mut steps = probe(&*machine, Vec::new()).map_err(&unwritable)?;
    loop {
        interrupt::check()?;
        machine.transmit()?;
        steps.sample(&&*machine).map_err(&unwritable)?;
        if machine.is_done() {
            break;
        }
        machine.clock();
    }
    let steps = steps.finish().map_err(unwritable)?;
    // Nodes have names in waves, and numbers in Verilog.
    let topology = device.topology();
    let mut signals = signals;
    let all = signals.signals.iter_mut();
    for scope in all.filter_map(|signal| signal.scopes.get_mut(1)) {
        let name = scope.strip_prefix("node_");
        if let Some(node) = name.and_then(|name| topology.node_named(name)) {
            *scope = format!("node_{node}");
        }
    }
    let recording = Recording {
        signals: signals.signals,
        titles: signals.titles,
        ..steps
    };
    let links = match topology.as_hypercube() {
        Some(_) => Links::Numbered,
        None => Links::Named,
    };
    Ok(gtkwave::view_of_verilog(DUMP, names, &recording, links))
}
