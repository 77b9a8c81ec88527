use rtl_model::routers::ports::algorithm::PortModel;

use super::*;
use crate::families::collectives::measure::place::Who;
use crate::families::collectives::measure::point::sized_up;
use crate::measure::Point as _;
use crate::measure::Seeds;

fn place(operation: Operation, router: Router, dims: usize) -> Place {
    let seeds = Seeds {
        first: 1,
        amount: 1,
    };
    Place {
        dims,
        message_bits: (operation != Operation::Transpose).then_some(16),
        ..Place::of(operation, (Who::Router(router), PortModel::All), &seeds)
    }
}

fn done(operation: Operation, router: Router, dims: usize) -> Done {
    let task = Task::new(router, &place(operation, router, dims)).unwrap();
    task.run().unwrap()
}

#[test]
fn a_complete_exchange_is_as_many_rounds_as_there_are_others() {
    for router in [Router::Plain, Router::Fastest, Router::DimensionOrder] {
        let done = done(Operation::AllToAll, router, 3);
        assert_eq!((done.rounds, done.runs), (7, 7));
        assert_eq!((done.facts.messages, done.facts.delivered), (56, 56));
        assert!(done.facts.passed);
    }
}

#[test]
fn algorithm_2_takes_as_long_for_every_permutation() {
    let every = done(Operation::AllToAll, Router::Plain, 4);
    assert!(every.facts.are_alike);
    assert_eq!(Some(every.facts.bit_times), every.facts.bit_times_formula);
    let some = Task::new(Router::Plain, &place(Operation::AllToAll, Router::Plain, 7)).unwrap();
    assert_eq!((some.runs(), some.rounds.amount()), (3, 127));
}

/// Of 127 rounds three are run: what a node keeps and what it does is that of all of them.
#[test]
fn a_row_is_of_all_rounds_and_not_of_those_that_are_run() {
    let place = place(Operation::AllToAll, Router::Plain, 7);
    let row = sized_up(place, false).unwrap().run().unwrap();
    let [rounds, nodes, payload_bits] = [127.0, 128.0, 16.0];
    let of_registers = row.number("storage_bits_per_node").unwrap();
    let one_round = bit_times_of_a_round(7, 16);
    for (column, due) in [
        ("rounds", rounds),
        ("rounds_run", 3.0),
        ("start_ups", rounds),
        ("messages", rounds * nodes),
        ("delivered", rounds * nodes),
        ("bit_times", rounds * one_round),
        ("bit_times_formula", rounds * one_round),
        (
            "storage_with_messages",
            of_registers + (rounds - 1.0) * payload_bits,
        ),
    ] {
        assert_eq!(row.number(column), Some(due), "{column}");
    }
}

/// As a run of the router has them.
fn bit_times_of_a_round(dims: usize, payload_bits: usize) -> f64 {
    let words = format!("--dims {dims} --payload-bits {payload_bits} --threads 1");
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    beside::run("kuszmaul", &words)
        .unwrap()
        .number("bit_times")
        .unwrap() as f64
}

#[test]
fn the_fastest_schedule_is_not_slower_than_the_default() {
    let plain = done(Operation::Transpose, Router::Plain, 4);
    let fastest = done(Operation::Transpose, Router::Fastest, 4);
    assert_eq!(plain.schedule, Some("plain"));
    assert!(fastest.facts.bit_times < plain.facts.bit_times);
    assert_ne!(fastest.schedule, Some("plain"));
}

#[test]
fn sizes_that_a_router_does_not_have_are_refused() {
    let refusal = |operation, router, dims| {
        let task = Task::new(router, &place(operation, router, dims));
        task.unwrap_err().to_string()
    };
    assert_eq!(
        refusal(Operation::AllToAll, Router::DimensionOrder, 4),
        "wormhole ecube: its hypercubes have 3, 6, 11, 20 dimensions, and none of them 4"
    );
    assert!(refusal(Operation::AllToAll, Router::DimensionOrder, 11).contains("2048 nodes"));
    assert!(refusal(Operation::Transpose, Router::Plain, 3).contains("3 dimensions"));
    let large = Place {
        message_bits: Some(1 << 17),
        ..place(Operation::Inversion, Router::Plain, 3)
    };
    assert!(Task::new(Router::Plain, &large).is_err());
}
