//! A picture of a campaign: part against bit time, each cell as full of colour as faults there are not masked.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use waves::provenance::Provenance;

use crate::drawing::{self, Drawn, INK, described, words};
use crate::error::Error;
use crate::lockstep::campaign::Campaign;
use crate::lockstep::campaign::fault::Kind;
use crate::lockstep::campaign::tally::Outcome;
use crate::output::Staged;

/// What is full of it.
const FULL: RGBColor = RGBColor(192, 98, 22);
/// Pixels.
const LEFT: i32 = 300;
const TOP: i32 = 66;
const ROW: i32 = 18;
const WIDTH: i32 = 840;
const MARGIN: i32 = 24;
/// As many columns as can be seen.
const MOST_COLUMNS: u64 = 210;

/// A row: what it is of, and by column the faults, and those that are not masked.
struct Row {
    kind: Kind,
    part: String,
    cells: Vec<[usize; 2]>,
}

impl Campaign {
    /// Draws it and writes it, with where it comes from.
    ///
    /// # Errors
    /// What the drawing library says; a file that cannot be written after all.
    pub(super) fn write_picture(&self, output: Staged, of: &Provenance) -> Result<(), Error> {
        let svg = self.draw().map(|svg| described(&svg, of));
        drawing::write(output, svg)
    }

    /// Bit times of a column.
    fn bit_times_of_column(&self) -> u64 {
        (self.bit_times + 1).div_ceil(MOST_COLUMNS).max(1)
    }

    fn rows(&self, columns: usize) -> Vec<Row> {
        let rows = self.parts().into_iter().map(|(kind, part)| Row {
            kind,
            part,
            // What is stuck is so in all bit times.
            cells: vec![[0; 2]; if kind == Kind::Registers { columns } else { 1 }],
        });
        let mut rows: Vec<Row> = rows.collect();
        for tried in &self.tried {
            let part = self.places.part(tried.fault);
            let row = rows
                .iter_mut()
                .find(|row| row.kind == tried.kind && row.part == part);
            let at = (tried.fault.from() / self.bit_times_of_column()) as usize;
            if let Some([faults, seen]) = row.and_then(|row| row.cells.get_mut(at)) {
                *faults += 1;
                *seen += usize::from(tried.outcome() != Outcome::Masked);
            }
        }
        rows
    }

    fn draw(&self) -> Drawn<String> {
        let columns = (self.bit_times + 1).div_ceil(self.bit_times_of_column()) as usize;
        let rows = self.rows(columns);
        let below = TOP + ROW * rows.len() as i32;
        let size = ((LEFT + WIDTH + MARGIN) as u32, (below + 3 * MARGIN) as u32);
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let at = |size, h, v| words(size).pos(Pos::new(h, v));
            let title = at(17, HPos::Left, VPos::Top);
            root.draw(&Text::new(
                format!("faults of {}", self.title),
                (MARGIN, 12),
                title,
            ))?;
            let legend = "full of colour: all faults there are seen or silent; empty: all are masked; crossed out: none was put in";
            root.draw(&Text::new(
                legend,
                (MARGIN, 38),
                at(13, HPos::Left, VPos::Top),
            ))?;
            for (row, y) in rows.iter().zip((TOP..).step_by(ROW as usize)) {
                let name = format!("{}: {}", row.kind.name(), row.part);
                let style = at(13, HPos::Right, VPos::Center);
                root.draw(&Text::new(name, (LEFT - 8, y + ROW / 2), style))?;
                let x = |column: usize| LEFT + (WIDTH as usize * column / row.cells.len()) as i32;
                for (column, [faults, seen]) in row.cells.iter().enumerate() {
                    let corners = [(x(column), y + 1), (x(column + 1), y + ROW - 1)];
                    if *faults == 0 {
                        let line = PathElement::new(corners.to_vec(), INK.mix(0.5));
                        root.draw(&line)?;
                        continue;
                    }
                    let share = *seen as f64 / *faults as f64;
                    root.draw(&Rectangle::new(corners, FULL.mix(share).filled()))?;
                }
                let frame = [(LEFT, y + 1), (LEFT + WIDTH, y + ROW - 1)];
                root.draw(&Rectangle::new(frame, INK.mix(0.6)))?;
            }
            for quarter in 0..=4 {
                let bit_time = self.bit_times * quarter / 4;
                let x = LEFT + (WIDTH as u64 * bit_time / (self.bit_times + 1)) as i32;
                let style = at(13, HPos::Center, VPos::Top);
                root.draw(&Text::new(bit_time.to_string(), (x, below + 6), style))?;
            }
            let label = "bit time before which a register bit flips; wires and gates are stuck from bit time 0 on";
            let style = at(14, HPos::Center, VPos::Top);
            root.draw(&Text::new(label, (LEFT + WIDTH / 2, below + 28), style))?;
            root.present()?;
        }
        Ok(svg)
    }
}
