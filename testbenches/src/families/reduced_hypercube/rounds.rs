//! Words of the later rounds of a Verilog testbench.

use crate::families::reduced_hypercube::words::Words;

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
