//! What all pictures have in common: words that are legible on a light and on a dark page, and how an SVG is written.

use std::io::Write;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::TextStyle;

use crate::error::Error;
use crate::error::refusal::{Refusal, unwritable};
use crate::output::Staged;

/// Axes and words.
pub const INK: RGBColor = RGBColor(118, 118, 118);

/// What comes of drawing.
pub type Drawn<T> = Result<T, Box<dyn std::error::Error>>;
/// What is drawn on.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// How words of so many pixels look.
pub fn words(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// Writes a picture.
///
/// # Errors
/// What the drawing library says; a file that cannot be written after all.
pub fn write(mut output: Staged, svg: Drawn<String>) -> Result<(), Error> {
    let svg = svg.map_err(|error| Refusal::of("cannot draw the plot").because(error))?;
    let written = output.write_all(svg.as_bytes());
    written.map_err(unwritable(output.path()))?;
    output.commit()?;
    Ok(())
}
