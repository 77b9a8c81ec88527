//! Messages, and what carries them.

use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::Traffic;

/// Puts messages into the nodes of a machine, with the payloads that they have.
type Load<'a> = &'a dyn Fn(&mut dyn Lockstep, &[Traffic]) -> Result<(), Error>;

/// Messages, and a machine that carries them.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// The machine.
    pub device: &'a dyn Device,
    /// A routing for each slot of a node; none where messages cannot be told apart by their payloads.
    pub sent: &'a [Traffic],
    /// Puts them into the nodes, with these payloads or others.
    pub load: Load<'a>,
}

impl Carried<'_> {
    pub(super) fn messages(&self) -> usize {
        self.sent.iter().map(|slot| slot.messages().len()).sum()
    }
}
