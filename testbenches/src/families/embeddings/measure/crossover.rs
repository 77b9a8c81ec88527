//! From which size on which guest is the faster: of each two, that are measured at the same sizes.

use comfy_table::CellAlignment::{Left, Right};

use crate::measure::row::Row;
use crate::report::aligned;

/// What rows are compared by.
#[derive(Clone, Copy, Debug)]
pub(in crate::families::embeddings) struct Comparison {
    /// What must be alike for two rows to be compared.
    pub alike: &'static [&'static str],
    /// What grows: of several, the first that rows have. And what it is counted in.
    pub sizes: &'static [(&'static str, &'static str)],
    /// What a table of them is called.
    pub title: &'static str,
}

/// Of phases: how much is sent, which is what is asked for of a node, or else of a message.
pub(super) const OF_PHASES: Comparison = Comparison {
    alike: &["dims", "order", "start_up", "both_ways", "seed"],
    sizes: &[
        ("node_bits", "bits a node"),
        ("message_bits", "bits of a message"),
    ],
    title: "faster with as many bits and all more, of those measured",
};

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
}

fn name(row: &Row) -> String {
    row.text("guest")
}

/// Where one guest passes another.
#[derive(Clone, Debug, PartialEq)]
struct Crossover {
    slow: String,
    fast: String,
    dims: String,
    /// The smallest size, of those measured, from which on the faster one is faster.
    from: f64,
    /// How many times as fast it is at the largest.
    at_last: f64,
}

/// Of rows of two guests that are alike but for that.
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
    (pairs.len() > 1).then(|| Crossover {
        slow: name(slow[0]),
        fast: name(fast[0]),
        dims: slow[0].text("dims"),
        from,
        at_last,
    })
}

fn crossovers(by: Comparison, rows: &[Row]) -> Vec<Crossover> {
    let mut series: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let found = series.iter_mut().find(|series| {
            name(series[0]) == name(row)
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
            .filter(|fast| name(slow[0]) != name(fast[0]) && by.are_alike(slow[0], fast[0]));
        found.extend(others.filter_map(|fast| crossover(by, slow, fast)));
    }
    found
}

/// A table of them; nothing, where there is nothing to compare.
pub(in crate::families::embeddings) fn text(by: Comparison, rows: &[Row]) -> String {
    let found = crossovers(by, rows);
    if found.is_empty() {
        return String::new();
    }
    let mut lines = vec![vec![
        "n".to_owned(),
        "faster".to_owned(),
        "than".to_owned(),
        format!("from {}", by.unit(&rows[0])),
        "with the most, times as fast".to_owned(),
    ]];
    lines.extend(found.iter().map(|one| {
        vec![
            one.dims.clone(),
            one.fast.clone(),
            one.slow.clone(),
            one.from.to_string(),
            format!("{:.2}", one.at_last),
        ]
    }));
    format!(
        "\n{}\n{}\n",
        by.title,
        aligned(lines, &[Right, Left, Left, Right, Right])
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::values;

    fn row(guest: &str, bits: usize, bit_times: usize) -> Row {
        Row::new(
            values! {
                guest: guest,
                dims: 4usize,
                order: "greedy",
                start_up: 0usize,
                both_ways: false,
                seed: 1usize,
                message_bits: bits,
                node_bits: None::<usize>,
                bit_times: bit_times,
            },
            &[],
        )
    }

    #[test]
    fn the_fewest_bits_from_which_on_one_is_faster_throughout() {
        let rows = [
            row("slow", 1, 1),
            row("slow", 2, 5),
            row("slow", 4, 4),
            row("slow", 8, 8),
            row("fast", 1, 3),
            row("fast", 2, 3),
            row("fast", 4, 6),
            row("fast", 8, 6),
        ];
        let found = crossovers(OF_PHASES, &rows);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].from, found[0].fast.as_str()), (8.0, "fast"));
        assert!((found[0].at_last - 8.0 / 6.0).abs() < 1e-12);
        assert!(text(OF_PHASES, &rows).contains("fast"));
        assert_eq!(text(OF_PHASES, &rows[..4]), "");
    }
}
