//! Memory that a run of a wormhole machine takes, and what is refused for it; nothing is drawn or built.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::memory;
use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::wormhole::injection::{DRAIN, MEASUREMENT, WARM_UP, replies};
use crate::families::wormhole::lanes::{WithLanes, in_lanes, side_by_side};
use crate::families::wormhole::phases::{self, Phases};
use crate::testbench::chosen::Chosen;

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
    (chosen, phases): (&Chosen, &Phases),
) -> (u64, u64) {
    let bit_times = (phases.latest_end() + phases.drain) as f64;
    let requests = (machine.network().nodes() as f64 * load * bit_times / bits as f64) as u64;
    let (replies, reply_bits) = match replies(chosen, bits) {
        Some(reply_bits) => (requests, reply_bits),
        None => (0, 0),
    };
    (
        requests.saturating_add(replies),
        requests.saturating_mul(bits.saturating_add(reply_bits) as u64),
    )
}

/// Refuses a phase that was asked for and is longer than memory allows.
///
/// # Errors
/// With the longest for which there is memory.
pub(super) fn check_phases(
    machine: &WormholeMachine,
    of: (f64, usize),
    (chosen, phases): (&Chosen, &Phases),
    available: u64,
) -> Result<(), Error> {
    // What the run makes longer by itself, nobody asked for.
    let shortest = Phases {
        doublings: 0,
        ..*phases
    };
    let (messages, bits) = created(machine, of, (chosen, &shortest));
    if bytes(machine, messages, bits) <= available {
        return Ok(());
    }
    // Without a drain of its own, a measurement brings ten times its length.
    let times = if chosen.has(&DRAIN) { 1 } else { 11 };
    let phases_asked = [(WARM_UP, 1), (MEASUREMENT, times), (DRAIN, 1)];
    let given = phases_asked
        .into_iter()
        .filter_map(|(phase, times)| Some((phase.option, phases::asked(chosen, &phase)?, times)));
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
    let most = fit_bit_times.saturating_sub(others) / times;
    Err(Refusal::of(format!("{option} {bit_times}"))
        .because(format!(
            "about {messages} messages would be created, and there is no memory for more than {fit}"
        ))
        .instead(format!("give {most} bit times at the most"))
        .into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::wormhole::BENCH;
    use crate::families::wormhole::parameters::machine;
    use crate::testbench::bench::asked;
    use crate::testbench::chosen::Given;

    #[test]
    fn the_longest_phase_that_was_asked_for_is_the_one_refused_and_what_is_offered_fits() {
        let (of, available) = ((0.5, 64), 1 << 27);
        let check = |chosen: &Chosen, available| {
            let machine = machine(chosen).unwrap();
            let phases = Phases::of(chosen, &machine, of).unwrap();
            check_phases(&machine, of, (chosen, &phases), available)
        };
        for (words, longest) in [
            ("--warm-up 1000000 --measurement 1000", WARM_UP),
            ("--measurement 500000", MEASUREMENT),
            ("--warm-up 600000 --measurement 100000 --drain 0", WARM_UP),
            ("--warm-up 1000 --measurement 1000 --drain 900000", DRAIN),
        ] {
            let chosen = asked(&BENCH, &format!("--offered-load 0.5 {words}"));
            let refused = check(&chosen, available).unwrap_err();
            let refused = refused.to_string();
            assert!(refused.starts_with(longest.option), "{refused}");
            let (_, most) = refused.split_once(": give ").unwrap();
            let most = most.split_once(' ').unwrap().0.parse().unwrap();
            let shorter = chosen.with(&longest, Given::number(most));
            assert!(check(&shorter, available).is_ok(), "{refused}");
        }
        // What nobody asked for is no option's fault.
        assert!(check(&asked(&BENCH, "--offered-load 0.5"), 0).is_ok());
    }
}
