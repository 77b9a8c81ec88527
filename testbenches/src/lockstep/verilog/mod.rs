//! A testbench as a Verilog project: the router's own description written down, with a testbench in
//! Verilog that loads the same traffic and expects what the traffic says.
//!
//! ```text
//!   tb.v  --traffic.hex-->  cube.v ( sequencer.v, node.v x 2^k )  --> against expected.hex
//! ```
//!
//! On a network that is no hypercube, the module in the place of `cube`, and its file, are called as the network calls its
//! machine.

mod outcome;
mod readme;
mod stimulus;
mod testbench;

use std::iter::once;

use rtl_model::machine::device::Device;
use rtl_model::machine::simulation::Lockstep;
use waves::gtkwave::{self, FileNames, Links, View};
use waves::probe::{Recording, Selection};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::interrupt;
use crate::lockstep::parameters::DIMS;
use crate::testbench::bench::{Job, with_traffic};
use crate::verilog::contents::{Contents, Hardware, Memory};
use crate::verilog::limits::check_ports;
use crate::verilog::rounds::{FIRST_ROUND, of_rounds};
use crate::verilog::testbench::joined;
use crate::verilog::view::by_numbers;
use crate::verilog::{Begun, DUMP, Project, hex};
use crate::wave::Tracing;

/// Why a machine promises nothing.
const WHY_NONE: &str = "no units of its nodes share a wire, and what hosts read is computed from what they loaded, in a way that nobody has \
                        said in a form that tools prove";

/// Writes a project of a job in lockstep that has no more nodes than
/// [are written](crate::verilog::limits::check_nodes).
///
/// # Errors
/// More rounds than are run; files that cannot be used; a port that Verilog tools need not take; a folder that cannot be written after
/// all; [`Error::Interrupted`].
pub(crate) fn write(mut begun: Begun<'_>, job: Box<dyn Job>) -> Result<Project, Error> {
    let project = &begun.chosen.bench().project;
    let relies_on = job.relies_on();
    let mut stimulus = with_traffic(job)?;
    stimulus.foresee()?;
    let device = stimulus.device();
    let topology = device.topology();
    let (mut later, mut rounds) = (Vec::new(), vec![FIRST_ROUND.to_owned()]);
    for round in 2..=begun.options.rounds(topology.nodes())? {
        let (stimulus, name) = stimulus.later(round)?;
        later.push(stimulus);
        rounds.push(name);
    }
    let hardware = Hardware::of_device(device, &begun.title())?;
    let design = &hardware.design;
    check_ports(design, &*topology)?;
    if design.host_writes.is_empty() || design.host_reads.is_empty() {
        let bench = begun.identity.name;
        return Err(Refusal::of(format!("testbench {bench} cannot be exported"))
            .because("its router has no port for the host, so nothing could be tested")
            .into());
    }
    let properties = begun.properties(WHY_NONE, |title| match device.properties(title) {
        Some(text) => Ok(Some(text)),
        None => Ok(device.properties_of(&outcome::stated(&*stimulus, design)?, title)),
    })?;
    let (mut traffic, mut expected) = (Vec::new(), Vec::new());
    for stimulus in once(&*stimulus).chain(later.iter().map(|later| &**later)) {
        interrupt::check()?;
        let mut machine = device.build(1)?;
        stimulus.load(&mut *machine, &mut |_| Ok(()))?;
        traffic.push(hex::written(&mut *machine, None));
        expected.push(stimulus::expected(&*machine, &*stimulus.expected()));
    }
    let words = |ports: &[(String, usize)], words: &str| {
        let bits: usize = ports.iter().map(|(_, width)| width).sum();
        [(bits - 1).to_string(), format!("{words}ROUNDS*NODES-1")]
    };
    let memories = vec![
        Memory {
            name: "traffic",
            holds: format!(
                "what nodes are loaded with, a line a node, round by round: {}",
                joined(&design.host_writes)
            ),
            last: words(&design.host_writes, ""),
            contents: of_rounds(&rounds, traffic),
        },
        Memory {
            name: "expected",
            holds: format!(
                "what nodes are to hold, a line a node, round by round: {}, then which of these bits matter",
                joined(&design.host_reads)
            ),
            last: words(&design.host_reads, "2*"),
            contents: of_rounds(&rounds, expected),
        },
    ];
    let view_files = begun.view_files(true);
    let view = view(device, stimulus.interesting(), &view_files)?;
    let mut facts = stimulus.facts();
    // What is chosen, and the size, a project tells by itself.
    facts.retain(|(name, _)| ![project.choice, DIMS.name].contains(name));
    let contents = Contents {
        testbench: testbench::of(&hardware, rounds.len()),
        readme: readme::of(&*topology, design, relies_on),
        traffic_file: stimulus.traffic_file(),
        properties,
        view: Some((view_files, view)),
        facts,
        rounds,
        memories,
        hardware,
    };
    begun.write(contents)
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
