//! Schedule `radix4`: groups of two dimensions, one of one dimension, and the greedy end.
//!
//! Groups differ in what follows them, as packings go on under it; `m` is what a group leaves, `r` the number of a stage there.

use rtl_model::parts::windows::{Window, window};
use rtl_model::routers::kuszmaul::radix4::dimension_groups::{FOUR, GREEDY, TWO};
use rtl_model::routers::kuszmaul::radix4::windows::{
    AFTER_PAUSE, BEFORE_PAUSE, BEFORE_TWO, COUNTS, END_LANES, END_LAST, END_OF_ONE, END_OF_TWO,
    END_TURNS, EXCHANGES, LANES, TURNS, TWO_COUNTS, TWO_EXCHANGES, TWO_LANE, WHO,
};

use super::forms::{At, D, Form, M, R, Shown, System, here, number};
use super::streams::Piece;

mod bits;
mod machine;
mod slots;

/// In a group of one dimension, from where its packing begins: bits of messages that are exchanged.
const TWO_EXCHANGED: Window = window("1 .. L");

/// A group, and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// Of two dimensions, before another one.
    BeforeFour,
    /// Of two dimensions, before one of one dimension: it leaves five.
    BeforeTwo,
    /// Of two dimensions, before the greedy end, which is what it leaves.
    BeforeEnd,
    /// Of one dimension, which leaves four: so much later as the group before it is still busy.
    Two(i64),
    /// The greedy end, of so many dimensions.
    End(usize),
}

/// Whose wire it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// A dimension of the group, from 0.
    Taken(usize),
    /// A stage.
    Row,
}

/// Who has a wire when.
type Users = Vec<(&'static str, Piece)>;

impl Group {
    /// Bit times to the next one.
    fn length(self, at: At) -> Form {
        match self {
            Group::BeforeFour | Group::BeforeEnd => at.value(FOUR),
            Group::BeforeTwo => at.value(FOUR) - 1,
            Group::Two(later) => at.value(TWO) + later,
            Group::End(dimensions) => at.value(GREEDY[dimensions - 1]),
        }
    }

    /// When the enumeration and the packing of a group of one dimension begin.
    fn steps(at: At, later: i64) -> [At; 2] {
        [1, 5].map(|begins| At {
            begins: at.begins + begins + later,
            ..at
        })
    }

    /// Slots of a packing's stage, one a bit time: a bit of an item of its list goes over in each. In a group of two dimensions the
    /// lanes take turns.
    fn slots(self, at: At) -> Vec<Piece> {
        let slots = match self {
            Group::Two(later) => {
                let [_, packing] = Group::steps(at, later);
                Piece::of(TWO_LANE, packing)
            }
            _ => Piece {
                every: 1,
                ends: LANES[1].ends.map(|end| at.time(end)),
                ..Piece::of(LANES[0], at)
            },
        };
        vec![slots]
    }

    /// The same where the next group begins with neither of its dimensions: its enumeration goes first.
    fn paused(self, at: At) -> Vec<Piece> {
        let begins = at.begins + self.length(at);
        let (windows, then) = match self {
            Group::BeforeFour => (
                [BEFORE_PAUSE, AFTER_PAUSE],
                At {
                    m: at.m - 2,
                    r: at.r - 2,
                    begins,
                    ..at
                },
            ),
            Group::BeforeTwo => (
                BEFORE_TWO,
                At {
                    m: at.m - 1,
                    r: at.r - 1,
                    begins,
                    ..at
                },
            ),
            _ => return self.slots(at),
        };
        let own = Piece {
            ends: [begins - 1; 2],
            ..self.slots(at)[0]
        };
        let [mut before, mut after] = windows.map(|window| Piece::of(window, then));
        before.first = begins - own.from;
        after.first = before.first + (before.ends[0] + 1 - before.from);
        vec![own, before, after]
    }

    /// Who has a wire when; where the packing `pauses`.
    fn users(self, of: Of, at: At, pauses: bool) -> Users {
        let unit = |unit, windows: &[Window], at| {
            let pieces = windows.iter().map(move |window| Piece::of(*window, at));
            pieces
                .map(|piece| (unit, piece))
                .collect::<Vec<(&'static str, Piece)>>()
        };
        let exchange = |windows: &[Window]| unit("exchange", windows, at);
        let packing = match pauses {
            true => self.paused(at),
            false => self.slots(at),
        };
        let packing = packing.into_iter().map(|piece| ("packing", piece));
        let greedy = |lanes: &[Window]| {
            let named = ["greedy_lane_0", "greedy_lane_1"].into_iter().zip(lanes);
            named
                .flat_map(|(lane, window)| unit(lane, &[*window], at))
                .collect()
        };
        match (self, of) {
            (Group::End(1), _) => exchange(&END_OF_ONE),
            (Group::End(2), Of::Taken(n)) => exchange(&[WHO[n], END_OF_TWO[n]]),
            (Group::End(_), Of::Taken(n @ 0..2)) => {
                let turns: &[Window] = if n == 0 { &END_TURNS[..1] } else { &END_TURNS };
                [exchange(&[WHO[n]]), exchange(turns)].concat()
            }
            (Group::End(4), Of::Taken(2)) => greedy(&END_LANES),
            (Group::End(dimensions), _) => unit("greedy", &[END_LAST[dimensions - 3]], at),
            (Group::Two(later), Of::Taken(_)) => {
                let [_, packing] = Group::steps(at, later);
                let bits = unit("exchange", &[TWO_EXCHANGED], packing);
                [exchange(&[END_OF_ONE[0]]), bits].concat()
            }
            (Group::Two(later), Of::Row) => {
                let [enumeration, counts] = Group::steps(at, later);
                let counts = [
                    unit("enumeration", &[TWO_COUNTS], enumeration),
                    unit("counts", &[TWO_EXCHANGES], counts),
                ];
                counts.concat().into_iter().chain(packing).collect()
            }
            (_, Of::Taken(n)) => {
                let turns: &[Window] = if n == 0 { &TURNS[..1] } else { &TURNS };
                [exchange(&[WHO[n]]), exchange(turns)].concat()
            }
            (_, Of::Row) => {
                let counts = [
                    unit("enumeration", &[COUNTS], at),
                    unit("counts", &[EXCHANGES], at),
                ];
                counts.concat().into_iter().chain(packing).collect()
            }
        }
    }
}

/// Two groups one behind the other, and for which sizes: `m` is what the first leaves.
fn pairs() -> Vec<(Group, Group, System)> {
    let (m, d) = (|least| [M - least], |least| D - least);
    let just = |m: i64| [M - m, number(m) - M];
    let fours = [Group::BeforeFour, Group::BeforeTwo, Group::BeforeEnd];
    let mut pairs: Vec<_> = fours
        .map(|next| (Group::BeforeFour, next, System::of(&m(5)).and(&[d(1)])))
        .to_vec();
    let (two, alone) = (Group::Two(1), Group::Two(0));
    pairs.extend([
        (Group::BeforeTwo, two, System::of(&just(5)).and(&[d(2)])),
        (two, Group::End(4), System::of(&just(4)).and(&[d(2)])),
        (alone, Group::End(4), System::of(&just(4)).and(&[d(2)])),
        (
            Group::BeforeEnd,
            Group::End(4),
            System::of(&just(4)).and(&[d(1)]),
        ),
        (
            Group::BeforeEnd,
            Group::End(3),
            System::of(&just(3)).and(&[d(1)]),
        ),
    ]);
    pairs
}

/// What of a group's row the next one has: its stage, whose wire that is there, where that is so, and whether the packing pauses.
fn next_wires(next: Group) -> Vec<(Form, Of, At, bool)> {
    let taken = match next {
        Group::End(dimensions) => dimensions as i64,
        Group::Two(_) => 1,
        _ => 2,
    };
    let then = |r: Form| At {
        m: M - taken,
        // Windows of the end are written in the number of its dimensions.
        r: match next {
            Group::End(_) => number(taken),
            _ => r - taken,
        },
        ..here()
    };
    let dimensions = (0..taken).map(|n| {
        let r = number(n + 1);
        (r, Of::Taken(n as usize), then(r), false)
    });
    let row = (!matches!(next, Group::End(_))).then(|| (R, Of::Row, then(R), true));
    dimensions.chain(row).collect()
}

/// Each user of a wire is apart from each of the others, or from all of another's.
fn apart(users: &Users, others: Option<&Users>, sizes: &System) -> Shown {
    for (place, (unit, piece)) in users.iter().enumerate() {
        for (other_unit, other) in others.unwrap_or(&users[place + 1..].to_vec()) {
            let what = format!("{unit} and {other_unit}");
            piece.never_meets(other, sizes, &what)?;
        }
    }
    Ok(())
}

/// No wire of a group has two users, nor of it and the next one; and what it has is over before the one after that begins.
fn no_wire_has_two_users((group, next, sizes): &(Group, Group, System)) -> Shown {
    let here = here();
    let begins = group.length(here);
    let of_row = sizes.and(&[R - 1, M - R]);
    for n in 0..if matches!(group, Group::Two(_)) { 1 } else { 2 } {
        apart(&group.users(Of::Taken(n), here, false), None, sizes)?;
    }
    for (r, of, then, pauses) in next_wires(*next) {
        let sizes = match pauses {
            true => of_row.and(&[then.r - 1]),
            false => sizes.clone(),
        };
        let then = At { begins, ..then };
        let users = group.users(Of::Row, At { r, ..here }, pauses);
        let others = next.users(of, then, false);
        apart(&users, None, &sizes)?;
        apart(&users, Some(&others), &sizes)?;
        let after_next = begins + next.length(then);
        for (unit, piece) in &users {
            piece.begins_with(number(0), &sizes, unit)?;
            piece.ends_by(after_next - 1, &sizes, unit)?;
        }
    }
    Ok(())
}

#[test]
fn no_wire_has_two_users_for_all_sizes() {
    for pair in pairs() {
        assert_eq!(
            no_wire_has_two_users(&pair),
            Ok(()),
            "{:?} {:?}",
            pair.0,
            pair.1
        );
    }
    for dimensions in 1..=4 {
        for n in 0..dimensions {
            let end = At {
                m: number(0),
                r: number(dimensions as i64),
                ..here()
            };
            let users = Group::End(dimensions).users(Of::Taken(n), end, false);
            assert_eq!(apart(&users, None, &System::of(&[D - 1])), Ok(()));
        }
    }
}
