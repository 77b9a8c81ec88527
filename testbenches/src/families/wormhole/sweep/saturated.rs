//! Where networks are saturated, of all rows together: the largest offered load that is carried, and the least that is not.
//!
//! ```text
//!   offered     0.1      0.2      0.3        0.4
//!   verdicts    stable   stable   undecided  saturated    --> carries 0.2, not 0.4, undecided 0.3
//! ```

use crate::families::wormhole::entries::{LOWER, PASSED_BY, UPPER};
use crate::families::wormhole::sweep::readings::{
    NETWORK_COLUMN, PARAMETERS, are_alike, are_sought,
};
use crate::measure::row::{Row, Value};
use crate::measure::table::{Filled, filled, lines, or_dash};

/// What is known of a network, with one choice of its parameters.
struct Network {
    /// Its first row, without its load and its seed.
    row: Row,
    /// The offered loads, each with the verdicts of its rows.
    loads: Vec<(f64, Vec<String>)>,
}

/// The verdict of a row; a deadlock is one.
fn verdict(row: &Row) -> String {
    match row.has("deadlock") {
        true => "deadlock".to_owned(),
        false => row.text("verdict"),
    }
}

/// The loads of a row, each with what came of it: the one that was offered, or the two between which a search has ended.
fn loads(row: &Row) -> Vec<(f64, String)> {
    let load = |name: &str, verdict: String| row.number(name).map(|load| (load, verdict));
    let found = match are_sought(std::slice::from_ref(row)) {
        true => [
            load(LOWER.in_rows(), "stable".to_owned()),
            load(UPPER.in_rows(), row.text(PASSED_BY.in_rows())),
        ],
        false => [load("offered_load", verdict(row)), None],
    };
    found.into_iter().flatten().collect()
}

fn networks(rows: &[Row]) -> Vec<Network> {
    let mut all: Vec<Network> = Vec::new();
    for row in rows {
        let mut without = row.clone();
        without.set("seed", Value::Nothing);
        without.set("offered_load", Value::Nothing);
        let place = all.iter().position(|one| are_alike(&one.row, &without));
        let place = place.unwrap_or_else(|| {
            all.push(Network {
                row: without,
                loads: Vec::new(),
            });
            all.len() - 1
        });
        for (load, verdict) in loads(row) {
            let known = &mut all[place].loads;
            match known.iter_mut().find(|(one, _)| *one == load) {
                Some((_, verdicts)) => verdicts.push(verdict),
                None => known.push((load, vec![verdict])),
            }
        }
    }
    for network in &mut all {
        network
            .loads
            .sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    all
}

impl Network {
    /// The least load that is not carried with every seed, and why.
    fn not_carried(&self) -> Option<(f64, &str)> {
        self.loads.iter().find_map(|(load, verdicts)| {
            let mut wrong = verdicts.iter().map(String::as_str);
            let wrong = wrong.find(|verdict| !["", "stable", "undecided"].contains(verdict));
            Some((*load, wrong?))
        })
    }

    /// The largest load below it that is carried with every seed.
    fn carried(&self) -> Option<f64> {
        let least = self.not_carried().map_or(f64::INFINITY, |(load, _)| load);
        let below = self.loads.iter().filter(|(load, _)| *load < least);
        let carried = below.filter(|(_, verdicts)| verdicts.iter().all(|one| one == "stable"));
        carried.map(|(load, _)| *load).next_back()
    }

    /// Loads of which no run could tell.
    fn undecided(&self) -> Vec<String> {
        let is_open = |verdicts: &[String]| {
            let has = |word| verdicts.iter().any(|verdict| verdict == word);
            has("undecided") && !has("saturated")
        };
        let open = self.loads.iter().filter(|(_, verdicts)| is_open(verdicts));
        open.map(|(load, _)| load.to_string()).collect()
    }
}

/// A line a network; nothing, where no load is offered.
pub(super) fn text(rows: &[Row]) -> String {
    let networks = networks(rows);
    if networks.iter().all(|network| network.loads.is_empty()) {
        return String::new();
    }
    let of_rows: Vec<Row> = networks.iter().map(|network| network.row.clone()).collect();
    let mut columns = filled(&[NETWORK_COLUMN], &of_rows).0;
    columns.extend(filled(&PARAMETERS, &of_rows).0);
    // Those that were asked for as they were; a search ends at any.
    let load = |load: Option<f64>| match load {
        Some(load) if !are_sought(rows) => load.to_string(),
        load => or_dash(load, 4),
    };
    let column = |heading, cell: &dyn Fn(&Network) -> String| {
        Filled::new(heading, networks.iter().map(cell).collect())
    };
    columns.push(column("carries", &|network| load(network.carried())));
    columns.push(column("not", &|network| {
        load(network.not_carried().map(|(load, _)| load))
    }));
    let why = column("why", &|network| {
        network.not_carried().map_or("-", |(_, why)| why).to_owned()
    });
    columns.push(Filled {
        is_left: true,
        ..why
    });
    if networks
        .iter()
        .any(|network| !network.undecided().is_empty())
    {
        columns.push(column(
            "undecided",
            &|network| match &*network.undecided() {
                [] => "-".to_owned(),
                loads => loads.join(", "),
            },
        ));
    }
    format!(
        "\nwhere networks are saturated: the largest offered load that is carried with every seed, and the least that is not\n\n{}",
        lines(&columns)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::values;

    fn row(network: &str, seed: u64, load: f64, verdict: &str) -> Row {
        let is_deadlock = verdict == "deadlock";
        let said = |is_said: bool| is_said.then(|| verdict.to_owned());
        let values = values! {
            network: network.to_owned(),
            network_file: None::<String>,
            routes_file: None::<String>,
            routing: None::<String>,
            radix: None::<u64>,
            copies: None::<u64>,
            pieces: None::<String>,
            dims: 3u64,
            nodes: 24u64,
            message_bits: 64u64,
            virtual_channels: 3u64,
            wire_bits: 1u64,
            buffer_bits: 2u64,
            switch: "strong".to_owned(),
            traffic: "randperm".to_owned(),
            load: None::<f64>,
            seed: seed,
            offered_load: load,
            verdict: said(!is_deadlock),
            deadlock: said(is_deadlock),
            saturation: None::<f64>,
        };
        Row::new(values, &[])
    }

    #[test]
    fn a_load_is_carried_that_all_seeds_carry_below_the_first_that_is_not() {
        let rows = [
            row("ccc", 1, 0.3, "stable"),
            row("ccc", 1, 0.1, "stable"),
            row("ccc", 2, 0.1, "stable"),
            row("ccc", 2, 0.3, "saturated"),
            row("ccc", 1, 0.2, "undecided"),
            row("ccc", 2, 0.2, "stable"),
            row("ccc", 1, 0.9, "stable"),
            row("copies", 1, 0.1, "deadlock"),
            row("hypercube", 1, 0.25, "stable"),
        ];
        let text = text(&rows);
        let lines: Vec<Vec<&str>> = text
            .lines()
            .skip(3)
            .map(|line| line.split_whitespace().collect())
            .collect();
        let due: [&[&str]; 4] = [
            &["network", "carries", "not", "why", "undecided"],
            &["ccc", "0.1", "0.3", "saturated", "0.2"],
            &["copies", "-", "0.1", "deadlock", "-"],
            &["hypercube", "0.25", "-", "-", "-"],
        ];
        assert_eq!(lines, due, "{text}");
    }

    #[test]
    fn where_nothing_is_offered_nothing_is_said() {
        let mut row = row("ccc", 1, 0.1, "");
        row.set("offered_load", None::<f64>);
        assert_eq!(text(&[row]), "");
        assert_eq!(text(&[]), "");
    }
}
