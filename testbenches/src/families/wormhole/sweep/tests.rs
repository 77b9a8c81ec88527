use clap::Command;

use super::*;
use crate::families::wormhole::BENCH;
use crate::measure::axes::Series;
use crate::measure::left_out::LeftOut;
use crate::measure::sweep::SweepGrid;
use crate::measure::{Grid, Seeds};

fn grid(words: &str) -> SweepGrid {
    let command = SWEEP.arguments(Command::new("measure").no_binary_name(true), &[BENCH.name]);
    let arguments = command.try_get_matches_from(words.split(' ')).unwrap();
    SWEEP.grid(&arguments, &[BENCH.name])
}

fn points(words: &str) -> (Result<Vec<Point>, String>, LeftOut) {
    let seeds = Seeds {
        first: 5,
        amount: 1,
    };
    let mut left_out = LeftOut::default();
    let points = grid(words).points(&seeds, &mut left_out);
    (points.map_err(|error| error.to_string()), left_out)
}

/// What points are called, and why others are not there.
fn of(words: &str) -> Result<Vec<String>, String> {
    let (points, left_out) = points(words);
    let label = |Point { chosen, .. }: &Point| {
        let [n, channels] = [&DIMS, &VIRTUAL_CHANNELS].map(|one| chosen.number(one));
        format!("{} n={n} V={channels}", (SWEEP.who.1)(chosen))
    };
    let mut named: Vec<String> = points?.iter().map(label).collect();
    let without = left_out.leaves(Vec::<u8>::new());
    named.extend(without.err().map(|without| format!("without {without}")));
    Ok(named)
}

#[test]
fn each_network_takes_of_the_lists_what_it_has() {
    assert_eq!(
        of("--dims 3 --network ccc,copies,butterflies,hypercube --routing order,valiant --copies 1,2,all --virtual-channels 2,3").unwrap(),
        [
            "ccc n=3 V=2",
            "ccc n=3 V=3",
            "copies 1 n=3 V=2",
            "copies 1 n=3 V=3",
            // All that there are.
            "copies 2 n=3 V=2",
            "copies 2 n=3 V=3",
            "hypercube n=3 V=2",
            "hypercube n=3 V=3",
            "hypercube valiant n=3 V=2",
            "hypercube valiant n=3 V=3",
            "without butterflies, n = 3, M = 64, V = 2, W = 1, b = 2, switch strong, traffic randperm, load 1, seed 5: network \
             butterflies: there are none in a hypercube of 3 dimensions: choose --dims 6 (butterflies of 2 levels in rows and in \
             columns, 64 nodes; it was --dims 4) or 12 (of 4 levels, 4096 nodes; it was --dims 8), since rows of m + log m \
             dimensions take m copies, and m = 8 would take 4,194,304 nodes",
        ]
    );
}

#[test]
fn networks_of_equal_storage_have_buffers_as_large_as_fit() {
    let (of_532, left_out) = points("--network all --storage 532");
    assert!(left_out.leaves(Vec::<u8>::new()).is_ok());
    for Point { chosen, .. } in of_532.unwrap() {
        let bits = |buffer_bits| {
            let alone = chosen.clone().with(&STORAGE, None);
            let chosen = alone.with(&BUFFER_BITS, Given::number(buffer_bits));
            machine(&chosen).unwrap().storage_bits().1
        };
        let buffer_bits = chosen.number(&BUFFER_BITS);
        assert!(bits(buffer_bits) <= 532);
        assert_eq!(
            machine(&chosen).unwrap().storage_bits().1,
            bits(buffer_bits)
        );
        assert!(buffer_bits == 64 || bits(buffer_bits + 1) > 532);
    }
    let (too_few, left_out) = points("--network all --storage 90");
    let name = |Point { chosen, .. }: &Point| {
        format!(
            "{} b={}",
            (SWEEP.who.1)(chosen),
            chosen.number(&BUFFER_BITS)
        )
    };
    let left: Vec<String> = too_few.unwrap().iter().map(name).collect();
    assert_eq!(left, ["ccc b=2", "hypercube b=1", "mesh b=3"]);
    let without = left_out.leaves(Vec::<u8>::new()).unwrap_err().to_string();
    assert!(
        without.contains("90 bits a node are too few: buffers of one bit take"),
        "{without}"
    );
    // A budget is an axis as any other.
    let (several, _) = points("--network ccc --storage 90,200");
    let bits = several
        .unwrap()
        .iter()
        .map(|one| one.chosen.number(&BUFFER_BITS))
        .collect::<Vec<_>>();
    assert!(bits[0] == 2 && bits[1] > 2 && bits.len() == 2, "{bits:?}");
}

#[test]
fn a_point_that_there_cannot_be_is_left_out_and_what_is_out_of_range_refused() {
    assert_eq!(of("--dims 2..4 --network ccc").unwrap().len(), 3);
    for (words, points, without) in [
        (
            "--dims 3..6 --network copies",
            2,
            "without copies 0, n = 4, M = 64, ",
        ),
        (
            "--dims 2,5 --network butterflies,hypercube",
            2,
            "without butterflies, n = 2, M = 64, V = 2, ",
        ),
        (
            "--dims 3,6 --network copies --copies 3",
            1,
            "without copies 3, n = 3, ",
        ),
    ] {
        let named = of(words).unwrap();
        assert_eq!(named.len(), points + 1, "{named:?}");
        assert!(named[points].starts_with(without), "{named:?}");
    }
    for (words, refusal) in [
        ("--dims 2,17 --network ccc", "ccc, n = 17, "),
        (
            "--dims 3,6 --network copies --copies 0,2",
            "copies 0, n = 3, ",
        ),
    ] {
        let said = of(words).unwrap_err();
        assert!(
            said.starts_with(refusal) && said.contains("out of range"),
            "{said}"
        );
    }
}

#[test]
fn series_are_what_points_differ_in_beside_the_axis_and_the_seed() {
    let names = |words: &str| {
        let words = format!(
            "--network ccc,copies,butterflies,hypercube --routing order,valiant --virtual-channels 2,3 {words}"
        );
        let seeds = Seeds {
            first: 5,
            amount: 2,
        };
        let points = seeds.each(points(&words).0.unwrap());
        let series = Series::of(&points, grid(&words).against(&points).unwrap().axis);
        assert_eq!(series.of.len(), points.len());
        series.names
    };
    let along_dims = [
        "ccc, V = 2",
        "ccc, V = 3",
        "all copies, V = 2",
        "all copies, V = 3",
        "butterflies, V = 2",
        "hypercube, V = 2",
        "hypercube, V = 3",
        "hypercube valiant, V = 2",
        "hypercube valiant, V = 3",
    ];
    assert_eq!(names("--dims 3,6"), along_dims);
    assert_eq!(names("--dims 3,6 --offered-load 0.1"), along_dims);
    assert_eq!(
        names("--dims 3 --offered-load 0.1,0.2"),
        [
            "ccc, V = 2",
            "ccc, V = 3",
            "copies 2, V = 2",
            "copies 2, V = 3",
            "hypercube, V = 2",
            "hypercube, V = 3",
            "hypercube valiant, V = 2",
            "hypercube valiant, V = 3",
        ]
    );
    for words in ["--dims 3", "--dims 3 --offered-load 0.1"] {
        let (points, _) = points(words);
        assert!(grid(words).against(&points.unwrap()).is_err());
    }
}
