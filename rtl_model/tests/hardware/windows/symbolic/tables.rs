//! Schedules whose iterations are tables: `spread`, `overlapped`, `folded`, and the passes of h-relations.

use rtl_model::parts::dimensions::RowOrder;
use rtl_model::parts::windows::{Iteration, Moment, Stages, Window, Wire, moment};
use rtl_model::routers::kuszmaul::batches::stage::LEAD;
use rtl_model::routers::kuszmaul::held::sequencer::{
    ASCENDING, EMPTIES, FOLDED, PACKS as HELD_PACKS, RETURNS, SETS, TWOS,
};
use rtl_model::routers::kuszmaul::now::CROSS;
use rtl_model::routers::kuszmaul::spread::sequencer::{COUNTS, ITERATION, PACKS};

use super::feeds::{Feed, Part, Takes, are_in_time, are_whole};
use super::forms::{At, D, Form, M, R, Shown, System, here, next, number, sizes};
use super::streams::Piece;

/// The stage `r` of iteration after iteration, where its dimension is left; the next one crosses it where it is not.
struct Row {
    /// In the next iteration, where the dimension is left there.
    next: Form,
    /// Where it is left, and where it is not.
    left: Form,
    crossed: Form,
}

fn row(order: RowOrder) -> Row {
    match order {
        RowOrder::Ascending => Row {
            next: R - 1,
            left: R - 2,
            crossed: number(1) - R,
        },
        RowOrder::Folded => Row {
            next: M - R,
            left: M - 1 - R,
            crossed: R - M,
        },
    }
}

/// Windows of a table, all of a row or all of the wire that is crossed.
fn windows(table: &Iteration, stages: Stages) -> impl Iterator<Item = (&'static str, Window)> {
    let wires = table.wires.iter();
    let wires = wires.filter(move |wire| wire.stages == stages);
    wires.map(|wire| (wire.unit, wire.window))
}

/// The windows of one are apart from those of another, which may be the same.
fn apart(
    (one, at): (&[(&'static str, Window)], At),
    (other, then): (&[(&'static str, Window)], At),
    sizes: &System,
    same: bool,
) -> Shown {
    for (place, (unit, window)) in one.iter().enumerate() {
        let from = if same { place + 1 } else { 0 };
        for (other_unit, other) in &other[from.min(other.len())..] {
            let what = format!("{unit} {window:?} and {other_unit} {other:?}");
            Piece::of(*window, at).never_meets(&Piece::of(*other, then), sizes, &what)?;
        }
    }
    Ok(())
}

/// No wire has two users in any bit time, for all k and D: an iteration's windows are apart from each other and from those of the
/// next, be it another pass or the next iteration, and over before the one after that begins.
fn no_wire_has_two_users(table: &Iteration, has_passes: bool) -> Shown {
    let Row {
        next: stage,
        left,
        crossed,
    } = row(table.order);
    let rows: Vec<_> = windows(table, Stages::Row).collect();
    let crossing: Vec<_> = windows(table, Stages::Crossed).collect();
    let (sizes, here) = (sizes(), here());
    let length = here.value(table.length);
    apart((&rows, here), (&rows, here), &sizes, true)?;
    apart((&crossing, here), (&crossing, here), &sizes, true)?;

    let then = next(length, stage);
    apart((&rows, here), (&rows, then), &sizes.and(&[left]), false)?;
    apart(
        (&rows, here),
        (&crossing, then),
        &sizes.and(&[crossed]),
        false,
    )?;

    let mut shortest = length;
    if has_passes {
        // A pass that another of its iteration follows is a bit time shorter. The last iteration has passes as well, without rows.
        shortest = length - 1;
        let pass = At {
            begins: shortest,
            ..here
        };
        apart((&rows, here), (&rows, pass), &sizes, false)?;
        apart((&crossing, here), (&crossing, pass), &sizes, false)?;
        let (last, second) = (next(number(0), R), next(D + 1, R));
        let alone = sizes.and(&[number(1) - M]);
        apart((&crossing, last), (&crossing, second), &alone, false)?;
    }
    // The iteration after the next, or pass after the next pass, begins no earlier.
    let after_next = shortest + next(number(0), R).value(table.length) - i64::from(has_passes);
    for (unit, window) in rows.iter().chain(&crossing) {
        let (what, piece) = (format!("{unit} {window:?}"), Piece::of(*window, here));
        piece.begins_with(number(0), &sizes, &what)?;
        piece.ends_by(after_next - 1, &sizes, &what)?;
    }
    // Wires of dimensions that are left no more have no other user: the crossing is over by itself.
    sizes.and(&[number(0) - shortest]).refuted(&"no bit times")
}

#[test]
fn no_wire_of_a_table_has_two_users() {
    for (table, has_passes) in [
        (&ITERATION, false),
        (&ITERATION, true),
        (&ASCENDING, false),
        (&FOLDED, false),
    ] {
        assert_eq!(no_wire_has_two_users(table, has_passes), Ok(()));
    }
}

/// What is said of stages is so: in numbers, of all rows of up to 64 dimensions.
#[test]
fn a_row_is_what_it_is_said_to_be_in_the_next_iteration() {
    for order in [RowOrder::Ascending, RowOrder::Folded] {
        for m in 1..=64usize {
            for dimension in 0..m {
                let r = order.stage(dimension, 0..m);
                let is = |form: Form| form.at(&[m, 1, r]) >= 0;
                let Row {
                    next,
                    left,
                    crossed,
                } = row(order);
                assert_eq!((is(left), is(crossed)), (dimension > 0, dimension == 0));
                if dimension > 0 {
                    let stage = order.stage(dimension, 1..m) as i64;
                    assert_eq!(next.at(&[m, 1, r]), stage, "{order:?} {m} {r}");
                }
            }
        }
    }
}

const fn on(window: Window, stage: &str, bit: &str) -> Part {
    Part::of_row(window, stage, bit)
}

const fn across(bit: &str) -> Part {
    Part::of_crossed(CROSS, bit)
}

const NEXT_BIT_TIME: Takes = Takes::Just(moment("1"));

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
    Feed::new(across("0"), on(COUNTS, "1", "1"), Takes::AtLeast(1)).first("1"),
    enumeration(COUNTS),
    // A rank is a header.
    Feed::new(on(COUNTS, "m", "0"), on(PACKS, "1", "0"), NEXT_BIT_TIME).first("m"),
    // Message bits wait for 2m bit times.
    Feed::new(across("1"), on(PACKS, "1", "m"), Takes::Just(moment("2m"))),
    packing(PACKS)[0],
    packing(PACKS)[1],
    // The next address bit is used up. The valid bit is there before it.
    Feed::new(on(PACKS, "m", "0"), across("0"), Takes::AtLeast(1))
        .first("1")
        .next(),
    Feed::new(on(PACKS, "m", "1"), across("0"), Takes::AtLeast(1)).next(),
];

/// Of schedules `overlapped` and `folded`.
const HELD: &[Feed] = &[
    // Who is empty and who has two messages is known with the valid bit.
    Feed::new(across("0"), on(EMPTIES, "1", "0"), NEXT_BIT_TIME).first("1"),
    Feed::new(across("0"), on(TWOS, "1", "0"), Takes::AtLeast(1)).first("1"),
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
    Feed::new(across("1"), on(HELD_PACKS, "1", "m"), Takes::AtLeast(1)),
    packing(HELD_PACKS)[0],
    packing(HELD_PACKS)[1],
    // The message that came goes back, over circuits that are set.
    Feed::new(
        on(HELD_PACKS, "m", "0"),
        on(RETURNS, "m", "0"),
        Takes::AtLeast(1),
    ),
    Feed::new(on(SETS, "r", "0"), on(RETURNS, "r", "0"), Takes::AtLeast(1)).first("1"),
    Feed::new(
        on(RETURNS, "r+1", "0"),
        on(RETURNS, "r", "0"),
        NEXT_BIT_TIME,
    ),
    // The next address bit is used up. The valid bit is there before it.
    Feed::new(on(RETURNS, "1", "0"), across("0"), Takes::AtLeast(1))
        .first("1")
        .next(),
    Feed::new(on(RETURNS, "1", "1"), across("0"), Takes::AtLeast(1)).next(),
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
