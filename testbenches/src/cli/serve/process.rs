//! A run as a process of its own, which has so much memory and no more, and ends with whoever serves its page.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;
use tokio::sync::Semaphore;

use crate::error::Error;
use crate::error::refusal::Refusal;

/// How long a run may wait for its turn and take.
const LONGEST_RUN: Duration = Duration::from_secs(30);
/// Bytes of memory that a run may have.
const MOST_MEMORY: u64 = 2 << 30;
/// The variable by which a run knows that.
const MEMORY: &str = "CUBEWAVE_SERVED_MEMORY";
/// The variable that has the number of the process that serves its page.
const SERVER: &str = "CUBEWAVE_SERVER";

/// Runs, so many at once; others wait.
pub(super) struct Runs {
    program: PathBuf,
    turns: Semaphore,
}

impl Runs {
    /// Runs of this program.
    ///
    /// # Errors
    /// Nobody knows where it is.
    pub fn new(at_once: usize) -> Result<Self, Error> {
        Ok(Runs {
            program: std::env::current_exe().map_err(|reason| {
                Refusal::of("cannot serve")
                    .because(format!("nobody knows where this program is: {reason}"))
            })?,
            turns: Semaphore::new(at_once),
        })
    }

    /// What a command line prints on standard output, or why it is refused. Who no longer waits for it ends it.
    pub async fn printed(&self, words: Vec<OsString>) -> Result<Vec<u8>, String> {
        let run = async {
            let _turn = self.turns.acquire().await;
            command(&self.program, words).output().await
        };
        let ran = tokio::time::timeout(LONGEST_RUN, run).await.map_err(|_| {
            format!(
                "the run took longer than {} seconds and was ended: give a smaller one, or run it by its command",
                LONGEST_RUN.as_secs()
            )
        })?;
        let Output {
            status,
            stdout,
            stderr,
        } = ran.map_err(|error| format!("the run cannot be started: {error}"))?;
        match status.code() {
            // A check that failed is on the page.
            Some(0 | 1) => Ok(stdout),
            _ => Err(why(&String::from_utf8_lossy(&stderr))
                .unwrap_or_else(|| format!("the run ended early ({status})"))),
        }
    }
}

fn command(program: &Path, words: Vec<OsString>) -> Command {
    let mut command = Command::new(program);
    command
        .args(words)
        .env(MEMORY, MOST_MEMORY.to_string())
        .env(SERVER, std::process::id().to_string())
        // What it says is for a page.
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Has a process that is such a run keep to its memory, and end with the one that began it, however that ends.
#[cfg(target_os = "linux")]
pub(in crate::cli) fn begin() {
    use rustix::process::{
        Pid, Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit,
    };
    fn of<T: std::str::FromStr>(variable: &str) -> Option<T> {
        std::env::var(variable).ok()?.parse().ok()
    }
    let (Some(bytes), Some(server)) = (of(MEMORY), of(SERVER)) else {
        return;
    };
    let most = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    // Where the system sets neither, there is still the limit of time.
    _ = setrlimit(Resource::As, most);
    _ = set_parent_process_death_signal(Some(Signal::KILL));
    // There is no signal of an end that came before it was asked for.
    if getppid() != Pid::from_raw(server) {
        std::process::exit(2);
    }
}

#[cfg(not(target_os = "linux"))]
pub(in crate::cli) fn begin() {}

/// Why a command was refused or ended, among what it says: a line.
pub(super) fn why(said: &str) -> Option<String> {
    if said.contains("memory allocation of ") {
        let most = MOST_MEMORY >> 30;
        return Some(format!(
            "the run needs more memory than the {most} GiB that the run of a page may have: give a smaller one, or run it by its command"
        ));
    }
    let begins = said.lines().position(|line| line.starts_with("error: "))?;
    let lines = said.lines().skip(begins);
    let lines: Vec<&str> = lines.take_while(|line| !line.trim().is_empty()).collect();
    let joined = lines.join(" ");
    Some(joined.strip_prefix("error: ")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_command_was_refused_is_a_line() {
        let clap = "note: it\nerror: invalid value 'x' for '--dims <K>':\n  a number\n\nFor more, try '--help'.\n";
        let expected = "invalid value 'x' for '--dims <K>':   a number";
        assert_eq!(why(clap).as_deref(), Some(expected));
        assert_eq!(why("ended\n"), None);
        let memory = why("memory allocation of 8589934592 bytes failed\n").unwrap();
        assert!(memory.starts_with("the run needs more memory than the 2 GiB"));
    }
}
