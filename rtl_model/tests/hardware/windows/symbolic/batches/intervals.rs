//! No interval is smaller than that of the closed form: at each, two windows of the wire that is busy longest meet.

use super::*;
use crate::windows::symbolic::forms::J;

/// The wires that are busy longest, one of each pipeline.
fn busiest() -> Vec<Wire> {
    let at_stage = |wire: Wire, r: Form, m: Form| Wire {
        sizes: wire.sizes.equal(R, r).equal(M, m),
        ..wire
    };
    let [_, spread] = of_table(&ITERATION, K * 3 - 3 + D);
    let [_, held] = of_table(&ASCENDING, K * 7 - 7 + D * 2);
    let mut wires = vec![
        at_stage(spread, number(1), K - 1),
        at_stage(held, number(1), K - 1),
    ];
    for wire in all() {
        match wire.what {
            "group" if wire.windows.contains(&LANES[0]) => wires.push(at_stage(wire, M, K - 2)),
            "packing" => wires.push(at_stage(wire, number(1), M)),
            "busiest of an end" | "a cube of one dimension" => wires.push(wire),
            _ => {}
        }
    }
    wires
}

/// Windows without gaps: two of every second bit time that take turns are one.
fn stretches(windows: &[Window]) -> Vec<Window> {
    let of = |window: &Window| match window.every {
        1 => Some(*window),
        _ => {
            let mut others = windows.iter();
            let turns = others.find(|other| other.every == 2 && other.from == window.from + 1)?;
            let ends = turns.ends;
            Some(Window {
                ends,
                every: 1,
                ..*window
            })
        }
    };
    windows.iter().filter_map(of).collect()
}

/// Of these stretches, two that belong together meet, whatever the size is: none of them is before the other. Which two depends on it.
fn some_meet(pairs: &[(Piece, Piece)], sizes: &System) -> bool {
    if sizes.has_no_solution() {
        return true;
    }
    let Some(((one, other), rest)) = pairs.split_first() else {
        return false;
    };
    let before = one.ends.map(|end| other.from - end - 1);
    let behind = other.ends.map(|end| one.from - end - 1);
    let mut apart = [before, behind].concat();
    apart.dedup();
    apart
        .iter()
        .all(|apart| some_meet(rest, &sizes.and(&[*apart])))
}

/// At every interval that is less, by however much, neighbouring batches are in each other's way on the wire that is busy longest.
fn no_interval_is_smaller(wire: &Wire) -> Shown {
    let (sizes, at) = (wire.sizes.and(&[J - 1, wire.interval - 1 - J]), wire.at);
    let next = At { begins: J, ..at };
    let windows = stretches(&wire.windows);
    for window in &windows {
        let piece = Piece::of(*window, at);
        for end in piece.ends {
            sizes.and(&[piece.from - end - 1]).refuted(&"nothing")?;
        }
    }
    let pair = |one: &Window, other: &Window| (Piece::of(*one, at), Piece::of(*other, next));
    let pairs = windows
        .iter()
        .flat_map(|one| windows.iter().map(move |other| pair(one, other)));
    match some_meet(&pairs.collect::<Vec<_>>(), &sizes) {
        true => Ok(()),
        false => Err(format!("{}: a smaller interval may do", wire.what)),
    }
}

#[test]
fn no_interval_is_smaller_than_that_of_the_closed_form() {
    let busiest = busiest();
    assert_eq!(busiest.len(), 2 + 1 + 4 + 1 + 1);
    for wire in busiest {
        assert_eq!(no_interval_is_smaller(&wire), Ok(()));
        // One more, and that of the closed form would be too small; one less, and batches are in each other's way.
        let at = |interval| Wire {
            interval,
            ..wire.clone()
        };
        assert!(no_interval_is_smaller(&at(wire.interval + 1)).is_err());
        assert!(no_wire_has_two_users(&at(wire.interval - 1)).is_err());
    }
}
