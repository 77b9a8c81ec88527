//! What all copies gain: the bit times of fewer copies, and of dimension order, over theirs.

use std::collections::BTreeMap;

use crate::measure::ranges::insert;
use crate::measure::wormhole::row::{Column, Row, lines, parameters};

/// Points that differ only in network and seed.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    /// The first of them.
    row: Row,
    /// The most copies in use, to which others are compared.
    of: String,
    /// By network: bit times over those of the most copies with the same seed, averaged over the seeds.
    ratios: Vec<(String, f64)>,
}

/// What two points must have in common. The virtual channels of ecube do not count: it takes one of them.
fn is_like(one: &Row, other: &Row) -> bool {
    let same_channels = one.virtual_channels == other.virtual_channels;
    let is_ecube = |row: &Row| row.network == "ecube";
    (one.dims, one.message_bits, one.buffer_bits, one.switch)
        == (
            other.dims,
            other.message_bits,
            other.buffer_bits,
            other.switch,
        )
        && (&one.traffic, one.load) == (&other.traffic, other.load)
        && (same_channels || is_ecube(one) || is_ecube(other))
}

/// All comparisons that there are between rows, in their order.
pub(super) fn comparisons(rows: &[Row]) -> Vec<Comparison> {
    let mut comparisons: Vec<Comparison> = Vec::new();
    for row in rows.iter().filter(|row| row.copies.is_some()) {
        if comparisons.iter().any(|known| is_like(&known.row, row)) {
            continue;
        }
        let like = || rows.iter().filter(|other| is_like(row, other));
        let most = like().filter_map(|other| other.copies).max();
        let by_seed = |network: &str| -> BTreeMap<u64, f64> {
            like()
                .filter(|other| other.network_label() == network)
                .filter(|other| other.bit_times_per_message_bit.is_some())
                .map(|other| (other.seed, other.bit_times as f64))
                .collect()
        };
        let base = like().find(|other| other.copies == most).unwrap_or(row);
        let of = base.network_label();
        let base = by_seed(&of);
        let mut networks: Vec<String> = Vec::new();
        for other in like().filter(|other| other.network != "ccc") {
            insert(&mut networks, other.network_label());
        }
        networks.retain(|network| *network != of);
        let ratios: Vec<(String, f64)> = networks
            .into_iter()
            .filter_map(|network| {
                let ratio = mean_ratio(&by_seed(&network), &base)?;
                Some((network, ratio))
            })
            .collect();
        if !ratios.is_empty() {
            comparisons.push(Comparison {
                row: row.clone(),
                of,
                ratios,
            });
        }
    }
    comparisons
}

/// The average of the ratios of what both have; none, where they have nothing in common.
fn mean_ratio(some: &BTreeMap<u64, f64>, base: &BTreeMap<u64, f64>) -> Option<f64> {
    let ratios: Vec<f64> = (some.iter())
        .filter_map(|(seed, value)| Some(value / base.get(seed).filter(|base| **base > 0.0)?))
        .collect();
    match ratios.is_empty() {
        true => None,
        false => Some(ratios.iter().sum::<f64>() / ratios.len() as f64),
    }
}

/// As a table.
pub(super) fn text(comparisons: &[Comparison]) -> String {
    let mut rows: Vec<Row> = comparisons.iter().map(|one| one.row.clone()).collect();
    // Seeds are averaged over: none is to be told.
    rows.iter_mut().for_each(|row| row.seed = 0);
    let (mut columns, _) = parameters(&rows.iter().collect::<Vec<_>>());
    columns.push(Column::new(
        "of",
        comparisons.iter().map(|one| one.of.clone()),
    ));
    let mut networks: Vec<&str> = Vec::new();
    for (network, _) in comparisons.iter().flat_map(|one| &one.ratios) {
        insert(&mut networks, network);
    }
    for network in networks {
        let cells = comparisons.iter().map(|one| {
            let found = one.ratios.iter().find(|(known, _)| known == network);
            found.map_or("-".to_owned(), |(_, ratio)| format!("{ratio:.2}"))
        });
        columns.push(Column::new(network, cells));
    }
    format!(
        "compared: bit times as multiples of those of the network under `of`, averaged over seeds\n\n{}",
        lines(&columns)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_the_same_seed_and_averaged() {
        let times = |times: &[(u64, f64)]| times.iter().copied().collect::<BTreeMap<_, _>>();
        let base = times(&[(1, 100.0), (2, 200.0), (3, 50.0)]);
        assert_eq!(
            mean_ratio(&times(&[(1, 300.0), (2, 200.0)]), &base),
            Some(2.0)
        );
        // A seed that one of them lacks does not count.
        assert_eq!(
            mean_ratio(&times(&[(2, 100.0), (7, 1e9)]), &base),
            Some(0.5)
        );
        assert_eq!(mean_ratio(&times(&[(7, 1.0)]), &base), None);
        assert_eq!(mean_ratio(&times(&[]), &base), None);
    }
}
