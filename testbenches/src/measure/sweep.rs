//! A sweep as a value: its axes, its readings, and what a plot of them shows. Points, names, rows and columns follow.

mod grid;
mod point;

use std::fmt::Display;

use clap::{ArgMatches, Command};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::testbenches;
use crate::lockstep::Requirement;
use crate::measure::axes::Series;
use crate::measure::duration::{Cost, Work};
use crate::measure::left_out::LeftOut;
use crate::measure::list::Lists;
use crate::measure::plot::{Panel, Scale};
use crate::measure::ranges::insert;
use crate::measure::reading::Reading;
use crate::measure::row::Row;
use crate::measure::table;
use crate::measure::timing;
use crate::report::Entry;
use crate::testbench::Choice;
use crate::testbench::Testbench;
use crate::testbench::arguments::axis_option;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Parameter, Scope};
pub use grid::SweepGrid;
pub use point::{Point, ReadBeside, row, row_beside, row_of};

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
    /// What the table says of the checks of a row.
    pub verdict: fn(&Row) -> String,
    /// What stands above the table.
    pub title: fn(&[Point]) -> String,
    /// What stands below it.
    pub below: fn(&[Point], &[Row]) -> String,
    /// What rows say together, below that: all of a summary; if that is another thing than how readings are spread over seeds.
    pub summary: Option<Summary>,
    /// Whether a value of a row counts where seeds are averaged.
    pub counts: Counts,
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
}

/// An axis and a name, of a point that belongs to such a series.
pub type Along = fn(&Chosen) -> Option<(&'static str, String)>;

/// Puts into rows what they say together.
pub type Conclude = fn(&[Point], &mut [Row]);

/// Whether a row's value of that name says something of the machine, and may be averaged.
pub type Counts = fn(&Row, &str) -> bool;

/// What rows of points say together, in a text.
pub type Summary = fn(&[Point], &[Row]) -> String;

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

impl Size {
    /// Of a run of what is chosen, with so many nodes.
    pub fn of(chosen: &Chosen, nodes: usize, requirement: &Requirement) -> Self {
        Size {
            nodes,
            bytes: requirement.bytes,
            work: timing::work(chosen, nodes, requirement.bit_times.value),
        }
    }
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
    /// A picture of an entry.
    pub fn panel(&self, of: &Entry, scale: Scale) -> Panel {
        let drawn = (self.series, self.rows, self.axis);
        Panel::of_column(of.panel, scale, of.in_rows(), drawn)
    }
}

/// A sweep that says nothing of its own: each says what is.
pub const BASE: Sweep = Sweep {
    chosen_by: None,
    axes: &[],
    who: ("testbench", |chosen| chosen.bench().name.to_owned()),
    along: None,
    settled: |chosen| chosen,
    readings: &[],
    verdict: table::verdict,
    title: names,
    below: |_, _| String::new(),
    summary: None,
    counts: |_, _| true,
    conclude: None,
    beside: None,
    drawn: None,
    refused: |error, _| error,
    plot: "",
    against: &[],
    series_of: "testbench",
    nothing_varies: |_| one_of_each("nothing", "anything", ""),
    panels: |_| Ok(Vec::new()),
};

/// The refusal of a plot of what it draws, against what, in which all points have the same.
pub fn nothing_varies([what, against]: [&str; 2], only: impl Display, example: &str) -> Error {
    Refusal::of(format!("--plot draws {what} against {against}"))
        .because(format!(
            "with {only} alone each curve would be a single point"
        ))
        .instead(format!("measure at least two, as in {example}"))
        .into()
}

/// The refusal of a plot of points that have one value on each axis.
pub fn one_of_each(what: &'static str, against: &'static str, example: &str) -> Error {
    nothing_varies([what, against], "one of each", example)
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

    /// The axes of some testbenches: those of the sweep, and behind them those that one of them has beside.
    fn axes_of(&self, benches: &[&'static Testbench]) -> Vec<&'static Parameter> {
        let parameters = || benches.iter().flat_map(|bench| bench.parameters).copied();
        let named = |axis: &&'static Parameter| parameters().find(|one| one.name == axis.name);
        let mut axes: Vec<_> = self.axes.iter().filter_map(named).collect();
        axes.extend(self.own_axes(benches));
        axes
    }

    /// The readings that testbenches have beside those of the sweep.
    fn own_readings(benches: &[&'static Testbench]) -> Vec<&'static Reading> {
        let mut own: Vec<&'static Reading> = Vec::new();
        for reading in benches.iter().flat_map(|bench| bench.readings) {
            if !own.iter().any(|known| known.name == reading.name) {
                own.push(reading);
            }
        }
        own
    }

    /// The axes that testbenches have beside those of the sweep ([`Axis::own`](crate::testbench::parameter::Axis::own)).
    fn own_axes(&self, benches: &[&'static Testbench]) -> Vec<&'static Parameter> {
        let mut own: Vec<&'static Parameter> = Vec::new();
        for parameter in benches.iter().flat_map(|bench| bench.parameters).copied() {
            let mut known = self.axes.iter().chain(&own);
            let is_known = known.any(|axis| axis.name == parameter.name);
            if parameter.axis.is_some_and(|axis| axis.is_own) && !is_known {
                own.push(parameter);
            }
        }
        own
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
        let axes = self.axes_of(&benches);
        // In the order in which runs have them.
        let mut taken: Vec<&'static str> = Vec::new();
        for parameter in benches.iter().flat_map(|bench| bench.parameters) {
            let is_axis = axes.iter().any(|axis| axis.name == parameter.name);
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
        let benches = self.named(testbenches);
        let lists = Lists::read(&self.axes_of(&benches), arguments);
        let own = self.own_axes(&benches).into_iter();
        let own = own.filter(|axis| lists.has(axis)).map(Reading::parameter);
        let own = own.chain(Self::own_readings(&benches).into_iter().copied());
        SweepGrid {
            sweep: self,
            columns: self.columns(own),
            lists,
            benches,
        }
    }
}
