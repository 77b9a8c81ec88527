//! From which size on which of two is the faster, of each two that are measured at the same sizes; and which is the fastest of
//! all.

use comfy_table::CellAlignment;
use comfy_table::CellAlignment::{Left, Right};

use crate::measure::row::Row;
use crate::measure::table::differ;
use crate::report::aligned;

/// What rows are compared by.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// What tells apart what is compared.
    pub of: &'static [&'static str],
    /// What must be alike for two rows to be compared.
    pub alike: &'static [&'static str],
    /// What grows: of several, the first that rows have. And what it is counted in.
    pub sizes: &'static [(&'static str, &'static str)],
    /// What tables say first: headings, and columns of the rows. The first is always said, the others where rows differ.
    pub at: &'static [(&'static str, &'static str)],
    /// Pairs of which one is faster at all sizes are told too.
    pub with_always: bool,
    /// What a table of them is called.
    pub title: &'static str,
}

impl Comparison {
    fn size(&self, row: &Row) -> Option<f64> {
        self.sizes.iter().find_map(|(name, _)| row.number(name))
    }

    fn unit(&self, row: &Row) -> &'static str {
        let has = |name: &str| row.number(name).is_some();
        let mut sizes = self.sizes.iter();
        sizes.find(|(name, _)| has(name)).map_or("", |size| size.1)
    }

    fn are_alike(&self, one: &Row, other: &Row) -> bool {
        let mut names = self.alike.iter();
        names.all(|name| one.text(name) == other.text(name))
    }

    /// Where a row is: all that tables may say first.
    fn place(&self, row: &Row) -> Vec<String> {
        self.at.iter().map(|(_, name)| row.text(name)).collect()
    }

    /// Lines below their headings, without what is the same in all rows.
    fn table(
        &self,
        rows: &[Row],
        headings: &[String],
        lines: impl Iterator<Item = (Vec<String>, Vec<String>)>,
        alignment: &[CellAlignment],
    ) -> String {
        let is_shown: Vec<bool> = (self.at.iter().enumerate())
            .map(|(place, (_, name))| place == 0 || differ(rows, name))
            .collect();
        let shown = |all: Vec<String>| -> Vec<String> {
            let pairs = all.into_iter().zip(&is_shown);
            pairs
                .filter(|(_, shown)| **shown)
                .map(|(one, _)| one)
                .collect()
        };
        let names = self.at.iter().map(|(heading, _)| (*heading).to_owned());
        let first = (names.collect(), headings.to_vec());
        let all = std::iter::once(first).chain(lines);
        let all = all.map(|(at, rest)| [shown(at), rest].concat());
        let columns = is_shown.iter().filter(|shown| **shown).map(|_| Right);
        let alignment: Vec<CellAlignment> = columns.chain(alignment.iter().copied()).collect();
        aligned(all.collect(), &alignment)
    }

    /// What a row is of.
    fn name(&self, row: &Row) -> String {
        let names: Vec<String> = self.of.iter().map(|name| row.text(name)).collect();
        names.join(", ")
    }
}

/// Where one passes another.
#[derive(Clone, Debug, PartialEq)]
struct Crossover {
    slow: String,
    fast: String,
    at: Vec<String>,
    /// The smallest size, of those measured, from which on the faster one is faster.
    from: f64,
    /// How many times as fast it is at the largest.
    at_last: f64,
}

/// Of the rows of two that are alike but for that.
fn crossover(by: Comparison, slow: &[&Row], fast: &[&Row]) -> Option<Crossover> {
    let time = |row: &Row| row.number("bit_times");
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for one in slow {
        let size = by.size(one)?;
        let other = fast.iter().find(|row| by.size(row) == Some(size))?;
        pairs.push((size, time(one)? / time(other)?));
    }
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let &(_, at_last) = pairs.last()?;
    let from = pairs.iter().rev().take_while(|pair| pair.1 > 1.0).last()?.0;
    let is_always = pairs.first().is_some_and(|first| first.0 == from);
    (pairs.len() > 1 && (by.with_always || !is_always)).then(|| Crossover {
        slow: by.name(slow[0]),
        fast: by.name(fast[0]),
        at: by.place(slow[0]),
        from,
        at_last,
    })
}

fn crossovers(by: Comparison, rows: &[Row]) -> Vec<Crossover> {
    let mut series: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let found = series.iter_mut().find(|series| {
            by.name(series[0]) == by.name(row)
                && by.are_alike(series[0], row)
                && series.iter().all(|one| by.size(one) != by.size(row))
        });
        match found {
            Some(series) => series.push(row),
            None => series.push(vec![row]),
        }
    }
    let mut found = Vec::new();
    for slow in &series {
        let others = series
            .iter()
            .filter(|fast| by.name(slow[0]) != by.name(fast[0]) && by.are_alike(slow[0], fast[0]));
        found.extend(others.filter_map(|fast| crossover(by, slow, fast)));
    }
    found
}

/// A table of them; nothing, where there is nothing to compare.
pub fn text(by: Comparison, rows: &[Row]) -> String {
    let found = crossovers(by, rows);
    if found.is_empty() {
        return String::new();
    }
    let headings = [
        "faster".to_owned(),
        "than".to_owned(),
        format!("from {}", by.unit(&rows[0])),
        "with the most, times as fast".to_owned(),
    ];
    let lines = found.into_iter().map(|one| {
        let at_last = format!("{:.2}", one.at_last);
        (
            one.at,
            vec![one.fast, one.slow, one.from.to_string(), at_last],
        )
    });
    let table = by.table(rows, &headings, lines, &[Left, Left, Right, Right]);
    format!("\n{}\n{table}\n", by.title)
}

/// The fastest of all, as long as it is.
#[derive(Clone, Debug, PartialEq)]
struct Fastest {
    at: Vec<String>,
    /// The smallest size, of those measured, from which on it is.
    from: f64,
    name: String,
}

/// Of rows that are alike. Of two that are equally fast, the one that was before, or comes first.
fn fastest_of(by: Comparison, alike: &[&Row]) -> Vec<Fastest> {
    let mut sizes: Vec<f64> = alike.iter().filter_map(|row| by.size(row)).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let mut found: Vec<Fastest> = Vec::new();
    for from in sizes {
        let as_large = alike.iter().filter(|row| by.size(row) == Some(from));
        let timed = as_large.filter_map(|row| Some((row.number("bit_times")?, *row)));
        let timed: Vec<(f64, &Row)> = timed.collect();
        let Some(least) = timed.iter().map(|(time, _)| *time).reduce(f64::min) else {
            continue;
        };
        let mut fast = timed.iter().filter(|(time, _)| *time <= least);
        let names: Vec<String> = fast.by_ref().map(|(_, row)| by.name(row)).collect();
        let before = found.last().map(|last| &last.name);
        if before.is_some_and(|before| names.contains(before)) {
            continue;
        }
        found.extend(names.into_iter().next().map(|name| Fastest {
            at: by.place(alike[0]),
            from,
            name,
        }));
    }
    found
}

/// A table of which is the fastest of all from which size on; nothing, where only one was measured or at one size only.
pub fn fastest(by: Comparison, rows: &[Row]) -> String {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| by.are_alike(group[0], row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.retain(|group| {
        let differ =
            |of: &dyn Fn(&Row) -> String| group.windows(2).any(|pair| of(pair[0]) != of(pair[1]));
        differ(&|row| by.name(row)) && differ(&|row| format!("{:?}", by.size(row)))
    });
    let Some(unit) = groups.first().map(|group| by.unit(group[0])) else {
        return String::new();
    };
    let headings = [format!("from {unit}"), "fastest of all".to_owned()];
    let found = groups.iter().flat_map(|group| fastest_of(by, group));
    let lines = found.map(|one| (one.at, vec![one.from.to_string(), one.name]));
    format!("\n{}\n", by.table(rows, &headings, lines, &[Right, Left]))
}

#[cfg(test)]
mod tests;
