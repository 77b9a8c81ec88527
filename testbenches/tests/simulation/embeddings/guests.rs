//! Guests are what they are called, whoever laid them.

use std::collections::BTreeSet;

use reference_models::embeddings::guests::{Edge, Levels, are_cycles, is_complete_tree};
use rtl_model::embedding::paths::Embedding;

use crate::embeddings::case::{Case, all, laid};

fn edges(embedding: &Embedding) -> Vec<Edge> {
    (0..embedding.edges())
        .map(|edge| embedding.edge(edge).into())
        .collect()
}

/// Copies of a network with levels, each with its vertices next to each other.
fn copies(of: Levels, levels: usize, embedding: &Embedding) -> bool {
    let each = embedding.vertices() / embedding.copies();
    let edges = edges(embedding);
    (0..embedding.copies()).all(|copy| {
        let vertices: Vec<usize> = (copy * each..(copy + 1) * each).collect();
        let inside = edges.iter().filter(|edge| edge.0 / each == copy);
        let inside: Vec<Edge> = inside.copied().collect();
        inside.iter().all(|edge| edge.1 / each == copy) && of.is(levels, &vertices, &inside)
    })
}

/// Every row and every column of a hypercube, as a network with levels; and no edges beside.
fn product(of: Levels, levels: usize, embedding: &Embedding) -> bool {
    let bits = embedding.host().count() / 2;
    let edges: Vec<Edge> = edges(embedding)
        .into_iter()
        .map(|(from, to)| (embedding.place(from), embedding.place(to)))
        .collect();
    let mut seen = 0;
    let is_each = [(0, bits), (bits, 0)].into_iter().all(|(along, aside)| {
        let line = |node: usize| node >> aside & ((1 << bits) - 1);
        (0..1 << bits).all(|number| {
            let nodes = (0..1usize << bits).map(|at| at << along | number << aside);
            let inside = edges
                .iter()
                .filter(|edge| line(edge.0) == number && line(edge.1) == number);
            let inside: Vec<Edge> = inside.copied().collect();
            seen += inside.len();
            of.is(levels, &nodes.collect::<Vec<_>>(), &inside)
        })
    });
    is_each && seen == edges.len()
}

/// Whether it is what its name says; none of a name that nobody has defined here.
fn is_what_it_is_called(case: &Case, embedding: &Embedding) -> Option<bool> {
    let (vertices, edges, nodes) = (embedding.vertices(), edges(embedding), 1 << case.dims);
    let cycle = |length: usize, copies: usize| {
        vertices == length * copies
            && embedding.copies() == copies
            && are_cycles(vertices, &edges, copies)
    };
    let levels = |dims: usize| (2..=dims).find(|n| n + n.ilog2() as usize == dims);
    Some(match case.guest {
        "gray-cycle" | "cycle" => cycle(nodes, 1),
        "cycles" => cycle(nodes, case.dims / 2 * 2),
        "double-cycle" | "double-cycle-wide" => cycle(2 * nodes, 1),
        "large-cycle" => cycle(case.dims * nodes, 1),
        "ccc-copies" => {
            let levels = levels(case.dims)?;
            embedding.copies() == levels && copies(Levels::Ccc, levels, embedding)
        }
        "butterfly-copies" => {
            let levels = levels(case.dims)?;
            embedding.copies() == levels && copies(Levels::Butterfly, levels, embedding)
        }
        "ccc-product" => product(Levels::Ccc, levels(case.dims / 2)?, embedding),
        "butterfly-product" => product(Levels::Butterfly, levels(case.dims / 2)?, embedding),
        "tree" => is_complete_tree(case.dims, vertices, &edges),
        "large-ccc" => copies(Levels::Ccc, case.dims, embedding),
        "large-butterfly" => copies(Levels::Butterfly, case.dims, embedding),
        "large-fft" => copies(Levels::Fft, case.dims, embedding),
        _ => return None,
    })
}

#[test]
fn guests_are_what_they_are_called() {
    let mut known = BTreeSet::new();
    for case in all(8, 1) {
        let embedding = case.one_way();
        laid(&embedding).measures().unwrap();
        if let Some(is_it) = is_what_it_is_called(&case, &embedding) {
            assert!(is_it, "{case:?}");
            known.insert(case.guest);
        }
    }
    assert!(known.len() >= 14, "{known:?}");
}
