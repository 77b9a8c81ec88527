//! Numbers of nodes, taken down whenever they change.

use rtl_model::machine::shown::{Digits, Shown};
use rustc_hash::FxHashMap;

use super::note;
use crate::picture::MOST_ROWS;
use crate::picture::bins::nodes_a_row;
use crate::picture::run::{Number, Value};
use crate::probe::Subject;

/// Bits of numbers that are looked at in a whole run, at all nodes: each may be of a value that there has not been before, and is
/// kept. Where there would be more, numbers are looked at in every second bit time, or every third, and so on.
const MOST_BITS: u64 = 1 << 27;
/// Bits of the size of a value.
const SIZE_BITS: usize = 24;

/// What is taken down.
pub struct Numbers {
    numbers: Vec<Number>,
    digits: Vec<Digits>,
    /// Of each number that a node shows its bits, and its place among those that are taken down, if it is one.
    shown: Vec<(usize, Option<usize>)>,
    /// Of each number the places of its values, by their bits.
    places: Vec<FxHashMap<Vec<u64>, u32>>,
    bits: Vec<bool>,
    /// The bits of a number, 64 in a word: as such they are looked up.
    words: Vec<u64>,
    /// Nodes to a row of the finest picture: the numbers of the first of them are drawn, and only those are looked at.
    nodes_a_row: usize,
    /// By row, the bits when they were looked at last: where they are the same still, nothing need be looked up.
    before: Vec<Vec<bool>>,
}

impl Numbers {
    /// Of so many nodes. A number that is the code of a text is not taken down: the text says more.
    pub fn new(shown: &Shown, nodes: usize) -> Self {
        let is_told = |name: &str| shown.told.iter().any(|told| told.name == name);
        let (mut numbers, mut digits, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for number in &shown.numbers {
            let place = (!is_told(&number.name)).then_some(numbers.len());
            places.push((number.width, place));
            if place.is_some() {
                digits.push(number.digits);
                numbers.push(Number {
                    name: number.name.clone(),
                    is_count: false,
                    width: number.width,
                    values: Vec::new(),
                    nodes: vec![Vec::new(); nodes],
                    second: Vec::new(),
                    every: 1,
                });
            }
        }
        Numbers {
            shown: places,
            places: vec![FxHashMap::default(); numbers.len()],
            numbers,
            digits,
            bits: Vec::new(),
            words: Vec::new(),
            nodes_a_row: nodes_a_row(nodes, MOST_ROWS),
            before: Vec::new(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The run takes so many bit times.
    pub fn expect(&mut self, bit_times: u64) {
        let numbers = self.numbers.iter();
        let bits: usize = numbers
            .map(|number| number.nodes.len() * number.width)
            .sum();
        let every = (bits as u64).saturating_mul(bit_times).div_ceil(MOST_BITS);
        for number in &mut self.numbers {
            number.every = u32::try_from(every).unwrap_or(u32::MAX).max(1);
        }
    }

    /// What they are in this bit time.
    pub fn look(&mut self, subject: &dyn Subject, bit_time: u32) {
        let Some(first) = self.numbers.first() else {
            return;
        };
        // What there is at the end is there in any case.
        if !bit_time.is_multiple_of(first.every) && !subject.simulation().is_done() {
            return;
        }
        let firsts = (0..subject.simulation().nodes()).step_by(self.nodes_a_row);
        for (row, node) in firsts.enumerate() {
            self.bits.clear();
            subject.numbers(node, &mut self.bits);
            let is_first = row == self.before.len();
            if is_first {
                self.before.push(Vec::new());
            }
            let before = &mut self.before[row];
            if *before == self.bits && !is_first {
                continue;
            }
            let mut from = 0;
            for (width, taken) in &self.shown {
                let range = from..from + width;
                from = range.end;
                let bits = &self.bits[range.clone()];
                let is_same = !is_first && before[range] == *bits;
                let Some(taken) = taken.filter(|_| !is_same) else {
                    continue;
                };
                let (number, places) = (&mut self.numbers[taken], &mut self.places[taken]);
                self.words.clear();
                self.words.extend(bits.chunks(64).map(word));
                let place = match places.get(&self.words) {
                    Some(place) => *place,
                    None => {
                        let place = number.values.len() as u32;
                        number.values.push(value(bits, self.digits[taken]));
                        places.insert(self.words.clone(), place);
                        place
                    }
                };
                note(&mut number.nodes[node], bit_time, place);
            }
            before.clone_from(&self.bits);
        }
    }

    /// All of them.
    pub fn finish(self) -> Vec<Number> {
        self.numbers
    }
}

/// Up to 64 bits as a word, the least significant first.
fn word(bits: &[bool]) -> u64 {
    let bits = bits.iter().rev();
    bits.fold(0, |number, bit| number << 1 | u64::from(*bit))
}

/// A number of these bits, the least significant first.
fn value(bits: &[bool], digits: Digits) -> Value {
    let of = |bits: &[bool]| word(bits) as u32;
    let leading = &bits[bits.len().saturating_sub(SIZE_BITS)..];
    let is_zero = !bits.contains(&true);
    Value {
        text: match digits {
            Digits::Decimal if bits.len() <= 32 => of(bits).to_string(),
            // No count is so wide, and a word can be read all the same.
            Digits::Hexadecimal | Digits::Decimal => {
                let digits = bits.chunks(4).rev().map(of);
                digits
                    .filter_map(|digit| char::from_digit(digit, 16))
                    .collect()
            }
            Digits::Binary => {
                let bits = bits.iter().rev();
                bits.map(|bit| if *bit { '1' } else { '0' }).collect()
            }
        },
        // Small values of wide numbers are not nothing.
        size: of(leading).max(u32::from(!is_zero)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> Vec<bool> {
        text.chars().rev().map(|bit| bit == '1').collect()
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        let read = |text, digits| value(&bits(text), digits).text;
        assert_eq!(read("1011010", Digits::Hexadecimal), "5a");
        assert_eq!(read("000001", Digits::Hexadecimal), "01");
        assert_eq!(read("0110", Digits::Binary), "0110");
        assert_eq!(read("001100", Digits::Decimal), "12");
        let wide = read(&format!("1{}", "0".repeat(32)), Digits::Decimal);
        assert_eq!(wide, "100000000");
    }

    #[test]
    fn only_nothing_has_no_size() {
        let size = |text: &str| value(&bits(text), Digits::Hexadecimal).size;
        assert_eq!([size("0000"), size("0001"), size("1010")], [0, 1, 10]);
        let wide = |ones: usize| format!("{}{}", "1".repeat(ones), "0".repeat(64 - ones));
        assert_eq!(size(&wide(0)), 0);
        assert_eq!(size(&format!("{}1", "0".repeat(63))), 1);
        assert!(size(&wide(1)) < size(&wide(2)));
    }

    /// A long run of many nodes is looked at less often.
    #[test]
    fn so_many_bits_are_looked_at_at_most() {
        let word = rtl_model::machine::shown::Number {
            name: "word".to_owned(),
            width: 8,
            digits: Digits::Hexadecimal,
        };
        let shown = Shown {
            numbers: vec![word],
            ..Shown::default()
        };
        let every = |bit_times| {
            let mut numbers = Numbers::new(&shown, 1 << 12);
            numbers.expect(bit_times);
            numbers.finish()[0].every
        };
        assert_eq!([0, 1 << 12, (1 << 12) + 1].map(every), [1, 1, 2]);
        assert_eq!(every(u64::MAX), u32::MAX);
    }
}
