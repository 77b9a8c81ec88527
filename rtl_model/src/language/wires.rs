//! What a node drives onto its wires in one bit time.

use crate::language::bit::Bit;

/// Which unit drives which wire in this bit time. A unit that the sequencer strobes drives its wire
/// in every node or in none, so one entry serves all nodes; where nodes decide for themselves, the
/// ledger looks at lanes.
#[derive(Clone, Debug)]
pub struct Ledger<B> {
    drivers: Vec<&'static str>,
    /// Wires that a unit is known to drive, 64 to a word.
    driven: Vec<u64>,
    /// Wires that hold a bit of this bit time: driven, or perhaps driven.
    written: Vec<u64>,
    /// By wire: the nodes in which it is driven, where nodes decide for themselves.
    claimed: Vec<B>,
    /// The nodes in which a wire is driven twice.
    clash: B,
    conflict: Option<Conflict<B>>,
    /// Who drives what when, where logic is written down.
    drives: Vec<Drive<B>>,
}

/// A unit that drives a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drive<B> {
    /// The wire.
    pub wire: usize,
    /// The unit.
    pub driver: &'static str,
    /// 1 while it does.
    pub enable: B,
}

/// Two units drove one wire in one bit time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict<B> {
    /// The wire.
    pub wire: usize,
    /// The unit that drove it first.
    pub first: &'static str,
    /// The unit that drove it as well.
    pub second: &'static str,
    /// The nodes in which both did.
    pub nodes: B,
}

impl<B: Bit> Ledger<B> {
    /// Of so many wires, none of them driven.
    pub fn new(wires: usize) -> Self {
        Ledger {
            drivers: vec![""; wires],
            driven: vec![0; wires.div_ceil(64)],
            written: vec![0; wires.div_ceil(64)],
            claimed: Vec::new(),
            clash: B::ZERO,
            conflict: None,
            drives: Vec::new(),
        }
    }

    /// Begins anew: no wire is driven, and none was driven twice.
    pub fn begin(&mut self) {
        self.release();
        self.conflict = None;
    }

    /// Begins the next node: its wires are idle.
    #[inline]
    pub fn release(&mut self) {
        self.driven.fill(0);
        self.written.fill(0);
        self.claimed.fill(B::ZERO);
        self.clash = B::ZERO;
        if B::WRITES_LOGIC {
            self.drives.clear();
        }
    }

    /// Whether a unit drives the wire.
    #[inline]
    pub fn is_driven(&self, wire: usize) -> bool {
        self.driven[wire / 64] >> (wire % 64) & 1 == 1
    }

    /// The unit that drives the wire, if any.
    pub fn driver(&self, wire: usize) -> Option<&'static str> {
        self.is_driven(wire).then(|| self.drivers[wire])
    }

    /// Wires that are driven.
    #[inline]
    pub fn driven(&self) -> impl Iterator<Item = usize> + '_ {
        self.driven.iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let wire = (left != 0).then(|| 64 * index + left.trailing_zeros() as usize);
                left &= left.wrapping_sub(1);
                wire
            })
        })
    }

    /// Who drives what when, where logic is written down: all units that may drive the wires of the node that was run last.
    pub fn drives(&self) -> &[Drive<B>] {
        &self.drives
    }

    /// Notes a unit that may drive a wire, where logic is written down.
    #[inline(always)]
    fn note(&mut self, wire: usize, driver: &'static str, enable: impl FnOnce() -> B) {
        if B::WRITES_LOGIC {
            let enable = enable();
            self.drives.push(Drive {
                wire,
                driver,
                enable,
            });
        }
    }

    /// The nodes, of those that are looked at now, in which two units drive one wire.
    pub fn clash(&self) -> B {
        self.clash
    }

    /// The first conflict since this ledger was made or [begun anew](Ledger::begin).
    pub fn conflict(&self) -> Option<Conflict<B>> {
        self.conflict
    }

    /// Whether the wire holds a bit of this bit time already; from now on it does.
    #[inline]
    fn write(&mut self, wire: usize) -> bool {
        let word = &mut self.written[wire / 64];
        let before = *word >> (wire % 64) & 1 == 1;
        *word |= 1 << (wire % 64);
        before
    }

    #[inline]
    fn claim(&mut self, wire: usize, driver: &'static str) {
        if self.is_driven(wire) {
            // Of nodes that decide for themselves, not all may drive it.
            let both = self.claimed.get(wire).copied().unwrap_or(B::ONE);
            self.contest(wire, driver, both);
        }
        if let Some(claimed) = self.claimed.get_mut(wire) {
            *claimed = B::ONE;
        }
        self.drivers[wire] = driver;
        self.driven[wire / 64] |= 1 << (wire % 64);
    }

    /// In these nodes a wire is driven that has a driver.
    #[inline]
    fn contest(&mut self, wire: usize, second: &'static str, nodes: B) {
        if !nodes.is_known_zero() {
            self.clash = self.clash | nodes;
            self.conflict.get_or_insert(Conflict {
                wire,
                first: self.drivers[wire],
                second,
                nodes,
            });
        }
    }

    #[inline]
    fn claim_where(&mut self, wire: usize, driver: &'static str, nodes: B) {
        if self.claimed.is_empty() {
            let claimed = (0..self.drivers.len()).map(|wire| match self.is_driven(wire) {
                true => B::ONE,
                false => B::ZERO,
            });
            self.claimed = claimed.collect();
        }
        self.contest(wire, driver, self.claimed[wire] & nodes);
        self.claimed[wire] = self.claimed[wire] | nodes;
        self.drivers[wire] = driver;
        self.driven[wire / 64] |= 1 << (wire % 64);
    }
}

/// The outgoing wires of a node (or of a lane group).
pub struct Transmit<'a, B> {
    wires: &'a mut [B],
    ledger: &'a mut Ledger<B>,
    /// The wire that is called 0.
    first: usize,
}

impl<'a, B: Bit> Transmit<'a, B> {
    /// Writes to `wires[wire]` and keeps the ledger.
    pub fn new(wires: &'a mut [B], ledger: &'a mut Ledger<B>) -> Self {
        ledger.release();
        Transmit {
            wires,
            ledger,
            first: 0,
        }
    }

    /// The same wires from number `first` on, which is then called 0: for a part that has some of them to itself.
    #[inline]
    pub fn from(&mut self, first: usize) -> Transmit<'_, B> {
        Transmit {
            wires: self.wires,
            ledger: self.ledger,
            first: self.first + first,
        }
    }

    /// Unit `driver` drives `bit` onto the wire while `strobe` is 1. A second driver is a conflict,
    /// and the wire the OR of both. A unit whose strobe is not known claims nothing, and gives 0
    /// while its strobe is 0.
    #[inline]
    pub fn drive(
        &mut self,
        wire: usize,
        driver: &'static str,
        strobe: B::Strobe,
        bit: impl FnOnce() -> B,
    ) {
        if strobe.is_known_zero() {
            return;
        }
        let wire = self.first + wire;
        self.ledger.note(wire, driver, || B::from_strobe(strobe));
        let bit = B::gated(strobe, bit);
        self.put(wire, bit);
        if strobe.is_known_one() {
            self.ledger.claim(wire, driver);
        }
    }

    /// Unit `driver` drives `bit` onto the wire in the nodes where `enable` is 1: for nodes that
    /// decide for themselves. A second driver in one of them is a conflict. Nodes in which nobody
    /// drives send 0.
    #[inline]
    pub fn drive_where(&mut self, wire: usize, driver: &'static str, enable: B, bit: B) {
        let wire = self.first + wire;
        self.ledger.note(wire, driver, || enable);
        self.put(wire, enable & bit);
        self.ledger.claim_where(wire, driver, enable);
    }

    /// ORs a bit onto the wire.
    #[inline]
    fn put(&mut self, wire: usize, bit: B) {
        self.wires[wire] = if self.ledger.write(wire) {
            self.wires[wire] | bit
        } else {
            bit
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_driver_is_a_conflict_that_names_both() {
        let mut wires = [false; 3];
        let mut ledger = Ledger::new(3);
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
                wire: 1,
                first: "exchange",
                second: "enumeration",
                nodes: true,
            })
        );
        assert!(wires[1]);

        ledger.begin();
        assert_eq!((ledger.conflict(), ledger.driven().count()), (None, 0));
        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        transmit.drive(1, "enumeration", true, || true);
        assert_eq!(ledger.driver(1), Some("enumeration"));
        assert_eq!(ledger.conflict(), None);
    }

    #[test]
    fn a_part_that_has_the_wires_from_some_number_on_drives_those() {
        let mut wires = [false; 4];
        let mut ledger = Ledger::new(4);
        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        transmit.from(1).from(1).drive(1, "exchange", true, || true);
        transmit.from(2).drive_where(0, "switch", true, true);
        transmit.drive(3, "packing", true, || false);
        let conflict = ledger.conflict().unwrap();
        assert_eq!(
            (conflict.wire, conflict.first, conflict.second),
            (3, "exchange", "packing")
        );
        assert_eq!(wires, [false, false, true, true]);
        assert_eq!(ledger.driver(2), Some("switch"));
    }

    /// A unit that the sequencer strobes, and one that nodes enable for themselves, in either order.
    #[test]
    fn a_strobed_driver_and_one_that_nodes_enable_are_in_conflict_where_they_are() {
        for strobed_first in [false, true] {
            for enabled in [0, 0b1010] {
                let mut wires = [0u64; 2];
                let mut ledger = Ledger::new(2);
                // Twice, since claims of nodes have their room only from the first on.
                for _ in 0..2 {
                    let mut transmit = Transmit::new(&mut wires, &mut ledger);
                    if strobed_first {
                        transmit.drive(1, "packing", true, || 0);
                    }
                    transmit.drive_where(1, "switch", enabled, !0);
                    if !strobed_first {
                        transmit.drive(1, "packing", true, || 0);
                    }
                    assert_eq!(ledger.clash(), enabled);
                    assert_eq!(ledger.conflict().is_some(), enabled != 0);
                    let nodes = ledger.conflict().map_or(0, |conflict| conflict.nodes);
                    assert_eq!(nodes, enabled);
                }
            }
        }
    }
}
