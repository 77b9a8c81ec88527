//! Paths of a message are cut from the beginning: as many as it may lose, and one more. Every other message is judged as well.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use crate::embeddings::dispersal::machine::{Cut, Machine, WAYS, drawn, number, passed};

/// All sets of so many of `of` paths.
fn choices(of: usize, size: usize) -> Vec<Vec<usize>> {
    let sets = (0_usize..1 << of).filter(|set| set.count_ones() as usize == size);
    sets.map(|set| (0..of).filter(|path| set >> path & 1 == 1).collect())
        .collect()
}

/// What fails from the beginning takes exactly the shares that cross it.
fn lose(machine: &Machine, edge: usize, paths: &[usize], random: &mut ChaCha8Rng) {
    let folder = tempfile::tempdir().unwrap();
    let edges = machine.embedding.edges();
    let messages = drawn(edges, machine.message_bits, random);
    let cuts: Vec<Cut> = (paths.iter())
        .map(|path| {
            let (node, dimension) = machine.wire_of(edge, *path, random);
            (node, dimension, 0, WAYS[random.random_range(0..3)])
        })
        .collect();
    let hit = machine.hit(&cuts);
    assert_eq!(hit[edge], paths.len());
    let left = machine.run(folder.path(), &messages, &cuts, "");
    assert_eq!(
        left.lost,
        machine.beyond(&hit),
        "{} {cuts:?}",
        machine.arguments
    );
    assert_eq!(left.lost.contains(&edge), paths.len() > machine.spare());
    let survived = hit.iter().filter(|hit| (1..=machine.spare()).contains(hit));
    assert_eq!(number(&left.report, "survived"), survived.count());
    assert_eq!(
        number(&left.report, "damaged_shares"),
        hit.iter().sum::<usize>()
    );
    let most = hit.iter().copied().max().unwrap();
    assert_eq!(
        number(&left.report, "most_damaged_shares_of_a_message"),
        most
    );
    assert_eq!(passed(&left.report, "restored"), left.lost.is_empty());
    if let Some(first) = left.lost.first() {
        let ends = machine.embedding.edge(*first);
        let [from, to] = ends.map(|vertex| machine.embedding.place(vertex));
        let (sound, shares, needed) =
            (machine.shares - hit[*first], machine.shares, machine.needed);
        let detail = format!(
            "; first: message {first}, from node {from} to node {to}: {sound} of {shares} shares are sound, {needed} are needed"
        );
        let check = left.report["checks"][0]["detail"].as_str().unwrap();
        assert!(check.ends_with(&detail), "{check}: {detail}");
    }
}

/// Every message, every choice of paths, and every number of shares that are needed.
#[test]
fn of_the_cycle_in_the_smallest_host_every_message_and_choice() {
    (1..=3_usize).into_par_iter().for_each(|needed| {
        let machine = Machine::of_edges("cycle", 4, [needed, 20, 0]);
        let mut random = ChaCha8Rng::seed_from_u64(needed as u64);
        for edge in 0..machine.embedding.edges() {
            for lost in [machine.spare(), machine.spare() + 1] {
                for paths in choices(machine.shares, lost) {
                    lose(&machine, edge, &paths, &mut random);
                }
            }
        }
    });
}

#[test]
fn of_larger_guests_some_messages_and_choices() {
    let cases = [
        ("cycle", 8, 3, 40),
        ("double-cycle", 8, 2, 33),
        ("ccc-product", 6, 2, 64),
        ("grid", 8, 1, 17),
        ("tree", 6, 2, 5),
    ];
    cases
        .into_par_iter()
        .for_each(|(guest, dims, needed, bits)| {
            let machine = Machine::of_edges(guest, dims, [needed, bits, 1]);
            let mut random = ChaCha8Rng::seed_from_u64(7);
            for _ in 0..8 {
                let edge = random.random_range(0..machine.embedding.edges());
                // Where a path has no hop, nothing can be cut.
                if machine.embedding.paths(edge).any(<[u8]>::is_empty) {
                    continue;
                }
                for lost in [machine.spare(), machine.spare() + 1] {
                    let paths = rand::seq::index::sample(&mut random, machine.shares, lost);
                    lose(&machine, edge, &paths.into_vec(), &mut random);
                }
            }
        });
}

/// With one path there is one share, and none to spare.
#[test]
fn of_a_guest_with_one_path_each_message_is_lost_with_its_wire() {
    let machine = Machine::of_edges("gray-cycle", 4, [1, 9, 0]);
    assert_eq!(machine.shares, 1);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for edge in 0..machine.embedding.edges() {
        lose(&machine, edge, &[0], &mut random);
    }
}
