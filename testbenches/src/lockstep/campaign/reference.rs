//! What a machine without faults does, which those with faults are held against.

use std::ops::Range;

use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::campaign::fault::Places;
use crate::lockstep::campaign::faulted::{ONE_BIT, without_faults};
use crate::lockstep::faults::{self, WireFault};
use crate::lockstep::simulation::{self, Measurement, Run};
use crate::lockstep::stimulus::{Ended, Stimulus};
use crate::report::Outputs;

/// After which position message bits are counted, and how many are due there.
type Live = (Option<Position>, Option<u64>);

/// A run without faults.
pub(super) struct Reference {
    /// The registers of each node, as loaded.
    pub loaded: Vec<Vec<bool>>,
    /// The same in the end.
    pub ended: Vec<Vec<bool>>,
    /// The bits that hosts read in the end, node by node.
    pub read: Vec<bool>,
    /// Of each of them the field; and what is due there, if that is known from the traffic alone and matters.
    pub due: Vec<(Field, Option<bool>)>,
    /// By bit times that have passed.
    pub live: Vec<Live>,
    /// What was measured.
    pub measurement: Measurement,
    /// Wires that fail in any run of it.
    failing: Vec<WireFault>,
}

/// The machine of a stimulus, with its traffic.
///
/// # Errors
/// A machine that does not fit.
pub fn loaded(stimulus: &dyn Stimulus) -> Result<Box<dyn Lockstep>, Error> {
    let mut machine = stimulus.device().build(1)?;
    stimulus.load(&mut *machine, &mut |_| Ok(()))?;
    Ok(machine)
}

/// The registers of nodes.
pub(super) fn registers(machine: &dyn Lockstep, nodes: Range<usize>) -> Vec<Vec<bool>> {
    let registers = nodes.map(|node| {
        let mut bits = Vec::new();
        machine.append_registers(node, &mut bits);
        bits
    });
    registers.collect()
}

/// The checks that judge a run that is over, and do not hold.
///
/// # Errors
/// Whatever keeps the testbench from judging.
pub(super) fn failed(
    stimulus: &mut dyn Stimulus,
    machine: Box<dyn Lockstep>,
    measurement: &Measurement,
) -> Result<Vec<&'static str>, Error> {
    let mut outputs = Outputs::default();
    let ended = Ended::quietly(machine, measurement, &mut outputs);
    let checks = stimulus.judge(ended)?.told.checks.into_iter();
    let failed = checks.filter(|check| !check.passed);
    Ok(failed.map(|check| check.name).collect())
}

impl Reference {
    /// Of a stimulus, and the places of its machine at which faults can be put.
    ///
    /// # Errors
    /// A machine that does not fit, or whose run without faults is not as it should be; [`Error::Interrupted`].
    pub fn of(stimulus: &mut dyn Stimulus) -> Result<(Self, Places), Error> {
        stimulus.foresee()?;
        let mut machine = loaded(stimulus)?;
        let nodes = machine.nodes();
        let failing = stimulus.faults();
        let as_loaded = registers(&*machine, 0..nodes);
        let live_bits = |after| stimulus.live_bits(after);
        let mut live: Vec<Live> = vec![(None, live_bits(None))];
        let run = Run {
            faults: &failing,
            ..Run::held_to(&live_bits)
        };
        let measurement = simulation::run(&mut *machine, run, |machine| {
            if !machine.is_done() {
                let after = Some(machine.position());
                live.push((after, live_bits(after)));
            }
            interrupt::check()
        })?;
        let expected = stimulus.expected();
        let (mut read, mut due) = (Vec::new(), Vec::new());
        for node in 0..nodes {
            let mut seen: Vec<Field> = Vec::new();
            for (field, bit) in machine.host_reads(node) {
                let place = seen.iter().filter(|other| **other == field).count();
                seen.push(field);
                read.push(bit);
                due.push((field, expected(node, field, place)));
            }
        }
        drop(expected);
        let has_messages = due.iter().any(|(field, _)| *field == Field::VALID);
        let places = Places::of(&*machine, measurement.bit_times, has_messages);
        let ended = registers(&*machine, 0..nodes);
        let of_run = [
            measurement.not_conserved.as_ref().map(|_| MESSAGE_BITS),
            measurement.conflict.as_ref().map(|_| ONE_BIT),
        ];
        let failed = failed(stimulus, machine, &measurement)?;
        let reference = Reference {
            loaded: as_loaded,
            ended,
            live,
            read,
            due,
            measurement,
            failing,
        };
        let first = of_run.into_iter().flatten().chain(failed).next();
        let read = (reference.is_wrong(&reference.read)).then_some("what hosts read");
        without_faults(first.or(read))?;
        Ok((reference, places))
    }

    /// Puts wires that fail in any run onto those of all machines.
    pub fn force(&self, machine: &mut dyn Lockstep) {
        let nodes = machine.topology().nodes();
        for first in (0..machine.nodes())
            .step_by(nodes)
            .filter(|_| !self.failing.is_empty())
        {
            let here = |fault: &WireFault| WireFault {
                node: first + fault.node,
                ..*fault
            };
            let here: Vec<WireFault> = self.failing.iter().map(here).collect();
            faults::force(machine, &here);
        }
    }

    /// The fields of bits that hosts read and that are not what is due.
    fn wrong<'r>(&'r self, read: &'r [bool]) -> impl Iterator<Item = Field> + 'r {
        let all = self.due.iter().zip(read);
        all.filter(|((_, due), bit)| due.is_some_and(|due| due != **bit))
            .map(|((field, _), _)| *field)
    }

    /// Whether hosts read anything else than what is due.
    pub fn is_wrong(&self, read: &[bool]) -> bool {
        self.wrong(read).next().is_some()
    }

    /// Whether a message is missing, or stands where none is due.
    pub fn is_misplaced(&self, read: &[bool]) -> bool {
        self.wrong(read).any(|field| field == Field::VALID)
    }
}

/// The check that none are lost and none doubled in any bit time.
pub const MESSAGE_BITS: &str = "message bits";
