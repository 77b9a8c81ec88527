//! What nodes hold in order to send it on.

use std::collections::BTreeMap;

use super::violation::Violation;
use super::{Send, WaveSend};

/// A packet of a wave at a node: the node, the packet, the wave.
type Instance = (usize, usize, usize);

/// The most packets that a node other than the source holds in a step in order to forward them.
pub(super) fn peak(source: usize, sends: &[WaveSend]) -> usize {
    let arrivals = arrivals(sends);
    let mut last_sent: BTreeMap<Instance, usize> = BTreeMap::new();
    for it in sends {
        let last = last_sent.entry(sender(it)).or_default();
        *last = it.send.step.max(*last);
    }
    let mut held: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (instance, last) in last_sent {
        if instance.0 == source {
            continue;
        }
        if let Some(&arrival) = arrivals.get(&instance) {
            for step in arrival..=last {
                *held.entry((instance.0, step)).or_default() += 1;
            }
        }
    }
    held.into_values().max().unwrap_or(0)
}

/// Checks that a node sends as part of a wave only what it has received as part of that wave, in an
/// earlier step.
pub(super) fn waves_hold(source: usize, sends: &[WaveSend]) -> Result<(), Violation> {
    let arrivals = arrivals(sends);
    for it in sends {
        let Send {
            step,
            from: node,
            packet,
            ..
        } = it.send;
        let arrival = arrivals.get(&sender(it));
        if node != source && arrival.is_none_or(|arrival| *arrival >= step) {
            let wave = it.wave;
            return Err(Violation::NotInWave {
                step,
                node,
                packet,
                wave,
            });
        }
    }
    Ok(())
}

/// When each packet of a wave first arrives at a node.
fn arrivals(sends: &[WaveSend]) -> BTreeMap<Instance, usize> {
    let mut arrivals = BTreeMap::new();
    for it in sends {
        let instance = (it.send.to, it.send.packet, it.wave);
        let first = arrivals.entry(instance).or_insert(it.send.step);
        *first = it.send.step.min(*first);
    }
    arrivals
}

/// The packet at the node that sends it.
fn sender(it: &WaveSend) -> Instance {
    (it.send.from, it.send.packet, it.wave)
}
