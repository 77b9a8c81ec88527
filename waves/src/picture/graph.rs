//! Where the nodes of a small network stand when it is drawn as a graph.
//!
//! ```text
//!   hypercube            names "level_column"       others
//!      5---7  each
//!     /|  /|  dimension      0_0  0_1  0_2           .  .
//!    4---6 |  is a                                 .      .
//!    | 1-|-3  direction      1_0  1_1  1_2           .  .
//!    |/  |/
//!    0---2                                          of few columns and many rows each row is a cube
//! ```
//!
//! Names of more numbers, the digits of a torus or mesh, make sheets of rows and columns.

use std::collections::BTreeSet;

use serde::Serialize;

use super::MOST_GRAPH_NODES;
use super::run::{Route, Run, Wire};

/// Nodes at places, in units of the shortest edge, and the links between them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graph {
    /// Right and down, by number of the node.
    pub places: Vec<[f64; 2]>,
    /// Two nodes, and how much the edge is bent so that it passes beside other nodes: 0 where it is straight.
    pub edges: Vec<(u32, u32, f64)>,
}

/// Where each dimension leads. Three make a cube, three more carry it farther than it is wide; they slant a little, and by
/// different angles, so that no edge goes through a node that is not its end.
const DIRECTIONS: [[f64; 2]; 6] = [
    [0.74, -0.09],
    [0.12, 1.33],
    [0.33, -0.64],
    [3.79, 0.3],
    [-0.08, 3.76],
    [2.0, -0.86],
];
/// The same with more dimensions: blocks of a cube each, in rows and columns; edges then go round blocks.
const DIRECTIONS_OF_BLOCKS: [[f64; 2]; 7] = [
    [0.74, -0.09],
    [0.12, 1.33],
    [0.33, -0.64],
    [2.2, 0.12],
    [-0.06, 3.0],
    [4.4, 0.24],
    [-0.12, 6.0],
];
/// A node is so near to an edge that one would think the edge ends there.
const TOO_NEAR: f64 = 0.13;
/// So many columns stand as far from each other as nodes do elsewhere.
const FEW_COLUMNS: f64 = 8.0;
/// Columns do not stand closer.
const CLOSEST: f64 = 0.6;
/// So many times as wide as high, where it can be had.
const WIDER: f64 = 1.2;
/// Rows do not stand farther from each other.
const FARTHEST: f64 = 2.0;
/// Of so many times as many rows as columns each is a block of its own.
const MANY_ROWS: usize = 2;
/// How far from each other such blocks are.
const BLOCK: [f64; 2] = [1.9, 2.4];
/// Nodes round a circle.
const MOST_ON_CIRCLE: usize = 32;
/// How far from its straight line an edge goes that would touch a node, as a share of its length.
const BEND: f64 = 0.16;

impl Graph {
    /// Of the run's network, if it is small enough: a hypercube with all its edges, any other with its wires, or, where they
    /// are not known, those that a message crossed.
    pub fn of(run: &Run) -> Option<Graph> {
        let nodes = run.nodes.len();
        if nodes > MOST_GRAPH_NODES {
            return None;
        }
        let (places, edges) = match run.dimensions {
            Some(dimensions) => hypercube(dimensions),
            None => {
                let places = grid(run).or_else(|| part_of_a_cube(run));
                let places = places.or_else(|| sheets(run));
                let places = places.unwrap_or_else(|| without_names(nodes));
                (places, edges(run))
            }
        };
        let edges = edges
            .into_iter()
            .map(|(from, to)| (from, to, bend(&places, from, to)))
            .collect();
        Some(Graph { places, edges })
    }
}

type Places = Vec<[f64; 2]>;
type Edges = BTreeSet<(u32, u32)>;

fn hypercube(dimensions: u32) -> (Places, Edges) {
    let nodes = 0..1u32 << dimensions;
    let edges = nodes.flat_map(|node| {
        let across = (0..dimensions).map(move |dimension| (node, node ^ 1 << dimension));
        across.filter(|(from, to)| from < to)
    });
    (corners(dimensions), edges.collect())
}

/// The corners of a hypercube.
fn corners(dimensions: u32) -> Places {
    let directions = match dimensions as usize <= DIRECTIONS.len() {
        true => &DIRECTIONS[..],
        false => &DIRECTIONS_OF_BLOCKS[..],
    };
    let places = (0..1u32 << dimensions).map(|node| {
        let ahead = (0..dimensions).filter(|dimension| node >> dimension & 1 == 1);
        ahead.fold([0.0, 0.0], |[x, y], dimension| {
            let [right, down] = directions[dimension as usize % directions.len()];
            [x + right, y + down]
        })
    });
    places.collect()
}

/// The corners of a hypercube, where each wire leads along one of its edges: to a node whose number differs in one bit.
fn part_of_a_cube(run: &Run) -> Option<Places> {
    let nodes = run.nodes.len();
    let is_edge = |wire: &Wire| (wire.sender ^ wire.receiver).is_power_of_two();
    let is_cube = nodes.is_power_of_two() && !run.wires.is_empty() && run.wires.iter().all(is_edge);
    is_cube.then(|| corners(nodes.ilog2()))
}

/// Names of two numbers are a row and a column, if no two nodes have the same.
fn grid(run: &Run) -> Option<Places> {
    let numbers: Option<Vec<(u32, u32)>> = run
        .nodes
        .iter()
        .map(|name| {
            let (level, column) = name.split_once('_')?;
            Some((level.parse().ok()?, column.parse().ok()?))
        })
        .collect();
    let numbers = numbers?;
    let different: BTreeSet<_> = numbers.iter().collect();
    if different.len() != numbers.len() {
        return None;
    }
    let place_of = |all: &BTreeSet<u32>, number: u32| all.range(..number).count();
    let rows: BTreeSet<u32> = numbers.iter().map(|(row, _)| *row).collect();
    let columns: BTreeSet<u32> = numbers.iter().map(|(_, column)| *column).collect();
    let all = numbers.iter();
    let all = all.map(|(row, column)| [place_of(&rows, *row), place_of(&columns, *column)]);
    if rows.len() > MANY_ROWS * columns.len() && columns.len().is_power_of_two() {
        return Some(blocks(rows.len(), columns.len(), all));
    }
    // Many columns stand closer, and rows of few farther from each other, so that the whole is not a thin strip.
    let wide = (FEW_COLUMNS / columns.len() as f64).clamp(CLOSEST, 1.0);
    let high = (wide * columns.len() as f64 / rows.len() as f64 / WIDER).clamp(1.0, FARTHEST);
    Some(
        all.map(|[row, column]| [wide * column as f64, high * row as f64])
            .collect(),
    )
}

/// Names of three numbers and more are digits: the first two are places in a sheet; by the third sheets stand beside each other, by
/// the fourth below, and so on in turn. They slant a little, so that no link between sheets goes through other nodes.
fn sheets(run: &Run) -> Option<Places> {
    const BETWEEN: f64 = 1.7;
    const SLANT: f64 = 0.31;
    let digits = |name: &String| -> Option<Vec<u32>> {
        let digits: Vec<u32> = name
            .split('_')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .ok()?;
        (digits.len() > 2).then_some(digits)
    };
    let all: Vec<Vec<u32>> = run.nodes.iter().map(digits).collect::<Option<_>>()?;
    let dimensions = all.first()?.len();
    if all.iter().any(|digits| digits.len() != dimensions) {
        return None;
    }
    let most = |dimension: usize| {
        all.iter()
            .map(|digits| digits[dimension])
            .max()
            .unwrap_or(0)
    };
    // Right and down, by dimension: each as far as all before it in its direction are wide.
    let mut wide = [0.0, 0.0];
    let directions: Vec<[f64; 2]> = (0..dimensions)
        .map(|dimension| {
            let (along, aside) = (dimension % 2, 1 - dimension % 2);
            let mut step = [0.0, 0.0];
            step[along] = if dimension < 2 {
                1.0
            } else {
                wide[along] + BETWEEN
            };
            step[aside] = if dimension < 2 { 0.0 } else { SLANT };
            wide[along] += step[along] * f64::from(most(dimension));
            step
        })
        .collect();
    let place = |digits: &Vec<u32>| {
        let steps = digits.iter().zip(&directions);
        steps.fold([0.0, 0.0], |[x, y], (digit, [right, down])| {
            [x + f64::from(*digit) * right, y + f64::from(*digit) * down]
        })
    };
    Some(all.iter().map(place).collect())
}

/// Each row is a block, the corners of a cube; blocks stand in rows and columns themselves.
fn blocks(rows: usize, columns: usize, nodes: impl Iterator<Item = [usize; 2]>) -> Places {
    let corners = corners(columns.ilog2());
    let side = (rows as f64).sqrt().ceil() as usize;
    let place = |[row, column]: [usize; 2]| {
        let [right, down] = corners[column];
        let [blocks_right, blocks_down] = [row % side, row / side].map(|blocks| blocks as f64);
        [
            right + BLOCK[0] * blocks_right,
            down + BLOCK[1] * blocks_down,
        ]
    };
    nodes.map(place).collect()
}

/// Round a circle, or, where that would be too large for its nodes to be seen, in rows of a square.
fn without_names(nodes: usize) -> Places {
    if nodes <= MOST_ON_CIRCLE {
        return circle(nodes);
    }
    let side = (nodes as f64).sqrt().ceil() as usize;
    let place = |node: usize| [(node % side) as f64, (node / side) as f64];
    (0..nodes).map(place).collect()
}

/// Round a circle, neighbours one unit from each other; the first is at the top.
fn circle(nodes: usize) -> Places {
    let step = std::f64::consts::TAU / nodes.max(1) as f64;
    let radius = match nodes {
        1 => 0.0,
        _ => 0.5 / (step / 2.0).sin(),
    };
    (0..nodes)
        .map(|node| {
            let (sine, cosine) = (node as f64 * step).sin_cos();
            [radius * sine, -radius * cosine]
        })
        .collect()
}

/// Between which nodes there are wires, or messages crossed.
fn edges(run: &Run) -> Edges {
    let wires = run.wires.iter().map(|wire| [wire.sender, wire.receiver]);
    let wires = wires.filter(|ends| ends[0] != ends[1]).map(edge);
    wires.chain(crossed(run.messages.iter())).collect()
}

/// Between which nodes some messages crossed.
fn crossed<'a>(routes: impl Iterator<Item = &'a Route>) -> impl Iterator<Item = (u32, u32)> {
    let crossings = routes.flat_map(|route| &route.crossings);
    let ends = crossings.map(|crossing| [crossing.sender, crossing.receiver]);
    ends.filter(|ends| ends[0] != ends[1]).map(edge)
}

fn edge(ends: [u32; 2]) -> (u32, u32) {
    (ends[0].min(ends[1]), ends[0].max(ends[1]))
}

/// How much an edge has to be bent.
fn bend(places: &[[f64; 2]], from: u32, to: u32) -> f64 {
    let ends = [from as usize, to as usize];
    let [[x, y], [to_x, to_y]] = ends.map(|end| places[end]);
    let (along_x, along_y) = (to_x - x, to_y - y);
    let length = along_x.hypot(along_y);
    let touches = |place: &[f64; 2]| {
        let (aside_x, aside_y) = (place[0] - x, place[1] - y);
        let along = (aside_x * along_x + aside_y * along_y) / length;
        let aside = (aside_x * along_y - aside_y * along_x).abs() / length;
        (0.0..=length).contains(&along) && aside < TOO_NEAR
    };
    let others = places
        .iter()
        .enumerate()
        .filter(|(node, _)| !ends.contains(node));
    match length > 0.0 && others.map(|(_, place)| place).any(touches) {
        true => BEND,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests;
