use super::*;
use crate::embedding::constructions::tests::{assert_holds, assert_one_cycle, refusal};
use crate::embedding::moment::{moment, moments};
use crate::embedding::phase::{Order, Phase};

#[test]
fn every_size_has_the_width_and_the_cost_that_are_said() {
    for dimensions in 2..=16 {
        let (measures, _) = assert_holds(&Cycle, dimensions);
        assert_eq!(measures.load, 1);
        assert_one_cycle(&Cycle.embed(&Ask::of_dimensions(dimensions)).unwrap());
    }
}

#[test]
fn the_theorem_holds_but_for_the_cost_of_twelve_dimensions() {
    let number = |figure| match figure {
        Figure::Is(number) => number,
        _ => panic!("{figure:?}"),
    };
    for dimensions in 2..=16 {
        let ask = Ask::of_dimensions(dimensions);
        let (paper, corrected) = (Cycle.paper(&ask).unwrap(), Cycle.corrected(&ask).unwrap());
        assert!(number(corrected.width) >= number(paper.width));
        assert!(number(corrected.packets) >= number(paper.packets));
        assert_eq!(
            number(corrected.cost) > number(paper.cost),
            dimensions == 12
        );
    }
}

#[test]
fn a_greedy_phase_is_as_long() {
    for dimensions in 2..=13 {
        let embedding = Cycle.embed(&Ask::of_dimensions(dimensions)).unwrap();
        let steps = Order::EACH.map(|order| Phase::of(&embedding, order).steps());
        assert_eq!(steps[0], steps[1]);
    }
}

#[test]
fn the_paths_of_a_column_edge_and_of_a_row_edge() {
    let embedding = Cycle.embed(&Ask::of_dimensions(5)).unwrap();
    let paths = |edge| {
        embedding
            .paths(edge)
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    // Bits 4 and 3 are the row, 2 and 1 the position, 0 the block.
    assert_eq!(paths(0), [vec![1, 3, 1], vec![2, 3, 2], vec![3]]);
    assert_eq!(paths(3), [vec![3, 0, 3], vec![4, 0, 4], vec![0]]);
    let packets = embedding.packets().iter();
    let packets: Vec<_> = packets.map(|packet| (packet.path, packet.wait)).collect();
    assert_eq!(packets, [(0, 0), (1, 0), (2, 0), (2, 2)]);
}

#[test]
fn a_column_is_left_along_the_gray_code_after_all_its_rows() {
    for dimensions in 4..=11 {
        let split = split(dimensions).unwrap();
        let embedding = Cycle.embed(&Ask::of_dimensions(dimensions)).unwrap();
        for vertex in 0..embedding.vertices() {
            let at = [vertex, (vertex + 1) % embedding.vertices()].map(|at| embedding.place(at));
            let crossed = (at[0] ^ at[1]).trailing_zeros() as usize;
            let (column, row) = (vertex >> split.rows, vertex % (1 << split.rows));
            match row == (1 << split.rows) - 1 {
                true => assert_eq!(crossed, transition(split.columns, column)),
                false => assert!(crossed >= split.columns),
            }
        }
    }
}

/// Row 0 is reached after groups of 2^(r+2) columns: of 9 dimensions, the first four columns have the same moment.
#[test]
fn groups_of_columns_close() {
    for dimensions in 4..=16 {
        let split = split(dimensions).unwrap();
        let embedding = Cycle.embed(&Ask::of_dimensions(dimensions)).unwrap();
        let row_at = |column: usize| split.row(embedding.place(column << split.rows));
        let group = 4 << (split.columns - split.detours);
        assert!(
            (0..1 << split.columns)
                .step_by(group)
                .all(|column| row_at(column) == 0)
        );
        if let 9..=11 = dimensions {
            assert_ne!(row_at(4), 0, "{dimensions} dimensions");
        }
    }
}

#[test]
fn a_walk_that_does_not_close_is_an_error() {
    let two_columns = Split {
        rows: 2,
        columns: 1,
        detours: 1,
    };
    let error = embed(two_columns).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the guest cycle is not embedded in a hypercube of 3 dimensions: the walk from node 0 through all columns ends at node 6: \
         choose 4 to 11 dimensions"
    );
}

/// As printed, 12 dimensions have 8 moments and 6 cycles, and no other split has enough cycles for 5 detours.
#[test]
fn moments_of_twelve_dimensions_name_more_cycles_than_there_are() {
    let mut of_neighbours: Vec<_> = (0..6).map(|bit| moment(6 ^ 1 << bit)).collect();
    of_neighbours.sort_unstable();
    assert_eq!(of_neighbours, [0, 1, 2, 3, 6, 7]);
    assert_eq!(split(12).unwrap().detours, 6);
    let enough = |rows: usize| rows / 2 * 2 >= moments(5);
    assert!((5..=7).all(|rows| !enough(rows)));
}

/// Width, packets and steps of a phase.
fn of_split(rows: usize, columns: usize, detours: usize) -> [usize; 3] {
    let embedding = embed(Split {
        rows,
        columns,
        detours,
    });
    let embedding = embedding.unwrap();
    assert_eq!(embedding.check(), Ok(()));
    let steps = Phase::of(&embedding, Order::HopByHop).steps();
    [embedding.width(), embedding.packets().len(), steps]
}

#[test]
fn other_splits_are_narrower_at_twelve_dimensions_and_wider_at_seven() {
    // Half as many packets as dimensions in 3 steps, as the theorem has it, but over one path fewer.
    assert_eq!(of_split(6, 6, 4), [5, 6, 3]);
    // As printed it is [3, 4, 3].
    assert_eq!(of_split(4, 3, 3), [4, 5, 3]);
}

#[test]
fn one_dimension_and_seventeen_are_refused() {
    assert_eq!(
        refusal(&Cycle, 1),
        "the guest cycle is not embedded in a hypercube of 1 dimensions: it is made for 2 to 16 dimensions: choose 2"
    );
    assert!(refusal(&Cycle, 17).ends_with("choose 16"));
    let ask = Ask {
        axes: Some(2),
        ..Ask::of_dimensions(4)
    };
    assert!(Cycle.host(&ask).is_err());
}
