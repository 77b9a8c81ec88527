//! Bit times and storage against the dimensions: measured points on the curves of their closed forms. And how deep
//! the logic is, and bit times times that: measured.
//!
//! The background is left to the page, so every colour has to be legible on white and on black.

use std::collections::BTreeMap;
use std::io::Write;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::benches;
use crate::error::Error;
use crate::measure::grid::{self, Point};
use crate::measure::row::Row;
use crate::options::Setup;
use crate::output::Staged;

pub(super) const WIDTH: u32 = 1080;
/// Without the legend.
pub(super) const HEIGHT: u32 = 424;
/// As many as colours and shapes tell apart.
pub(super) const MOST_SERIES: usize = 12;
/// Where words begin, and the axes.
pub(super) const LEFT: i32 = 74;
pub(super) const TITLE_HEIGHT: i32 = 38;
/// Of a line of the legend.
pub(super) const LINE_HEIGHT: i32 = 19;
pub(super) const FONT: &str = "sans-serif";
/// Axes and words.
pub(super) const INK: RGBColor = RGBColor(118, 118, 118);
/// One for each series, then from the beginning; shapes differ as well.
pub(super) const COLOURS: [RGBColor; 6] = [
    RGBColor(47, 120, 214),
    RGBColor(192, 98, 22),
    RGBColor(38, 138, 92),
    RGBColor(160, 90, 196),
    RGBColor(200, 80, 100),
    RGBColor(20, 134, 150),
];

/// A curve and the points measured on it.
#[derive(Default)]
struct Curve {
    /// By `k`, as texts and as values.
    form_texts: Vec<(usize, &'static str)>,
    form_values: BTreeMap<usize, u64>,
    measured: BTreeMap<usize, u64>,
}

/// One of the pictures.
struct Panel {
    title: &'static str,
    unit: &'static str,
    /// In the order of the grid.
    curves: Vec<(String, Curve)>,
}

impl Panel {
    fn new(title: &'static str, unit: &'static str) -> Self {
        Panel {
            title,
            unit,
            curves: Vec::new(),
        }
    }

    fn curve(&mut self, name: &str) -> &mut Curve {
        let known = self.curves.iter().position(|(known, _)| known == name);
        let place = known.unwrap_or_else(|| {
            self.curves.push((name.to_owned(), Curve::default()));
            self.curves.len() - 1
        });
        &mut self.curves[place].1
    }
}

/// Draws what was measured and writes it.
pub(super) fn write(file: &mut Staged, points: &[Point], rows: &[Row]) -> Result<(), Error> {
    let panels = panels(points, rows)?;
    let svg = draw(&panels).map_err(|error| Error::Undrawable {
        reason: error.to_string(),
    })?;
    put(file, &svg)
}

/// Writes a picture.
pub(super) fn put(file: &mut Staged, svg: &str) -> Result<(), Error> {
    file.write_all(svg.as_bytes())
        .map_err(|reason| Error::Unwritable {
            path: file.path().to_owned(),
            reason,
        })
}

/// What is to be seen: bit times, how long each is, both together, and storage.
fn panels(points: &[Point], rows: &[Row]) -> Result<[Panel; 4], Error> {
    let mut times = Panel::new("Bit times of a run", "bit times");
    let mut depth = Panel::new("Logic depth", "gates between registers");
    let mut delays = Panel::new("Bit times x logic depth", "gate delays");
    let mut storage = Panel::new("Storage of a node", "register bits a node");
    let dims = || points.iter().filter_map(|point| point.setup.dims);
    let (first, last) = (dims().min().unwrap_or(1), dims().max().unwrap_or(1));
    for (point, row) in points.iter().zip(rows) {
        let name = point.series();
        let values = [row.bit_times, row.storage_bits_per_node as u64];
        for (panel, value) in [&mut times, &mut storage].into_iter().zip(values) {
            panel.curve(&name).measured.insert(row.dims, value);
        }
        // Without a closed form: the curve joins the points.
        let values = [row.logic_depth as u64, row.gate_delays];
        for (panel, value) in [&mut depth, &mut delays].into_iter().zip(values) {
            let curve = panel.curve(&name);
            curve.measured.insert(row.dims, value);
            curve.form_values.insert(row.dims, value);
        }
        if !times.curve(&name).form_values.is_empty() {
            continue;
        }
        for k in first..=last {
            let setup = Setup {
                dims: Some(k),
                payload_bits: point.payload.map(|size| size.bits(k)),
                ..point.setup.clone()
            };
            let requirement = benches::requirement(point.bench, &setup)?;
            let forms = [requirement.bit_times, requirement.storage_bits];
            for (panel, form) in [&mut times, &mut storage].into_iter().zip(forms) {
                let curve = panel.curve(&name);
                curve.form_texts.push((k, form.text));
                curve.form_values.insert(k, form.value);
            }
        }
    }
    Ok([times, storage, depth, delays])
}

pub(super) type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(panels: &[Panel; 4]) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    {
        let lines = panels.iter().map(|panel| panel.curves.len()).max();
        let height = 2 * (HEIGHT + LINE_HEIGHT as u32 * lines.unwrap_or(0) as u32);
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        for (panel, area) in panels.iter().zip(root.split_evenly((2, 2))) {
            draw_panel(panel, &area)?;
        }
        root.present()?;
    }
    Ok(svg)
}

fn draw_panel(panel: &Panel, area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>) -> Drawn {
    let values = || {
        panel.curves.iter().flat_map(|(_, curve)| {
            let both = curve.form_values.iter().chain(&curve.measured);
            both.map(|(k, value)| (*k, *value))
        })
    };
    let first = values().map(|(k, _)| k).min().unwrap_or(0) as f64;
    let last = values().map(|(k, _)| k).max().unwrap_or(1) as f64;
    let most = values().map(|(_, value)| value).max().unwrap_or(1) as f64;

    let words = |size: u32| (FONT, size).into_font().color(&INK);
    let legend_height = TITLE_HEIGHT + LINE_HEIGHT * panel.curves.len() as i32;
    let (legend, area) = area.split_vertically(legend_height);
    let title = words(18).pos(Pos::new(HPos::Left, VPos::Top));
    legend.draw(&Text::new(panel.title, (LEFT, 10), title))?;
    let mut chart = ChartBuilder::on(&area)
        .margin(10)
        .margin_right(18)
        .x_label_area_size(44)
        .y_label_area_size(LEFT - 10)
        .build_cartesian_2d(first - 0.4..last + 0.4, 0.0..most * 1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.35))
        .axis_style(INK)
        .x_desc("dimensions k (2^k nodes)")
        .y_desc(panel.unit)
        .x_labels(((last - first) as usize + 1).min(17))
        .y_labels(8)
        .x_label_formatter(&|k| match (k - k.round()).abs() < 1e-6 {
            true => format!("{k:.0}"),
            false => String::new(),
        })
        .y_label_formatter(&|value| format!("{value:.0}"))
        .axis_desc_style(words(14))
        .label_style(words(13))
        .draw()?;
    for (place, (name, curve)) in panel.curves.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let at = |(k, value): (&usize, &u64)| (*k as f64, *value as f64);
        let line = colour.stroke_width(2);
        chart.draw_series(LineSeries::new(curve.form_values.iter().map(at), line))?;
        for point in curve.measured.iter().map(at) {
            chart.plotting_area().draw(&marker(place, point, colour))?;
        }
        let height = TITLE_HEIGHT + LINE_HEIGHT * place as i32 + LINE_HEIGHT / 2;
        legend.draw(&marker(place, (LEFT + 6, height), colour))?;
        let style = words(13).pos(Pos::new(HPos::Left, VPos::Center));
        // The form of the largest cubes, an even and an odd one; small ones may lack parts.
        let largest: Vec<&str> = (curve.form_texts.iter().rev().take(2))
            .map(|(_, text)| *text)
            .collect();
        let of_largest = |form: &String| largest.iter().any(|text| form.starts_with(text));
        let mut forms = grid::forms(curve.form_texts.clone());
        forms.retain(of_largest);
        let text = match forms.is_empty() {
            true => name.clone(),
            false => format!("{name}: {}", forms.join(", ")),
        };
        legend.draw(&Text::new(text, (LEFT + 18, height), style))?;
    }
    Ok(())
}

/// A shape for each series, so that colours are not all that tells them apart.
fn marker<'a, At: Clone + 'static>(
    series: usize,
    at: At,
    colour: RGBColor,
) -> DynElement<'static, SVGBackend<'a>, At> {
    let filled = colour.filled();
    match series % 4 {
        0 => Circle::new(at, 4, filled).into_dyn(),
        1 => TriangleMarker::new(at, 6, filled).into_dyn(),
        2 => Cross::new(at, 4, colour.stroke_width(2)).into_dyn(),
        _ => Circle::new(at, 4, colour.stroke_width(2)).into_dyn(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, as the web's guidelines for contrast define it.
    fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
        let linear = |channel: u8| {
            let channel = f64::from(channel) / 255.0;
            match channel <= 0.03928 {
                true => channel / 12.92,
                false => ((channel + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    #[test]
    fn every_colour_is_legible_on_a_light_and_on_a_dark_page() {
        let (white, dark) = (RGBColor(255, 255, 255), RGBColor(13, 17, 23));
        for colour in COLOURS.into_iter().chain([INK]) {
            for page in [white, dark] {
                let mut both = [luminance(colour), luminance(page)];
                both.sort_by(f64::total_cmp);
                let contrast = (both[1] + 0.05) / (both[0] + 0.05);
                assert!(contrast >= 4.0, "{colour:?} on {page:?}: {contrast:.2}");
            }
        }
    }
}
