//! The wires in a dump, audited on each schedule: both ends agree in every bit time, and the deliveries can
//! be rebuilt from wire bits alone.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use crate::common::asked::Asked;
use crate::common::dump::{Dump, options};
use crate::common::follower::{Follower, Wires};
use crate::common::{on_each_schedule, served_loads, traffic};
use rtl_model::traffic::Traffic;
use testbenches::families::testbench;
use testbenches::lockstep::Schedule;

on_each_schedule!(
    wires_agree_and_deliveries_are_rebuilt_from_wire_bits_alone,
    a_wire_bit_that_is_not_a_message_is_noticed,
);

/// A run on a schedule whose dump holds every node.
fn on_schedule(schedule: Schedule, k: usize, payload_bits: usize, load: f64, path: &Path) -> Asked {
    options(k, payload_bits, load, path).on(Some(schedule.name()))
}

fn wires_agree_and_deliveries_are_rebuilt_from_wire_bits_alone(schedule: Schedule) {
    let folder = tempfile::tempdir().unwrap();
    for (k, payload_bits) in [
        (1, 2),
        (2, 5),
        (3, 4),
        (4, 9),
        (4, 12),
        (5, 1),
        (5, 3),
        (6, 2),
        (7, 2),
    ] {
        for load in served_loads(schedule, &[0.0, 0.3, 0.8, 1.0]) {
            let path = folder.path().join("run.vcd");
            let options = on_schedule(schedule, k, payload_bits, load, &path);
            let report = options.run(testbench(schedule.bench).unwrap());
            assert!(report.passed);
            let dump = Dump::read(&path);
            let wires = Wires::read(&dump, k, report.bit_times);
            for node in 0..1usize << k {
                for dimension in 0..k {
                    assert_eq!(
                        wires.rx[node][dimension],
                        wires.tx[node ^ 1 << dimension][dimension]
                    );
                }
            }
            let traffic = options.setup.traffic(testbench(schedule.bench).unwrap());
            let follower = Follower {
                schedule,
                k,
                payload_bits,
                wires: &wires,
            };
            assert_eq!(follower.follow(&traffic), payloads(&traffic));
        }
    }
}

/// The payload that each destination is to hold.
fn payloads(traffic: &Traffic) -> BTreeMap<usize, Vec<bool>> {
    traffic
        .messages()
        .iter()
        .enumerate()
        .map(|(index, message)| {
            let payload = traffic.payload(index).iter().by_vals().collect();
            (message.destination, payload)
        })
        .collect()
}

/// The follower itself objects when a message is not where the wires say.
fn a_wire_bit_that_is_not_a_message_is_noticed(schedule: Schedule) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let load = served_loads(schedule, &[0.0, 1.0])[0];
    let options = on_schedule(schedule, 3, 4, load, &path);
    let report = options.run(testbench(schedule.bench).unwrap());
    let mut wires = Wires::read(&Dump::read(&path), 3, report.bit_times);
    // A radix sort counts first.
    let first = match schedule.bench {
        "radix" => 3,
        _ => 0,
    };
    wires.tx[6][0][first] ^= true;
    let follower = Follower {
        schedule,
        k: 3,
        payload_bits: 4,
        wires: &wires,
    };
    if schedule.is_full_only() {
        // Every node has a message to send: so the follower must lose one, or take it for another.
        let traffic = options.setup.traffic(testbench(schedule.bench).unwrap());
        let followed = std::panic::catch_unwind(AssertUnwindSafe(|| follower.follow(&traffic)));
        assert_ne!(followed.ok(), Some(payloads(&traffic)));
        return;
    }
    let traffic = traffic(3, 4, &[], 1);
    let followed = std::panic::catch_unwind(AssertUnwindSafe(|| follower.follow(&traffic)));
    let objection = followed.unwrap_err();
    assert_eq!(
        objection.downcast_ref::<String>().map(String::as_str),
        Some("node 6 sends without a message")
    );
}
