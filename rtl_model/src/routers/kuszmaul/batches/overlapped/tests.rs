//! When steps begin.

use super::*;
use crate::routers::kuszmaul::batches::Pipeline;

#[test]
fn steps_begin_with_the_first_wire_that_they_use() {
    for (k, payload_bits) in [(1, 3), (2, 1), (5, 2), (6, 20)] {
        let size = Size {
            dimensions: k,
            payload_bits,
        };
        let pipeline = Pipeline::<Overlapped>::new(size, 1, None);
        for &(extent, _) in &pipeline.stages {
            let steps = Overlapped::steps(extent);
            let begins: Vec<i64> = steps.iter().map(|(_, from)| *from).collect();
            assert!(begins.is_sorted());
            let claims = Overlapped::claims(extent);
            // Behind the exchange's, those of all wires, kind by kind: of each kind the earliest.
            let (exchange, of_rows) = claims.split_at(1);
            let kinds = of_rows.chunks(extent.subcube().len().max(1));
            let mut first: Vec<i64> = std::iter::once(exchange)
                .chain(kinds)
                .filter_map(|claims| claims.iter().map(|claim| claim.window.from).min())
                .collect();
            first.sort_unstable();
            assert_eq!(begins, first, "{extent:?}");
        }
    }
}
