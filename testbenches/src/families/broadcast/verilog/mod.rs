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
mod properties;
mod readme;
mod stimulus;
mod testbench;

use ::hosts::ports::engine::Engine;
use ::hosts::ports::message::Message;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::node::SUPPLY;

use crate::error::Error;
use crate::families::broadcast::entries;
use crate::families::broadcast::job::Job;
use crate::interrupt;
use crate::verilog::contents::{Contents, Hardware, Memory};
use crate::verilog::limits::{WIDEST_VECTOR, check_nodes, refuse};
use crate::verilog::rounds::{FIRST_ROUND, of_rounds};
use crate::verilog::testbench::joined;
use crate::verilog::{Begun, Project, hex};

/// The most flip-flops of all nodes together.
pub const MOST_FLIP_FLOPS: usize = 1 << 20;
/// The most bit times of a round.
pub const MOST_BIT_TIMES: u64 = 1 << 20;

/// Refuses what would be unreasonably large. No port of the machine can be too wide for Verilog tools: the widest has a bit for
/// each of 10 dimensions, or 20 of a number, of 1,024 nodes.
fn check(broadcast: &Broadcast, storage: usize) -> Result<(), Error> {
    let (nodes, bits) = (
        broadcast.cube.nodes(),
        broadcast.packets * broadcast.packet_bits,
    );
    refuse(
        bits > WIDEST_VECTOR,
        "this message",
        format!(
            "its packets have {bits} bits together, which its testbench holds in a vector, and Verilog tools need not take \
             more than {WIDEST_VECTOR}"
        ),
        "use fewer --message-bits",
    )?;
    refuse(
        nodes * storage > MOST_FLIP_FLOPS,
        "these packets",
        format!(
            "{nodes} nodes of {storage} flip-flops have {}, and {MOST_FLIP_FLOPS} are the most",
            nodes * storage
        ),
        "use fewer --dims or fewer --packet-bits",
    )?;
    let bit_times = broadcast.bit_times().value;
    refuse(
        bit_times > MOST_BIT_TIMES,
        "this broadcast",
        format!(
            "it takes {bit_times} bit times, and with a Verilog simulator {MOST_BIT_TIMES} are the most"
        ),
        "use fewer --message-bits, a shorter --start-up or other --packet-bits",
    )
}

/// Writes the project of a job.
///
/// # Errors
/// A project that would be unreasonably large; more rounds than are run; a folder that cannot be written after all.
pub(super) fn write(job: &Job, mut begun: Begun<'_>) -> Result<Project, Error> {
    let (asked, machine, seed) = (&job.asked, &job.machine, job.chosen.seed());
    let broadcast = &asked.broadcast;
    let device = machine.as_device();
    check_nodes(&broadcast.cube)?;
    let amount = begun.options.rounds(broadcast.cube.nodes())?;
    check(broadcast, device.storage_bits().value as usize)?;
    let (mut rounds, mut messages) = (vec![FIRST_ROUND.to_owned()], vec![job.message()]);
    for round in 2..=amount {
        let (name, message) = stimulus::later(round, asked, seed);
        rounds.push(name);
        messages.push(message);
    }
    interrupt::check()?;
    begun.of_choice = format!(", {}", broadcast.algorithm.models());
    let hardware = Hardware::of_device(device, &begun.title())?;
    let lines = |of: fn(&Message) -> String| of_rounds(&rounds, messages.iter().map(of).collect());
    let last = |bit: &str, word: &str| [bit, word].map(str::to_owned);
    let mut memories = vec![Memory {
        name: "traffic",
        holds: "the message of the source, a line a round, its first bit lowest".to_owned(),
        last: last("BITS-1", "ROUNDS-1"),
        contents: lines(stimulus::traffic),
    }];
    let configuration = configuration(&hardware);
    if !configuration.is_empty() {
        let mut machine = configured(job)?;
        let width: usize = configuration.iter().map(|(_, width)| width).sum();
        memories.push(Memory {
            name: "configuration",
            holds: format!(
                "the place of each node in the tree, a line a node: {}",
                joined(&configuration)
            ),
            last: last(&(width - 1).to_string(), "NODES-1"),
            // What hosts supply is the message's, and not the node's.
            contents: hex::written(&mut *machine, Some(SUPPLY)),
        });
    }
    // What is stated of it is more than nothing.
    let properties = begun.properties("", |title| {
        let stated = properties::stated(job, &hardware)?;
        Ok(device.properties_of(&stated, title))
    })?;
    memories.push(Memory {
        name: "expected",
        holds: format!(
            "what all other nodes are to have, a line a round: {} packets of {} bits",
            broadcast.packets, broadcast.packet_bits
        ),
        last: last("BITS-1", "ROUNDS-1"),
        contents: lines(stimulus::expected),
    });
    let contents = Contents {
        facts: vec![
            entries::PORTS.is(&broadcast.ports.name()),
            entries::SOURCE.is(&broadcast.source),
            entries::MESSAGE_BITS.is(&asked.message_bits),
            entries::PACKET_BITS.is(&broadcast.packet_bits),
            entries::PACKETS.is(&broadcast.packets),
            entries::START_UP.is(&broadcast.start_up),
        ],
        testbench: testbench::of(job, &hardware, rounds.len()),
        readme: readme::of(job, !configuration.is_empty()),
        properties,
        traffic_file: stimulus::values_file(broadcast.source, &messages[0]),
        view: None,
        rounds,
        memories,
        hardware,
    };
    begun.write(contents)
}

/// The machine of a job, whose nodes know their places.
///
/// # Errors
/// One that does not fit into memory.
fn configured(job: &Job) -> Result<Box<dyn Lockstep>, Error> {
    Ok(Engine::of(job.machine.clone(), job.message())?.machine)
}

/// Ports by which nodes are told their places in a tree, if no closed rule gives them: what hosts write beside the first bits.
fn configuration(hardware: &Hardware) -> Vec<(String, usize)> {
    let ports = hardware.design.host_writes.iter();
    let ports = ports.filter(|(name, _)| name != "load_supply");
    ports.cloned().collect()
}
