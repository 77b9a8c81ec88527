//! Latency and accepted load against the offered load; or bit times against the dimensions or the bits of a message.
//!
//! The background is left to the page, so what is hollow shows it.

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::error::Error;
use crate::measure::plot::{
    COLOURS, Drawn, FONT, HEIGHT, INK, LEFT, LINE_HEIGHT, TITLE_HEIGHT, WIDTH, put,
};
use crate::measure::ranges::insert;
use crate::measure::wormhole::grid::{Load, Point};
use crate::measure::wormhole::lists::InUse;
use crate::measure::wormhole::row::Row;
use crate::measure::{MeasureOptions, check_is_svg, check_series};
use crate::output::{Staged, Staging};
use crate::wormhole::options::NetworkName;

/// How much of its colour a lighter line has.
const LIGHT: f64 = 0.5;

/// What rows are drawn against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Offered,
    Levels,
    MessageBits,
}

impl Axis {
    fn of(self, point: &Point) -> f64 {
        match (self, point.load) {
            (Axis::Offered, Load::Offered(load) | Load::Once(load)) => load,
            (Axis::Levels, _) => point.dims as f64,
            (Axis::MessageBits, _) => point.message_bits as f64,
        }
    }
}

/// Whether points differ in something.
fn differ<T: PartialEq>(points: &[Point], what: impl Fn(&Point) -> T) -> bool {
    points
        .windows(2)
        .any(|pair| what(&pair[0]) != what(&pair[1]))
}

/// The axis of a grid.
///
/// # Errors
/// [`Error::NothingVaries`].
fn axis(points: &[Point]) -> Result<Axis, Error> {
    let Some(point) = points.first() else {
        return Ok(Axis::Levels);
    };
    if let Load::Offered(load) = point.load {
        return match differ(points, |point| Axis::Offered.of(point)) {
            true => Ok(Axis::Offered),
            false => Err(Error::NothingVaries {
                what: "latency and accepted load",
                against: "the offered load",
                only: format!("{load}"),
                example: "--offered-load 0.05..0.9",
            }),
        };
    }
    match (
        differ(points, |point| point.dims),
        differ(points, |point| point.message_bits),
    ) {
        (true, _) => Ok(Axis::Levels),
        (_, true) => Ok(Axis::MessageBits),
        _ => Err(Error::NothingVaries {
            what: "bit times",
            against: "--dims or --message-bits",
            only: format!("n = {} and M = {}", point.dims, point.message_bits),
            example: "--dims 2,4 or --message-bits 64,256",
        }),
    }
}

/// The series of each point: its network, and what else points differ in.
fn series(points: &[Point], axis: Axis) -> Vec<String> {
    let is_whole = |point: &Point| point.network != NetworkName::Ecube;
    let whole: Vec<Point> = points.iter().filter(|p| is_whole(p)).cloned().collect();
    let sizes = differ(points, |point| point.dims);
    type Part = (bool, fn(&Point) -> String);
    let parts: [Part; 7] = [
        (sizes && axis != Axis::Levels, |p| format!("n = {}", p.dims)),
        (
            differ(points, |p| p.message_bits) && axis != Axis::MessageBits,
            |p| format!("M = {}", p.message_bits),
        ),
        (differ(&whole, |p| p.virtual_channels), |p| {
            match p.network {
                NetworkName::Ecube => String::new(),
                _ => format!("V = {}", p.virtual_channels),
            }
        }),
        (differ(points, |p| p.buffer_bits), |p| {
            format!("b = {}", p.buffer_bits)
        }),
        (differ(points, |p| p.switch), |p| p.switch.name().to_owned()),
        (differ(points, |p| p.traffic), |p| p.traffic.to_owned()),
        (
            differ(points, |p| p.load) && axis != Axis::Offered,
            |p| match p.load {
                Load::Once(load) | Load::Offered(load) => format!("load {load}"),
            },
        ),
    ];
    let name = |point: &Point| {
        let network = match point.copies {
            Some(InUse::All) if sizes && axis == Axis::Levels => "all copies".to_owned(),
            _ => point.network_label(),
        };
        let others = parts.iter().filter(|(differ, _)| *differ);
        let others = others.map(|(_, part)| part(point));
        let names = std::iter::once(network).chain(others);
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        names.join(", ")
    };
    points.iter().map(name).collect()
}

/// Begins the plot's file, if there is to be one.
///
/// # Errors
/// No SVG; nothing that points differ in, or too much; a file that cannot be begun.
pub(super) fn plan(options: &MeasureOptions, points: &[Point]) -> Result<Option<Staged>, Error> {
    let Some(path) = &options.plot else {
        return Ok(None);
    };
    check_is_svg(path)?;
    let names = series(points, axis(points)?);
    check_series(names.into_iter(), "network with each of its options")?;
    Ok(Some(Staging::default().create_text(path, "the plot")?))
}

/// One value of a series, averaged over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot {
    at: (f64, f64),
    is_saturated: bool,
}

/// A line of a series.
struct Line {
    series: usize,
    is_light: bool,
    spots: Vec<Spot>,
}

/// One of the pictures.
struct Panel<'a> {
    title: &'static str,
    x: &'static str,
    y: &'static str,
    names: &'a [String],
    lines: Vec<Line>,
    /// There is nothing between whole numbers.
    has_whole_x: bool,
    /// A line from corner to corner: what is offered is accepted.
    has_diagonal: bool,
}

impl Panel<'_> {
    /// The least and the most of all spots.
    fn bounds(&self, of: impl Fn(&Spot) -> f64) -> (f64, f64) {
        let values = || {
            self.lines
                .iter()
                .flat_map(|line| line.spots.iter().map(&of))
        };
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(f64::NEG_INFINITY, f64::max);
        match least <= most {
            true => (least, most),
            false => (1.0, 1.0),
        }
    }
}

/// A value of each point with all seeds, by series and place; rows that have none are left out.
fn spots(
    (points, rows): (&[Point], &[Row]),
    (names, name): (&[String], &str),
    axis: Axis,
    value: impl Fn(&Row) -> Option<f64>,
) -> Vec<Spot> {
    let of_series = || {
        (points.iter().zip(rows).zip(names))
            .filter(|(_, known)| *known == name)
            .map(|(both, _)| both)
            .filter(|(_, row)| row.deadlock.is_none())
    };
    let mut places: Vec<f64> = Vec::new();
    of_series().for_each(|(point, _)| insert(&mut places, axis.of(point)));
    places.sort_by(f64::total_cmp);
    let spot = |x: f64| {
        let here = || of_series().filter(|(point, _)| axis.of(point) == x);
        let values: Vec<f64> = here().filter_map(|(_, row)| value(row)).collect();
        (!values.is_empty()).then(|| Spot {
            at: (x, values.iter().sum::<f64>() / values.len() as f64),
            is_saturated: here().any(|(_, row)| row.saturated == Some(true)),
        })
    };
    places.into_iter().filter_map(spot).collect()
}

/// Draws what was measured and writes it.
///
/// # Errors
/// [`Error::Undrawable`], [`Error::Unwritable`].
pub(super) fn write(file: &mut Staged, points: &[Point], rows: &[Row]) -> Result<(), Error> {
    let svg = draw(points, rows, axis(points)?).map_err(|error| Error::Undrawable {
        reason: error.to_string(),
    })?;
    put(file, &svg)
}

fn draw(points: &[Point], rows: &[Row], axis: Axis) -> Result<String, Box<dyn std::error::Error>> {
    let of_points = series(points, axis);
    let mut names: Vec<String> = Vec::new();
    (of_points.iter()).for_each(|name| insert(&mut names, name.clone()));
    let lines = |is_light: bool, value: &dyn Fn(&Row) -> Option<f64>| {
        let line = |(series, name): (usize, &String)| Line {
            series,
            is_light,
            spots: spots((points, rows), (&of_points, name), axis, value),
        };
        names.iter().enumerate().map(line).collect::<Vec<_>>()
    };
    let mut svg = String::new();
    let height = HEIGHT + LINE_HEIGHT as u32 * names.len() as u32;
    let width = match axis {
        Axis::Offered => WIDTH,
        Axis::Levels | Axis::MessageBits => WIDTH * 2 / 3,
    };
    {
        let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        match axis {
            Axis::Offered => {
                let (left, right) = root.split_horizontally(width / 2);
                let offered = "offered: message bits of a node in a bit time";
                let mut all = lines(true, &|row| row.latency_99.map(|latency| latency as f64));
                all.extend(lines(false, &|row| row.latency_average));
                let latency = Panel {
                    title: "Latency (lighter: 99 in 100; hollow: saturated)",
                    x: offered,
                    y: "bit times from creation to arrival",
                    names: &names,
                    lines: all,
                    has_whole_x: false,
                    has_diagonal: false,
                };
                let (_, last) = latency.bounds(|spot| spot.at.0);
                let (least, most) = latency.bounds(|spot| spot.at.1);
                let times = (least * 0.8..most * 1.25).log_scale();
                draw_panel(&latency, &left, 0.0..last * 1.05, times)?;
                let accepted = Panel {
                    title: "Accepted load (hollow: saturated)",
                    x: offered,
                    y: "message bits of a node in a bit time",
                    names: &names,
                    lines: lines(false, &|row| row.accepted),
                    has_whole_x: false,
                    has_diagonal: true,
                };
                let (_, most) = accepted.bounds(|spot| spot.at.1);
                draw_panel(&accepted, &right, 0.0..last * 1.05, 0.0..most * 1.1)?;
            }
            Axis::Levels | Axis::MessageBits => {
                let mut times = Panel {
                    title: "Bit times of a run for each bit of a message, T / M",
                    x: "levels n (n 2^n nodes)",
                    y: "bit times / message bits",
                    names: &names,
                    lines: lines(false, &|row| row.bit_times_per_message_bit),
                    has_whole_x: true,
                    has_diagonal: false,
                };
                let (first, last) = times.bounds(|spot| spot.at.0);
                let (_, most) = times.bounds(|spot| spot.at.1);
                match axis {
                    Axis::MessageBits => {
                        times.x = "bits of a message M";
                        let bits = (first * 0.8..last * 1.25).log_scale().base(2.0);
                        draw_panel(&times, &root, bits, 0.0..most * 1.05)?;
                    }
                    _ => draw_panel(&times, &root, first - 0.4..last + 0.4, 0.0..most * 1.05)?,
                }
            }
        }
        root.present()?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_panel<X, Y>(panel: &Panel<'_>, area: &Area<'_>, x: X, y: Y) -> Drawn
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let words = |size: u32| (FONT, size).into_font().color(&INK);
    let (legend, area) =
        area.split_vertically(TITLE_HEIGHT + LINE_HEIGHT * panel.names.len() as i32);
    let title = words(18).pos(Pos::new(HPos::Left, VPos::Top));
    legend.draw(&Text::new(panel.title, (LEFT, 10), title))?;
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
        .x_desc(panel.x)
        .y_desc(panel.y)
        .x_labels(12)
        .y_labels(8)
        .x_label_formatter(
            &|value| match panel.has_whole_x && (value - value.round()).abs() > 1e-6 {
                true => String::new(),
                false => short(*value),
            },
        )
        .y_label_formatter(&|value| short(*value))
        .axis_desc_style(words(14))
        .label_style(words(13))
        .draw()?;
    if panel.has_diagonal {
        let end = panel.bounds(|spot| spot.at.0.min(spot.at.1)).1;
        let diagonal = vec![(0.0, 0.0), (end, end)];
        chart.draw_series(LineSeries::new(diagonal, INK.mix(0.6)))?;
    }
    for line in &panel.lines {
        let colour = COLOURS[line.series % COLOURS.len()];
        let spots = line.spots.iter().map(|spot| spot.at);
        if line.is_light {
            chart.draw_series(LineSeries::new(spots, colour.mix(LIGHT).stroke_width(1)))?;
            continue;
        }
        chart.draw_series(LineSeries::new(spots, colour.stroke_width(2)))?;
        for spot in &line.spots {
            let mark = marker(line.series, spot.at, (colour, !spot.is_saturated));
            chart.plotting_area().draw(&mark)?;
        }
    }
    for (series, name) in panel.names.iter().enumerate() {
        let colour = COLOURS[series % COLOURS.len()];
        let height = TITLE_HEIGHT + LINE_HEIGHT * series as i32 + LINE_HEIGHT / 2;
        legend.draw(&marker(series, (LEFT + 6, height), (colour, true)))?;
        let style = words(13).pos(Pos::new(HPos::Left, VPos::Center));
        legend.draw(&Text::new(name.clone(), (LEFT + 18, height), style))?;
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
    use crate::measure::left_out::LeftOut;
    use crate::measure::wormhole::WormholeGrid;
    use crate::measure::wormhole::grid;

    fn points(dims: &str, load: Option<&str>) -> Vec<Point> {
        let list = |text: &str| Some(text.to_owned());
        let options = MeasureOptions {
            dims: list(dims),
            seeds: 2,
            wormhole: WormholeGrid {
                network: list("all"),
                virtual_channels: list("2,3"),
                offered_load: load.and_then(list),
                ..WormholeGrid::default()
            },
            ..MeasureOptions::default()
        };
        grid::points(&options, &mut LeftOut::default()).unwrap()
    }

    #[test]
    fn series_are_what_points_differ_in_beside_the_axis_and_the_seed() {
        let names = |points: &[Point]| {
            let mut names = Vec::new();
            for name in series(points, axis(points).unwrap()) {
                insert(&mut names, name);
            }
            names
        };
        let by_size = points("2,4", None);
        assert_eq!(
            names(&by_size),
            [
                "ccc, V = 2",
                "ccc, V = 3",
                "all copies, V = 2",
                "all copies, V = 3",
                "ecube"
            ]
        );
        let by_load = points("2", Some("0.1,0.2"));
        assert_eq!(
            names(&by_load),
            [
                "ccc, V = 2",
                "ccc, V = 3",
                "copies 2, V = 2",
                "copies 2, V = 3",
                "ecube"
            ]
        );
        assert!(axis(&points("2", None)).is_err());
        assert!(axis(&points("2,4", Some("0.1"))).is_err());
    }
}
