//! A sweep as a value: its axes, its readings, and what a plot of them shows. Points, names, rows and columns follow.

use std::collections::HashSet;
use std::sync::OnceLock;

use clap::{ArgMatches, Command};

use crate::error::Error;
use crate::families::testbenches;
use crate::lockstep::Requirement;
use crate::measure::axes::{self, Coordinate, Series};
use crate::measure::duration::{Cost, Work};
use crate::measure::left_out::LeftOut;
use crate::measure::list::{Lists, check_amount};
use crate::measure::plot::{Against, Panel, Scale};
use crate::measure::ranges::insert;
use crate::measure::reading::{Finished, Reading, put_what_follows};
use crate::measure::row::{Row, Value};
use crate::measure::table::{Column, titled};
use crate::measure::{self, Grid, Seeds, timing};
use crate::report::Check;
use crate::testbench::Choice;
use crate::testbench::Testbench;
use crate::testbench::arguments::axis_option;
use crate::testbench::bench::run_beside_others;
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::{InSeries, Parameter, SEED, Scope};

/// A sweep of testbenches whose rows have the same columns.
pub struct Sweep {
    /// The option that picks it, where another sweep has testbenches of these names.
    pub chosen_by: Option<Choice>,
    /// Its axes; the last varies fastest. A testbench has those that are among its parameters.
    pub axes: &'static [&'static Parameter],
    /// What a point is one of, as its first coordinate is called; and how it is called.
    pub who: (&'static str, fn(&Chosen) -> String),
    /// Along which axis points that are called otherwise are one series of a plot, and by which name.
    pub along: Option<Along>,
    /// What is chosen at a point where lists ask for more than it has use for: points that then are the same are one.
    pub settled: fn(Chosen) -> Chosen,
    /// What rows have, in their order.
    pub readings: &'static [Reading],
    /// What stands above the table.
    pub title: fn(&[Point]) -> String,
    /// What stands below it.
    pub below: fn(&[Point], &[Row]) -> String,
    /// What rows say together, below that: all of a summary. Most have nothing to add.
    pub summary: fn(&[Point], &[Row]) -> String,
    /// What rows say together, put into each; if anything.
    pub conclude: Option<Conclude>,
    /// Others that are measured beside, if there are such.
    pub beside: Option<Beside>,
    /// Which points have traffic, where that is not known before it is drawn.
    pub drawn: Option<LeavesOut>,
    /// The refusal of a point among several that are called otherwise: under a name by which a sweep goes without it.
    pub refused: fn(Error, &Chosen) -> Error,
    /// What a plot draws against what, for help.
    pub plot: &'static str,
    /// What a plot is drawn against: the first of these that varies, with its label.
    pub against: &'static [(&'static Parameter, &'static str, Scale)],
    /// What a series of a plot is one of.
    pub series_of: &'static str,
    /// The refusal of a plot where nothing varies.
    pub nothing_varies: fn(&[Point]) -> Error,
    /// The pictures of a plot.
    pub panels: fn(&Drawn<'_>) -> Result<Vec<Panel>, Error>,
    /// The columns of the table, made from the readings.
    pub columns: OnceLock<Vec<Column>>,
}

/// An axis and a name, of a point that belongs to such a series.
pub type Along = fn(&Chosen) -> Option<(&'static str, String)>;

/// Puts into rows what they say together.
pub type Conclude = fn(&[Point], &mut [Row]);

/// Leaves out points that cannot be.
pub type LeavesOut = fn(Vec<Point>, &mut LeftOut) -> Result<Vec<Point>, Error>;

/// Others that a sweep measures beside its testbenches, such as routers of other testbenches with the same messages.
pub struct Beside {
    /// The parameter that names them; a point that has it is one of them.
    pub named_by: &'static Parameter,
    /// How large one of them is.
    pub size: fn(&Chosen) -> Result<Size, Error>,
    /// What its work takes.
    pub cost: fn(&Chosen) -> Result<Cost, Error>,
    /// Runs it.
    pub run: fn(&Chosen) -> Result<Row, Error>,
}

/// How large a point is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Nodes of its machine.
    pub nodes: usize,
    /// Bytes that a run takes.
    pub bytes: u64,
    /// How much work it is.
    pub work: Work,
}

/// What is drawn.
pub struct Drawn<'a> {
    /// The points.
    pub points: &'a [Point],
    /// What belongs together.
    pub series: &'a Series,
    /// The rows.
    pub rows: &'a [Row],
    /// What they are drawn against.
    pub axis: &'static str,
}

impl Drawn<'_> {
    /// A picture of a reading, by its title and its unit.
    pub fn panel(&self, named: (&'static str, &'static str), scale: Scale, reading: &str) -> Panel {
        Panel::of_column(named, scale, reading, (self.series, self.rows, self.axis))
    }
}

/// What is chosen as it is.
pub fn as_chosen(chosen: Chosen) -> Chosen {
    chosen
}

/// Nothing to add.
pub fn nothing_more(_: &[Point], _: &[Row]) -> String {
    String::new()
}

/// A refusal as it is.
pub fn as_it_is(error: Error, _: &Chosen) -> Error {
    error
}

/// The refusal of a plot of points that have one value on each axis.
pub fn one_of_each(what: &'static str, against: &'static str, example: &str) -> Error {
    Error::NothingVaries {
        what,
        against,
        only: "one of each".to_owned(),
        example: example.to_owned(),
    }
}

/// The names of the testbenches of points, with commas between.
pub fn names(points: &[Point]) -> String {
    let mut names = Vec::new();
    for point in points {
        insert(&mut names, point.chosen.bench().name);
    }
    names.join(", ")
}

impl Sweep {
    /// The testbenches that are measured by it, in the order of the list of all.
    fn benches(&self) -> impl Iterator<Item = &'static Testbench> {
        testbenches().filter(|bench| std::ptr::eq(bench.sweep, self))
    }

    /// Those of them with these names.
    fn named(&self, names: &[&str]) -> Vec<&'static Testbench> {
        let named = |name: &&str| self.benches().find(|bench| bench.name == *name);
        names.iter().filter_map(named).collect()
    }

    /// The axes that a testbench has, as it has them.
    fn axes_of(&self, bench: &'static Testbench) -> Vec<&'static Parameter> {
        let own = |axis: &&'static Parameter| bench.parameter(axis.name);
        self.axes.iter().filter_map(own).collect()
    }

    fn columns(&self) -> &[Column] {
        self.columns.get_or_init(|| {
            let columns = self.readings.iter().filter_map(|reading| reading.column);
            let mut columns: Vec<Column> = columns.collect();
            if !columns.iter().any(Column::is_of_checks) {
                columns.push(Column::CHECKS);
            }
            columns.push(Column::SECONDS);
            columns
        })
    }
}

impl Sweep {
    /// Its testbenches: the name of each, and what it models in a line.
    pub fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        self.benches()
            .map(|bench| (bench.name, bench.models))
            .collect()
    }

    /// Adds the axes that some of its testbenches have.
    pub fn arguments(&self, command: Command, testbenches: &[&str]) -> Command {
        let benches = self.named(testbenches);
        // In the order in which runs have them.
        let mut taken: Vec<&'static str> = Vec::new();
        for parameter in benches.iter().flat_map(|bench| bench.parameters) {
            let is_axis = self.axes.iter().any(|axis| axis.name == parameter.name);
            if is_axis && parameter.scope != Scope::Fixed {
                insert(&mut taken, parameter.name);
            }
        }
        let of = |name: &&'static str| {
            let own = |bench: &&'static Testbench| {
                let parameter = bench.parameter(name)?;
                Some((Chosen::of(bench), parameter, parameter.axis?))
            };
            let all: Vec<_> = benches.iter().filter_map(own).collect();
            axis_option(&all, &taken)
        };
        command.args(taken.iter().filter_map(of))
    }

    /// The grid that is asked for.
    pub fn grid(&'static self, arguments: &ArgMatches, testbenches: &[&str]) -> SweepGrid {
        SweepGrid {
            sweep: self,
            lists: Lists::read(self.axes, arguments),
            benches: self.named(testbenches),
        }
    }
}

/// Testbenches, and what they are run at.
pub struct SweepGrid {
    sweep: &'static Sweep,
    benches: Vec<&'static Testbench>,
    lists: Lists,
}

/// A point: what is chosen, and what it takes.
#[derive(Clone)]
pub struct Point {
    /// What is chosen.
    pub chosen: Chosen,
    /// What a run takes; none of what is measured beside.
    pub requirement: Option<Requirement>,
    size: Size,
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
            None => Ok(row(&Finished {
                chosen: &self.chosen,
                report: &run_beside_others(&self.chosen)?,
            })),
        }
    }
}

/// Readings by their names, and checks.
pub type ReadBeside = (Vec<(&'static str, Value)>, Vec<Check>);

/// The row of what is measured beside. Of parameters it has what was chosen.
pub fn row_beside(chosen: &Chosen, (read, checks): &ReadBeside) -> Row {
    let readings = chosen.bench().sweep.readings.iter();
    let readings = readings.filter(|reading| reading.is_in_rows());
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

/// The row of a run that is over, with the checks that are of points.
pub fn row(run: &Finished<'_>) -> Row {
    let readings = run.chosen.bench().sweep.readings.iter();
    let readings = readings.filter(|reading| reading.is_in_rows());
    let values = readings.map(|reading| (reading.name, reading.read(run)));
    let of_points = run.report.checks.iter().filter(|check| check.is_of_points);
    let checks: Vec<Check> = of_points.cloned().collect();
    Row::of(values.collect(), &checks)
}

fn who(chosen: &Chosen) -> String {
    (chosen.bench().sweep.who.1)(chosen)
}

/// Where a point is on each axis that it has.
fn coordinates(chosen: &Chosen) -> Vec<Coordinate> {
    let sweep = chosen.bench().sweep;
    let (axis, who) = sweep.who;
    let mut first = Coordinate::always(axis, who(chosen));
    if let Some((along, name)) = sweep.along.and_then(|along| along(chosen)) {
        first.in_series = axes::InSeries::Along(along, name);
    }
    let mut coordinates = vec![first];
    let own = sweep.axes_of(chosen.bench()).into_iter();
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
fn sized_up(chosen: Chosen) -> Result<Point, Error> {
    let beside = chosen.bench().sweep.beside.as_ref();
    if let Some(beside) = beside.filter(|beside| chosen.has(beside.named_by)) {
        return Ok(Point {
            size: (beside.size)(&chosen)?,
            requirement: None,
            chosen,
        });
    }
    let job = (chosen.bench().job)(&chosen)?;
    let (nodes, requirement) = (job.machine().topology().nodes(), job.requirement());
    Ok(Point {
        size: Size {
            nodes,
            bytes: requirement.bytes,
            work: timing::work(&chosen, nodes, requirement.bit_times.value),
        },
        requirement: Some(requirement),
        chosen,
    })
}

impl measure::Point for Point {
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

    fn run(&self) -> Result<Row, Error> {
        let mut row = self.read()?;
        put_what_follows(self.chosen.bench().sweep.readings, &self.chosen, &mut row);
        Ok(row)
    }
}

impl SweepGrid {
    /// What points differ in that a plot can be drawn against, the first that does.
    fn varying(
        &self,
        points: &[Point],
    ) -> Option<&'static (&'static Parameter, &'static str, Scale)> {
        let differ = |parameter: &Parameter| {
            // What means nothing at a point is no other value of it.
            let having = points.iter().map(|point| &point.chosen);
            let having = having.filter(|chosen| parameter.applies(chosen));
            let given: Vec<_> = having.map(|chosen| chosen.given(parameter)).collect();
            given.windows(2).any(|pair| pair[0] != pair[1])
        };
        self.sweep
            .against
            .iter()
            .find(|(parameter, ..)| differ(parameter))
    }
}

impl Grid for SweepGrid {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let mut all = Vec::new();
        for bench in &self.benches {
            let seed = Given::number(seeds.first as usize);
            let mut first = Chosen::of(bench).at_point().with(&SEED, seed);
            first.is_of_several = self.benches.len() > 1;
            let points = self.lists.points(first, self.sweep.axes_of(bench))?;
            if points.is_empty() {
                let name = || bench.name.to_owned();
                left_out.keep(Err::<(), _>(self.lists.none_of(bench)), (name, 1))?;
            }
            all.extend(points);
            check_amount(all.len() as u128 * u128::from(seeds.amount))?;
        }
        self.lists.check_used(self.sweep.axes, &self.benches)?;
        let mut all: Vec<Chosen> = all.into_iter().map(self.sweep.settled).collect();
        let mut seen = HashSet::new();
        all.retain(|chosen| seen.insert(axes::name(&coordinates(chosen))));
        let are_several = all.windows(2).any(|pair| who(&pair[0]) != who(&pair[1]));
        let checked = |chosen: Chosen| chosen.check().and_then(|()| sized_up(chosen));
        left_out.sized(
            (all, seeds.amount),
            coordinates,
            |chosen| match are_several {
                true => {
                    let named = chosen.clone();
                    checked(chosen).map_err(|error| (self.sweep.refused)(error, &named))
                }
                false => checked(chosen),
            },
        )
    }

    fn with_traffic(
        &self,
        points: Vec<Point>,
        left_out: &mut LeftOut,
    ) -> Result<Vec<Point>, Error> {
        match self.sweep.drawn {
            Some(drawn) => drawn(points, left_out),
            None => Ok(points),
        }
    }

    fn columns(&self) -> &[Column] {
        self.sweep.columns()
    }

    fn title(&self, points: &[Point], in_words: &str) -> String {
        titled(&(self.sweep.title)(points), in_words)
    }

    fn below(&self, points: &[Point], rows: &[Row]) -> String {
        (self.sweep.below)(points, rows)
    }

    fn summary(&self, points: &[Point], rows: &[Row]) -> String {
        (self.sweep.summary)(points, rows)
    }

    fn conclude(&self, points: &[Point], rows: &mut [Row]) {
        if let Some(conclude) = self.sweep.conclude {
            conclude(points, rows);
        }
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        match self.varying(points) {
            Some((parameter, label, scale)) => Ok(Against {
                axis: parameter.in_rows(),
                label,
                scale: *scale,
                series_of: self.sweep.series_of,
            }),
            None => Err((self.sweep.nothing_varies)(points)),
        }
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        (self.sweep.panels)(&Drawn {
            points,
            series,
            rows,
            axis,
        })
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
        let row = |report: &_| {
            super::row(&Finished {
                chosen: &chosen,
                report,
            })
        };
        assert!(row(&report).passed());
        report.checks[0].passed = false;
        assert!(!row(&report).passed());
        report.checks[0].is_of_points = false;
        assert!(row(&report).passed());
    }
}
