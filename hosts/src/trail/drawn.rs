//! A picture of what was watched.

use waves::picture::run::{Change, Counted, Run};

use crate::trail::at_nodes::AtNodes;
use crate::trail::watch::Watch;

/// A run with the routes of all its messages, which were watched; and with how many of their bits are at nodes, and on how many
/// wires of each link they cross.
pub fn drawn(run: Run, watches: impl Iterator<Item = Watch>) -> Run {
    let mut bits = AtNodes::new(run.nodes.len(), run.bit_times);
    let mut run = Run {
        messages: Vec::new(),
        ..run
    };
    let mut crossings: Vec<Vec<(u32, i64)>> = vec![Vec::new(); run.links.len()];
    for watch in watches {
        bits.iter_mut().for_each(|bits| bits.add(&watch));
        let trail = watch.finish();
        for hop in &trail.hops {
            let (from, to) = (hop.times.start as u32, hop.times.end as u32);
            crossings[hop.link].extend([(from, 1), (to, -1)]);
        }
        run.messages.push(trail.drawn(run.bit_times));
    }
    if run.messages.is_empty() {
        return run;
    }
    for (link, crossings) in run.links.iter_mut().zip(crossings) {
        link.used = Change::counted(crossings);
    }
    run.links_carry_messages = true;
    if let Some(bits) = bits {
        let (there, arrived) = bits.finish();
        run.occupancy = there;
        run.counted = Counted::PacketBits;
        run.numbers.extend(arrived);
    }
    run
}
