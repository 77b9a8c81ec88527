use clap::{Args, Command, FromArgMatches};

use super::*;
use crate::families::collectives::testbench;
use crate::measure::{Grid, SweepOptions};
use crate::testbench::Testbench;

/// What words behind `cubewave measure` and the testbench's name measure.
fn measured(bench: &'static Testbench, words: &str) -> Result<Vec<Row>, Error> {
    let command = Command::new(bench.name).no_binary_name(true);
    let command = SweepOptions::augment_args(bench.sweep.arguments(command, &[bench.name]));
    let words = format!("{words} --format csv");
    let arguments = command.get_matches_from(words.split_whitespace());
    let grid = bench.sweep.grid(&arguments, &[bench.name]);
    let options = SweepOptions::from_arg_matches(&arguments).unwrap();
    Ok(grid.sweep(&options, None)?.rows)
}

/// A column of rows.
fn column(rows: &[Row], name: &str) -> Vec<String> {
    rows.iter().map(|row| row.text(name)).collect()
}

#[test]
fn pairs_that_there_are_not_are_left_out_of_all_and_refused_by_name() {
    let pairs = |words: &str| -> Result<Vec<String>, Error> {
        let words = format!("{words} --dims 2 --message-bits 1");
        let rows = measured(&testbench::SCATTER, &words)?;
        let pair = |row: &Row| format!("{} {}", row.text("algorithm"), row.text("ports"));
        Ok(rows.iter().map(pair).collect())
    };
    let all = pairs("--algorithm all --ports all-models").unwrap();
    let has = |pair: &str| all.iter().any(|one| one == pair);
    assert!(has("sbt one-way") && has("distribute-1 all") && !has("distribute-1 one-way"));
    let one_way = pairs("--algorithm all --ports one-way").unwrap();
    assert_eq!(one_way[0], "sbt one-way");
    assert!(pairs("--algorithm sbt,distribute-1 --ports one-way").is_err());
    assert!(pairs("--algorithm distribute-1 --ports one-way,all-models").is_ok());
    // Without a list, every algorithm is on all ports.
    let default = pairs("--algorithm sbt,bst").unwrap();
    assert_eq!(default, ["sbt all", "bst all"]);
    let none = measured(
        &testbench::ALL_TO_ALL,
        "--algorithm all --ports one-way --dims 2",
    );
    assert!(none.is_err());
    assert!(pairs("--algorithm sbt-halving").is_err());
}

#[test]
fn the_optimum_stands_among_numbers() {
    let groups = |list: &str| {
        let words = format!("--algorithm oc-send-4 --dims 4 --message-bits 64 --groups {list}");
        let rows = measured(&testbench::SEND, &words)?;
        Ok::<_, Error>(column(&rows, "groups"))
    };
    let [optimum] = &groups("optimum").unwrap()[..] else {
        panic!("one point");
    };
    let all = groups("8,optimum,4..5,8").unwrap();
    assert_eq!(all, ["8", optimum, "4", "5"]);
    assert!(groups("best").is_err());
}

#[test]
fn beside_routers_nothing_is_started_unless_asked() {
    let start_ups = |words: &str| {
        let words = format!("--dims 2 --word-bits 1 {words}");
        let rows = measured(&testbench::TRANSPOSE, &words)?;
        Ok::<_, Error>(column(&rows, "start_up"))
    };
    assert_eq!(start_ups("--algorithm all").unwrap(), ["8", "8"]);
    let beside = start_ups("--algorithm all --against kuszmaul").unwrap();
    assert_eq!(beside, ["0"; 4]);
    let asked = start_ups("--algorithm all --against all --start-up 5").unwrap();
    assert_eq!(asked[..3], ["5", "5", "0"]);
    assert!(start_ups("--against routers").is_err());
}

#[test]
fn each_is_held_against_the_fastest_algorithm_for_as_much() {
    let words = "--algorithm sbt,bst --dims 3 --message-bits 24,48 --start-up 0,8";
    let rows = measured(&testbench::SCATTER, words).unwrap();
    let number = |row: &Row, name: &str| row.number(name).unwrap();
    assert_eq!(rows.len(), 8);
    for (sbt, bst) in rows[..4].iter().zip(&rows[4..]) {
        let fastest = number(sbt, "bit_times").min(number(bst, "bit_times"));
        for row in [sbt, bst] {
            assert_eq!(number(row, entries::FASTEST.in_rows()), fastest);
            let times = number(row, "bit_times") / fastest;
            assert_eq!(number(row, entries::TIMES_FASTEST.in_rows()), times);
        }
    }
    // Routers start at no cost.
    let words = "--dims 2 --message-bits 4 --start-up 9,5 --against kuszmaul";
    let rows = measured(&testbench::INVERSION, words).unwrap();
    assert_eq!(
        column(&rows, "is_router"),
        ["false", "false", "true", "true"]
    );
    for router in &rows[2..] {
        assert_eq!(
            number(router, entries::FASTEST.in_rows()),
            number(&rows[1], "bit_times")
        );
    }
}

#[test]
fn what_an_algorithm_has_not_is_left_out_among_several_and_refused_alone() {
    let of = |algorithms: &str| {
        let words = format!("--algorithm {algorithms} --dims 3 --groups 2");
        measured(&testbench::SEND, &words)
    };
    let among = of("oc-send-1,oc-send-4").unwrap();
    assert_eq!(column(&among, "algorithm"), ["oc-send-4"]);
    let alone = of("oc-send-1").unwrap_err().to_string();
    assert!(
        alone.contains("--groups: oc-send-1 has no groups"),
        "{alone}"
    );
}
