//! A map of loads: a row for what wires there are at a node, a column for each node, or for several where there are many; the
//! lighter, the more bits in a bit time.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::drawing::{self, Area, Drawn, words};
use crate::error::Error;
use crate::families::wormhole::links::Carried;
use crate::output::Staged;

/// The most columns.
const MOST_COLUMNS: usize = 128;
/// Of all columns together, at the least.
const WIDTH: usize = 640;
/// Of a row.
const ROW: i32 = 18;
/// Where the columns begin, and the rows.
const LEFT: i32 = 130;
const TOP: i32 = 40;
/// Right of the columns: the legend.
const RIGHT: i32 = 110;
/// Below the rows: the numbers of nodes, and what they are.
const BELOW: i32 = 60;
/// From no load to the largest.
const RAMP: [RGBColor; 5] = [
    RGBColor(68, 1, 84),
    RGBColor(59, 82, 139),
    RGBColor(33, 145, 140),
    RGBColor(94, 201, 98),
    RGBColor(253, 231, 37),
];

/// The colour of a share of the largest load.
fn colour(share: f64) -> RGBColor {
    let place = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let part = place - below as f64;
    let between = |one: u8, next: u8| {
        (f64::from(one) + part * (f64::from(next) - f64::from(one))).round() as u8
    };
    let (one, next) = (RAMP[below], RAMP[below + 1]);
    RGBColor(
        between(one.0, next.0),
        between(one.1, next.1),
        between(one.2, next.2),
    )
}

/// What is drawn.
struct Cells {
    /// Nodes of a column; the last one may have fewer.
    nodes_of_column: usize,
    /// By row, the average load of each column; none where there is no wire.
    loads: Vec<Vec<Option<f64>>>,
    largest: f64,
}

impl Cells {
    fn of(carried: &Carried) -> Self {
        let nodes_of_column = carried.nodes.div_ceil(MOST_COLUMNS);
        let average = |wires: &[super::Wire]| {
            let there = wires.iter().filter(|wire| wire.is_there);
            let bits: u64 = there.clone().map(|wire| wire.bits).sum();
            let count = there.count();
            (count > 0).then(|| carried.share(bits) / count as f64)
        };
        let rows = carried.wires.chunks(carried.nodes);
        let loads: Vec<Vec<Option<f64>>> = rows
            .map(|row| row.chunks(nodes_of_column).map(average).collect())
            .collect();
        Cells {
            nodes_of_column,
            largest: loads
                .iter()
                .flatten()
                .flatten()
                .copied()
                .fold(0.0, f64::max),
            loads,
        }
    }
}

/// Draws it and writes it.
///
/// # Errors
/// A map that cannot be drawn, or written after all.
pub fn write(output: Staged, carried: &Carried) -> Result<(), Error> {
    drawing::write(output, draw(carried))
}

fn draw(carried: &Carried) -> Drawn<String> {
    let cells = Cells::of(carried);
    let columns = cells.loads.first().map_or(0, Vec::len);
    let width = (WIDTH / columns.max(1)).clamp(5, 40) as i32;
    let (right, bottom) = (
        LEFT + width * columns as i32,
        TOP + ROW * cells.loads.len() as i32,
    );
    let mut svg = String::new();
    {
        let size = (
            (right + RIGHT) as u32,
            (bottom + BELOW).max(TOP + 150) as u32,
        );
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let title = "load of each wire: bits in a bit time";
        word(&area, title, (LEFT, 20), (15, HPos::Left))?;
        for (row, (loads, kind)) in cells.loads.iter().zip(&carried.kinds).enumerate() {
            let y = TOP + ROW * row as i32;
            word(&area, kind, (LEFT - 8, y + ROW / 2), (12, HPos::Right))?;
            for (column, load) in loads.iter().enumerate() {
                let x = LEFT + width * column as i32;
                let Some(load) = load else {
                    continue;
                };
                let share = load / cells.largest.max(f64::MIN_POSITIVE);
                let corners = [(x, y), (x + width, y + ROW)];
                area.draw(&Rectangle::new(corners, colour(share).filled()))?;
            }
        }
        // About eight numbers of nodes.
        let step = columns.div_ceil(8).max(1);
        for column in (0..columns).step_by(step) {
            let x = LEFT + width * column as i32 + width / 2;
            let node = (column * cells.nodes_of_column).to_string();
            word(&area, &node, (x, bottom + 12), (12, HPos::Center))?;
        }
        let label = match cells.nodes_of_column {
            1 => "node; of a link, the one that sends".to_owned(),
            nodes => format!("node, by its number; the average of {nodes} in each column"),
        };
        let middle = (LEFT + right) / 2;
        word(&area, &label, (middle, bottom + 36), (13, HPos::Center))?;
        legend(&area, right + 20, cells.largest)?;
        area.present()?;
    }
    Ok(svg)
}

/// Which colour is which load.
fn legend(area: &Area<'_>, x: i32, largest: f64) -> Drawn<()> {
    const STEPS: i32 = 20;
    for step in 0..STEPS {
        let y = TOP + 5 * (STEPS - 1 - step);
        let style = colour(f64::from(step) / f64::from(STEPS - 1)).filled();
        area.draw(&Rectangle::new([(x, y), (x + 14, y + 5)], style))?;
    }
    for part in 0..3 {
        let y = TOP + 5 * STEPS * (2 - part) / 2;
        let load = format!("{:.3}", largest * f64::from(part) / 2.0);
        word(area, &load, (x + 20, y), (12, HPos::Left))?;
    }
    word(area, "load", (x, TOP - 14), (12, HPos::Left))
}

fn word(area: &Area<'_>, text: &str, at: (i32, i32), (size, side): (u32, HPos)) -> Drawn<()> {
    let style = words(size).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::wormhole::links::Wire;

    /// Loads of two kinds of wires at each node: the number of the node, and nothing.
    fn carried(nodes: usize) -> Carried {
        let wire = |node: usize, bits: usize| Wire {
            from: Some(node),
            to: None,
            is_there: true,
            bits: bits as u64,
            held: 0,
            stalls: [0; 3],
        };
        let counted = (0..nodes).map(|node| wire(node, node));
        Carried {
            wire_bits: 1,
            nodes,
            bit_times: nodes as u64,
            kinds: vec!["first".to_owned(), "second".to_owned()],
            wires: counted
                .chain((0..nodes).map(|node| wire(node, 0)))
                .collect(),
        }
    }

    #[test]
    fn a_cell_is_the_average_of_its_nodes() {
        let cells = Cells::of(&carried(4));
        assert_eq!((cells.nodes_of_column, cells.largest), (1, 0.75));
        assert_eq!(cells.loads[0], [0.0, 0.25, 0.5, 0.75].map(Some));
        assert_eq!(cells.loads[1], [Some(0.0); 4]);
        let cells = Cells::of(&carried(300));
        assert_eq!((cells.nodes_of_column, cells.loads[0].len()), (3, 100));
        assert_eq!(cells.loads[0][1], Some(4.0 / 300.0));
        assert_eq!(cells.largest, 298.0 / 300.0);
        // Of a mesh, those that are there.
        let mut mesh = carried(300);
        mesh.wires[3..5]
            .iter_mut()
            .for_each(|wire| wire.is_there = false);
        mesh.wires[6..9]
            .iter_mut()
            .for_each(|wire| wire.is_there = false);
        assert_eq!(Cells::of(&mesh).loads[0][1..3], [Some(5.0 / 300.0), None]);
    }

    #[test]
    fn the_drawing_has_its_rows_axes_and_legend() {
        for (nodes, label) in [(4, "the one that sends"), (300, "the average of 3")] {
            let svg = draw(&carried(nodes)).unwrap();
            for wanted in ["first", "second", "load of each wire", label, ">\nload\n<"] {
                assert!(svg.contains(wanted), "{wanted}: {svg}");
            }
            let cells = svg.matches("<rect").count();
            assert_eq!(cells, 20 + 2 * nodes.min(100));
        }
        assert_eq!(colour(0.0), RAMP[0]);
        assert_eq!(colour(1.0), RAMP[4]);
    }
}
