use super::*;
use crate::families::collectives::parameters::DIMS;
use crate::families::collectives::testbench::{ALL_TO_ALL, INVERSION, TRANSPOSE};
use crate::measure::row::Value;
use crate::testbench::Testbench;
use crate::testbench::chosen::Form;

const PLAIN: &str = "kuszmaul plain";
const FASTEST: &str = "kuszmaul fastest";
const WORMS: &str = "wormhole ecube";

fn point(bench: &'static Testbench, router: &str, dims: usize, bits: usize) -> Chosen {
    let number = |number| Given::Whole(Form::number(number));
    let chosen = Chosen::of(bench).with(&AGAINST, Given::Text(router.to_owned()));
    let chosen = chosen.with(&DIMS, number(dims));
    chosen.with(&MESSAGE, number(bits))
}

fn task(bench: &'static Testbench, router: &str, dims: usize) -> Result<Task, Error> {
    Task::new(&point(bench, router, dims, 16))
}

fn done(bench: &'static Testbench, router: &str, dims: usize) -> Done {
    task(bench, router, dims).unwrap().run().unwrap()
}

#[test]
fn a_complete_exchange_is_as_many_rounds_as_there_are_others() {
    for (router, _) in ALL {
        let done = done(&ALL_TO_ALL, router, 3);
        assert_eq!((done.rounds, done.runs.0.len()), (7, 7));
        assert_eq!(done.sum(|run| Some(run.messages as u64)), Some(56));
        assert_eq!(done.sum(|run| Some(run.delivered as u64)), Some(56));
        assert!(done.runs.passed());
    }
}

#[test]
fn algorithm_2_takes_as_long_for_every_permutation() {
    let every = done(&ALL_TO_ALL, PLAIN, 4);
    assert!(every.are_alike());
    let form = every.of_all(every.runs.bit_times_formula());
    assert_eq!(Some(every.bit_times()), form);
    let some = task(&ALL_TO_ALL, PLAIN, 7).unwrap().rounds;
    assert_eq!((some.numbers().len(), some.amount()), (3, 127));
}

/// Of 127 rounds three are run: what a node keeps and what it does is that of all of them.
#[test]
fn a_row_is_of_all_rounds_and_not_of_those_that_are_run() {
    let row = (BESIDE.run)(&point(&ALL_TO_ALL, PLAIN, 7, 16)).unwrap();
    assert!(row.passed());
    let number = |name: &str| match row.get(name) {
        Value::Number(number) => *number,
        other => panic!("{name}: {other:?}"),
    };
    let [rounds, nodes, payload_bits] = [127, 128, 16];
    let of_registers = number("storage_bits_per_node");
    let one_round = bit_times_of_a_round(7, 16);
    for (column, due) in [
        ("rounds", rounds),
        ("rounds_run", 3),
        ("start_ups", rounds),
        ("messages", rounds * nodes),
        ("delivered", rounds * nodes),
        ("bit_times", rounds * one_round),
        ("bit_times_formula", rounds * one_round),
        (
            "storage_with_messages",
            of_registers + (rounds - 1) * payload_bits,
        ),
    ] {
        assert_eq!(number(column), due, "{column}");
    }
}

/// As a run of the router has them.
fn bit_times_of_a_round(dims: usize, payload_bits: usize) -> u64 {
    let words = format!("--dims {dims} --payload-bits {payload_bits} --threads 1");
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    beside::run("kuszmaul", &words).unwrap().bit_times
}

/// Worms take another time for every permutation, and have no closed form.
#[test]
fn rounds_of_worms_add_up() {
    let done = done(&ALL_TO_ALL, WORMS, 3);
    assert!(!done.are_alike());
    let times = done.runs.0.iter().map(|run| run.bit_times);
    assert_eq!(done.bit_times(), times.sum::<u64>());
    assert_eq!(done.runs.bit_times_formula(), None);
}

#[test]
fn the_fastest_schedule_is_not_slower_than_the_default() {
    let plain = done(&TRANSPOSE, PLAIN, 4);
    let fastest = done(&TRANSPOSE, FASTEST, 4);
    assert_eq!(plain.schedule, Some("plain"));
    assert!(fastest.bit_times() < plain.bit_times());
    assert_ne!(fastest.schedule, Some("plain"));
}

#[test]
fn sizes_that_a_router_does_not_have_are_refused() {
    let refusal = |bench, router, dims| task(bench, router, dims).unwrap_err().to_string();
    assert!(refusal(&ALL_TO_ALL, WORMS, 11).contains("2048 nodes"));
    assert!(refusal(&TRANSPOSE, PLAIN, 3).contains("3 dimensions"));
    assert!(Task::new(&point(&INVERSION, PLAIN, 3, 1 << 17)).is_err());
}
