//! Sorting: by the 0-1 principle in all ways where there are few, at random above.

use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};

use crate::reduced_hypercube::common::{drawn, full, nodes, reduced, results, small};

const FORMS: [SortForm; 2] = [SortForm::VirtualCube, SortForm::PairsOfBlocks];

fn sort(network: BlockNetwork, form: SortForm, size: (usize, usize), keys: &[Vec<u64>]) {
    let device = Sort::new(network, form, size.0, size.1).unwrap().machine();
    let found = results(&device, keys, size);
    for (machine, of_machine) in keys.chunks(nodes(network)).enumerate() {
        let mut due: Vec<u64> = of_machine.concat();
        due.sort_unstable();
        let here = machine * nodes(network)..(machine + 1) * nodes(network);
        assert_eq!(
            found[here].concat(),
            due,
            "{network:?} {form:?} {size:?} {of_machine:?}"
        );
    }
}

/// All inputs of zeros and ones, one machine beside the other.
fn all_zeros_and_ones(nodes: usize) -> Vec<Vec<u64>> {
    (0..1u64 << nodes)
        .flat_map(|input| (0..nodes).map(move |node| vec![input >> node & 1]))
        .collect()
}

#[test]
fn all_zeros_and_ones_are_sorted_so_everything_is() {
    for form in FORMS {
        sort(reduced(1, 1), form, (1, 1), &all_zeros_and_ones(8));
        sort(reduced(2, 1), form, (1, 1), &all_zeros_and_ones(16));
    }
    sort(full(3), SortForm::default(), (1, 1), &all_zeros_and_ones(8));
    sort(
        full(4),
        SortForm::default(),
        (1, 1),
        &all_zeros_and_ones(16),
    );
}

#[test]
fn keys_are_sorted_however_many_there_are_at_a_node() {
    for network in small().into_iter().chain([full(7)]) {
        for form in FORMS {
            for keys in 1..=5 {
                for (seed, width) in [(1, 2), (2, 5), (3, 16)] {
                    let drawn = drawn(nodes(network), (keys, width), seed);
                    sort(network, form, (keys, width), &drawn);
                }
            }
        }
    }
}

#[test]
fn larger_networks_sort_too() {
    for form in FORMS {
        let network = reduced(3, 3);
        sort(network, form, (1, 12), &drawn(nodes(network), (1, 12), 9));
        let network = reduced(5, 2);
        sort(network, form, (2, 9), &drawn(nodes(network), (2, 9), 9));
    }
}

#[test]
fn steps_in_numbers() {
    for (k, n, steps) in [(3, 1, 26), (2, 2, 95), (3, 2, 114)] {
        let machine = Sort::new(reduced(k, n), SortForm::VirtualCube, 1, 4);
        assert_eq!(machine.unwrap().machine().table().steps(), steps);
    }
}
