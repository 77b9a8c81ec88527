//! What is drawn of a sweep against what.

use rtl_model::routers::collectives::algorithms::Operation;

use crate::error::Error;
use crate::families::collectives::measure::place::Place;
use crate::families::collectives::measure::point::Point;
use crate::families::collectives::measure::row::have_routers;
use crate::measure::axes::Series;
use crate::measure::fastest;
use crate::measure::plot::{Against, Look, Panel, Scale, curves};
use crate::measure::row::Row;

fn differ<T: PartialEq>(points: &[Point], of: impl Fn(&Place) -> T) -> bool {
    let mut pairs = points.windows(2);
    pairs.any(|pair| of(&pair[0].place) != of(&pair[1].place))
}

/// Sizes of messages, of which an operation has one kind.
fn size(points: &[Point]) -> Option<(&'static str, &'static str)> {
    if differ(points, |place| place.message_bits) {
        return Some(("message_bits", "bits M of a message"));
    }
    let are_matrices = |point: &Point| point.place.operation == Operation::Transpose;
    if points.iter().all(are_matrices) && differ(points, |place| (place.size, place.word_bits)) {
        return Some(("node_bits", "bits of the matrix at a node"));
    }
    None
}

/// What a plot is drawn against: the first that varies.
///
/// # Errors
/// Nothing varies.
pub(super) fn against(points: &[Point]) -> Result<Against, Error> {
    let against = |axis, label, scale| {
        Ok(Against {
            axis,
            label,
            scale,
            series_of: "algorithm",
        })
    };
    if differ(points, |place| place.dims) {
        return against("dims", "dimensions n of the hypercube", Scale::Whole);
    }
    if let Some((axis, label)) = size(points) {
        return against(axis, label, Scale::Log(2.0));
    }
    if differ(points, |place| place.bins) {
        return against("bins", "bins b", Scale::Log(2.0));
    }
    if differ(points, |place| place.word_bits) {
        return against("word_bits", "bits W of a count", Scale::FromZero(1.05));
    }
    // Of routers there is one start-up, so algorithms alone decide.
    let algorithms: Vec<Point> = points
        .iter()
        .filter(|point| !point.is_router())
        .cloned()
        .collect();
    if differ(&algorithms, |place| place.start_up) {
        return against(
            "start_up",
            "bit times T of a start-up",
            Scale::FromZero(1.05),
        );
    }
    if differ(&algorithms, |place| place.packet_bits) {
        return against("packet_bits", "bits B of a packet", Scale::Log(2.0));
    }
    if differ(&algorithms, |place| place.groups) {
        return against("groups", "groups g", Scale::Log(2.0));
    }
    Err(Error::NothingVaries {
        what: "bit times",
        against: "--dims, sizes, --start-up, --packet-bits or --groups",
        only: "one of each".to_owned(),
        example: "--dims 2..6".to_owned(),
    })
}

/// The pictures of a plot.
pub(super) fn panels(
    points: &[Point],
    rows: &[Row],
    (series, axis): (&Series, &str),
) -> Vec<Panel> {
    let along = (series, rows, axis);
    let decades = Scale::Log(10.0);
    let panel = |named, scale, name: &str| Panel::of_column(named, scale, name, along);
    if have_routers(rows) {
        return vec![
            panel(("Bit times", "bit times"), decades, "bit_times"),
            panel(
                ("Storage of a node with its messages", "bits"),
                decades,
                "storage_with_messages",
            ),
        ];
    }
    match size(points).filter(|_| axis == "dims") {
        Some((size, _)) => {
            // Of several messages, the longest.
            let longest = |row: &Row| {
                let alike = rows
                    .iter()
                    .filter(|one| one.text("dims") == row.text("dims"));
                let sizes = alike.filter_map(|one| one.number(size));
                row.number(size) == sizes.reduce(f64::max)
            };
            vec![
                Panel {
                    title: "Bit times of the longest message",
                    unit: "bit times",
                    scale: decades,
                    curves: curves(
                        (series, rows),
                        axis,
                        |row| row.number("bit_times").filter(|_| longest(row)),
                        |_| Look::Filled,
                    ),
                    has_diagonal: false,
                },
                Panel {
                    title: "From which size on each is the fastest of all",
                    unit: "bits",
                    scale: Scale::Log(2.0),
                    curves: fastest::curves(&["algorithm", "ports"], size, (series, rows)),
                    has_diagonal: false,
                },
            ]
        }
        None => vec![
            panel(("Bit times", "bit times"), decades, "bit_times"),
            panel(
                ("Routing steps", "steps"),
                Scale::FromZero(1.05),
                "routing_steps",
            ),
            panel(
                ("To send on", "bits of a node"),
                Scale::FromZero(1.05),
                "forwarding_buffer_bits",
            ),
        ],
    }
}
