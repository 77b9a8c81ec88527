//! Sorts beside the model: keys with structure, keys that are alike, and keys with the number of their node below them.

use rtl_model::routers::reduced_hypercube::network::BlockNetwork;

use crate::reduced_hypercube::host::{Words, load, read, run};
use crate::reduced_hypercube::job::{Job, Operation, SORTS, full, reduced};
use crate::reduced_hypercube::patterns::drawn;

/// Jobs on a network, in both forms.
fn jobs(network: BlockNetwork, keys: usize, bits: usize) -> Vec<Job> {
    let job = |form| Job {
        network,
        operation: Operation::Sort(form, keys),
        bits,
    };
    SORTS.map(job).to_vec()
}

/// Keys of all nodes by their numbers, `keys` of them at each.
fn numbered(nodes: usize, keys: usize, of: impl Fn(usize) -> usize) -> Words {
    let key = |node: usize, key: usize| of(node * keys + key) as u128;
    (0..nodes)
        .map(|node| (0..keys).map(|number| key(node, number)).collect())
        .collect()
}

/// The bits of a number, bit `b` of it coming from bit `from(b)`, and some of them inverted.
fn permuted(number: usize, bits: usize, inverted: usize, from: impl Fn(usize) -> usize) -> usize {
    inverted ^ (0..bits).fold(0, |word, bit| word | (number >> from(bit) & 1) << bit)
}

#[test]
fn keys_with_structure_are_sorted() {
    for network in [reduced(1, 1), reduced(2, 1), reduced(2, 2), full(5)] {
        for keys in [1, 2, 3] {
            for job in jobs(network, keys, 9) {
                let nodes = job.nodes();
                let amount = nodes * keys;
                let bits = amount.next_power_of_two().ilog2() as usize;
                let all = (1 << bits) - 1;
                let mut all_keys = Vec::new();
                let mut beside = |of: &dyn Fn(usize) -> usize| {
                    all_keys.push(numbered(nodes, keys, of));
                };
                for inverted in [0, all, 1, 1 << (bits - 1), 0x155 & all, 0xaa & all] {
                    beside(&|number| permuted(number, bits, inverted, |bit| bit));
                    beside(&|number| permuted(number, bits, inverted, |bit| bits - 1 - bit));
                    for turn in 1..bits {
                        beside(&|number| {
                            permuted(number, bits, inverted, |bit| (bit + turn) % bits)
                        });
                    }
                }
                for shift in [1, keys, nodes / 2, amount - 1] {
                    beside(&|number| (number + shift) % amount);
                }
                beside(&|_| 5);
                beside(&|number| number.min(amount - 1 - number));
                beside(&|number| number.max(amount - 1 - number));
                beside(&|number| amount - 1 - number);
                // Few keys, each of them often; and one that is alone.
                for kinds in [2, 3, keys + 1] {
                    beside(&|number| number * 7 % kinds);
                }
                for alone in [0, amount / 2, amount - 1] {
                    beside(&|number| usize::from(number == alone));
                    beside(&|number| usize::from(number != alone));
                }
                job.beside_model_of_each(&all_keys);
            }
        }
    }
}

#[test]
fn drawn_keys_are_sorted_duplicates_and_all() {
    for network in [
        reduced(1, 1),
        reduced(3, 1),
        reduced(3, 2),
        full(1),
        full(6),
    ] {
        for (keys, bits) in [(1, 1), (1, 7), (2, 2), (4, 3), (5, 70), (7, 1)] {
            for job in jobs(network, keys, bits) {
                let drawn = [0, 1].map(|seed| drawn(job.nodes(), keys, bits, seed));
                job.beside_model_of_each(&drawn);
            }
        }
    }
}

/// Whoever wants equal keys in the order of their nodes puts the number of the node below the key: the sort is not stable by
/// itself, but keys with such tags are in the order of a stable sort.
#[test]
fn tags_below_the_key_make_it_stable() {
    for network in [reduced(1, 1), reduced(2, 1), reduced(2, 2), full(4)] {
        for keys in [1, 2] {
            for job in jobs(network, keys, 12) {
                let nodes = job.nodes();
                let amount = nodes * keys;
                // Three kinds of keys; below them, the place that each comes from.
                let tagged = numbered(nodes, keys, |number| (number * 5 % 3) << 8 | number);
                let mut machine = job.device().build(1).unwrap();
                load(&mut *machine, &tagged, 12);
                run(&mut *machine);
                let found = (0..nodes).map(|node| read(&*machine, node, 12).unwrap());
                let found: Vec<usize> = found.flatten().map(|key| key as usize).collect();
                let mut stable: Vec<usize> = (0..amount).collect();
                stable.sort_by_key(|number| number * 5 % 3);
                let order: Vec<usize> = found.iter().map(|key| key & 0xff).collect();
                assert_eq!(order, stable, "{job:?}");
            }
        }
    }
}
