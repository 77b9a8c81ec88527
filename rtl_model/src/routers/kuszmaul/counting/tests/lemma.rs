//! What two tracks rest on, by integers: in a pass a node never has to carry more than two messages.

/// Packs the messages of nodes that hold `counts` of them, numbered from `base` on, stage by stage.
fn pack(counts: &[usize], base: usize) {
    let m = counts.len().ilog2();
    let mut next = base;
    let mut at: Vec<Vec<usize>> = Vec::new();
    for &count in counts {
        at.push((next..next + count).collect());
        next += count;
    }
    for r in 1..=m {
        let bit = 1 << (r - 1);
        let mut after = vec![Vec::new(); counts.len()];
        for (node, messages) in at.iter().enumerate() {
            let crosses = |rank: &&usize| (**rank ^ node) & bit != 0;
            assert!(messages.iter().filter(crosses).count() <= 1);
            assert!(messages.iter().filter(|rank| !crosses(rank)).count() <= 1);
            for &rank in messages {
                after[node & !bit | rank & bit].push(rank);
            }
        }
        for messages in &after {
            assert!(messages.len() <= 2);
            if let [one, other] = messages[..] {
                assert_eq!(one.abs_diff(other), 1 << r);
            }
        }
        at = after;
    }
    for (node, messages) in at.iter().enumerate() {
        assert!(messages.iter().all(|rank| rank % counts.len() == node));
    }
}

#[test]
fn two_messages_at_a_node_differ_in_the_next_header_bit_wherever_ranks_begin() {
    for m in 0..=3u32 {
        let nodes = 1usize << m;
        for number in 0..3usize.pow(nodes as u32) {
            let counts: Vec<usize> = (0..nodes as u32)
                .map(|node| number / 3usize.pow(node) % 3)
                .collect();
            for base in 0..nodes {
                pack(&counts, base);
            }
        }
    }
}
