//! A picture of what was watched.

use rayon::prelude::*;
use waves::picture::run::{Change, Counted, Run};

use crate::trail::Trail;
use crate::trail::at_nodes::AtNodes;
use crate::trail::watch::Watch;

/// A run with the routes of all its messages, which were watched; and with how many of their bits are at nodes, and on how many
/// wires of each link they cross.
pub fn drawn(run: Run, watches: impl Iterator<Item = Watch>) -> Run {
    let mut bits = AtNodes::new(run.nodes.len(), run.bit_times);
    let watches: Vec<Watch> = watches.collect();
    if let Some(bits) = &mut bits {
        watches.iter().for_each(|watch| bits.add(watch));
    }
    // One message after the other, on all threads.
    let trails: Vec<Trail> = watches.into_par_iter().map(Watch::finish).collect();
    let messages = trails.par_iter().map(|trail| trail.drawn(run.bit_times));
    let mut run = Run {
        messages: messages.collect(),
        ..run
    };
    if run.messages.is_empty() {
        return run;
    }
    let mut crossings: Vec<Vec<(u32, i64)>> = vec![Vec::new(); run.links.len()];
    for hop in trails.iter().flat_map(|trail| &trail.hops) {
        let (from, to) = (hop.times.start as u32, hop.times.end as u32);
        crossings[hop.link].extend([(from, 1), (to, -1)]);
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
