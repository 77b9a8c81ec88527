//! A progress bar on standard error, if that is a terminal and the work takes more than a second.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How far some work is.
pub struct Progress {
    total: u64,
    template: &'static str,
    began: Instant,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Of `total` steps, shown by a template of indicatif's; not at all if `quiet`.
    pub fn new(total: u64, template: &'static str, quiet: bool) -> Self {
        Progress {
            total,
            template,
            began: Instant::now(),
            quiet,
            bar: None,
        }
    }

    /// So many steps are done.
    pub fn passed(&mut self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        } else if !self.quiet
            && self.began.elapsed() > Duration::from_secs(1)
            && io::stderr().is_terminal()
        {
            let bar = ProgressBar::with_draw_target(
                Some(self.total),
                ProgressDrawTarget::stderr_with_hz(5),
            );
            if let Ok(style) = ProgressStyle::with_template(self.template) {
                bar.set_style(style);
            }
            bar.set_position(done);
            self.bar = Some(bar.with_elapsed(self.began.elapsed()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
