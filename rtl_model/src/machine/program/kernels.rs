//! The operations on planes that a program is made of: functions of up to three planes, each one loop.
//!
//! A switch stage's output register is `(keeping & input) | received` and an adder's carry a majority, so a register that
//! changes mostly takes one operation: its operands are loaded once and it is stored once. What the list lacks is put
//! together from what it has.

use std::cell::Cell;
use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::sync::LazyLock;

/// What kernels are worked out on: words, or lane groups.
pub(super) trait Logic:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
}

impl<W> Logic for W where
    W: Copy + BitAnd<Output = W> + BitOr<Output = W> + BitXor<Output = W> + Not<Output = W>
{
}

macro_rules! kernels {
    ($($(#[doc = $note:literal])+ $name:ident = |$a:ident, $b:ident, $c:ident| $logic:expr;)+) => {
        /// A function of up to three planes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kernel {
            $($(#[doc = $note])+ $name),+
        }

        impl Kernel {
            /// All of them, those of fewer operands first.
            pub(super) const ALL: &[Kernel] = &[$(Kernel::$name),+];

            /// Its values where `a`, `b`, `c` are the bits 2, 1, 0 of the place.
            #[inline(always)]
            pub(super) fn table(self) -> u8 {
                self.apply(A, B, C)
            }

            /// Whether its values depend on an operand: 0 is the first.
            #[inline(always)]
            pub(super) fn reads(self, operand: usize) -> bool {
                reads(self.table(), 2 - operand)
            }

            /// Works it out.
            #[inline(always)]
            pub(super) fn apply<W: Logic>(self, x: W, y: W, z: W) -> W {
                match self {
                    $(Kernel::$name => {
                        let ($a, $b, $c) = (x, y, z);
                        let _ = ($a, $b, $c);
                        $logic
                    })+
                }
            }

            /// Works it out, vector by vector. Only operands that it reads are looked up.
            #[inline(always)]
            pub(super) fn run<'a, const WORDS: usize, const VECTORS: usize>(
                self,
                to: &'a Plane<WORDS, VECTORS>,
                a: impl Fn() -> &'a Plane<WORDS, VECTORS>,
                b: impl Fn() -> &'a Plane<WORDS, VECTORS>,
                c: impl Fn(usize) -> [u64; WORDS],
            ) {
                match self {
                    $(Kernel::$name => {
                        const TABLE: u8 = {
                            let ($a, $b, $c) = (A, B, C);
                            let _ = ($a, $b, $c);
                            $logic
                        };
                        let first = if reads(TABLE, 2) { a() } else { to };
                        let second = if reads(TABLE, 1) { b() } else { to };
                        for vector in 0..VECTORS {
                            let (x, y, z) = (first[vector].get(), second[vector].get(), c(vector));
                            let mut result = [0; WORDS];
                            for word in 0..WORDS {
                                let ($a, $b, $c) = (x[word], y[word], z[word]);
                                let _ = ($a, $b, $c);
                                result[word] = $logic;
                            }
                            to[vector].set(result);
                        }
                    })+
                }
            }
        }
    };
}

/// A plane of a tile, which may be read while another, or it itself, is written.
pub(super) type Plane<const WORDS: usize, const VECTORS: usize> = [Cell<[u64; WORDS]>; VECTORS];

/// Whether a table depends on this bit of the place.
#[inline(always)]
const fn reads(table: u8, bit: usize) -> bool {
    let where_clear = !([C, B, A][bit]);
    (table >> (1 << bit) ^ table) & where_clear != 0
}

/// The values of the three operands in a table.
pub(super) const A: u8 = 0b1111_0000;
pub(super) const B: u8 = 0b1100_1100;
pub(super) const C: u8 = 0b1010_1010;

kernels! {
    /// As it is.
    Copy = |a, b, c| c;
    /// Inverted.
    Not = |a, b, c| !c;
    /// Both.
    And = |a, b, c| a & c;
    /// The first alone.
    AndNot = |a, b, c| a & !c;
    /// The second alone.
    NotAnd = |a, b, c| !a & c;
    /// Either.
    Or = |a, b, c| a | c;
    /// The first, or not the second.
    OrNot = |a, b, c| a | !c;
    /// Neither.
    Neither = |a, b, c| !(a | c);
    /// They differ.
    Xor = |a, b, c| a ^ c;
    /// They are alike.
    Alike = |a, b, c| !(a ^ c);
    /// All three.
    And3 = |a, b, c| a & b & c;
    /// A sum bit.
    Sum = |a, b, c| a ^ b ^ c;
    /// A carry.
    Majority = |a, b, c| (a & b) | (c & (a | b));
    /// What is kept, or what comes.
    AndOr = |a, b, c| (a & b) | c;
    /// What comes, if it may, or what is there.
    OrAnd = |a, b, c| a | (b & c);
    /// The one that is not the second, or the third.
    AndNotOr = |a, b, c| (a & !b) | c;
    /// Where the first says so the second, else the third.
    Choose = |a, b, c| (a & b) | (!a & c);
    /// Where the first says so the third, else the second.
    ChooseOther = |a, b, c| (a & c) | (!a & b);
    /// Where the third says so the first, else the second.
    ChosenBy = |a, b, c| (c & a) | (!c & b);
    /// The first, where the others differ.
    AndXor = |a, b, c| a & (b ^ c);
    /// The first, where the others are alike.
    AndAlike = |a, b, c| a & !(b ^ c);
    /// The third, where the others differ.
    XorAnd = |a, b, c| (a ^ b) & c;
    /// The third, where the others are alike.
    AlikeAnd = |a, b, c| !(a ^ b) & c;
    /// The first turned over where both others are.
    XorOfAnd = |a, b, c| a ^ (b & c);
    /// The third turned over where both others are.
    AndThenXor = |a, b, c| (a & b) ^ c;
}

/// A kernel, and which operand goes where.
type Found = (Kernel, [usize; 3]);

/// By table.
static KERNELS: LazyLock<[Option<Kernel>; 1 << 8]> = LazyLock::new(|| {
    let mut kernels = [None; 1 << 8];
    for &kernel in Kernel::ALL.iter().rev() {
        kernels[usize::from(kernel.table())] = Some(kernel);
    }
    kernels
});

/// By the operand that can only be the third, none behind all of them, and by table.
static FOUND: LazyLock<[[Option<Found>; 1 << 8]; 4]> = LazyLock::new(|| {
    let at_c = [Some(0), Some(1), Some(2), None];
    at_c.map(|at_c| std::array::from_fn(|table| look_for(table as u8, at_c)))
});

/// The kernel that has this table.
#[inline]
pub(super) fn of_table(table: u8) -> Option<Kernel> {
    KERNELS[usize::from(table)]
}

/// The kernel of a table over three operands, and which goes where; `at_c` names one that can only be the third.
#[inline]
pub(super) fn find(table: u8, at_c: Option<usize>) -> Option<Found> {
    FOUND[at_c.unwrap_or(3)][usize::from(table)]
}

fn look_for(table: u8, at_c: Option<usize>) -> Option<Found> {
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [1, 0, 2],
        [0, 2, 1],
        [2, 0, 1],
        [1, 2, 0],
        [2, 1, 0],
    ];
    ORDERS
        .iter()
        .filter(|order| at_c.is_none_or(|at_c| order[2] == at_c))
        .find_map(|order| Some((of_table(reordered(table, *order))?, *order)))
}

/// The table of a function whose operands are handed over in another order: `order[n]` is the operand that comes `n`-th.
fn reordered(table: u8, order: [usize; 3]) -> u8 {
    (0..8u8).fold(0, |ordered, place| {
        let bit = |nth: usize| place >> (2 - nth) & 1;
        let from = (0..3).fold(0, |from, nth| from | bit(nth) << (2 - order[nth]));
        ordered | (table >> from & 1) << place
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_computes_its_table() {
        for &kernel in Kernel::ALL {
            let [a, b, c] = [A, B, C].map(|value| [Cell::new([u64::from(value)]); 1]);
            let to = [Cell::new([0])];
            kernel.run(&to, || &a, || &b, |vector| c[vector].get());
            assert_eq!(to[0].get()[0] as u8, kernel.table(), "{kernel:?}");
            assert_eq!(of_table(kernel.table()), Some(kernel));
        }
    }

    #[test]
    fn a_kernel_is_found_with_its_operands_in_any_order() {
        let three = [A, B, C];
        for &kernel in Kernel::ALL {
            for at_c in [None, Some(0), Some(1), Some(2)] {
                let Some((found, order)) = find(kernel.table(), at_c) else {
                    assert!(at_c.is_some(), "{kernel:?} is not found");
                    continue;
                };
                assert!(at_c.is_none_or(|at_c| order[2] == at_c));
                let [a, b, c] = order.map(|operand| [Cell::new([u64::from(three[operand])]); 1]);
                let to = [Cell::new([0])];
                found.run(&to, || &a, || &b, |vector| c[vector].get());
                assert_eq!(
                    to[0].get()[0] as u8,
                    kernel.table(),
                    "{kernel:?} as {found:?}"
                );
            }
        }
    }
}
