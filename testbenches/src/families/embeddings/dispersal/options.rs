//! What the testbench is asked to do.

use std::path::PathBuf;

use rtl_model::embedding::phase::Order;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::options as of_embedding;
use crate::options;
use crate::output::DASH;

/// Bits of a message.
pub const DEFAULT_MESSAGE_BITS: usize = 256;
/// Dimensions of the host, over the paths of an edge.
pub const DEFAULT_DIMENSIONS: usize = 8;
/// Dimensions of the host, over copies of cube-connected cycles of 4 levels.
pub const DEFAULT_DIMENSIONS_OF_COPIES: usize = 6;

/// Which paths the shares of a message take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// Those of a guest's edge.
    #[default]
    Edge,
    /// From any node to any other, one in each copy of cube-connected cycles.
    Copies,
}

impl Over {
    /// Both, as options name them.
    pub const NAMES: [(&'static str, Over); 2] = [("edge", Over::Edge), ("copies", Over::Copies)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Over::Edge => "edge",
            Over::Copies => "copies",
        }
    }
}

/// Guest, messages, shares, and what fails.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The guest and its host; over copies, the host alone.
    pub guest: of_embedding::Setup,
    /// Which paths.
    pub over: Option<String>,
    /// Who sends to whom, over copies.
    pub traffic: Option<String>,
    /// Shares that restore it.
    pub needed: Option<usize>,
    /// Wires that fail, drawn.
    pub cut_wires: Option<usize>,
    /// Wires that fail, from a file.
    pub cut: Option<PathBuf>,
    /// Where the wires that failed are written.
    pub cuts_out: Option<PathBuf>,
}

/// Options of `run`.
pub(super) type RunOptions = options::RunOptions<Setup>;

impl Setup {
    /// Which paths.
    ///
    /// # Errors
    /// A name of none.
    pub fn over(&self) -> Result<Over, Error> {
        let Some(name) = self.over.as_deref() else {
            return Ok(Over::default());
        };
        let found = Over::NAMES.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, over)| over).ok_or_else(|| Error::Unknown {
            what: "way to disperse",
            name: name.to_owned(),
            known: Over::NAMES.map(|(known, _)| known).to_vec(),
        })
    }

    /// Who sends to whom, over copies.
    ///
    /// # Errors
    /// A name of no pattern.
    pub fn pattern(&self) -> Result<Pattern, Error> {
        let name = self.traffic.as_deref().unwrap_or("randperm");
        Ok(Pattern::from_any_name(name)?)
    }

    /// Who goes first: greedily, where that is not said. Routes through copies are long, and wait for each other.
    ///
    /// # Errors
    /// A name of none.
    pub fn order(&self) -> Result<Order, Error> {
        match (&self.guest.order, self.over()?) {
            (None, Over::Copies) => Ok(Order::Greedy),
            _ => self.guest.order(),
        }
    }

    /// The command line that asks for the same machine, defaults spelled out.
    ///
    /// # Errors
    /// A name of none.
    pub fn command(&self, command: &str, of: &Dispersed) -> Result<String, Error> {
        let (guest, job) = (&self.guest, &of.job);
        let mut words = format!("cubewave {command} dispersal --over {}", of.over.name());
        match (of.over, &guest.sides) {
            (Over::Copies, _) => {
                let (dims, pattern) = (job.embedding.host(), self.pattern()?.name());
                words += &format!(" --dims {dims} --traffic {pattern} --seed {}", guest.seed);
            }
            (Over::Edge, Some(sides)) => {
                words += &format!(" --guest {} --sides {sides}", job.name);
            }
            (Over::Edge, None) => {
                words += &format!(" --guest {} --dims {}", job.name, job.embedding.host());
            }
        }
        if let Some(axes) = guest.axes {
            words += &format!(" --axes {axes}");
        }
        if guest.both_ways {
            words += " --both-ways";
        }
        let (needed, bits) = (of.code.needed(), of.code.message_bits());
        words += &format!(
            " --order {} --needed {needed} --message-bits {bits}",
            job.order.name()
        );
        if guest.start_up > 0 {
            words += &format!(" --start-up {}", guest.start_up);
        }
        Ok(words)
    }

    /// The file, if any, that goes to standard output, where a report cannot go then; else one that is written.
    pub fn beside(self) -> Option<PathBuf> {
        let files = [self.guest.results, self.cuts_out].into_iter().flatten();
        files.min_by_key(|path| path.as_os_str() != DASH)
    }

    /// Refuses one stream for two files.
    fn check_streams(&self) -> Result<(), Error> {
        let is_dash =
            |path: &Option<PathBuf>| path.as_deref().is_some_and(|path| path.as_os_str() == DASH);
        let pairs = [
            (
                [&self.guest.values, &self.cut],
                ["the messages", "the wires that fail"],
            ),
            (
                [&self.guest.results, &self.cuts_out],
                ["the results", "the wires that failed"],
            ),
        ];
        match pairs
            .into_iter()
            .find(|(paths, _)| paths.iter().all(|path| is_dash(path)))
        {
            Some((_, [first, second])) => Err(Error::SameFile {
                path: DASH.into(),
                first,
                second,
            }),
            None => Ok(()),
        }
    }

    /// Refuses what only the other way to disperse takes, and one stream for two files.
    ///
    /// # Errors
    /// [`Error::NotApplicable`], [`Error::SameFile`].
    pub fn check(&self) -> Result<(), Error> {
        self.check_streams()?;
        let refused = |option, why| {
            Err(Error::NotApplicable {
                bench: "dispersal",
                option,
                why,
            })
        };
        match self.over()? {
            Over::Edge if self.traffic.is_some() => refused(
                "--traffic",
                "every edge of the guest sends: choose --over copies for messages from any node to any other",
            ),
            Over::Copies => {
                let guest = &self.guest;
                let of_guest = [
                    ("--guest", guest.guest.is_some()),
                    ("--axes", guest.axes.is_some()),
                    ("--sides", guest.sides.is_some()),
                    ("--both-ways", guest.both_ways),
                ];
                match of_guest.into_iter().find(|(_, given)| *given) {
                    Some((option, _)) => refused(option, "over copies there is no guest"),
                    None => Ok(()),
                }
            }
            Over::Edge => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
