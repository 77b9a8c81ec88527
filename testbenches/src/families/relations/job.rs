//! What is asked for, worked out: the schedule's machine, and how far batches are apart.

use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::arrivals::Arrivals;
use rtl_model::machine::device::Device;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::batches::AnyPipeline;
use rtl_model::routers::kuszmaul::batches::router::{MAX_BATCHES, MAX_INTERVAL};
use rtl_model::routers::kuszmaul::counting::{CountingRouter, MAX_MESSAGES};
use rtl_model::routers::permutation::Size;
use rtl_model::traffic::{ByDestination, Traffic, check_payload_bits, file};

use crate::error::Error;
use crate::error::refusal::{Refusal, not_by, out_of_range};
use crate::families::relations::parameters::{Amount, DIMS, INTERVAL, PAYLOAD_BITS};
use crate::families::relations::schedules::{self, Entry};
use crate::families::relations::stimulus::Carrying;
use crate::lockstep::{Beside, Requirement, Stimulus};
use crate::testbench::bench::{self, AnyMachine};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::Parameter;

/// What is asked for.
pub struct Job {
    /// By what it was asked for.
    pub chosen: Chosen,
    /// For what a node has several messages.
    pub amount: Amount,
    /// The schedule.
    pub entry: &'static Entry,
    /// The cube.
    pub cube: Dimensions,
    /// The cube and its messages.
    pub size: Size,
    /// Messages that a node may begin with, and end with.
    pub slots: usize,
    /// Bit times from one batch to the next, where there are batches.
    pub interval: Option<usize>,
    /// The machine.
    pub device: Box<dyn Device>,
    /// The closed form of the serial adders of a node.
    pub serial_adders: ClosedForm,
}

impl Job {
    /// As asked for.
    ///
    /// # Errors
    /// Whatever is out of range; batches that cannot follow so soon.
    pub fn new(chosen: &Chosen) -> Result<Self, Error> {
        let entry = schedules::chosen(chosen)?;
        let cube = Dimensions::new(chosen.number(&DIMS))?;
        let size = Size {
            dimensions: cube.count(),
            payload_bits: check_payload_bits(chosen.number(&PAYLOAD_BITS))?,
        };
        let amount = Amount::of(chosen);
        let slots = chosen.number(amount.parameter());
        let most = match entry.pipeline {
            Some(_) => MAX_BATCHES,
            None => MAX_MESSAGES,
        };
        // Of batches the model says so.
        if !amount.is_batches() && !(1..=most).contains(&slots) {
            return Err(out_of_range(amount.parameter().option, slots, 1..=most).into());
        }
        let asked = chosen.whole(&INTERVAL);
        let (interval, device, serial_adders) = match entry.pipeline {
            Some(pipeline) => {
                let interval = Some(interval(*pipeline, size, asked)?);
                let device = pipeline.device(cube, size.payload_bits, slots, interval)?;
                (interval, device, size.form(pipeline.forms().serial_adders))
            }
            None if asked.is_some() => {
                return Err(not_by(
                    "kuszmaul",
                    "schedule counting has no batches, so no interval between them: leave --interval out, or choose a schedule that \
                     sends batches",
                ));
            }
            None => {
                let router = CountingRouter::new(cube, size.payload_bits, slots)?;
                (None, router.device(), router.serial_adders())
            }
        };
        Ok(Job {
            chosen: chosen.clone(),
            amount,
            entry,
            cube,
            size,
            slots,
            interval,
            device,
            serial_adders,
        })
    }

    /// The pipeline, where messages go in batches.
    pub fn pipeline(&self) -> Option<&'static dyn AnyPipeline> {
        self.entry.pipeline.copied()
    }

    /// Wires that a node drives across each dimension.
    pub fn wires(&self) -> Vec<usize> {
        match self.pipeline() {
            Some(pipeline) => pipeline.wires(self.cube),
            None => vec![1; self.cube.count()],
        }
    }

    /// Bit times from the beginning until that batch has arrived; of all messages, where there are no batches.
    pub fn arrived(&self, batch: usize) -> u64 {
        let last = self.slots - 1;
        let later = self
            .interval
            .map_or(0, |interval| (last - batch) * interval);
        self.device.bit_times().value - later as u64
    }

    /// Wires that a node drives.
    pub fn wires_of_node(&self) -> usize {
        Topology::links(&*self.device.topology())
    }
}

impl bench::Job for Job {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(&*self.device)
    }

    fn requirement(&self) -> Requirement {
        let (cube, payload_bits) = (self.cube, self.size.payload_bits);
        let slots = self.slots as u64;
        let before = Traffic::drawing_bytes(cube, payload_bits)
            .max(slots * file::reading_bytes(cube, payload_bits));
        let of_slot = Traffic::bytes(cube, payload_bits)
            + Arrivals::bytes(cube, payload_bits)
            + ByDestination::bytes(cube);
        Requirement::of(
            &*self.device,
            Beside {
                before,
                beside: 2 * slots * of_slot,
            },
        )
    }

    fn schedule(&self) -> Option<&'static str> {
        (self.amount != Amount::Processors).then_some(self.entry.name)
    }

    /// Of a cube whose wires are redundant too.
    fn dimensions(&self) -> Option<Dimensions> {
        Some(self.cube)
    }

    fn choice(&self) -> Option<&'static str> {
        self.schedule()
    }

    fn relies_on(&self) -> Option<&'static str> {
        Some(match (self.amount, self.pipeline()) {
            (Amount::Processors, _) => {
                "in a pass no two messages end farther apart, as vertex numbers, than they began"
            }
            (_, Some(_)) => "in a batch no two messages have the same destination",
            (_, None) => "no node receives more messages than its list has slots",
        })
    }

    fn found(&self) -> Vec<(&'static Parameter, Given)> {
        let interval = self
            .interval
            .map(|interval| (&INTERVAL, Given::number(interval)));
        interval.into_iter().collect()
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Ok(Box::new(Carrying::new(*self)?))
    }
}

/// The interval that is asked for, if batches can follow so soon.
fn interval(pipeline: &dyn AnyPipeline, size: Size, asked: Option<usize>) -> Result<usize, Error> {
    let smallest = pipeline.smallest_interval(size);
    if let Some(interval @ (0 | MAX_INTERVAL..)) = asked {
        return Err(out_of_range("--interval", interval, smallest..=MAX_INTERVAL - 1).into());
    }
    match asked.and_then(|interval| pipeline.conflict(size, interval)) {
        None => Ok(asked.unwrap_or(smallest)),
        Some([one, other]) => Err(Refusal::of("--interval").because(format!(
            "at {} bit times {} and {} of two batches would have a wire across dimension {} at a time; the smallest interval is \
             {smallest}, {} for k = {} and D = {}",
            asked.unwrap_or(smallest),
            one.unit,
            other.unit,
            one.dimension,
            size.form(pipeline.forms().interval).text,
            size.dimensions,
            size.payload_bits
        )).into()),
    }
}
