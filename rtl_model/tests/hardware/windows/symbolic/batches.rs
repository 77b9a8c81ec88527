//! Batches in a pipeline: every stage has wires of its own, and each batch uses them an interval after the one before it.

use rtl_model::parts::windows::{Iteration, Stages, Window};
use rtl_model::routers::kuszmaul::batches::extent::Extent;
use rtl_model::routers::kuszmaul::batches::stage::Pipelined;
use rtl_model::routers::kuszmaul::held::sequencer::ASCENDING;
use rtl_model::routers::kuszmaul::now::CROSS;
use rtl_model::routers::kuszmaul::packing;
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::kuszmaul::radix4::windows::{
    COUNTS, END_LANES, END_LAST, END_OF_ONE, END_OF_TWO, END_TURNS, EXCHANGES, LANES, TURNS, WHO,
};
use rtl_model::routers::kuszmaul::spread::sequencer::ITERATION;
use rtl_model::routers::permutation::Size;

use super::forms::{At, D, Form, K, M, R, Shown, System, here, number};
use super::streams::Piece;

mod intervals;

/// The windows of a wire, in one stage of the pipeline.
#[derive(Clone)]
struct Wire {
    what: &'static str,
    windows: Vec<Window>,
    /// The stages that there are: of `m` dimensions or fewer, with that number of a row's stage.
    sizes: System,
    at: At,
    /// Bit times from batch to batch.
    interval: Form,
}

/// Windows of a batch, and of others that begin earlier or later, are apart. Batches are one interval apart, or two and more: then all
/// windows of the earlier are over, as they are within two intervals.
fn no_wire_has_two_users(wire: &Wire) -> Shown {
    let Wire {
        what,
        windows,
        sizes,
        at,
        interval,
    } = wire;
    let pieces: Vec<Piece> = windows.iter().map(|one| Piece::of(*one, *at)).collect();
    for (place, one) in pieces.iter().enumerate() {
        one.begins_with(number(0), sizes, what)?;
        one.ends_by(*interval * 2 - 1, sizes, what)?;
        for other in &pieces[place + 1..] {
            one.never_meets(other, sizes, what)?;
        }
        for other in windows {
            let next = At {
                begins: *interval,
                ..*at
            };
            one.never_meets(&Piece::of(*other, next), sizes, what)?;
        }
    }
    Ok(())
}

/// Of a table whose iterations are stages, each of which leaves a dimension less.
fn of_table(table: &Iteration, interval: Form) -> [Wire; 2] {
    let windows = |stages| {
        let wires = table.wires.iter().filter(move |wire| wire.stages == stages);
        wires.map(|wire| wire.window).collect()
    };
    let sizes = System::of(&[K - 2, K - 1 - M, D - 1]);
    [
        Wire {
            what: "crossed",
            windows: windows(Stages::Crossed),
            sizes: sizes.and(&[M]),
            at: here(),
            interval,
        },
        Wire {
            what: "row",
            windows: windows(Stages::Row),
            sizes: sizes.and(&[R - 1, M - R]),
            at: here(),
            interval,
        },
    ]
}

/// The first and the second wire of a group of schedule `radix4`, and that of a stage of its row.
const GROUP: [&[(&str, Window)]; 3] = [
    &[("exchange", WHO[0]), ("exchange", TURNS[0])],
    &[
        ("exchange", WHO[1]),
        ("exchange", TURNS[0]),
        ("exchange", TURNS[1]),
    ],
    &[
        ("enumeration", COUNTS),
        ("counts", EXCHANGES),
        ("packing_lane_0", LANES[0]),
        ("packing_lane_1", LANES[1]),
    ],
];

/// The wires of its greedy end, of one dimension to four.
const ENDS: [&[&[(&str, Window)]]; 4] = [
    &[&[("exchange", END_OF_ONE[0]), ("exchange", END_OF_ONE[1])]],
    &[
        &[("exchange", WHO[0]), ("exchange", END_OF_TWO[0])],
        &[("exchange", WHO[1]), ("exchange", END_OF_TWO[1])],
    ],
    &[
        &[("exchange", WHO[0]), ("exchange", END_TURNS[0])],
        &END_SECOND,
        &[("greedy", END_LAST[0])],
    ],
    &[
        &[("exchange", WHO[0]), ("exchange", END_TURNS[0])],
        &END_SECOND,
        &[
            ("greedy_lane_0", END_LANES[0]),
            ("greedy_lane_1", END_LANES[1]),
        ],
        &[("greedy", END_LAST[1])],
    ],
];
const END_SECOND: [(&str, Window); 3] = [
    ("exchange", WHO[1]),
    ("exchange", END_TURNS[0]),
    ("exchange", END_TURNS[1]),
];

/// Of schedule `radix4`: groups of two dimensions that leave `m` and fewer, and a greedy end.
fn of_radix4() -> Vec<Wire> {
    let interval = K * 4 + D * 2 - 6;
    let windows = |of: &[(&str, Window)]| of.iter().map(|(_, window)| *window).collect();
    let rows = System::of(&[K - 5, K - 2 - M, M - 3, D - 1, R - 1, M - R]);
    let mut wires: Vec<Wire> = GROUP
        .map(|of| Wire {
            what: "group",
            windows: windows(of),
            sizes: rows.clone(),
            at: here(),
            interval,
        })
        .into();
    for (dimensions, end) in (1..).zip(ENDS) {
        // Alone, or behind groups.
        let alone = match dimensions {
            1 => D + 1,
            2 => D + 2,
            _ => D * 2 + 2 * dimensions - 2,
        };
        let at = At {
            m: number(0),
            r: number(dimensions),
            ..here()
        };
        // The second is busy longest, in a cube of one dimension the first.
        let busiest = end.len().min(2) - 1;
        let mut add = |interval, sizes: &[Form]| {
            wires.extend(end.iter().enumerate().map(|(n, of)| Wire {
                what: match n == busiest && sizes.len() == 1 {
                    true => "busiest of an end",
                    false => "end",
                },
                windows: windows(of),
                sizes: System::of(sizes),
                at,
                interval,
            }));
        };
        add(alone, &[D - 1]);
        if dimensions > 2 {
            add(interval, &[D - 1, K - 5]);
        }
    }
    wires
}

fn all() -> Vec<Wire> {
    let mut wires = of_radix4();
    wires.extend(of_table(&ITERATION, K * 3 - 3 + D));
    wires.extend(of_table(&ASCENDING, K * 7 - 7 + D * 2));
    wires.push(Wire {
        what: "a cube of one dimension",
        windows: vec![CROSS],
        sizes: System::of(&[D - 1]),
        at: At {
            m: number(0),
            ..here()
        },
        interval: D + 1,
    });
    wires.push(Wire {
        what: "packing",
        windows: vec![packing::PACKS],
        sizes: System::of(&[M - 1, R - 1, M - R, D - 1]),
        at: here(),
        interval: M + D,
    });
    wires
}

#[test]
fn no_wire_has_two_users_at_the_interval_of_the_closed_form() {
    for wire in all() {
        assert_eq!(no_wire_has_two_users(&wire), Ok(()));
    }
}

/// The stages of machines claim their wires as it is written here.
#[test]
fn stages_claim_these_wires() {
    for dimensions in 1..=64 {
        for payload_bits in [1, 2, 7, dimensions, 3 * dimensions + 1] {
            let size = Size {
                dimensions,
                payload_bits,
            };
            let lowest = <Radix4 as Pipelined>::lowest(size);
            for (stage, &lowest) in lowest.iter().enumerate() {
                let extent = Extent {
                    stage,
                    lowest,
                    size,
                };
                let left = dimensions - lowest;
                let end = ENDS
                    .get(left - 1)
                    .filter(|_| stage + 1 == lowest_of_all(size));
                let mut written: Vec<_> = (lowest..dimensions)
                    .flat_map(|dimension| {
                        let n = dimension - lowest;
                        let (of, m, r) = match end {
                            Some(end) => (end[n], 0, left),
                            None => (GROUP[n.min(2)], left - 2, (n + 1).saturating_sub(2)),
                        };
                        of.iter().map(move |(unit, window)| {
                            let window = window.stretch(m, payload_bits, r);
                            format!("{dimension} {unit} {window:?}")
                        })
                    })
                    .collect();
                let claims = <Radix4 as Pipelined>::claims(extent).into_iter();
                let mut claims: Vec<_> = claims
                    .map(|claim| format!("{} {} {:?}", claim.dimension, claim.unit, claim.window))
                    .collect();
                written.sort();
                claims.sort();
                assert_eq!(claims, written, "{extent:?}");
            }
        }
    }
}

fn lowest_of_all(size: Size) -> usize {
    <Radix4 as Pipelined>::lowest(size).len()
}
