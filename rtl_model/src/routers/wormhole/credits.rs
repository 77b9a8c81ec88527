//! Credits: how many free places there are in the buffer at the far end of a channel.
//!
//! ```text
//!   [b-1] <-- ... <-- [1] <-- [0] <-- 1      a credit comes back: one more
//!     0   --> ... --> [1] --> [0]            a bit is sent: one less
//! ```
//!
//! The count is unary, so that "there is one" and "all are there" are a flip-flop each. The
//! backpressure is registered: a credit that comes back in one bit time can be used in the next, so
//! a buffer of one place carries a bit every other bit time, and one of two places a bit in each.

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::parts::word::Word;

/// The count.
#[derive(Clone, Debug)]
pub struct Credits<B: Bit> {
    free: Word<B>,
}

/// It is a register of its own, under the name that its holder gives it.
impl<B: Bit> Registers<B> for Credits<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        self.free.visit(name, visitor);
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.free.visit_mut(visitor);
    }
}

impl<B: Bit> Credits<B> {
    /// For a far buffer of `places` places, all of them free.
    pub fn new(places: usize) -> Self {
        Credits {
            free: Word::new(places, B::ONE),
        }
    }

    /// There is one at least.
    #[inline]
    pub fn any(&self) -> B {
        self.free[0]
    }

    /// The far buffer is empty, and no bit is on its way.
    #[inline]
    pub fn all(&self) -> B {
        self.free[self.free.width() - 1]
    }

    /// The clock edge: a bit was sent where `used` is 1, a credit came back where `returned` is.
    #[inline]
    pub fn clock(&mut self, used: B, returned: B) {
        let less = (used & !returned).named("one_credit_less");
        let more = (returned & !used).named("one_credit_more");
        let mut below = B::ONE;
        for place in 0..self.free.width() {
            let here = self.free[place];
            let above = self.free.or_zero(place + 1);
            self.free[place] = less.mux(above, more.mux(below, here));
            below = here;
        }
    }
}
