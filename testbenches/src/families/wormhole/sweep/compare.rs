//! What all copies gain: the bit times of fewer copies, of other pieces, and of dimension order, over theirs.

use std::collections::BTreeMap;

use rtl_model::routers::wormhole::parameters::MAX_VIRTUAL_CHANNELS;

use crate::families::wormhole::network_file::{NETWORK_FILE, ROUTES_FILE};
use crate::families::wormhole::parameters::{
    COPIES, DIMS, NETWORK, NetworkName, PIECES, RADIX, ROUTING, VIRTUAL_CHANNELS, direct,
    enough_virtual_channels, network,
};
use crate::families::wormhole::sweep::SWEEP;
use crate::families::wormhole::sweep::readings::PARAMETERS;
use crate::measure::ranges::insert;
use crate::measure::row::{Row, Value};
use crate::measure::sweep::Point;
use crate::measure::table::{Filled, filled, lines};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::Parameter;

/// Points that differ only in network and seed.
pub(super) struct Comparison<'a> {
    /// The first of them.
    row: &'a Row,
    chosen: &'a Chosen,
    /// The most copies in use, to which others are compared.
    of: String,
    /// By network: bit times over those of the most copies with the same seed, averaged over the seeds.
    ratios: Vec<(String, f64)>,
}

/// What two points must have in common. The virtual channels of networks that take fewer than three do not count.
fn is_like(one: &Chosen, other: &Chosen) -> bool {
    let is_of_network = |axis: &Parameter| {
        let all = [
            &NETWORK_FILE,
            &ROUTES_FILE,
            &NETWORK,
            &ROUTING,
            &DIMS,
            &RADIX,
            &COPIES,
            &PIECES,
        ];
        all.iter().any(|one| one.name == axis.name)
    };
    // Of butterflies there may be no more; others take what they are given, and without that as many as exclude deadlock.
    let takes_fewer = |chosen: &Chosen| {
        let is_direct = matches!(direct(chosen), Ok(Some(_)));
        let fewest = enough_virtual_channels(chosen);
        !chosen.has(&VIRTUAL_CHANNELS) || !is_direct && fewest < MAX_VIRTUAL_CHANNELS
    };
    let is_same = |axis: &Parameter| one.shown(axis) == other.shown(axis);
    SWEEP.axes.iter().all(|axis| match axis.name {
        _ if is_of_network(axis) => true,
        name if name == VIRTUAL_CHANNELS.name => {
            is_same(axis) || takes_fewer(one) || takes_fewer(other)
        }
        _ => is_same(axis),
    })
}

/// What a point is called.
fn name(chosen: &Chosen) -> String {
    (SWEEP.who.1)(chosen)
}

/// Copies in use, where the network is made of them.
fn in_use(chosen: &Chosen) -> Option<usize> {
    chosen.takes(&COPIES).then(|| chosen.number(&COPIES))
}

/// All comparisons that there are between points, in their order.
pub(super) fn comparisons<'a>(points: &'a [Point], rows: &'a [Row]) -> Vec<Comparison<'a>> {
    let all = || points.iter().map(|point| &point.chosen).zip(rows);
    let mut comparisons: Vec<Comparison> = Vec::new();
    for (chosen, row) in all().filter(|(chosen, _)| chosen.takes(&COPIES)) {
        let has_as_many = |other: &Row| other.number("nodes") == row.number("nodes");
        if comparisons
            .iter()
            .any(|known| has_as_many(known.row) && is_like(known.chosen, chosen))
        {
            continue;
        }
        let like = || all().filter(|(other, row)| has_as_many(row) && is_like(chosen, other));
        let most = like().filter_map(|(other, _)| in_use(other)).max();
        let by_seed = |network: &str| -> BTreeMap<u64, f64> {
            let mut of_name = like().filter(|(other, _)| name(other) == network);
            let Some((first, _)) = of_name.next() else {
                return BTreeMap::new();
            };
            // Points of one name that differ in more than the seed are of several machines: those of the first.
            let is_of_first = |other: &Chosen| {
                let mut axes = SWEEP.axes.iter();
                axes.all(|axis| first.shown(axis) == other.shown(axis))
            };
            like()
                .filter(|(other, _)| name(other) == network && is_of_first(other))
                .filter(|(_, row)| row.has("bit_times_per_message_bit"))
                .filter_map(|(other, row)| Some((other.seed(), row.number("bit_times")?)))
                .collect()
        };
        let base = like().find(|(other, _)| in_use(other) == most);
        let of = name(base.map_or(chosen, |(base, _)| base));
        let base = by_seed(&of);
        let mut networks: Vec<String> = Vec::new();
        for (other, _) in
            like().filter(|(other, _)| !matches!(network(other), Ok(NetworkName::Ccc)))
        {
            insert(&mut networks, name(other));
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
                chosen,
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
