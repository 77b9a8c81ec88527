use super::*;

fn grids() -> impl Iterator<Item = Grid> {
    let sizes = [
        (3, 1),
        (4, 1),
        (5, 2),
        (4, 2),
        (3, 3),
        (8, 2),
        (4, 3),
        (3, 5),
    ];
    sizes.into_iter().flat_map(|(radix, dimensions)| {
        [false, true].map(|wraps| Grid::new(radix, dimensions, wraps).unwrap())
    })
}

#[test]
fn the_ends_of_the_range_are_checked() {
    let refused =
        |radix, dimensions, wraps| Grid::new(radix, dimensions, wraps).unwrap_err().to_string();
    assert_eq!(
        refused(2, 4, true),
        "a torus of radix 2 is a hypercube: choose that network, or a radix of 3 or more"
    );
    assert_eq!(
        refused(65, 1, false),
        "a mesh of radix 65 is out of range: choose 3 to 64"
    );
    for dimensions in [0, 7, usize::MAX] {
        assert_eq!(
            refused(8, dimensions, true),
            format!(
                "a torus of radix 8 and {dimensions} dimensions is out of range: choose 1 to 6 dimensions, which are up to 1048576 nodes"
            )
        );
    }
    for (radix, most) in [(3, 12), (4, 10), (8, 6), (64, 3)] {
        assert!(Grid::new(radix, most, true).is_ok());
        assert!(Grid::new(radix, most + 1, true).is_err());
    }
}

#[test]
fn links_lead_to_the_next_digit_and_back() {
    for grid in grids() {
        let mut there = 0;
        for node in 0..grid.nodes() {
            for link in 0..grid.links() {
                let (dimension, way) = grid.way(link);
                let far = grid.far(node, link);
                let step = match way {
                    Way::Plus => 1,
                    Way::Minus => grid.radix() - 1,
                };
                for other in 0..grid.dimensions() {
                    let moved = if other == dimension { step } else { 0 };
                    let expected = (grid.digit(node, other) + moved) % grid.radix();
                    assert_eq!(grid.digit(far, other), expected);
                }
                assert_eq!(grid.near(far, link), node);
                let wraps = match way {
                    Way::Plus => grid.digit(far, dimension) == 0,
                    Way::Minus => grid.digit(node, dimension) == 0,
                };
                assert_eq!(grid.is_at_end(node, link), wraps);
                assert_eq!(grid.has_link(node, link), grid.wraps() || !wraps);
                there += usize::from(grid.has_link(node, link));
            }
        }
        assert_eq!(there, grid.wires());
    }
}

#[test]
fn a_node_is_its_digits() {
    for grid in grids() {
        for node in 0..grid.nodes() {
            assert_eq!(grid.node(grid.digits(node)), node);
            let name: Vec<String> = grid.digits(node).map(|digit| digit.to_string()).collect();
            assert_eq!(grid.node_named(&name.join("_")), Some(node));
            let is_power = grid.radix().is_power_of_two();
            assert!(!is_power || grid.address(node) == node);
            assert!(grid.address(node) < 1 << grid.address_bits());
        }
    }
    let grid = Grid::new(5, 2, true).unwrap();
    assert_eq!(grid.node_named("2_3"), Some(17));
    assert_eq!(grid.address(17), 0b011_010);
    for nobody in ["5_0", "0", "0_0_0", "x_1", "_1", ""] {
        assert_eq!(grid.node_named(nobody), None, "{nobody}");
    }
}
