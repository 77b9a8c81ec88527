//! Words of later rounds, and words out of files.

use hosts::words::Words;

use crate::values::{digits, shown};

/// Words of a later round: ones, then words against their order and in it, then zeros and ones, then random words twice; and
/// again. Of words over 64 bits, each limb is the same.
pub fn patterned(
    round: usize,
    (nodes, keys, bits): (usize, usize, usize),
    seed: u64,
) -> (Words, String) {
    let mut words = Words::zeros(nodes, keys, bits);
    let amount = nodes * keys;
    let by_number = |words: &mut Words, of: &dyn Fn(usize) -> u64| {
        for number in 0..amount {
            words.fill(number, || of(number));
        }
    };
    let name = match round % 6 {
        2 => {
            by_number(&mut words, &|_| u64::MAX);
            "all ones"
        }
        3 => {
            by_number(&mut words, &|number| (amount - number) as u64);
            "falling"
        }
        4 => {
            by_number(&mut words, &|number| number as u64);
            "rising"
        }
        5 => {
            by_number(&mut words, &|number| {
                u64::from((number ^ number >> 1).count_ones() % 2)
            });
            "zeros and ones"
        }
        _ => {
            words = Words::drawn(nodes, keys, bits, seed);
            return (words, format!("random, seed {seed}"));
        }
    };
    (words, name.to_owned())
}

/// Reads a hexadecimal number into a word of `bits` bits.
///
/// # Errors
/// Why it is none, or that it is too large.
pub fn read_hexadecimal(value: &str, word: &mut [u64], bits: usize) -> Result<(), String> {
    word.fill(0);
    for (place, digit) in digits(value, "write 0")?.enumerate() {
        let from = 4 * place;
        let wide = from + 32 - digit.leading_zeros() as usize;
        if digit > 0 && wide > bits {
            return Err(format!(
                "the value `{}` does not fit into {bits} bits",
                shown(value)
            ));
        }
        if let Some(limb) = word.get_mut(from / 64) {
            *limb |= u64::from(digit) << (from % 64);
        }
    }
    Ok(())
}
