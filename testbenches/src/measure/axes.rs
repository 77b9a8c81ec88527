//! Where a point is on each axis of a grid, and which points belong together.

use std::collections::HashMap;

use crate::measure::GridPoint;

/// As many rows as anybody would read by script.
pub(super) const MOST_POINTS: usize = 100_000;

/// Where a point is on one axis.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The axis, as its column is called.
    pub axis: &'static str,
    /// In words.
    pub label: String,
    /// Whether a series of a plot is called by it.
    pub in_series: InSeries,
}

/// Whether a series of a plot is called by a coordinate of its points. It never is by that against which is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InSeries {
    /// It is.
    Always,
    /// It is, by this, where the plot is drawn against that axis, and by its label where not.
    Along(&'static str, String),
    /// It is, by this, if other points are elsewhere.
    IfOthersDiffer(String),
    /// It is not: what is drawn is the same for all of them, or there was no choice.
    Never,
}

impl Coordinate {
    /// By which a series is called.
    pub fn always(axis: &'static str, label: String) -> Self {
        Coordinate {
            axis,
            label,
            in_series: InSeries::Always,
        }
    }

    /// By which a series is called where points differ in it.
    pub fn of_some(axis: &'static str, label: String) -> Self {
        Coordinate {
            in_series: InSeries::IfOthersDiffer(label.clone()),
            ..Coordinate::always(axis, label)
        }
    }

    /// By which no series is called.
    pub fn of_none(axis: &'static str, label: String) -> Self {
        Coordinate {
            in_series: InSeries::Never,
            ..Coordinate::always(axis, label)
        }
    }
}

/// What a point at these coordinates is called.
pub fn name(coordinates: &[Coordinate]) -> String {
    let labels: Vec<&str> = coordinates.iter().map(|one| one.label.as_str()).collect();
    labels.join(", ")
}

/// Which points belong together in a plot.
#[derive(Clone, Debug)]
pub struct Series {
    /// What each is called, in the order of the grid.
    pub names: Vec<String>,
    /// Of each point.
    pub of: Vec<usize>,
}

impl Series {
    /// Of points that are drawn against an axis.
    pub fn of<P: GridPoint>(points: &[P], against: &str) -> Self {
        let all: Vec<Vec<Coordinate>> = points.iter().map(GridPoint::coordinates).collect();
        // The first name that some points have of an axis, and whether others have another one.
        let mut varying: Vec<(&'static str, &str, bool)> = Vec::new();
        for coordinate in all.iter().flatten() {
            let InSeries::IfOthersDiffer(name) = &coordinate.in_series else {
                continue;
            };
            match varying
                .iter_mut()
                .find(|(axis, ..)| *axis == coordinate.axis)
            {
                Some((_, known, differs)) => *differs |= known != name,
                None => varying.push((coordinate.axis, name, false)),
            }
        }
        let differs = |axis: &str| {
            varying
                .iter()
                .any(|(one, _, differs)| *one == axis && *differs)
        };
        let part = |coordinate: &Coordinate| match &coordinate.in_series {
            _ if coordinate.axis == against => None,
            InSeries::Never => None,
            InSeries::IfOthersDiffer(name) => differs(coordinate.axis).then(|| name.clone()),
            InSeries::Along(axis, name) if *axis == against => Some(name.clone()),
            InSeries::Always | InSeries::Along(..) => Some(coordinate.label.clone()),
        };
        let (mut names, mut of, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        for coordinates in &all {
            let parts: Vec<String> = coordinates.iter().filter_map(part).collect();
            let name = parts.join(", ");
            let place = *known.entry(name).or_insert_with_key(|name: &String| {
                names.push(name.clone());
                names.len() - 1
            });
            of.push(place);
        }
        Series { names, of }
    }
}
