//! A testbench as a Verilog project: the router's own description written down, with a testbench in
//! Verilog that loads the same traffic and expects what the traffic says.
//!
//! ```text
//!   tb.v  --traffic.hex-->  cube.v ( sequencer.v, node.v x 2^k )  --> against expected.hex
//! ```
//!
//! On a network that is no hypercube, the module in the place of `cube`, and its file, are called as the network calls its
//! machine.

mod limits;
mod readme;
mod stimulus;
mod testbench;

use std::iter::once;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::device::Device;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use waves::gtkwave::{self, FileNames, Links, View};
use waves::probe::{Recording, Selection};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::interrupt;
use crate::lockstep::parameters::DIMS;
pub(crate) use crate::lockstep::verilog::limits::check_nodes;
use crate::lockstep::verilog::limits::check_ports;
pub use crate::lockstep::verilog::limits::{MOST_DIMENSIONS, MOST_NODES};
use crate::report::value;
use crate::testbench::bench::{Job, with_traffic};
use crate::verilog::rounds::{FIRST_ROUND, round_head};
use crate::verilog::view::by_numbers;
use crate::verilog::{Begun, DUMP, FirstRound, OfMachine, Project, commands, hex, ports};
use crate::wave::Tracing;

/// What the texts of a project speak of.
struct Subject<'a> {
    bench: &'static str,
    /// The head of its files.
    title: &'a str,
    /// As the project has [it](Begun).
    again: &'a str,
    /// How the first round is asked for again.
    first_round: FirstRound,
    seed: Option<u64>,
    /// What the router relies on and cannot see.
    relies_on: Option<&'static str>,
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

/// Writes a project of a job in lockstep that has no more nodes than [are written](check_nodes).
///
/// # Errors
/// More rounds than are run; files that cannot be used; a port that Verilog tools need not take; a folder that cannot be written after
/// all; [`Error::Interrupted`].
pub(crate) fn write(mut begun: Begun<'_>, job: Box<dyn Job>) -> Result<Project, Error> {
    let bench = begun.chosen.bench();
    let relies_on = job.relies_on();
    let mut stimulus = with_traffic(job)?;
    stimulus.foresee()?;
    let device = stimulus.device();
    let topology = device.topology();
    let view_files = begun.view_files(true);
    let (mut later, mut rounds) = (Vec::new(), vec![FIRST_ROUND.to_owned()]);
    for round in 2..=begun.options.rounds(topology.nodes())? {
        let (stimulus, name) = stimulus.later(round)?;
        later.push(stimulus);
        rounds.push(name);
    }
    let title = begun.title("", &begun.command);
    let subject = Subject {
        bench: bench.name,
        title: &title,
        again: &begun.again,
        first_round: bench.first_round(),
        seed: begun.seed(),
        relies_on,
        view: &view_files,
        topology: &*topology,
        rounds: &rounds,
        bit_times: device.bit_times(),
        storage: device.storage(),
        sequencer: device.sequencer_storage(),
        depth: device.logic_depth()?,
    };
    let design = device.design(subject.title);
    check_ports(&design, &*topology)?;
    if design.host_writes.is_empty() || design.host_reads.is_empty() {
        return Err(
            Refusal::of(format!("testbench {} cannot be exported", bench.name))
                .because("its router has no port for the host, so nothing could be tested")
                .into(),
        );
    }
    let (mut traffic, mut expected) = (String::new(), String::new());
    let all = once(&*stimulus).chain(later.iter().map(|later| &**later));
    for (number, (name, stimulus)) in rounds.iter().zip(all).enumerate() {
        interrupt::check()?;
        let head = round_head((number + 1, rounds.len()), name);
        let mut machine = device.build(1)?;
        stimulus.load(&mut *machine, &mut |_| Ok(()))?;
        traffic += &(head.clone() + &hex::written(&mut *machine, None));
        expected += &(head + &stimulus::expected(&*machine, &*stimulus.expected()));
    }
    let tb_title = begun.title("", &begun.of_rounds(rounds.len()));
    let view = view(device, stimulus.interesting(), &view_files)?;
    let machine_file = subject.machine_file();
    let machine_files = ["node.v", "sequencer.v", &machine_file];
    let files = [
        ("README.md", readme::text(&subject, &design)),
        ("node.v", design.node.clone()),
        ("sequencer.v", design.sequencer.clone()),
        (&machine_file, design.cube.clone()),
        ("tb.v", testbench::text(&subject, &design, &tb_title)),
        (subject.first_round.file, stimulus.traffic_file()),
        ("traffic.hex", traffic),
        ("expected.hex", expected),
        begun.meta_file(),
        (&view_files.save, view.save),
        (&view_files.step_filter, view.step_filter),
        (&view_files.surfer, view.surfer),
    ];
    let mut facts = stimulus.facts();
    // What is chosen, and the size, a project tells by itself.
    facts.retain(|(name, _)| ![bench.project.choice, DIMS.name].contains(name));
    let ports = vec![
        ("host_writes", value(&ports(&design.host_writes))),
        ("host_reads", value(&ports(&design.host_reads))),
    ];
    let machine = OfMachine::of_device(device, &subject.depth, (facts, ports), &machine_files);
    begun.write(&files, machine)
}

/// A view of the dump that the Verilog will write: the signals of `nodes`, and when each step begins.
fn view(device: &dyn Device, nodes: Vec<usize>, names: &FileNames) -> Result<View, Error> {
    let mut machine = device.build(1)?;
    let window = 0..device.bit_times().value + 1;
    let probe = |machine: &dyn Lockstep, nodes| {
        let window = window.clone();
        Tracing::unkept(DUMP, &machine, Selection { nodes, window })
    };
    let signals = probe(&*machine, nodes)?.finish()?;
    // Steps are the sequencer's, so no node is looked at while they pass.
    let mut steps = probe(&*machine, Vec::new())?;
    loop {
        interrupt::check()?;
        machine.transmit()?;
        steps.sample(&&*machine)?;
        if machine.is_done() {
            break;
        }
        machine.clock();
    }
    let topology = device.topology();
    let mut recording = Recording {
        signals: signals.signals,
        titles: signals.titles,
        ..steps.finish()?
    };
    by_numbers(&mut recording, &*topology);
    let links = match topology.as_hypercube() {
        Some(_) => Links::Numbered,
        None => Links::Named,
    };
    Ok(gtkwave::view_of_verilog(DUMP, names, &recording, links))
}
