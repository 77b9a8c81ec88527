//! Schedules whose iterations are tables: `spread`, `overlapped`, `folded`, and the passes of h-relations.

use rtl_model::parts::dimensions::RowOrder;
use rtl_model::parts::windows::{Iteration, Stages, Window};
use rtl_model::routers::kuszmaul::held::sequencer::{ASCENDING, FOLDED};
use rtl_model::routers::kuszmaul::spread::sequencer::ITERATION;

use super::forms::{At, D, Form, M, R, Shown, System, here, next, number, sizes};
use super::streams::Piece;

mod bits;

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
