//! A relaxation that is asked for: the phase of a sweep, and the points that processes share.

use rtl_model::machine::device::Device;

use crate::error::Error;
use crate::families::embeddings::job::{Guest, Job};
use crate::families::embeddings::parameters::{ORDER_IF_OTHER, PACKETS, START_UP};
use crate::families::embeddings::relaxation::parameters::{
    DIMS_OF_GRID, GRID, POINTS, WORD_BITS, points, processes,
};
use crate::families::embeddings::relaxation::stimulus::Relaxing;
use crate::lockstep::{Beside, Requirement, Stimulus};
use crate::testbench::bench;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::Parameter;

/// What is asked for, worked out.
pub struct Relaxation {
    /// The phase of a sweep: every process sends to its four neighbours.
    pub job: Job,
    /// Processes of a side of the torus.
    pub processes: usize,
    /// Points of a side of the torus.
    pub points: usize,
}

impl Relaxation {
    /// As asked for.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn new(chosen: &Chosen) -> Result<Self, Error> {
        let (points, processes) = (points(chosen)?, processes(chosen)?);
        let mut guest = Guest::of(chosen)?;
        guest.embedding = guest.embedding.both_ways();
        let bits = points / processes * chosen.number(&WORD_BITS);
        Ok(Relaxation {
            job: Job::sending(chosen, guest, (chosen.whole(&PACKETS), bits))?,
            processes,
            points,
        })
    }

    /// Bits of a point.
    pub fn word_bits(&self) -> usize {
        self.job.chosen.number(&WORD_BITS)
    }
}

impl bench::Job for Relaxation {
    fn device(&self) -> &dyn Device {
        self.job.machine.as_device()
    }

    /// The machine, the messages, and the points as they begin, as new and old blocks and as a torus twice. Bit times are those of a
    /// sweep.
    fn requirement(&self) -> Requirement {
        let points = 5 * 8 * (self.points * self.points) as u64;
        let Beside { before, beside } = self.job.beside();
        let beside = Beside {
            before: before + points,
            beside: beside + points,
        };
        Requirement::of(self.device(), beside)
    }

    fn choice(&self) -> Option<&'static str> {
        Some(self.job.name)
    }

    fn said(&self) -> &'static [&'static Parameter] {
        &[
            &GRID,
            &DIMS_OF_GRID,
            &POINTS,
            &WORD_BITS,
            &PACKETS,
            &ORDER_IF_OTHER,
            &START_UP,
        ]
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Ok(Box::new(Relaxing::new(*self)?))
    }
}
