//! Which graphs are what they are called. A graph is its directed edges, from vertex to vertex; how vertices are numbered is
//! left to it, so a graph is looked at by walking along its edges.

use std::collections::{BTreeSet, HashSet, VecDeque};

/// A directed edge.
pub type Edge = (usize, usize);

/// The edges that leave each vertex, in their order.
fn leaving(vertices: usize, edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut leaving = vec![Vec::new(); vertices];
    for &(from, to) in edges {
        leaving[from].push(to);
    }
    leaving
}

/// Directed cycles, each through as many vertices, all of whose numbers are next to each other: as many as are asked for, and
/// together through all vertices.
pub fn are_cycles(vertices: usize, edges: &[Edge], copies: usize) -> bool {
    let leaving = leaving(vertices, edges);
    let of_copy = vertices / copies;
    leaving.iter().all(|to| to.len() == 1)
        && (0..copies).all(|copy| {
            let first = copy * of_copy;
            let mut seen = BTreeSet::new();
            let mut at = first;
            while seen.insert(at) {
                at = leaving[at][0];
            }
            at == first && seen.into_iter().eq(first..first + of_copy)
        })
}

/// How vertices of a network with levels are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// Cube-connected cycles: a cross edge stays on its level.
    Ccc,
    /// The butterfly: a cross edge leads to the next level as well, the last of which is before the first.
    Butterfly,
    /// The butterfly that is open at its ends.
    Fft,
}

impl Levels {
    /// Where straight edge and cross edge of a vertex lead, in a network of so many levels.
    fn leading(self, levels: usize, (level, column): Edge) -> Vec<Edge> {
        let (next, crossed) = ((level + 1) % levels, column ^ (1 << level));
        match self {
            Levels::Fft if next == 0 => Vec::new(),
            Levels::Ccc => vec![(next, column), (level, crossed)],
            Levels::Butterfly | Levels::Fft => vec![(next, column), (next, crossed)],
        }
    }

    /// Whether the edges are those of such a network of `n` levels of `2^n` vertices, of each vertex first the straight edge and
    /// then the cross one. A walk begins at the first vertex, which is taken for one of level 0 and column 0; what it does not
    /// come to is another part, which begins at the column that is missing.
    pub fn is(self, levels: usize, vertices: &[usize], edges: &[Edge]) -> bool {
        let columns = 1usize << levels;
        if vertices.len() != levels * columns {
            return false;
        }
        let most = vertices.iter().max().map_or(0, |most| most + 1);
        let forth = leaving(most, edges);
        let backwards: Vec<Edge> = edges.iter().map(|&(from, to)| (to, from)).collect();
        let back = leaving(most, &backwards);
        let mut labels: Vec<Option<Edge>> = vec![None; most];
        for &begin in vertices {
            // Where levels are open at their ends, nothing leads to the first one.
            if labels[begin].is_some() || self == Levels::Fft && !back[begin].is_empty() {
                continue;
            }
            let taken: HashSet<Edge> = labels.iter().flatten().copied().collect();
            let Some(column) = (0..columns).find(|column| !taken.contains(&(0, *column))) else {
                return false;
            };
            labels[begin] = Some((0, column));
            let mut next = VecDeque::from([begin]);
            while let Some(at) = next.pop_front() {
                let Some(label) = labels[at] else {
                    return false;
                };
                let leads = self.leading(levels, label);
                if forth[at].len() != leads.len() {
                    return false;
                }
                for (&to, label) in forth[at].iter().zip(leads) {
                    match labels[to].replace(label) {
                        None => next.push_back(to),
                        Some(before) if before == label => {}
                        Some(_) => return false,
                    }
                }
                for &from in &back[at] {
                    let Some(label) = self.before(levels, label, forth[from].first() == Some(&at))
                    else {
                        return false;
                    };
                    match labels[from].replace(label) {
                        None => next.push_back(from),
                        Some(before) if before == label => {}
                        Some(_) => return false,
                    }
                }
            }
        }
        let all: HashSet<Edge> = labels.iter().flatten().copied().collect();
        all.len() == vertices.len() && labels.iter().flatten().count() == vertices.len()
    }

    /// The vertex from which an edge leads here; none if there is none.
    fn before(self, levels: usize, here: Edge, is_straight: bool) -> Option<Edge> {
        let mut all = (0..levels).flat_map(|level| {
            let columns = [here.1, here.1 ^ (1 << level)];
            columns.map(|column| (level, column))
        });
        let place = usize::from(!is_straight);
        all.find(|&from| self.leading(levels, from).get(place) == Some(&here))
    }
}

/// The complete binary tree of so many levels, whose edges lead from parents to children.
pub fn is_complete_tree(levels: usize, vertices: usize, edges: &[Edge]) -> bool {
    let children = leaving(vertices, edges);
    let has_parent: HashSet<usize> = edges.iter().map(|(_, child)| *child).collect();
    let mut rank: Vec<usize> = (0..vertices)
        .filter(|vertex| !has_parent.contains(vertex))
        .collect();
    let mut seen = HashSet::new();
    for level in 0..levels {
        let is_last = level == levels - 1;
        let has_all = |vertex: &usize| children[*vertex].len() == if is_last { 0 } else { 2 };
        if rank.len() != 1 << level || !rank.iter().all(has_all) {
            return false;
        }
        seen.extend(rank.iter().copied());
        rank = rank
            .iter()
            .flat_map(|vertex| children[*vertex].clone())
            .collect();
    }
    seen.len() == vertices && vertices == (1 << levels) - 1
}
