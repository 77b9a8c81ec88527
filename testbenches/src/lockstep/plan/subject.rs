//! What is planned: a machine with its traffic, of which nothing is drawn or built, and smaller ones of its kind, which are.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::device::Device;

use crate::error::Error;
use crate::lockstep::parameters::{DIMS, TRAFFIC, TRAFFIC_FILE};
use crate::lockstep::requirement::Requirement;
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::testbench::bench::{Job, with_traffic};
use crate::testbench::chosen::{Chosen, Given};

/// What is planned.
pub struct Subject(pub Chosen);

impl Subject {
    fn job(&self) -> Result<Box<dyn Job>, Error> {
        (self.0.bench().job)(&self.0)
    }

    /// What it is.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn identity(&self) -> Result<Identity, Error> {
        Ok(self.0.bench().identity(&*self.job()?))
    }

    /// Dimensions of its cube.
    pub fn dims(&self) -> usize {
        self.0.number(&DIMS)
    }

    /// The machine.
    ///
    /// # Errors
    /// What is refused of its size.
    pub fn device(&self) -> Result<Box<dyn Device>, Error> {
        let (job, bench) = (self.job()?, self.0.bench());
        let device = job.machine().device().map(Device::another);
        device.ok_or_else(|| bench.not_planned())
    }

    /// What a run of it takes.
    ///
    /// # Errors
    /// As [`Subject::device`].
    pub fn requirement(&self) -> Result<Requirement, Error> {
        Ok(self.job()?.requirement())
    }

    /// Refuses traffic that a run would refuse, as far as that is known without drawing or reading any.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn check_traffic(&self) -> Result<(), Error> {
        self.job()?.check_traffic()
    }

    /// The same of so many dimensions; without options of its testbench alone, if there is no such machine with them.
    pub fn with_dims(&self, dims: usize) -> Self {
        let of_dims = self.0.clone().with(&DIMS, Given::number(dims));
        match (of_dims.bench().job)(&of_dims) {
            Ok(_) => Subject(of_dims),
            Err(_) => Subject(of_dims.without_own()),
        }
    }

    /// One like it of so many dimensions with its traffic, drawn like its own as far as it can be: a file is of one size only, and
    /// one pattern is not there in cubes of every size.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn sample(&self, dims: usize) -> Result<Box<dyn Stimulus>, Error> {
        let sample = self.with_dims(dims).0.with(&TRAFFIC_FILE, None);
        let stimulus = |chosen: &Chosen| with_traffic((chosen.bench().job)(chosen)?);
        match stimulus(&sample) {
            Err(Error::Model(ModelError::NoTransposeAtOddDimensions { .. })) => {
                stimulus(&sample.with(&TRAFFIC, None))
            }
            drawn => drawn,
        }
    }
}
