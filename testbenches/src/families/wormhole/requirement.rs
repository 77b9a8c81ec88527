//! What a run of a wormhole machine takes, and which options it has; nothing is drawn or built.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::memory;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Joined;
use rtl_model::traffic::injection::OfferedLoad;

use crate::error::Error;
use crate::families::wormhole::lanes::{WithLanes, in_lanes};
use crate::families::wormhole::options::RunOptions;
use crate::families::wormhole::options::{InjectionSetup, NAME, Phases};
use crate::families::wormhole::traffic;

/// log2 of the nodes of which lanes may be made: of cube-connected cycles, those of one level.
pub(super) fn side_by_side(machine: &WormholeMachine) -> usize {
    match machine.network().joined() {
        Joined::CubeConnectedCycles(cycles) => cycles.levels(),
        Joined::Hypercube(dimensions) => dimensions.count(),
    }
}

/// Refuses the options that mean nothing here.
pub(super) fn check_options(options: &RunOptions) -> Result<(), Error> {
    let setup = &options.setup;
    setup.injection.check()?;
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
                "a file has its own messages, with their times",
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

/// Bytes that a run takes of so many messages, of so many bits together.
pub(super) fn bytes(machine: &WormholeMachine, messages: u64, message_bits: u64) -> u64 {
    struct OfMachine<'a>(&'a WormholeMachine);
    impl WithLanes for OfMachine<'_> {
        type Output = u64;
        fn run<B: WormLanes>(self) -> u64 {
            Fabric::<WormholeMachine, B>::bytes(self.0, 1)
        }
    }
    let nodes = machine.network().nodes() as u64;
    let switches = machine.network().switches() as u64;
    // A piece has a bit at least.
    let worms = messages.saturating_mul(switches).min(message_bits);
    let of_messages = worms.saturating_mul(BYTES_PER_WORM);
    let machine = in_lanes(side_by_side(machine), OfMachine(machine))
        + nodes * (BYTES_PER_NODE + switches * BYTES_PER_SWITCH);
    (machine.saturating_add(of_messages)).saturating_add(message_bits / 4)
}

/// The same, where there is as much memory.
///
/// # Errors
/// [`ModelError::DoesNotFit`].
pub(super) fn room_for(
    machine: &WormholeMachine,
    messages: u64,
    message_bits: u64,
) -> Result<u64, ModelError> {
    let nodes = machine.network().nodes();
    let bytes = bytes(machine, messages, message_bits);
    let what = format!("a run of {nodes} nodes and {messages} messages");
    memory::require_for_nodes(what, nodes, bytes, memory::available())?;
    Ok(bytes)
}

/// Messages that continuous injection may create, and their bits.
pub(super) fn created(
    machine: &WormholeMachine,
    (load, bits): (f64, usize),
    (injection, phases): (&InjectionSetup, &Phases),
) -> (u64, u64) {
    let bit_times = (phases.latest_end() + phases.drain) as f64;
    let requests = (machine.network().nodes() as f64 * load * bit_times / bits as f64) as u64;
    let (replies, reply_bits) = match injection.replies(bits) {
        Some(reply_bits) => (requests, reply_bits),
        None => (0, 0),
    };
    (
        requests.saturating_add(replies),
        requests.saturating_mul((bits + reply_bits) as u64),
    )
}

/// Refuses a phase that was asked for and is longer than memory allows.
///
/// # Errors
/// [`Error::PhaseDoesNotFit`].
pub(super) fn check_phases(
    machine: &WormholeMachine,
    of: (f64, usize),
    (asked, phases): (&InjectionSetup, &Phases),
    available: u64,
) -> Result<(), Error> {
    // What the run makes longer by itself, nobody asked for.
    let shortest = Phases {
        doublings: 0,
        ..*phases
    };
    let (messages, bits) = created(machine, of, (asked, &shortest));
    if bytes(machine, messages, bits) <= available {
        return Ok(());
    }
    // Without a drain of its own, a measurement brings ten times its length.
    let times = if asked.drain.is_none() { 11 } else { 1 };
    let given = [
        ("--warm-up", asked.warm_up, 1),
        ("--measurement", asked.measurement, times),
        ("--drain", asked.drain, 1),
    ];
    let given = given
        .into_iter()
        .filter_map(|(option, given, times)| Some((option, given?, times)));
    let Some((option, bit_times, times)) =
        given.max_by_key(|(_, bit_times, times)| bit_times * times)
    else {
        return Ok(());
    };
    let idle = bytes(machine, 0, 0);
    if idle > available {
        // It is the machine that does not fit, which whoever makes it says.
        return Ok(());
    }
    let of_a_message = (bytes(machine, messages, bits) - idle).div_ceil(messages.max(1));
    let fit = available.saturating_sub(idle) / of_a_message;
    let all = phases.first_end() + phases.drain;
    let fit_bit_times = (all as f64 * fit as f64 / messages as f64) as u64;
    // Of a very long measurement the drain is not ten times as long.
    let others = all.saturating_sub(bit_times.saturating_mul(times));
    Err(Error::PhaseDoesNotFit {
        option,
        bit_times,
        messages,
        fit,
        most: fit_bit_times.saturating_sub(others) / times,
    })
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
    let machine = setup.wormhole.machine(setup.dims, setup.seed)?;
    let message_bits = setup.wormhole.checked_message_bits()?;
    let ((messages, bits), phases) = match options.setup.injection.offered_load {
        None => {
            let load = traffic::checked_load(setup)?;
            let messages = (load * machine.network().nodes() as f64).round() as u64;
            ((messages, messages * message_bits as u64), None)
        }
        Some(load) => {
            OfferedLoad::new(load)?;
            let injection = &options.setup.injection;
            let phases = injection.phases(&machine, load, message_bits)?;
            let of = (load, message_bits);
            check_phases(&machine, of, (injection, &phases), memory::available())?;
            (created(&machine, of, (injection, &phases)), Some(phases))
        }
    };
    Ok(Requirement {
        bytes: bytes(&machine, messages, bits),
        machine,
        message_bits,
        phases,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::wormhole::options::WormholeSetup;

    #[test]
    fn the_longest_phase_that_was_asked_for_is_the_one_refused_and_what_is_offered_fits() {
        let machine = WormholeSetup::default().machine(Some(4), 1).unwrap();
        let (of, available) = ((0.5, 64), 1 << 27);
        for (warm_up, measurement, drain, option) in [
            (Some(1_000_000), Some(1000), None, "--warm-up"),
            (None, Some(500_000), None, "--measurement"),
            (Some(600_000), Some(100_000), Some(0), "--warm-up"),
            (Some(1000), Some(1000), Some(900_000), "--drain"),
        ] {
            let asked = InjectionSetup {
                offered_load: Some(of.0),
                warm_up,
                measurement,
                drain,
                ..InjectionSetup::default()
            };
            let phases = asked.phases(&machine, of.0, of.1).unwrap();
            let refused = check_phases(&machine, of, (&asked, &phases), available).unwrap_err();
            let Error::PhaseDoesNotFit {
                option: refused,
                most,
                ..
            } = refused
            else {
                panic!("{refused}");
            };
            assert_eq!(refused, option);
            let shorter = InjectionSetup {
                warm_up: warm_up.map(|given| if option == "--warm-up" { most } else { given }),
                measurement: measurement.map(|given| {
                    if option == "--measurement" {
                        most
                    } else {
                        given
                    }
                }),
                drain: drain.map(|given| if option == "--drain" { most } else { given }),
                ..asked
            };
            let phases = shorter.phases(&machine, of.0, of.1).unwrap();
            assert!(
                check_phases(&machine, of, (&shorter, &phases), available).is_ok(),
                "{option} {most}"
            );
        }
        // What nobody asked for is no option's fault.
        let none = InjectionSetup::default();
        let phases = none.phases(&machine, of.0, of.1).unwrap();
        assert!(check_phases(&machine, of, (&none, &phases), 0).is_ok());
    }
}
