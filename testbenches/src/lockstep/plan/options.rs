//! What a plan is asked about beside the machine: the computers.

use clap::{Args, Command};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::memory;
use rtl_model::machine::share::{LOG2_FEWEST_NODES, Share};
use rtl_model::machine::topology::hypercube::MAX_DIMENSIONS;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::plan::sizes;
use crate::options::{
    FormatArgument, ThreadsArgument, checked_threads, reworded, whole_number, words,
};
use crate::report::DateArgument;

/// Options of `plan` beside those of the machine and its traffic.
#[derive(Args, Clone, Debug, Default)]
pub struct ComputersArguments {
    /// Computers that share the machine, a rank on each: a power of two
    #[arg(
        long,
        value_name = "M",
        help_heading = "Computers",
        default_value_t = 1,
        value_parser = whole_number::<usize>
    )]
    pub machines: usize,

    /// Memory of each computer, as in 24GiB [default: what is available here]
    #[arg(
        long,
        value_name = "BYTES",
        help_heading = "Computers",
        allow_hyphen_values = true,
        value_parser = sizes::bytes
    )]
    pub memory: Option<u64>,

    /// What the link of each computer carries in a second, in each direction, as in 10Gbit; needed of several computers
    #[arg(
        long,
        value_name = "BITS",
        help_heading = "Computers",
        allow_hyphen_values = true,
        value_parser = sizes::bits_per_second
    )]
    pub bandwidth: Option<u64>,

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

impl ComputersArguments {
    /// The words of a command line that give them.
    pub(crate) fn words(&self) -> String {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let given = [
            ("--machines", Some(self.machines.to_string())),
            ("--memory", number(self.memory)),
            ("--bandwidth", number(self.bandwidth)),
            (
                "--threads",
                number(self.threads.threads.map(|threads| threads as u64)),
            ),
            ("--format", self.format.format.word()),
        ];
        words(given, self.date)
    }
}

/// Adds the options of computers to those of a machine and its traffic.
pub(crate) fn add_computers(command: Command) -> Command {
    let threads = "Threads on each computer [default: as many as there are processors here]";
    let command = ComputersArguments::augment_args(command);
    reworded(command, "threads", threads)
}

/// The computers that a machine is planned for, all like this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Computers {
    /// What the first of them holds.
    pub share: Share,
    /// Bytes of memory of each.
    pub memory: u64,
    /// Bits a second that the link of each carries in each direction; none where there is one computer.
    pub bandwidth: Option<u64>,
    /// Threads on each.
    pub threads: usize,
}

/// The most that can share the largest machine.
const MOST_MACHINES: usize = 1 << (MAX_DIMENSIONS - LOG2_FEWEST_NODES);

/// What is refused of ranks, said of computers.
pub(super) fn of_ranks(refused: ModelError) -> Error {
    let why = format!("each computer is a rank, and {refused}");
    Refusal::of("--machines").because(why).into()
}

impl ComputersArguments {
    /// What they ask for.
    ///
    /// # Errors
    /// A number of computers that is no power of two, no bandwidth of several, threads out of range.
    pub(super) fn computers(&self) -> Result<Computers, Error> {
        if !(1..=MOST_MACHINES).contains(&self.machines) {
            return Err(Refusal::of("--machines")
                .because(format!("{} is out of range", self.machines))
                .instead(format!("choose 1 to {MOST_MACHINES}, a power of two"))
                .into());
        }
        let share = Share::new(0, self.machines).map_err(of_ranks)?;
        if self.machines > 1 && self.bandwidth.is_none() {
            return Err(Refusal::of("--bandwidth")
                .because(format!("{} computers send each other bits", self.machines))
                .instead("say what the link of each carries in a second, as in --bandwidth 10Gbit")
                .into());
        }
        Ok(Computers {
            share,
            memory: self.memory.unwrap_or_else(memory::available),
            bandwidth: self.bandwidth.filter(|_| self.machines > 1),
            threads: checked_threads(self.threads.threads)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(machines: usize, bandwidth: Option<u64>) -> Result<Computers, String> {
        let arguments = ComputersArguments {
            machines,
            memory: Some(1 << 30),
            bandwidth,
            threads: ThreadsArgument { threads: Some(3) },
            format: FormatArgument::default(),
            date: DateArgument::default(),
        };
        arguments.computers().map_err(|error| error.to_string())
    }

    #[test]
    fn computers_are_a_power_of_two_and_several_have_links() {
        let one = asked(1, None).unwrap();
        assert_eq!(
            (one.share.ranks(), one.memory, one.threads),
            (1, 1 << 30, 3)
        );
        assert_eq!(asked(1, Some(7)).unwrap().bandwidth, None);
        let eight = asked(8, Some(7)).unwrap();
        assert_eq!((eight.share.ranks(), eight.bandwidth), (8, Some(7)));
        for (machines, why) in [
            (
                0,
                "--machines: 0 is out of range: choose 1 to 268435456, a power of two",
            ),
            (
                99_999_999_999,
                "--machines: 99999999999 is out of range: choose 1 to 268435456, a power of two",
            ),
            (
                3,
                "--machines: each computer is a rank, and 3 ranks cannot share a machine: take 2 or 4, a power of two",
            ),
            (
                8,
                "--bandwidth: 8 computers send each other bits: say what the link of each carries in a second, as in \
                 --bandwidth 10Gbit",
            ),
        ] {
            assert_eq!(asked(machines, None).unwrap_err(), why);
        }
    }
}
