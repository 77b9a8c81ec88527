//! No bit is late within a group.

use rtl_model::parts::windows::moment;
use rtl_model::routers::kuszmaul::radix4::windows::{CONTROLS, TWO_CONTROLS};

use super::*;
use crate::windows::symbolic::feeds::{ANY, Feed, NEXT_BIT_TIME, Part, Takes, are_in_time, on};

const AT_ONCE: Takes = Takes::Just(moment("0"));

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
    // They are added in the bit time in which they come, and one more.
    Feed::new(on(EXCHANGES, "r", "0"), on(CONTROLS[0], "r", "0"), AT_ONCE).carrying(1),
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
const fn two_feeds([enumeration, packing]: [&str; 2]) -> [Feed; 10] {
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
        Feed::new(
            on(TWO_EXCHANGES, "r", "0").since(packing),
            on(TWO_CONTROLS[1], "r", "0").since(packing),
            AT_ONCE,
        )
        .carrying(1),
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
