//! The command `topology`: a network by itself.

use clap::Args;

use crate::error::Error;
use crate::options::{Format, FormatArgument, whole_number, words};
use crate::report::{DateArgument, Meta};
use crate::topology::{Network, NetworkName, Report};

/// What stands below its options.
pub(super) const EXAMPLES: &str = "\
Examples:
  cubewave topology reduced-hypercube --dims 5 --blocks 2
  cubewave topology hypercube --dims 10
  cubewave topology ccc --dims 8
  cubewave topology copies --dims 11 --format json

Exit status: 0 all checks hold, 1 a check failed, 2 bad usage or input.";

/// Its arguments.
#[derive(Args, Clone, Debug)]
pub(super) struct Topology {
    /// Network to ask about
    #[arg(value_name = "NETWORK")]
    network: NetworkName,

    /// Dimensions: k of a hypercube, 1 to 34, or of a building block of RH(k,n); n of cube-connected cycles, 2 to 16; of the
    /// hypercube that has copies of them, 3, 6, 11 or 20
    #[arg(
        long,
        value_name = "K",
        help_heading = "Machine",
        value_parser = whole_number::<usize>
    )]
    dims: usize,

    /// n of RH(k,n), 1 to 4 and at most k: a building block has 2^n sub-blocks, and the blocks form a cube of 2^n dimensions;
    /// k + 2^n is at most 28
    #[arg(
        long,
        value_name = "N",
        help_heading = "Machine",
        value_parser = whole_number::<usize>
    )]
    blocks: Option<usize>,

    #[command(flatten)]
    format: FormatArgument,

    #[command(flatten)]
    date: DateArgument,
}

impl Topology {
    /// What is printed, whether that is for people, and whether all checks hold.
    ///
    /// # Errors
    /// A network that there is not.
    pub fn execute(self) -> Result<(String, bool, bool), Error> {
        let date = self.date.date()?;
        let network = Network::new(self.network, self.dims, self.blocks)?;
        let report = Report::of(&network)?;
        let given = [
            ("--dims", Some(self.dims.to_string())),
            ("--blocks", self.blocks.map(|blocks| blocks.to_string())),
            ("--format", self.format.format.word()),
        ];
        let command = format!("cubewave topology {}", self.network.name());
        let meta = Meta::new(Some(command + &words(given, self.date)), date);
        let form = self.format.format;
        let text = report.formatted(form, &meta)?;
        Ok((text, form == Format::Text, report.passed()))
    }
}
