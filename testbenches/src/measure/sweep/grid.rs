//! A sweep at the lists that were asked for.

use std::collections::HashSet;

use crate::error::Error;
use crate::measure::axes::{self, Series};
use crate::measure::left_out::LeftOut;
use crate::measure::list::{Lists, check_amount};
use crate::measure::plot::{Against, Panel, Scale};
use crate::measure::reading::Reading;
use crate::measure::row::{Row, Value};
use crate::measure::seeds;
use crate::measure::sweep::point::{coordinates, sized_up, who};
use crate::measure::sweep::{Drawn, Point, Sweep};
use crate::measure::table::{Column, titled};
use crate::measure::{Grid, Seeds};
use crate::testbench::Testbench;
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::{Parameter, SEED};

/// Testbenches, and what they are run at.
pub struct SweepGrid {
    pub(super) sweep: &'static Sweep,
    pub(super) benches: Vec<&'static Testbench>,
    pub(super) lists: Lists,
    pub(super) columns: Vec<Column>,
}

impl Sweep {
    /// The columns of the table, made from the readings, and from those that testbenches have beside those of the sweep.
    pub(super) fn columns(&self, own: impl Iterator<Item = Reading>) -> Vec<Column> {
        let readings = self.readings.iter().copied().chain(own);
        let columns = readings.filter_map(|reading| reading.column);
        let mut columns: Vec<Column> = columns.collect();
        columns.extend(self.last_columns());
        columns
    }

    fn last_columns(&self) -> [Column; 2] {
        [Column::checks(self.verdict), Column::SECONDS]
    }
}

impl SweepGrid {
    /// The columns that say which point a row is of, but for those of what nobody has given and is not given beside that parameter.
    pub fn columns_of_points(&self, beside: &str) -> impl Iterator<Item = Column> {
        let axes = self.sweep.axes_of(&self.benches).into_iter();
        let beside = self
            .benches
            .iter()
            .find_map(|bench| bench.parameter(beside));
        let conflicts = beside.map_or(&[][..], |parameter| parameter.conflicts);
        let is_shown = |axis: &&Parameter| !conflicts.contains(&axis.name) || self.lists.has(axis);
        let shown = axes.filter(is_shown).map(Parameter::in_rows);
        let shown: Vec<&str> = shown.chain(["bench", "who"]).collect();
        let columns = self.columns.iter().copied();
        columns.filter(move |column| shown.contains(&column.name()))
    }

    /// Verdicts, and what points took.
    pub fn last_columns(&self) -> [Column; 2] {
        self.sweep.last_columns()
    }

    /// What points differ in that a plot can be drawn against, the first that does: of the axes of the sweep, then of those that
    /// testbenches have beside.
    fn varying(&self, points: &[Point]) -> Option<(&'static Parameter, &'static str, Scale)> {
        let differ = |parameter: &Parameter| {
            // What means nothing at a point is no other value of it.
            let having = points.iter().map(|point| &point.chosen);
            let having = having.filter(|chosen| parameter.applies(chosen));
            let given: Vec<_> = having.map(|chosen| chosen.given(parameter)).collect();
            given.windows(2).any(|pair| pair[0] != pair[1])
        };
        let own = self.sweep.own_axes(&self.benches).into_iter();
        let own = own.filter(|axis| axis.is_number());
        let own = own.map(|axis| (axis, axis.symbol, Scale::FromZero(1.05)));
        let mut all = self.sweep.against.iter().copied().chain(own);
        all.find(|(parameter, ..)| differ(parameter))
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
            let points = self.lists.points(first, self.sweep.axes_of(&[bench]))?;
            if points.is_empty() {
                let name = || bench.name.to_owned();
                left_out.keep(Err::<(), _>(self.lists.none_of(bench)), (name, 1))?;
            }
            all.extend(points);
            check_amount(all.len() as u128 * u128::from(seeds.amount))?;
        }
        let axes = self.sweep.axes_of(&self.benches);
        self.lists.check_used(&axes, &self.benches)?;
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
        &self.columns
    }

    fn title(&self, points: &[Point], in_words: &str) -> String {
        titled(&(self.sweep.title)(points), in_words)
    }

    fn below(&self, points: &[Point], rows: &[Row]) -> String {
        (self.sweep.below)(points, rows)
    }

    fn summary(&self, points: &[Point], rows: &[Row]) -> String {
        match self.sweep.summary {
            Some(summary) => summary(points, rows),
            None => seeds::text(points, rows, self.sweep.counts),
        }
    }

    fn conclude(&self, points: &[Point], rows: &mut [Row]) {
        for axis in self.sweep.own_axes(&self.benches) {
            let reading = Reading::parameter(axis);
            for (point, row) in points.iter().zip(rows.iter_mut()) {
                row.put(reading.name, reading.chosen(&point.chosen));
            }
        }
        // In the same order in all rows, whichever testbench has them.
        for reading in Sweep::own_readings(&self.benches) {
            for row in rows.iter_mut() {
                let value = row.take(reading.name).unwrap_or(Value::Nothing);
                row.put(reading.name, value);
            }
        }
        if let Some(conclude) = self.sweep.conclude {
            conclude(points, rows);
        }
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        match self.varying(points) {
            Some((parameter, label, scale)) => Ok(Against {
                axis: parameter.in_rows(),
                label,
                scale,
                series_of: self.sweep.series_of,
            }),
            None => Err((self.sweep.nothing_varies)(points)),
        }
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let drawn = Drawn {
            points,
            series,
            rows,
            axis,
        };
        let own = Sweep::own_readings(&self.benches).into_iter();
        let own = own.filter_map(Reading::entry);
        let own = own.filter(|entry| !entry.panel.0.is_empty());
        let own = own.map(|entry| drawn.panel(entry, Scale::FromZero(1.05)));
        Ok((self.sweep.panels)(&drawn)?
            .into_iter()
            .chain(own)
            .collect())
    }
}
