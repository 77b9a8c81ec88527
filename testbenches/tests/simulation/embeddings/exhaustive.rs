//! Every guest in every host of up to four dimensions, in every way: what the testbench reports and writes is what the reference
//! makes of the same messages and the same schedule.

use rayon::prelude::*;
use rtl_model::embedding::phase::Order;
use serde_json::{Value, json};

use crate::embeddings::bench::{run, values};
use crate::embeddings::case::{Case, Hardware, all, hops, laid};
use crate::embeddings::patterns::drawn;
use crate::embeddings::phase::carries;

/// The hardware beside the reference, and then the testbench beside both.
pub fn beside_reference(case: &Case, is_reported: bool) {
    let hardware = Hardware::of(case);
    let messages = drawn(hardware.embedding.edges(), case.bits, 7);
    let carried = laid(&hardware.embedding).carry(&messages, &hops(&hardware.phase));
    let carried = carried.unwrap_or_else(|violation| panic!("{case:?}: {violation}"));
    assert_eq!(carried.messages, messages, "{case:?}");
    carries(&hardware, &messages);
    if !is_reported {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let sent = values(&messages);
    std::fs::write(folder.path().join("sent.csv"), &sent).unwrap();
    let options = format!("{} --values @sent.csv --results @came.csv", case.options());
    let report = run(&options, folder.path()).unwrap();
    let came = std::fs::read_to_string(folder.path().join("came.csv")).unwrap();
    assert_eq!(came, values(&carried.messages), "{case:?}");
    let measures = laid(&hardware.embedding).measures().unwrap();
    let packets = hardware.embedding.packets().len();
    let packet_bits = case.bits.div_ceil(packets);
    let bit_times = (case.start_up + packet_bits) * carried.steps;
    for (name, due) in [
        ("width", json!(measures.width)),
        ("dilation", json!(measures.dilation)),
        ("congestion", json!(measures.congestion)),
        ("guest_edges", json!(messages.len())),
        ("packets", json!(packets)),
        ("packet_bits", json!(packet_bits)),
        ("routing_steps", json!(carried.steps)),
        ("cost_steps", json!(carried.steps)),
        ("bit_times", json!(bit_times)),
        ("cells", json!(carried.held.iter().max())),
        ("packets_held", json!(carried.held)),
        ("delivered", json!(messages.len())),
    ] {
        assert_eq!(report[name], due, "{case:?}: {name}");
    }
    let wires = (case.dims << case.dims) as f64;
    let use_due = (carried.crossings * packet_bits) as f64 / (bit_times as f64 * wires);
    let told = report["wire_use"].as_f64().unwrap();
    assert!((told - use_due).abs() < 1e-9, "{case:?}: {told} {use_due}");
    storage_is_as_said(case, &report, carried.steps);
}

/// `CB + 2nSW`, where `W` bits are enough for 0 to `C`.
fn storage_is_as_said(case: &Case, report: &Value, steps: usize) {
    let cells = report["cells"].as_u64().unwrap() as usize;
    let code_bits = (usize::BITS - cells.leading_zeros()) as usize;
    let packet_bits = report["packet_bits"].as_u64().unwrap() as usize;
    let due = cells * packet_bits + 2 * case.dims * steps * code_bits;
    assert_eq!(report["storage_bits_per_node"]["total"], due, "{case:?}");
}

/// A guest in all the ways in which its packets go.
fn in_every_way(case: &Case) -> Vec<Case> {
    let mut ways = vec![case.clone()];
    let mut each = |change: &dyn Fn(&Case) -> Vec<Case>| {
        ways = ways.iter().flat_map(change).collect();
    };
    each(&|case| {
        Order::EACH
            .map(|order| Case {
                order,
                ..case.clone()
            })
            .to_vec()
    });
    each(&|case| {
        [false, true]
            .map(|both_ways| Case {
                both_ways,
                ..case.clone()
            })
            .to_vec()
    });
    each(&|case| {
        let packets = [None, Some(1), Some(2), Some(3)];
        packets
            .map(|packets| Case {
                packets,
                ..case.clone()
            })
            .to_vec()
    });
    each(&|case| {
        [0, 2]
            .map(|start_up| Case {
                start_up,
                ..case.clone()
            })
            .to_vec()
    });
    each(&|case| {
        [1, 5, 64]
            .map(|bits| Case {
                bits,
                ..case.clone()
            })
            .to_vec()
    });
    ways
}

#[test]
fn every_guest_up_to_four_dimensions_in_every_way() {
    let guests = all(4, 1);
    let names: std::collections::BTreeSet<_> = guests.iter().map(|case| case.guest).collect();
    // The others need more dimensions.
    assert!(names.len() >= 11, "{names:?}");
    let cases: Vec<Case> = guests.iter().flat_map(in_every_way).collect();
    assert_eq!(cases.len(), guests.len() * 2 * 2 * 4 * 2 * 3);
    cases
        .par_iter()
        .for_each(|case| beside_reference(case, false));
    // The testbench says of one in seven what it says of all: seven is prime to how many ways there are. A run has threads of its own.
    let reported: Vec<&Case> = cases.iter().step_by(7).collect();
    std::thread::scope(|scope| {
        for half in reported.chunks(reported.len().div_ceil(2)) {
            scope.spawn(move || {
                for case in half {
                    beside_reference(case, true);
                }
            });
        }
    });
}

/// Guests that begin at six dimensions.
#[test]
fn larger_guests_in_some_ways() {
    for guest in [
        "ccc-copies",
        "butterfly-copies",
        "ccc-product",
        "butterfly-product",
        "tree",
    ] {
        for (order, both_ways) in [(Order::HopByHop, true), (Order::Greedy, false)] {
            let case = Case {
                order,
                both_ways,
                ..Case::new(guest, 6, 9)
            };
            beside_reference(&case, true);
        }
    }
}
