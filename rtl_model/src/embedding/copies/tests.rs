use super::*;

const SIZES: [usize; 4] = [2, 4, 8, 16];

#[test]
fn other_numbers_of_levels_are_refused_with_the_nearest_that_work() {
    for (levels, choose) in [
        (0, "2"),
        (1, "2"),
        (3, "2 or 4"),
        (5, "4 or 8"),
        (6, "4 or 8"),
        (7, "4 or 8"),
        (12, "8 or 16"),
        (17, "16"),
        (32, "16"),
        (1 << 40, "16"),
    ] {
        assert_eq!(
            Copies::new(levels).unwrap_err().to_string(),
            format!(
                "no hypercube has as many nodes as cube-connected cycles of {levels} levels: \
                 the levels must be a power of two, 2 to 16: choose {choose}"
            )
        );
    }
}

#[test]
fn sizes() {
    for (levels, dimensions) in SIZES.into_iter().zip([3, 6, 11, 20]) {
        let copies = Copies::new(levels).unwrap();
        assert_eq!(copies.levels(), levels);
        assert_eq!(copies.copies(), levels);
        assert_eq!(copies.dimensions().count(), dimensions);
        assert_eq!(copies.dimensions().nodes(), copies.network().nodes());
    }
}

/// The table in the module's text.
#[test]
fn the_windows_of_four_copies() {
    let copies = Copies::new(4).unwrap();
    let low = ([1, 2], [0, 4, 5, 3], [2, 1, 2, 1]);
    let high = ([1, 3], [0, 4, 2, 5], [3, 1, 3, 1]);
    let table = [
        (low, [0, 1, 3, 2]),
        (low, [1, 0, 2, 3]),
        (high, [2, 3, 1, 0]),
        (high, [3, 2, 0, 1]),
    ];
    for (copy, ((window, column_window, straight), cycle)) in table.into_iter().enumerate() {
        assert_eq!(copies.window(copy), window);
        assert_eq!(copies.column_window(copy), column_window);
        for level in 0..4 {
            assert_eq!(copies.cycle(copy, level), cycle[level]);
            assert_eq!(copies.straight_dimension(copy, level), straight[level]);
            assert_eq!(copies.cross_dimension(copy, level), column_window[level]);
        }
    }
}

#[test]
fn copy_5_of_eight() {
    let copies = Copies::new(8).unwrap();
    assert_eq!(copies.window(5), [1, 3, 6]);
    assert_eq!(copies.column_window(5), [0, 8, 2, 9, 4, 5, 10, 7]);
    assert_eq!(copies.map(5, 0, 0), 66);
    assert_eq!(copies.map(5, 3, 77), 1615);
    assert_eq!(copies.map(5, 7, 255), 2037);
    assert_eq!(copies.unmap(5, 1615), (3, 77));
}

#[test]
fn the_windows_share_out_the_dimensions_and_form_a_tree() {
    for levels in SIZES {
        let copies = Copies::new(levels).unwrap();
        for copy in 0..copies.copies() {
            let window = copies.window(copy);
            let mut all = [window, copies.column_window(copy)].concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..copies.dimensions().count()));
            assert_eq!(window[0], 1);
            for pair in window.windows(2) {
                assert_eq!(pair[1] / 2, pair[0]);
            }
        }
        // Each dimension from 1 to n - 1 is in as many windows as any other of its tier.
        for dimension in 1..levels {
            let with = (0..levels).filter(|&copy| copies.window(copy).contains(&dimension));
            assert_eq!(with.count(), levels >> dimension.ilog2());
        }
    }
}

#[test]
fn copy_0_is_an_embedding_of_its_own() {
    for levels in SIZES {
        let copies = Copies::new(levels).unwrap();
        let powers: Vec<_> = (0..levels.ilog2()).map(|place| 1 << place).collect();
        assert_eq!(copies.window(0), powers);
        for level in 0..levels {
            assert_eq!(copies.cycle(0, level), gray_code::gray(level));
        }
        assert_eq!(copies.map(0, 0, 0), 0);
    }
}

#[test]
fn each_copy_takes_every_node_once_and_every_link_one_wire() {
    for levels in SIZES {
        let copies = Copies::new(levels).unwrap();
        let network = copies.network();
        for copy in 0..copies.copies() {
            let images: Vec<_> = (0..network.nodes())
                .map(|node| copies.map(copy, network.level(node), network.column(node)))
                .collect();
            let mut taken = vec![false; copies.dimensions().nodes()];
            for node in 0..network.nodes() {
                let (level, column) = (network.level(node), network.column(node));
                let on = images[node];
                assert!(!std::mem::replace(&mut taken[on], true), "{on} twice");
                assert_eq!(copies.unmap(copy, on), (level, column));
                assert_eq!(
                    images[network.straight(node)] ^ on,
                    1 << copies.straight_dimension(copy, level)
                );
                assert_eq!(
                    images[network.cross(node)] ^ on,
                    1 << copies.cross_dimension(copy, level)
                );
            }
            assert!(taken.into_iter().all(|taken| taken));
        }
    }
}

/// Every wire of every hypercube: all the copies whose links lie on it, by direction, against the
/// slots.
#[test]
fn every_wire_has_at_most_one_copy_in_a_slot() {
    for levels in SIZES {
        let copies = Copies::new(levels).unwrap();
        let dimensions = copies.dimensions().count();
        let mut owned = 0;
        // [dimension]: (copy, level) of the straight and of the cross links out of a node.
        let mut straight = vec![Vec::new(); dimensions];
        let mut cross = vec![Vec::new(); dimensions];
        for node in 0..copies.dimensions().nodes() {
            straight.iter_mut().chain(&mut cross).for_each(Vec::clear);
            for copy in 0..levels {
                let (level, _) = copies.unmap(copy, node);
                straight[copies.straight_dimension(copy, level)].push((copy, level));
                cross[copies.cross_dimension(copy, level)].push((copy, level));
            }
            // At 16 levels the scan of `owners` over every wire takes long: every 64th node has to
            // do.
            let ask = levels < 16 || node % 64 == node / 64 % 64;
            for dimension in 0..dimensions {
                let (straight, cross) = (&mut straight[dimension], &cross[dimension]);
                owned += straight.len() + cross.len();
                let slots = if dimension == 1 {
                    assert!(cross.is_empty());
                    straight.sort_by_key(|&(_, level)| level);
                    assert_eq!(straight.len(), 2);
                    let [first, second] = [straight[0], straight[1]];
                    assert_eq!([first.1, second.1], [levels / 2 - 1, levels - 1]);
                    [Some(first.0), Some(second.0)]
                } else {
                    assert!(straight.len() <= 1 && cross.len() <= 1);
                    [straight, cross].map(|slot| slot.first().map(|&(copy, _)| copy))
                };
                if ask {
                    assert_eq!(copies.owners(node, dimension), slots);
                }
            }
        }
        assert_eq!(owned, levels * copies.network().wires());
    }
}
