//! A job: what is broadcast, and the machine that does it.

use bitvec::vec::BitVec;
use hosts::ports::hosts::Hosts;
use hosts::ports::message::Message;
use hosts::ports::monitor::Monitor;
use rtl_model::machine::device::Device;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::broadcast::Broadcast;

use crate::error::Error;
use crate::families::broadcast::faulted::FaultedBroadcast;
use crate::families::broadcast::listed::List;
use crate::families::broadcast::packet_size::{self, PacketSize};
use crate::families::broadcast::parameters::{
    MESSAGE_BITS, PACKET_BITS, PORTS, SENDS, SOURCE, VALUES, algorithm, check_message_bits,
    message_bits, whole,
};
use crate::families::broadcast::{run, values, verilog};
use crate::lockstep::campaign::WithHosts;
use crate::lockstep::{Beside, Identity, Requirement};
use crate::options::staging_beside;
use crate::report::Report;
use crate::testbench::bench::{self, AnyMachine, ByItself, RunOptions};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::Parameter;
use crate::verilog::{Begun, Project};

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
    /// By an algorithm, of a message of so many bits; nothing is drawn or built.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn new(chosen: &Chosen, message_bits: usize) -> Result<Self, Error> {
        let whole = whole(chosen, algorithm(chosen)?, message_bits)?;
        let packet_size = packet_size::of(&whole, message_bits, chosen.whole(&PACKET_BITS))?;
        Asked::of(whole, message_bits, packet_size)
    }

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

/// A job.
pub struct Job {
    /// What it was asked for by.
    pub chosen: Chosen,
    /// What is broadcast.
    pub asked: Asked,
    /// Its machine.
    pub machine: PortMachine,
    /// The message, if it is that of a file.
    read: Option<BitVec<u64>>,
}

impl Job {
    /// The job that is asked for. Of files, which say how large the machine is, both are read.
    ///
    /// # Errors
    /// What is refused of it, and files that cannot be used.
    pub fn new(chosen: &Chosen) -> Result<Self, Error> {
        // One file for both is refused before it is read.
        staging_beside(&chosen.inputs())?;
        let list = chosen.path(&SENDS).map(List::read).transpose()?;
        let given = match &list {
            Some(list) => list.message_bits(chosen),
            None => message_bits(chosen),
        };
        check_message_bits(given)?;
        let read = match chosen.path(&VALUES) {
            Some(path) => {
                let bits = chosen.has(&MESSAGE_BITS).then_some(given);
                Some(values::read(path, chosen.number(&SOURCE), bits)?)
            }
            None => None,
        };
        let message_bits = read.as_ref().map_or(given, |bits| bits.len());
        let (asked, machine) = match list {
            Some(list) => {
                let (asked, sends) = list.asked(chosen, message_bits)?;
                (asked, PortMachine::listed(asked.broadcast, &sends)?)
            }
            None => {
                let asked = Asked::new(chosen, message_bits)?;
                (asked, PortMachine::new(asked.broadcast)?)
            }
        };
        Ok(Job {
            chosen: chosen.clone(),
            asked,
            machine,
            read,
        })
    }

    /// The message: as it was read, or drawn.
    pub fn message(&self) -> Message {
        let packet_bits = self.asked.packet_size.bits;
        match &self.read {
            Some(bits) => Message::new(bits.clone(), packet_bits),
            None => Message::drawn(self.asked.message_bits, packet_bits, self.chosen.seed()),
        }
    }
}

impl bench::Job for Job {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::ByItself(self)
    }

    fn requirement(&self) -> Requirement {
        let Broadcast {
            cube,
            packets,
            packet_bits,
            ..
        } = self.asked.broadcast;
        let hosts = Hosts::bytes(cube.nodes(), self.machine.wires(), (packets, packet_bits));
        let beside = Beside {
            before: 0,
            beside: hosts + Monitor::bytes(cube.nodes()),
        };
        Requirement::of(self.machine.as_device(), beside)
    }

    fn found(&self) -> Vec<(&'static Parameter, Given)> {
        let ports = self.asked.broadcast.ports.name().to_owned();
        let packet_bits = Given::number(self.asked.packet_size.bits);
        // A file says how long the message is, where nothing else does.
        let message_bits = Given::number(self.asked.message_bits);
        vec![
            (&PORTS, Given::Text(ports)),
            (&MESSAGE_BITS, message_bits),
            (&PACKET_BITS, packet_bits),
        ]
    }

    fn source(&self) -> Option<&'static str> {
        Some(self.asked.broadcast.algorithm.source())
    }

    fn choice(&self) -> Option<&'static str> {
        Some(self.asked.broadcast.algorithm.name())
    }
}

impl ByItself for Job {
    fn topology(&self) -> Box<dyn Topology> {
        self.machine.as_device().topology()
    }

    fn device(&self) -> Option<&dyn Device> {
        Some(self.machine.as_device())
    }

    fn run(&self, chosen: &Chosen, of: &Identity, options: &RunOptions) -> Result<Report, Error> {
        run::run(self, (chosen, of), options)
    }

    fn with_hosts(&self) -> Result<Box<dyn WithHosts>, Error> {
        Ok(Box::new(FaultedBroadcast::of(self)))
    }

    fn write(&self, begun: Begun<'_>) -> Result<Project, Error> {
        verilog::write(self, begun)
    }
}
