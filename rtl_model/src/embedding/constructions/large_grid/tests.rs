use super::*;
use crate::embedding::constructions::tests::{edges, holds};

#[test]
fn it_holds_what_is_said() {
    for dimensions in HOSTS {
        let ask = Ask::of_dimensions(dimensions);
        let embedding = holds(&LargeGrid, &ask);
        let bits = dimensions / 2;
        assert_eq!(embedding.measures().load, bits * bits);
    }
}

#[test]
fn it_is_a_torus() {
    let embedding = LargeGrid.embed(&Ask::of_dimensions(8)).unwrap();
    assert_eq!(embedding.vertices(), 64 * 64);
    let mut found = edges(&embedding);
    found.sort_unstable();
    let mut expected = Vec::new();
    for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
        expected.push([x + 64 * y, (x + 1) % 64 + 64 * y]);
        expected.push([x + 64 * y, x + 64 * ((y + 1) % 64)]);
    }
    expected.sort_unstable();
    assert_eq!(found, expected);
}
