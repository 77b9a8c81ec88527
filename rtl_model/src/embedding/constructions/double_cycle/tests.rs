use super::*;
use crate::embedding::constructions::tests::{assert_holds, assert_one_cycle, refusal};
use crate::embedding::phase::{Order, Phase};

const BOTH: [DoubleCycle; 2] = [DoubleCycle::InThreeSteps, DoubleCycle::Wide];

fn embedding(form: DoubleCycle, dimensions: usize) -> Embedding {
    form.embed(&Ask::of_dimensions(dimensions)).unwrap()
}

#[test]
fn every_size_takes_three_steps() {
    for dimensions in 4..=16 {
        let (measures, phase) = assert_holds(&DoubleCycle::InThreeSteps, dimensions);
        assert_eq!((measures.load, phase.steps()), (2, 3));
        // All edges' paths have three hops, and the wires of three steps are 3n a node.
        let wire_use = (2 * measures.width) as f64 / dimensions as f64;
        assert_eq!(phase.wire_use(), wire_use);
        assert_eq!(wire_use == 1.0, matches!(dimensions, 4 | 8 | 16));
    }
}

#[test]
fn every_size_has_half_as_many_paths_as_dimensions() {
    for dimensions in 4..=15 {
        let (measures, _) = assert_holds(&DoubleCycle::Wide, dimensions);
        assert_eq!((measures.load, measures.width), (2, dimensions / 2));
    }
}

#[test]
fn the_forms_are_the_same_where_the_wide_one_takes_three_steps() {
    for dimensions in 4..=16 {
        let same =
            DoubleCycle::InThreeSteps.split(dimensions) == DoubleCycle::Wide.split(dimensions);
        assert_eq!(same, matches!(dimensions, 4 | 5 | 8 | 9 | 16));
        let cost = DoubleCycle::Wide
            .corrected(&Ask::of_dimensions(dimensions))
            .unwrap()
            .cost;
        assert_eq!(cost, Figure::Is(if same { 3 } else { 4 }));
    }
    let [three_steps, wide] = BOTH.map(|form| embedding(form, 8));
    assert_eq!(three_steps, wide);
}

/// The theorem holds up to 11 dimensions and for 16. Of 12 to 15, cost 3 is for 4 paths; the wide form has the paper's cost if n
/// is 2 or 3 modulo 4.
#[test]
fn where_the_theorem_holds() {
    for dimensions in 4..=16 {
        let ask = Ask::of_dimensions(dimensions);
        let holds = BOTH.map(|form| {
            let (paper, corrected) = (form.paper(&ask).unwrap(), form.corrected(&ask).unwrap());
            (paper.width, paper.cost, paper.packets)
                == (corrected.width, corrected.cost, corrected.packets)
        });
        let expected = match dimensions {
            12 | 13 => [false, false],
            14 | 15 => [false, true],
            _ => [true, true],
        };
        assert_eq!(holds, expected, "{dimensions} dimensions");
    }
}

#[test]
fn a_greedy_phase_is_as_long() {
    for form in BOTH {
        for dimensions in 4..=12 {
            let embedding = embedding(form, dimensions);
            let steps = Order::EACH.map(|order| Phase::of(&embedding, order).steps());
            assert_eq!(steps[0], steps[1]);
        }
    }
}

#[test]
fn the_tour_leaves_every_node_once_in_its_column_and_once_in_its_row() {
    for form in BOTH {
        for dimensions in 4..=11 {
            let split = form.split(dimensions);
            let embedding = embedding(form, dimensions);
            assert_one_cycle(&embedding);
            let mut left = vec![[0; 2]; 1 << dimensions];
            for edge in 0..embedding.edges() {
                let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
                let in_row = split.row(from) == split.row(to);
                left[from][usize::from(in_row)] += 1;
            }
            assert!(left.iter().all(|&times| times == [1, 1]));
        }
    }
}

#[test]
fn detours_are_over_positions_of_the_other_half() {
    // Bits 6 and 5 are the row, 4 and 3 the position of the column, the others its block.
    let split = DoubleCycle::InThreeSteps.split(7);
    let detours = split.paths();
    assert_eq!(detours[6], [[3, 6, 3], [4, 6, 4]]);
    assert_eq!(detours[0], [[5, 0, 5], [6, 0, 6]]);
    let embedding = embedding(DoubleCycle::InThreeSteps, 7);
    for edge in 0..embedding.edges() {
        let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
        let dimension = (from ^ to).trailing_zeros() as usize;
        assert!(embedding.paths(edge).eq(detours[dimension].iter()));
    }
}

/// Lemma 3 has it that no cycle of `2^(n+1)` vertices sends more than `floor(n/2)` packets an edge in 3 steps. Its proof counts
/// the hops of detours, and an edge of one path has none: two Hamiltonian cycles, one after the other, send 3.
#[test]
fn the_second_sentence_of_lemma_3_is_false_of_four_dimensions() {
    let cycles = Decomposition::new(4).unwrap();
    let (places, dimensions) =
        crate::embedding::constructions::cycles::one_after_another(&cycles, 1);
    let mut double = Embedding::new(Dimensions::new(4).unwrap(), places[..32].to_vec());
    for (vertex, &dimension) in dimensions[..32].iter().enumerate() {
        double.add_edge([vertex, (vertex + 1) % 32], [[dimension]]);
    }
    let double = double.with_packets(3);
    assert_eq!(double.check(), Ok(()));
    assert_eq!(double.measures().load, 2);
    assert_eq!(Phase::of(&double, Order::HopByHop).steps(), 3);
    assert!(double.packets().len() > 4 / 2);
}

#[test]
fn fewer_than_four_dimensions_are_refused() {
    assert_eq!(
        refusal(&DoubleCycle::InThreeSteps, 3),
        "the guest double-cycle is not embedded in a hypercube of 3 dimensions: it is made for 4 to 16 dimensions: choose 4"
    );
    assert!(refusal(&DoubleCycle::Wide, 17).ends_with("choose 16"));
}
