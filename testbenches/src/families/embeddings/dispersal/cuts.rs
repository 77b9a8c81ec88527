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
use crate::error::refusal::Refusal;
use crate::lockstep::WireFault;
use crate::options::file_name;
use crate::output::Staged;
use crate::values::{Fields, Table, shown};

/// Columns without the one that may be left out.
const LEAST_COLUMNS: usize = 3;

/// The columns, of which the last may be left out.
const COLUMNS: [&str; 4] = ["node", "dimension", "bit_time", "stuck"];

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
            called: cut.stuck.in_words(),
        }
    }
}

/// Refuses more wires than there are.
///
/// # Errors
/// More than there are.
pub fn check_count(host: Dimensions, count: usize) -> Result<(), Error> {
    match host.wires() {
        wires if count > wires => Err(Refusal::of(format!("{count} wires cannot fail"))
            .because(format!(
                "a cube of {} dimensions has {wires} directed wires",
                host.count()
            ))
            .instead(format!("choose 0 to {wires}"))
            .only_together("wires that fail")
            .into()),
        _ => Ok(()),
    }
}

/// Draws `count` directed wires of `host`, no two alike, each of which fails from a bit time in `at` on, in any of the three
/// ways: every choice is as likely as the others. They are in the order of their nodes, and at a node of dimensions.
///
/// # Errors
/// More than there are; no bit times, if there are any wires to draw.
pub fn drawn(host: Dimensions, count: usize, seed: u64, at: Range<u64>) -> Result<Vec<Cut>, Error> {
    check_count(host, count)?;
    let wires = host.wires();
    if count > 0 && at.is_empty() {
        let Range { start, end } = at;
        return Err(Refusal::of(format!(
            "wires cannot fail in bit times {start} to {end}, the last one not counted"
        ))
        .because("there are none")
        .instead("choose a later end")
        .into());
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
/// What is wrong, with the line and, where it is one field, the column: among others a wire that `host` does not have, or that
/// has failed already. A file that cannot be read.
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
        broken: &|line, malformed| reading.at(line, Refusal::why(malformed)),
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
            let twice = Refusal::why(format!(
                "the wire that node {node} drives across dimension {dimension} fails already (line {line_before})"
            ));
            return Err(reading.at(line, twice.instead("leave one of the two lines out")));
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
    fn at(&self, line: u64, refusal: Refusal) -> Error {
        refusal.about(&self.file).at_line(line).into()
    }

    fn header(&self, line: u64, header: Option<&Fields>) -> Result<(), Error> {
        let known = [&COLUMNS[..], &COLUMNS[..LEAST_COLUMNS]];
        let refusal = match header {
            Some(header)
                if known
                    .iter()
                    .any(|known| header.fields().eq(known.iter().copied())) =>
            {
                return Ok(());
            }
            Some(header) => Refusal::why(format!("the header is `{}`", header.shown())).instead(
                "it must be `node,dimension,bit_time` or `node,dimension,bit_time,stuck`, in lower case",
            ),
            None => Refusal::why("the file is empty").instead(
                "the first line must be `node,dimension,bit_time`, or that and `,stuck`, and a wire stands in each line below it",
            ),
        };
        Err(self.at(line, refusal))
    }

    /// What a row says, if there is such a wire; it has as many fields as the header.
    fn cut(&self, columns: usize, row: &Fields) -> Result<Cut, Error> {
        let line = row.line;
        if row.len() != columns {
            let found = row.len();
            let why = format!(
                "fields in this line: {found}; there must be {columns}, as the header has it"
            );
            return Err(self.at(line, Refusal::why(why)));
        }
        let in_column = |column: usize| {
            move |refusal: Refusal| self.at(line, refusal.at_column(column + 1, COLUMNS[column]))
        };
        let field = |column| row.field(column);
        // In a field, up to the last of so many that somebody has.
        let number = |column, what, (whose, last): (&str, u64)| {
            number(field(column), (what, whose), last).map_err(in_column(column))
        };
        let (last_node, last_dimension) = (self.host.nodes() - 1, self.host.count() - 1);
        Ok(Cut {
            node: number(0, "node", ("cube", last_node as u64))? as usize,
            dimension: number(1, "dimension", ("cube", last_dimension as u64))? as usize,
            from_bit_time: number(2, "bit time", ("run", self.last_bit_time))?,
            stuck: match columns > LEAST_COLUMNS {
                true => stuck(field(3)).map_err(in_column(3))?,
                false => Stuck::Cut,
            },
        })
    }
}

/// A decimal number up to `last`, of what somebody has.
fn number(text: &str, (what, whose): (&str, &str), last: u64) -> Result<u64, Refusal> {
    if !is_whole(text) {
        return Err(Refusal::why(format!("`{}` is not a number", shown(text)))
            .instead("write it in decimal, counted from 0"));
    }
    // What no `u64` holds is too large in any case.
    (text.parse().ok())
        .filter(|number| *number <= last)
        .ok_or_else(|| {
            Refusal::why(format!("{what} {} is out of range", shown(text)))
                .instead(format!("the {whose} has {what}s 0 to {last}"))
        })
}

/// The way to fail that files call so.
fn stuck(word: &str) -> Result<Stuck, Refusal> {
    let found = Stuck::ALL.into_iter().find(|stuck| stuck.word() == word);
    found.ok_or_else(|| {
        Refusal::why(format!("`{}` is no way to fail", shown(word))).instead(
            "write `cut` for a wire on which 0 is read, or what it is stuck at, `0` or `1`",
        )
    })
}

/// Writes a file of them, which [`read`] reads: with all columns.
///
/// # Errors
/// A file that cannot be written after all.
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
