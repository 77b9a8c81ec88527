//! What the sequencer says to steps 2 to 6 of a stage, and when: the windows of [`overlapped`](super), stage by stage of the row.
//!
//! ```text
//!   bit time of stage r       from                   to
//!   counts, empties           r                      2r-1            a carry is added one bit time later
//!   counts, twos              m+r                    m+2r-1          likewise
//!   rank bits                 m                      3m-1            used two bit times later
//!   headers                   m+2r (decide, hold)    2m+r            armed one bit time before
//!   second messages           2m+2r (decide)         3m+r+L          likewise
//!   the way back              5m+L+1-r (admit)       5m+2L+1-r
//! ```

use crate::language::bit::Strobe;
use crate::parts::enumerator::EnumeratorStrobes;
use crate::parts::packer::PackerStrobes;
use crate::routers::kuszmaul::batches::overlapped::second_line::{self, SecondLineStrobes};
use crate::routers::kuszmaul::batches::overlapped::{
    announce, enumerate_empties, enumerate_twos, go_back, pack_messages, set_circuits, sizes,
};
use crate::routers::kuszmaul::batches::sequencer::At;
use crate::routers::kuszmaul::batches::stage::Extent;
use crate::routers::kuszmaul::batches::window::Window;
use crate::routers::kuszmaul::held::circuits::CircuitStrobes;
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
pub(super) fn drive<S: Strobe>(extent: Extent, at: &At<'_, S>, strobes: &mut SettlingStrobes<S>) {
    let (m, length) = sizes(extent);
    let coming = Window::new(1, length);
    strobes.announce = at.is(announce(extent));
    strobes.first_shift = at.within_any([coming, coming.later(announce(extent))]);
    second_line::drive(extent, at, &mut strobes.second);
    strobes.enumerate_empties = at.is(1);
    drive_enumerator(extent, at, &mut strobes.enumerator);
    strobes.pack_empties = at.is(m + 2);
    // The rank of step 5, and right behind it that of step 3.
    strobes.header = at.within(Window::new(m + 2, 3 * m + 1));
    drive_packer(extent, at, &mut strobes.packer);
    strobes.returns = at.is(4 * m + length + 1);
    drive_circuits(extent, at, &mut strobes.circuits);
}

/// The number of a dimension's stage in the row.
fn row(extent: Extent, dimension: usize) -> i64 {
    (dimension - extent.lowest) as i64
}

fn drive_enumerator<S: Strobe>(extent: Extent, at: &At<'_, S>, strobes: &mut EnumeratorStrobes<S>) {
    let (subcube, (m, _)) = (extent.subcube(), sizes(extent));
    at.line(&mut strobes.inject, subcube.start, S::ONE);
    at.line(&mut strobes.last, subcube.end - 1, S::ONE);
    let counts = |dimension, longer| {
        let r = row(extent, dimension);
        let windows = [enumerate_empties(r), enumerate_twos(extent, r)];
        at.within_any(windows.map(|window| window.and(longer)))
    };
    (strobes.drive).drive(S::ONE, subcube.clone(), |dimension| counts(dimension, 0));
    (strobes.add).drive(S::ONE, subcube, |dimension| counts(dimension, 1));
    strobes.rank_fill = at.within(Window::new(m, 3 * m - 1));
    // The last bit has come as far as the register's top, and moves on to its head.
    strobes.rank_drain = at.within(Window::new(3 * m, 3 * m + RANK_BITS as i64 - 2));
    strobes
        .rank_tap
        .drive(S::ONE, RANK_BITS - 1..RANK_BITS, |_| S::ONE);
}

fn drive_packer<S: Strobe>(extent: Extent, at: &At<'_, S>, strobes: &mut PackerStrobes<S>) {
    let (subcube, (m, length)) = (extent.subcube(), sizes(extent));
    let (first, last) = (subcube.start, subcube.end - 1);
    let passes = |dimension| {
        let r = row(extent, dimension);
        [set_circuits(extent, r), pack_messages(extent, r)]
    };
    let begins = |dimension, later| {
        at.within_any(passes(dimension).map(|window| Window::at(window.from + later)))
    };
    at.line(&mut strobes.inject, first, S::ONE);
    // The first stage takes the valid bits from where the messages are known.
    (strobes.arm).drive(S::ONE, first + 1..subcube.end, |dimension| {
        begins(dimension, -1)
    });
    (strobes.decide).drive(S::ONE, subcube.clone(), |dimension| begins(dimension, 0));
    (strobes.pass).drive(S::ONE, subcube, |dimension| {
        at.within_any(passes(dimension))
    });
    let delivers = at.within(Window::new(4 * m, 4 * m + length));
    at.line(&mut strobes.deliver, last, delivers);
}

fn drive_circuits<S: Strobe>(extent: Extent, at: &At<'_, S>, strobes: &mut CircuitStrobes<S>) {
    let subcube = extent.subcube();
    let (first, last) = (subcube.start, subcube.end - 1);
    let back = |dimension| go_back(extent, row(extent, dimension));
    (strobes.hold).drive(S::ONE, subcube.clone(), |dimension| {
        at.is(set_circuits(extent, row(extent, dimension)).from)
    });
    at.line(&mut strobes.inject, last, S::ONE);
    (strobes.admit).drive(S::ONE, subcube.clone(), |dimension| {
        at.is(back(dimension).from)
    });
    (strobes.pass).drive(S::ONE, subcube, |dimension| at.within(back(dimension)));
    at.line(&mut strobes.deliver, first, at.within(back(first)));
}
