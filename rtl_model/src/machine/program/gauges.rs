//! Reads a tile's gauges, and whether its nodes quarrel, beside the operations that it performs.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::Ordering;

use crate::machine::instructions::{Instructions, Operation as Task};
use crate::machine::program::kernels::Plane;
use crate::machine::program::operation::Operand;
use crate::machine::program::{Code, Meters};

/// A tile that operations are performed on.
pub(super) trait Performs<const WORDS: usize, const VECTORS: usize>: Sized {
    /// The instructions that it is run with.
    fn instructions(&self) -> Instructions;

    /// Performs some of the program's operations.
    fn perform_all(&self, operations: &Range<usize>);

    /// The same for gauges, called from many places: all kernels are in it, so it is translated only once for each set of
    /// instructions.
    #[inline(never)]
    fn perform_for_gauges(&self, operations: &Range<usize>) {
        self.instructions().perform(ForGauges(self, operations));
    }

    /// The plane of an operand that is no wire.
    fn plane_of(&self, operand: Operand) -> &Plane<WORDS, VECTORS>;

    /// Reads the gauges of a tile, whose first word has the number `first`; gives its live bits. Places of the tile in which
    /// there is no node may hold anything, and do not count.
    #[inline(always)]
    fn read_gauges(
        &self,
        (code, first): (&Code, usize),
        gauges: &mut [u32],
        (bit_time, anew): (usize, bool),
        Meters { readings, nodes }: Meters<'_>,
    ) -> u64 {
        let [bits_bound, messages_bound, counters @ ..] = gauges else {
            return 0;
        };
        let (bits, messages) = code.gauges(bit_time);
        let layout = code.layout();
        let is_full = nodes.is_empty() && layout.are_full(first..first + WORDS * VECTORS);
        let places = |word| match nodes.get(first + word) {
            Some(places) => *places,
            None => layout.places(first + word),
        };
        let recounted = match anew {
            true => bits.counts.len(),
            false => bits.changed,
        };
        if recounted > 0 {
            self.perform_for_gauges(&bits.flags);
        }
        for count in &bits.counts[..recounted] {
            let plane = self.plane_of(count.plane);
            counters[count.counter] = match is_full {
                true => ones(plane, |_| !0),
                false => ones(plane, places),
            };
        }
        let live = (bits.counts.iter())
            .map(|count| u64::from(count.weight) * u64::from(counters[count.counter]))
            .sum();
        let step = code.step_before(bit_time);
        for (gauge, bound, most) in [
            (bits, bits_bound, readings.bits_of_step(step)),
            (messages, messages_bound, readings.messages()),
        ] {
            *bound = match anew {
                true => u32::MAX,
                false => bound.saturating_add(gauge.growth),
            };
            if *bound > most.load(Ordering::Relaxed) {
                self.perform_for_gauges(&gauge.sums);
                *bound = match is_full {
                    true => self.largest(&gauge.planes, |_| !0),
                    false => self.largest(&gauge.planes, places),
                };
                most.fetch_max(*bound, Ordering::Relaxed);
            }
        }
        live
    }

    /// Whether two units of a node drive one wire in a bit time, after what is sent in it has been worked out. `first` is
    /// the number of the tile's first word.
    #[inline(always)]
    fn clashes(&self, code: &Code, bit_time: Option<usize>, first: usize) -> bool {
        let Some(clash) = bit_time.and_then(|bit_time| code.clash(bit_time)) else {
            return false;
        };
        let words = self.plane_of(clash).iter().flat_map(Cell::get);
        let mut numbered = (first..).zip(words);
        numbered.any(|(number, word)| word & code.layout().places(number) != 0)
    }

    /// The largest of the nodes' sums, of which each plane is a bit, where `places` has the nodes of each word.
    #[inline(always)]
    fn largest(&self, planes: &[Operand], places: impl Fn(usize) -> u64) -> u32 {
        let mut candidates: [[u64; WORDS]; VECTORS] =
            std::array::from_fn(|vector| std::array::from_fn(|word| places(vector * WORDS + word)));
        let mut largest = 0;
        for (place, &plane) in planes.iter().enumerate().rev() {
            let mut with_bit = candidates;
            let mut any = [0; WORDS];
            let plane = self.plane_of(plane);
            for vector in 0..VECTORS {
                let plane = plane[vector].get();
                for word in 0..WORDS {
                    with_bit[vector][word] &= plane[word];
                    any[word] |= with_bit[vector][word];
                }
            }
            if any.iter().any(|word| *word != 0) {
                candidates = with_bit;
                largest |= 1 << place;
            }
        }
        largest
    }
}

/// Operations on a tile, to be performed.
struct ForGauges<'a, const WORDS: usize, const VECTORS: usize, T>(&'a T, &'a Range<usize>);

impl<const WORDS: usize, const VECTORS: usize, T: Performs<WORDS, VECTORS>> Task
    for ForGauges<'_, WORDS, VECTORS, T>
{
    type Output = ();

    #[inline(always)]
    fn perform(self) {
        self.0.perform_all(self.1);
    }
}

/// The ones of a plane, where `places` has the nodes of each word.
#[inline(always)]
fn ones<const WORDS: usize, const VECTORS: usize>(
    plane: &Plane<WORDS, VECTORS>,
    places: impl Fn(usize) -> u64,
) -> u32 {
    let mut ones = 0;
    for (number, vector) in plane.iter().enumerate() {
        for (word, bits) in vector.get().into_iter().enumerate() {
            ones += (bits & places(number * WORDS + word)).count_ones();
        }
    }
    ones
}
