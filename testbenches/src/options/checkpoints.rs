//! Options of checkpoints.

use std::path::PathBuf;

use clap::Args;

/// Minutes between two checkpoints, where nothing is said.
const MINUTES: f64 = 10.0;

/// Checkpoints of a run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checkpoints")]
pub struct CheckpointArguments {
    /// Write down in this folder, from time to time, how far the run is. If it is broken off, --resume goes on from there. With
    /// several ranks it is a folder that all of them share
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,

    /// Minutes from one checkpoint to the next [default: 10]
    #[arg(
        long,
        value_name = "MINUTES",
        requires = "checkpoint",
        value_parser = minutes
    )]
    pub every: Option<f64>,

    /// Go on from the checkpoint in this folder, with the options that its run had; threads and the number of ranks may differ
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
}

/// Reads minutes, and says what is wanted where there are none.
fn minutes(text: &str) -> Result<f64, &'static str> {
    let minutes = text.parse().ok();
    minutes
        .filter(|minutes: &f64| minutes.is_finite() && *minutes > 0.0)
        .ok_or("a number of minutes is wanted, more than 0")
}

impl CheckpointArguments {
    /// Seconds from one to the next.
    pub fn seconds(&self) -> f64 {
        60.0 * self.every.unwrap_or(MINUTES)
    }

    /// Whether anything of it was asked for; and by which option.
    pub fn asked(&self) -> Option<&'static str> {
        match (&self.checkpoint, &self.resume) {
            (Some(_), _) => Some("--checkpoint"),
            (None, Some(_)) => Some("--resume"),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_more_than_none() {
        assert_eq!(minutes("0.5"), Ok(0.5));
        for wrong in ["0", "-1", "inf", "nan", "", "ten"] {
            let refused = "a number of minutes is wanted, more than 0";
            assert_eq!(minutes(wrong), Err(refused), "{wrong}");
        }
        assert_eq!(CheckpointArguments::default().seconds(), 600.0);
    }
}
