//! The count stages of two nodes, fed with all counts and places one after another.

use super::*;

/// So many bits of each number are passed.
const BITS: usize = 4;

fn bit(number: usize, place: usize) -> bool {
    number >> place & 1 == 1
}

/// The stages of the two nodes of a pair, each sending its count to the other.
struct Pair([CountStage<bool>; 2]);

impl Pair {
    fn new() -> Self {
        Pair([0, 1].map(|_| CountStage::new(false, true)))
    }

    /// Counts and places pass, `bits` of each: what leaves the two stages, and of the total before
    /// the register.
    fn pass(
        &mut self,
        (counts, places): ([usize; 2], [usize; 2]),
        bits: usize,
        strobes: impl Fn(usize) -> CountStrobes<bool>,
    ) -> [[usize; 3]; 2] {
        let mut out = [[0; 3]; 2];
        for t in 0..bits {
            for node in 0..2 {
                let input = CountAndPlace {
                    count: bit(counts[node], t),
                    place: bit(places[node], t),
                };
                let (stage, own, over_wire) =
                    (&mut self.0[node], node == 1, bit(counts[1 - node], t));
                let total = stage.total(&strobes(t), input, own, over_wire);
                stage.clock(&strobes(t), input, own, over_wire);
                let CountAndPlace { count, place } = stage.output();
                for (number, bit) in out[node].iter_mut().zip([count, place, total]) {
                    *number |= usize::from(bit) << t;
                }
            }
        }
        out
    }

    /// Total and offset of each node: as many bits as are passed.
    fn enumerate(
        &mut self,
        counts: [usize; 2],
        before: [usize; 2],
        bits: usize,
    ) -> [[usize; 2]; 2] {
        let out = self.pass((counts, before), bits, |t| CountStrobes {
            begins_enumerating: t == 0,
            begins_packing: false,
            packing: false,
            second_bit: false,
            third_bit: false,
        });
        out.map(|[total, offset, _]| [total, offset])
    }

    /// Count and place of each node behind the stage: one bit less than is passed.
    fn pack(&mut self, counts: [usize; 2], places: [usize; 2], has_third: bool) -> [[usize; 2]; 2] {
        let out = self.pass((counts, places), BITS, |t| CountStrobes {
            begins_enumerating: false,
            begins_packing: t == 0,
            packing: true,
            second_bit: t == 1,
            third_bit: has_third && t == 2,
        });
        out.map(|[count, place, unregistered]| {
            assert_eq!(count, unregistered);
            [count >> 1, place >> 1]
        })
    }

    /// Whether the first message of each node crosses, and how many it takes of the low node's.
    fn settings(&self) -> [(bool, usize); 2] {
        self.0.each_ref().map(|stage| {
            let Setting {
                even_cross,
                share_0,
                share_1,
            } = stage.setting();
            let share_1 = share_1.expect("takes two");
            (even_cross, usize::from(share_0) + 2 * usize::from(share_1))
        })
    }
}

/// Counts of up to `most` at two nodes, and the place of the first of their messages.
fn cases(most: usize) -> impl Iterator<Item = ([usize; 2], usize)> {
    let counts = (0..=most).flat_map(move |low| (0..=most).map(move |high| [low, high]));
    counts.flat_map(|counts| (0..1 << BITS).map(move |first| (counts, first)))
}

/// Numbers are cut off where the place ends: carries that are left are part of what is tested.
#[test]
fn one_number_right_behind_another_is_enumerated_or_halved() {
    let mut pair = Pair::new();
    let all = 1 << BITS;
    for ([low, high], first) in cases(4) {
        for bits in [2, BITS] {
            let passed = 1 << bits;
            let enumerated = pair.enumerate([low, high], [first, first + 1], bits);
            let total = (low + high) % passed;
            let offsets = [first % passed, (first + 1 + low) % passed];
            assert_eq!(enumerated, offsets.map(|offset| [total, offset]));
        }
        let packed = pair.pack([low, high], [first, (first + low) % all], true);
        for (own, packed) in packed.into_iter().enumerate() {
            let first_is_own = usize::from(first % 2 == own);
            let count = (low + high + first_is_own) / 2;
            let place = (first + 1 - own) % all / 2;
            assert_eq!(packed, [count, place], "{low} {high} {first} {own}");
        }
    }
}

#[test]
fn a_packing_sets_who_crosses_and_the_low_nodes_share_at_both_nodes() {
    let mut pair = Pair::new();
    for ([low, high], first) in cases(4) {
        pair.pack([low, high], [first, (first + low) % (1 << BITS)], true);
        let expected = [0, 1].map(|own| {
            let first_here = [first, first + low][own];
            let first_is_own = usize::from(first % 2 == own);
            (first_here % 2 != own, (low + first_is_own) / 2)
        });
        assert_eq!(pair.settings(), expected, "{low} {high} {first}");
        pair.enumerate([high, low], [first, first], BITS);
        assert_eq!(
            pair.settings(),
            expected,
            "an enumeration leaves them alone"
        );
    }
}

#[test]
fn without_a_third_bit_a_share_of_two_is_forgotten() {
    let mut pair = Pair::new();
    for ([low, high], first) in cases(2) {
        pair.pack([4, 0], [0, 4], true);
        assert_eq!(pair.settings().map(|(_, share)| share), [2, 2]);
        let packed = pair.pack([low, high], [first, first + low], false);
        let shares = [0, 1].map(|own| (low + usize::from(first % 2 == own)) / 2);
        assert_eq!(pair.settings().map(|(_, share)| share), shares);
        assert_eq!(packed[0][0] + packed[1][0], low + high);
    }
}

#[test]
fn a_stage_that_takes_one_at_most_and_is_the_last_has_no_register_for_more() {
    let stage = CountStage::<bool>::new(true, false);
    assert!(stage.total.is_none() && stage.setting().share_1.is_none());
}

/// A group of one dimension passes counts of two bits behind groups that passed three.
#[test]
fn what_is_witnessed_of_a_count_is_that_count_and_nothing_of_the_one_before() {
    let mut stage = CountStage::<bool>::new(false, true);
    for (count, bits) in [(4, 3), (1, 2), (0, 2), (3, 3), (2, 2)] {
        for place in 0..bits {
            stage.witnesses(place == 0, bit(count, place));
        }
        let witnessed = stage.messages();
        let witnessed = (0..3).fold(0, |sum, place| sum | usize::from(witnessed[place]) << place);
        assert_eq!(witnessed, count);
    }
}
