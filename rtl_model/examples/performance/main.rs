//! Measures how fast routers are simulated beside what the machine can do at the most, in one sitting, and prints the tables
//! of `docs/performance-tables.md`. `scripts/performance` runs it.

mod machine;
mod measured;
mod prearranged;
mod report;
mod subject;
mod tables;
mod workload;
mod worms;

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use measured::{Measured, Plan};
use rtl_model::routers::kuszmaul::plain::PlainRouter;

/// Measures routers and the machine that simulates them; prints Markdown tables.
#[derive(Parser)]
#[command(name = "performance")]
struct Options {
    /// Small cubes and few runs: half a minute
    #[arg(long)]
    quick: bool,

    /// The cube of 24 dimensions as well
    #[arg(long, conflicts_with = "quick")]
    large: bool,

    /// Rounds; in each, everything is measured once, and medians are taken over rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,

    /// Threads of the columns for several
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..=1024))]
    threads: u16,

    /// For a profiler: nothing is measured, `plain` of K dimensions runs N times on one thread
    #[arg(long, num_args = 2, value_names = ["K", "N"])]
    profile: Option<Vec<usize>>,

    /// How the tables are printed
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,

    /// Puts the tables into this Markdown file, between the comments `table NAME` and `end of table NAME`
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Markdown,
    Json,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if let Some([k, times]) = options.profile.as_deref() {
        let mut subject = subject::subject::<PlainRouter>(*k)?;
        for _ in 0..*times {
            subject.run_empty()?;
        }
        return Ok(());
    }
    let threads = usize::from(options.threads);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()?;
    let plan = Plan::new(options.quick, options.large, options.rounds, threads);
    let measured = Measured::all(&plan, |what| {
        // Where nobody can read it, it is no loss.
        let _ = writeln!(stderr(), "{what}");
    })?;
    let tables = tables::all(&measured, &plan)?;
    let mut out = stdout().lock();
    match options.format {
        Format::Markdown => write!(out, "{}", report::markdown(&tables))?,
        Format::Json => writeln!(out, "{:#}", report::json(&tables))?,
    }
    if let Some(path) = options.into {
        let text = std::fs::read_to_string(&path)?;
        std::fs::write(&path, report::replaced(&text, &tables)?)?;
    }
    Ok(())
}
