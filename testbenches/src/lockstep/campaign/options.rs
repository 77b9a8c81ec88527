//! What a campaign is asked for with, beside the machine and its traffic.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::campaign::fault::Kind;
use crate::options::{FormatArgument, ThreadsArgument, whole_number, words};
use crate::report::DateArgument;

/// Options of `faults` beside those of the machine and its traffic.
#[derive(Args, Clone, Debug, Default)]
pub struct FaultsArguments {
    /// Kinds of faults, with commas between
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Faults",
        value_enum,
        value_delimiter = ',',
        default_values = ["wires", "gates", "registers"]
    )]
    pub kinds: Vec<Kind>,

    /// Faults of each kind, drawn by the seed where there are more [default: as many as take some seconds]
    #[arg(long, value_name = "N", help_heading = "Faults", value_parser = whole_number::<usize>)]
    pub sample: Option<usize>,

    /// Write all faults here, as CSV: kind,node,part,name,what,bit_time,outcome,misplaced,check,after. `-` is standard output; the
    /// report then goes to standard error
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub csv: Option<PathBuf>,

    /// Draw here of which faults something comes: part against bit time. `-` is standard output; the report then goes to standard error
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub plot: Option<PathBuf>,

    /// Threads.
    #[command(flatten)]
    pub threads: ThreadsArgument,

    /// The form of what is printed.
    #[command(flatten)]
    pub format: FormatArgument,

    /// Whether it says when it was made.
    #[command(flatten)]
    pub date: DateArgument,
}

/// The most faults of a kind that can be asked for: each takes some hundred bytes.
const MOST: usize = 10_000_000;

/// Register bits of all nodes times bit times, summed over the faults of a kind, that take about some seconds.
const WORK: u64 = 500_000_000;

/// As many faults of a kind as are drawn at the least, and at the most, where nobody asks for another number.
const FEWEST: u64 = 200;
const ENOUGH: u64 = 100_000;

impl FaultsArguments {
    /// The words of a command line that give them: those on which the result depends, and files.
    pub(crate) fn words(&self) -> String {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let kinds: Vec<&str> = self.kinds().into_iter().map(Kind::name).collect();
        let given = [
            ("--kinds", Some(kinds.join(","))),
            ("--sample", self.sample.map(|sample| sample.to_string())),
            ("--csv", path(&self.csv)),
            ("--plot", path(&self.plot)),
            ("--format", self.format.format.word()),
        ];
        words(given, self.date)
    }

    /// The kinds that are asked for, in the order of tables.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds = self.kinds.clone();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The most faults of a kind that are put in, each taking so much work.
    ///
    /// # Errors
    /// A number out of range.
    pub fn most(&self, work: u64) -> Result<usize, Error> {
        match self.sample {
            None => Ok((WORK / work.max(1)).clamp(FEWEST, ENOUGH) as usize),
            Some(sample @ 1..=MOST) => Ok(sample),
            Some(sample) => Err(Refusal::of("--sample")
                .because(format!("{sample} is out of range"))
                .instead(format!("choose 1 to {MOST}"))
                .into()),
        }
    }
}

/// The kinds by name, for whoever says what there is.
pub(super) fn kind_in_words(kind: Kind) -> String {
    let value = kind.to_possible_value();
    let help = value.as_ref().and_then(|value| value.get_help());
    help.map(ToString::to_string).unwrap_or_default()
}
