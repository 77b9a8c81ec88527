//! Cases that proptest draws and shrinks.

use proptest::prelude::*;
use rtl_model::embedding::constructions::CONSTRUCTIONS;
use rtl_model::embedding::phase::Order;

use crate::embeddings::case::Case;
use crate::embeddings::exhaustive::beside_reference;

fn case() -> impl Strategy<Value = Case> {
    let guests: Vec<&'static str> = CONSTRUCTIONS.iter().map(|one| one.name()).collect();
    let there = (prop::sample::select(guests), 1usize..=8)
        .prop_map(|(guest, dims)| Case::new(guest, dims, 1))
        .prop_filter("there is no such host", Case::is_there);
    let packets = prop::option::of(1usize..=9);
    let rest = (
        any::<bool>(),
        any::<bool>(),
        packets,
        1usize..=70,
        0usize..=3,
    );
    (there, rest).prop_map(
        |(case, (is_greedy, both_ways, packets, bits, start_up))| Case {
            order: Order::EACH[usize::from(is_greedy)],
            both_ways,
            packets,
            bits,
            start_up,
            ..case
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn any_phase_is_what_the_reference_carries(case in case()) {
        beside_reference(&case, case.dims < 7);
    }
}
