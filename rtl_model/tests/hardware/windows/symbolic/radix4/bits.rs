//! No bit is late, within a group, over a pause, and from one group to the next.

use rtl_model::parts::windows::moment;
use rtl_model::routers::kuszmaul::radix4::windows::{CONTROLS, DELIVERS, TWO_CONTROLS};

use super::*;
use crate::windows::symbolic::feeds::{Feed, Part, Takes, are_in_time};
use crate::windows::symbolic::forms::J;

const NEXT_BIT_TIME: Takes = Takes::Just(moment("1"));
const ANY: Takes = Takes::AtLeast(1);

const fn on(window: Window, stage: &str, bit: &str) -> Part {
    Part::of_row(window, stage, bit)
}

const fn of(window: Window, bit: &str) -> Part {
    Part::of_crossed(window, bit)
}

/// In a group of two dimensions.
const FOUR_FEEDS: &[Feed] = &[
    // Who came over the first wire tells over the second whether it goes on. Then it is known how many there are, in three bits.
    Feed::new(of(WHO[0], "1"), of(WHO[1], "1"), NEXT_BIT_TIME),
    Feed::new(of(WHO[1], "1"), on(COUNTS, "1", "0"), NEXT_BIT_TIME).carrying(2),
    Feed::new(of(WHO[1], "1"), on(EXCHANGES, "1", "0"), ANY).carrying(2),
    Feed::new(on(COUNTS, "r", "0"), on(COUNTS, "r+1", "0"), NEXT_BIT_TIME).carrying(1),
    // The last stage's sum is the place, which goes back into stage 1 as it comes, and is halved from stage to stage.
    Feed::new(
        on(COUNTS, "m", "0"),
        on(CONTROLS[1], "1", "0"),
        NEXT_BIT_TIME,
    ),
    Feed::new(
        on(CONTROLS[1], "r", "1"),
        on(CONTROLS[1], "r+1", "0"),
        NEXT_BIT_TIME,
    ),
    // Counts are added and halved.
    Feed::new(
        on(EXCHANGES, "r", "1"),
        on(EXCHANGES, "r+1", "0"),
        NEXT_BIT_TIME,
    )
    .carrying(1),
    // A switch is set by the first bit of the place, and by counts: the last bit of them.
    Feed::new(on(CONTROLS[1], "r", "0"), on(LANES[0], "r", "0"), ANY).first("1"),
    Feed::new(
        on(EXCHANGES, "r", "2"),
        on(LANES[0], "r", "0"),
        NEXT_BIT_TIME,
    )
    .first("1"),
    // Bits that come over the first wire go on over the second, then over those of stage 1.
    Feed::new(of(TURNS[0], "0"), of(TURNS[1], "0"), NEXT_BIT_TIME),
    Feed::new(of(TURNS[1], "0"), on(LANES[0], "1", "0"), NEXT_BIT_TIME),
    Feed::new(
        of(TURNS[1], "0"),
        on(LANES[1], "1", "0"),
        Takes::Just(moment("2")),
    ),
];

/// In a group of one dimension, whose enumeration and packing begin then.
const fn two_feeds([enumeration, packing]: [&str; 2]) -> [Feed; 9] {
    let (enumeration, packing) = (moment(enumeration), moment(packing));
    [
        Feed::new(
            of(END_OF_ONE[0], "0"),
            on(TWO_COUNTS, "1", "0").since(enumeration),
            ANY,
        )
        .carrying(1),
        Feed::new(
            of(END_OF_ONE[0], "0"),
            on(TWO_EXCHANGES, "1", "0").since(packing),
            ANY,
        )
        .carrying(1),
        Feed::new(
            on(TWO_COUNTS, "r", "0").since(enumeration),
            on(TWO_COUNTS, "r+1", "0").since(enumeration),
            NEXT_BIT_TIME,
        )
        .carrying(1),
        Feed::new(
            on(TWO_COUNTS, "m", "0").since(enumeration),
            on(TWO_CONTROLS[0], "1", "0").since(packing),
            NEXT_BIT_TIME,
        ),
        Feed::new(
            on(TWO_CONTROLS[0], "r", "1").since(packing),
            on(TWO_CONTROLS[0], "r+1", "0").since(packing),
            NEXT_BIT_TIME,
        ),
        Feed::new(
            on(TWO_EXCHANGES, "r", "1").since(packing),
            on(TWO_EXCHANGES, "r+1", "0").since(packing),
            NEXT_BIT_TIME,
        )
        .carrying(1),
        Feed::new(
            on(TWO_EXCHANGES, "r", "1").since(packing),
            on(TWO_LANE, "r", "0").since(packing),
            NEXT_BIT_TIME,
        )
        .first("1"),
        Feed::new(
            of(TWO_EXCHANGED, "0").since(packing),
            on(TWO_LANE, "1", "0").since(packing),
            NEXT_BIT_TIME,
        ),
        // Bits wait one bit time between stages.
        Feed::new(
            on(TWO_LANE, "r", "0").since(packing),
            on(TWO_LANE, "r+1", "0").since(packing),
            Takes::Just(moment("2")),
        ),
    ]
}

/// In the greedy end of two dimensions; in one of three; in one of four.
const END_FEEDS: [&[Feed]; 3] = [
    &[
        Feed::new(of(WHO[0], "1"), of(WHO[1], "1"), NEXT_BIT_TIME),
        Feed::new(
            of(END_OF_TWO[0], "0"),
            of(END_OF_TWO[1], "0"),
            NEXT_BIT_TIME,
        ),
    ],
    &[
        Feed::new(of(WHO[0], "1"), of(WHO[1], "1"), NEXT_BIT_TIME),
        Feed::new(
            on(END_TURNS[0], "m", "0"),
            on(END_TURNS[1], "m", "0"),
            NEXT_BIT_TIME,
        ),
        // By the last address bit, in its place, who crosses is told.
        Feed::new(
            on(END_TURNS[1], "m", "0"),
            of(END_LAST[0], "0"),
            NEXT_BIT_TIME,
        ),
    ],
    &[
        Feed::new(of(WHO[0], "1"), of(WHO[1], "1"), NEXT_BIT_TIME),
        Feed::new(
            on(END_TURNS[0], "m", "0"),
            on(END_TURNS[1], "m", "0"),
            NEXT_BIT_TIME,
        ),
        // The same, on two lanes; the list behind them is whole with the second.
        Feed::new(
            on(END_TURNS[1], "m", "0"),
            of(END_LANES[0], "0"),
            NEXT_BIT_TIME,
        ),
        Feed::new(of(END_LANES[0], "0"), of(END_LANES[1], "0"), NEXT_BIT_TIME),
        Feed::new(of(END_LANES[1], "1"), of(END_LAST[1], "0"), NEXT_BIT_TIME),
    ],
];

#[test]
fn no_bit_of_a_group_is_late() {
    let rows = |m: i64| System::of(&[M - m, D - 1, R - 1, M - R]);
    let just = |m: i64| rows(m).and(&[number(m) - M]);
    assert_eq!(are_in_time(FOUR_FEEDS, FOUR, &rows(3)), Ok(()));
    for begins in [["1", "5"], ["2", "6"]] {
        assert_eq!(are_in_time(&two_feeds(begins), TWO, &just(4)), Ok(()));
    }
    for (dimensions, feeds) in (2..).zip(END_FEEDS) {
        let sizes = just(dimensions);
        assert_eq!(
            are_in_time(feeds, GREEDY[dimensions as usize - 1], &sizes),
            Ok(())
        );
    }
}

/// A slot of one stage, in a bit time that is so much later at least, or at most, than one of another.
fn compared(
    (one, slot): (&[Piece], Form),
    (other, other_slot): (&[Piece], Form),
    taken: impl Fn(Form, Form) -> Form,
    sizes: &System,
    what: &str,
) -> Shown {
    for one in one {
        for other in other {
            let both = sizes.and(&one.has(slot)).and(&other.has(other_slot));
            let opposite = taken(one.time(slot), other.time(other_slot));
            both.and(&[opposite]).refuted(&what)?;
        }
    }
    Ok(())
}

/// Slots of a packing with pauses: all of them, each behind the one before it, none late, and no list is filled before the one in it has gone.
fn no_slot_is_late(group: Group, sizes: &System) -> Shown {
    let at = |r: Form| At { r, ..here() };
    // The first that pauses: that of the next group's row.
    let first = if group == Group::BeforeFour { 3 } else { 2 };
    let pieces = |r: i64| match r >= first {
        true => group.paused(at(number(r))),
        false => group.slots(at(number(r))),
    };
    let mut neighbours: Vec<_> = (1..first)
        .map(|r| (pieces(r), pieces(r + 1), sizes.and(&[M - 1 - r])))
        .collect();
    let pausing = sizes.and(&[R - first, M - 1 - R]);
    neighbours.push((group.paused(at(R)), group.paused(at(R + 1)), pausing));
    for (stage, behind, sizes) in neighbours {
        let sizes = sizes.and(&[J]);
        // A list is whole with the second lane, and begins to go on with the first.
        let (lane_0, lane_1, next_1) = (J * 2, J * 2 + 1, J * 2 + 3);
        let late = |sent: Form, received: Form| received - sent;
        compared((&behind, lane_0), (&stage, lane_1), late, &sizes, "late")?;
        // The next is whole when the second lane has gone, or later.
        let lost = |sent: Form, received: Form| sent - received - 1;
        compared((&behind, lane_1), (&stage, next_1), lost, &sizes, "lost")?;
    }
    let sizes = sizes.and(&[R - first, M - R]);
    let pieces = group.paused(at(R));
    for pair in pieces.windows(2) {
        let before = pair[0].ends[0] - pair[0].from + pair[0].first;
        assert_eq!(before + 1, pair[1].first, "a slot is left out");
        sizes
            .and(&[pair[0].ends[0] - pair[1].from])
            .refuted(&"in turn")?;
    }
    let last = pieces[pieces.len() - 1];
    let amount = last.ends[0] - last.from + last.first + 1;
    assert_eq!(amount, (M + D) * 2, "as many slots as bits need");
    Ok(())
}

#[test]
fn no_slot_of_a_packing_is_late_over_a_pause() {
    for (group, _, sizes) in pairs() {
        if !matches!(group, Group::Two(_) | Group::End(_)) {
            assert_eq!(no_slot_is_late(group, &sizes), Ok(()), "{group:?}");
        }
    }
}

/// When a group needs the bits of its messages, from the address bit that it consumes first: the first two, and the others from bit 2 on.
fn needed(group: Group, at: At) -> ([Form; 2], Piece) {
    let over_first = match group {
        Group::Two(later) => {
            let [_, packing] = Group::steps(at, later);
            Piece::of(TWO_EXCHANGED, packing)
        }
        Group::End(_) => Piece::of(END_TURNS[0], at),
        _ => Piece::of(TURNS[0], at),
    };
    match group {
        // Bit 0 decides, and all others go over the wire.
        Group::Two(_) => {
            let behind = Piece {
                from: over_first.from + 1,
                ..over_first
            };
            ([at.begins, over_first.from], behind)
        }
        _ => ([at.begins, at.begins + 1], over_first),
    }
}

/// Bits that the last stage of a packing delivers, with its second lane, come before the next group needs them: that begins then. In a
/// pipeline of batches nothing pauses, and a bit goes through a register more.
fn no_message_is_late(
    (group, next, sizes): &(Group, Group, System),
    slots: &[Piece],
    begins: Form,
) -> Shown {
    let lanes = if matches!(group, Group::Two(_)) { 1 } else { 2 };
    let (_, _, then, _) = next_wires(*next)[0];
    let ([first, second], others) = needed(*next, At { begins, ..then });
    let sizes = sizes.and(&[J]);
    for slot in slots {
        let of_bit = |bit: Form| (bit + 1) * lanes - 1;
        let late = |bit: Form, sent: Form, sizes: &System, what: &str| {
            let received = slot.time(of_bit(bit));
            let there = sizes.and(&slot.has(of_bit(bit)));
            there.and(&[received - sent]).refuted(&what)
        };
        late(number(0), first, &sizes, "bit 0")?;
        late(number(1), second, &sizes, "bit 1")?;
        let is_needed = sizes.and(&others.has(J));
        late(J + 2, others.time(J), &is_needed, "others")?;
    }
    if lanes == 2 {
        sizes
            .and(&[here().time(DELIVERS) - first])
            .refuted(&"valid")?;
    }
    Ok(())
}

#[test]
fn no_message_is_late_for_the_next_group() {
    let last = At { r: M, ..here() };
    for pair in pairs() {
        let (group, next, _) = &pair;
        let (slots, begins) = (group.paused(last), group.length(here()));
        let shown = no_message_is_late(&pair, &slots, begins);
        assert_eq!(shown, Ok(()), "{group:?} {next:?}");
        // In a pipeline, behind a group of two dimensions there is another one, or the greedy end.
        if !matches!(
            (group, next),
            (
                Group::BeforeFour | Group::BeforeEnd,
                Group::BeforeFour | Group::End(_)
            )
        ) {
            continue;
        }
        let begins = last.time(LANES[1].from) + 2;
        let shown = no_message_is_late(&pair, &group.slots(last), begins);
        assert_eq!(shown, Ok(()), "{group:?} {next:?}");
        assert!(no_message_is_late(&pair, &group.slots(last), begins - 2).is_err());
    }
}
