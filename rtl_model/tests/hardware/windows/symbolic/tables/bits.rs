//! No bit of such a schedule is late; and mistakes in a table are noticed.

use rtl_model::parts::windows::{Moment, Wire, moment};
use rtl_model::routers::kuszmaul::batches::stage::LEAD;
use rtl_model::routers::kuszmaul::held::sequencer::{
    EMPTIES, PACKS as HELD_PACKS, RETURNS, SETS, TWOS,
};
use rtl_model::routers::kuszmaul::now::CROSS;
use rtl_model::routers::kuszmaul::spread::sequencer::{COUNTS, PACKS};

use super::*;
use crate::windows::symbolic::feeds::{
    ANY, Feed, NEXT_BIT_TIME, Part, Takes, are_in_time, are_whole, on,
};

const fn across(bit: &str) -> Part {
    Part::of_crossed(CROSS, bit)
}

/// Bits of a message and what is before it in a switch stage: the first bit of a header is used up, the valid bit goes on.
const fn packing(window: Window) -> [Feed; 2] {
    let (here, behind) = (on(window, "r", "1"), on(window, "r+1", "0"));
    let valid = Feed::new(on(window, "r", "0"), behind, Takes::Just(moment("2")));
    [valid.first("1"), Feed::new(here, behind, NEXT_BIT_TIME)]
}

/// Totals go from stage to stage, and become a bit longer.
const fn enumeration(window: Window) -> Feed {
    let (here, behind) = (on(window, "r", "0"), on(window, "r+1", "0"));
    Feed::new(here, behind, NEXT_BIT_TIME).carrying(1)
}

/// Of schedule `spread`.
const SPREAD: &[Feed] = &[
    // Who has messages is known with the valid bit: the count has two bits.
    Feed::new(across("0"), on(COUNTS, "1", "0"), NEXT_BIT_TIME).first("1"),
    Feed::new(across("0"), on(COUNTS, "1", "1"), ANY).first("1"),
    enumeration(COUNTS),
    // A rank is a header.
    Feed::new(on(COUNTS, "m", "0"), on(PACKS, "1", "0"), NEXT_BIT_TIME).first("m"),
    // Message bits wait for 2m bit times.
    Feed::new(across("1"), on(PACKS, "1", "m"), Takes::Just(moment("2m"))),
    packing(PACKS)[0],
    packing(PACKS)[1],
    // The next address bit is used up. The valid bit is there before it.
    Feed::new(on(PACKS, "m", "0"), across("0"), ANY)
        .first("1")
        .next(),
    Feed::new(on(PACKS, "m", "1"), across("0"), ANY).next(),
];

/// Of schedules `overlapped` and `folded`.
const HELD: &[Feed] = &[
    // Who is empty and who has two messages is known with the valid bit.
    Feed::new(across("0"), on(EMPTIES, "1", "0"), NEXT_BIT_TIME).first("1"),
    Feed::new(across("0"), on(TWOS, "1", "0"), ANY).first("1"),
    enumeration(EMPTIES),
    enumeration(TWOS),
    // A rank is a header, through two flip-flops.
    Feed::new(
        on(EMPTIES, "m", "0"),
        on(SETS, "1", "0"),
        Takes::Just(moment("2")),
    ),
    Feed::new(
        on(TWOS, "m", "0"),
        on(HELD_PACKS, "1", "0"),
        Takes::Just(moment("2")),
    )
    .first("m"),
    packing(SETS)[0],
    packing(SETS)[1],
    // The second message.
    Feed::new(across("1"), on(HELD_PACKS, "1", "m"), ANY),
    packing(HELD_PACKS)[0],
    packing(HELD_PACKS)[1],
    // The message that came goes back, over circuits that are set.
    Feed::new(on(HELD_PACKS, "m", "0"), on(RETURNS, "m", "0"), ANY),
    Feed::new(on(SETS, "r", "0"), on(RETURNS, "r", "0"), ANY).first("1"),
    Feed::new(
        on(RETURNS, "r+1", "0"),
        on(RETURNS, "r", "0"),
        NEXT_BIT_TIME,
    ),
    // The next address bit is used up. The valid bit is there before it.
    Feed::new(on(RETURNS, "1", "0"), across("0"), ANY)
        .first("1")
        .next(),
    Feed::new(on(RETURNS, "1", "1"), across("0"), ANY).next(),
];

/// No bit is late, for all k and D; and every bit of every window comes from somewhere and is for something.
fn no_bit_is_late(table: &Iteration, feeds: &[Feed]) -> Shown {
    are_in_time(feeds, table.length, &sizes())?;
    every_bit_comes_from_somewhere_and_is_for_something(table, feeds)
}

/// In passes too: they send what the iteration before has delivered, of which its last pass is the last.
#[test]
fn no_bit_of_a_table_is_late() {
    for (table, feeds) in [(&ITERATION, SPREAD), (&ASCENDING, HELD), (&FOLDED, HELD)] {
        assert_eq!(no_bit_is_late(table, feeds), Ok(()));
    }
    // In a pipeline of batches, where the next stage begins so much later.
    let hands_on = |delivers: Moment| delivers + LEAD as i32;
    for (delivers, feeds) in [
        (PACKS.of_last_stage().from, SPREAD),
        (RETURNS.of_first_stage().from, HELD),
    ] {
        assert_eq!(are_in_time(feeds, hands_on(delivers), &sizes()), Ok(()));
        assert!(are_in_time(feeds, hands_on(delivers) + -1, &sizes()).is_err());
    }
}

/// All of it again with mistakes: each window a bit time earlier and later, shorter and longer, iterations a bit time shorter, and
/// rows in the other order.
#[test]
fn mistakes_are_noticed() {
    let moved = |window: Window, by: i32| window.longer(by).begins_earlier(-by);
    let mistakes: [&dyn Fn(Window) -> Window; 4] = [
        &|window| moved(window, -1),
        &|window| moved(window, 1),
        &|window| window.longer(-1),
        &|window| window.longer(1),
    ];
    for (table, feeds) in [(&ITERATION, SPREAD), (&ASCENDING, HELD), (&FOLDED, HELD)] {
        let shown = |table: &Iteration, feeds: &[Feed]| {
            no_wire_has_two_users(table, false)?;
            no_bit_is_late(table, feeds)
        };
        for wire in table.wires {
            for mistake in mistakes {
                let planted = |window: Window| match window == wire.window {
                    true => mistake(window),
                    false => window,
                };
                let wires = table.wires.iter().map(|wire| Wire {
                    window: planted(wire.window),
                    ..*wire
                });
                // A test has few of them.
                let wires = wires.collect::<Vec<_>>().leak();
                let feeds: Vec<Feed> = feeds.iter().map(|feed| feed.each(planted)).collect();
                let what = planted(wire.window);
                assert!(
                    shown(&Iteration { wires, ..*table }, &feeds).is_err(),
                    "{what:?}"
                );
            }
        }
        let length = table.length + -1;
        assert!(shown(&Iteration { length, ..*table }, feeds).is_err());
    }
    let order = RowOrder::Ascending;
    assert!(no_wire_has_two_users(&Iteration { order, ..FOLDED }, false).is_err());
}

/// In numbers: bit by bit of all small machines.
fn every_bit_comes_from_somewhere_and_is_for_something(table: &Iteration, feeds: &[Feed]) -> Shown {
    for (m, payload_bits) in (1..=7).flat_map(|m| [1, 2, 3, 20].map(|d| (m, d))) {
        let bits = table.wires.iter().flat_map(|wire| {
            let stages = match wire.stages {
                Stages::Crossed => 0..=0,
                Stages::Row => 1..=m,
            };
            let length = move |r| wire.window.stretch(m, payload_bits, r).length() as i64;
            stages.flat_map(move |r| {
                (0..length(r)).map(move |bit| (wire.window, Moment::ZERO, r, bit))
            })
        });
        are_whole(feeds, &bits.collect::<Vec<_>>(), (m, payload_bits))?;
    }
    Ok(())
}
