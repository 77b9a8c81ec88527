//! What a grid is over: lists of values, a list an axis; and where a point is on each of them.

use std::collections::HashMap;

use crate::error::Error;
use crate::measure::list::check_amount;
use crate::measure::{Point, Seeds};

/// As many rows as anybody would read by script.
pub(super) const MOST_POINTS: usize = 100_000;

/// Lists of values, each of which makes points of points; the last one varies fastest.
pub struct Axes<P> {
    first: P,
    lists: Vec<Vec<Step<P>>>,
}

/// Sets a point to a value of a list.
type Step<P> = Box<dyn Fn(&mut P)>;

impl<P: Clone + 'static> Axes<P> {
    /// None as yet: of a point that says what no list does.
    pub fn new(first: P) -> Self {
        Axes {
            first,
            lists: Vec::new(),
        }
    }

    /// With each of these values besides.
    pub fn over<T: Clone + 'static>(mut self, values: &[T], set: fn(&mut P, T)) -> Self {
        let step = |value: T| -> Step<P> { Box::new(move |point| set(point, value.clone())) };
        self.lists.push(values.iter().cloned().map(step).collect());
        self
    }

    fn amount(&self) -> u128 {
        self.lists.iter().map(|list| list.len() as u128).product()
    }

    fn points(&self) -> Vec<P> {
        let each = |points: Vec<P>, list: &Vec<Step<P>>| {
            let with = |point: P| {
                list.iter().map(move |set| {
                    let mut point = point.clone();
                    set(&mut point);
                    point
                })
            };
            points.into_iter().flat_map(with).collect()
        };
        self.lists.iter().fold(vec![self.first.clone()], each)
    }
}

/// The points of several grids, one after the other, if all of them with all seeds are not too many.
///
/// # Errors
/// More than anybody would read.
pub fn points<P: Clone + 'static>(grids: &[Axes<P>], seeds: &Seeds) -> Result<Vec<P>, Error> {
    let points = grids.iter().map(Axes::amount).sum::<u128>() * u128::from(seeds.amount);
    check_amount(points)?;
    Ok(grids.iter().flat_map(Axes::points).collect())
}

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
    pub fn of<P: Point>(points: &[P], against: &str) -> Self {
        let all: Vec<Vec<Coordinate>> = points.iter().map(Point::coordinates).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Axes<(usize, char)> {
        Axes::new((0, ' '))
            .over(&[3, 1], |point, number| point.0 = number)
            .over(&['a', 'b'], |point, letter| point.1 = letter)
    }

    #[test]
    fn the_last_axis_varies_fastest_and_the_first_grid_comes_first() {
        let seeds = Seeds {
            first: 1,
            amount: 1,
        };
        let other = Axes::new((7, 'z'));
        assert_eq!(
            points(&[grid(), other], &seeds).unwrap(),
            [(3, 'a'), (3, 'b'), (1, 'a'), (1, 'b'), (7, 'z')]
        );
    }

    #[test]
    fn more_points_than_anybody_reads_are_counted_and_never_made() {
        let seeds = |amount| Seeds { first: 1, amount };
        assert_eq!(points(&[grid()], &seeds(25_000)).unwrap().len(), 4);
        let many = Axes::new(0).over(&[0; 1000], |_, _| ());
        let many = (0..5).fold(many, |many, _| many.over(&[0; 1000], |_, _| ()));
        for (grids, amount, found) in [
            (vec![grid()], 25_001, 100_004),
            (vec![grid(), grid()], 12_501, 100_008),
        ] {
            let refused = points(&grids, &seeds(amount));
            let refused = refused.unwrap_err().to_string();
            assert!(refused.starts_with(&format!("the grid has {found} points, ")));
        }
        assert!(points(&[many], &seeds(1)).is_err());
    }
}
