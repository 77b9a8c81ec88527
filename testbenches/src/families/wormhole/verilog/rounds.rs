//! What the rounds of a wormhole testbench send after the first one, which is as asked for, and when the last worm of
//! each arrives.

use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::structured::Routing;
use rtl_model::traffic::{Nodes, Traffic};

use crate::error::Error;
use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::message::Message;
use crate::families::wormhole::traffic;
use crate::interrupt;

/// In this order, then again with other draws: a pattern, the structured routing that takes its place where addresses are
/// bits, and the share of nodes that send. Worms meet in arbiters where several are for one node.
const LATER: [(Pattern, Option<Routing>, f64); 6] = [
    (Pattern::Uniform, None, 1.0),
    (Pattern::Tornado, Some(Routing::Opposites), 1.0),
    (Pattern::Randperm, None, 0.5),
    (Pattern::Randperm, Some(Routing::Affine), 1.0),
    (Pattern::Uniform, None, 0.6),
    (Pattern::Uniform, Some(Routing::BitPermutation), 0.8),
];

/// Round `round`, 2 or more, of a machine and messages of so many bits, drawn from the seed: what it sends, for people, a message of each sender,
/// and the bit times until the last one has arrived. In a machine whose worms
/// can wait for each other in a circle, so few send that they do not.
pub(super) fn later(
    round: usize,
    machine: &WormholeMachine,
    message_bits: usize,
    seed: u64,
) -> Result<(String, Vec<Message>, u64), Error> {
    let (pattern, routing, mut load) = LATER[round.saturating_sub(2) % LATER.len()];
    let seed = seed.wrapping_add(round as u64);
    let nodes = Nodes::new(machine.network().nodes())?;
    let routing = routing.zip(nodes.dimensions());
    loop {
        let traffic = match routing {
            Some((routing, dimensions)) => {
                let messages = routing.messages(dimensions, load, seed)?;
                Traffic::new(nodes, message_bits, messages, seed)?
            }
            None => Traffic::drawn(nodes, message_bits, pattern, load, seed)?,
        };
        let messages = traffic::messages_of(&traffic);
        if let Some(bit_times) = simulated(machine, &messages)? {
            let name = routing.map_or(pattern.name(), |(routing, _)| routing.name());
            let name = format!("{name}, load {load}, seed {seed}");
            return Ok((name, messages, bit_times));
        }
        load /= 2.0;
    }
}

/// Until all have arrived; none if some never do.
fn simulated(machine: &WormholeMachine, messages: &[Message]) -> Result<Option<u64>, Error> {
    let mut engine = Engine::<u64>::new(machine.clone(), 1)?;
    for message in messages {
        engine.send(0, message.clone());
    }
    let patience = machine.plan().arbitration_period();
    while engine.in_flight() > 0 {
        if engine.quiet() > patience {
            return Ok(None);
        }
        interrupt::check()?;
        engine.tick(|_| Ok::<(), Error>(()))?;
    }
    Ok(Some(engine.fabric.bit_time()))
}
