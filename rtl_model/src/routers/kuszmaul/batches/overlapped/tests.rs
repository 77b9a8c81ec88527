//! When steps begin.

use super::*;
use crate::routers::kuszmaul::batches::Plan;

#[test]
fn steps_begin_with_the_first_wire_that_they_use() {
    for (k, payload_bits) in [(1, 3), (2, 1), (5, 2), (6, 20)] {
        let size = Size {
            dimensions: k,
            payload_bits,
        };
        let plan = Plan::<Overlapped>::new(size, 1, None);
        for &(extent, _) in &plan.stages {
            let steps = Overlapped::steps(extent);
            let begins: Vec<i64> = steps.iter().map(|(_, from)| *from).collect();
            assert!(begins.is_sorted());
            let claims = Overlapped::claims(extent);
            // Behind the exchange's, five of each wire: first of those of one kind is the earliest.
            let (exchange, of_rows) = claims.split_at(1);
            let kinds = 0..of_rows.len().min(5);
            let earliest = kinds.map(|kind| of_rows[kind..].iter().step_by(5));
            let mut first: Vec<i64> = std::iter::once(exchange.iter().step_by(1))
                .chain(earliest)
                .filter_map(|claims| claims.map(|claim| claim.window.from).min())
                .collect();
            first.sort_unstable();
            assert_eq!(begins, first, "{extent:?}");
        }
    }
}
