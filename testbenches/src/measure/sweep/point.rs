//! A point of a sweep: what is chosen, what it is called, and its row.

use crate::error::Error;
use crate::lockstep::Requirement;
use crate::measure::axes::{self, Coordinate};
use crate::measure::duration::{Cost, Work};
use crate::measure::reading::{Finished, Reading, put_what_follows};
use crate::measure::row::{Row, Value};
use crate::measure::sweep::{Beside, Size};
use crate::measure::{self, timing};
use crate::options::{Format, RunOptions};
use crate::report::{Check, Date, DateArgument, Meta};
use crate::testbench::bench::run_beside_others;
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::{InSeries, Parameter, SEED};

/// A point: what is chosen, and what it takes.
#[derive(Clone)]
pub struct Point {
    /// What is chosen.
    pub chosen: Chosen,
    /// What a run takes; none of what is measured beside.
    pub requirement: Option<Requirement>,
    size: Size,
    /// What its job has found.
    found: Vec<(&'static Parameter, Given)>,
}

impl Point {
    /// What it is called among those that the sweep compares.
    fn who(&self) -> String {
        who(&self.chosen)
    }

    /// The others beside which it is, if it is one of them.
    fn beside(&self) -> Option<&'static Beside> {
        let beside = self.chosen.bench().sweep.beside.as_ref();
        beside.filter(|beside| self.chosen.has(beside.named_by))
    }

    /// Runs it, and reads what it gives.
    fn read(&self) -> Result<Row, Error> {
        match self.beside() {
            Some(beside) => (beside.run)(&self.chosen),
            None => {
                let report = run_beside_others(&self.chosen)?;
                Ok(row(&Finished::new(&self.chosen, &report)))
            }
        }
    }
}

/// Readings by their names, and checks.
pub type ReadBeside = (Vec<(&'static str, Value)>, Vec<Check>);

/// The row of what is measured beside. Of parameters it has what was chosen.
pub fn row_beside(chosen: &Chosen, (read, checks): &ReadBeside) -> Row {
    let readings = chosen.bench().sweep.readings.iter();
    let value = |reading: &Reading| {
        let found = read.iter().find(|(name, _)| *name == reading.name);
        let found = found.map(|(_, value)| value.clone());
        (
            reading.name,
            found.unwrap_or_else(|| reading.chosen(chosen)),
        )
    };
    Row::of(readings.map(value).collect(), checks)
}

/// The row of a run that is over, with the checks that are of points, and what follows from its readings.
pub fn row_of(run: &Finished<'_>) -> Row {
    with_what_follows(run.chosen, row(run))
}

fn with_what_follows(chosen: &Chosen, mut row: Row) -> Row {
    let bench = chosen.bench();
    for readings in [bench.sweep.readings, bench.readings] {
        put_what_follows(readings, chosen, &mut row);
    }
    row
}

/// The row of a run that is over, with the checks that are of points.
pub fn row(run: &Finished<'_>) -> Row {
    let bench = run.chosen.bench();
    let readings = bench.sweep.readings.iter().chain(bench.readings);
    let values = readings.map(|reading| (reading.name, reading.read(run)));
    let of_points = run.report.checks.iter().filter(|check| check.is_of_points);
    let checks: Vec<Check> = of_points.cloned().collect();
    Row::of(values.collect(), &checks)
}

pub(super) fn who(chosen: &Chosen) -> String {
    (chosen.bench().sweep.who.1)(chosen)
}

/// Where a point is on each axis that it has.
pub(super) fn coordinates(chosen: &Chosen) -> Vec<Coordinate> {
    let sweep = chosen.bench().sweep;
    let (axis, who) = sweep.who;
    let mut first = Coordinate::always(axis, who(chosen));
    if let Some((along, name)) = sweep.along.and_then(|along| along(chosen)) {
        first.in_series = axes::InSeries::Along(along, name);
    }
    let mut coordinates = vec![first];
    let own = sweep.axes_of(&[chosen.bench()]).into_iter();
    let mut axes: Vec<_> = own.filter_map(|one| Some((one, one.axis?))).collect();
    let place = |parameter: &Parameter| {
        let mut all = chosen.bench().parameters.iter();
        all.position(|one| one.name == parameter.name)
    };
    // Those that are named first as the testbench has them, the others as they vary.
    axes.sort_by_key(|(parameter, axis)| match axis.is_named_first {
        true => (false, place(parameter)),
        false => (true, None),
    });
    for (parameter, axis) in axes {
        let value = match chosen.given(parameter) {
            Some(Given::Whole(form)) => Some(form.to_string()),
            None if !parameter.left_in_words.is_empty() => None,
            _ => chosen.shown(parameter),
        };
        let label = match value {
            _ if !parameter.applies(chosen) => parameter.elsewhere_in_words.to_owned(),
            Some(value) => parameter.told(&value),
            None if parameter.left_in_words.is_empty() => continue,
            None => parameter.left_in_words.to_owned(),
        };
        match axis.series {
            // A switch that is on has no value to be told.
            _ if label.is_empty() => continue,
            InSeries::InName => continue,
            InSeries::IfGiven if !chosen.has(parameter) => continue,
            _ => {}
        }
        // Axes that rows have as one are one.
        let label = match coordinates.pop_if(|last| last.axis == parameter.in_rows()) {
            Some(first) => format!("{}, {label}", first.label),
            None => label,
        };
        coordinates.push(match axis.series {
            InSeries::Always => Coordinate::always(parameter.in_rows(), label),
            InSeries::Never => Coordinate::of_none(parameter.in_rows(), label),
            InSeries::IfChoice(has_choice) if !has_choice(chosen) => {
                Coordinate::of_none(parameter.in_rows(), label)
            }
            _ => Coordinate::of_some(parameter.in_rows(), label),
        });
    }
    let seed = SEED.told(&chosen.seed().to_string());
    coordinates.push(Coordinate::of_none(SEED.name, seed));
    coordinates
}

/// What a point takes.
pub(super) fn sized_up(chosen: Chosen) -> Result<Point, Error> {
    let beside = chosen.bench().sweep.beside.as_ref();
    if let Some(beside) = beside.filter(|beside| chosen.has(beside.named_by)) {
        return Ok(Point {
            size: (beside.size)(&chosen)?,
            requirement: None,
            found: Vec::new(),
            chosen,
        });
    }
    let job = (chosen.bench().job)(&chosen)?;
    let (nodes, requirement) = (job.machine().topology().nodes(), job.requirement());
    Ok(Point {
        size: Size::of(&chosen, nodes, &requirement),
        requirement: Some(requirement),
        found: job.found(),
        chosen,
    })
}

impl measure::GridPoint for Point {
    fn coordinates(&self) -> Vec<Coordinate> {
        coordinates(&self.chosen)
    }

    fn with_seed(&self, seed: u64) -> Self {
        let mut point = self.clone();
        let seed = Given::number(seed as usize);
        point.chosen.set(&SEED, Some(seed));
        point
    }

    fn nodes(&self) -> usize {
        self.size.nodes
    }

    fn bytes(&self) -> u64 {
        self.size.bytes
    }

    fn work(&self) -> Work {
        self.size.work
    }

    fn kind_of_work(&self) -> String {
        format!("{} {}", self.chosen.bench().name, self.who())
    }

    fn cost(&self) -> Result<Cost, Error> {
        match self.beside() {
            Some(beside) => (beside.cost)(&self.chosen),
            None => timing::cost(&self.chosen),
        }
    }

    fn meta(&self, date: Date) -> Meta {
        let options = RunOptions {
            format: Format::Json,
            date: DateArgument::of(date),
            ..RunOptions::default()
        };
        let chosen = self.chosen.clone().with_found(self.found.clone());
        chosen.meta(&options, date)
    }

    fn run(&self) -> Result<Row, Error> {
        Ok(with_what_follows(&self.chosen, self.read()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::testbenches;
    use crate::testbench::bench::asked;

    #[test]
    fn a_check_of_points_that_fails_fails_its_row_and_no_other_does() {
        let chosen = asked(testbenches().next().unwrap(), "--dims 2");
        let mut report = run_beside_others(&chosen).unwrap();
        let row = |report: &_| super::row(&Finished::new(&chosen, report));
        assert!(row(&report).passed());
        report.checks[0].passed = false;
        assert!(!row(&report).passed());
        report.checks[0].is_of_points = false;
        assert!(row(&report).passed());
    }
}
