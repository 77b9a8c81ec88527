//! A sweep of wormhole routers: a row a point, as of the other testbenches, with columns of their own.

mod compare;
mod duration;
mod grid;
mod lists;
mod options;
mod plot;
mod row;

use std::path::PathBuf;

use rtl_model::memory;

use crate::error::Error;
use crate::measure::left_out::LeftOut;
use crate::measure::row as of_rows;
use crate::measure::run::run_all;
use crate::measure::{MeasureOptions, RowFormat, threads};
use crate::report::shown_path;
use compare::Comparison;
pub(super) use duration::of_run as seconds_of_run;
pub use options::WormholeGrid;
pub use row::Row;

/// What a sweep gave.
#[derive(Clone, Debug)]
pub struct WormholeSweep {
    /// A row a point, in the order of the grid.
    pub rows: Vec<Row>,
    /// What each point is called.
    names: Vec<String>,
    /// Of networks with each other.
    comparisons: Vec<Comparison>,
    /// The plot, if one was asked for.
    plot: Option<PathBuf>,
}

/// Measures every point of the grid.
///
/// # Errors
/// What is refused, before any work starts; and a plot that could not be written after all.
pub fn measure(options: &MeasureOptions) -> Result<WormholeSweep, Error> {
    let mut left_out = LeftOut::default();
    let points = grid::points(options, &mut left_out)?;
    let (points, left_out) = left_out.leaves(points)?;
    let plot = plot::plan(options, &points)?;
    let available = memory::available();
    grid::check_memory(&points, available)?;
    let (threads, processors) = threads(options)?;
    if !options.yes {
        duration::check(&points, threads.min(processors))?;
    }
    left_out.tell(options);
    let rows = run_all(&points, threads.min(points.len()), available)?;
    if let Some(mut file) = plot {
        plot::write(&mut file, &points, &rows)?;
        file.commit()?;
    }
    Ok(WormholeSweep {
        comparisons: compare::comparisons(&rows),
        rows,
        names: points.iter().map(ToString::to_string).collect(),
        plot: options.plot.clone(),
    })
}

impl WormholeSweep {
    /// All checks of all points hold.
    pub fn passed(&self) -> bool {
        self.rows.iter().all(|row| row.passed)
    }

    /// In the form that was asked for.
    ///
    /// # Errors
    /// [`Error::Unprintable`].
    pub fn formatted(&self, format: RowFormat) -> Result<String, Error> {
        match format {
            RowFormat::Table => Ok(self.text()),
            RowFormat::Csv => of_rows::comma_separated(&self.rows),
            RowFormat::Json => of_rows::json(&self.rows),
        }
    }

    /// The table, what its columns are, what networks gain on each other, and what did not hold.
    fn text(&self) -> String {
        let mut text = row::table(&self.rows);
        text += "\n";
        text += match self.rows.iter().any(|row| row.offered_load.is_some()) {
            true => {
                "offered, created, accepted: message bits of a node in a bit time\n\
                 saturated: less than 95 % of what was created is accepted, or not all messages arrived in the time for it\n"
            }
            false => {
                "at least: bits over the busiest wire; T/M: bit times for each bit of a message\n\
                 storage: register bits of a node\n"
            }
        };
        text += "latency: bit times from creation to the last bit's arrival, on the average and of 99 in 100 messages;\n\
                 in network: from the first bit on its way, on the average\n";
        if !self.comparisons.is_empty() {
            text += "\n";
            text += &compare::text(&self.comparisons);
        }
        let failed = (self.rows.iter().zip(&self.names)).filter(|(row, _)| !row.passed);
        for (row, name) in failed {
            text += &format!("\nFAIL  {name}: {}\n", row.failed);
        }
        if let Some(plot) = &self.plot {
            text += &format!(
                "\nwritten\n  plot  {}\n",
                shown_path(&plot.display().to_string())
            );
        }
        text
    }
}
