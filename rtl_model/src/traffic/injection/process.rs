//! When a node creates messages: at any time alike, or in bursts.
//!
//! A node in bursts is on or off (a Markov process of two states, BookSim's `on_off`). At the beginning of each bit time it
//! may go from one to the other; then, if it is on, it creates a message with probability r.
//!
//! ```text
//!            alpha
//!     off ----------> on      creates with r in each bit time, the first one included
//!         <----------         messages of a burst, on the average: r / beta
//!             beta            share of time that it is on: alpha / (alpha + beta)
//! ```

use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::traffic::injection::offered_load::OfferedLoad;

/// Bursts: what is asked for, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    messages: f64,
    load: f64,
}

impl Bursts {
    /// Bursts of `messages` on the average, in which a node offers `load` message bits in a bit time, of `most` that it can.
    ///
    /// # Errors
    /// [`Error::BurstMessages`] for fewer than one message, a load out of range.
    pub fn new(messages: f64, load: f64, most: usize) -> Result<Self, Error> {
        if !(1.0..=1e9).contains(&messages) {
            return Err(Error::BurstMessages {
                messages: messages.to_string(),
            });
        }
        OfferedLoad::over(load, most)?;
        Ok(Bursts { messages, load })
    }
}

/// A process, of a node whatever its number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Process {
    /// In each bit time with the same probability.
    Bernoulli {
        /// Natural logarithm of the probability that nothing is created in a bit time.
        log_silent: f64,
    },
    /// In bursts.
    OnOff {
        /// The probability to create a message in a bit time in which it is on.
        creates: f64,
        /// To go off when it is on.
        beta: f64,
        /// The share of time that it is on.
        on: f64,
        /// Natural logarithm of the probability that it stays off.
        log_stays_off: f64,
        /// Of the probability that it stays on and creates nothing.
        log_nothing: f64,
    },
}

// The functions of `libm` give the same bits on every machine, those of the system may not.
impl Process {
    /// Messages of so many bits, at this load on the average.
    ///
    /// # Errors
    /// A load that leaves no time between bursts.
    pub fn new(
        load: OfferedLoad,
        message_bits: usize,
        bursts: Option<Bursts>,
    ) -> Result<Self, Error> {
        let (load, bits) = (load.bits_per_bit_time(), message_bits as f64);
        let Some(bursts) = bursts else {
            return Ok(Process::Bernoulli {
                log_silent: libm::log1p(-load / bits),
            });
        };
        let creates = bursts.load / bits;
        let beta = creates / bursts.messages;
        // Off for a bit time at the least between two bursts: alpha is 1 there.
        let most = bursts.load / (1.0 + beta);
        if load > most {
            let most = libm::floor(most * 1e4) / 1e4;
            return Err(Refusal::of(format!(
                "an offered load of {load} leaves no time between bursts"
            ))
            .because(format!("with these bursts it can be {most:.4} at the most"))
            .instead("offer less, or have a higher load in bursts")
            .into());
        }
        let on = load / bursts.load;
        let alpha = beta * on / (1.0 - on);
        Ok(Process::OnOff {
            creates,
            beta,
            on,
            log_stays_off: libm::log1p(-alpha.min(1.0)),
            log_nothing: libm::log1p(-(beta + (1.0 - beta) * creates)),
        })
    }

    /// Whether a node is on before bit time 0. Draws nothing for a process without states.
    pub fn begins_on(self, random: &mut ChaCha8Rng) -> bool {
        match self {
            Process::Bernoulli { .. } => true,
            Process::OnOff { on, .. } => uniform(random) < on,
        }
    }

    /// Draws how many bit times pass without a message, of a node that is on or not. None if more than can be counted.
    pub fn silence(self, random: &mut ChaCha8Rng, is_on: &mut bool) -> Option<u64> {
        let (creates, beta, log_stays_off, log_nothing) = match self {
            Process::Bernoulli { log_silent } => return failures(random, log_silent),
            Process::OnOff {
                creates,
                beta,
                log_stays_off,
                log_nothing,
                ..
            } => (creates, beta, log_stays_off, log_nothing),
        };
        let mut passed = 0_u64;
        loop {
            // Up to the bit time in which something happens: it goes off, or on, or creates.
            let log_same = if *is_on { log_nothing } else { log_stays_off };
            passed = passed.checked_add(failures(random, log_same)?)?;
            let drawn = uniform(random);
            let is_created = match *is_on {
                true => drawn * (beta + (1.0 - beta) * creates) >= beta,
                false => drawn < creates,
            };
            // What was off is on now; what was on is so still only if it has created something.
            *is_on = !*is_on || is_created;
            if is_created {
                return Some(passed);
            }
            passed = passed.checked_add(1)?;
        }
    }
}

/// In the middle of one of 2^52 equal parts of 0..1: neither of the two.
fn uniform(random: &mut ChaCha8Rng) -> f64 {
    let part = (random.next_u64() >> 12) as f64;
    (part + 0.5) / (1_u64 << 52) as f64
}

/// How often something fails before it succeeds, given the logarithm of the probability that it fails: geometrically
/// distributed, by inversion. None if more often than can be counted.
fn failures(random: &mut ChaCha8Rng, log_fails: f64) -> Option<u64> {
    let failures = libm::log(uniform(random)) / log_fails;
    (failures < u64::MAX as f64).then_some(failures as u64)
}
