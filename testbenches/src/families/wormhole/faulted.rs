//! A machine of worms into which faults are put: what its hosts take, and how a run comes to an end whatever is done to it.
//!
//! ```text
//!   | hosts send and take ...              | nothing is sent: what is still there comes out |
//!   0        a check speaks: 2T + p at most  all have arrived                2T + p at most
//!            none does: until the run gives up as any does
//! ```
//!
//! T is the bit times of the run without faults, and p the bit times in which a worm that is going to move may stand still.

use std::collections::HashMap;

use hosts::tamper::Tamper;
use hosts::wormhole::machine_lanes::MachineLanes as _;
use rtl_model::circuit::netlist::Netlist;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine as _;
use rtl_model::machine::simulation::Simulation;
use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::wormhole::engine::{Deadlock, Engine};
use crate::families::wormhole::injection::offered_load;
use crate::families::wormhole::job::Job;
use crate::families::wormhole::memory::room_for;
use crate::families::wormhole::report::{BITS, DELIVERIES, ONE_WORM, checks};
use crate::families::wormhole::run::{Outcome, Ran, in_words};
use crate::families::wormhole::sending::{Over, Sending};
use crate::families::wormhole::traffic;
use crate::interrupt;
use crate::lockstep::campaign::{Came, WithHosts};

/// A machine and its messages.
pub(super) struct FaultedWorms {
    machine: WormholeMachine,
    sending: Sending,
    storage: usize,
    in_words: String,
    work: u64,
}

/// Lanes of a machine by itself: few nodes, as a rule.
type Lanes = u64;

impl FaultedWorms {
    /// Of a job.
    ///
    /// # Errors
    /// Traffic under an offered load; files that cannot be used; messages that do not fit.
    pub fn of(job: &Job) -> Result<Self, Error> {
        if offered_load(&job.chosen).is_some() {
            return Err(Refusal::of("no faults are put in under an offered load")
                .because("such a run decides for itself how long it is, and what has not arrived by then is no mistake")
                .instead("give no --offered-load, or a --traffic-file")
                .into());
        }
        let messages = traffic::messages(job)?;
        let bits = messages.iter().map(|one| one.bits.len() as u64).sum();
        room_for(&job.machine, messages.len() as u64, bits)?;
        let machine = job.machine.clone();
        let storage = Storage::of(&machine.node::<bool>()).total;
        let bits = (storage * machine.network().nodes()) as u64;
        Ok(FaultedWorms {
            storage,
            sending: Sending::of(&machine, messages),
            in_words: in_words(job)?,
            work: bits.saturating_mul(job.bit_times()),
            machine,
        })
    }

    /// A bit time, and the first check that speaks of what is wrong by now.
    fn tick(
        engine: &mut Engine<Lanes>,
        tamper: &mut dyn Tamper,
        seen: &mut Option<(&'static str, u64)>,
    ) -> Result<(), Error> {
        interrupt::check()?;
        engine.tick_with(tamper, |_| Ok::<(), Error>(()))?;
        if seen.is_none() {
            *seen = speaks(engine).map(|check| (check, engine.fabric.bit_time()));
        }
        Ok(())
    }
}

/// The check that has something to say before a run is over.
fn speaks(engine: &Engine<Lanes>) -> Option<&'static str> {
    let all = [
        (ONE_WORM, engine.tracker.shared().is_some()),
        (BITS, engine.meters.not_conserved.is_some()),
        (DELIVERIES, !engine.strays.is_empty()),
    ];
    let mut all = all.into_iter();
    all.find_map(|(check, speaks)| speaks.then_some(check))
}

impl WithHosts for FaultedWorms {
    fn in_words(&self) -> String {
        self.in_words.clone()
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn show(&self, look: &mut dyn FnMut(&dyn Simulation)) -> Result<(), Error> {
        let machine = Lanes::machine(self.machine.clone(), 1)?;
        look(Lanes::simulation(&machine));
        Ok(())
    }

    fn netlist(&self) -> Netlist {
        Netlist::of(&self.machine)
    }

    fn run(&self, tamper: &mut dyn Tamper, undisturbed: Option<u64>) -> Result<Came, Error> {
        let mut engine = Engine::<Lanes>::new(self.machine.clone(), 1)?;
        let mut sending = self.sending.clone();
        let patience = sending.patience();
        let most = |bit_times: u64| 2 * bit_times + patience;
        let mut seen = None;
        let over = loop {
            if let Some(over) = sending.next(&mut engine) {
                break over;
            }
            let bit_time = engine.fabric.bit_time();
            if seen.is_some() && undisturbed.is_some_and(|bit_times| bit_time > most(bit_times)) {
                break Over::OutOfTime;
            }
            Self::tick(&mut engine, tamper, &mut seen)?;
            if engine.conflict.is_some() {
                return Ok(Came {
                    conflict: Some(bit_time),
                    ..Came::default()
                });
            }
        };
        let expected = sending.end(&mut engine);
        let bit_times = engine.fabric.bit_time();
        let ran = Ran {
            outcome: outcome(over, &engine),
            expected: Some(expected),
            continuous: None,
        };
        let graph = self.machine.dependencies();
        let checks = checks(&engine, &ran, graph, self.storage).into_iter();
        let failed = checks.filter(|check| !check.passed).map(|check| check.name);
        let mut failed: Vec<_> = failed.collect();
        // What a fault has made may still be under way when all that was sent has arrived.
        let end = most(undisturbed.unwrap_or(bit_times)).max(bit_times + patience + 1);
        while over == Over::Complete
            && engine.quiet() <= patience
            && engine.fabric.bit_time() < end
            && engine.conflict.is_none()
        {
            Self::tick(&mut engine, tamper, &mut seen)?;
        }
        failed.extend(
            seen.map(|(check, _)| check)
                .filter(|one| !failed.contains(one)),
        );
        let [differs, misplaced] = taken(&engine);
        Ok(Came {
            bit_times,
            conflict: engine.conflict.as_ref().map(|_| engine.fabric.bit_time()),
            seen,
            failed,
            differs,
            misplaced,
        })
    }
}

/// How it ended: who waits for whom is nobody's question here.
fn outcome(over: Over, engine: &Engine<Lanes>) -> Outcome {
    match over {
        Over::Complete => Outcome::Complete,
        Over::OutOfTime => Outcome::OutOfTime,
        Over::Still => Outcome::Deadlock(Deadlock {
            bit_time: engine.fabric.bit_time() - engine.quiet(),
            quiet: engine.quiet(),
            began: None,
            cycle: Vec::new(),
            registers_unchanged: false,
        }),
    }
}

/// What hosts have taken, beside what was sent to them: whether it is something else; and whether some of it is missing or not due at
/// all.
fn taken(engine: &Engine<Lanes>) -> [bool; 2] {
    let mut missing: HashMap<(usize, usize, usize), Vec<usize>> = HashMap::new();
    for (number, worm) in engine.worms.iter().enumerate() {
        if engine.deliveries[number].tail_arrived.is_none() {
            let to = engine.messages[worm.message].destination;
            let place = (to, worm.switch, worm.body().len());
            missing.entry(place).or_default().push(number);
        }
    }
    let mut is_astray = engine.hosts.holds_part();
    for stray in &engine.strays {
        let place = (stray.node, stray.switch, stray.bits.len());
        is_astray |= missing.get_mut(&place).and_then(Vec::pop).is_none();
    }
    let misplaced = is_astray || missing.values().any(|worms| !worms.is_empty());
    [misplaced || !engine.strays.is_empty(), misplaced]
}

#[cfg(test)]
mod tests;
