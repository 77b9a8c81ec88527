use super::*;
use crate::embedding::gray_code::gray;

fn copies(levels: usize) -> Copies {
    Copies::new(levels).unwrap()
}

#[test]
fn every_link_lies_on_one_wire() {
    for levels in [2, 4, 8, 16] {
        assert_eq!(dilation(&copies(levels)), 1);
    }
}

/// Theorem 3, on every wire: fewest and most.
#[test]
fn no_wire_carries_more_than_two_links() {
    for levels in [2, 4, 8, 16] {
        let congestion = Congestion::of(&copies(levels));
        for (dimension, images) in congestion.dimensions.iter().enumerate() {
            let expected = if dimension == 1 {
                // The straight links out of levels n/2 - 1 and n - 1.
                [2..=2, 0..=0, 2..=2, 4..=4]
            } else if dimension == 0 || dimension >= levels {
                [0..=0, 1..=1, 1..=1, 2..=2]
            } else {
                [1..=1, 0..=1, 1..=2, 2..=4]
            };
            let [straight, cross, total, undirected] = expected;
            assert_eq!(
                *images,
                Images {
                    straight,
                    cross,
                    total,
                    undirected
                },
                "{levels} levels, dimension {dimension}"
            );
        }

        // Two levels have no dimension but 1 with straight links, and every other wire has a cross
        // link.
        let elsewhere = congestion.except(1);
        if levels == 2 {
            assert_eq!((elsewhere.straight, elsewhere.cross), (0..=0, 1..=1));
        } else {
            assert_eq!((elsewhere.straight, elsewhere.cross), (0..=1, 0..=1));
        }
        let all = congestion.all();
        assert_eq!((all.straight, all.cross), (0..=2, 0..=1));
        assert_eq!(all.total, 1..=2);
        assert_eq!(all.undirected, 2..=4);
    }
}

/// The other reading of the windows of the level: `W(0)` as the least significant. At two levels
/// `W` has one element and nothing changes; at four two cross links share a wire; then the totals
/// grow.
#[test]
fn windows_read_least_significant_bit_first_put_more_on_a_wire() {
    for (levels, straight, cross) in [(2, 2, 1), (4, 2, 2), (8, 4, 2), (16, 8, 4)] {
        let copies = copies(levels);
        let congestion = count(
            copies.network(),
            copies.dimensions(),
            |copy, level, column| {
                let place = |value: usize, window: &[usize]| -> usize {
                    window
                        .iter()
                        .enumerate()
                        .map(|(bit, dimension)| (value >> bit & 1) << dimension)
                        .sum()
                };
                place(gray(level) ^ copy, copies.window(copy))
                    | place(column, copies.column_window(copy))
            },
        );
        let all = congestion.all();
        assert_eq!((all.straight, all.cross), (0..=straight, 0..=cross));
        assert_eq!(all.total, usize::from(levels == 2)..=straight);
        assert_eq!(*all.undirected.end(), 2 * straight);
    }
}
