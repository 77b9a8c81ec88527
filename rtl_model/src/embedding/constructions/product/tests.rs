use super::*;

#[test]
fn a_path_crosses_aside_follows_the_edge_and_crosses_back() {
    let paths = |line: Line| line.paths(3, &[0, 2]).collect::<Vec<_>>();
    assert_eq!(
        paths(Line::Row(5)),
        [[3, 0, 2, 3], [4, 0, 2, 4], [5, 0, 2, 5]]
    );
    assert_eq!(
        paths(Line::Column(5)),
        [[0, 3, 5, 0], [1, 3, 5, 1], [2, 3, 5, 2]]
    );
    assert_eq!(Line::Row(5).node(3, 1), 0b101_001);
    assert_eq!(Line::Column(5).node(3, 1), 0b001_101);
}

#[test]
fn neighbours_of_a_line_have_all_labels() {
    // As many copies as dimensions, a power of two: each once.
    for line in 0..16 {
        let mut labels: Vec<_> = (0..4).map(|bit| label(line ^ 1 << bit, 4)).collect();
        labels.sort_unstable();
        assert_eq!(labels, [0, 1, 2, 3]);
    }
    // Four copies in six dimensions: each once or twice.
    for line in 0..64 {
        for copy in 0..4 {
            let has = (0..6).filter(|&bit| label(line ^ 1 << bit, 4) == copy);
            assert!((1..=2).contains(&has.count()));
        }
    }
}

#[test]
fn every_line_is_a_copy_of_the_guest() {
    let copies = Copies::new(4).unwrap();
    let (ccc, butterfly) = (ccc_links(&copies), butterfly_links(&copies));
    let network = copies.network();
    for (links, is_butterfly) in [(ccc, false), (butterfly, true)] {
        let embedding = induced(6, &links).unwrap();
        assert_eq!(embedding.edges(), 2 * 64 * 128);
        let mut degrees = vec![[0, 0]; embedding.vertices()];
        for edge in 0..embedding.edges() {
            let [from, to] = embedding.edge(edge);
            degrees[from][0] += 1;
            degrees[to][1] += 1;
            // Which line, and which vertices of its guest.
            let (row, column) = (from >> 6, from & 63);
            let (line, ends) = match row == to >> 6 {
                true => (row, [column, to & 63]),
                false => {
                    assert_eq!(column, to & 63);
                    (column, [row, to >> 6])
                }
            };
            let [(level, column), (to_level, to_column)] =
                ends.map(|node| copies.unmap(label(line, 4), node));
            let next = (level + 1) % 4;
            let straight = (to_level, to_column) == (next, column);
            let crossed = column ^ 1 << level;
            let cross = (to_level, to_column) == (if is_butterfly { next } else { level }, crossed);
            assert!(straight || cross);
        }
        assert!(degrees.iter().all(|&degree| degree == [4, 4]));
        assert_eq!(network.nodes(), 64);
    }
}
