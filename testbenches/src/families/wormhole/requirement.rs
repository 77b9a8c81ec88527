//! What a run of a wormhole machine takes, and which options it has; nothing is drawn or built.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::traffic::injection::OfferedLoad;

use crate::error::Error;
use crate::families::wormhole::lanes::{WithLanes, in_lanes};
use crate::families::wormhole::options::RunOptions;
use crate::families::wormhole::options::{NAME, Phases};
use crate::families::wormhole::traffic;

/// log2 of the nodes of which lanes may be made: of cube-connected cycles, those of one level.
pub(super) fn side_by_side(machine: &WormholeMachine) -> usize {
    match machine.network() {
        Network::CubeConnectedCycles(cycles) => cycles.levels(),
        Network::Copies { copies, .. } => copies.dimensions().count(),
        Network::ECube(dimensions) => dimensions.count(),
    }
}

/// Refuses the options that mean nothing here.
pub(super) fn check_options(options: &RunOptions) -> Result<(), Error> {
    let setup = &options.setup;
    let not_applicable = |option, why| {
        Err(Error::NotApplicable {
            bench: NAME,
            option,
            why,
        })
    };
    if options.setup.injection.offered_load.is_some() {
        if setup.load.is_some() {
            return not_applicable(
                "--load with --offered-load",
                "under continuous injection every node sends",
            );
        }
        if setup.traffic_file.is_some() {
            return not_applicable(
                "--traffic-file with --offered-load",
                "a file holds one message of each source",
            );
        }
    }
    Ok(())
}

/// Bytes that the bookkeeping of a node and of each of its switches takes, by a generous estimate.
const BYTES_PER_NODE: u64 = 128;
const BYTES_PER_SWITCH: u64 = 256;
/// Bytes that a worm takes beside its bits.
const BYTES_PER_WORM: u64 = 400;

/// Bytes that a run takes.
pub(super) fn bytes(machine: &WormholeMachine, messages: u64, message_bits: usize) -> u64 {
    struct OfMachine<'a>(&'a WormholeMachine);
    impl WithLanes for OfMachine<'_> {
        type Output = u64;
        fn run<B: Lanes>(self) -> u64 {
            Fabric::<WormholeMachine, B>::bytes(self.0, 1)
        }
    }
    let nodes = machine.network().nodes() as u64;
    let switches = machine.network().switches() as u64;
    let a_message = message_bits as u64 / 4 + switches * BYTES_PER_WORM;
    let machine = in_lanes(side_by_side(machine), OfMachine(machine))
        + nodes * (BYTES_PER_NODE + switches * BYTES_PER_SWITCH);
    machine.saturating_add(messages.saturating_mul(a_message))
}

/// Messages that continuous injection may create.
pub(super) fn created(
    machine: &WormholeMachine,
    (load, bits): (f64, usize),
    phases: &Phases,
) -> u64 {
    let bit_times = (phases.warm_up + phases.measurement + phases.drain) as f64;
    (machine.network().nodes() as f64 * load * bit_times / bits as f64) as u64
}

/// What is known of a run without drawing its traffic.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The machine.
    pub machine: WormholeMachine,
    /// Bits of a message.
    pub message_bits: usize,
    /// Bit times of continuous injection, where that was asked for.
    pub phases: Option<Phases>,
    /// Memory that it takes.
    pub bytes: u64,
}

/// Sizes a run up.
///
/// # Errors
/// What [`run`](super::run::run) refuses of the machine and the loads; patterns and files are not looked at.
pub fn requirement(options: &RunOptions) -> Result<Requirement, Error> {
    let setup = &options.setup;
    check_options(options)?;
    let machine = setup.wormhole.machine(setup.dims)?;
    let message_bits = setup.wormhole.checked_message_bits(&machine)?;
    let (messages, phases) = match options.setup.injection.offered_load {
        None => {
            let load = traffic::checked_load(setup)?;
            (
                (load * machine.network().nodes() as f64).round() as u64,
                None,
            )
        }
        Some(load) => {
            OfferedLoad::new(load)?;
            let phases = options.setup.injection.phases(load, message_bits)?;
            (
                created(&machine, (load, message_bits), &phases),
                Some(phases),
            )
        }
    };
    Ok(Requirement {
        bytes: bytes(&machine, messages, message_bits),
        machine,
        message_bits,
        phases,
    })
}
