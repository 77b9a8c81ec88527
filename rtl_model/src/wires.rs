//! What a node drives onto its wires in one bit time.

use crate::bit::Bit;
use crate::topology::hypercube::MAX_DIMENSIONS;

/// Which unit drives which dimension's wire in this bit time. Strobes are the same in every node, so
/// one ledger serves all of them.
#[derive(Clone, Debug)]
pub struct Ledger {
    drivers: [&'static str; MAX_DIMENSIONS],
    driven: u32,
    /// Wires that hold a bit of this bit time: driven, or perhaps driven.
    written: u32,
    conflict: Option<Conflict>,
}

/// Two units drove one wire in one bit time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The wire's dimension.
    pub dimension: usize,
    /// The unit that drove it first.
    pub first: &'static str,
    /// The unit that drove it as well.
    pub second: &'static str,
}

impl Ledger {
    /// Nothing driven.
    pub fn new() -> Self {
        Ledger {
            drivers: [""; MAX_DIMENSIONS],
            driven: 0,
            written: 0,
            conflict: None,
        }
    }

    /// Begins the next node: its wires are idle.
    #[inline]
    pub fn release(&mut self) {
        self.driven = 0;
        self.written = 0;
    }

    /// Whether a unit drives the wire of `dimension`.
    #[inline]
    pub fn is_driven(&self, dimension: usize) -> bool {
        self.driven >> dimension & 1 == 1
    }

    /// The unit that drives the wire of `dimension`, if any.
    pub fn driver(&self, dimension: usize) -> Option<&'static str> {
        self.is_driven(dimension).then(|| self.drivers[dimension])
    }

    /// Dimensions whose wires are driven.
    pub fn driven(&self) -> impl Iterator<Item = usize> + use<> {
        let driven = self.driven;
        (0..MAX_DIMENSIONS).filter(move |dimension| driven >> dimension & 1 == 1)
    }

    /// The first conflict since this ledger was made.
    pub fn conflict(&self) -> Option<Conflict> {
        self.conflict
    }

    #[inline]
    fn claim(&mut self, dimension: usize, driver: &'static str) {
        if self.is_driven(dimension) {
            self.conflict.get_or_insert(Conflict {
                dimension,
                first: self.drivers[dimension],
                second: driver,
            });
        }
        self.drivers[dimension] = driver;
        self.driven |= 1 << dimension;
    }
}

impl Default for Ledger {
    fn default() -> Self {
        Self::new()
    }
}

/// The outgoing wires of a node (or of a lane group), one for each dimension.
pub struct Transmit<'a, B> {
    wires: &'a mut [B],
    ledger: &'a mut Ledger,
}

impl<'a, B: Bit> Transmit<'a, B> {
    /// Writes to `wires[dimension]` and keeps the ledger.
    pub fn new(wires: &'a mut [B], ledger: &'a mut Ledger) -> Self {
        ledger.release();
        Transmit { wires, ledger }
    }

    /// Unit `driver` drives `bit` onto the wire of `dimension` while `strobe` is 1. A second driver is
    /// a conflict, and the wire the OR of both. A unit whose strobe is not known claims nothing, and
    /// gives 0 while its strobe is 0.
    #[inline]
    pub fn drive(
        &mut self,
        dimension: usize,
        driver: &'static str,
        strobe: B::Strobe,
        bit: impl FnOnce() -> B,
    ) {
        if strobe.is_known_zero() {
            return;
        }
        let bit = B::gated(strobe, bit);
        self.wires[dimension] = if self.ledger.written >> dimension & 1 == 1 {
            self.wires[dimension] | bit
        } else {
            bit
        };
        self.ledger.written |= 1 << dimension;
        if strobe.is_known_one() {
            self.ledger.claim(dimension, driver);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_driver_is_a_conflict_that_names_both() {
        let mut wires = [false; 3];
        let mut ledger = Ledger::new();
        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        transmit.drive(1, "exchange", true, || true);
        transmit.drive(2, "packing", true, || false);
        transmit.drive(1, "packing", false, || unreachable!("idle"));
        assert_eq!(ledger.conflict(), None);
        assert_eq!(ledger.driven().collect::<Vec<_>>(), [1, 2]);

        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        transmit.drive(1, "exchange", true, || false);
        transmit.drive(1, "enumeration", true, || true);
        assert_eq!(
            ledger.conflict(),
            Some(Conflict {
                dimension: 1,
                first: "exchange",
                second: "enumeration"
            })
        );
        assert!(wires[1]);
    }
}
