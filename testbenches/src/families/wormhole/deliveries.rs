//! Deliveries as CSV, a row a message: `node,source,payload,bit_time` as of every testbench (`bit_time` is how many had passed
//! when the node had the message), then the bit times in which it was created, in which its first bit was sent and its head and
//! its tail arrived, and the nodes that it went through.

use rtl_model::language::lanes::Lanes;

use crate::deliveries::{hexadecimal, write_rows};
use crate::error::Error;
use crate::families::wormhole::engine::Engine;
use crate::output::Staged;

const HEADER: [&str; 9] = [
    "node",
    "source",
    "payload",
    "bit_time",
    "created",
    "injected",
    "head_arrived",
    "tail_arrived",
    "path",
];

/// Writes a row for each message that has arrived, in order of arrival. A path is node
/// numbers with `>` between; of a message in pieces, those of its pieces, with `|` between.
///
/// # Errors
/// [`Error::Unwritable`].
pub fn write<B: Lanes>(output: Staged, engine: &Engine<B>) -> Result<(), Error> {
    let mut arrived: Vec<(u64, usize)> = (0..engine.messages.len())
        .filter_map(|number| Some((engine.delivery(number).tail_arrived?, number)))
        .collect();
    arrived.sort_unstable();
    write_rows(output, |writer| {
        writer.write_record(HEADER)?;
        for (tail_arrived, number) in arrived {
            let (message, delivery) = (&engine.messages[number], engine.delivery(number));
            let bit_time = |time: Option<u64>| time.map_or(String::new(), |time| time.to_string());
            let paths: Vec<String> = engine
                .worms_of(number)
                .map(|worm| {
                    let nodes = engine.tracker.path(worm).iter().map(usize::to_string);
                    nodes.collect::<Vec<_>>().join(">")
                })
                .collect();
            writer.write_record([
                message.destination.to_string(),
                message.source.to_string(),
                hexadecimal(&message.bits),
                (tail_arrived + 1).to_string(),
                message.created.to_string(),
                bit_time(delivery.injected),
                bit_time(delivery.head_arrived),
                tail_arrived.to_string(),
                paths.join("|"),
            ])?;
        }
        Ok(())
    })
}
