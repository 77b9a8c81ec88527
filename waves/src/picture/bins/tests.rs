use super::*;
use crate::picture::run::{Route, Stay};

fn changes(all: &[(u32, u32)]) -> Vec<Change> {
    all.iter()
        .map(|&(from, value)| Change { from, value })
        .collect()
}

fn sized(nodes: usize, bit_times: u32) -> Run {
    Run {
        nodes: vec![String::new(); nodes],
        bit_times,
        ..Run::default()
    }
}

/// The picture in the head of the file.
#[test]
fn a_cell_is_the_largest_of_its_values() {
    let run = sized(4, 6);
    let bins = Bins::of(&run, 2, 2);
    assert_eq!((bins.nodes_a_row, bins.rows), (2, 2));
    assert_eq!((bins.times_a_column, bins.columns), (3, 2));
    let cells = bins.cells(&[
        changes(&[(0, 9), (2, 0), (4, 4)]),
        changes(&[(3, 1)]),
        changes(&[(0, 7), (1, 0)]),
        changes(&[]),
    ]);
    assert_eq!(
        cells,
        [Cells(vec![(0, 9), (1, 4)]), Cells(vec![(0, 7), (1, 0)])]
    );
}

/// Of what is one thing after the other the last in a column counts, and what begins behind the run is not there.
#[test]
fn a_cell_is_the_last_of_its_values() {
    let bins = Bins::of(&sized(1, 6), 1, 2);
    let cells = |all| bins.row_of_last(&changes(all), |value| value + 10);
    assert_eq!(
        cells(&[(0, 9), (1, 7), (2, 8), (4, 3), (6, 1)]),
        Cells(vec![(0, 18), (1, 13)])
    );
    assert_eq!(cells(&[(3, 0), (4, 5), (5, 0)]), Cells(vec![(1, 10)]));
    assert_eq!(cells(&[(0, 2), (3, 4), (5, 2)]), Cells(vec![(0, 12)]));
}

#[test]
fn small_runs_have_a_cell_for_each_node_and_bit_time() {
    let bins = Bins::of(&sized(8, 20), 512, 2048);
    assert_eq!(
        (
            bins.nodes_a_row,
            bins.rows,
            bins.times_a_column,
            bins.columns
        ),
        (1, 8, 1, 20)
    );
    // What is said of bit times after the end is not drawn, nor what lasts no time.
    let row = bins.row_of([&changes(&[(3, 5), (7, 0), (19, 2), (20, 8)])]);
    assert_eq!(row, Cells(vec![(3, 5), (7, 0), (19, 2)]));
}

#[test]
fn bins_hold_everything_within_the_limits() {
    for nodes in [1, 7, 512, 513, 1000, 4096, 1 << 20] {
        for times in [1, 2047, 2048, 2049, 100_000, u32::MAX] {
            let bins = Bins::of(&sized(nodes, times), 512, 2048);
            assert!(bins.rows <= 512 && bins.columns <= 2048, "{bins:?}");
            assert_eq!(bins.row(nodes as u32 - 1), bins.rows - 1, "{bins:?}");
            assert_eq!(
                ((times - 1) / bins.times_a_column) as usize,
                bins.columns - 1
            );
            assert!(bins.nodes_a_row.is_power_of_two());
        }
    }
}

/// The cell of a column, as the page reads it.
fn at(cells: &Cells, column: u32) -> u32 {
    let before = cells.0.iter().take_while(|(first, _)| *first <= column);
    before.last().map_or(0, |(_, value)| *value)
}

/// Against values worked out one by one, for changes that a small generator draws.
#[test]
fn cells_agree_with_every_single_value() {
    let mut seed = 1u32;
    let mut draw = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    for _ in 0..50 {
        let run = sized(1 + draw(20) as usize, 1 + draw(60));
        let bins = Bins::of(&run, 6, 7);
        let mut all = Vec::new();
        for _ in 0..run.nodes.len() {
            let times = (0..run.bit_times)
                .filter(|_| draw(5) == 0)
                .collect::<Vec<_>>();
            all.push(
                times
                    .iter()
                    .map(|&from| Change {
                        from,
                        value: draw(4),
                    })
                    .collect::<Vec<_>>(),
            );
        }
        let value = |node: usize, time: u32| {
            let before = all[node].iter().take_while(|change| change.from <= time);
            before.last().map_or(0, |change| change.value)
        };
        for (row, cells) in bins.cells(&all).iter().enumerate() {
            assert!(
                cells
                    .0
                    .windows(2)
                    .all(|two| two[0].0 < two[1].0 && two[0].1 != two[1].1)
            );
            for column in 0..bins.columns as u32 {
                let nodes = (0..run.nodes.len()).filter(|node| bins.row(*node as u32) == row);
                let times = (0..run.bit_times).filter(|time| time / bins.times_a_column == column);
                let values = nodes.flat_map(|node| times.clone().map(move |time| (node, time)));
                let largest = values.map(|(node, time)| value(node, time)).max();
                assert_eq!(
                    Some(at(cells, column)),
                    largest,
                    "{bins:?}, row {row}, column {column}"
                );
            }
        }
    }
}

/// A message is counted once, whether its stays at a node touch, overlap or lie apart.
#[test]
fn messages_are_counted_where_they_stay() {
    let route = |stays: &[(u32, u32, u32)]| Route {
        stays: stays
            .iter()
            .map(|&(node, from, to)| Stay { node, from, to })
            .collect(),
        ..Route::default()
    };
    let mut run = sized(2, 10);
    run.messages = vec![
        route(&[(0, 0, 4), (0, 2, 6), (0, 8, 9), (1, 5, 5)]),
        route(&[(0, 3, 6)]),
    ];
    assert_eq!(
        messages_present(&run),
        [
            changes(&[(0, 1), (3, 2), (6, 0), (8, 1), (9, 0)]),
            Vec::new()
        ]
    );
}
