//! What the testbenches are asked to do, and what of that is refused before any work starts.

mod command;

use std::path::PathBuf;

use rtl_model::error::Error as ModelError;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::MOST_MEMORY_BITS;
use rtl_model::routers::collectives::algorithms::{Algorithm, Operation};
use rtl_model::routers::ports::algorithm::PortModel;
use rtl_model::routers::ports::broadcast::MOST_DIMENSIONS;

use crate::error::Error;
use crate::families::collectives::operations;
use crate::options;

/// Dimensions where none are asked for.
pub const DEFAULT_DIMENSIONS: usize = 6;
/// Bits of a message.
pub const DEFAULT_MESSAGE_BITS: usize = 64;
/// Bit times of a start-up.
pub const DEFAULT_START_UP: usize = 8;
/// The most bits of a message.
pub const MOST_MESSAGE_BITS: usize = 1 << 20;
/// The most bits of all messages that a node has, or is sent.
pub const MOST_NODE_BITS: usize = MOST_MEMORY_BITS;
/// The most bit times of a start-up.
const MOST_START_UP: usize = 1 << 20;
/// The most packets that a message is cut into, and the most groups.
const MOST_PACKETS: usize = 1 << 12;

/// The machine, and its messages or what they are made of.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What is to be done.
    pub operation: Operation,
    /// By which algorithm.
    pub algorithm: Option<String>,
    /// Ports that may be busy.
    pub ports: Option<String>,
    /// Dimensions of the cube.
    pub dims: Option<usize>,
    /// Bit times before a packet's first bit, `T`.
    pub start_up: Option<usize>,
    /// Groups, `g`.
    pub groups: Option<usize>,
    /// Bits of a packet, `B`.
    pub packet_bits: Option<usize>,
    /// The one node of scatter, gather and send.
    pub source: Option<usize>,
    /// The other end of a send.
    pub destination: Option<usize>,
    /// A pattern or a file with a permutation.
    pub permutation: Option<String>,
    /// Bits of a message, `M`.
    pub message_bits: Option<usize>,
    /// A file with the messages, or with samples.
    pub values: Option<PathBuf>,
    /// A file with a matrix.
    pub matrix: Option<PathBuf>,
    /// Rows of a matrix that is drawn.
    pub size: Option<usize>,
    /// Bits of an entry, or of a count.
    pub word_bits: Option<usize>,
    /// Bins of a histogram.
    pub bins: Option<usize>,
    /// Samples that are drawn for each node.
    pub samples: Option<usize>,
    /// Where what arrived is written.
    pub results: Option<PathBuf>,
    /// What is drawn is drawn from it.
    pub seed: u64,
}

/// Options of `run`.
pub(super) type RunOptions = options::RunOptions<Setup>;

impl Default for Setup {
    fn default() -> Self {
        Setup::of(Operation::Scatter)
    }
}

/// The port model of that name.
///
/// # Errors
/// A name that there is not.
pub fn port_model(name: &str) -> Result<PortModel, Error> {
    let known = PortModel::EACH;
    let found = known.into_iter().find(|known| known.name() == name);
    found.ok_or_else(|| Error::Unknown {
        what: "port model",
        name: name.to_owned(),
        known: known.map(PortModel::name).to_vec(),
    })
}

/// A number, if it is in range.
///
/// # Errors
/// Out of range.
pub fn in_range(
    option: &'static str,
    number: usize,
    [least, most]: [usize; 2],
) -> Result<usize, Error> {
    match (least..=most).contains(&number) {
        true => Ok(number),
        false => Err(Error::List {
            option,
            why: format!("{number} is out of range: choose {least} to {most}"),
        }),
    }
}

impl Setup {
    /// Nothing asked for but the operation.
    pub fn of(operation: Operation) -> Self {
        Setup {
            operation,
            algorithm: None,
            ports: None,
            dims: None,
            start_up: None,
            groups: None,
            packet_bits: None,
            source: None,
            destination: None,
            permutation: None,
            message_bits: None,
            values: None,
            matrix: None,
            size: None,
            word_bits: None,
            bins: None,
            samples: None,
            results: None,
            seed: 1,
        }
    }

    /// The algorithm.
    ///
    /// # Errors
    /// A name of none.
    pub fn algorithm(&self) -> Result<&'static dyn Algorithm, Error> {
        operations::algorithm(self.operation, self.algorithm.as_deref())
    }

    /// The ports that may be busy.
    ///
    /// # Errors
    /// A name of none, and ports that the algorithm is not defined for.
    pub fn ports(&self) -> Result<PortModel, Error> {
        let algorithm = self.algorithm()?;
        let first = algorithm.port_models().first();
        let ports = match &self.ports {
            Some(name) => port_model(name)?,
            None => first.copied().unwrap_or(PortModel::All),
        };
        operations::check_ports(algorithm, ports)?;
        Ok(ports)
    }

    /// The cube.
    ///
    /// # Errors
    /// Out of range.
    pub fn cube(&self) -> Result<Dimensions, Error> {
        let dims = self.dims.unwrap_or(DEFAULT_DIMENSIONS);
        match dims {
            1..=MOST_DIMENSIONS => Ok(Dimensions::new(dims)?),
            _ => Err(Error::Model(ModelError::PortDimensions {
                dimensions: dims,
                most: MOST_DIMENSIONS,
            })),
        }
    }

    /// Bit times of START.
    ///
    /// # Errors
    /// Out of range.
    pub fn start_up(&self) -> Result<usize, Error> {
        let start_up = self.start_up.unwrap_or(DEFAULT_START_UP);
        in_range("--start-up", start_up, [0, MOST_START_UP])
    }

    /// Groups, where some are asked for.
    ///
    /// # Errors
    /// Out of range.
    pub fn groups(&self) -> Result<Option<usize>, Error> {
        let groups = self
            .groups
            .map(|groups| in_range("--groups", groups, [1, MOST_PACKETS]));
        groups.transpose()
    }

    /// Bits of a packet of a message of so many, where some are asked for.
    ///
    /// # Errors
    /// None, more than the message has, and so few that there would be too many packets.
    pub fn packet_bits(&self, message_bits: usize) -> Result<Option<usize>, Error> {
        let least = message_bits.div_ceil(MOST_PACKETS).max(1);
        let bits = self
            .packet_bits
            .map(|bits| in_range("--packet-bits", bits, [least, message_bits.max(least)]));
        bits.transpose()
    }

    /// Bits of a message, where they do not follow from a matrix or from samples.
    ///
    /// # Errors
    /// Out of range.
    pub fn message_bits(&self) -> Result<usize, Error> {
        let bits = self.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS);
        in_range("--message-bits", bits, [1, MOST_MESSAGE_BITS])
    }

    /// The same, refused if a node would have more messages of so many bits than can be.
    ///
    /// # Errors
    /// With the most bits that can be.
    pub fn fitting_message_bits(&self) -> Result<usize, Error> {
        let message_bits = self.message_bits()?;
        let messages = match self.operation {
            Operation::Send | Operation::PermutedSend | Operation::Inversion => 1,
            _ => self.cube()?.nodes(),
        };
        match message_bits.checked_mul(messages) {
            Some(0..=MOST_NODE_BITS) => Ok(message_bits),
            _ => Err(Error::List {
                option: "--message-bits",
                why: format!(
                    "a node would have {messages} messages of {message_bits} bits: choose fewer dimensions, or messages of {} bits \
                     at the most",
                    MOST_NODE_BITS / messages
                ),
            }),
        }
    }

    /// The one node of scatter, gather and send.
    ///
    /// # Errors
    /// A node that the cube does not have.
    pub fn source(&self) -> Result<usize, Error> {
        let last = self.cube()?.nodes() - 1;
        in_range("--source", self.source.unwrap_or(0), [0, last])
    }

    /// The other end of a send.
    ///
    /// # Errors
    /// A node that the cube does not have, or the source.
    pub fn destination(&self) -> Result<usize, Error> {
        let (source, last) = (self.source()?, self.cube()?.nodes() - 1);
        let destination = self.destination.unwrap_or(last ^ source);
        match in_range("--destination", destination, [0, last])? {
            same if same == source => Err(Error::List {
                option: "--destination",
                why: format!("node {same} is the source: choose another"),
            }),
            other => Ok(other),
        }
    }
}

#[cfg(test)]
mod tests;
