use super::*;
use crate::embedding::constructions::construction::{Ask, Construction};
use crate::embedding::constructions::cycle::Cycle;
use crate::machine::topology::hypercube::Dimensions;

/// Of many grids whose sides take different numbers of dimensions, those that need a square of up to 64.
fn squarings() -> Vec<Squaring> {
    let sides =
        (2..=30usize).flat_map(|lanes| (lanes + 1..=90usize).map(move |length| (lanes, length)));
    sides
        .filter(|(lanes, length)| lanes.next_power_of_two() < length.next_power_of_two())
        .filter_map(|(lanes, length)| Squaring::new(lanes, length, 6))
        .collect()
}

fn distance([one, other]: [Cell; 2]) -> usize {
    one[0].abs_diff(other[0]) + one[1].abs_diff(other[1])
}

#[test]
fn lanes_wind_through_the_square_and_neighbours_are_three_apart_at_the_most() {
    let all = squarings();
    assert!(all.len() > 1000);
    for squaring in all {
        let lanes: Vec<_> = (0..squaring.lanes)
            .map(|lane| squaring.cells(lane))
            .collect();
        let mut cells: Vec<Cell> = lanes.concat();
        assert_eq!(
            cells.len(),
            squaring.lanes * squaring.length,
            "{squaring:?}"
        );
        assert!(cells.iter().flatten().all(|&at| at < 1 << squaring.bits));
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), squaring.lanes * squaring.length);
        for lane in &lanes {
            assert_eq!(lane.len(), squaring.length);
            assert!(
                lane.windows(2)
                    .all(|pair| distance([pair[0], pair[1]]) == 1)
            );
        }
        for pair in lanes.windows(2) {
            let apart = pair[0]
                .iter()
                .zip(&pair[1])
                .map(|(&a, &b)| distance([a, b]));
            assert!(apart.max().unwrap() <= 3, "{squaring:?}");
        }
    }
}

#[test]
fn a_lane_of_four_turns_around_the_others() {
    let squaring = Squaring::new(2, 8, 8).unwrap();
    assert_eq!(squaring.bits(), 3);
    assert_eq!(
        squaring.cells(0),
        [
            [0, 2],
            [0, 3],
            [0, 4],
            [0, 5],
            [0, 6],
            [0, 7],
            [1, 7],
            [2, 7]
        ]
    );
    assert_eq!(
        squaring.cells(1),
        [
            [1, 0],
            [1, 1],
            [1, 2],
            [1, 3],
            [1, 4],
            [1, 5],
            [1, 6],
            [2, 6]
        ]
    );
}

/// The corollary's side is that of the square of as many cells, rounded up to a power of two.
#[test]
fn a_side_is_at_the_most_twice_that_of_the_corollary() {
    let mut twice = 0;
    for squaring in squarings() {
        let cells = squaring.lanes * squaring.length;
        let smallest = (0..).find(|bits| 1 << (2 * bits) >= cells).unwrap();
        assert!(
            (smallest..=smallest + 1).contains(&squaring.bits),
            "{squaring:?}"
        );
        twice += usize::from(squaring.bits > smallest);
    }
    assert!(twice > 0);
    assert_eq!(Squaring::longest(4, 4), Some(58));
    assert_eq!(Squaring::new(4, 58, 8).unwrap().bits(), 4);
    assert_eq!(Squaring::new(4, 59, 8).unwrap().bits(), 5);
    assert_eq!(Squaring::longest(9, 4), None);
    assert_eq!(Squaring::new(4, 59, 4), None);
}

#[test]
fn loops_are_left_out() {
    assert_eq!(without_loops(5, &[0, 1, 0, 0, 2, 0]), [0, 1, 2, 0]);
    assert_eq!(without_loops(5, &[0, 1, 0, 1, 3]), [3]);
    assert_eq!(without_loops(5, &[]), []);
}

#[test]
fn paths_apart_share_no_wire() {
    let host = Dimensions::new(6).unwrap();
    for to in 1..64 {
        let mut embedding = Embedding::new(host, vec![21, 21 ^ to]);
        let paths = apart(host, [21, 21 ^ to as usize], 6);
        assert_eq!(paths.len(), 6);
        assert!(!share_a_wire(21, &paths));
        embedding.add_edge([0, 1], paths);
        assert_eq!(embedding.check(), Ok(()));
        assert!(embedding.measures().dilation <= to.count_ones() as usize + 2);
    }
    assert!(share_a_wire(0, &[vec![0, 1], vec![1, 0], vec![0, 2]]));
}

/// Few edges need them, and some do: paths by concatenation alone are not always edge-disjoint.
#[test]
fn some_edges_take_paths_apart() {
    let sides = [8, 16];
    let squaring = Squaring::new(sides[0], sides[1], 8).unwrap();
    let cycle = Cycle.embed(&Ask::of_dimensions(squaring.bits())).unwrap();
    let host = Dimensions::new(2 * squaring.bits()).unwrap();
    let square = Square {
        cycle: &cycle,
        host,
    };
    let lanes: Vec<_> = (0..sides[0]).map(|lane| squaring.cells(lane)).collect();
    let (mut all, mut sharing) = (0, 0);
    for pair in lanes.windows(2) {
        for (&from, &to) in pair[0].iter().zip(&pair[1]) {
            let walk = |path| without_loops(square.node(from), &square.walk(path, from, to));
            let composed: Vec<_> = (0..cycle.width()).map(walk).collect();
            all += 1;
            sharing += usize::from(share_a_wire(square.node(from), &composed));
        }
    }
    assert_eq!((sharing, all), (8, 7 * 16));
}
