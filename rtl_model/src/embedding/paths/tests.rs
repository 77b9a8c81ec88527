use super::*;

/// An edge from node 0 to node 1 of a cube, over three paths.
fn wide_edge() -> Embedding {
    let mut embedding = Embedding::new(Dimensions::new(3).unwrap(), vec![0, 1]);
    embedding.add_edge([0, 1], [&[1, 0, 1][..], &[2, 0, 2], &[0]]);
    embedding
}

#[test]
fn a_wide_edge_is_measured_from_its_paths() {
    let embedding = wide_edge();
    assert_eq!(embedding.check(), Ok(()));
    let measures = embedding.measures();
    let expected = Measures {
        width: 3,
        dilation: 3,
        congestion: 1,
        load: 1,
        expansion: Fraction::new(8, 2),
    };
    assert_eq!(measures, expected);
    assert_eq!(embedding.packets().len(), 3);
}

#[test]
fn both_ways_is_every_path_backwards() {
    let both = wide_edge().both_ways();
    assert_eq!(both.edges(), 2);
    assert_eq!(both.edge(1), [1, 0]);
    assert_eq!(both.path(1, 1), [2, 0, 2]);
    assert_eq!(both.check(), Ok(()));
    // Over the wires of dimensions 1 and 2 the first hops of one go, and the last ones of the other come on another wire.
    assert_eq!(both.measures().congestion, 1);
}

#[test]
fn packets_are_added_by_turns() {
    let paths = |count| {
        let embedding = wide_edge().with_packets(count);
        let packets = embedding.packets().iter();
        packets.map(|packet| packet.path).collect::<Vec<_>>()
    };
    assert_eq!(paths(2), [0, 1]);
    assert_eq!(paths(5), [0, 1, 2, 0, 1]);
}

#[test]
fn flaws_are_found_and_named() {
    let mut embedding = wide_edge();
    embedding.add_edge([1, 0], [&[0][..], &[1, 0, 1], &[2, 0]]);
    let flaw = embedding.check().unwrap_err();
    assert_eq!(
        flaw.to_string(),
        "path 2 of guest edge 1 ends at node 4, and its vertex lies on node 0"
    );
    let mut embedding = wide_edge();
    embedding.add_edge([1, 0], [&[0][..], &[1, 0, 1], &[1, 0, 1]]);
    let flaw = embedding.check().unwrap_err();
    assert_eq!(
        flaw.to_string(),
        "paths of guest edge 1 share the wire from node 1 across dimension 1"
    );
    let mut embedding = wide_edge();
    embedding.add_edge([1, 0], [[0]]);
    let flaw = embedding.check().unwrap_err();
    assert_eq!(
        flaw.to_string(),
        "guest edge 1 has 1 paths, and edge 0 has 3"
    );
}

#[test]
fn load_and_expansion_of_copies_are_those_of_one() {
    let host = Dimensions::new(2).unwrap();
    let embedding = Embedding::new(host, vec![0, 1, 2, 0, 1, 2]).with_copies(2);
    let measures = embedding.measures();
    assert_eq!(
        (measures.load, measures.expansion),
        (1, Fraction::new(1, 1))
    );
}
