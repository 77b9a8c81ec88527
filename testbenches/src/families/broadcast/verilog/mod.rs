//! A broadcast as a Verilog project: the nodes, the sequencer and the cube written down, and a testbench whose hosts supply the
//! message at the source and take it everywhere else.
//!
//! ```text
//!   tb.v ( hosts )  <--host_*-->  cube.v ( sequencer.v, node.v x 2^n )
//!    ^  ^ traffic.hex: the source's message
//!    |  +-- expected.hex: what all others are to have
//!    +-- configuration.hex: what nodes hold of a tree that no closed rule gives
//! ```

mod hosts;
mod readme;
mod stimulus;
mod testbench;

use ::hosts::ports::engine::Engine;
use ::hosts::ports::message::Message;
use rtl_model::circuit::depth::LogicDepth;
use rtl_model::machine::meter::Storage;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::node::SUPPLY;

use crate::error::Error;
use crate::families::broadcast::BENCH;
use crate::families::broadcast::entries;
use crate::families::broadcast::job::{Asked, Job};
use crate::interrupt;
use crate::report::value;
use crate::verilog::rounds::{FIRST_ROUND, of_rounds};
use crate::verilog::{Begun, OfMachine, Project, WIDEST_VECTOR, hex, ports, unreasonable};

/// The largest cube that is written.
pub const MOST_DIMENSIONS: usize = 10;
/// The most flip-flops of all nodes together.
pub const MOST_FLIP_FLOPS: usize = 1 << 20;
/// The most bit times of a round.
pub const MOST_BIT_TIMES: u64 = 1 << 20;

/// The modules of the machine.
const FILES: [&str; 3] = ["node.v", "sequencer.v", "cube.v"];

/// A round of the testbench.
struct Round {
    /// What it sends, for people.
    name: String,
    message: Message,
}

/// What the texts of a project speak of.
struct Subject<'a> {
    machine: &'a PortMachine,
    message_bits: usize,
    /// The head of its files, and the command that makes the machine again.
    title: &'a str,
    command: &'a str,
    /// What each round sends.
    rounds: &'a [String],
    storage: Storage,
    sequencer: Storage,
    depth: LogicDepth,
}

impl Subject<'_> {
    fn broadcast(&self) -> &Broadcast {
        self.machine.broadcast()
    }

    /// Whether nodes are configured by their hosts before bit time 0.
    fn is_configured(&self) -> bool {
        self.machine.places().is_some()
    }
}

/// Refuses what would be unreasonably large. No port of the machine can be too wide for Verilog tools: the widest has a bit for
/// each of 10 dimensions, or 20 of a number, of 1,024 nodes.
fn check(asked: &Asked, storage: usize) -> Result<(), Error> {
    let broadcast = &asked.broadcast;
    let (nodes, bits) = (
        broadcast.cube.nodes(),
        broadcast.packets * broadcast.packet_bits,
    );
    if bits > WIDEST_VECTOR {
        return Err(unreasonable("this message")
            .because(format!(
                "its packets have {bits} bits together, which its testbench holds in a vector, and Verilog tools need not take \
                 more than {WIDEST_VECTOR}"
            ))
            .instead("use fewer --message-bits")
            .into());
    }
    if nodes * storage > MOST_FLIP_FLOPS {
        return Err(unreasonable("these packets")
            .because(format!(
                "{nodes} nodes of {storage} flip-flops have {}, and {MOST_FLIP_FLOPS} are the most",
                nodes * storage
            ))
            .instead("use fewer --dims or fewer --packet-bits (`cubewave run` goes further)")
            .into());
    }
    let bit_times = broadcast.bit_times().value;
    match bit_times > MOST_BIT_TIMES {
        true => Err(unreasonable("this broadcast")
            .because(format!(
                "it takes {bit_times} bit times, and with a Verilog simulator {MOST_BIT_TIMES} are the most"
            ))
            .instead(
                "use fewer --message-bits, a shorter --start-up or other --packet-bits (`cubewave run` goes further)",
            )
            .into()),
        false => Ok(()),
    }
}

/// Writes the project of a job.
///
/// # Errors
/// A project that would be unreasonably large; more rounds than are run; a folder that cannot be written after all.
pub(super) fn write(job: &Job, begun: Begun<'_>) -> Result<Project, Error> {
    let (asked, machine, seed) = (&job.asked, &job.machine, job.chosen.seed());
    let broadcast = &asked.broadcast;
    let (dimensions, nodes) = (broadcast.cube.count(), broadcast.cube.nodes());
    if dimensions > MOST_DIMENSIONS {
        return Err(unreasonable(format_args!("{dimensions} dimensions"))
            .because(format!(
                "its testbench has a host for each of the {nodes} nodes, and a Verilog simulator builds every node from its gates"
            ))
            .instead(format!(
                "choose 1 to {MOST_DIMENSIONS} dimensions (`cubewave run` goes further)"
            ))
            .into());
    }
    let amount = begun.options.rounds(nodes)?;
    let device = machine.as_device();
    check(asked, device.storage_bits().value as usize)?;
    let mut rounds = vec![Round {
        name: FIRST_ROUND.to_owned(),
        message: job.message(),
    }];
    rounds.extend((2..=amount).map(|round| stimulus::later(round, asked, seed)));
    interrupt::check()?;
    let names: Vec<String> = rounds.iter().map(|round| round.name.clone()).collect();
    let trees = format!(", {}", broadcast.algorithm.models());
    let title = begun.title(&trees, &begun.command);
    let subject = Subject {
        machine,
        message_bits: asked.message_bits,
        title: &title,
        command: &begun.command,
        rounds: &names,
        storage: device.storage(),
        sequencer: device.sequencer_storage(),
        depth: device.logic_depth()?,
    };
    let design = device.design(subject.title);
    let first_round = BENCH.first_round();
    let tb_title = begun.title(&trees, &begun.of_rounds(amount));
    let lines = |of: fn(&Message) -> String| {
        of_rounds(&rounds, |round| &round.name, |round| of(&round.message))
    };
    let message = &rounds[0].message;
    let mut files = vec![
        ("README.md", readme::text(&subject, &design)),
        ("node.v", design.node.clone()),
        ("sequencer.v", design.sequencer.clone()),
        ("cube.v", design.cube.clone()),
        ("tb.v", testbench::text(&subject, &design, &tb_title)),
        (
            first_round.file,
            stimulus::values_file(broadcast.source, message),
        ),
        ("traffic.hex", lines(stimulus::traffic)),
        ("expected.hex", lines(stimulus::expected)),
        begun.meta_file(),
    ];
    if subject.is_configured() {
        let mut machine = Engine::of(machine.clone(), message.clone())?.machine;
        // What hosts supply is the message's, and not the node's.
        files.push((
            "configuration.hex",
            hex::written(&mut *machine, Some(SUPPLY)),
        ));
    }
    let facts = vec![
        entries::PORTS.is(&broadcast.ports.name()),
        entries::SOURCE.is(&broadcast.source),
        entries::MESSAGE_BITS.is(&asked.message_bits),
        entries::PACKET_BITS.is(&broadcast.packet_bits),
        entries::PACKETS.is(&broadcast.packets),
        entries::START_UP.is(&broadcast.start_up),
    ];
    let ports = vec![
        ("host_writes", value(&ports(&design.host_writes))),
        ("from_host", value(&ports(&design.from_host))),
        ("to_host", value(&ports(&design.to_host))),
    ];
    let machine = OfMachine::of_device(device, &subject.depth, (facts, ports), &FILES);
    begun.write(&files, machine)
}
