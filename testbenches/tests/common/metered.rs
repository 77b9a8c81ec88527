//! A router run with all meters on.

use rtl_model::machine::device::Device;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::Traffic;
use testbenches::lockstep::simulation::{self, Run};

use super::{live_bits, load, score};

/// Runs a routing with all meters on: it must deliver, take the bit times of its closed form, drive no wire twice, and have
/// every message bit in one place, neither lost nor doubled, after every bit time.
pub fn delivers_with_meters_on(device: &dyn Device, traffic: &Traffic) {
    delivers_on(&mut *device.build(1).unwrap(), device, traffic);
}

/// The same on a machine of the device that may have run before: to build one takes longer than a short run.
pub fn delivers_on(machine: &mut dyn Lockstep, device: &dyn Device, traffic: &Traffic) {
    let messages = traffic.messages().len();
    machine.restart();
    load(machine, traffic);
    let live_bits = live_bits(device, messages as u64);
    let measured = simulation::advance(machine, Run::held_to(&live_bits)).unwrap();
    let what = || {
        let k = device.topology().dims();
        let routing = traffic.messages().to_vec();
        format!("k = {k}, D = {}: {routing:?}", traffic.payload_bits())
    };
    assert_eq!(measured.not_conserved, None, "{}", what());
    assert_eq!(measured.conflict, None, "{}", what());
    assert_eq!(measured.bit_times, device.bit_times().value, "{}", what());
    assert!(
        measured.peak_bits_per_node as usize <= measured.storage.total,
        "{}",
        what()
    );
    let score = score(machine, traffic);
    assert_eq!(score.first_fault, None, "{}", what());
    assert_eq!(score.delivered, messages, "{}", what());
}
