//! The closed forms of collective operations, in letters of their own.

use rtl_model::machine::device::Device;
use rtl_model::machine::router::ClosedForm;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use rtl_model::routers::reduced_hypercube::broadcast::tree_program;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::collective::{Collective, CollectiveMachine};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};

use crate::closed_forms::formula;

/// Sizes of networks: with their `k` and `n`, or their `K`.
fn networks() -> Vec<(BlockNetwork, Vec<(&'static str, f64)>)> {
    let reduced = |k: usize, n: usize| {
        let network = ReducedHypercube::new(k, n).unwrap();
        let letters = vec![("k", k as f64), ("n", n as f64)];
        (BlockNetwork::Reduced(network), letters)
    };
    let full = |k: usize| {
        let cube = Dimensions::new(k).unwrap();
        (BlockNetwork::Full(cube), vec![("K", k as f64)])
    };
    let blocks = (1..=4).flat_map(|n| (n..n + 6).map(move |k| (k, n)));
    blocks
        .map(|(k, n)| reduced(k, n))
        .chain((1..=20).map(full))
        .collect()
}

fn text_is_value(form: &ClosedForm, letters: &[(&str, f64)]) {
    let found = formula::value(form.text, letters);
    assert_eq!(
        found,
        Some(form.value as f64),
        "{} at {letters:?}",
        form.text
    );
}

fn texts_are_values<C: Collective>(machine: &CollectiveMachine<C>, mut letters: Vec<(&str, f64)>) {
    let collective = machine.collective();
    text_is_value(&collective.steps(), &letters);
    letters.push(("S", collective.steps().value as f64));
    text_is_value(&collective.bit_times(), &letters);
    text_is_value(&collective.storage_bits(), &letters);
}

#[test]
fn what_is_printed_of_words_is_what_is_asserted() {
    for (network, letters) in networks() {
        for w in [1, 2, 16, 33] {
            let with =
                |more: &[(&'static str, f64)]| [&letters[..], &[("w", w as f64)], more].concat();
            for operator in Operator::ALL.into_iter().filter(|one| one.takes_width(w)) {
                for form in [ReductionForm::Printed, ReductionForm::Short] {
                    let reduction = Reduction::new(network, form, operator, w).unwrap();
                    texts_are_values(&reduction.machine(), with(&[]));
                }
                for form in [PrefixForm::Printed, PrefixForm::Short, PrefixForm::InPlace] {
                    let prefix = Prefix::new(network, form, operator, w).unwrap();
                    texts_are_values(&prefix.machine(), with(&[]));
                }
            }
            for (keys, form) in (1..=4).flat_map(|keys| {
                [SortForm::VirtualCube, SortForm::PairsOfBlocks].map(|form| (keys, form))
            }) {
                let sort = Sort::new(network, form, keys, w).unwrap();
                texts_are_values(&sort.machine(), with(&[("p", keys as f64)]));
            }
        }
    }
}

/// `S_n`, `E_n`, the bit times `T` of the trees and their register bits `R` have no formula: they are counted.
#[test]
fn what_is_printed_of_broadcasts_is_what_is_asserted() {
    let counted = [[5.0, 5.0], [12.0, 12.0], [32.0, 28.0], [76.0, 63.0]];
    for (network, letters) in networks() {
        for inner in [Inner::DoubleRooted, Inner::ECube] {
            for switching in [Switching::StoreAndForward, Switching::CutThrough] {
                for m in [1, 64, 100] {
                    let broadcast = Broadcast::new(network, (inner, switching), 0, m).unwrap();
                    let n = letters.iter().find(|(letter, _)| *letter == "n");
                    let [s_n, e_n] = n.map_or([0.0; 2], |(_, n)| counted[*n as usize - 1]);
                    let times = broadcast.times();
                    let ports = [times.ports.blocks, times.ports.low, times.ports.inner];
                    let relations: usize = ports.into_iter().map(tree_program::storage_bits).sum();
                    let own = [
                        ("S_n", s_n),
                        ("E_n", e_n),
                        ("T", times.set_up() as f64),
                        ("M", m as f64),
                        ("R", relations as f64),
                    ];
                    let letters = [&own[..], &letters].concat();
                    text_is_value(&broadcast.steps(), &letters);
                    text_is_value(&Device::bit_times(&broadcast), &letters);
                    text_is_value(&Device::storage_bits(&broadcast), &letters);
                }
            }
        }
    }
}
