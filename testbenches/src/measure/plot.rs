//! A plot: panels side by side, in each of them a curve a series, what was measured on it as marks.
//!
//! The background is left to the page, so every colour has to be legible on white and on black, and what is hollow shows it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use waves::provenance::Provenance;

use crate::drawing::{self, Area, Drawn, INK, check_is_svg, described, words};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::measure::axes::Series;
use crate::measure::row::Row;
use crate::output::{Staged, Staging};
use crate::statistics::interval::Interval;

/// What the file is, in refusals.
pub(super) const FILE: &str = "the plot";
/// Of a panel, and of one that stands alone.
const WIDTH: u32 = 540;
const WIDTH_ALONE: u32 = 720;
/// Without the legend.
const HEIGHT: u32 = 424;
/// As many as colours and shapes tell apart.
const MOST_SERIES: usize = 12;
/// Where words begin, and the axes.
const LEFT: i32 = 74;
const TITLE_HEIGHT: i32 = 38;
/// Of a line of the legend.
const LINE_HEIGHT: i32 = 19;
/// One for each series, then from the beginning; shapes differ as well.
const COLOURS: [RGBColor; 6] = [
    RGBColor(47, 120, 214),
    RGBColor(192, 98, 22),
    RGBColor(38, 138, 92),
    RGBColor(160, 90, 196),
    RGBColor(200, 80, 100),
    RGBColor(20, 134, 150),
];
/// How much of its colour a lighter line has.
const LIGHT: f64 = 0.5;

/// What a plot is drawn against.
#[derive(Clone, Copy, Debug)]
pub struct Against {
    /// The axis, as the rows call it.
    pub axis: &'static str,
    /// What stands below it.
    pub label: &'static str,
    /// How it is drawn.
    pub scale: Scale,
    /// What a series is one of.
    pub series_of: &'static str,
}

/// How an axis is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// From the first to the last whole number.
    Whole,
    /// From zero, with so much room above the last value, as a multiple.
    FromZero(f64),
    /// Each step is a multiple of the last: by 2, or by 10.
    Log(f64),
}

/// One of the pictures.
pub struct Panel {
    /// Above it.
    pub title: &'static str,
    /// Beside it.
    pub unit: &'static str,
    /// How that is drawn.
    pub scale: Scale,
    /// In the order in which they are drawn.
    pub curves: Vec<Curve>,
    /// A line from corner to corner, on which both axes say the same.
    pub has_diagonal: bool,
}

impl Panel {
    /// Of a column of the rows, named by `title` and `unit`: a curve of each series along `axis`.
    pub fn of_column(
        (title, unit): (&'static str, &'static str),
        scale: Scale,
        column: &str,
        (series, rows, axis): (&Series, &[Row], &str),
    ) -> Self {
        Panel {
            title,
            unit,
            scale,
            curves: curves(
                (series, rows),
                axis,
                |row| row.number(column),
                |_| Look::Filled,
            ),
            has_diagonal: false,
        }
    }
}

/// A line, and what was measured on it.
pub struct Curve {
    /// Which series it is of.
    pub series: usize,
    /// By place.
    pub line: Vec<(f64, f64)>,
    /// By place; on a line without any it is drawn lightly.
    pub marks: Vec<Mark>,
    /// Its closed form, for the legend.
    pub form: String,
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: (f64, f64),
    /// How far to both sides of it the expected value may be; 0 where that is not known.
    pub half_width: f64,
    /// How it looks.
    pub look: Look,
}

/// How a mark looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// As most do.
    #[default]
    Filled,
    /// Hollow with a dot in it: it may be that it is not to be taken as the others are.
    Dotted,
    /// Hollow: it is not to be taken as the others are.
    Hollow,
}

impl Curve {
    /// The same up to the first mark that is hollow: beyond it the value goes by how long a run was.
    pub fn up_to_hollow(mut self) -> Self {
        let mut marks = self.marks.iter();
        if let Some(last) = marks.position(|mark| mark.look == Look::Hollow) {
            self.marks.truncate(last + 1);
            self.line.truncate(last + 1);
        }
        self
    }

    /// The same without its marks.
    pub fn lightly(self) -> Self {
        Curve {
            marks: Vec::new(),
            ..self
        }
    }
}

/// A curve of each series through a value of its rows, averaged over those that are at the same place, with a confidence
/// interval where these are several. A mark looks as that of its rows that differs most; rows without a value are left out.
pub fn curves(
    (series, rows): (&Series, &[Row]),
    axis: &str,
    value: impl Fn(&Row) -> Option<f64>,
    look: impl Fn(&Row) -> Look,
) -> Vec<Curve> {
    // The values at a place, by its bits: places are not negative, so these are in order as they are.
    type Places = BTreeMap<u64, (Vec<f64>, Look)>;
    let mut places: Vec<Places> = vec![Places::new(); series.names.len()];
    for (row, &series) in rows.iter().zip(&series.of) {
        if let (Some(x), Some(value)) = (row.number(axis), value(row)) {
            let (values, most) = places[series].entry((x + 0.0).to_bits()).or_default();
            values.push(value);
            *most = look(row).max(*most);
        }
    }
    let mark = |(x, (values, look)): (u64, (Vec<f64>, Look))| Mark {
        at: (
            f64::from_bits(x),
            values.iter().sum::<f64>() / values.len() as f64,
        ),
        half_width: Interval::of(&values).map_or(0.0, |interval| interval.half_width),
        look,
    };
    let curve = |(series, places): (usize, Places)| {
        let marks: Vec<Mark> = places.into_iter().map(mark).collect();
        Curve {
            series,
            line: marks.iter().map(|mark| mark.at).collect(),
            marks,
            form: String::new(),
        }
    };
    places.into_iter().enumerate().map(curve).collect()
}

/// A plot that is going to be drawn.
pub(super) struct Plot {
    file: Staged,
    series: Series,
    against: Against,
}

impl Plot {
    /// Begins its file, if there is to be one.
    ///
    /// # Errors
    /// No SVG; nothing that points differ in, or too much; a file that cannot be begun.
    pub fn plan(
        (path, staging): (Option<&Path>, &mut Staging),
        of: impl FnOnce() -> Result<(Series, Against), Error>,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = path else {
            return Ok(None);
        };
        check_is_svg(path)?;
        let (series, against) = of()?;
        if series.names.len() > MOST_SERIES {
            let (many, of) = (series.names.len(), against.series_of);
            return Err(Refusal::of(format!(
                "--plot would draw {many} series, of each {of}, and {MOST_SERIES} are the most that can be told apart"
            ))
            .instead("give fewer, or plot them one by one")
            .into());
        }
        let file = staging.create_text(path, FILE)?;
        Ok(Some(Plot {
            file,
            series,
            against,
        }))
    }

    /// What belongs together.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// Draws it and writes it, with where it comes from.
    ///
    /// # Errors
    /// What the drawing library says; a file that cannot be written after all.
    pub fn write(self, panels: &[Panel], provenance: &Provenance) -> Result<(), Error> {
        let svg = draw(panels, &self.series.names, self.against);
        drawing::write(self.file, svg.map(|svg| described(&svg, provenance)))
    }
}

/// Panels two by two, or one alone.
fn draw(panels: &[Panel], names: &[String], against: Against) -> Drawn<String> {
    let mut svg = String::new();
    {
        let columns = panels.len().clamp(1, 2);
        let rows = panels.len().div_ceil(columns).max(1);
        let width = if columns == 1 { WIDTH_ALONE } else { WIDTH };
        let height = HEIGHT + LINE_HEIGHT as u32 * names.len() as u32;
        let size = (columns as u32 * width, rows as u32 * height);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        for (panel, area) in panels.iter().zip(root.split_evenly((rows, columns))) {
            let x = panel.bounds(|at| at.0);
            let y = panel.bounds(|at| at.1);
            let all = (panel, names, against);
            match (against.scale, panel.scale) {
                (Scale::Log(x_base), Scale::Log(y_base)) => {
                    draw_panel(all, &area, log(x, x_base), log(y, y_base))
                }
                (Scale::Log(base), scale) => draw_panel(all, &area, log(x, base), linear(y, scale)),
                (scale, Scale::Log(base)) => draw_panel(all, &area, linear(x, scale), log(y, base)),
                (x_scale, y_scale) => {
                    draw_panel(all, &area, linear(x, x_scale), linear(y, y_scale))
                }
            }?;
        }
        root.present()?;
    }
    Ok(svg)
}

fn linear((first, last): (f64, f64), scale: Scale) -> Range<f64> {
    match scale {
        Scale::FromZero(room) => 0.0..last * room,
        Scale::Whole | Scale::Log(_) => first - 0.4..last + 0.4,
    }
}

fn log(
    (first, last): (f64, f64),
    base: f64,
) -> impl AsRangedCoord<Value = f64, CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>> {
    (first * 0.8..last * 1.25).log_scale().base(base)
}

impl Panel {
    /// The least and the most of all that is drawn.
    fn bounds(&self, of: impl Fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let values = || {
            self.curves.iter().flat_map(|curve| {
                let marks = curve.marks.iter().map(|mark| &mark.at);
                curve.line.iter().chain(marks).map(&of)
            })
        };
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(f64::NEG_INFINITY, f64::max);
        match least <= most {
            true => (least, most),
            false => (1.0, 1.0),
        }
    }
}

fn draw_panel<X, Y>(
    (panel, names, against): (&Panel, &[String], Against),
    area: &Area<'_>,
    x: X,
    y: Y,
) -> Drawn<()>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let (legend, area) = area.split_vertically(TITLE_HEIGHT + LINE_HEIGHT * names.len() as i32);
    let title = words(18).pos(Pos::new(HPos::Left, VPos::Top));
    legend.draw(&Text::new(panel.title, (LEFT, 10), title))?;
    let (first, last) = panel.bounds(|at| at.0);
    let (is_whole, x_labels) = match against.scale {
        Scale::Whole => (true, ((last - first) as usize + 1).min(17)),
        Scale::FromZero(_) | Scale::Log(_) => (false, 12),
    };
    let mut chart = ChartBuilder::on(&area)
        .margin(10)
        .margin_right(18)
        .x_label_area_size(44)
        .y_label_area_size(LEFT - 10)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.35))
        .axis_style(INK)
        .x_desc(against.label)
        .y_desc(panel.unit)
        .x_labels(x_labels)
        .y_labels(8)
        // There is nothing between whole numbers.
        .x_label_formatter(
            &|value| match is_whole && (value - value.round()).abs() > 1e-6 {
                true => String::new(),
                false => short(*value),
            },
        )
        .y_label_formatter(&|value| short(*value))
        .axis_desc_style(words(14))
        .label_style(words(13))
        .draw()?;
    if panel.has_diagonal {
        let end = panel.bounds(|at| at.0.min(at.1)).1;
        let diagonal = vec![(0.0, 0.0), (end, end)];
        chart.draw_series(LineSeries::new(diagonal, INK.mix(0.6)))?;
    }
    for curve in &panel.curves {
        let colour = COLOURS[curve.series % COLOURS.len()];
        let style = match curve.marks.is_empty() {
            true => colour.mix(LIGHT).stroke_width(1),
            false => colour.stroke_width(2),
        };
        chart.draw_series(LineSeries::new(curve.line.iter().copied(), style))?;
        for spot in &curve.marks {
            let (x, y) = spot.at;
            if spot.half_width > 0.0 {
                // Below the lowest mark there is nothing, on a logarithmic axis least of all.
                let (least, _) = panel.bounds(|at| at.1);
                let ends =
                    [y - spot.half_width, y + spot.half_width].map(|end| (x, end.max(least)));
                chart.draw_series(LineSeries::new(ends, colour.stroke_width(1)))?;
            }
            let mark = marker(curve.series, spot.at, (colour, spot.look == Look::Filled));
            chart.plotting_area().draw(&mark)?;
            if spot.look == Look::Dotted {
                let dot = Circle::new(spot.at, 1, colour.filled());
                chart.plotting_area().draw(&dot)?;
            }
        }
    }
    for (series, name) in names.iter().enumerate() {
        let colour = COLOURS[series % COLOURS.len()];
        let height = TITLE_HEIGHT + LINE_HEIGHT * series as i32 + LINE_HEIGHT / 2;
        legend.draw(&marker(series, (LEFT + 6, height), (colour, true)))?;
        let style = words(13).pos(Pos::new(HPos::Left, VPos::Center));
        let mut curves = panel.curves.iter();
        let text = match curves.find(|curve| curve.series == series && !curve.form.is_empty()) {
            Some(curve) => format!("{name}: {}", curve.form),
            None => name.clone(),
        };
        legend.draw(&Text::new(text, (LEFT + 18, height), style))?;
    }
    Ok(())
}

/// With as many digits as it needs.
fn short(value: f64) -> String {
    ((value * 1000.0).round() / 1000.0).to_string()
}

/// A shape for each series, so that colours are not all that tells them apart; hollow or filled.
fn marker<'a, At: Clone + 'static>(
    series: usize,
    at: At,
    (colour, is_filled): (RGBColor, bool),
) -> DynElement<'a, SVGBackend<'a>, At> {
    let corners: &[(i32, i32)] = match series % 4 {
        0 => {
            let style = match is_filled {
                true => colour.filled(),
                false => colour.stroke_width(2),
            };
            return Circle::new(at, 4, style).into_dyn();
        }
        1 => &[(0, -6), (5, 4), (-5, 4), (0, -6)],
        2 => &[(-4, -4), (4, -4), (4, 4), (-4, 4), (-4, -4)],
        _ => &[(0, -6), (5, 0), (0, 6), (-5, 0), (0, -6)],
    };
    let empty = EmptyElement::at(at);
    match is_filled {
        true => (empty + Polygon::new(corners.to_vec(), colour.filled())).into_dyn(),
        false => (empty + PathElement::new(corners.to_vec(), colour.stroke_width(2))).into_dyn(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::values;

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

    #[test]
    fn a_curve_ends_with_its_first_hollow_mark() {
        let looks = [
            Look::Filled,
            Look::Dotted,
            Look::Hollow,
            Look::Filled,
            Look::Hollow,
        ];
        let curve = |looks: &[Look]| {
            let mark = |(place, look): (usize, &Look)| Mark {
                at: (place as f64, 1.0),
                half_width: 0.0,
                look: *look,
            };
            let marks: Vec<Mark> = looks.iter().enumerate().map(mark).collect();
            let line = marks.iter().map(|mark| mark.at).collect();
            let ended = Curve {
                series: 0,
                line,
                marks,
                form: String::new(),
            }
            .up_to_hollow();
            (ended.line.len(), ended.marks.len())
        };
        assert_eq!(curve(&looks), (3, 3));
        assert_eq!(curve(&looks[..2]), (2, 2));
    }

    #[test]
    fn rows_at_the_same_place_are_one_mark_and_those_without_a_value_none() {
        let row = |x: f64, time: Option<u64>, is_full: bool| {
            Row::new(values! { x: x, time: time, full: is_full, }, &[])
        };
        let rows = [
            row(2.0, Some(30), false),
            row(0.5, Some(7), false),
            row(2.0, Some(50), true),
            row(3.0, None, true),
            row(2.0, Some(1000), false),
        ];
        let series = Series {
            names: vec!["one".to_owned(), "two".to_owned(), "none".to_owned()],
            of: vec![0, 0, 0, 0, 1],
        };
        let time = |row: &Row| row.number("time");
        let look = |row: &Row| match row.is("full") {
            true => Look::Dotted,
            false => Look::Filled,
        };
        let curves = curves((&series, &rows), "x", time, look);
        let mark = |at, look, half_width| Mark {
            at,
            look,
            half_width,
        };
        let marks: Vec<_> = curves.iter().map(|curve| &curve.marks[..]).collect();
        let of_two = Interval::of(&[30.0, 50.0]).unwrap().half_width;
        let expected = [
            &[
                mark((0.5, 7.0), Look::Filled, 0.0),
                mark((2.0, 40.0), Look::Dotted, of_two),
            ][..],
            &[mark((2.0, 1000.0), Look::Filled, 0.0)],
            &[],
        ];
        assert_eq!(marks, expected);
        assert_eq!(curves[0].line, [(0.5, 7.0), (2.0, 40.0)]);
    }
}
