//! Continuous injection: warm-up, measurement, and the time in which what counts may still arrive.
//!
//! How long the first two are, a run decides for itself as far as it was not told. It begins with a short measurement. When
//! that ends, it asks whether the backlog is stable or grows ([`growth`](crate::statistics::growth)), and whether the warm-up is over by then
//! ([`mser_5`](crate::statistics::truncation::mser_5)). If it cannot tell, it goes on until twice the bit time, and asks again:
//!
//! ```text
//!   0        w                3w             6w                         12w
//!   | warm-up | measurement    ?                                                  stable: w to 3w counts
//!   |        warm-up           |  measurement ?                                   else a third (or a half) of 6w ...
//!   |             warm-up                       |        measurement     ?        of 12w, up to 64 times 3w
//! ```
//!
//! Which messages count is known only then, and does not depend on anything but when they were created.

mod watch;

use hosts::wormhole::lanes::WormLanes;
use rtl_model::traffic::injection::Injection;
use rtl_model::traffic::latency::Latencies;

use crate::error::Error;
use crate::families::wormhole::continuous::watch::{Watch, Window};
use crate::families::wormhole::dating::first_closed;
use crate::families::wormhole::engine::{Deadlock, Engine};
use crate::families::wormhole::message::Message;
use crate::families::wormhole::observe::Observer;
use crate::families::wormhole::phases::Phases;
use crate::families::wormhole::round_trips::{Replies, RoundTrips};
use crate::families::wormhole::run::{Outcome, Ran, pass, standstill};
use crate::interrupt;
use crate::progress::Progress;
use crate::statistics::growth::{Growth, Verdict};
use crate::statistics::histogram::{Bin, histogram};
use crate::statistics::interval::Interval;
use crate::statistics::series::Series;

/// What continuous injection gave.
#[derive(Clone, Debug)]
pub struct Continuous {
    /// Message bits offered by each node in a bit time, as asked for.
    pub offered_load: f64,
    /// When what counts was created, in a run that lasted to the end of its measurement; else as they were planned.
    pub phases: Phases,
    /// What was measured, if the run lasted to the end of the measurement.
    pub in_full: Option<InFull>,
    /// From creation to the last bit, of the messages that count.
    pub latency: Latencies,
    /// The average of it, by batch means of the messages as they were created; none of few messages.
    pub latency_interval: Option<Interval>,
    /// How often there was which.
    pub histogram: Vec<Bin>,
    /// From the first bit sent of any worm of a message to the last one arrived of all of them.
    pub network_latency: Latencies,
    /// From the first bit sent of a worm to its last one arrived, of the worms of the same messages.
    pub network_latency_of_worms: Latencies,
    /// Links that a worm crossed, on the average over those of the messages that count and arrived.
    pub hops: Option<f64>,
    /// The same of requests, replies and both together, where messages are answered.
    pub round_trips: Option<RoundTrips>,
}

/// What a whole measurement gave.
#[derive(Clone, Copy, Debug)]
pub struct InFull {
    /// Bits of the messages that were created in it, by node and bit time.
    pub created: f64,
    /// Message bits that arrived in it, by node and bit time.
    pub accepted: f64,
    /// The same by batch means; none of a short measurement.
    pub accepted_interval: Option<Interval>,
    /// Worms that waited at their hosts, or were under way, at its beginning and end.
    pub backlog: (usize, usize),
    /// How the backlog grew until its end.
    pub growth: Growth,
    /// The bit time at which MSER-5 ends the warm-up; none, if the rule would have a longer run.
    pub warm_up_ends: Option<u64>,
}

impl Continuous {
    /// Whether the network carries what is offered; none, if the run did not last to the end of its measurement.
    pub fn verdict(&self) -> Option<Verdict> {
        self.in_full.map(|in_full| in_full.growth.verdict)
    }
}

/// How often a machine in which something still moves is searched for channels that wait in a circle.
const SEARCH_PERIOD: u64 = 256;

fn has_arrived(engine: &Engine<impl WormLanes>, message: usize) -> bool {
    engine.delivery(message).tail_arrived.is_some()
}

/// Messages as they are created: warm-up, measurement, and until all that count have arrived.
pub(super) fn continuous(
    engine: &mut Engine<impl WormLanes>,
    mut injection: Injection,
    (offered_load, phases): (f64, Phases),
    quiet: bool,
    observe: &mut Observer<'_>,
) -> Result<Ran, Error> {
    let mut replies = Replies::default();
    let mut watch = Watch::new(phases);
    let mut progress = Progress::of_bit_times(
        phases.first_end(),
        "bit time {human_pos} of {human_len} at least",
        quiet,
    );
    let patience = engine.fabric.router().plan().arbitration_period();
    let mut next_end = phases.first_end();
    let mut window: Option<Window> = None;
    let mut bits_at_end = 0;
    let mut backlog_at_end = 0;
    // Those that count and have not arrived, as soon as it is known which do.
    let mut counted: Vec<usize> = Vec::new();
    let outcome = loop {
        let bit_time = engine.fabric.bit_time();
        watch.before(engine);
        if window.is_none() && bit_time == next_end {
            window = watch.window(bit_time);
            match &window {
                None => next_end *= 2,
                Some(window) => {
                    (backlog_at_end, bits_at_end) = (engine.in_flight(), engine.accepted());
                    let counts = |number: &usize| window.begins <= replies.since(engine, *number);
                    counted = (0..engine.messages.len()).filter(counts).collect();
                }
            }
        }
        if window.is_some() {
            // All have arrived when the last one that had not has: the others need not be looked at in each bit time.
            while counted
                .pop_if(|message| has_arrived(engine, *message))
                .is_some()
            {}
        }
        if engine.quiet() > patience && engine.in_flight() > 0 {
            break Outcome::Deadlock(standstill(engine)?);
        }
        let is_answered = |window: &Window| replies.is_all_created(engine, &window.bit_times());
        let is_over = counted.is_empty() && window.as_ref().is_some_and(is_answered);
        let last = window.as_ref().map(|window| {
            let is_known = phases.is_probe && window.growth.verdict == Verdict::Saturated;
            window.ends + if is_known { 0 } else { phases.drain }
        });
        let ends = is_over || last.is_some_and(|last| bit_time >= last);
        if (ends || bit_time.is_multiple_of(SEARCH_PERIOD)) && engine.wait_for_cycle().is_some() {
            let (began, cycle) = first_closed(engine, bit_time)?;
            break Outcome::Deadlock(Deadlock {
                bit_time,
                quiet: 0,
                began,
                cycle,
                registers_unchanged: false,
            });
        }
        if is_over {
            break Outcome::Complete;
        }
        if ends {
            break Outcome::NotDrained {
                missing: (counted.iter())
                    .filter(|message| !has_arrived(engine, **message))
                    .count(),
            };
        }
        while let Some(created) = injection.next_by(bit_time) {
            let since = replies.created(engine, &created);
            if (window.as_ref()).is_some_and(|window| window.bit_times().contains(&since)) {
                counted.push(engine.messages.len());
            }
            let message = Message {
                source: created.source,
                destination: created.destination,
                created: created.bit_time,
                bits: created.payload,
            };
            engine.send(0, message);
        }
        // Until then nothing is created, and nobody looks how far things are. Where that is decided, all has arrived in an idle machine.
        let beginnings = [injection.next_bit_time(), watch.next_beginning()];
        let until = beginnings.into_iter().flatten().fold(next_end, u64::min);
        pass(engine, until, observe)?;
        if window.is_none() {
            watch.after(engine);
        }
        replies.told(engine, &mut injection, bit_time);
        interrupt::check()?;
        if bit_time.is_multiple_of(16) {
            progress.passed(bit_time.min(phases.first_end()));
        }
    };
    drop(progress);
    let in_full = window.map(|window| (window, backlog_at_end, bits_at_end));
    let continuous = measured(engine, (offered_load, phases), (&watch, &replies), in_full);
    Ok(Ran {
        outcome,
        expected: None,
        continuous: Some(continuous),
    })
}

/// What came of the messages that count.
fn measured(
    engine: &Engine<impl WormLanes>,
    (offered_load, planned): (f64, Phases),
    (watch, replies): (&Watch, &Replies),
    in_full: Option<(Window, usize, u64)>,
) -> Continuous {
    let phases = match &in_full {
        Some((window, ..)) => Phases {
            warm_up: window.begins,
            measurement: window.ends - window.begins,
            ..planned
        },
        None => planned,
    };
    let window = phases.warm_up..phases.first_end();
    let (mut latency, mut network_latency) = (Latencies::default(), Latencies::default());
    let mut in_order = Vec::new();
    let mut created_bits = 0;
    let mut counted = Vec::new();
    for (number, message) in engine.messages.iter().enumerate() {
        if !window.contains(&replies.since(engine, number)) {
            continue;
        }
        created_bits += message.bits.len() as u64;
        let delivery = engine.delivery(number);
        if let (Some(injected), Some(arrived)) = (delivery.injected, delivery.tail_arrived) {
            latency.record(arrived + 1 - message.created);
            network_latency.record(arrived + 1 - injected);
            in_order.push(arrived + 1 - message.created);
            counted.push(number);
        }
    }
    let as_numbers: Vec<f64> = in_order.iter().map(|latency| *latency as f64).collect();
    let nodes = engine.fabric.router().network().nodes() as f64;
    let by_node_and_bit_time = |bits: u64| bits as f64 / (nodes * phases.measurement as f64);
    Continuous {
        offered_load,
        phases,
        in_full: in_full.map(|(window, backlog, bits)| InFull {
            created: by_node_and_bit_time(created_bits),
            accepted: by_node_and_bit_time(bits - window.ejected),
            accepted_interval: accepted_interval(&watch.ejected, window.begins, nodes),
            backlog: (window.backlog, backlog),
            growth: window.growth,
            warm_up_ends: window.warm_up_ends,
        }),
        latency,
        latency_interval: Interval::by_batch_means(&as_numbers),
        histogram: histogram(in_order),
        network_latency,
        network_latency_of_worms: engine.network_latencies_of_worms(counted.iter().copied()),
        round_trips: replies.latencies(engine, &counted),
        hops: engine.average_hops(counted),
    }
}

/// Of bits that arrived in each bit time, those of the slots that begin in the measurement.
fn accepted_interval(ejected: &Series, begins: u64, nodes: f64) -> Option<Interval> {
    let slots = ejected
        .means()
        .get(begins.div_ceil(ejected.slot()) as usize..)?;
    let loads: Vec<f64> = slots.iter().map(|bits| bits / nodes).collect();
    Interval::by_batch_means(&loads)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What arrives in slots that begin before the measurement does not count, whether or not the slot reaches into it.
    #[test]
    fn the_first_slot_of_an_interval_is_the_first_that_begins_in_the_measurement() {
        let nodes = 8.0;
        // Of slots of 16 bit times, and of twice as many.
        for length in [2_000, 16 << 15] {
            let series = |begins| -> Series {
                let steady = |bit_time: u64| 7 + bit_time / 16 % 5;
                let sampled = |bit_time| match bit_time < begins {
                    true => 1_000_000,
                    false => steady(bit_time),
                };
                (0..length).map(sampled).collect()
            };
            let slot = series(0).slot();
            assert_eq!(slot, if length > 2_000 { 32 } else { 16 });
            for begins in [0, 1, slot - 1, slot, slot + 1, 5 * slot, 5 * slot + 7] {
                let first = begins.div_ceil(slot) as usize;
                let undisturbed = series(0);
                let loads = undisturbed.means()[first..].iter();
                let loads: Vec<f64> = loads.map(|bits| bits / nodes).collect();
                assert_eq!(
                    accepted_interval(&series(begins), begins, nodes),
                    Interval::by_batch_means(&loads),
                    "{begins}, slots of {slot}"
                );
            }
        }
        assert_eq!(accepted_interval(&Series::default(), 1, nodes), None);
    }
}
