//! Where registers are.

/// Where a register is between two bit times: in a slot, or known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Held {
    /// In the plane of that slot.
    In(u32),
    /// It is 0 or 1 in all nodes.
    Known(bool),
}

impl Held {
    /// Its slot, if it is not known.
    pub fn slot(self) -> Option<usize> {
        match self {
            Held::In(slot) => Some(slot as usize),
            Held::Known(_) => None,
        }
    }
}
