//! No bit of a packing is late: over a pause, and from one group to the next.

use rtl_model::routers::kuszmaul::radix4::windows::DELIVERS;

use super::*;
use crate::windows::symbolic::forms::J;

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
