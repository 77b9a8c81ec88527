//! Every message comes to where it is for, in as many bit times as the closed form says, and nodes hold as much as it says.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::Operation;

use crate::prearranged::collectives::common::{Loading, Reading, machines};

fn delivers<B: Lanes>(
    (what, operation, device): &(String, Operation, CollectiveMachine),
    word_bits: usize,
    elsewhere: bool,
) {
    let mut fabric = Fabric::<_, B>::new(device.clone(), 1).unwrap();
    fabric
        .load(&mut Loading::new(*operation, device, elsewhere))
        .unwrap();
    let mut peak = 0;
    while !fabric.is_done() {
        fabric.tick().unwrap();
        peak = peak.max(Lockstep::occupancy(&mut fabric, None).most_bits);
    }
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
