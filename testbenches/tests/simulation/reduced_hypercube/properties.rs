//! Jobs that proptest draws and shrinks.

use proptest::prelude::*;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::reduced_hypercube::job::{
    INNER, Job, Operation, PREFIXES, REDUCTIONS, SORTS, SWITCHING, full, ones, reduced,
};

fn network() -> impl Strategy<Value = BlockNetwork> {
    prop_oneof![
        (1usize..=4).prop_map(|k| reduced(k, 1)),
        (2usize..=4).prop_map(|k| reduced(k, 2)),
        (1usize..=7).prop_map(full),
    ]
}

fn operation(nodes: usize) -> impl Strategy<Value = Operation> {
    let operator = || prop::sample::select(Operator::ALL.to_vec());
    let source = 0..nodes;
    prop_oneof![
        (
            prop::sample::select(INNER.to_vec()),
            prop::sample::select(SWITCHING.to_vec()),
            source
        )
            .prop_map(|(inner, switching, source)| Operation::Broadcast(inner, switching, source)),
        (prop::sample::select(REDUCTIONS.to_vec()), operator())
            .prop_map(|(form, operator)| Operation::Reduce(form, operator)),
        (prop::sample::select(PREFIXES.to_vec()), operator())
            .prop_map(|(form, operator)| Operation::Prefix(form, operator)),
        (prop::sample::select(SORTS.to_vec()), 1usize..=4)
            .prop_map(|(form, keys)| Operation::Sort(form, keys)),
    ]
}

/// A job, and words for it: of any bits, or of few kinds.
fn drawn() -> impl Strategy<Value = (Job, Vec<Vec<u128>>)> {
    network()
        .prop_flat_map(|network| {
            let nodes = rtl_model::machine::topology::Topology::nodes(&network);
            (Just(network), operation(nodes), 1usize..=70)
        })
        .prop_flat_map(|(network, operation, width)| {
            let needs_pairs = matches!(
                operation,
                Operation::Reduce(_, Operator::Carry) | Operation::Prefix(_, Operator::Carry)
            );
            let bits = if needs_pairs {
                width + width % 2
            } else {
                width
            };
            let job = Job {
                network,
                operation,
                bits,
            };
            let word = prop_oneof![
                any::<u128>().prop_map(move |word| word & ones(bits)),
                (0u128..4).prop_map(move |word| word & ones(bits)),
                (0u128..4).prop_map(move |word| ones(bits) - (word & ones(bits))),
            ];
            let of_node = prop::collection::vec(word, job.keys());
            (Just(job), prop::collection::vec(of_node, job.nodes()))
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_job_is_what_the_model_does((job, words) in drawn()) {
        job.beside_model(&words);
    }
}
