//! The sequencer alone, against a list of routing steps that is written down beforehand.

use rtl_model::language::strobes::Strobes;
use rtl_model::machine::router::{Machine, Position, Router, Sequencer};
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::strobes::PortStrobes;

use crate::ports::common::{each, machine};

/// A routing step: the phase that it is of, counted through all turns, and the half, where there are halves.
#[derive(Clone, Copy, Debug)]
struct Step {
    phase: usize,
    is_falling: bool,
    /// It is the last of its phase.
    ends_phase: bool,
    is_last: bool,
}

/// Phases of a turn.
fn phases(broadcast: &Broadcast) -> usize {
    let n = broadcast.cube.count();
    match (broadcast.algorithm, broadcast.ports) {
        (Algorithm::Broadcast1 | Algorithm::Broadcast2, _) => n,
        (_, PortModel::All) => 1,
        _ if n == 1 => 1,
        (Algorithm::BinomialTree | Algorithm::MultipleTrees, _) => n,
        (Algorithm::HamiltonianPath, PortModel::OneWay) => 2,
        (Algorithm::TwoRootedTree, PortModel::OneWay) if n > 2 => 3,
        (Algorithm::TwoRootedTree, _) => 2,
        _ => 1,
    }
}

/// All of them, in order.
fn steps(broadcast: &Broadcast) -> Vec<Step> {
    let (n, packets) = (broadcast.cube.count(), broadcast.packets);
    let has_halves = n > 1
        && broadcast.algorithm == Algorithm::MultipleTrees
        && broadcast.ports == PortModel::OneWay;
    if !has_halves {
        let steps = broadcast.routing_steps().value as usize;
        return (0..steps)
            .map(|phase| Step {
                phase,
                is_falling: false,
                ends_phase: true,
                is_last: phase == steps - 1,
            })
            .collect();
    }
    // In the first n phases nothing has come to a leaf yet; in the last one only leaves receive.
    let last = packets + n - 1;
    (0..=last)
        .flat_map(|phase| [false, true].map(|is_falling| (phase, is_falling)))
        .filter(|&(phase, is_falling)| match is_falling {
            true => phase >= n,
            false => phase != last,
        })
        .map(|(phase, is_falling)| Step {
            phase,
            is_falling,
            ends_phase: is_falling || phase < n,
            is_last: phase == last,
        })
        .collect()
}

/// The group and the rotation that the source is to be asked for in a step, if it sends anything in it.
fn asked(broadcast: &Broadcast, step: &Step) -> Option<[usize; 2]> {
    let n = broadcast.cube.count();
    let (turn, phase) = (
        step.phase / phases(broadcast),
        step.phase % phases(broadcast),
    );
    let groups = broadcast.packets.div_ceil(n);
    match (broadcast.algorithm, broadcast.ports) {
        (Algorithm::Broadcast2, _) => Some([0, (n - phase) % n]),
        (Algorithm::Broadcast3B | Algorithm::Broadcast4, _) if turn == groups => {
            Some([groups - 1, 1])
        }
        (Algorithm::MultipleTrees, PortModel::OneWay | PortModel::TwoWay) => {
            (turn * n + phase < broadcast.packets && !step.is_falling).then_some([turn, phase])
        }
        (
            Algorithm::MultipleTrees
            | Algorithm::Broadcast3A
            | Algorithm::Broadcast3B
            | Algorithm::Broadcast4,
            _,
        ) => (turn < groups).then_some([turn, 0]),
        _ => (turn < broadcast.packets).then_some([turn, 0]),
    }
}

fn number(lines: impl Iterator<Item = (usize, bool)>) -> usize {
    lines.fold(0, |number, (place, line)| {
        number | usize::from(line) << place
    })
}

fn check(device: &PortMachine) {
    let broadcast = device.broadcast();
    let (bits, start_up) = (broadcast.packet_bits, broadcast.start_up);
    let steps = steps(broadcast);
    assert_eq!(steps.len() as u64, broadcast.routing_steps().value);
    let of_step = start_up + bits;
    let end = steps.len() * of_step;
    assert_eq!(end as u64, broadcast.bit_times().value);
    let mut sequencer = device.sequencer::<bool>();
    let is_sent = |time: usize| time < end && time % of_step >= start_up;
    for time in 0..end {
        let what = format!("{broadcast:?}, bit time {time}");
        assert!(!sequencer.is_done(), "{what}");
        let mut strobes = PortStrobes::<bool>::idle();
        sequencer.broadcast(&mut strobes);
        let (number_of_step, bit) = (time / of_step, time % of_step);
        let step = &steps[number_of_step];
        assert_eq!(strobes.decide, bit == 0, "{what}");
        assert_eq!(strobes.shift, is_sent(time), "{what}");
        let commits = bit == of_step - 1 && step.ends_phase;
        assert_eq!(strobes.commit, commits, "{what}");
        assert_eq!(strobes.falling, step.is_falling, "{what}");
        assert_eq!(strobes.last, step.is_last, "{what}");
        let phases = phases(broadcast);
        assert_eq!(number(strobes.turn.iter()), step.phase / phases, "{what}");
        let phase = number(strobes.phase.iter());
        assert_eq!(phase, 1 << (step.phase % phases), "{what}");
        assert_eq!(number(strobes.source.iter()), broadcast.source, "{what}");
        assert_eq!(strobes.ask, is_sent(time + 1), "{what}");
        let asks_first = strobes.ask && (time + 1) % of_step == start_up;
        assert_eq!(strobes.ask_first, asks_first, "{what}");
        let next = steps.get((time + 1) / of_step).filter(|_| strobes.ask);
        if let Some([group, rotation]) = next.and_then(|step| asked(broadcast, step)) {
            assert_eq!(number(strobes.ask_group.iter()), group, "{what}");
            // Where there is one tree, nobody reads by how much it is rotated.
            if device.wires().trees > 1 {
                let rotated = number(strobes.ask_rotation.iter());
                assert_eq!(rotated, rotation, "{what}");
            }
        }
        let (step, bit_time) = match bit.checked_sub(start_up) {
            None => (1, bit),
            Some(bit) => (2, bit),
        };
        let position = Position {
            iteration: number_of_step as u32,
            step,
            bit_time: bit_time as u32,
        };
        let device_says = device.position(&sequencer);
        assert_eq!(device_says, position, "{what}");
        sequencer.clock();
    }
    assert!(sequencer.is_done(), "{broadcast:?}");
    let mut strobes = PortStrobes::<bool>::idle();
    sequencer.broadcast(&mut strobes);
    let lone = [
        strobes.decide,
        strobes.shift,
        strobes.commit,
        strobes.falling,
        strobes.last,
        strobes.ask,
        strobes.ask_first,
    ];
    assert_eq!(lone, [false; 7], "{broadcast:?}");
    for lines in [
        &strobes.turn,
        &strobes.phase,
        &strobes.source,
        &strobes.ask_group,
        &strobes.ask_rotation,
    ] {
        assert_eq!(number(lines.iter()), 0, "{broadcast:?}");
    }
}

#[test]
fn a_run_is_what_was_written_down() {
    for kind in each() {
        for n in 1..=5 {
            let most = kind.0.most_packets(n).unwrap_or(usize::MAX).min(2 * n);
            for packets in 1..=most {
                for size in [(1, 0), (1, 1), (2, 0), (3, 2)] {
                    check(&machine(kind, n, (packets * 5) % (1 << n), packets, size));
                }
            }
        }
    }
}
