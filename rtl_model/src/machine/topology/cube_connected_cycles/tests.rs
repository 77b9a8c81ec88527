use super::*;

fn networks(levels: std::ops::RangeInclusive<usize>) -> impl Iterator<Item = CubeConnectedCycles> {
    levels.map(|levels| CubeConnectedCycles::new(levels).unwrap())
}

/// Where a header leads, and how many hops (straight, cross) it takes: the header's bits and the links as the
/// module's text has them, without the routes.
fn replay(levels: usize, source: usize, header: &BitVec<u64>) -> (usize, usize, usize) {
    let (mut level, mut column) = (source >> levels, source % (1 << levels));
    let (mut straight, mut cross) = (0, 0);
    let mut bits = header.iter().by_vals();
    loop {
        if bits.next().unwrap() {
            column ^= 1 << level;
            cross += 1;
        }
        if bits.next().unwrap() {
            assert_eq!(bits.next(), None, "the header ends at the eject bit");
            return (level * (1 << levels) + column, straight, cross);
        }
        level = (level + 1) % levels;
        straight += 1;
    }
}

#[test]
fn the_ends_of_the_range_are_checked() {
    for levels in [0, 1, 17] {
        assert_eq!(
            CubeConnectedCycles::new(levels).unwrap_err().to_string(),
            format!("cube-connected cycles of {levels} levels are out of range: choose 2 to 16")
        );
    }
    assert_eq!(CubeConnectedCycles::new(16).unwrap().nodes(), 1 << 20);
    let network = CubeConnectedCycles::new(3).unwrap();
    assert_eq!(
        (
            network.levels(),
            network.columns(),
            network.nodes(),
            network.wires()
        ),
        (3, 8, 24, 48)
    );
}

#[test]
fn a_node_is_its_level_and_its_column() {
    for network in networks(2..=6) {
        for node in 0..network.nodes() {
            let (level, column) = (network.level(node), network.column(node));
            assert_eq!(
                (level, column),
                (node / network.columns(), node % network.columns())
            );
            assert_eq!(network.node(level, column), node);
        }
    }
}

#[test]
fn the_links_of_three_levels() {
    let network = CubeConnectedCycles::new(3).unwrap();
    let node = network.node(2, 0b011);
    assert_eq!(network.straight(node), network.node(0, 0b011));
    assert_eq!(network.straight_from(node), network.node(1, 0b011));
    assert_eq!(network.cross(node), network.node(2, 0b111));
}

#[test]
fn straight_links_form_cycles_of_all_levels_and_cross_links_pairs() {
    for network in networks(2..=6) {
        for node in 0..network.nodes() {
            assert_eq!(network.straight_from(network.straight(node)), node);
            assert_eq!(network.straight(network.straight_from(node)), node);
            assert_eq!(
                network.end(node, Direction::Straight),
                network.straight(node)
            );
            let mut end = node;
            for step in 1..=network.levels() {
                end = network.straight(end);
                assert_eq!(end == node, step == network.levels());
                assert_eq!(network.column(end), network.column(node));
            }

            let across = network.cross(node);
            assert_eq!(network.end(node, Direction::Cross), across);
            assert_eq!(network.cross(across), node);
            assert_eq!(network.level(across), network.level(node));
            assert_eq!(
                network.column(across) ^ network.column(node),
                1 << network.level(node)
            );
        }
    }
}

#[test]
fn every_route_and_header_ends_at_its_destination() {
    for network in networks(2..=6) {
        let levels = network.levels();
        let mut most = (0, 0, 0, 0, 0);
        for source in 0..network.nodes() {
            for destination in 0..network.nodes() {
                let header = network.header(source, destination);
                let (end, straight, cross) = replay(levels, source, &header);
                assert_eq!(end, destination);
                assert_eq!(header.len(), 2 * (straight + 1));

                let (mut node, mut datelines) = (source, 0);
                let mut hops = [0, 0];
                for hop in network.route(source, destination) {
                    assert_eq!((hop.from, hop.datelines), (node, datelines));
                    node = network.end(node, hop.direction);
                    match hop.direction {
                        Direction::Straight => {
                            most.2 = most.2.max(datelines);
                            datelines += usize::from(network.level(node) == 0);
                            hops[0] += 1;
                        }
                        Direction::Cross => {
                            most.3 = most.3.max(datelines);
                            hops[1] += 1;
                        }
                    }
                }
                assert_eq!(node, destination);
                assert_eq!(hops, [straight, cross]);
                most.0 = most.0.max(straight);
                most.1 = most.1.max(cross);
                most.4 = most.4.max(header.len());
            }
        }
        // The last straight hop from level l leaves level l + 2n - 3, if levels are counted on: 2n from l = 3.
        let datelines_straight = if levels < 4 { 1 } else { 2 };
        assert_eq!(
            most,
            (
                2 * levels - 2,
                levels,
                datelines_straight,
                1,
                4 * levels - 2
            ),
            "straight hops, cross hops, datelines before a straight and before a cross hop, header bits, \
             at {levels} levels"
        );
    }
}

#[test]
fn a_header_read_bit_by_bit() {
    let network = CubeConnectedCycles::new(3).unwrap();
    // From <1, 000> to <1, 001>: straight, straight over the dateline, cross, straight.
    let (source, destination) = (network.node(1, 0), network.node(1, 1));
    let header = network.header(source, destination);
    let bits: Vec<u8> = header.iter().by_vals().map(u8::from).collect();
    assert_eq!(bits, [0, 0, 0, 0, 1, 0, 0, 1]);
    let hops: Vec<_> = network
        .route(source, destination)
        .map(|hop| (hop.direction, hop.from, hop.datelines))
        .collect();
    assert_eq!(
        hops,
        [
            (Direction::Straight, network.node(1, 0), 0),
            (Direction::Straight, network.node(2, 0), 0),
            (Direction::Cross, network.node(0, 0), 1),
            (Direction::Straight, network.node(0, 1), 1),
        ]
    );
    assert_eq!(network.route(source, source).count(), 0);
    assert_eq!(network.header(source, source).len(), 2);
}
