use super::*;
use crate::embedding::constructions::{Ask, construction};
use crate::embedding::paths::Packet;
use crate::embedding::phase::Order as Goes;

/// Node 1 sends to node 0, node 0 to node 1, twice each, and node 2 to node 1 via node 0; an edge of node 3 stays there.
fn crossing() -> Embedding {
    let mut embedding = Embedding::new(Dimensions::new(2).unwrap(), vec![0, 1, 2, 3, 3]);
    embedding.add_edge([1, 0], [vec![0u8]]);
    embedding.add_edge([0, 1], [vec![0]]);
    embedding.add_edge([2, 1], [vec![1, 0]]);
    embedding.add_edge([3, 4], [vec![]]);
    embedding.with_packets(2)
}

/// Every node of a cube to its neighbour across dimension 0: directly, and round every other dimension.
fn wide(dimensions: usize) -> Embedding {
    let host = Dimensions::new(dimensions).unwrap();
    let mut embedding = Embedding::new(host, (0..host.nodes() as u32).collect());
    for node in 0..host.nodes() {
        let round = (1..dimensions as u8).map(|across| vec![across, 0, across]);
        embedding.add_edge([node, node ^ 1], [vec![0]].into_iter().chain(round));
    }
    embedding
}

/// A wide one whose direct path is taken a second time, with the last hops of the others.
fn wide_with_waits() -> Embedding {
    let mut embedding = wide(3);
    let each = (0..3).map(|path| Packet { path, wait: 0 });
    embedding.set_packets(each.chain([Packet { path: 0, wait: 2 }]));
    embedding
}

fn embeddings() -> Vec<Embedding> {
    let cycle = |dimensions| {
        let cycle = construction("gray-cycle").unwrap();
        cycle.embed(&Ask::of_dimensions(dimensions)).unwrap()
    };
    let mut embeddings = vec![crossing(), wide_with_waits(), wide(4).with_packets(9)];
    for dimensions in 1..=5 {
        embeddings.extend([1, 2, 5].map(|packets| cycle(dimensions).with_packets(packets)));
    }
    let both: Vec<Embedding> = embeddings.iter().map(Embedding::both_ways).collect();
    embeddings.extend(both);
    embeddings
}

/// By boundary, how many packets lie at each node: those of the schedule, without a plan.
fn lying(embedding: &Embedding, phase: &Phase) -> Vec<Vec<usize>> {
    let each = embedding.packets().len();
    let mut node: Vec<usize> = (0..embedding.edges() * each)
        .map(|packet| embedding.place(embedding.edge(packet / each)[0]))
        .collect();
    let count = |node: &[usize]| {
        let mut lying = vec![0; embedding.host().nodes()];
        node.iter().for_each(|&node| lying[node] += 1);
        lying
    };
    let mut boundaries = vec![count(&node)];
    for step in 0..phase.steps() as u32 {
        for hop in phase.hops().iter().filter(|hop| hop.step == step) {
            assert_eq!(node[hop.packet as usize], hop.from as usize);
            node[hop.packet as usize] ^= 1 << hop.dimension;
        }
        boundaries.push(count(&node));
    }
    boundaries
}

/// Moves packets by the codes alone, as nodes do, and looks at every cell.
fn follow(embedding: &Embedding, plan: &PhasePlan) {
    let (nodes, ports) = (plan.host().nodes(), plan.host().count());
    let mut cells: Vec<Vec<Option<usize>>> = vec![vec![None; plan.cells()]; nodes];
    for packet in 0..plan.packets() {
        let cell = &mut cells[plan.source(packet)][plan.begins(packet)];
        assert_eq!(*cell, None, "two packets begin in one cell");
        *cell = Some(packet);
    }
    let mut arrived = vec![None; plan.packets()];
    for step in 0..plan.steps() {
        let mut coming = vec![vec![None; ports]; nodes];
        let mut crossing = 0;
        for node in 0..nodes {
            for port in 0..ports {
                let Some(cell) = plan.sends(node, port, step).checked_sub(1) else {
                    continue;
                };
                // No port sends what another one sends, nor nothing.
                let packet = cells[node][cell].take();
                assert!(packet.is_some(), "node {node} sends an empty cell");
                coming[neighbour(node, port)][port] = packet;
                crossing += 1;
            }
        }
        assert_eq!(plan.crossing(step), crossing);
        for (node, packets) in coming.iter().enumerate() {
            for (port, packet) in packets.iter().enumerate() {
                let code = plan.receives(node, port, step);
                assert_eq!(code > 0, packet.is_some());
                if let Some(packet) = *packet {
                    let cell = &mut cells[node][code - 1];
                    assert_eq!(*cell, None, "node {node} fills a cell that is in use");
                    *cell = Some(packet);
                    arrived[packet] = Some(step);
                }
            }
        }
    }
    let each = embedding.packets().len();
    for packet in 0..plan.packets() {
        let [from, to] = embedding.edge(packet / each);
        assert_eq!(plan.source(packet), embedding.place(from));
        assert_eq!(plan.destination(packet), embedding.place(to));
        let cell = cells[plan.destination(packet)][plan.ends(packet)];
        assert_eq!(cell, Some(packet));
        assert_eq!(plan.arrives(packet), arrived[packet]);
        if arrived[packet].is_none() {
            assert_eq!(plan.begins(packet), plan.ends(packet));
        }
    }
}

#[test]
fn every_packet_moves_from_cell_to_cell_to_where_it_is_for() {
    for embedding in embeddings() {
        for order in Goes::EACH {
            let phase = Phase::of(&embedding, order);
            let plan = PhasePlan::of(&embedding, &phase);
            assert_eq!(plan.steps(), phase.steps());
            let edges = embedding.edges();
            assert_eq!(plan.packets(), edges * embedding.packets().len());
            follow(&embedding, &plan);
        }
    }
}

#[test]
fn a_node_has_as_many_cells_as_packets_at_the_most_and_no_more() {
    for embedding in embeddings() {
        for order in Goes::EACH {
            let phase = Phase::of(&embedding, order);
            let plan = PhasePlan::of(&embedding, &phase);
            let lying = lying(&embedding, &phase);
            let most: Vec<usize> = lying
                .iter()
                .map(|nodes| *nodes.iter().max().unwrap())
                .collect();
            assert_eq!(plan.held(), most);
            assert_eq!(plan.cells(), *most.iter().max().unwrap());
            let largest = plan.cells();
            assert!(largest >> plan.code_bits() == 0 && largest >> (plan.code_bits() - 1) != 0);
        }
    }
}

#[test]
fn a_packet_takes_the_cell_that_another_leaves() {
    let embedding = crossing();
    let plan = PhasePlan::of(&embedding, &Phase::of(&embedding, Goes::HopByHop));
    // Packets 0 and 1 are those of node 1, 2 and 3 those of node 0, 4 and 5 those that come via node 0.
    assert_eq!((plan.steps(), plan.cells()), (4, 4));
    assert_eq!(plan.held(), [2, 3, 4, 3, 4]);
    let codes = |what: &dyn Fn(usize) -> usize| -> Vec<usize> { (0..4).map(what).collect() };
    // Node 0 sends its own two, and then those of node 2, which came across port 1.
    assert_eq!(codes(&|step| plan.sends(0, 0, step)), [1, 2, 3, 4]);
    assert_eq!(codes(&|step| plan.receives(0, 0, step)), [1, 2, 0, 0]);
    assert_eq!(codes(&|step| plan.receives(0, 1, step)), [3, 4, 0, 0]);
    assert_eq!(codes(&|step| plan.receives(1, 0, step)), [1, 2, 3, 4]);
    assert_eq!(
        (plan.begins(4), plan.ends(4), plan.arrives(4)),
        (0, 2, Some(2))
    );
    // What stays at node 3 stays in its cells.
    assert_eq!(
        (plan.begins(6), plan.ends(6), plan.arrives(6)),
        (0, 0, None)
    );
    assert_eq!(
        (plan.begins(7), plan.ends(7), plan.arrives(7)),
        (1, 1, None)
    );
}

#[test]
fn words_of_a_configuration_are_its_codes() {
    for embedding in embeddings() {
        let plan = PhasePlan::of(&embedding, &Phase::of(&embedding, Goes::Greedy));
        let bits = plan.code_bits();
        let all = plan.host().count() * plan.steps() * bits;
        for node in 0..plan.host().nodes() {
            for from in (0..all).step_by(64) {
                let words = [SENDS, RECEIVES].map(|field| plan.word(field, node, from).unwrap());
                for at in from..from + 64 {
                    let (number, place) = (at / bits, at % bits);
                    let (port, step) = (number / plan.steps(), number % plan.steps());
                    let due = match at < all {
                        true => [
                            plan.sends(node, port, step),
                            plan.receives(node, port, step),
                        ],
                        false => [0, 0],
                    };
                    let bit = words.map(|word| word >> (at - from) & 1);
                    assert_eq!(bit, due.map(|code| code as u64 >> place & 1));
                }
            }
        }
        assert_eq!(plan.word(Field("cells"), 0, 0), None);
    }
}

#[test]
fn more_cells_than_a_word_has_bits_are_taken_in_order() {
    let mut free = FreeCells::new(2, 130);
    let taken: Vec<u32> = (0..130).map(|_| free.take(1)).collect();
    assert_eq!(taken, (0..130).collect::<Vec<u32>>());
    for cell in [129, 64, 3] {
        free.release(1, cell);
    }
    assert_eq!([3, 64, 129].map(|_| free.take(1)), [3, 64, 129]);
    assert_eq!(free.take(0), 0);
}
