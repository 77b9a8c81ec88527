//! What the sequencer says to steps 2 to 6 of a stage: the windows of the schedule, decoded.

use crate::language::bit::Strobe;
use crate::parts::enumerator::EnumeratorStrobes;
use crate::parts::packer::{PackerStrobes, Run};
use crate::parts::windows::Now;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::overlapped::second_line::{self, SecondLineStrobes};
use crate::routers::kuszmaul::held::circuits::CircuitStrobes;
use crate::routers::kuszmaul::held::sequencer::{
    EMPTIES, HEADER, PACKS, RANKS_DRAIN, RETURNS, SECOND_RETURNS, SETS, TWOS,
};
use crate::routers::kuszmaul::now::COMES;
use crate::strobes;

/// Flip-flops that a rank bit passes through: as in [`HeldNode`](crate::routers::kuszmaul::held::HeldNode).
pub(super) const RANK_BITS: usize = 2;

strobes! {
    /// What it hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct SettlingStrobes<S> {
        /// The message at home comes in, or goes out.
        pub first_shift: S,
        /// It is delivered whether there is a message.
        pub announce: S,
        /// The second message's line.
        pub second: SecondLineStrobes<S>,
        /// Empty nodes are enumerated, not nodes with two messages.
        pub enumerate_empties: S,
        /// The enumerator's strobes (steps 2 and 4, and the ranks used in 3 and 5).
        pub enumerator: EnumeratorStrobes<S>,
        /// Headers of empty nodes are packed, not second messages.
        pub pack_empties: S,
        /// The packing's source gives header bits, not the second message.
        pub header: S,
        /// The packer's strobes (steps 3 and 5).
        pub packer: PackerStrobes<S>,
        /// The way back gives the valid bit, not the second message.
        pub returns: S,
        /// The strobes of the circuits (set in step 5, used in step 6).
        pub circuits: CircuitStrobes<S>,
    }
}

/// The strobes of this bit time.
pub(super) fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut SettlingStrobes<S>) {
    let returned = RETURNS.of_first_stage();
    strobes.announce = at.within(returned.begins(0));
    strobes.first_shift = at.within_any(&[COMES, returned.behind_first()]);
    second_line::drive(at, &mut strobes.second);
    strobes.enumerate_empties = at.is(1);
    strobes.enumerator.decode(at, [EMPTIES, TWOS], RANK_BITS);
    strobes.enumerator.rank_drain = at.within(RANKS_DRAIN);
    strobes.pack_empties = at.within(HEADER.begins(0));
    strobes.header = at.within(HEADER);
    strobes
        .packer
        .decode(&[Run::ending(at, SETS), Run::delivering(at, PACKS)]);
    strobes.returns = at.within(SECOND_RETURNS.begins(-1));
    strobes.circuits.decode(at, SETS, RETURNS);
}
