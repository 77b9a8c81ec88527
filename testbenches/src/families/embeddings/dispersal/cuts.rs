//! Wires of a hypercube that fail while bits are on their way: which, when and how. From a file, into one, or drawn.
//!
//! A file is CSV with the header `node,dimension,bit_time` or `node,dimension,bit_time,stuck`: a row for each directed
//! wire, named by the node that drives it and the dimension that it crosses, with the first bit time in which it fails and
//! how: `cut` (as where there is no such column), `0` or `1`. Rows may stand in any order.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use rand::Rng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rtl_model::csv_file::is_whole;
use rtl_model::machine::topology::hypercube::Dimensions;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::error::cuts::{COLUMNS, Problem};
use crate::lockstep::WireFault;
use crate::options::file_name;
use crate::output::Staged;
use crate::values::{Fields, Table, shown};

/// Columns without the one that may be left out.
const LEAST_COLUMNS: usize = 3;

/// Which random numbers of a seed are the cuts': not those that messages are drawn from.
const STREAM: u64 = u64::from_le_bytes(*b"the cuts");

/// A directed wire that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node that drives it.
    pub node: usize,
    /// The dimension that it crosses.
    pub dimension: usize,
    /// The first bit time in which it fails; from then on it does until the run is over.
    pub from_bit_time: u64,
    /// How.
    pub stuck: Stuck,
}

/// What a wire that fails is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// It is cut: 0 is read from it.
    Cut,
    /// It is stuck at 0. To those who read it that is the same.
    At0,
    /// It is stuck at 1.
    At1,
}

impl Stuck {
    /// All ways to fail.
    pub const ALL: [Stuck; 3] = [Stuck::Cut, Stuck::At0, Stuck::At1];

    /// What files call it.
    pub fn word(self) -> &'static str {
        match self {
            Stuck::Cut => "cut",
            Stuck::At0 => "0",
            Stuck::At1 => "1",
        }
    }

    /// What such a wire is called in views.
    pub fn in_words(self) -> &'static str {
        match self {
            Stuck::Cut => "cut",
            Stuck::At0 => "stuck at 0",
            Stuck::At1 => "stuck at 1",
        }
    }

    /// What is read from such a wire.
    pub fn value(self) -> bool {
        self == Stuck::At1
    }
}

impl From<Cut> for WireFault {
    fn from(cut: Cut) -> Self {
        WireFault {
            node: cut.node,
            wire: cut.dimension,
            from: cut.from_bit_time,
            value: cut.stuck.value(),
        }
    }
}

/// Refuses more wires than there are.
///
/// # Errors
/// [`Error::TooManyCuts`].
pub fn check_count(host: Dimensions, count: usize) -> Result<(), Error> {
    match host.wires() {
        wires if count > wires => Err(Error::TooManyCuts {
            cuts: count,
            dimensions: host.count(),
            wires,
        }),
        _ => Ok(()),
    }
}

/// Draws `count` directed wires of `host`, no two alike, each of which fails from a bit time in `at` on, in any of the three
/// ways: every choice is as likely as the others. They are in the order of their nodes, and at a node of dimensions.
///
/// # Errors
/// [`Error::TooManyCuts`]; [`Error::NoBitTimeForCuts`], if there are any wires to draw and no bit times.
pub fn drawn(host: Dimensions, count: usize, seed: u64, at: Range<u64>) -> Result<Vec<Cut>, Error> {
    check_count(host, count)?;
    let wires = host.wires();
    if count > 0 && at.is_empty() {
        let Range {
            start: from,
            end: to,
        } = at;
        return Err(Error::NoBitTimeForCuts { from, to });
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(STREAM);
    let mut chosen = index::sample(&mut random, wires, count).into_vec();
    chosen.sort_unstable();
    let cuts = chosen.into_iter().map(|wire| Cut {
        node: wire / host.count(),
        dimension: wire % host.count(),
        from_bit_time: random.random_range(at.clone()),
        stuck: Stuck::ALL[random.random_range(0..Stuck::ALL.len())],
    });
    Ok(cuts.collect())
}

/// Reads wires of `host` that fail in a run of so many bit times, in the order of the file; `-` is standard input.
///
/// # Errors
/// [`Error::CutsFile`] with the line and, where it is one field, the column: among others a wire that `host` does not have, or
/// that has failed already. [`Error::Unreadable`].
pub fn read(path: &Path, host: Dimensions, bit_times: u64) -> Result<Vec<Cut>, Error> {
    let reading = Reading {
        file: file_name(path),
        host,
        last_bit_time: bit_times.saturating_sub(1),
    };
    let columns = Cell::new(0);
    let mut cuts: Vec<Cut> = Vec::new();
    let mut lines = HashMap::new();
    let table = Table {
        path,
        longest_line: 0,
        broken: &|line, malformed| reading.at(line, None, Problem::Malformed(malformed)),
    };
    let header = |line, header: Option<&Fields>| {
        columns.set(header.map_or(0, Fields::len));
        reading.header(line, header)
    };
    table.read(header, |row| {
        let (cut, line) = (reading.cut(columns.get(), row)?, row.line);
        let Cut {
            node, dimension, ..
        } = cut;
        if let Some(line_before) = lines.insert((node, dimension), line) {
            let problem = Problem::Twice {
                node,
                dimension,
                line: line_before,
            };
            return Err(reading.at(line, None, problem));
        }
        cuts.push(cut);
        Ok(())
    })?;
    Ok(cuts)
}

/// A file being read: knows its name, for what it has to say.
struct Reading {
    file: String,
    host: Dimensions,
    last_bit_time: u64,
}

impl Reading {
    fn at(&self, line: u64, column: Option<usize>, problem: Problem) -> Error {
        Error::CutsFile {
            file: self.file.clone(),
            line,
            column,
            problem: Box::new(problem),
        }
    }

    fn header(&self, line: u64, header: Option<&Fields>) -> Result<(), Error> {
        let known = [&COLUMNS[..], &COLUMNS[..LEAST_COLUMNS]];
        let problem = match header {
            Some(header)
                if known
                    .iter()
                    .any(|known| header.fields().eq(known.iter().copied())) =>
            {
                return Ok(());
            }
            Some(header) => Problem::Header {
                found: header.shown(),
            },
            None => Problem::Empty,
        };
        Err(self.at(line, None, problem))
    }

    /// What a row says, if there is such a wire; it has as many fields as the header.
    fn cut(&self, columns: usize, row: &Fields) -> Result<Cut, Error> {
        let line = row.line;
        if row.len() != columns {
            let found = row.len();
            return Err(self.at(line, None, Problem::FieldCount { found, columns }));
        }
        let in_column = |column| move |problem| self.at(line, Some(column), problem);
        let field = |column| row.field(column);
        let (last_node, last_dimension) = (self.host.nodes() - 1, self.host.count() - 1);
        Ok(Cut {
            node: number(field(0), last_node as u64, |node| {
                let last = last_node;
                Problem::NodeOutOfRange { node, last }
            })
            .map_err(in_column(0))? as usize,
            dimension: number(field(1), last_dimension as u64, |dimension| {
                let last = last_dimension;
                Problem::DimensionOutOfRange { dimension, last }
            })
            .map_err(in_column(1))? as usize,
            from_bit_time: number(field(2), self.last_bit_time, |bit_time| {
                let last = self.last_bit_time;
                Problem::BitTimeOutOfRange { bit_time, last }
            })
            .map_err(in_column(2))?,
            stuck: match columns > LEAST_COLUMNS {
                true => stuck(field(3)).map_err(in_column(3))?,
                false => Stuck::Cut,
            },
        })
    }
}

/// A decimal number up to `last`; `beyond` says of one that is greater that it is.
fn number(text: &str, last: u64, beyond: impl Fn(String) -> Problem) -> Result<u64, Problem> {
    if !is_whole(text) {
        return Err(Problem::NotANumber { text: shown(text) });
    }
    // What no `u64` holds is too large in any case.
    match text.parse() {
        Ok(number) if number <= last => Ok(number),
        _ => Err(beyond(shown(text))),
    }
}

/// The way to fail that files call so.
fn stuck(word: &str) -> Result<Stuck, Problem> {
    let found = Stuck::ALL.into_iter().find(|stuck| stuck.word() == word);
    found.ok_or_else(|| Problem::Stuck { found: shown(word) })
}

/// Writes a file of them, which [`read`] reads: with all columns.
///
/// # Errors
/// [`Error::Unwritable`].
pub fn write(output: Staged, cuts: &[Cut]) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record(COLUMNS)?;
        cuts.iter().try_for_each(|cut| {
            let wire = [cut.node, cut.dimension].map(|number| number.to_string());
            let (from, how) = (cut.from_bit_time.to_string(), cut.stuck.word().to_owned());
            writer.write_record(wire.into_iter().chain([from, how]))
        })
    })
}

#[cfg(test)]
mod tests;
