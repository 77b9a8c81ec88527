//! What all pictures have in common: words that are legible on a light and on a dark page, and how an SVG is written.

use std::io::Write;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::TextStyle;
use waves::VERSION;
use waves::picture::{escaped, metadata};
use waves::provenance::Provenance;

use crate::error::Error;
use crate::error::refusal::{Refusal, cannot_write, unwritable};
use crate::output::{Staged, Stream};

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

/// The same picture, which says where it comes from.
pub fn described(svg: &str, provenance: &Provenance) -> String {
    let begin = svg.find('>').map_or(0, |end| end + 1);
    let (begin, rest) = svg.split_at(begin);
    format!(
        "{begin}\n<desc>{VERSION}: {}</desc>{}{rest}",
        escaped(&provenance.command),
        metadata(&provenance.meta)
    )
}

/// Refuses a plot that would be no SVG.
///
/// # Errors
/// Another ending.
pub fn check_is_svg(path: &Path) -> Result<(), Error> {
    let is_svg = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("svg");
    // A stream has no ending.
    match path.extension().is_some_and(is_svg) || Stream::of(path).is_some() {
        true => Ok(()),
        false => Err(cannot_write(path)
            .because("plots are SVG")
            .instead("give the file the ending .svg")
            .into()),
    }
}
