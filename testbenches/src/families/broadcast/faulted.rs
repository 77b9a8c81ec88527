//! A broadcast on a machine of ports into which faults are put. A run is over when its sequencer is done, or with the first violation of
//! the port model, or after twice its bit times and two.

use hosts::ports::engine::Engine;
use hosts::ports::message::Message;
use hosts::tamper::Tamper;
use rtl_model::circuit::netlist::Netlist;
use rtl_model::machine::simulation::Simulation;
use rtl_model::routers::ports::PortMachine;

use crate::error::Error;
use crate::families::broadcast::job::Job;
use crate::families::broadcast::report::{MESSAGE, PORTS, TREES, checks};
use crate::interrupt;
use crate::lockstep::campaign::{Came, WithHosts};

/// A machine and what is broadcast.
pub(super) struct FaultedBroadcast {
    machine: PortMachine,
    message: Message,
}

impl FaultedBroadcast {
    /// Of a job.
    pub fn of(job: &Job) -> Self {
        FaultedBroadcast {
            machine: job.machine.clone(),
            message: job.message(),
        }
    }

    fn engine(&self) -> Result<Engine, Error> {
        Ok(Engine::of(self.machine.clone(), self.message.clone())?)
    }
}

/// The check that has something to say before a run is over.
fn speaks(engine: &Engine) -> Option<&'static str> {
    let all = [
        (PORTS, engine.monitor.violation().is_some()),
        (TREES, engine.hosts.shared().is_some()),
        (MESSAGE, engine.hosts.wrong().is_some()),
    ];
    let mut all = all.into_iter();
    all.find_map(|(check, speaks)| speaks.then_some(check))
}

impl WithHosts for FaultedBroadcast {
    fn in_words(&self) -> String {
        let broadcast = self.machine.broadcast();
        format!("{}, ports {}", broadcast.algorithm, broadcast.ports)
    }

    fn work(&self) -> u64 {
        let device = self.machine.as_device();
        let bits = device.storage_bits().value * device.topology().nodes() as u64;
        bits.saturating_mul(device.bit_times().value)
    }

    fn show(&self, look: &mut dyn FnMut(&dyn Simulation)) -> Result<(), Error> {
        look(&*self.engine()?.machine);
        Ok(())
    }

    fn netlist(&self) -> Netlist {
        self.machine.as_device().netlist()
    }

    fn run(&self, tamper: &mut dyn Tamper, _: Option<u64>) -> Result<Came, Error> {
        let mut engine = self.engine()?;
        let mut seen = None;
        engine.run_with(tamper, |engine| {
            if seen.is_none() {
                seen = speaks(engine).map(|check| (check, engine.machine.bit_time() + 1));
            }
            interrupt::check()
        })?;
        let bit_times = engine.machine.bit_time();
        let failed = checks(&engine).into_iter();
        let failed = failed.filter(|check| !check.passed);
        let [differs, misplaced] = taken(&engine);
        Ok(Came {
            bit_times,
            conflict: engine.conflict.as_ref().map(|_| bit_times),
            // The last bit time has no clock edge.
            seen: seen.map(|(check, at)| (check, at.min(bit_times))),
            failed: failed.map(|check| check.name).collect(),
            differs,
            misplaced,
        })
    }
}

/// What hosts have taken, beside what was sent: whether it is something else; and whether some of it is missing, or the source has been
/// sent its own.
fn taken(engine: &Engine) -> [bool; 2] {
    let (broadcast, hosts) = (engine.broadcast(), &engine.hosts);
    let sent = hosts.message().bits();
    let (mut differs, mut misplaced) = (false, !hosts.is_complete(broadcast.source));
    for node in 0..broadcast.cube.nodes() {
        let came = hosts.message_at(node);
        differs |= came
            .iter()
            .zip(sent.iter())
            .any(|(came, sent)| *came != *sent);
        misplaced |= !hosts.has_all(node);
    }
    [differs || misplaced, misplaced]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::broadcast::testbench::BENCH;
    use crate::testbench::bench::asked;
    use hosts::tamper::Tampering;
    use rtl_model::machine::topology::Tap;

    /// What comes of a run in which a wire of the source, or two, are inverted in these bit times of each of two steps.
    fn came(wires: std::ops::Range<usize>, inverted: &[u64]) -> Came {
        let words = "--algorithm sbt --dims 2 --message-bits 64 --packet-bits 64 --start-up 1";
        let job = Job::new(&asked(&BENCH, words)).unwrap();
        let mut tampering = Tampering {
            registers: |_: &mut dyn Simulation| (),
            wires: |machine: &mut dyn Simulation| {
                let is_now = inverted.contains(&(machine.bit_time() % 65));
                for wire in wires.clone().filter(|_| is_now) {
                    let bit = machine.tapped(0, Tap::Driven(wire));
                    machine.force_wire(0, wire, !bit);
                }
            },
        };
        let machine = FaultedBroadcast::of(&job);
        machine.run(&mut tampering, None).unwrap()
    }

    fn taken_with(inverted: &[u64]) -> [bool; 2] {
        let came = came(0..1, inverted);
        [came.differs, came.misplaced]
    }

    /// What came in the first step is looked at when the second begins, in bit time 65.
    #[test]
    fn a_wrong_packet_is_seen_when_it_is_whole() {
        let came = came(0..2, &[30]);
        assert_eq!(
            (came.seen, came.failed),
            (Some((MESSAGE, 66)), vec![MESSAGE])
        );
        assert_eq!(came.bit_times, 2 * 65);
    }

    #[test]
    fn what_hosts_take_is_told_by_what_is_missing_and_what_is_wrong() {
        assert_eq!(taken_with(&[]), [false; 2]);
        assert_eq!(taken_with(&[30, 31]), [true, false]);
    }
}
