//! How much nodes create.

use crate::error::Error;
use crate::error::refusal::Refusal;

/// Message bits that each node creates in a bit time, on average; headers do not count. At 1 a node
/// creates as much as a data wire to the network carries.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct OfferedLoad(f64);

impl OfferedLoad {
    /// A load of `load` bits a node and bit time.
    ///
    /// # Errors
    /// A load, unless it is more than 0 and at most 1.
    pub fn new(load: f64) -> Result<Self, Error> {
        Self::over(load, 1)
    }

    /// The same of a host with so many data wires to its node.
    ///
    /// # Errors
    /// A load, unless it is more than 0 and at most as many.
    pub fn over(load: f64, wires: usize) -> Result<Self, Error> {
        if load > 0.0 && load <= wires as f64 {
            Ok(OfferedLoad(load))
        } else {
            Err(
                Refusal::of(format!("an offered load of {load} is out of range"))
                    .because(format!(
                        "it is the message bits that a node creates in a bit time, on average, more than 0 and at most {wires}"
                    ))
                    .into(),
            )
        }
    }

    /// Bits a node and bit time.
    pub fn bits_per_bit_time(self) -> f64 {
        self.0
    }
}
