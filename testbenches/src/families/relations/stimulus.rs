//! A router of several messages a node and its traffic: loads it, reads what has arrived, judges.

use rtl_model::machine::arrivals::Passed;
use std::fmt::Display;

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
use crate::error::refusal::not_by;
use crate::families::relations::job::Job;
use crate::families::relations::parameters::{Amount, TRAFFIC_FILE};
use crate::families::relations::schedules::Entry;
use crate::families::relations::traffic::{Sent, sent};
use crate::families::relations::{report, score};
use crate::lockstep::{Carries, Ended, Later, Stimulus, Verdict};
use crate::output::Staged;
use crate::progress::in_stage;
use crate::report::Section;

/// A router and its traffic.
pub struct Carrying {
    pub(super) job: Job,
    pub(super) sent: Sent,
    /// Where messages come in any order, what nodes hold in the end.
    foreseen: Option<SlotArrivals>,
}

impl Carrying {
    /// With traffic that is drawn or read.
    ///
    /// # Errors
    /// Files that cannot be used, more messages of a node than are allowed.
    pub fn new(job: Job) -> Result<Self, Error> {
        Ok(Carrying {
            sent: sent(&job)?,
            job,
            foreseen: None,
        })
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
            // So that what arrived goes in the same batches again.
            let is_batches = self.job.amount.is_batches();
            let heading = ["node", "source", "payload", "bit_time", "batch"];
            let columns = if is_batches { 5 } else { 4 };
            writer.write_record(&heading[..columns])?;
            for node in 0..self.job.cube.nodes() {
                for slot in 0..self.job.slots {
                    let Some(payload) = arrived.at(node, slot) else {
                        continue;
                    };
                    let source = parts[slot / together].source(node, payload);
                    let row = [
                        node.to_string(),
                        source.map_or(String::new(), |source| source.to_string()),
                        hexadecimal(payload),
                        self.job.arrived(slot).to_string(),
                        slot.to_string(),
                    ];
                    writer.write_record(&row[..columns])?;
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
            Some(fault) => Err(not_by(
                "kuszmaul",
                format!("the simulation is wrong, so nothing can be held against it: {fault}"),
            )),
        }
    }
}

impl Stimulus for Carrying {
    fn device(&self) -> &dyn Device {
        &*self.job.device
    }

    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        slots::load_watched(machine, &self.sent.slots, passed)
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

    /// Only a project's file of its traffic has a use for the relation: read again, it is to give the same matchings.
    fn begin(&mut self, _deliveries: bool) -> Result<(), Error> {
        self.sent.relation = None;
        Ok(())
    }

    fn judge(&mut self, mut run: Ended<'_>) -> Result<Verdict, Error> {
        let (output, measurement) = (run.deliveries(), run.measurement);
        let (machine, quiet) = (run.machine, run.quiet);
        let (slots, payload_bits) = (self.job.slots, self.job.size.payload_bits);
        let arrived = in_stage(("unloading", machine.nodes()), quiet, |passed| {
            SlotArrivals::read_watched(&*machine, slots, payload_bits, passed)
        })?;
        drop(machine);
        if let Some(output) = output {
            self.write_deliveries(output, &arrived)?;
        }
        let score = self.score(&arrived);
        Ok(report::verdict(self, measurement, &score))
    }

    /// Batches are told apart by a column of their own. The messages of an h-relation stand in the order in which they were given.
    fn traffic_file(&self) -> String {
        let row =
            |from: usize, to: usize, payload| format!("{from},{to},{}\n", hexadecimal(payload));
        let heading = "source,destination,payload\n";
        if let Some(relation) = &self.sent.relation {
            let all = relation.messages().iter().enumerate();
            let rows =
                all.map(|(index, one)| row(one.source, one.destination, relation.payload(index)));
            return heading.to_owned() + &rows.collect::<String>();
        }
        let batch = |batch: &dyn Display| match self.job.amount {
            Amount::Batches => format!("{batch},"),
            Amount::Relation | Amount::Processors => String::new(),
        };
        let mut text = batch(&"batch") + heading;
        for node in 0..self.job.cube.nodes() {
            for (slot, traffic) in self.sent.slots.iter().enumerate() {
                if let Some(index) = traffic.index_from(node) {
                    text += &batch(&slot);
                    text += &row(node, traffic.destination(index), traffic.payload(index));
                }
            }
        }
        text
    }

    fn order_is_due(&self) -> bool {
        self.job.pipeline().is_some()
    }

    fn foresee(&mut self) -> Result<(), Error> {
        if self.job.pipeline().is_none() {
            self.foreseen = Some(self.ran()?);
        }
        Ok(())
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
        let carries = match self.job.amount {
            Amount::Processors => Carries::Contractions,
            Amount::Batches | Amount::Relation => Carries::Partial,
        };
        let (chosen, slots) = (&self.job.chosen, self.job.slots);
        let later = |slot: usize| {
            let seed = chosen.seed().wrapping_add(slot as u64);
            Later::of(round, carries, seed)
        };
        let traffic = |slot| later(slot).traffic(self.job.cube, self.job.size.payload_bits);
        let traffic = (0..slots).map(traffic).collect::<Result<_, _>>()?;
        let name = later(0).name();
        let mut carrying = Carrying {
            job: Job::new(&chosen.clone().with(&TRAFFIC_FILE, None))?,
            sent: Sent::in_slots(traffic, name.clone(), None),
            foreseen: None,
        };
        carrying.foresee()?;
        let name = match slots {
            1 => name,
            _ => format!("{name} and those that follow"),
        };
        Ok((Box::new(carrying), name))
    }

    fn legend(&self) -> Vec<String> {
        let rows: &[&str] = match self.job.amount {
            Amount::Batches => &[
                "3->9/2 = message 3->9 of batch 2",
                "stage_0 2:pack = batch 2 is packed in stage 0",
            ],
            Amount::Relation => &[
                "3->9/2 = message 2 of node 3, for node 9",
                "pass h: slot h of the lists, of which even and odd iterations read one each",
            ],
            Amount::Processors => &["3->9/2 = processor 2's message, 3->9"],
        };
        let Entry { name, models, .. } = self.job.entry;
        let what = format!("{name}: {models}");
        let names = rows.iter().map(|row| (*row).to_owned());
        [what].into_iter().chain(names).collect()
    }

    /// A pipeline's are those of its stages: its sequencer counts when batches begin.
    fn iterations(&self) -> Option<&'static str> {
        self.job.entry.pipeline.map(|_| "interval")
    }

    fn facts(&self) -> Section {
        report::facts(&self.job)
    }

    /// The ends of a message that goes a long way.
    fn interesting(&self) -> Vec<usize> {
        let farthest = |traffic: &Traffic| {
            let all = traffic.messages().iter();
            let ends = all.map(|one| (one.source, one.destination));
            ends.max_by_key(|(source, destination)| (source ^ destination).count_ones())
        };
        match self.sent.slots.iter().find_map(farthest) {
            None => (0..self.job.cube.nodes().min(2)).collect(),
            Some((source, destination)) if source == destination => vec![source],
            Some((source, destination)) => vec![source, destination],
        }
    }
}
