//! What is asked for, worked out: the schedule's machine, and how far batches are apart.

use rtl_model::machine::arrivals::Arrivals;
use rtl_model::machine::device::Device;
use rtl_model::machine::router::ClosedForm;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::batches::AnyPipeline;
use rtl_model::routers::kuszmaul::batches::router::{MAX_BATCHES, MAX_INTERVAL};
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::routers::permutation::Size;
use rtl_model::traffic::{ByDestination, Traffic, check_payload_bits, file};

use crate::error::Error;
use crate::families::relations::options::{Amount, MOST_H, Setup};
use crate::families::relations::schedules::{Entry, Way};
use crate::lockstep::{Beside, Requirement};

/// What is asked for.
pub struct Job {
    /// The schedule.
    pub schedule: &'static Entry,
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
}

impl Job {
    /// As asked for.
    ///
    /// # Errors
    /// What is refused of the setup.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        let (schedule, cube) = (setup.schedule()?, setup.cube()?);
        let size = Size {
            dimensions: cube.count(),
            payload_bits: check_payload_bits(setup.payload_bits())?,
        };
        let slots = setup.amount.slots();
        let range = match setup.amount {
            Amount::Batches(_) => None,
            Amount::Relation(_) if schedule.is_pipeline() => Some(("--h", MAX_BATCHES)),
            Amount::Relation(_) => Some(("--h", MOST_H)),
            Amount::Processors(_) => Some(("--processors", MAX_BATCHES)),
        };
        if let Some((option, most)) = range
            && !(1..=most).contains(&slots)
        {
            return Err(Error::List {
                option,
                why: format!("{slots} is out of range: choose 1 to {most}"),
            });
        }
        let (interval, device): (_, Box<dyn Device>) = match schedule.way {
            Way::Pipeline(pipeline) => {
                let interval = interval(*pipeline, size, setup.interval)?;
                let payload_bits = size.payload_bits;
                let device = pipeline.device(cube, payload_bits, slots, Some(interval))?;
                (Some(interval), device)
            }
            Way::Counting if setup.interval.is_some() => {
                return Err(Error::Refused {
                    by: "kuszmaul",
                    why: "schedule counting has no batches, so no interval between them: leave --interval out, or \
                          choose a schedule that sends batches"
                        .to_owned(),
                });
            }
            Way::Counting => {
                let router = CountingRouter::new(cube, size.payload_bits, slots)?;
                (None, router.device())
            }
        };
        Ok(Job {
            schedule,
            cube,
            size,
            slots,
            interval,
            device,
        })
    }

    /// The pipeline, where messages go in batches.
    pub fn pipeline(&self) -> Option<&'static dyn AnyPipeline> {
        match self.schedule.way {
            Way::Pipeline(pipeline) => Some(*pipeline),
            Way::Counting => None,
        }
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

    /// The closed form of the serial adders of a node.
    pub fn serial_adders(&self) -> Result<ClosedForm, Error> {
        Ok(match self.pipeline() {
            Some(pipeline) => pipeline.serial_adders(self.size),
            None => {
                let Size { payload_bits, .. } = self.size;
                CountingRouter::new(self.cube, payload_bits, self.slots)?.serial_adders()
            }
        })
    }

    /// What a run takes.
    pub fn requirement(&self) -> Requirement {
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

    /// Wires that a node drives.
    pub fn wires_of_node(&self) -> usize {
        Topology::links(&*self.device.topology())
    }
}

/// The interval that is asked for, if batches can follow so soon.
fn interval(pipeline: &dyn AnyPipeline, size: Size, asked: Option<usize>) -> Result<usize, Error> {
    let smallest = pipeline.smallest_interval(size);
    let refused = |why| Error::List {
        option: "--interval",
        why,
    };
    if let Some(interval @ (0 | MAX_INTERVAL..)) = asked {
        let why = format!(
            "{interval} is out of range: choose {smallest} to {}",
            MAX_INTERVAL - 1
        );
        return Err(refused(why));
    }
    match asked.and_then(|interval| pipeline.conflict(size, interval)) {
        None => Ok(asked.unwrap_or(smallest)),
        Some([one, other]) => Err(refused(format!(
            "at {} bit times {} and {} of two batches would have a wire across dimension {} at a time; the smallest interval is \
             {smallest}, {} for k = {} and D = {}",
            asked.unwrap_or(smallest),
            one.unit,
            other.unit,
            one.dimension,
            pipeline.interval(size).text,
            size.dimensions,
            size.payload_bits
        ))),
    }
}
