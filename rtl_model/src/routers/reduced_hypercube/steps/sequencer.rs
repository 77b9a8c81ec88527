//! The sequencer that walks through a step table: three counters and the decode of the table.
//!
//! ```text
//!   [bit_of_word 0..w-1]--last--> [word]--last--> [row] --+--> is row r --(or over rows)--> strobe
//!        |                          |                     |
//!        +--> begins (first bit)    +--> is word v -------+
//! ```
//!
//! The table is a read-only memory, written as gates: a strobe is the OR of the rows in which it is 1.

use std::sync::Arc;

use crate::language::bit::{Bit, Strobe, any};
use crate::language::register::{Name, Registers, Visitor};
use crate::language::strobes::Strobes;
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number};
use crate::routers::reduced_hypercube::steps::table::{Table, TableRow};

/// What rows order besides a way, and what is broadcast of it.
pub trait Orders: Clone + PartialEq + Send + Sync + Sized + 'static {
    /// The broadcast.
    type Broadcast<S: Strobe>: Strobes<S> + Clone + Send + Sync;

    /// What [`Orders::says`] is called in a waveform; nothing, where nothing is said.
    const SAYS: &'static str = "";

    /// What the row's word of that number is about, in visible ASCII.
    fn says(&self, word: usize) -> String {
        let _ = word;
        String::new()
    }

    /// Who sends to whom in a row that is told of no way, if anybody does.
    fn turn(&self) -> &'static str {
        ""
    }

    /// Whether the word of a node that has this number shifts in the row's word of that number.
    fn shifts(&self, number: usize, word: usize) -> bool {
        let _ = (number, word);
        true
    }

    /// Drives the strobes of this bit time, in a network of so many wires and address bits.
    fn broadcast<S: Strobe>(
        now: &Now<'_, S, Self>,
        network: (usize, usize),
        strobes: &mut Self::Broadcast<S>,
    );
}

/// Counters, and the table that they walk through.
#[derive(Clone, Debug)]
pub struct StepSequencer<B: Bit, O> {
    table: Arc<Table<O>>,
    network: (usize, usize),
    word_bits: usize,
    bit_of_word: Counter<B>,
    word: Option<Counter<B>>,
    row: Counter<B>,
}

impl<B: Bit, O> Registers<B> for StepSequencer<B, O> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "StepSequencer");
        visitor.note("the bit of the word");
        self.bit_of_word.visit(Name::Field("bit_of_word"), visitor);
        visitor.note("the word of the row");
        self.word.visit(Name::Field("word"), visitor);
        visitor.note("the row of the step table");
        self.row.visit(Name::Field("row"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.bit_of_word.visit_mut(visitor);
        self.word.visit_mut(visitor);
        self.row.visit_mut(visitor);
    }
}

impl<S: Strobe, O> StepSequencer<S, O> {
    /// At the first bit of the first word of the first row.
    pub fn new(table: Arc<Table<O>>, network: (usize, usize), word_bits: usize) -> Self {
        let (longest, rows) = (table.longest(), table.rows.len());
        StepSequencer {
            table,
            network,
            word_bits,
            bit_of_word: Counter::new(word_bits as u32 - 1, 0).named("bit_of_word"),
            word: (longest > 1).then(|| Counter::new(longest as u32 - 1, 0).named("word")),
            row: Counter::new(rows as u32, 0).named("row"),
        }
    }

    fn now(&self) -> Now<'_, S, O> {
        let row = self.row.number();
        Now {
            table: &self.table,
            known: known(row).filter(|row| *row < self.table.rows.len()),
            running: !row.equals(self.table.rows.len() as i64),
            row,
            bit: self.bit_of_word.number(),
            last_bit: self.word_bits as i64 - 1,
            word: self.word.as_ref().map(Counter::number),
        }
    }
}

impl<O> StepSequencer<bool, O> {
    /// Where the schedule stands: an iteration is a row. Behind the last one comes the step `done`.
    pub fn position(&self, done: usize) -> Position {
        let row = self.row.number().value();
        let word = self.word.as_ref().map_or(0, |word| word.number().value());
        let under_way = self.table.rows.get(row as usize);
        Position {
            iteration: row,
            step: under_way.map_or(done, |row| row.kind) as u32,
            bit_time: word * self.word_bits as u32 + self.bit_of_word.number().value(),
        }
    }
}

impl<O> StepSequencer<bool, O> {
    /// The row that is under way, with the numbers of its word and of the word's bit; none once all are over.
    pub fn under_way(&self) -> Option<(&TableRow<O>, usize, usize)> {
        let value = |counter: &Counter<bool>| counter.number().value() as usize;
        let word = self.word.as_ref().map_or(0, value);
        let row = self.table.rows.get(value(&self.row))?;
        Some((row, word, value(&self.bit_of_word)))
    }
}

/// A bit time.
pub struct Now<'a, S: Strobe, O> {
    table: &'a Table<O>,
    /// Where the row is known, as in a simulation, no other has to be asked.
    known: Option<usize>,
    row: &'a Number<S>,
    running: S,
    bit: &'a Number<S>,
    last_bit: i64,
    word: Option<&'a Number<S>>,
}

/// The number, where all of its bits are known.
fn known<S: Strobe>(number: &Number<S>) -> Option<usize> {
    (0..number.width()).try_fold(0, |value, place| {
        let bit = number.bit(place);
        let is_one = bit.is_known_one();
        (is_one || bit.is_known_zero()).then_some(value | usize::from(is_one) << place)
    })
}

fn constant<S: Strobe>(bit: bool) -> S {
    if bit { S::ONE } else { S::ZERO }
}

impl<S: Strobe, O> Now<'_, S, O> {
    /// 1 until the last row is over.
    pub fn running(&self) -> S {
        self.running
    }

    /// The table.
    pub fn table(&self) -> &Table<O> {
        self.table
    }

    /// 1 in rows of which that is so.
    pub fn any(&self, is_so: impl Fn(&TableRow<O>) -> bool) -> S {
        let rows = &self.table.rows;
        match self.known {
            Some(row) => constant(is_so(&rows[row])),
            None => any((rows.iter().enumerate())
                .filter(|(_, row)| is_so(row))
                .map(|(number, _)| self.row.equals(number as i64))),
        }
    }

    /// 1 in words of which that is so, rows being told apart by `class`: by what it takes to say so.
    pub fn any_in_words<K: PartialEq + Copy>(
        &self,
        class: impl Fn(&TableRow<O>) -> K,
        is_so: impl Fn(K, usize) -> bool,
    ) -> S {
        if let (Some(row), Some(word)) = (self.known, self.known_word()) {
            return constant(is_so(class(&self.table.rows[row]), word));
        }
        let mut classes: Vec<(K, usize)> = Vec::new();
        for row in &self.table.rows {
            let of_row = class(row);
            if !classes.iter().any(|(known, _)| *known == of_row) {
                classes.push((of_row, row.words));
            }
        }
        let in_class = |(of_rows, words): (K, usize)| {
            let so: Vec<usize> = (0..words).filter(|&word| is_so(of_rows, word)).collect();
            match so.is_empty() {
                true => S::ZERO,
                false => self.any(|row| class(row) == of_rows) & self.is_word_of(&so, words),
            }
        };
        any(classes.into_iter().map(in_class))
    }

    fn known_word(&self) -> Option<usize> {
        self.word.map_or(Some(0), known)
    }

    /// 1 in some of the words of a row that has so many.
    fn is_word_of(&self, some: &[usize], words: usize) -> S {
        match self.word {
            Some(word) if some.len() < words => {
                any(some.iter().map(|&number| word.equals(number as i64)))
            }
            _ => S::ONE,
        }
    }

    /// 1 in the first bit time of a word.
    pub fn begins_word(&self) -> S {
        self.running & self.bit.equals(0)
    }

    /// 1 in every other bit time of a word, the second, the fourth and so on.
    pub fn is_odd_bit(&self) -> S {
        self.running & self.bit.bit(0)
    }

    fn ends_word(&self) -> S {
        self.bit.equals(self.last_bit)
    }

    /// 1 in the last word of the row.
    fn is_last_word(&self) -> S {
        let Some(word) = self.word else {
            return S::ONE;
        };
        if let Some(row) = self.known {
            return word.equals(self.table.rows[row].words as i64 - 1);
        }
        let mut lengths: Vec<usize> = self.table.rows.iter().map(|row| row.words).collect();
        lengths.sort_unstable();
        lengths.dedup();
        any(lengths
            .into_iter()
            .map(|words| self.any(|row| row.words == words) & word.equals(words as i64 - 1)))
    }
}

impl<S: Strobe, O: Orders> Sequencer<S> for StepSequencer<S, O> {
    type Broadcast = O::Broadcast<S>;

    fn broadcast(&self, strobes: &mut Self::Broadcast) {
        O::broadcast(&self.now(), self.network, strobes);
    }

    fn clock(&mut self) {
        let now = self.now();
        let running = now.running();
        let ends_word = (running & now.ends_word()).named("ends_word");
        let ends_row = (ends_word & now.is_last_word()).named("ends_row");
        S::when(running, &mut self.bit_of_word, |bit| {
            bit.count_or_set(ends_word, 0)
        });
        if let Some(word) = &mut self.word {
            S::when(ends_word, word, |word| word.count_or_set(ends_row, 0));
        }
        S::when(ends_row, &mut self.row, Counter::count);
    }

    fn is_done(&self) -> S {
        self.row.number().equals(self.table.rows.len() as i64)
    }
}
