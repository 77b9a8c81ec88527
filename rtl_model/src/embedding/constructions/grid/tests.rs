use super::*;
use crate::embedding::constructions::tests::{counted, edges, holds};

fn of_sides(sides: &[usize]) -> Ask {
    Ask {
        sides: Some(sides.to_vec()),
        ..Ask::default()
    }
}

fn of_axes(axes: usize, dimensions: usize) -> Ask {
    Ask {
        axes: Some(axes),
        dimensions: Some(dimensions),
        ..Ask::default()
    }
}

#[test]
fn tori_hold_what_is_said() {
    for axes in 1..=MOST {
        for dimensions in (axes..=MOST).step_by(axes) {
            holds(&Grid::Wide, &of_axes(axes, dimensions));
            holds(&Grid::Gray, &of_axes(axes, dimensions));
        }
    }
}

/// Steps onwards along every axis, and on from a last vertex to the first where that axis wraps.
fn expected(sides: &[usize], wraps: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
    let mut expected = Vec::new();
    for vertex in 0..sides.iter().product() {
        let mut stride = 1;
        for &side in sides {
            let x = vertex / stride % side;
            if x + 1 < side {
                expected.push([vertex, vertex + stride]);
            } else if wraps(side) {
                expected.push([vertex, vertex - x * stride]);
            }
            stride *= side;
        }
    }
    expected.sort_unstable();
    expected
}

#[test]
fn an_edge_leads_to_the_next_vertex_along_an_axis() {
    let cases: [&[usize]; 8] = [
        &[16, 16],
        &[9, 16],
        &[5, 6, 7],
        &[3, 4, 3, 4],
        &[2, 2, 2],
        &[11],
        &[20, 3],
        &[3, 20],
    ];
    for sides in cases {
        for guest in [Grid::Wide, Grid::Gray] {
            let embedding = holds(&guest, &of_sides(sides));
            let mut found = edges(&embedding);
            found.sort_unstable();
            let squared = guest == Grid::Wide && sides.contains(&20);
            let wraps = |side: usize| !squared && side.is_power_of_two();
            assert_eq!(found, expected(sides, wraps), "{sides:?}");
            assert_eq!(embedding.measures().load, 1);
        }
    }
}

/// The corollary says `k + 1`.
#[test]
fn corollary_1_has_expansion_8_of_four_axes_of_9() {
    let embedding = holds(&Grid::Wide, &of_sides(&[9, 9, 9, 9]));
    assert_eq!(embedding.host().count(), 16);
    assert_eq!(embedding.measures().expansion.to_string(), "8");
    // The paper's own example is as it says.
    let embedding = holds(&Grid::Wide, &of_sides(&[5, 5]));
    assert_eq!(embedding.measures().expansion.to_string(), "2");
}

/// Sides; dimensions, width, dilation, congestion, steps hop by hop, expansion.
#[test]
fn squared_grids_have_these_figures() {
    let cases = [
        ([8, 16], [8, 3, 9, 6, 14], "2"),
        ([16, 8], [8, 3, 9, 6, 14], "2"),
        ([4, 32], [8, 3, 9, 7, 16], "2"),
        ([5, 40], [8, 3, 9, 7, 17], "1"),
        ([4, 64], [10, 3, 9, 9, 16], "4"),
        ([3, 100], [10, 3, 9, 9, 16], "2"),
        ([16, 128], [12, 3, 9, 9, 16], "2"),
        ([2, 8], [6, 1, 3, 2, 3], "4"),
        ([2, 3], [4, 1, 3, 2, 3], "2"),
        ([11, 45], [12, 3, 9, 6, 15], "8"),
    ];
    for (sides, [dimensions, width, dilation, congestion, cost], expansion) in cases {
        let ask = of_sides(&sides);
        let embedding = holds(&Grid::Wide, &ask);
        assert_eq!(Grid::Wide.host(&ask), Ok(dimensions));
        let claim = Claim {
            width: Figure::Is(width),
            dilation: Figure::Is(dilation),
            congestion: Figure::Is(congestion),
            packets: Figure::Is(width),
            cost: Figure::Is(cost),
        };
        assert_eq!(counted(&embedding), claim, "{sides:?}");
        let measures = embedding.measures();
        assert_eq!(measures.expansion.to_string(), expansion, "{sides:?}");
    }
    assert_eq!(Grid::Gray.host(&of_sides(&[8, 16])), Ok(7));
}

#[test]
fn shorter_sides_keep_the_figures_of_their_cycles() {
    for sides in [[9, 9], [12, 9], [16, 15]] {
        let shorter = holds(&Grid::Wide, &of_sides(&sides));
        let torus = Grid::Wide.corrected(&of_axes(2, 8)).unwrap();
        assert_eq!(counted(&shorter), torus);
    }
}

#[test]
fn the_paper_counts_width_by_the_side_of_the_square() {
    let claim = |sides: &[usize]| Grid::Wide.paper(&of_sides(sides)).unwrap();
    // 4 by 64 is 16 by 16.
    assert_eq!(claim(&[4, 64]).width, Figure::Is(2));
    assert_eq!(claim(&[4, 64]).cost, Figure::Order("O(1)"));
    // 5 by 52 is more than 256.
    assert_eq!(claim(&[5, 52]).packets, Figure::Is(3));
    assert_eq!(claim(&[5, 52]).width, Figure::Is(2));
    assert_eq!(claim(&[9, 9, 9]).cost, Figure::Is(3));
}

#[test]
fn what_is_asked_for_chooses_the_host() {
    let host = |ask: &Ask| Grid::Wide.host(ask);
    assert_eq!(host(&Ask::default()), Ok(8));
    for (axes, dimensions) in [(1, 4), (3, 12), (4, 16), (5, 15), (16, 16)] {
        let ask = Ask {
            axes: Some(axes),
            ..Ask::default()
        };
        assert_eq!(host(&ask), Ok(dimensions));
    }
    let with_all = Ask {
        dimensions: Some(8),
        axes: Some(2),
        ..of_sides(&[9, 12])
    };
    assert_eq!(host(&with_all), Ok(8));
}

#[test]
fn refusals_say_what_to_choose() {
    let refusal = |ask: &Ask| Grid::Wide.embed(ask).unwrap_err().to_string();
    let cases = [
        (of_axes(3, 10), "choose 9 or 12"),
        (of_axes(4, 3), "choose 4"),
        (of_axes(3, 16), "choose 15"),
        (of_axes(2, 40), "choose 16"),
        (of_axes(17, 17), "choose 16"),
        (of_axes(0, 8), "choose 1"),
        (of_sides(&[]), "leave out axes of one vertex"),
        (of_sides(&[1, 8]), "leave out axes of one vertex"),
        (of_sides(&[60, 1000]), "with 60 choose up to 906"),
        (of_sides(&[130, 300]), "choose a side of up to 128"),
        (of_sides(&[300, 300]), "choose shorter sides"),
        (of_sides(&[9, 9, 9, 9, 9]), "choose shorter sides"),
        (of_sides(&[usize::MAX, usize::MAX]), "choose shorter sides"),
        (of_sides(&[2, usize::MAX]), "with 2 choose up to 32766"),
        (
            Ask {
                axes: Some(3),
                ..of_sides(&[8, 8])
            },
            "leave out the number of axes",
        ),
        (
            Ask {
                dimensions: Some(9),
                ..of_sides(&[8, 8])
            },
            "choose 6, or leave them out",
        ),
    ];
    for (ask, instead) in cases {
        let refusal = refusal(&ask);
        assert!(refusal.ends_with(&format!(": {instead}")), "{refusal}");
    }
    let unequal = refusal(&of_sides(&[3, 5, 9]));
    assert!(unequal.contains("only a grid of two axes is squared"));
    assert!(unequal.ends_with("or the guest gray-grid"));
    holds(&Grid::Gray, &of_sides(&[3, 5, 9]));
}
