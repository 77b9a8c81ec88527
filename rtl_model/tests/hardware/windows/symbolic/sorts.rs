//! Rows over all dimensions: enumeration and packing alone, the radix sort, and the unpacking of the bitonic sort.
//!
//! Here `m` is `k`.

use rtl_model::parts::windows::{Moment, Window, moment, window};
use rtl_model::routers::kuszmaul::enumeration::COUNTS;
use rtl_model::routers::kuszmaul::packing::PACKS as UNPACKS;
use rtl_model::routers::sorting::bitonic::sequencer::UNPACKS as BITONIC_UNPACKS;
use rtl_model::routers::sorting::radix::sequencer::{LAST_PASS, PACKS, PASS};

use super::feeds::{ANY, Feed, NEXT_BIT_TIME, Takes, are_in_time, on};
use super::forms::{At, D, M, R, Shown, System, here, number, sizes};
use super::streams::Piece;

/// Of the bitonic sort, from the end of its last phase: the last record on the wire of stage `r = k-d`, of `W = 1+k+D` bits. Its
/// sequencer works it out in numbers. Phases before it are whole multiples of `W` earlier.
const COMPARES: Window = window("r-2m-D-1 .. r-m-1");

/// The passes of a radix sort: windows of a wire in a pass, in the next, which begins no earlier than either length, and in the unpacking,
/// whose rows run from the other end.
fn radix_wires_have_one_user(pass: Moment) -> Shown {
    let (here, sizes) = (here(), sizes());
    let windows = [COUNTS, PACKS];
    let then = |begins| At { begins, ..here };
    let pieces = windows.map(|window| Piece::of(window, here));
    let next = windows.map(|window| Piece::of(window, then(here.value(pass))));
    let unpacks = At {
        r: M + 1 - R,
        ..then(here.value(LAST_PASS))
    };
    pieces[0].never_meets(&pieces[1], &sizes, &"of a pass")?;
    for piece in pieces {
        for next in next {
            piece.never_meets(&next, &sizes, &"of the next pass")?;
        }
        piece.begins_with(number(0), &sizes, &"begins")?;
        piece.ends_by(
            here.value(pass) * 2 - 1,
            &sizes,
            &"before the pass after the next",
        )?;
        piece.never_meets(&Piece::of(UNPACKS, unpacks), &sizes, &"of the unpacking")?;
    }
    // Passes before the last are over.
    let before = here.value(pass) + here.value(LAST_PASS);
    pieces[1].ends_by(before - 1, &sizes, &"before the unpacking")
}

#[test]
fn wires_of_a_radix_sort_have_one_user() {
    let [free, keyed] = PASS;
    assert_eq!(radix_wires_have_one_user(free), Ok(()));
    assert!(radix_wires_have_one_user(free + -1).is_err());
    // The longer of the two is taken.
    let longer = System::of(&[here().value(keyed) - here().value(free)]);
    assert!(!longer.has_no_solution());
}

/// In a pass: a rank is a header as it comes. The message behind it is the node's own, or the pass's before.
const FEEDS: &[Feed] = &[
    Feed::new(on(COUNTS, "r", "0"), on(COUNTS, "r+1", "0"), NEXT_BIT_TIME).carrying(1),
    Feed::new(on(COUNTS, "m", "0"), on(PACKS, "1", "0"), NEXT_BIT_TIME).first("m"),
    Feed::new(on(PACKS, "r", "1"), on(PACKS, "r+1", "0"), NEXT_BIT_TIME),
    // Packed, in the next pass, and behind the last.
    Feed::new(on(PACKS, "m", "1"), on(PACKS, "1", "m").since(PASS[0]), ANY),
    Feed::new(
        on(PACKS, "m", "1"),
        on(UNPACKS, "1", "0").since(LAST_PASS),
        Takes::Just(moment("L")),
    ),
    Feed::new(
        on(UNPACKS, "r", "1"),
        on(UNPACKS, "r+1", "0"),
        NEXT_BIT_TIME,
    ),
    // The record that dimension 0 has compared last, whose valid bit is there before.
    Feed::new(
        on(COMPARES, "m", "1"),
        on(BITONIC_UNPACKS, "1", "0"),
        Takes::Just(moment("D+1")),
    ),
    Feed::new(
        on(BITONIC_UNPACKS, "r", "1"),
        on(BITONIC_UNPACKS, "r+1", "0"),
        NEXT_BIT_TIME,
    ),
];

#[test]
fn no_bit_of_a_row_is_late() {
    assert_eq!(are_in_time(FEEDS, Moment::ZERO, &sizes()), Ok(()));
}

/// The last comparison of a wire is over when the unpacking takes it, and no comparison is after the last.
#[test]
fn the_unpacking_of_a_bitonic_sort_has_wires_that_are_free() {
    let (compares, unpacks) = (
        Piece::of(COMPARES, here()),
        Piece::of(BITONIC_UNPACKS, here()),
    );
    assert_eq!(
        compares.never_meets(&unpacks, &sizes(), &"unpacking"),
        Ok(())
    );
    // As long as a phase: the one before it has ended just before.
    let length = compares.ends[0] - compares.from + 1;
    assert_eq!(length, M + D + 1);
}
