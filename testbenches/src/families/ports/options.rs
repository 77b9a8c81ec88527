//! What the testbench is asked to do, and what of that is refused before any work starts.

use std::path::PathBuf;

use clap::Args;
use hosts::ports::message::Message;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::{Broadcast, MOST_DIMENSIONS};

use crate::error::Error;
use crate::families::ports::packet_size::{self, PacketSize};
use crate::families::ports::values;
use crate::options::{
    self, DeliveriesArgument, FormatArgument, SeedArgument, WaveArguments, whole_number,
};

/// The testbench's name.
pub const NAME: &str = "broadcast";

/// Dimensions where none are asked for.
pub const DEFAULT_DIMENSIONS: usize = 6;
/// Bits of a message.
pub const DEFAULT_MESSAGE_BITS: usize = 1024;
/// Bit times of a start-up.
pub const DEFAULT_START_UP: usize = 8;
/// The most bits of a message.
pub const MOST_MESSAGE_BITS: usize = 1 << 24;

/// The machine and its message.
#[derive(Args, Clone, Debug, Default)]
pub struct Setup {
    /// Broadcast: hp, sbt, tcbt, msbt (Ho & Johnsson), broadcast-1, broadcast-2, broadcast-3a, broadcast-3b or broadcast-4
    /// (Stout & Wagar) [default: msbt]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub algorithm: Option<String>,

    /// Ports of a node that may be busy at once: one-way (it sends or receives on one), two-way (it sends on one and receives
    /// on one) or all; broadcast-1 to -4 take all [default: two-way, or all]
    #[arg(long, value_name = "MODEL", help_heading = "Machine")]
    pub ports: Option<String>,

    /// Dimensions n of the hypercube, 1 to 16 [default: 6]
    #[arg(long, value_name = "K", help_heading = "Machine", value_parser = whole_number::<usize>)]
    pub dims: Option<usize>,

    /// Bit times before the first bit of each packet, T [default: 8]
    #[arg(long, value_name = "T", help_heading = "Machine", value_parser = whole_number::<usize>)]
    pub start_up: Option<usize>,

    /// The node that has the message [default: 0]
    #[arg(
        long,
        value_name = "NODE",
        help_heading = "Message",
        value_parser = whole_number::<usize>
    )]
    pub source: Option<usize>,

    /// Bits of the message, M [default: 1024]
    #[arg(long, value_name = "M", help_heading = "Message", value_parser = whole_number::<usize>)]
    pub message_bits: Option<usize>,

    /// Bits of a packet, B; the last one is filled up with zeros on the wires [default: that for which the formula has the
    /// fewest bit times]
    #[arg(long, value_name = "B", help_heading = "Message", value_parser = whole_number::<usize>)]
    pub packet_bits: Option<usize>,

    /// The message from a CSV file: a header `node,value`, then one row, of the source; the value is hexadecimal, its least
    /// significant bit is sent first [default: drawn from the seed]
    #[arg(long, value_name = "FILE", help_heading = "Message")]
    pub values: Option<PathBuf>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

/// Options of `run`.
pub type RunOptions = options::RunOptions<RunSetup>;

/// Options of `verilog`.
pub type VerilogOptions = options::VerilogOptions<Setup>;

/// What `run` has besides.
#[derive(Clone, Debug, Default)]
pub struct RunSetup {
    /// The machine and its message.
    pub setup: Setup,
    /// A list of sends, in place of an algorithm.
    pub sends: Option<PathBuf>,
    /// Where the nodes' messages are written.
    pub results: Option<PathBuf>,
}

/// Options of `run`, as the command line has them.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments {
    #[command(flatten)]
    pub setup: Setup,

    /// In place of an algorithm, what goes over which link in which step, from a CSV file: a header `step,from,to,packet`, then
    /// a row a packet on its way; all are counted from 0. It is checked for the ports, and for what a node can have by then;
    /// nodes store it as orders. The message is cut into as many packets as it names
    #[arg(
        long,
        value_name = "FILE.csv",
        help_heading = "Machine",
        conflicts_with = "algorithm"
    )]
    pub sends: Option<PathBuf>,

    #[command(flatten)]
    pub wave: WaveArguments,
    #[command(flatten)]
    pub deliveries: DeliveriesArgument,

    /// Write what each node ends up with, as CSV: node,value, as of --values
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub results: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgument,
}

impl RunArguments {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let options = RunOptions {
            setup: RunSetup {
                setup: self.setup,
                sends: self.sends,
                results: self.results,
            },
            deliveries: self.deliveries.deliveries,
            format: self.format.format,
            ..RunOptions::default()
        };
        options.with_wave(self.wave)
    }
}

/// The broadcast that was asked for, and how the size of its packets was found.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The broadcast.
    pub broadcast: Broadcast,
    /// Bits of the message, `M`.
    pub message_bits: usize,
    /// Bits of a packet.
    pub packet_size: PacketSize,
}

impl Asked {
    /// A broadcast of a message in packets of that size.
    ///
    /// # Errors
    /// More packets than can be.
    pub(super) fn of(
        whole: Broadcast,
        message_bits: usize,
        packet_size: PacketSize,
    ) -> Result<Self, Error> {
        let broadcast = Broadcast {
            packets: message_bits.div_ceil(packet_size.bits),
            packet_bits: packet_size.bits,
            ..whole
        };
        Ok(Asked {
            broadcast: broadcast.checked()?,
            message_bits,
            packet_size,
        })
    }
}

/// The algorithm of that name.
///
/// # Errors
/// A name that there is not.
pub fn algorithm(name: &str) -> Result<Algorithm, Error> {
    let known = Algorithm::EACH;
    let found = known.into_iter().find(|known| known.name() == name);
    found.ok_or_else(|| Error::Unknown {
        what: "broadcast",
        name: name.to_owned(),
        known: known.map(Algorithm::name).to_vec(),
    })
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

fn check_message_bits(bits: usize) -> Result<(), Error> {
    match (1..=MOST_MESSAGE_BITS).contains(&bits) {
        true => Ok(()),
        false => Err(Error::MessageBits {
            bits,
            limit: MOST_MESSAGE_BITS,
        }),
    }
}

/// The ports that an algorithm has where none are asked for.
pub fn default_ports(algorithm: Algorithm) -> PortModel {
    match algorithm.port_models().contains(&PortModel::TwoWay) {
        true => PortModel::TwoWay,
        false => PortModel::All,
    }
}

impl Setup {
    /// The broadcast; nothing is drawn or built.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn asked(&self, message_bits: usize) -> Result<Asked, Error> {
        let algorithm = algorithm(self.algorithm.as_deref().unwrap_or("msbt"))?;
        let whole = self.whole(algorithm, message_bits)?;
        let packet_size = packet_size::of(&whole, message_bits, self.packet_bits)?;
        Asked::of(whole, message_bits, packet_size)
    }

    /// The broadcast with packets of which nothing is known yet.
    pub(super) fn whole(
        &self,
        algorithm: Algorithm,
        message_bits: usize,
    ) -> Result<Broadcast, Error> {
        let ports = match &self.ports {
            Some(name) => port_model(name)?,
            None => default_ports(algorithm),
        };
        algorithm.check(ports)?;
        let dims = self.dims.unwrap_or(DEFAULT_DIMENSIONS);
        if !(1..=MOST_DIMENSIONS).contains(&dims) {
            return Err(Error::Model(rtl_model::error::Error::PortDimensions {
                dimensions: dims,
                most: MOST_DIMENSIONS,
            }));
        }
        check_message_bits(message_bits)?;
        let whole = Broadcast {
            cube: Dimensions::new(dims)?,
            algorithm,
            ports,
            source: self.source.unwrap_or(0),
            packets: 1,
            packet_bits: 1,
            start_up: self.start_up.unwrap_or(DEFAULT_START_UP),
        };
        Ok(whole.checked()?)
    }

    /// Bits of the message where they are not those of a file.
    pub fn message_bits(&self) -> usize {
        self.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS)
    }

    /// The broadcast, and the message drawn or read.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn with_message(&self) -> Result<(Asked, Message), Error> {
        self.message_of(|message_bits| self.asked(message_bits))
    }

    /// The message, drawn or read, and what is asked for given its bits.
    pub(super) fn message_of(
        &self,
        asked: impl Fn(usize) -> Result<Asked, Error>,
    ) -> Result<(Asked, Message), Error> {
        check_message_bits(self.message_bits())?;
        let Some(path) = &self.values else {
            let asked = asked(self.message_bits())?;
            let bits = asked.packet_size.bits;
            let message = Message::drawn(asked.message_bits, bits, self.seed.seed);
            return Ok((asked, message));
        };
        let bits = values::read(path, self.source.unwrap_or(0), self.message_bits)?;
        let asked = asked(bits.len())?;
        Ok((asked, Message::new(bits, asked.packet_size.bits)))
    }
}
