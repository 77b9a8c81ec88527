//! A router of several messages a node and its traffic: loads it, reads what has arrived, judges.

use std::path::Path;

use hosts::deliveries::hexadecimal;
use hosts::scoreboard::{Identification, Score};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::slots::{self, SlotArrivals};
use rtl_model::traffic::Traffic;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::relations::job::Job;
use crate::families::relations::options::{Amount, Setup};
use crate::families::relations::traffic::{Sent, sent};
use crate::families::relations::{report, score};
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Carries, Later, Stimulus, Verdict, require_memory};
use crate::output::{Staged, Staging};
use crate::progress::{Stage, broken_off};
use crate::report::{Outputs, Section};

/// A router and its traffic.
pub struct Carrying {
    pub(super) job: Job,
    pub(super) setup: Setup,
    pub(super) sent: Sent,
    deliveries: Option<Staged>,
    /// Where messages come in any order, what nodes hold in the end.
    foreseen: Option<SlotArrivals>,
}

impl Carrying {
    /// As asked for: traffic is drawn or read.
    ///
    /// # Errors
    /// What is refused of the setup, sizes that do not fit into memory, and files that cannot be used.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        let mut carrying = Self::to_be_written(setup)?;
        // Only a file that tells of the traffic has a use for it.
        carrying.sent.relation = None;
        Ok(carrying)
    }

    /// The same for a project, whose file of its traffic is to give the same matchings when it is read.
    ///
    /// # Errors
    /// As [`Carrying::new`].
    pub fn to_be_written(setup: &Setup) -> Result<Self, Error> {
        let job = Job::new(setup)?;
        require_memory(&*job.device, &job.requirement())?;
        Ok(Carrying {
            sent: sent(setup, &job)?,
            job,
            setup: setup.clone(),
            deliveries: None,
            foreseen: None,
        })
    }

    /// What is told of the machine.
    pub fn facts(&self) -> Section {
        report::facts(&self.job)
    }

    pub(super) fn score(&self, arrived: &SlotArrivals) -> Score {
        match self.job.pipeline() {
            Some(_) => score::by_slot(&self.sent.slots, arrived),
            None => score::in_any_order(&self.sent.slots, arrived),
        }
    }

    fn write_deliveries(&self, output: Staged, arrived: &SlotArrivals) -> Result<(), Error> {
        // A batch stays in its slot; what is in no batch may have begun in any.
        let sent = &self.sent.slots;
        let together = match self.job.pipeline() {
            Some(_) => 1,
            None => sent.len(),
        };
        let mut parts: Vec<_> = sent.chunks(together).map(Identification::new).collect();
        write_rows(output, |writer| {
            writer.write_record(["node", "source", "payload", "bit_time"])?;
            for node in 0..self.job.cube.nodes() {
                for slot in 0..self.job.slots {
                    let Some(payload) = arrived.at(node, slot) else {
                        continue;
                    };
                    let source = parts[slot / together].source(node, payload);
                    writer.write_record([
                        node.to_string(),
                        source.map_or(String::new(), |source| source.to_string()),
                        hexadecimal(payload),
                        self.job.arrived(slot).to_string(),
                    ])?;
                }
            }
            Ok(())
        })
    }

    /// What nodes hold in which slot once messages have come in whatever order; it is right, or the run ended in an error.
    fn ran(&self) -> Result<SlotArrivals, Error> {
        let mut machine = self.job.device.build(1)?;
        slots::load(&mut *machine, &self.sent.slots)?;
        machine.advance(u64::MAX, &How::default())?;
        let payload_bits = self.job.size.payload_bits;
        let arrived = SlotArrivals::read(&*machine, self.job.slots, payload_bits)?;
        match self.score(&arrived).first_fault {
            None => Ok(arrived),
            Some(fault) => Err(Error::Refused {
                by: "kuszmaul",
                why: format!("the simulation is wrong, so nothing can be held against it: {fault}"),
            }),
        }
    }

    /// Works out what is to be expected of a project, where only a run tells.
    ///
    /// # Errors
    /// A run that goes wrong.
    pub(super) fn foresee(&mut self) -> Result<(), Error> {
        if self.job.pipeline().is_none() {
            self.foreseen = Some(self.ran()?);
        }
        Ok(())
    }
}

impl Stimulus for Carrying {
    fn device(&self) -> &dyn Device {
        &*self.job.device
    }

    fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        broken_off(passed, |passed| {
            slots::load_watched(machine, &self.sent.slots, passed)
        })
    }

    fn sent(&self) -> &[Traffic] {
        &self.sent.slots
    }

    fn load_instead(&self, machine: &mut dyn Lockstep, sent: &[Traffic]) -> Result<(), ModelError> {
        slots::load(machine, sent)
    }

    /// Slot by slot, its messages times what is left of each.
    fn live_bits(&self, after: Option<Position>) -> Option<u64> {
        let slots = self.sent.slots.iter().enumerate();
        let mut bits = slots.map(|(slot, traffic)| {
            let of_each = self.job.device.live_bits_of_slot(after, slot)?;
            Some(traffic.messages().len() as u64 * u64::from(of_each))
        });
        bits.try_fold(0, |sum, bits| Some(sum + bits?))
    }

    fn stage(&mut self, deliveries: Option<&Path>, staging: &mut Staging) -> Result<(), Error> {
        if let Some(path) = deliveries {
            self.deliveries = Some(staging.create_text(path, "the deliveries")?);
        }
        Ok(())
    }

    fn judge(
        &mut self,
        machine: Box<dyn Lockstep>,
        measurement: &Measurement,
        outputs: &mut Outputs,
        quiet: bool,
    ) -> Result<Verdict, Error> {
        let nodes = machine.nodes() as u64;
        let (slots, payload_bits) = (self.job.slots, self.job.size.payload_bits);
        let mut reading = Stage::new(nodes, "unloading", quiet);
        let arrived = broken_off(&mut |node| reading.passed(node), |passed| {
            SlotArrivals::read_watched(&*machine, slots, payload_bits, passed)
        })?;
        drop((reading, machine));
        if let Some(output) = self.deliveries.take() {
            outputs.deliveries = Some(output.path().display().to_string());
            self.write_deliveries(output, &arrived)?;
        }
        report::verdict(self, measurement, &self.score(&arrived))
    }

    /// Batches are told apart by a column of their own. The messages of an h-relation stand in the order in which they were given.
    fn traffic_file(&self) -> String {
        if let Some(relation) = &self.sent.relation {
            let rows = relation.messages().iter().enumerate().map(|(index, one)| {
                let payload = hexadecimal(relation.payload(index));
                format!("{},{},{payload}\n", one.source, one.destination)
            });
            return "source,destination,payload\n".to_owned() + &rows.collect::<String>();
        }
        let is_batches = self.setup.amount.is_batches();
        let heading = if is_batches { "batch," } else { "" };
        let mut text = format!("{heading}source,destination,payload\n");
        for node in 0..self.job.cube.nodes() {
            for (slot, traffic) in self.sent.slots.iter().enumerate() {
                if let Some(index) = traffic.index_from(node) {
                    let batch = if is_batches {
                        format!("{slot},")
                    } else {
                        String::new()
                    };
                    let payload = hexadecimal(traffic.payload(index));
                    let destination = traffic.destination(index);
                    text += &format!("{batch}{node},{destination},{payload}\n");
                }
            }
        }
        text
    }

    /// Of a batch a message is in its slot. Where messages may come in any order, in that of a run: whether what is there is right, the
    /// scoreboard says.
    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        let payload_bits = self.job.size.payload_bits;
        if self.job.pipeline().is_none() {
            // Without it nothing would be right, and a testbench fails.
            let arrived = self.foreseen.as_ref();
            return Box::new(move |node, field, bit| match (arrived, field) {
                (None, _) => Some(true),
                (Some(arrived), Field::VALID) => Some(arrived.at(node, bit).is_some()),
                (Some(arrived), _) => {
                    Some(arrived.at(node, bit / payload_bits)?[bit % payload_bits])
                }
            });
        }
        let for_node: Vec<_> = (self.sent.slots.iter())
            .map(Traffic::by_destination)
            .collect();
        Box::new(move |node, field, bit| match field {
            Field::VALID => Some(!for_node[bit].at(node).is_empty()),
            Field::PAYLOAD => {
                let slot = bit / payload_bits;
                let index = *for_node[slot].at(node).first()? as usize;
                Some(self.sent.slots[slot].payload(index)[bit % payload_bits])
            }
            _ => None,
        })
    }

    /// A routing for each slot, of the kind of this round.
    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let carries = match self.setup.amount {
            Amount::Processors(_) => Carries::Contractions,
            Amount::Batches(_) | Amount::Relation(_) => Carries::Partial,
        };
        let later = |slot: usize| {
            let seed = self.setup.seed.wrapping_add(slot as u64);
            Later::of(round, carries, seed)
        };
        let slots = (0..self.job.slots).map(|slot| {
            let (cube, payload_bits) = (self.job.cube, self.job.size.payload_bits);
            later(slot).traffic(cube, payload_bits)
        });
        let name = later(0).name();
        let setup = Setup {
            traffic_file: None,
            ..self.setup.clone()
        };
        let mut carrying = Carrying {
            job: Job::new(&setup)?,
            sent: Sent::in_slots(slots.collect::<Result<_, _>>()?, name.clone(), None),
            setup,
            deliveries: None,
            foreseen: None,
        };
        carrying.foresee()?;
        let name = match self.setup.amount {
            Amount::Batches(1) | Amount::Relation(1) | Amount::Processors(1) => name,
            _ => format!("{name} and those that follow"),
        };
        Ok((Box::new(carrying), name))
    }

    fn legend(&self) -> Vec<String> {
        let rows: &[&str] = match self.setup.amount {
            Amount::Batches(_) => &[
                "3->9/2 = message 3->9 of batch 2",
                "mark #2: batch 2 begins",
            ],
            Amount::Relation(_) => &["3->9/2 = message 2 of node 3, for node 9"],
            Amount::Processors(_) => &["3->9/2 = processor 2's message, 3->9"],
        };
        rows.iter().map(|row| (*row).to_owned()).collect()
    }

    /// The ends of a message that goes a long way.
    fn interesting(&self) -> Vec<usize> {
        let first = self
            .sent
            .slots
            .iter()
            .find(|traffic| !traffic.messages().is_empty());
        let farthest = first.and_then(|traffic| {
            let all = traffic.messages();
            let all = all
                .iter()
                .map(|message| (message.source, message.destination));
            all.max_by_key(|(source, destination)| (source ^ destination).count_ones())
        });
        let nodes = self.job.cube.nodes();
        let Some((source, destination)) = farthest else {
            return (0..nodes.min(2)).collect();
        };
        let mut shown = vec![source];
        shown.extend((destination != source).then_some(destination));
        shown
    }
}
