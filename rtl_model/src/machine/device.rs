//! The hardware seam, the other half: a machine in lockstep that can be built, behind an object, whatever its router.
//!
//! All that a testbench asks of a description without running it: its network, its closed forms, what it stores, how deep
//! its logic is, its Verilog. [`Device::build`] gives the machine that runs. Every [`Router`] is a device; `of_router` is
//! where routers meet the carriers that they run on.

mod of_router;

use std::any::Any;

use crate::circuit::depth::LogicDepth;
use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::Design;
use crate::circuit::verilog::properties::Stated;
use crate::closed_form::ClosedForm;
use crate::error::Error;
#[cfg(doc)]
use crate::machine::fabric::Fabric;
use crate::machine::fabric::Foreseen;
use crate::machine::meter::Storage;
#[cfg(doc)]
use crate::machine::program::Program;
#[cfg(doc)]
use crate::machine::router::Router;
use crate::machine::router::{BufferBounds, Position, Steps};
use crate::machine::share::{Rank, Share};
use crate::machine::shown::Shown;
use crate::machine::simulation::Lockstep;
use crate::machine::topology::Topology;

/// A machine in lockstep that can be built.
pub trait Device: Send + Sync {
    /// Its network.
    fn topology(&self) -> Box<dyn Topology>;

    /// Builds so many machines side by side, with all registers as they begin.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`] if they would not fit into the memory that is available.
    fn build(&self, machines: usize) -> Result<Box<dyn Lockstep>, Error>;

    /// Builds what a rank holds of a machine.
    ///
    /// # Errors
    /// What [`Share::check`](crate::machine::share::Share::check) refuses; [`Error::DoesNotFit`].
    fn build_share(&self, rank: Rank) -> Result<Box<dyn Lockstep>, Error>;

    /// Refuses ranks that cannot share it.
    ///
    /// # Errors
    /// As [`Share::check`](crate::machine::share::Share::check).
    fn check_share(&self, share: Share) -> Result<(), Error>;

    /// Bytes of memory that a share of it takes.
    fn bytes_of_share(&self, share: Share) -> u64;

    /// Bytes of memory that so many machines take.
    fn bytes(&self, machines: usize) -> u64;

    /// Whether a run goes as a compiled program, if nobody watches.
    fn has_program(&self) -> bool;

    /// What tells it from other devices that are described alike: see [`Program::fingerprint`].
    fn fingerprint(&self) -> u64;

    /// What a run of a share on so many threads is going to do, without a node of it: see [`Fabric::foreseen`].
    fn foreseen(&self, share: Share, threads: usize) -> Option<Foreseen>;

    /// Its steps.
    fn steps(&self) -> Steps;

    /// What a waveform of it shows beside wires and registers.
    fn shown(&self) -> Shown;

    /// The closed form of the bit times that a run takes.
    fn bit_times(&self) -> ClosedForm;

    /// The closed form of the bit times in which the wires of a dimension are driven: see [`Router::driven_bit_times`].
    fn driven_bit_times(&self, dimension: usize) -> Option<ClosedForm>;

    /// The closed form of the storage of a node, in bits.
    fn storage_bits(&self) -> ClosedForm;

    /// What a node holds of messages at the most: see [`Router::buffer_bounds`].
    fn buffer_bounds(&self) -> Option<BufferBounds>;

    /// The message bits of each message that are live then: see [`Router::live_bits_per_message`].
    fn live_bits_per_message(&self, after: Option<Position>) -> Option<u32>;

    /// The same of each message that began in that slot: see [`Router::live_bits_of_slot`].
    fn live_bits_of_slot(&self, after: Option<Position>, slot: usize) -> Option<u32>;

    /// The registers of a node.
    fn storage(&self) -> Storage;

    /// The registers of the sequencer.
    fn sequencer_storage(&self) -> Storage;

    /// Gates on the longest path between two registers.
    ///
    /// # Errors
    /// A circuit that has none: nodes that wait for each other within a bit time.
    fn logic_depth(&self) -> Result<LogicDepth, Error>;

    /// Its circuits, gate by gate.
    fn netlist(&self) -> Netlist;

    /// It as Verilog.
    fn design(&self, title: &str) -> Design;

    /// What it [promises](Router::promise) as properties that formal tools prove of that; none where it promises nothing.
    fn properties(&self, title: &str) -> Option<String>;

    /// The same of a machine that promises nothing by itself, of which this is stated; none where nothing else can be.
    fn properties_of(&self, stated: &Stated, title: &str) -> Option<String>;

    /// Whether the other one is the same circuit on the same schedule.
    fn is_like(&self, other: &dyn Device) -> bool;

    /// Another one like it.
    fn another(&self) -> Box<dyn Device>;

    /// For [`Device::is_like`].
    fn as_any(&self) -> &dyn Any;
}
