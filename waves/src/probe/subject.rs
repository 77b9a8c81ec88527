//! What a probe asks of a machine.

use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::router::{Machine, Position, Router};

use crate::trace::Kind;

/// The steps of a machine in lockstep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Their names, by the sequencer's code.
    pub names: &'static [&'static str],
    /// Whether one may begin before the one before it is over.
    pub overlap: bool,
    /// Then, the units that drive wires.
    pub units: &'static [&'static str],
}

impl Steps {
    /// Bits of the code of a step.
    pub(super) fn code_bits(self) -> usize {
        (self.names.len() as u32 - 1).ilog2() as usize + 1
    }

    /// The name of a step, or none.
    pub(super) fn name_kind(self) -> Kind {
        text_of(self.names)
    }

    /// The name of a unit, or none.
    pub(super) fn unit_kind(self) -> Kind {
        text_of(self.units)
    }
}

/// Text that is one of these.
fn text_of(names: &[&str]) -> Kind {
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    Kind::Text { longest }
}

/// Text beside the registers of a module: something that the simulator knows, and the hardware does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The module inside a node: the names of the modules on the way to it and its own, so one at least.
    pub module: Vec<String>,
    /// What the text is called there.
    pub name: String,
    /// Characters of the longest that there can be, at any node.
    pub longest: usize,
}

/// Something with a machine in it that can be traced.
pub trait Subject {
    /// The machine.
    type Machine: Machine;
    /// What it runs on.
    type Lanes: Lanes;

    /// Its steps, if it has any.
    const STEPS: Option<Steps>;

    /// The machine.
    fn fabric(&self) -> &Fabric<Self::Machine, Self::Lanes>;

    /// Where the schedule stands, if there is one.
    fn position(&self) -> Option<Position> {
        None
    }

    /// Message bits that a node holds, the bit time `after` being over (none: before the first).
    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32;

    /// The text that every node has.
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }

    /// Appends to `text` what remark `number` says of `node` in this bit time, in visible ASCII; it may be nothing.
    fn remark(&self, node: usize, number: usize, text: &mut String) {
        let _ = (node, number, text);
    }
}

/// Routers in lockstep.
impl<R: Router, B: Lanes> Subject for Fabric<R, B> {
    type Machine = R;
    type Lanes = B;

    const STEPS: Option<Steps> = Some(Steps {
        names: R::STEPS,
        overlap: R::STEPS_OVERLAP,
        units: R::UNITS,
    });

    fn fabric(&self) -> &Fabric<R, B> {
        self
    }

    fn position(&self) -> Option<Position> {
        Some(Fabric::position(self))
    }

    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32 {
        let (group, place) = self.node(node);
        let mut occupied = 0;
        self.router().occupancy(group, after, &mut |flag: B, bits| {
            occupied += if flag.get(place) { bits } else { 0 };
        });
        occupied
    }
}
