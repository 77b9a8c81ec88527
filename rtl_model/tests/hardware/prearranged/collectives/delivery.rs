//! Every message comes to where it is for, in as many bit times as the closed form says, and nodes hold as much as it says.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::program::Program;
use rtl_model::machine::router::Router;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::Operation;

use crate::prearranged::collectives::common::{Loading, Reading, machines};

fn delivers<B: Lanes>(
    case: &(String, Operation, CollectiveMachine),
    word_bits: usize,
    elsewhere: bool,
) {
    let (_, operation, device) = case;
    let mut fabric = Fabric::<_, B>::new(device.clone(), 1).unwrap();
    for is_watched in [true, false] {
        // Of many words, ticks are for smaller cubes.
        if is_watched && fabric.groups() > 64 {
            continue;
        }
        fabric.restart();
        fabric
            .load(&mut Loading::new(*operation, device, elsewhere))
            .unwrap();
        let peak = match is_watched {
            true => ticks(&mut fabric),
            false => advances(&mut fabric),
        };
        is_delivered(case, &fabric, word_bits, peak);
    }
}

/// Bit time by bit time; gives the most bits that a node held.
fn ticks<B: Lanes>(fabric: &mut Fabric<CollectiveMachine, B>) -> u32 {
    let mut peak = 0;
    while !fabric.is_done() {
        fabric.tick().unwrap();
        peak = peak.max(Lockstep::occupancy(fabric, None).most_bits);
    }
    peak
}

/// As a program.
fn advances<B: Lanes>(fabric: &mut Fabric<CollectiveMachine, B>) -> u32 {
    assert!(Program::can_be_made(fabric.router()));
    let readings = fabric.program(true).readings();
    let how = How {
        readings: Some(&readings),
        ..How::default()
    };
    fabric.advance(u64::MAX, &how).unwrap();
    let steps = CollectiveMachine::STEPS.len() as u32;
    let most = (0..steps).map(|step| readings.most_bits(Some(step)));
    most.max().unwrap()
}

fn is_delivered<B: Lanes>(
    (what, operation, device): &(String, Operation, CollectiveMachine),
    fabric: &Fabric<CollectiveMachine, B>,
    word_bits: usize,
    peak: u32,
) {
    let plan = device.plan();
    assert_eq!(fabric.bit_time(), plan.bit_times.value, "{what}");
    assert_eq!(u64::from(peak), plan.forwarding_buffer.value, "{what}");
    let mut reading = Reading::new(device);
    fabric.unload(&mut reading).unwrap();
    assert_eq!(reading.fault(*operation, device, word_bits), None, "{what}");
    assert_eq!(reading.violations, 0, "{what}");
    assert_eq!(
        device.storage().total as u64,
        Device::storage_bits(device).value,
        "{what}"
    );
}

#[test]
fn every_algorithm_delivers_in_every_small_cube() {
    for (dims, bits, start_up) in [
        (1, 3, 0),
        (1, 1, 2),
        (2, 4, 1),
        (2, 5, 0),
        (3, 6, 2),
        (3, 7, 0),
        (4, 12, 1),
        (4, 5, 3),
        (5, 3, 0),
    ] {
        for case in machines(dims, bits, start_up) {
            delivers::<u64>(&case, bits, bits % 2 == 1);
        }
    }
}

#[test]
fn one_node_at_a_time_is_the_same() {
    for (dims, bits, start_up) in [(1, 2, 1), (2, 3, 0), (3, 4, 1)] {
        for case in machines(dims, bits, start_up) {
            delivers::<bool>(&case, bits, true);
        }
    }
}

/// A node in a word: so some hundred nodes are several tiles.
fn tiles_deliver(bits: usize, start_up: usize) {
    for case in machines(7, bits, start_up) {
        if Program::can_be_made(&case.2) {
            delivers::<bool>(&case, bits, true);
        }
    }
}

#[test]
fn several_tiles_deliver() {
    tiles_deliver(3, 1);
}

#[test]
#[ignore = "long: what smaller cubes show of single bits and no start-up"]
fn several_tiles_deliver_single_bits_without_start_up() {
    tiles_deliver(1, 0);
}
