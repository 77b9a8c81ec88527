//! Continuous injection: warm-up, measurement, and the time in which what counts may still arrive.

use rtl_model::language::lanes::Lanes;
use rtl_model::traffic::injection::Injection;
use rtl_model::traffic::latency::Latencies;
use waves::trace::Trace;

use crate::error::Error;
use crate::families::wormhole::engine::{Deadlock, Engine};
use crate::families::wormhole::message::Message;
use crate::families::wormhole::observe::Observer;
use crate::families::wormhole::options::Phases;
use crate::families::wormhole::run::{Outcome, Ran, standstill};
use crate::interrupt;
use crate::progress::Progress;

/// What continuous injection gave.
#[derive(Clone, Debug)]
pub struct Continuous {
    /// Message bits offered by each node in a bit time, as asked for.
    pub offered_load: f64,
    /// When what counts was created.
    pub phases: Phases,
    /// What was measured, if the run lasted to the end of the measurement.
    pub in_full: Option<InFull>,
    /// From creation to the last bit, of the messages that count.
    pub latency: Latencies,
    /// From the first bit sent to the last one arrived.
    pub network_latency: Latencies,
    /// Messages that count.
    pub measured: usize,
    /// Those of them that arrived.
    pub measured_arrived: usize,
}

/// What a whole measurement gave.
#[derive(Clone, Copy, Debug)]
pub struct InFull {
    /// Bits of the messages that were created in it, by node and bit time.
    pub created: f64,
    /// Message bits that arrived in it, by node and bit time.
    pub accepted: f64,
    /// Worms that waited at their hosts, or were under way, at its beginning and end.
    pub backlog: (usize, usize),
}

impl Continuous {
    /// The network does not carry what is offered: it accepts less than nineteen in twenty of it, or what counts did not
    /// arrive in time.
    pub fn saturated(&self) -> Option<bool> {
        self.in_full.map(|in_full| {
            in_full.accepted < 0.95 * in_full.created || self.measured_arrived < self.measured
        })
    }
}

/// How often a machine in which something still moves is searched for channels that wait in a circle.
const SEARCH_PERIOD: u64 = 256;

fn has_arrived(engine: &Engine<impl Lanes>, message: usize) -> bool {
    engine.delivery(message).tail_arrived.is_some()
}

/// Messages as they are created: warm-up, measurement, and until all that count have arrived.
pub(super) fn continuous(
    engine: &mut Engine<impl Lanes>,
    injection: Injection,
    (offered_load, phases): (f64, Phases),
    quiet: bool,
    observe: &mut Observer<impl Trace>,
) -> Result<Ran, Error> {
    let nodes = engine.fabric.router().network().nodes();
    let mut injection = injection.peekable();
    let window = phases.warm_up..phases.warm_up + phases.measurement;
    let last = window.end + phases.drain;
    let mut progress = Progress::new(
        window.end,
        "{wide_bar} bit time {human_pos} of {human_len}",
        quiet,
    );
    let patience = engine.fabric.router().plan().arbitration_period();
    let (mut backlog, mut bits) = ((0, 0), (0u64, 0u64));
    let mut counted: Vec<usize> = Vec::new();
    let outcome = loop {
        let bit_time = engine.fabric.bit_time();
        if bit_time == window.start {
            backlog.0 = engine.in_flight();
            bits.0 = engine.meters.ejected;
        }
        if bit_time == window.end {
            backlog.1 = engine.in_flight();
            bits.1 = engine.meters.ejected;
        }
        if bit_time >= window.end {
            // All have arrived when the last one that had not has: the others need not be looked at in each bit time.
            while counted
                .pop_if(|message| has_arrived(engine, *message))
                .is_some()
            {}
        }
        if engine.quiet() > patience && engine.in_flight() > 0 {
            break Outcome::Deadlock(standstill(engine));
        }
        let is_over = bit_time >= window.end && counted.is_empty();
        let ends = is_over || bit_time >= last;
        if (ends || bit_time.is_multiple_of(SEARCH_PERIOD))
            && let Some(cycle) = engine.wait_for_cycle()
        {
            break Outcome::Deadlock(Deadlock {
                bit_time,
                quiet: 0,
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
        while let Some(created) = injection.next_if(|created| created.bit_time <= bit_time) {
            if window.contains(&created.bit_time) {
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
        engine.tick(|engine| observe.sample(engine))?;
        interrupt::check()?;
        if bit_time.is_multiple_of(16) {
            progress.passed(bit_time.min(window.end));
        }
    };
    drop(progress);
    let node_bit_times = (nodes as u64 * phases.measurement) as f64;
    let counts = |number: &usize| window.contains(&engine.messages[*number].created);
    let measured: Vec<usize> = (0..engine.messages.len()).filter(counts).collect();
    let (mut latency, mut network_latency) = (Latencies::default(), Latencies::default());
    let mut created_bits = 0;
    for &number in &measured {
        let message = &engine.messages[number];
        created_bits += message.bits.len() as u64;
        let delivery = engine.delivery(number);
        if let (Some(injected), Some(arrived)) = (delivery.injected, delivery.tail_arrived) {
            latency.record(arrived + 1 - message.created);
            network_latency.record(arrived + 1 - injected);
        }
    }
    let arrived = latency.count() as usize;
    Ok(Ran {
        outcome,
        expected: None,
        continuous: Some(Continuous {
            offered_load,
            phases,
            in_full: (engine.fabric.bit_time() >= window.end).then(|| InFull {
                created: created_bits as f64 / node_bit_times,
                accepted: (bits.1 - bits.0) as f64 / node_bit_times,
                backlog,
            }),
            latency,
            network_latency,
            measured: measured.len(),
            measured_arrived: arrived,
        }),
    })
}
