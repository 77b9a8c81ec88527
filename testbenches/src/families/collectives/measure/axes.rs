//! The axes of a sweep of an operation, as options and as lists.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use rtl_model::routers::collectives::algorithms::{Algorithm, Operation};
use rtl_model::routers::ports::algorithm::PortModel;

use crate::error::Error;
use crate::families::collectives::measure::place::{Place, Who};
use crate::families::collectives::measure::routers::{self, Router};
use crate::families::collectives::operations::{algorithm, algorithms, check_ports};
use crate::families::collectives::options::{DEFAULT_DIMENSIONS, DEFAULT_START_UP, port_model};
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{insert, named, numbers};

/// What `--packet-bits` and `--groups` say for what the algorithm chooses itself.
const OPTIMUM: &str = "optimum";
/// What `--ports` says for every port model, since `all` is one of them.
const ALL_MODELS: &str = "all-models";

/// Axes that every operation has.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct MachineAxes {
    /// Algorithms, by their names in `cubewave list`, or all [default: the first]
    #[arg(long, value_name = "LIST")]
    pub algorithm: Option<String>,

    /// Ports: one-way, two-way, all (all ports at once), or all-models, each algorithm on those that it is defined for
    /// [default: all]
    #[arg(long, value_name = "LIST")]
    pub ports: Option<String>,

    /// Dimensions n of the hypercube: numbers and ranges, as in 2..4,6, both ends included [default: 6]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Bit times before the first bit of a packet, T: numbers and ranges [default: 8; 0 where routers are measured beside]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub start_up: Option<String>,

    /// Groups g of packets, where algorithms have such: numbers and ranges, and optimum for those for which the formula has the
    /// fewest bit times [default: optimum]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub groups: Option<String>,

    /// Bits of a packet, B, where algorithms do not choose them: numbers and ranges, and optimum [default: optimum]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub packet_bits: Option<String>,
}

/// Axes of messages.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct MessageAxes {
    /// Bits of a message, M: numbers and ranges [default: 64]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub message_bits: Option<String>,
}

/// Axes of matrices.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct MatrixAxes {
    /// Rows of the matrix, powers of two: numbers and ranges [default: as many as nodes, 4096
    /// at the most]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub size: Option<String>,
}

/// Axes of samples.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct SampleAxes {
    /// Bins b: numbers and ranges [default: n 2^n]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub bins: Option<String>,

    /// Samples that are drawn for each node: numbers and ranges [default: 100]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub samples: Option<String>,
}

/// Axes of entries and of counts.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct WordAxes {
    /// Bits W of an entry or of a count: numbers and ranges [default: 64 of an entry, as few as hold all samples of a count]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub word_bits: Option<String>,
}

/// Routers beside.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct RouterAxes {
    /// Routers that do the same, run beside the algorithms: kuszmaul, wormhole or all
    #[arg(long, value_name = "LIST")]
    pub against: Option<String>,
}

/// The axes of an operation: those that it has not are empty.
#[derive(Clone, Debug, Default)]
pub(super) struct OperationAxes {
    pub machine: MachineAxes,
    messages: MessageAxes,
    matrix: MatrixAxes,
    samples: SampleAxes,
    words: WordAxes,
    routers: RouterAxes,
}

/// Adds the axes of an operation.
pub(super) fn arguments(command: Command, operation: Operation) -> Command {
    let command = MachineAxes::augment_args(command);
    let command = match operation {
        Operation::Transpose => WordAxes::augment_args(MatrixAxes::augment_args(command)),
        Operation::Histogram => WordAxes::augment_args(SampleAxes::augment_args(command)),
        _ => MessageAxes::augment_args(command),
    };
    match routers::are_for(operation) {
        true => RouterAxes::augment_args(command),
        false => command,
    }
}

impl OperationAxes {
    /// What was asked for.
    ///
    /// # Errors
    /// Arguments that cannot be read.
    pub fn of(arguments: &ArgMatches, operation: Operation) -> Result<Self, clap::Error> {
        let mut axes = OperationAxes {
            machine: MachineAxes::from_arg_matches(arguments)?,
            ..OperationAxes::default()
        };
        match operation {
            Operation::Transpose => {
                axes.matrix = MatrixAxes::from_arg_matches(arguments)?;
                axes.words = WordAxes::from_arg_matches(arguments)?;
            }
            Operation::Histogram => {
                axes.samples = SampleAxes::from_arg_matches(arguments)?;
                axes.words = WordAxes::from_arg_matches(arguments)?;
            }
            _ => axes.messages = MessageAxes::from_arg_matches(arguments)?,
        }
        if routers::are_for(operation) {
            axes.routers = RouterAxes::from_arg_matches(arguments)?;
        }
        Ok(axes)
    }

    /// The places of a grid, with the first seed: those of each algorithm on each of its ports, then those of routers.
    ///
    /// # Errors
    /// A list that cannot be read; ports that an algorithm is not defined for, where both are asked for by name.
    pub fn places(&self, operation: Operation, seeds: &Seeds) -> Result<Vec<Axes<Place>>, Error> {
        let routers = match &self.routers.against {
            None => Vec::new(),
            Some(list) => Router::named(list)?,
        };
        let default_start_up = match routers.is_empty() {
            true => DEFAULT_START_UP,
            // What a router takes to start is not part of it, so algorithms are compared without.
            false => 0,
        };
        let start_ups = match &self.machine.start_up {
            None => vec![default_start_up],
            Some(list) => numbers("--start-up", list)?,
        };
        let groups = or_optimum("--groups", &self.machine.groups)?;
        let packets = or_optimum("--packet-bits", &self.machine.packet_bits)?;
        let mut grids = Vec::new();
        for (name, ports) in self.pairs(operation)? {
            let grid = self.sizes(Place::of(operation, (Who::Algorithm(name), ports), seeds))?;
            grids.push(
                (grid.over(&start_ups, |place, bits| place.start_up = bits))
                    .over(&groups, |place, groups| place.groups = groups)
                    .over(&packets, |place, bits| place.packet_bits = bits),
            );
        }
        for router in routers {
            let who = (Who::Router(router), PortModel::All);
            grids.push(self.sizes(Place::of(operation, who, seeds))?);
        }
        Ok(grids)
    }

    /// A grid of sizes.
    fn sizes(&self, first: Place) -> Result<Axes<Place>, Error> {
        let dims = match &self.machine.dims {
            None => vec![DEFAULT_DIMENSIONS],
            Some(list) => numbers("--dims", list)?,
        };
        let message_bits = or_none("--message-bits", &self.messages.message_bits)?;
        let size = or_none("--size", &self.matrix.size)?;
        let word_bits = or_none("--word-bits", &self.words.word_bits)?;
        let bins = or_none("--bins", &self.samples.bins)?;
        let samples = or_none("--samples", &self.samples.samples)?;
        Ok(Axes::new(first)
            .over(&dims, |place, dims| place.dims = dims)
            .over(&message_bits, |place, bits| place.message_bits = bits)
            .over(&size, |place, size| place.size = size)
            .over(&word_bits, |place, bits| place.word_bits = bits)
            .over(&bins, |place, bins| place.bins = bins)
            .over(&samples, |place, samples| place.samples = samples))
    }

    /// Algorithms with their ports.
    fn pairs(&self, operation: Operation) -> Result<Vec<(&'static str, PortModel)>, Error> {
        let first = algorithm(operation, None)?;
        let all: Vec<(&str, &str)> = algorithms(operation)
            .map(|one| (one.name(), one.name()))
            .collect();
        let list = self.machine.algorithm.as_deref().unwrap_or(first.name());
        let chosen = named("algorithm", list, &all)?;
        let ports = self.machine.ports.as_deref();
        let models = port_models(ports.unwrap_or("all"))?;
        let has = |list: &str, word: &str| list.split(',').any(|name| name.trim() == word);
        // Of what is asked for as a whole, what there is not is left out.
        let is_whole = has(list, "all") || ports.is_none_or(|list| has(list, ALL_MODELS));
        let mut pairs = Vec::new();
        let mut refused = None;
        for name in chosen {
            let one: &'static dyn Algorithm = algorithm(operation, Some(name))?;
            for &model in &models {
                match check_ports(one, model) {
                    Ok(()) => pairs.push((name, model)),
                    Err(error) if is_whole => refused = refused.or(Some(error)),
                    Err(error) => return Err(error),
                }
            }
        }
        match refused {
            Some(error) if pairs.is_empty() => Err(error),
            _ => Ok(pairs),
        }
    }
}

fn port_models(list: &str) -> Result<Vec<PortModel>, Error> {
    let mut models = Vec::new();
    for name in list.split(',').map(str::trim) {
        match name {
            ALL_MODELS => PortModel::EACH
                .into_iter()
                .for_each(|model| insert(&mut models, model)),
            name => insert(&mut models, port_model(name)?),
        }
    }
    Ok(models)
}

/// The numbers of a list; without one, none is asked for.
fn or_none(option: &'static str, list: &Option<String>) -> Result<Vec<Option<usize>>, Error> {
    match list {
        None => Ok(vec![None]),
        Some(list) => Ok(numbers(option, list)?.into_iter().map(Some).collect()),
    }
}

/// The numbers of a list, in which the algorithm's own choice may stand too.
fn or_optimum(option: &'static str, list: &Option<String>) -> Result<Vec<Option<usize>>, Error> {
    let mut asked = Vec::new();
    for item in list.as_deref().unwrap_or(OPTIMUM).split(',') {
        match item.trim() {
            OPTIMUM => insert(&mut asked, None),
            item => {
                for number in numbers(option, item)? {
                    insert(&mut asked, Some(number));
                }
            }
        }
    }
    Ok(asked)
}

#[cfg(test)]
mod tests;
