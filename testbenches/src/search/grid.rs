//! A grid of a sweep, at each of whose points is searched.

use crate::error::Error;
use crate::measure::axes::Series;
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Look, Panel, Scale, curves};
use crate::measure::row::Row;
use crate::measure::sweep::{Point, SweepGrid, names};
use crate::measure::table::{Column, titled};
use crate::measure::{Grid, GridPoint, Seeds};
use crate::output::Staging;
use crate::report::{self, shown_path};
use crate::search::SearchOptions;
use crate::search::entries::{self, BOUND, BOUND_TEXT, EXHAUSTIVE, FOUND, LEAST, READING};
use crate::search::point::SearchPoint;

/// A grid, and what is searched for.
pub struct SearchGrid {
    grid: SweepGrid,
    options: SearchOptions,
    columns: Vec<Column>,
}

impl SearchGrid {
    /// A search at each point of a grid.
    pub fn new(grid: SweepGrid, options: SearchOptions) -> Self {
        // What a file of traffic stands in the place of says nothing of it.
        let columns = grid
            .columns_of_points("traffic_file")
            .chain(entries::COLUMNS);
        let columns = columns.chain(grid.last_columns()).collect();
        SearchGrid {
            columns,
            grid,
            options,
        }
    }
}

fn plain(points: &[SearchPoint]) -> Vec<Point> {
    points.iter().map(|point| point.point.clone()).collect()
}

impl Grid for SearchGrid {
    type Point = SearchPoint;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<SearchPoint>, Error> {
        let points = self.grid.points(seeds, left_out)?.into_iter();
        points
            .map(|point| SearchPoint::new(point, &self.options))
            .collect()
    }

    /// Begins the files, so that a folder that cannot be written is refused before any search.
    fn with_traffic(
        &self,
        points: Vec<SearchPoint>,
        _: &mut LeftOut,
    ) -> Result<Vec<SearchPoint>, Error> {
        let mut staging = Staging::default();
        for point in &points {
            point.write_to(staging.create(&point.path(), "the traffic that was found")?);
        }
        Ok(points)
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn title(&self, points: &[SearchPoint], in_words: &str) -> String {
        let reading = points.first().map_or("", |point| point.reading());
        let who = titled(&names(&plain(points)), in_words);
        format!("{who}: the most of {reading} that any traffic has")
    }

    fn below(&self, points: &[SearchPoint], rows: &[Row]) -> String {
        let files = points.iter().map(|point| (point.name(), point.path()));
        let files = files.map(|(name, path)| {
            let path = shown_path(&path.display().to_string());
            (name, path)
        });
        let all = match rows.iter().any(|row| row.is(EXHAUSTIVE)) {
            true => "all: there are no other traffics, so it is the most that there is\n",
            false => "",
        };
        let failed = match rows.iter().any(|row| !row.passed()) {
            true => "where a check fails, the search ended at that traffic\n",
            false => "",
        };
        format!(
            "found: the most that any traffic had which was tried, measured once more in a run of its file; least: the least\n\
             {all}{failed}{}\n\
             traffics that `run` takes, by --traffic-file\n{}",
            verdict(rows),
            report::rows(&files.collect::<Vec<_>>())
        )
    }

    fn conclude(&self, points: &[SearchPoint], rows: &mut [Row]) {
        self.grid.conclude(&plain(points), rows);
    }

    fn against(&self, points: &[SearchPoint]) -> Result<Against, Error> {
        self.grid.against(&plain(points))
    }

    /// What was found as marks, on the line of the bound where there is one.
    fn panels(
        &self,
        points: &[SearchPoint],
        rows: &[Row],
        series: &Series,
    ) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let look = |row: &Row| {
            if row.is(EXHAUSTIVE) {
                Look::Filled
            } else {
                Look::Dotted
            }
        };
        let mut found = curves((series, rows), axis, |row| row.number(FOUND), look);
        let bounds = curves(
            (series, rows),
            axis,
            |row| row.number(BOUND),
            |_| Look::Filled,
        );
        for (found, bound) in found.iter_mut().zip(bounds) {
            if !bound.line.is_empty() {
                found.line = bound.line;
                let mut texts = rows
                    .iter()
                    .zip(&series.of)
                    .filter(|(_, of)| **of == found.series);
                found.form = texts
                    .next()
                    .map_or(String::new(), |(row, _)| row.text(BOUND_TEXT));
            }
        }
        Ok(vec![Panel {
            title: "The most that was found, on its bound",
            unit: points.first().map_or("", |point| point.reading()),
            scale: Scale::FromZero(1.05),
            curves: found,
            has_diagonal: false,
        }])
    }
}

/// What rows say of bounds, and of traffic.
fn verdict(rows: &[Row]) -> String {
    let bounded = || {
        rows.iter()
            .filter_map(|row| Some((row, row.number(FOUND)?, row.number(BOUND)?)))
    };
    let mut said = String::new();
    let short: Vec<f64> = bounded()
        .filter(|(_, found, bound)| found < bound)
        .map(|(_, found, bound)| bound - found)
        .collect();
    if bounded().next().is_some() {
        said += &match short.iter().copied().reduce(f64::max) {
            None => {
                "the bound is tight at every point: there is traffic that reaches it\n".to_owned()
            }
            Some(most) => format!(
                "the bound was not reached at {} of {} points, by {most} at the most\n",
                short.len(),
                bounded().count()
            ),
        };
    }
    let same = rows
        .iter()
        .filter(|row| row.number(LEAST).is_some() && row.number(LEAST) == row.number(FOUND))
        .count();
    if same > 0 {
        let reading = rows.first().map_or(String::new(), |row| row.text(READING));
        said += &format!(
            "at {same} of {} points all traffics that were tried have the same {reading}\n",
            rows.len()
        );
    }
    said
}
