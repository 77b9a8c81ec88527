//! What can be wrong when a viewer is to show a dump.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use crate::error::shown_path;
use crate::viewer::Viewer;

/// Why nothing is shown.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// None of them is installed.
    #[error("{}; then type: {command}", missing(.of))]
    NoViewer {
        /// Those that were looked for.
        of: Vec<Viewer>,
        /// What opens the dump.
        command: String,
    },
    /// There is no place for a window.
    #[error(
        "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set, so no viewer can open a window. Copy the files to \
         where there is one and type there: {command}; or draw a picture of a run with --picture"
    )]
    NoDisplay {
        /// What opens the dump.
        command: String,
    },
    /// The system does not start it.
    #[error("cannot start `{command}`: {reason}")]
    Unstarted {
        /// What was to be started.
        command: String,
        /// What the system says.
        reason: io::Error,
    },
    /// It ended with a failure before anybody saw anything.
    #[error("`{command}` ended at once with {status}{said}")]
    Failed {
        /// What was started.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it said on standard error, behind a colon.
        said: String,
    },
    /// A file of another kind.
    #[error(
        "{} is no dump by its name: viewers are given VCD (ending .vcd) or FST (.fst)", shown_path(.path)
    )]
    NoDumpByName {
        /// The file.
        path: PathBuf,
    },
    /// A file that is no dump, though its name says so.
    #[error("{} is no {format}: it does not begin as one does", shown_path(.path))]
    NoDump {
        /// The file.
        path: PathBuf,
        /// What its ending says.
        format: &'static str,
    },
    /// A testbench without waveforms.
    #[error("{bench} writes no waveform, so there is nothing to view")]
    NoWave {
        /// The testbench.
        bench: &'static str,
    },
}

/// Those that are not there, and how one gets them.
fn missing(viewers: &[Viewer]) -> String {
    let programs: Vec<&str> = viewers.iter().map(|viewer| viewer.program()).collect();
    let sources: Vec<&str> = viewers.iter().map(|viewer| viewer.installed_by()).collect();
    let none = match programs.as_slice() {
        [one] => format!("{one} is not installed"),
        _ => format!("none of {} is installed", programs.join(", ")),
    };
    format!(
        "{none}, as far as PATH says: install {}",
        sources.join(" or ")
    )
}
