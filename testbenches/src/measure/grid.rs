//! The grid of a sweep: its points, each checked before the first one runs.

use std::fmt;

use rtl_model::memory;

use crate::benches::{self, Requirement};
use crate::catalogue::{Bench, Schedule};
use crate::error::Error;
use crate::measure::MeasureOptions;
use crate::measure::duration;
use crate::measure::left_out::LeftOut;
use crate::measure::lists::{self, PayloadSize, Schedules};
use crate::measure::ranges;
use crate::measure::row::Row;
use crate::measure::run::{Job, run_point};
use crate::options::{Setup, default_load};

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

impl fmt::Display for Point {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let load = self.setup.load.unwrap_or_default();
        write!(
            formatter,
            "{}, k = {}, load {load}, seed {}",
            self.series(),
            self.dims(),
            self.setup.seed
        )
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
        match reason {
            Error::Interrupted => reason,
            reason => Error::AtPoint {
                point: self.to_string(),
                reason: Box::new(reason),
            },
        }
    }
}

/// As many rows as anybody would read by script.
const MOST_POINTS: usize = 100_000;

/// All points that can be, each sized up.
pub(super) fn points(
    benches: &[Bench],
    options: &MeasureOptions,
    left_out: &mut LeftOut,
) -> Result<Vec<Point>, Error> {
    let mut points = Vec::new();
    for &bench in benches {
        let schedules = lists::with_schedules(bench, benches, options.schedule.as_deref());
        if let Some(schedules) = left_out.keep(schedules, (&bench.name(), 1))? {
            let is_of_several = benches.len() > 1;
            points.extend(points_of(
                (bench, schedules),
                is_of_several,
                options,
                points.len(),
            )?);
        }
    }
    Ok(points)
}

/// Those of a testbench, given how many points others have.
fn points_of(
    (bench, schedules): (Bench, Schedules),
    is_of_several: bool,
    options: &MeasureOptions,
    others: usize,
) -> Result<Vec<Point>, Error> {
    let dims = ranges::numbers("--dims", options.dims.as_deref().unwrap_or("2..8"))?;
    let loads = options.load.as_deref();
    let loads = loads
        .map(|list| ranges::shares("--load", list))
        .transpose()?;
    let payloads = match (&options.payload_bits, bench) {
        (None, Bench::Enumeration) => vec![None],
        (list, _) => lists::payloads(list.as_deref().unwrap_or("8"))?
            .into_iter()
            .map(Some)
            .collect(),
    };
    check_seeds(options)?;
    let lengths = [
        schedules.len(),
        payloads.len(),
        dims.len(),
        loads.as_ref().map_or(1, Vec::len),
    ];
    check_amount(product(&lengths) * u128::from(options.seeds) + others as u128)?;
    let mut points = Vec::new();
    for schedule in &schedules {
        let loads = match &loads {
            Some(loads) => loads.clone(),
            None => vec![default_load(*schedule)],
        };
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

/// Leaves out points of full permutations at which not all nodes would send.
pub(super) fn with_all_senders(
    points: Vec<Point>,
    left_out: &mut LeftOut,
) -> Result<Vec<Point>, Error> {
    let check = |point: &Point| match point.setup.schedule(point.bench)? {
        Some(schedule) => benches::permutation::check_load(schedule, &point.setup),
        None => Ok(()),
    };
    kept(points, left_out, check)
}

/// Those of which a check says that they can be.
fn kept(
    points: Vec<Point>,
    left_out: &mut LeftOut,
    mut check: impl FnMut(&Point) -> Result<(), Error>,
) -> Result<Vec<Point>, Error> {
    let mut kept = Vec::with_capacity(points.len());
    for point in points {
        if left_out.keep(check(&point), (&point, 1))?.is_some() {
            kept.push(point);
        }
    }
    Ok(kept)
}

/// Draws traffic, which says whether pattern, load and schedule will do, and leaves out what has none: of the smallest cubes
/// all of it is drawn, of the others none at all, for patterns that some cubes lack; for full permutations, all. A pattern
/// that a packing was asked to route may be none that it can in any cube, so there all is drawn.
pub(super) fn with_traffic(
    points: Vec<Point>,
    left_out: &mut LeftOut,
) -> Result<Vec<Point>, Error> {
    struct Nothing;
    impl benches::Task for Nothing {
        type Output = ();
        fn perform<T: benches::Testbench>(self, _testbench: T) -> Result<(), Error> {
            Ok(())
        }
    }
    let smallest = points.iter().filter_map(|point| point.setup.dims).min();
    let mut known = Vec::new();
    kept(points, left_out, |point| {
        let (bench, mut setup) = (point.bench, point.setup.clone());
        if bench == Bench::Packing && setup.traffic.is_some() {
            return benches::set_up(bench, &setup, Nothing);
        }
        let is_full_only = setup.schedule(bench)?.is_some_and(Schedule::is_full_only);
        if setup.dims != smallest && !is_full_only {
            setup.load = Some(0.0);
        }
        let what = (bench, setup.dims, setup.load, is_full_only);
        let is_sure = setup.dims != smallest && setup.traffic.is_none();
        if !is_sure && !known.contains(&what) {
            benches::set_up(bench, &setup, Nothing)?;
            known.push(what);
        }
        Ok(())
    })
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
