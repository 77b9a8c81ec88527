//! Tables of schedules whose steps overlap: what they say of wires, and what sequencers make of them.

use std::collections::BTreeSet;

use crate::language::lines::Lines;
use crate::language::strobes::Strobes;
use crate::machine::router::Sequencer;
use crate::parts::dimensions::RowOrder;
use crate::parts::windows::{Claim, Iteration, Now, Window};
use crate::routers::kuszmaul::counting::CountingSequencer;
use crate::routers::kuszmaul::counting::strobes::CountingStrobes;
use crate::routers::kuszmaul::held::sequencer::{
    ASCENDING, EMPTIES, FOLDED, PACKS as HELD_PACKS, RETURNS, SETS, TWOS,
};
use crate::routers::kuszmaul::held::{HeldSequencer, HeldStrobes};
use crate::routers::kuszmaul::spread::sequencer::{COUNTS, ITERATION, PACKS};
use crate::routers::kuszmaul::spread::{SpreadSequencer, SpreadStrobes};
use crate::routers::kuszmaul::timeline::Timeline;
use crate::routers::permutation::Size;

/// Payloads shorter than an address, as long, and longer than all else.
fn payloads(k: usize) -> [usize; 6] {
    [1, 2, 3, k, 3 * k + 1, 7 * k]
}

/// Claims of a run of so many passes an iteration, from its beginning. A pass that another of its iteration follows is a bit time
/// shorter.
fn claims(table: &Iteration, k: usize, payload_bits: usize, passes: usize) -> Vec<Claim> {
    let (mut claims, mut begins) = (Vec::new(), 0);
    for i in 0..k {
        let m = k - 1 - i;
        for pass in 1..=passes {
            let of_pass = table.claims(i..k, payload_bits).into_iter();
            claims.extend(of_pass.map(|claim| Claim {
                window: claim.window.later(begins),
                ..claim
            }));
            begins += match m {
                0 => payload_bits as i64 + 1,
                _ => table.length.value(m, payload_bits, 0) - i64::from(pass < passes),
            };
        }
    }
    claims
}

/// Linear forms are compared in numbers, for every machine of up to 64 dimensions.
#[test]
fn no_wire_has_two_users_in_any_bit_time() {
    for k in 1..=64 {
        for payload_bits in payloads(k) {
            for (table, passes) in [
                (&ITERATION, 1),
                (&ITERATION, 3),
                (&ASCENDING, 1),
                (&FOLDED, 1),
            ] {
                let mut claims = claims(table, k, payload_bits, passes);
                claims.sort_by_key(|claim| (claim.dimension, claim.window.from));
                for pair in claims.windows(2) {
                    let [one, next] = [pair[0], pair[1]];
                    let apart = one.dimension != next.dimension || one.window.to < next.window.from;
                    assert!(apart, "k={k} D={payload_bits} {one:?} {next:?}");
                }
            }
        }
    }
}

type Driven = BTreeSet<(&'static str, usize, i64)>;

/// Who drives which wire in which bit time: (unit, dimension, bit time), by the lines of a sequencer.
fn driven<T: Strobes<bool>, Q: Sequencer<bool, Broadcast = T>>(
    mut sequencer: Q,
    lines: impl Fn(&T) -> Vec<(&'static str, &Lines<bool>)>,
) -> Driven {
    let (mut strobes, mut driven) = (T::idle(), Driven::new());
    for bit_time in 0.. {
        if sequencer.is_done() {
            break;
        }
        sequencer.broadcast(&mut strobes);
        for (unit, lines) in lines(&strobes) {
            driven.extend(
                lines
                    .iter()
                    .map(|(dimension, _)| (unit, dimension, bit_time)),
            );
        }
        sequencer.clock();
    }
    driven
}

/// The same, by a table.
fn tabled(table: &Iteration, size: Size, passes: usize) -> Driven {
    let claims = claims(table, size.dimensions, size.payload_bits, passes);
    let bit_times = claims.iter().flat_map(|claim| {
        let window = claim.window;
        (window.from..=window.to).map(|bit_time| (claim.unit, claim.dimension, bit_time))
    });
    bit_times.collect()
}

#[test]
fn sequencers_drive_the_wires_of_their_tables() {
    for dimensions in 1..=12 {
        for payload_bits in payloads(dimensions) {
            let size = Size {
                dimensions,
                payload_bits,
            };
            let spread = driven(
                SpreadSequencer::new(size),
                |strobes: &SpreadStrobes<bool>| {
                    vec![
                        ("exchange", &strobes.exchange),
                        ("enumeration", &strobes.enumerator.drive),
                        ("packing", &strobes.packer.pass),
                    ]
                },
            );
            assert_eq!(spread, tabled(&ITERATION, size, 1), "{size:?}");
            for h in 1..=3 {
                let counting = CountingSequencer::new(size, h);
                let counting = driven(counting, |strobes: &CountingStrobes<bool>| {
                    vec![
                        ("exchange", &strobes.exchange),
                        ("enumeration", &strobes.enumerator.drive),
                        ("packing", &strobes.packer.pass),
                    ]
                });
                assert_eq!(counting, tabled(&ITERATION, size, h), "{size:?} H={h}");
            }
            for (order, table) in [
                (RowOrder::Ascending, &ASCENDING),
                (RowOrder::Folded, &FOLDED),
            ] {
                let held = driven(
                    HeldSequencer::new(size, order),
                    |strobes: &HeldStrobes<bool>| {
                        vec![
                            ("exchange", &strobes.exchange),
                            ("enumeration", &strobes.enumerator.drive),
                            ("packing", &strobes.packer.pass),
                            ("circuits", &strobes.circuits.pass),
                        ]
                    },
                );
                assert_eq!(held, tabled(table, size, 1), "{size:?} {order:?}");
            }
        }
    }
}

/// Whether a stage of a table's iteration `i` is within a window in bit time `t`, in numbers: in its own iteration, or in the end of the
/// one before.
fn is_within(
    (table, size): (&Iteration, Size),
    (i, t): (usize, i64),
    window: Window,
    stage: impl Fn(usize) -> Option<usize>,
) -> bool {
    let stretch = |i: usize| {
        let m = size.dimensions - 1 - i;
        stage(i).map(|r| window.stretch(m, size.payload_bits, r))
    };
    let contains = |i, t| stretch(i).is_some_and(|stretch| stretch.contains(t));
    let m = size.dimensions - 1 - i;
    let length = |m| table.length.value(m, size.payload_bits, 0);
    (m > 0 && contains(i, t)) || (i > 0 && contains(i - 1, t + length(m + 1)))
}

/// Comparisons of counters against windows in numbers, in every bit time of all small machines: what goes on in the next iteration, and
/// what has ended for good.
#[test]
fn counters_are_within_windows_as_numbers_are() {
    let sums = [EMPTIES, TWOS, COUNTS].map(|window| window.longer(1));
    let held = [EMPTIES, TWOS, SETS, HELD_PACKS, RETURNS, sums[0], sums[1]];
    let tables = [
        (&ITERATION, &[COUNTS, PACKS, sums[2]][..]),
        (&ASCENDING, &held[..]),
        (&FOLDED, &held[..]),
    ];
    for (table, windows) in tables {
        for (dimensions, payload_bits) in (2..=7).flat_map(|k| payloads(k).map(|d| (k, d))) {
            let size = Size {
                dimensions,
                payload_bits,
            };
            let row = |i: usize| table.order.row(i + 1..dimensions);
            let mut timeline = Timeline::<bool>::new(size, table);
            while !timeline.is_done() {
                let position = timeline.position(0);
                let (i, t) = (position.iteration as usize, i64::from(position.bit_time));
                let now = timeline.now();
                let at = |window, stage: &dyn Fn(usize) -> Option<usize>| {
                    is_within((table, size), (i, t), window, stage)
                };
                for window in windows
                    .iter()
                    .flat_map(|window| [*window, window.begins(-1)])
                {
                    let what = format!("{size:?} {:?} i={i} t={t} {window:?}", table.order);
                    let last = window.of_last_stage();
                    assert_eq!(now.within(last), at(last, &|_| Some(0)), "{what}");
                    for dimension in i + 1..dimensions {
                        let stage = |i: usize| row(i).iter().position(|one| *one == dimension);
                        let number = |i: usize| stage(i).map(|place| place + 1);
                        assert_eq!(
                            now.within_at(dimension, window),
                            at(window, &number),
                            "{what}"
                        );
                        let first = |i: usize| number(i).filter(|r| *r == 1);
                        assert_eq!(
                            now.within_first(dimension, window),
                            at(window, &first),
                            "{what}"
                        );
                        let ends = |i: usize| number(i).filter(|r| *r == row(i).len());
                        assert_eq!(
                            now.within_last(dimension, window),
                            at(window, &ends),
                            "{what}"
                        );
                    }
                }
                timeline.clock();
            }
        }
    }
}
