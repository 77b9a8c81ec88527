//! Words of as many bits as one likes: of all nodes, and several at a node; or of whatever else has words.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Words of `bits` bits, `per_node` at each node, in order; each in limbs of 64 bits, the least significant first.
#[derive(Clone, Debug)]
pub struct Words {
    bits: usize,
    per_node: usize,
    limbs: Vec<u64>,
    /// Which words have limbs, where not all do: the first limbs are those of all others.
    places: Option<Places>,
}

/// Which of many words have a place.
#[derive(Clone, Debug)]
struct Places {
    words: usize,
    /// A bit a word.
    have_one: Vec<u64>,
    /// How many have one before each 64.
    before: Vec<u32>,
}

impl Places {
    fn of(words: usize, with_one: impl Iterator<Item = usize>) -> Self {
        let mut have_one = vec![0_u64; words.div_ceil(64)];
        with_one.for_each(|word| have_one[word / 64] |= 1 << (word % 64));
        let mut all = 0;
        let before = have_one.iter().map(|ones| {
            all += ones.count_ones();
            all - ones.count_ones()
        });
        Places {
            words,
            before: before.collect(),
            have_one,
        }
    }

    /// How many there are.
    fn count(&self) -> usize {
        let ones = self.have_one.iter().map(|ones| ones.count_ones() as usize);
        ones.sum()
    }

    #[inline]
    fn has_one(&self, word: usize) -> bool {
        self.have_one[word / 64] >> (word % 64) & 1 == 1
    }

    /// From 1 on; 0 without one.
    #[inline]
    fn place(&self, word: usize) -> usize {
        if !self.has_one(word) {
            return 0;
        }
        let ones_before = self.have_one[word / 64] & ((1 << (word % 64)) - 1);
        (1 + self.before[word / 64] + ones_before.count_ones()) as usize
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        (self.bits, self.per_node) == (other.bits, other.per_node) && self.iter().eq(other.iter())
    }
}

impl Eq for Words {}

impl Words {
    /// All zero.
    pub fn zeros(nodes: usize, per_node: usize, bits: usize) -> Self {
        Words {
            bits,
            per_node,
            limbs: vec![0; nodes * per_node * bits.div_ceil(64)],
            places: None,
        }
    }

    /// All zero, and only those of `written` are to be written, by number, in any order: the others take little room. They are fewer
    /// than 2^32.
    ///
    /// # Panics
    /// Writing another one does.
    pub fn sparse(
        nodes: usize,
        per_node: usize,
        bits: usize,
        written: impl Iterator<Item = usize>,
    ) -> Self {
        let places = Places::of(nodes * per_node, written);
        Words {
            bits,
            per_node,
            limbs: vec![0; (1 + places.count()) * bits.div_ceil(64)],
            places: Some(places),
        }
    }

    /// Drawn from a seed.
    pub fn drawn(nodes: usize, per_node: usize, bits: usize, seed: u64) -> Self {
        let mut drawn = ChaCha8Rng::seed_from_u64(seed);
        let mut words = Self::zeros(nodes, per_node, bits);
        for number in 0..nodes * per_node {
            words.fill(number, || drawn.next_u64());
        }
        words
    }

    /// Makes word `number` of all of such limbs, the least significant first, as far as its bits go.
    pub fn fill(&mut self, number: usize, limb: impl FnMut() -> u64) {
        let top = u64::MAX >> ((64 - self.bits % 64) % 64);
        let word = self.word_mut(number);
        word.fill_with(limb);
        if let Some(last) = word.last_mut() {
            *last &= top;
        }
    }

    /// Bytes that so many take.
    pub fn bytes(nodes: usize, per_node: usize, bits: usize) -> u64 {
        8 * nodes as u64 * per_node as u64 * bits.div_ceil(64) as u64
    }

    /// Limbs of a word.
    #[inline]
    fn size(&self) -> usize {
        self.bits.div_ceil(64)
    }

    /// Bits of a word.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Words of a node.
    pub fn per_node(&self) -> usize {
        self.per_node
    }

    /// How many words there are.
    fn amount(&self) -> usize {
        match &self.places {
            None => self.limbs.len() / self.size(),
            Some(places) => places.words,
        }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.amount() / self.per_node
    }

    /// The first limb of word `number` of all.
    #[inline]
    fn first_limb(&self, number: usize) -> usize {
        let place = match &self.places {
            None => number,
            Some(places) => places.place(number),
        };
        place * self.size()
    }

    /// The same of a word that is about to be written.
    #[inline]
    fn first_limb_mut(&self, number: usize) -> usize {
        assert!(
            !self.takes_none(number),
            "a word is written that has no room"
        );
        self.first_limb(number)
    }

    /// Word `number` of all, node by node.
    pub fn word(&self, number: usize) -> &[u64] {
        &self.limbs[self.first_limb(number)..][..self.size()]
    }

    /// Whether it takes no room, because nobody writes it.
    #[inline]
    pub fn takes_none(&self, number: usize) -> bool {
        (self.places.as_ref()).is_some_and(|places| !places.has_one(number))
    }

    /// Limb `limb` of word `number` of all.
    #[inline]
    pub fn limb(&self, number: usize, limb: usize) -> u64 {
        self.limbs[self.first_limb(number) + limb]
    }

    /// The same, to be written.
    #[inline]
    pub fn limb_mut(&mut self, number: usize, limb: usize) -> &mut u64 {
        let place = self.first_limb_mut(number) + limb;
        &mut self.limbs[place]
    }

    /// Whether it is another one of so many bits: at once where both have one limb, as most have.
    #[inline]
    pub fn has(&self, number: usize, (others, other): (&Words, usize)) -> bool {
        match self.bits {
            1..=64 => self.limb(number, 0) == others.limb(other, 0),
            _ => self.word(number) == others.word(other),
        }
    }

    /// The same, to be written.
    pub fn word_mut(&mut self, number: usize) -> &mut [u64] {
        let (first, size) = (self.first_limb_mut(number), self.size());
        &mut self.limbs[first..][..size]
    }

    /// All words, node by node.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.amount()).map(|number| self.word(number))
    }

    /// The words of a node.
    pub fn of_node(&self, node: usize) -> impl Iterator<Item = &[u64]> {
        (node * self.per_node..(node + 1) * self.per_node).map(|number| self.word(number))
    }

    /// A bit of a node's words, which stand one behind the other; none beyond the last.
    pub fn bit(&self, node: usize, place: usize) -> Option<bool> {
        let (key, bit) = (place / self.bits, place % self.bits);
        (key < self.per_node).then(|| {
            let word = self.word(node * self.per_node + key);
            word[bit / 64] >> (bit % 64) & 1 == 1
        })
    }

    /// Writes a bit of a node's words; nowhere beyond the last.
    pub fn set_bit(&mut self, node: usize, place: usize, is_one: bool) {
        let (key, bit) = (place / self.bits, place % self.bits);
        if key < self.per_node {
            let word = self.word_mut(node * self.per_node + key);
            word[bit / 64] = word[bit / 64] & !(1 << (bit % 64)) | u64::from(is_one) << (bit % 64);
        }
    }

    /// Up to 64 bits of word `number` of all, from bit `from` on.
    pub fn chunk(&self, number: usize, from: usize, bits: usize) -> u64 {
        let word = self.word(number);
        let (limb, shift) = (from / 64, from % 64);
        let low = word.get(limb).map_or(0, |limb| limb >> shift);
        let high = match shift {
            0 => 0,
            _ => word.get(limb + 1).map_or(0, |limb| limb << (64 - shift)),
        };
        (low | high) & mask(bits)
    }

    /// Writes so many of these bits, up to 64, into word `number` of all, from bit `from` on.
    pub fn set_chunk(&mut self, number: usize, from: usize, (bits, value): (usize, u64)) {
        let (limb, shift) = (from / 64, from % 64);
        let is_all = bits == self.bits;
        let (mask, word) = (mask(bits), self.word_mut(number));
        let value = value & mask;
        // Of new memory that is read before it is written the system makes two pages.
        if let (true, [all]) = (is_all, &mut *word) {
            *all = value;
            return;
        }
        if let Some(low) = word.get_mut(limb) {
            *low = *low & !(mask << shift) | value << shift;
        }
        if shift > 0
            && let Some(high) = word.get_mut(limb + 1)
        {
            let back = 64 - shift;
            *high = *high & !(mask >> back) | value >> back;
        }
    }

    /// One more is the number that begins at bit `from` of word `number` of all, which must have room for it.
    pub fn count(&mut self, number: usize, from: usize) {
        let mut carry = 1 << (from % 64);
        for limb in &mut self.word_mut(number)[from / 64..] {
            let is_over;
            (*limb, is_over) = limb.overflowing_add(carry);
            if !is_over {
                return;
            }
            carry = 1;
        }
    }

    /// 64 bits of a node's words from `from` on: 0 beyond the last.
    pub fn bits_from(&self, node: usize, from: usize) -> u64 {
        let bit = |place: usize| self.bit(node, from + place).unwrap_or(false);
        (0..64).fold(0, |bits, place| bits | u64::from(bit(place)) << place)
    }

    /// Writes these bits, from `from` on, into a node's words; what is beyond the last is left out.
    pub fn set_bits_from(&mut self, node: usize, from: usize, bits: u64) {
        for place in from..(from + 64).min(self.per_node * self.bits) {
            self.set_bit(node, place, bits >> (place - from) & 1 == 1);
        }
    }
}

/// So many ones, up to 64.
fn mask(bits: usize) -> u64 {
    match bits {
        0 => 0,
        _ => u64::MAX >> (64 - bits.min(64)),
    }
}

/// A word in hexadecimal, as many digits as its bits need.
pub fn hexadecimal(word: &[u64], bits: usize) -> String {
    let digits = bits.div_ceil(4);
    let all: String = word
        .iter()
        .rev()
        .map(|limb| format!("{limb:016x}"))
        .collect();
    all[all.len() - digits..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_drawn_within_their_bits_and_alike_for_a_seed() {
        for bits in [1, 7, 63, 64, 65, 130] {
            let words = Words::drawn(8, 3, bits, 5);
            assert_eq!((words.nodes(), words.iter().count()), (8, 24));
            assert_eq!(words, Words::drawn(8, 3, bits, 5));
            assert_ne!(words, Words::drawn(8, 3, bits, 6));
            for word in words.iter() {
                let top = word[bits / 64..]
                    .first()
                    .map_or(0, |last| last >> (bits % 64));
                assert_eq!(top, 0);
            }
        }
    }

    #[test]
    fn bits_are_written_as_they_are_read() {
        for bits in [1, 5, 63, 64, 65] {
            let words = Words::drawn(4, 5, bits, 9);
            let mut copy = Words::zeros(4, 5, bits);
            for node in 0..4 {
                for from in (0..5 * bits).step_by(64) {
                    copy.set_bits_from(node, from, words.bits_from(node, from));
                }
                assert_eq!(words.bit(node, 5 * bits), None);
            }
            assert_eq!(copy, words);
        }
    }

    #[test]
    fn chunks_are_written_as_they_are_read() {
        for bits in [1, 5, 63, 64, 65, 130] {
            let words = Words::drawn(3, 2, bits, 7);
            for size in [1, 3, 63, 64] {
                let mut copy = Words::drawn(3, 2, bits, 8);
                for number in 0..6 {
                    for from in (0..bits).step_by(size) {
                        let amount = size.min(bits - from);
                        let chunk = words.chunk(number, from, amount);
                        for place in 0..amount {
                            let bit = words.bit(number / 2, number % 2 * bits + from + place);
                            assert_eq!(Some(chunk >> place & 1 == 1), bit);
                        }
                        // What is beyond the chunk is left alone.
                        copy.set_chunk(number, from, (amount, chunk | !mask(amount)));
                    }
                }
                assert_eq!(copy, words);
            }
        }
    }

    /// Numbers side by side, some of them in two limbs, as large as they can be.
    #[test]
    fn each_number_counts_by_itself() {
        for bits in [1, 5, 13, 19] {
            let numbers = 200 / bits;
            let mut words = Words::sparse(1, 2, numbers * bits, [1].into_iter());
            let due = |place: usize| (place * 12345 + 6789) & ((1 << bits) - 1);
            for place in 0..numbers {
                for _ in 0..due(place) {
                    words.count(1, place * bits);
                }
            }
            let found = (0..numbers).map(|place| words.chunk(1, place * bits, bits) as usize);
            assert!(found.eq((0..numbers).map(due)), "{bits}");
            assert!(words.word(0).iter().all(|limb| *limb == 0));
        }
    }

    #[test]
    fn words_that_take_no_room_are_words_like_others() {
        for bits in [1, 64, 130] {
            let drawn = Words::drawn(4, 3, bits, 3);
            let mut due = Words::zeros(4, 3, bits);
            let mut words = Words::sparse(4, 3, bits, [3, 7, 0, 11, 7].into_iter());
            assert_eq!((words.nodes(), words.iter().count()), (4, 12));
            for number in [7, 0, 11, 7] {
                for words in [&mut due, &mut words] {
                    let mut limbs = drawn.word(number).iter();
                    words.fill(number, || *limbs.next().unwrap());
                }
                assert_eq!(words, due);
                *words.limb_mut(3, 0) ^= 1;
                assert_ne!(words, due);
                *due.limb_mut(3, 0) ^= 1;
            }
            let none: Vec<usize> = (0..12).filter(|number| words.takes_none(*number)).collect();
            assert_eq!(none, [1, 2, 4, 5, 6, 8, 9, 10]);
            assert!(!due.takes_none(1) && none.iter().all(|none| words.has(*none, (&due, 1))));
        }
    }

    #[test]
    fn a_word_is_another_one_if_all_bits_are() {
        for bits in [1, 63, 64, 65, 130] {
            let words = Words::drawn(2, 2, bits, 7);
            let mut others = words.clone();
            for bit in [0, bits / 2, bits - 1] {
                assert!(words.has(3, (&others, 3)), "{bits} {bit}");
                others.word_mut(3)[bit / 64] ^= 1 << (bit % 64);
                assert!(!words.has(3, (&others, 3)), "{bits} {bit}");
                others.word_mut(3)[bit / 64] ^= 1 << (bit % 64);
            }
            assert!(bits == 1 || !words.has(3, (&others, 2)));
        }
    }

    #[test]
    fn hexadecimal_digits_are_as_many_as_bits_need() {
        assert_eq!(hexadecimal(&[0x2f], 6), "2f");
        assert_eq!(hexadecimal(&[0x2f], 9), "02f");
        assert_eq!(hexadecimal(&[1, 0x1], 65), "10000000000000001");
    }
}
