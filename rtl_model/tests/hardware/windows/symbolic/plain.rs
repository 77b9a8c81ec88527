//! Schedule `plain`: one step after the other.

use rtl_model::parts::windows::{Moment, Window, moment};
use rtl_model::routers::kuszmaul::enumeration::COUNTS;
use rtl_model::routers::kuszmaul::now::CROSS;
use rtl_model::routers::kuszmaul::plain::sequencer::{ADDRESSES, LONGEST, PACKS};

use super::feeds::{ANY, Bit, Feed, NEXT_BIT_TIME, Part, Takes, are_in_time, are_whole};
use super::forms::{self, Shown, here, sizes};
use super::streams::Piece;

/// Steps 1 to 6: their windows, of a wire each, and when they begin.
const STEPS: [(Window, Moment); 6] = [
    (CROSS, moment("0")),
    (COUNTS, moment("L+1")),
    (PACKS, moment("L+2m")),
    (COUNTS, moment("2L+4m-1")),
    (ADDRESSES, moment("2L+6m-2")),
    (PACKS, moment("2L+9m-3")),
];
/// Bit times of an iteration but the last, which is step 1 alone.
pub const LENGTH: Moment = moment("3L+11m-4");

const fn on(step: usize, stage: &str, bit: &str) -> Part {
    let (window, begins) = STEPS[step - 1];
    Part::of_row(window, stage, bit).since(begins)
}

const fn across(bit: &str) -> Part {
    Part::of_crossed(CROSS, bit)
}

/// From stage to stage of an enumeration; of a packing, which uses a header bit up.
const fn row(step: usize) -> [Feed; 2] {
    let here = on(step, "r", "0");
    let valid = Feed::new(here, on(step, "r+1", "0"), Takes::Just(moment("2"))).first("1");
    match step {
        2 | 4 => [Feed::new(here, on(step, "r+1", "0"), NEXT_BIT_TIME).carrying(1); 2],
        _ => [
            valid,
            Feed::new(on(step, "r", "1"), on(step, "r+1", "0"), NEXT_BIT_TIME),
        ],
    }
}

/// Step 6 counts stages from the other end, and takes a header from its last bit.
const FEEDS: &[Feed] = &[
    Feed::new(across("0"), on(2, "1", "0"), ANY).first("1"),
    Feed::new(across("0"), on(4, "1", "0"), ANY).first("1"),
    row(2)[0],
    row(4)[0],
    // A rank is a header; then comes the second message, or the node's own address.
    Feed::new(on(2, "m", "0"), on(3, "1", "0"), ANY).first("m"),
    Feed::new(across("1"), on(3, "1", "m"), ANY),
    row(3)[0],
    row(3)[1],
    Feed::new(on(4, "m", "0"), on(5, "1", "0"), ANY).first("m"),
    row(5)[0],
    row(5)[1],
    // The address that came is a header, the message that came goes back.
    Feed::new(on(5, "m", "0"), on(6, "1", "0"), ANY).first("1"),
    Feed::new(on(5, "m", "m"), on(6, "1", "0"), ANY)
        .first("m")
        .turned(),
    Feed::new(on(3, "m", "0"), on(6, "1", "0"), ANY).first("1"),
    Feed::new(on(3, "m", "1"), on(6, "1", "m"), ANY),
    row(6)[0],
    row(6)[1],
    // The next address bit is used up.
    Feed::new(on(6, "m", "0"), across("0"), ANY)
        .first("1")
        .next(),
    Feed::new(on(6, "m", "1"), across("0"), ANY).next(),
];

/// A wire has one window in a step. Steps begin where the one before ends, with its last stage, and are no longer than is said.
fn no_wire_has_two_users() -> Shown {
    let (here, sizes) = (here(), sizes());
    for (number, (window, begins)) in STEPS.iter().enumerate() {
        let next = STEPS.get(number + 1).map_or(LENGTH, |(_, begins)| *begins);
        assert_eq!(
            here.value(next) - here.value(*begins),
            here.value(window.of_last_stage().end()) + 1
        );
        let (piece, last) = (
            Piece::of(*window, here),
            here.value(window.of_last_stage().end()),
        );
        piece.begins_with(forms::number(0), &sizes, &"begins")?;
        piece.ends_by(last, &sizes, &"in its step")?;
        piece.ends_by(here.value(LONGEST) - 1, &sizes, &"the longest")?;
    }
    Ok(())
}

#[test]
fn no_wire_has_two_users_for_all_sizes() {
    assert_eq!(no_wire_has_two_users(), Ok(()));
}

#[test]
fn no_bit_is_late() {
    assert_eq!(are_in_time(FEEDS, LENGTH, &sizes()), Ok(()));
    for (m, payload_bits) in (1..=7).flat_map(|m| [1, 2, 3, 20].map(|d| (m, d))) {
        let bits = STEPS
            .iter()
            .enumerate()
            .flat_map(|(step, (window, begins))| {
                let stages = if step == 0 { 0..=0 } else { 1..=m };
                let bits = move |r| 0..window.stretch(m, payload_bits, r).length() as i64;
                stages.flat_map(move |r| bits(r).map(move |bit| (*window, *begins, r, bit)))
            });
        // An address is the node's own.
        let is_own =
            |(window, _, r, bit): &Bit| *window == ADDRESSES && *r == 1 && *bit >= m as i64;
        let bits: Vec<Bit> = bits.filter(|bit| !is_own(bit)).collect();
        assert_eq!(are_whole(FEEDS, &bits, (m, payload_bits)), Ok(()));
    }
}
