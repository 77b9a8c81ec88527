//! What all copies gain: the bit times of fewer copies, of other pieces, and of dimension order, over theirs.

use std::collections::BTreeMap;

use rtl_model::routers::wormhole::network::MAX_VIRTUAL_CHANNELS;

use crate::families::wormhole::measure::point::{Place, Point};
use crate::families::wormhole::measure::row::PARAMETERS;
use crate::families::wormhole::options::NetworkName;
use crate::measure::ranges::insert;
use crate::measure::row::{Row, Value};
use crate::measure::table::{Filled, filled, lines};

/// Points that differ only in network and seed.
pub(super) struct Comparison<'a> {
    /// The first of them.
    row: &'a Row,
    place: &'a Place,
    /// The most copies in use, to which others are compared.
    of: String,
    /// By network: bit times over those of the most copies with the same seed, averaged over the seeds.
    ratios: Vec<(String, f64)>,
}

/// What two points must have in common. The virtual channels of networks that take fewer than three do not count.
fn is_like(one: &Place, other: &Place) -> bool {
    let same_channels = one.virtual_channels == other.virtual_channels;
    let takes_fewer =
        |place: &Place| place.network.most_virtual_channels(place.dims) < MAX_VIRTUAL_CHANNELS;
    (one.dims, one.message_bits, one.buffer_bits, one.switch)
        == (
            other.dims,
            other.message_bits,
            other.buffer_bits,
            other.switch,
        )
        && (one.traffic, one.load) == (other.traffic, other.load)
        && (same_channels || takes_fewer(one) || takes_fewer(other))
}

/// All comparisons that there are between points, in their order.
pub(super) fn comparisons<'a>(points: &'a [Point], rows: &'a [Row]) -> Vec<Comparison<'a>> {
    let all = || points.iter().map(|point| &point.place).zip(rows);
    let mut comparisons: Vec<Comparison> = Vec::new();
    for (place, row) in all().filter(|(place, _)| place.copies.is_some()) {
        if comparisons.iter().any(|known| is_like(known.place, place)) {
            continue;
        }
        let like = || all().filter(|(other, _)| is_like(place, other));
        let most = like().filter_map(|(other, _)| other.in_use()).max();
        let by_seed = |network: &str| -> BTreeMap<u64, f64> {
            like()
                .filter(|(other, _)| other.network_label() == network)
                .filter(|(_, row)| row.has("bit_times_per_message_bit"))
                .filter_map(|(other, row)| Some((other.seed, row.number("bit_times")?)))
                .collect()
        };
        let base = like().find(|(other, _)| other.in_use() == most);
        let of = base.map_or(place, |(base, _)| base).network_label();
        let base = by_seed(&of);
        let mut networks: Vec<String> = Vec::new();
        for (other, _) in like().filter(|(other, _)| other.network != NetworkName::Ccc) {
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
                row,
                place,
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
    rows.iter_mut()
        .for_each(|row| row.set("seed", Value::Nothing));
    let (mut columns, _) = filled(&PARAMETERS, &rows);
    let of = comparisons.iter().map(|one| one.of.clone()).collect();
    columns.push(Filled::new("of", of));
    let mut networks: Vec<&str> = Vec::new();
    for (network, _) in comparisons.iter().flat_map(|one| &one.ratios) {
        insert(&mut networks, network);
    }
    for network in networks {
        let cells = comparisons.iter().map(|one| {
            let found = one.ratios.iter().find(|(known, _)| known == network);
            found.map_or("-".to_owned(), |(_, ratio)| format!("{ratio:.2}"))
        });
        columns.push(Filled::new(network, cells.collect()));
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
