//! Closed forms of bit times, for all `k` and `D`.
//!
//! A closed form whose text has letters, numbers and `+ - *` alone is a polynomial, of a degree that its letters bound; and so is a sum
//! of linear forms over iterations. Two polynomials that agree in more places than their degree are one and the same.

use rtl_model::closed_form::evaluate;
use rtl_model::parts::windows::{Moment, moment};
use rtl_model::routers::kuszmaul::batches::Pipeline;
use rtl_model::routers::kuszmaul::batches::stage::Pipelined;
use rtl_model::routers::kuszmaul::batches::vertex_packing::VertexPacking;
use rtl_model::routers::kuszmaul::folded::Folded;
use rtl_model::routers::kuszmaul::held::sequencer::{ASCENDING, FOLDED};
use rtl_model::routers::kuszmaul::now::CROSS;
use rtl_model::routers::kuszmaul::overlapped::Overlapped;
use rtl_model::routers::kuszmaul::plain::Plain;
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::kuszmaul::radix4::dimension_groups::DimensionGroups;
use rtl_model::routers::kuszmaul::spread::Spread;
use rtl_model::routers::kuszmaul::spread::sequencer::ITERATION;
use rtl_model::routers::permutation::{Schedule, Size};
use rtl_model::routers::sorting::radix;

use super::plain::LENGTH as PLAIN_LENGTH;

/// Values of each of the two numbers that a size is made of.
const VALUES: usize = 16;

/// What a size is, of two numbers from 0: each is linear in them.
type Sizes = fn(usize, usize) -> (usize, usize);

/// Sizes above this one are all alike.
const SMALL: usize = 5;

const ALL: Sizes = |a, b| (1 + a, 1 + b);
const FROM_TWO: Sizes = |a, b| (2 + a, 1 + b);

/// A bound of the degree in both letters; nothing, if it may not be a polynomial.
fn degree(formula: &str) -> Option<usize> {
    let (mut letters, mut powers, mut before) = (0, 1, ' ');
    for letter in formula.chars() {
        match (before, letter) {
            ('^', '1'..='9') => powers *= letter as usize - '0' as usize,
            ('^', _) => return None,
            // By a number.
            ('/', letter) if !letter.is_ascii_digit() => return None,
            (_, 'k' | 'D') => letters += 1,
            (_, '0'..='9' | '+' | '-' | '*' | '/' | '(' | ')' | ' ' | '^') => {}
            _ => return None,
        }
        before = letter;
    }
    Some(letters * powers)
}

/// Conditions of a text say which size is meant by its parity, and by whether it is one of the small ones or `D` is 1.
fn is_decided_by_parity_and_small_sizes(text: &str) -> bool {
    let of_case = |text: &str| text.rsplit_once(" (").map(|(_, of)| of.to_owned());
    let conditions = text.split(';').filter_map(of_case);
    let all = conditions.flat_map(|conditions| {
        let conditions = conditions.trim().trim_end_matches(')').split(", ");
        conditions.map(str::to_owned).collect::<Vec<_>>()
    });
    all.into_iter().all(|condition| {
        let small = |of: &str| {
            let size = condition
                .strip_prefix(of)
                .and_then(|size| size.parse::<usize>().ok());
            size.is_some_and(|size| size < SMALL)
        };
        matches!(condition.as_str(), "even k" | "odd k" | "D=1" | "3<=k<=4") || small("k=")
    })
}

/// The text is a sum of linear forms, for all of these sizes.
fn is_sum(text: &str, sizes: Sizes, sum: &dyn Fn(usize, usize) -> i64) {
    assert!(is_decided_by_parity_and_small_sizes(text), "{text}");
    let mut meant = None;
    for (a, b) in (0..VALUES).flat_map(|a| (0..VALUES).map(move |b| (a, b))) {
        let (k, d) = sizes(a, b);
        let value = evaluate(text, &[("k", k as u64), ("D", d as u64)]).unwrap();
        let degree = degree(value.formula);
        assert!(degree.is_some_and(|degree| degree < VALUES), "{value:?}");
        // One case for all of them.
        assert_eq!(*meant.get_or_insert(value.text), value.text);
        assert_eq!(
            value.value.to_whole(),
            Some(sum(k, d).into()),
            "{text}: k={k} D={d}"
        );
    }
}

fn bit_times<S: Schedule>() -> &'static str {
    S::FORMS.bit_times
}

/// Of iterations of that length, and a last one that is step 1 alone.
fn of_iterations(length: Moment) -> impl Fn(usize, usize) -> i64 {
    move |k, d| {
        let lengths = (1..k).map(|m| length.value(m, d, 0));
        lengths.sum::<i64>() + CROSS.end().value(0, d, 0) + 1
    }
}

#[test]
fn bit_times_of_iterations_are_closed_forms() {
    for (text, length) in [
        (bit_times::<Plain>(), PLAIN_LENGTH),
        (bit_times::<Overlapped>(), ASCENDING.length),
        (bit_times::<Folded>(), FOLDED.length),
        (bit_times::<Spread>(), ITERATION.length),
    ] {
        is_sum(text, ALL, &of_iterations(length));
        let wrong = of_iterations(length + -1);
        let noticed = std::panic::catch_unwind(|| is_sum(text, ALL, &wrong));
        assert!(noticed.is_err(), "{text}");
    }
}

/// Which groups there are is decided by the parity of k, and by whether D is 1: so sums over them are polynomials for each of these.
const GROUPS: [Sizes; 7] = [
    |_, b| (1, 1 + b),
    |_, b| (2, 1 + b),
    |_, b| (3, 1 + b),
    |a, b| (4 + 2 * a, 1 + b),
    |a, _| (5 + 2 * a, 1),
    |a, b| (5 + 2 * a, 2 + b),
    |a, b| (6 + 2 * a, 1 + b),
];

#[test]
fn bit_times_of_groups_are_closed_forms() {
    for sizes in GROUPS {
        is_sum(bit_times::<Radix4>(), sizes, &|dimensions, payload_bits| {
            let groups = DimensionGroups::new(Size {
                dimensions,
                payload_bits,
            });
            let lengths = (0..groups.count()).map(|group| groups.bit_times(group) as i64);
            lengths.sum()
        });
    }
}

/// A batch is at stage after stage when windows say so.
fn latency<P: Pipelined>(dimensions: usize, payload_bits: usize) -> i64 {
    let size = Size {
        dimensions,
        payload_bits,
    };
    Pipeline::<P>::new(size, 1, Some(1)).latency() as i64
}

#[test]
fn latencies_and_intervals_of_batches_are_closed_forms() {
    type Batches<P> = (P, Moment);
    fn check<P: Pipelined>((_, interval): Batches<P>, all: &[Sizes]) {
        for sizes in all {
            is_sum(P::FORMS.latency, *sizes, &latency::<P>);
            is_sum(P::FORMS.interval, *sizes, &|k, d| interval.value(k, d, 0));
        }
    }
    check((Spread, moment("3m-3+D")), &[FROM_TWO]);
    check((Overlapped, moment("7m-7+2D")), &[FROM_TWO]);
    check((Spread, moment("m+D")), &GROUPS[..1]);
    check((Overlapped, moment("m+D")), &GROUPS[..1]);
    check((VertexPacking, moment("m+D")), &[ALL]);
    check((Radix4, moment("4m+2D-6")), &GROUPS[4..]);
    check((Radix4, moment("2m+2D-2")), &[|_, b| (4, 1 + b), GROUPS[2]]);
    check((Radix4, moment("D+m")), &GROUPS[..2]);
}

/// Bit times of a pass are the more of two: as many as the wires take, or as the next key does.
#[test]
fn bit_times_of_radix_sorts_are_closed_forms() {
    // D is k-2 and more, and less.
    let sizes: [Sizes; 2] = [|a, b| (3 + a, 1 + a + b), |a, b| (4 + a + b, 1 + a)];
    let max = " max(3k+D,4k-2)";
    for (sizes, (more, pass)) in sizes
        .into_iter()
        .zip(["(3k+D)", "(4k-2)"].into_iter().zip(radix::sequencer::PASS))
    {
        let until_unpacking = |passes: usize, k: usize, d: usize| {
            pass.value(k, d, 0) * (passes as i64 - 1) + radix::sequencer::LAST_PASS.value(k, d, 0)
        };
        let text = |text: &str| {
            assert!(text.contains(max));
            text.replace(max, more)
        };
        is_sum(&text(bit_times::<radix::Sort>()), sizes, &|k, d| {
            until_unpacking(k, k, d)
        });
        is_sum(
            &text(bit_times::<radix::SortAndUnpack>()),
            sizes,
            &|k, d| {
                let unpacks = rtl_model::routers::kuszmaul::packing::PACKS.of_last_stage();
                until_unpacking(k + 1, k, d) + unpacks.end().value(k, d, 0) + 1
            },
        );
    }
}
