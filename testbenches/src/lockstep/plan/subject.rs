//! What is planned: a machine with its traffic, of which nothing is drawn or built, and smaller ones of its kind, which are.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::device::Device;

use crate::error::Error;
use crate::lockstep::family::Bench;
use crate::lockstep::options::Setup;
use crate::lockstep::requirement::Requirement;
use crate::lockstep::stimulus::{Identity, Stimulus};

/// A machine in lockstep that can be planned.
pub trait Subject {
    /// What it is.
    ///
    /// # Errors
    /// A schedule that there is not.
    fn identity(&self) -> Result<Identity, Error>;

    /// Dimensions of its cube.
    ///
    /// # Errors
    /// Out of range.
    fn dims(&self) -> Result<usize, Error>;

    /// The machine.
    ///
    /// # Errors
    /// What is refused of its size.
    fn device(&self) -> Result<Box<dyn Device>, Error>;

    /// What a run of it takes.
    ///
    /// # Errors
    /// As [`Subject::device`].
    fn requirement(&self) -> Result<Requirement, Error>;

    /// Refuses traffic that a run would refuse, as far as that is known without drawing or reading any.
    ///
    /// # Errors
    /// What is refused of it.
    fn check_traffic(&self) -> Result<(), Error>;

    /// The same of so many dimensions.
    fn with_dims(&self, dims: usize) -> Box<dyn Subject>;

    /// One like it of so many dimensions with its traffic, drawn like its own as far as it can be.
    ///
    /// # Errors
    /// What is refused of it.
    fn sample(&self, dims: usize) -> Result<Box<dyn Stimulus>, Error>;
}

/// A testbench of a family, and what it is asked for.
pub(in crate::lockstep) struct OfFamily {
    pub bench: Bench,
    pub setup: Setup,
}

impl OfFamily {
    fn setup(&self, dims: usize) -> Setup {
        Setup {
            dims: Some(dims),
            ..self.setup.clone()
        }
    }
}

impl Subject for OfFamily {
    fn identity(&self) -> Result<Identity, Error> {
        self.bench.identity(&self.setup)
    }

    fn dims(&self) -> Result<usize, Error> {
        Ok(self.setup.dimensions()?.count())
    }

    fn device(&self) -> Result<Box<dyn Device>, Error> {
        // A name that is none is refused here too, where nothing is drawn.
        self.setup.traffic_name(self.bench.default_pattern())?;
        self.bench.device(&self.setup)
    }

    fn requirement(&self) -> Result<Requirement, Error> {
        self.bench.requirement(&self.setup)
    }

    fn check_traffic(&self) -> Result<(), Error> {
        let is_listed = self.requirement()?.is_listed();
        (self.setup).check_traffic(self.bench.default_pattern(), is_listed)
    }

    fn with_dims(&self, dims: usize) -> Box<dyn Subject> {
        Box::new(OfFamily {
            bench: self.bench,
            setup: self.setup(dims),
        })
    }

    /// A file is of one size only; and one pattern is not there in cubes of every size.
    fn sample(&self, dims: usize) -> Result<Box<dyn Stimulus>, Error> {
        let setup = Setup {
            traffic_file: None,
            ..self.setup(dims)
        };
        let default = || Setup {
            traffic: None,
            ..setup.clone()
        };
        match self.bench.stimulus(&setup) {
            Err(Error::Model(ModelError::NoTransposeAtOddDimensions { .. })) => {
                self.bench.stimulus(&default())
            }
            drawn => drawn,
        }
    }
}
