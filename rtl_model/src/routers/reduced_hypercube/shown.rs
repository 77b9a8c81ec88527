//! What a waveform shows of a collective operation beside wires and registers: who sends to whom, and the words of every node.

use crate::language::bit::Bit;
use crate::machine::shown::{Counted, Digits, Number, Shown, Text};
use crate::parts::shift_register::ShiftRegister;
use crate::routers::reduced_hypercube::collective::Collective;
use crate::routers::reduced_hypercube::operator::BitOrder;
use crate::routers::reduced_hypercube::steps::sequencer::Orders;
use crate::routers::reduced_hypercube::steps::table::{Table, TableRow};

/// What a view of a waveform opens on at most: kinds of steps,
const FIRST_SCREEN_KINDS: usize = 5;
/// and bit times.
const FIRST_SCREEN_BIT_TIMES: usize = 112;

/// Shows the bits of a word that has shifted so far, in the order of their significance.
pub fn show_word<B: Bit>(
    word: &ShiftRegister<B>,
    (order, turned): (BitOrder, usize),
    bit: &mut dyn FnMut(B),
) {
    let width = word.width();
    for number in 0..width {
        let streamed = order.place(number, width);
        bit(word.bit((streamed + width - turned % width) % width));
    }
}

/// Rows until a fifth kind of step is over, if they are not too many to be read.
pub fn rows_to_begin_with<O>(table: &Table<O>, word_bits: usize) -> usize {
    let (mut kinds, mut bit_times, mut last) = (0, 0, None);
    let fits = |row: &&TableRow<O>| {
        kinds += usize::from(last != Some(row.kind));
        last = Some(row.kind);
        bit_times += row.words * word_bits;
        kinds <= FIRST_SCREEN_KINDS && bit_times <= FIRST_SCREEN_BIT_TIMES
    };
    table.rows.iter().take_while(fits).count().max(2)
}

/// What there is to be shown.
pub fn shown<C: Collective>(collective: &C, table: &Table<C::Orders>) -> Shown {
    let network = collective.network();
    let ways = table.rows.iter().map(|row| row.text(network).len());
    let mut texts = vec![Text {
        name: "way",
        longest: ways.max().unwrap_or(0),
    }];
    if !C::Orders::SAYS.is_empty() {
        let rows = table.rows.iter();
        let says = rows.flat_map(|row| (0..row.words).map(|word| row.orders.says(word).len()));
        texts.push(Text {
            name: C::Orders::SAYS,
            longest: says.max().unwrap_or(0),
        });
    }
    let words = collective.words().into_iter();
    Shown {
        texts,
        numbers: words
            .map(|name| Number {
                name,
                width: collective.word_bits(),
                digits: Digits::Hexadecimal,
            })
            .collect(),
        told: Vec::new(),
        occupancy: Counted::Nothing,
    }
}
