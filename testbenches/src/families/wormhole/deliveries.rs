//! Deliveries as CSV, a row a message: `node,source,payload,bit_time` as of every testbench (`bit_time` is how many had passed
//! when the node had the message), then the bit times in which it was created, in which its first bit was sent and its head and
//! its tail arrived, the nodes that it went through, its number in the traffic, and its bits. Times that there are not, of a
//! message that did not arrive, are left empty. So a file has all messages of a run, and is traffic again.

use hosts::deliveries::hexadecimal;
use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::topology::Topology as _;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::wormhole::engine::Engine;
use crate::log::Logged;
use crate::output::Staged;

const HEADER: [&str; 11] = [
    "node",
    "source",
    "payload",
    "bit_time",
    "created",
    "injected",
    "head_arrived",
    "tail_arrived",
    "path",
    "message",
    "bits",
];

/// Writes a row for each message: in order of arrival, then those that have not arrived, in the order of the traffic. A path
/// is node numbers with `>` between; where a message may go in pieces, that of each copy's, with `|`
/// between and nothing where no piece went.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write<B: WormLanes>(output: Staged, engine: &Engine<B>) -> Result<(), Error> {
    let mut all: Vec<(u64, usize)> = (0..engine.messages.len())
        .map(|number| {
            let tail_arrived = engine.delivery(number).tail_arrived;
            (tail_arrived.unwrap_or(u64::MAX), number)
        })
        .collect();
    all.sort_unstable();
    write_rows(output, |writer| {
        writer.write_record(HEADER)?;
        for (_, number) in all {
            let (message, delivery) = (&engine.messages[number], engine.delivery(number));
            let bit_time = |time: Option<u64>| time.map_or(String::new(), |time| time.to_string());
            // By switch: nothing where no piece went.
            let mut paths = vec![String::new(); engine.fabric.router().network().switches()];
            for worm in engine.worms_of(number) {
                let nodes = engine.tracker.path(worm).iter().map(usize::to_string);
                paths[engine.worms[worm].switch] = nodes.collect::<Vec<_>>().join(">");
            }
            writer.write_record([
                message.destination.to_string(),
                message.source.to_string(),
                hexadecimal(&message.bits),
                bit_time(delivery.tail_arrived.map(|tail| tail + 1)),
                message.created.to_string(),
                bit_time(delivery.injected),
                bit_time(delivery.head_arrived),
                bit_time(delivery.tail_arrived),
                paths.join("|"),
                number.to_string(),
                message.bits.len().to_string(),
            ])?;
        }
        Ok(())
    })
}

/// All messages as a log has them, a row a message, or a piece of one, in the order of the traffic. When bits of a worm cross each link
/// nobody keeps.
pub fn logged<B: WormLanes>(engine: &Engine<B>) -> impl Iterator<Item = Logged> {
    let topology = engine.fabric.topology();
    let all = (0..engine.messages.len()).flat_map(|number| {
        let worms = engine.worms_of(number);
        worms.map(move |worm| (number, worm))
    });
    all.map(move |(number, worm)| {
        let (message, delivery) = (&engine.messages[number], &engine.deliveries[worm]);
        let [source, destination] =
            [message.source, message.destination].map(|node| topology.node_name(node));
        let nodes = engine.tracker.path(worm).iter();
        let nodes: Vec<String> = nodes.map(|node| topology.node_name(*node)).collect();
        let hops = nodes
            .windows(2)
            .map(|pair| ([pair[0].clone(), pair[1].clone()], None));
        Logged {
            message: format!("{source}->{destination}"),
            created: message.created,
            injected: delivery.injected,
            arrived: delivery.tail_arrived.map(|tail| tail + 1),
            hops: hops.collect(),
            source,
            destination: Some(destination),
        }
    })
}
