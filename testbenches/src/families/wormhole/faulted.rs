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
        let [differs, misplaced, odd] = taken(&engine);
        Ok(Came {
            bit_times,
            conflict: engine.conflict.as_ref().map(|_| engine.fabric.bit_time()),
            seen,
            failed,
            differs,
            misplaced,
            odd,
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

/// What hosts have taken, beside what was sent to them: whether it is something else; whether some of it is missing or not due at all;
/// and whether what came in place of a worm has an odd number of wrong bits.
fn taken(engine: &Engine<Lanes>) -> [bool; 3] {
    let mut missing: HashMap<(usize, usize, usize), Vec<usize>> = HashMap::new();
    for (number, worm) in engine.worms.iter().enumerate() {
        if engine.deliveries[number].tail_arrived.is_none() {
            let to = engine.messages[worm.message].destination;
            let place = (to, worm.switch, worm.body().len());
            missing.entry(place).or_default().push(number);
        }
    }
    let (mut is_astray, mut odd) = (engine.hosts.holds_part(), false);
    for stray in &engine.strays {
        let place = (stray.node, stray.switch, stray.bits.len());
        match missing.get_mut(&place).and_then(Vec::pop) {
            Some(worm) => {
                let sent = engine.worms[worm].body();
                let wrong = sent.iter().zip(&stray.bits).filter(|(a, b)| **a != **b);
                odd |= wrong.count() % 2 == 1;
            }
            None => is_astray = true,
        }
    }
    let misplaced = is_astray || missing.values().any(|worms| !worms.is_empty());
    [misplaced || !engine.strays.is_empty(), misplaced, odd]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::wormhole::BENCH;
    use crate::families::wormhole::engine::Stray;
    use crate::testbench::bench::asked;
    use hosts::tamper::{Nobody, Tampering};

    /// What hosts have taken, when some of what they took is doctored.
    fn doctored(doctor: impl FnOnce(&mut Engine<Lanes>)) -> [bool; 3] {
        let job = Job::new(&asked(&BENCH, "--dims 2 --message-bits 8")).unwrap();
        let mut sending = FaultedWorms::of(&job).unwrap().sending;
        let mut engine = Engine::<Lanes>::new(job.machine.clone(), 1).unwrap();
        while sending.next(&mut engine).is_none() {
            engine.tick(|_| Ok::<(), ()>(())).unwrap();
        }
        doctor(&mut engine);
        taken(&engine)
    }

    /// A worm that has come with these bits wrong, to its own node or the next.
    fn wrong(engine: &mut Engine<Lanes>, places: &[usize], off: usize) {
        let (worm, to) = (
            &engine.worms[3],
            engine.messages[engine.worms[3].message].destination,
        );
        let mut bits = worm.body().to_bitvec();
        for place in places {
            let bit = !bits[*place];
            bits.set(*place, bit);
        }
        let stray = Stray {
            node: (to + off) % 8,
            switch: worm.switch,
            bits,
            bit_time: 9,
        };
        engine.deliveries[3].tail_arrived = None;
        engine.strays.push(stray);
    }

    #[test]
    fn what_hosts_take_is_told_by_what_is_missing_and_what_is_wrong() {
        assert_eq!(doctored(|_| ()), [false; 3]);
        let missing = |engine: &mut Engine<Lanes>| engine.deliveries[3].tail_arrived = None;
        assert_eq!(doctored(missing), [true, true, false]);
        assert_eq!(doctored(|one| wrong(one, &[2], 0)), [true, false, true]);
        assert_eq!(doctored(|one| wrong(one, &[2, 5], 0)), [true, false, false]);
        assert_eq!(doctored(|one| wrong(one, &[2], 1)), [true, true, false]);
    }

    /// Bits that come without an end are no worm, and not what is due.
    #[test]
    fn the_beginning_of_a_worm_that_nobody_sent_is_not_what_is_due() {
        let began = |engine: &mut Engine<Lanes>| {
            let wires = engine.fabric.router().plan();
            let valid = wires.link_wires() + wires.host_wires().eject_valid();
            engine.fabric.transmit().unwrap();
            engine.fabric.force_wire(0, valid, true);
            engine.hosts.receive(&engine.fabric, &mut Vec::new());
        };
        assert_eq!(doctored(began), [true, true, false]);
    }

    /// A bit that nobody sent, on a wire for one bit time when hosts have all that is due.
    #[test]
    fn what_comes_when_all_has_arrived_is_seen() {
        let job = Job::new(&asked(&BENCH, "--dims 2 --message-bits 8")).unwrap();
        let worms = FaultedWorms::of(&job).unwrap();
        let end = worms.run(&mut Nobody, None).unwrap().bit_times;
        let valid = worms.machine.plan().links[0].wires.valid;
        let mut tampering = Tampering {
            registers: |_: &mut dyn Simulation| (),
            wires: |machine: &mut dyn Simulation| {
                if machine.bit_time() == end {
                    machine.force_wire(0, valid, true);
                }
            },
        };
        let came = worms.run(&mut tampering, Some(end)).unwrap();
        assert_eq!((came.bit_times, came.failed), (end, vec![BITS]));
        assert!(
            came.seen
                .is_some_and(|(check, at)| check == BITS && at > end)
        );
    }

    /// Credits that never come keep worms from going on, which nothing else tells of.
    #[test]
    fn worms_that_no_longer_move_are_a_deadlock() {
        let job = Job::new(&asked(&BENCH, "--dims 2 --message-bits 8")).unwrap();
        let worms = FaultedWorms::of(&job).unwrap();
        let end = worms.run(&mut Nobody, None).unwrap().bit_times;
        let credits = worms.machine.plan().links[0].wires.credits.clone();
        let mut stand = 0;
        for node in 0..8 {
            let mut tampering = Tampering {
                registers: |_: &mut dyn Simulation| (),
                wires: |machine: &mut dyn Simulation| {
                    let all = credits.clone();
                    all.for_each(|wire| machine.force_wire(node, wire, false));
                },
            };
            let came = worms.run(&mut tampering, Some(end)).unwrap();
            if came.misplaced {
                assert_eq!(
                    (came.seen, &came.failed[..2]),
                    (None, &["no deadlock", DELIVERIES][..])
                );
                stand += 1;
            }
        }
        assert!(stand > 2, "{stand}");
    }

    #[test]
    fn loads_are_refused() {
        let job = Job::new(&asked(&BENCH, "--dims 2 --offered-load 0.1")).unwrap();
        let refused = FaultedWorms::of(&job).err().unwrap().to_string();
        assert!(refused.starts_with("no faults are put in under an offered load: "));
    }
}
