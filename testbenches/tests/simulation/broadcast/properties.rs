//! Broadcasts that proptest draws and shrinks. What stands among its regressions was found with a mistake that had been planted, in
//! packets of more than 64 bits.

use proptest::prelude::*;
use rtl_model::routers::ports::broadcast::Broadcast;

use crate::broadcast::common::{beside_reference, broadcast, each};

/// A broadcast in a cube of up to so many dimensions.
fn drawn(most_dimensions: usize) -> impl Strategy<Value = Broadcast> {
    let kind = prop::sample::select(each().collect::<Vec<_>>());
    (kind, 1..=most_dimensions).prop_flat_map(|(kind, n)| {
        let packets = 1..=kind.0.most_packets(n).unwrap_or(4 * n);
        let sizes = (1usize..=70, 0usize..=5);
        (0..1usize << n, packets, sizes)
            .prop_map(move |(source, packets, size)| broadcast(kind, n, source, packets, size))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_broadcast_is_what_the_reference_does(broadcast in drawn(6), seed in any::<u64>()) {
        beside_reference(broadcast, seed);
    }
}
