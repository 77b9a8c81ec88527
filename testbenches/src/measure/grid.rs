//! The grid of a sweep: its points, each checked before the first one runs.

use rtl_model::memory;

use crate::benches::{self, Requirement};
use crate::catalogue::{Bench, Schedule};
use crate::error::Error;
use crate::measure::MeasureOptions;
use crate::measure::duration;
use crate::measure::lists::{self, PayloadSize};
use crate::measure::row::Row;
use crate::measure::run::{Job, run_point};
use crate::options::Setup;

/// A point of the grid.
pub(super) struct Point {
    pub bench: Bench,
    /// The grid has other testbenches as well.
    pub is_of_several: bool,
    pub setup: Setup,
    pub payload: Option<PayloadSize>,
    pub requirement: Requirement,
}

impl Point {
    /// Its dimensions.
    pub fn dims(&self) -> usize {
        self.setup.dims.unwrap_or_default()
    }

    /// Its schedule, or the testbench where that has only one; both, where there are several testbenches.
    pub fn schedule(&self) -> String {
        let bench = self.bench.name();
        match self.setup.schedule.as_deref() {
            None => bench.to_owned(),
            Some(schedule) if self.is_of_several => format!("{bench} {schedule}"),
            Some(schedule) => schedule.to_owned(),
        }
    }

    /// What a series of points is called: its schedule and its payload.
    pub fn series(&self) -> String {
        let schedule = self.schedule();
        match self.payload {
            Some(size) => format!("{schedule}, D = {size}"),
            None => schedule,
        }
    }
}

impl Job for Point {
    type Row = Row;

    fn work(&self) -> u64 {
        duration::work(self)
    }

    fn bytes(&self) -> u64 {
        self.requirement.bytes
    }

    fn run(&self) -> Result<Row, Error> {
        run_point(self.bench, &self.setup)
    }

    fn at_point(&self, reason: Error) -> Error {
        at_point(self, reason)
    }
}

/// As many rows as anybody would read by script.
const MOST_POINTS: usize = 100_000;

/// All points, each sized up.
pub(super) fn points(benches: &[Bench], options: &MeasureOptions) -> Result<Vec<Point>, Error> {
    let mut points = Vec::new();
    for bench in lists::with_schedules(benches, options.schedule.as_deref())? {
        points.extend(points_of(bench, benches.len() > 1, options, points.len())?);
    }
    Ok(points)
}

/// Those of a testbench, given how many points others have.
fn points_of(
    (bench, schedules): (Bench, Vec<Option<Schedule>>),
    is_of_several: bool,
    options: &MeasureOptions,
    others: usize,
) -> Result<Vec<Point>, Error> {
    let dims = lists::numbers("--dims", options.dims.as_deref().unwrap_or("2..=8"))?;
    let loads = lists::loads(options.load.as_deref().unwrap_or("0.75"))?;
    let payloads = match (&options.payload_bits, bench) {
        (None, Bench::Enumeration) => vec![None],
        (list, _) => lists::payloads(list.as_deref().unwrap_or("8"))?
            .into_iter()
            .map(Some)
            .collect(),
    };
    check_seeds(options)?;
    let lengths = [schedules.len(), payloads.len(), dims.len(), loads.len()];
    check_amount(product(&lengths) * u128::from(options.seeds) + others as u128)?;
    let mut points = Vec::new();
    for schedule in &schedules {
        for payload in &payloads {
            for &k in &dims {
                for &load in &loads {
                    for seed in 0..options.seeds {
                        let setup = Setup {
                            wormhole: Default::default(),
                            dims: Some(k),
                            payload_bits: payload.map(|size| size.bits(k)),
                            schedule: schedule.map(|schedule| schedule.name().to_owned()),
                            traffic: options.traffic.clone(),
                            traffic_file: None,
                            load: Some(load),
                            seed: options.seed + seed,
                        };
                        points.push(Point {
                            bench,
                            is_of_several,
                            requirement: benches::requirement(bench, &setup)?,
                            setup,
                            payload: *payload,
                        });
                    }
                }
            }
        }
    }
    Ok(points)
}

/// How many points lists of such lengths have.
pub(super) fn product(lengths: &[usize]) -> u128 {
    lengths.iter().map(|&length| length as u128).product()
}

/// Refuses a grid of too many points.
pub(super) fn check_amount(points: u128) -> Result<(), Error> {
    match points > MOST_POINTS as u128 {
        true => Err(Error::GridTooLarge {
            points,
            most: MOST_POINTS,
        }),
        false => Ok(()),
    }
}

/// Refuses seeds that there are not.
pub(super) fn check_seeds(options: &MeasureOptions) -> Result<(), Error> {
    let wrong = |why: &str| {
        Err(Error::List {
            option: "--seeds",
            why: why.to_owned(),
        })
    };
    match options.seeds.checked_sub(1) {
        None => wrong("0 seeds leave nothing to measure: give 1 or more"),
        Some(more) if options.seed.checked_add(more).is_none() => {
            wrong("there are not so many seeds from --seed on: begin with a smaller one")
        }
        Some(_) => Ok(()),
    }
}

/// Refuses a point that would not fit even alone.
pub(super) fn check_memory(points: &[Point], available: u64) -> Result<(), Error> {
    for point in points {
        let nodes = 1usize << point.dims();
        memory::require_for_nodes(
            format!("the point of {nodes} nodes"),
            nodes,
            point.requirement.bytes,
            available,
        )?;
    }
    Ok(())
}

/// Refuses points of full permutations at which not all nodes would send.
pub(super) fn check_loads(points: &[Point]) -> Result<(), Error> {
    for point in points {
        if let Some(schedule) = point.setup.schedule(point.bench)? {
            benches::permutation::check_load(schedule, &point.setup)?;
        }
    }
    Ok(())
}

/// Draws traffic, which says whether pattern, load and schedule will do: of the smallest cubes all of it, of
/// the others none at all, for patterns that some cubes lack; for full permutations, all. A pattern that a packing was asked to route may be
/// none that it can in any cube, so there all is drawn.
pub(super) fn check_traffic(points: &[Point]) -> Result<(), Error> {
    struct Nothing;
    impl benches::Task for Nothing {
        type Output = ();
        fn perform<T: benches::Testbench>(self, _testbench: T) -> Result<(), Error> {
            Ok(())
        }
    }
    let smallest = points.iter().filter_map(|point| point.setup.dims).min();
    let mut checked = Vec::new();
    for point in points {
        let (bench, mut setup) = (point.bench, point.setup.clone());
        if bench == Bench::Packing && setup.traffic.is_some() {
            benches::set_up(bench, &setup, Nothing).map_err(|reason| at_point(point, reason))?;
            continue;
        }
        let is_full_only = setup.schedule(bench)?.is_some_and(Schedule::is_full_only);
        if setup.dims != smallest && !is_full_only {
            setup.load = Some(0.0);
        }
        let what = (bench, setup.dims, setup.load, is_full_only);
        if !checked.contains(&what) && (setup.dims == smallest || setup.traffic.is_some()) {
            benches::set_up(bench, &setup, Nothing)?;
            checked.push(what);
        }
    }
    Ok(())
}

/// An error that says at which point it was met.
fn at_point(point: &Point, reason: Error) -> Error {
    match reason {
        Error::Interrupted => reason,
        reason => Error::AtPoint {
            series: point.series(),
            dims: point.dims(),
            load: point.setup.load.unwrap_or_default(),
            seed: point.setup.seed,
            reason: Box::new(reason),
        },
    }
}

/// The texts of closed forms by `k`, as one: each with the sizes that it is for, where that is not all.
pub(super) fn forms(mut by_size: Vec<(usize, &'static str)>) -> Vec<String> {
    by_size.sort_unstable();
    let mut distinct: Vec<(usize, &'static str)> = Vec::new();
    for (k, text) in by_size {
        if !distinct.iter().any(|(_, known)| *known == text) {
            distinct.push((k, text));
        }
    }
    let several = distinct.len() > 1;
    distinct
        .into_iter()
        .map(|(k, text)| {
            match several
                && !text.contains(" (k")
                && !text.contains(" (even")
                && !text.contains(" (odd")
            {
                true => format!("{text} (k from {k})"),
                false => text.to_owned(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_say_which_sizes_they_are_for_where_there_are_several() {
        let small = vec![(4, "12k"), (2, "14 (k=2)"), (5, "12k"), (2, "14 (k=2)")];
        assert_eq!(forms(small), ["14 (k=2)", "12k (k from 4)"]);
        assert_eq!(forms(vec![(4, "12k"), (5, "12k")]), ["12k"]);
        let alternating = vec![
            (4, "a (even k)"),
            (5, "b (odd k)"),
            (6, "a (even k)"),
            (7, "b (odd k)"),
        ];
        assert_eq!(forms(alternating), ["a (even k)", "b (odd k)"]);
    }
}
