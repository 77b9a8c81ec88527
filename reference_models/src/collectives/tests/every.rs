//! What holds for every algorithm.

use super::*;

/// Every algorithm that there is in so many dimensions.
fn all_algorithms(dims: usize) -> Vec<Algorithm> {
    let mut all = vec![
        Algorithm::OcSend1,
        Algorithm::OcSend2,
        Algorithm::OcSend3,
        Algorithm::OcSend4 { groups: 2 },
        Algorithm::ArbitrarySend1 {
            distance: 2,
            groups: 2,
        },
        Algorithm::ArbitrarySend3 {
            distance: 1,
            groups: 2,
            outer_groups: 3,
        },
        Algorithm::XocSend1 { distance: 1 },
        Algorithm::XocSend2 {
            distance: 1,
            groups: 3,
        },
        Algorithm::CompleteBroadcast,
        Algorithm::Inversion,
        Algorithm::CompleteExchange,
        Algorithm::PermutedSend {
            permutation: rotation(1 << dims),
        },
        Algorithm::Histogram { value_bits: 1 },
    ];
    if dims.is_multiple_of(2) {
        all.push(Algorithm::TransposeBySubmatrices { sends: 4 });
    }
    let mut scatters = vec![Scatter::Distribute1, Scatter::Distribute2];
    for tree in [Tree::Binomial, Tree::Balanced, Tree::TwoRooted] {
        scatters.extend([
            Scatter::Packets {
                tree,
                packet_bits: 96,
            },
            Scatter::Levels(tree),
            Scatter::OneShot(tree),
            Scatter::Subtrees(tree),
        ]);
    }
    all.extend(scatters.iter().copied().map(Algorithm::Scatter));
    all.extend(scatters.into_iter().map(Algorithm::Gather));
    all
}

#[test]
fn no_packet_can_be_left_out_or_sent_on_at_once() {
    for dims in 2..=4 {
        for algorithm in all_algorithms(dims) {
            let run = collective(algorithm.clone(), dims, 192, 1);
            let sends = run.sends();
            let task = run.task();
            check(&task, &sends).unwrap();
            for index in 0..sends.len() {
                let mut fewer = sends.clone();
                let gone = fewer.remove(index);
                assert!(check(&task, &fewer).is_err(), "{algorithm}: {gone:?}");
                let mut early = sends.clone();
                early[index].begin = 0;
                let moved = sends[index].begin > 0;
                let own = sends[index].items.iter().all(|run| {
                    matches!(run.message, Message::Personal { source, .. }
                        if source == sends[index].from)
                });
                if moved && !own {
                    let found = check(&task, &early);
                    assert!(found.is_err(), "{algorithm}: {gone:?}");
                }
            }
        }
    }
}

#[test]
fn names_are_as_in_the_papers() {
    let names: Vec<String> = all_algorithms(4).iter().map(ToString::to_string).collect();
    let scatters = "distribute-1 distribute-2 sbt sbt-levels sbt-one-shot sbt-halving \
        bst bst-levels bst-one-shot bst-subtrees tcbt tcbt-levels tcbt-one-shot tcbt-subtrees";
    let gathers = scatters
        .replace(' ', " gather-")
        .replace("distribute-1", "collect");
    let others = "oc-send-1 oc-send-2 oc-send-3 oc-send-4 arbitrary-send-1 arbitrary-send-3 \
        xoc-send-1 xoc-send-2 complete-broadcast inversion complete-exchange permuted-send \
        histogram transpose-by-submatrices";
    assert_eq!(names.join(" "), format!("{others} {scatters} {gathers}"));
}
