//! How much a node is: flip-flops, as a closed form and as they are listed, and gates between them.

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::language::bit::Bit;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::{Machine, Router};
use rtl_model::routers::ports::PortMachine;

use crate::ports::common::{each, machine, taken};

fn listed<B: Bit>(device: &PortMachine) -> u64 {
    Storage::of(&device.node::<B>()).total as u64
}

#[test]
fn storage_is_what_the_closed_form_says() {
    for kind in each() {
        for n in 1..=8 {
            for packets in taken(kind.0, n, &[1, 2, n - 1, n, n + 1, 3 * n, 100]) {
                for size in [(1, 0), (2, 3), (7, 1), (64, 0), (65, 2)] {
                    let device = machine(kind, n, 1, packets, size);
                    let (form, broadcast) = (device.storage_bits(), device.broadcast());
                    assert_eq!(listed::<bool>(&device), form.value, "{broadcast:?}");
                    assert_eq!(listed::<u64>(&device), form.value, "{broadcast:?}");
                }
            }
        }
    }
}

/// No loop of gates runs through a wire. Packets of other lengths have other counters, and nothing else.
#[test]
fn logic_depth_grows_with_dimensions() {
    for kind in each() {
        let depth = |n| {
            let packets = taken(kind.0, n, &[2 * n])[0];
            LogicDepth::of(&machine(kind, n, 0, packets, (8, 2))).unwrap()
        };
        let depths: Vec<LogicDepth> = (2..=6).map(depth).collect();
        for depth in &depths {
            assert!(depth.total >= depth.node.max(depth.sequencer), "{kind:?}");
            assert_eq!(depth.path[depth.path.len() - 1].gates, depth.total);
        }
        assert!(depths.is_sorted_by_key(|depth| depth.node), "{kind:?}");
    }
}

/// Gates of a node with its neighbour, of the sequencer, and of both: of four dimensions, eight packets or as many as there may
/// be, of eight bits, after a start-up of two bit times. To be replaced where a change is meant.
#[test]
fn logic_depth_of_four_dimensions() {
    let table: Vec<String> = each()
        .map(|kind| {
            let packets = taken(kind.0, 4, &[8])[0];
            let depth = LogicDepth::of(&machine(kind, 4, 0, packets, (8, 2))).unwrap();
            let (algorithm, ports) = kind;
            let LogicDepth {
                node,
                sequencer,
                total,
                ..
            } = depth;
            format!("{algorithm} {ports}: {node} {sequencer} {total}")
        })
        .collect();
    assert_eq!(table, TABLE);
}

const TABLE: [&str; 17] = [
    "hp one-way: 22 6 23",
    "hp two-way: 23 7 24",
    "hp all: 23 7 24",
    "sbt one-way: 13 6 14",
    "sbt two-way: 13 6 14",
    "sbt all: 20 6 21",
    "tcbt one-way: 20 6 22",
    "tcbt two-way: 19 6 20",
    "tcbt all: 18 6 19",
    "msbt one-way: 23 7 24",
    "msbt two-way: 21 6 22",
    "msbt all: 16 6 17",
    "broadcast-1 all: 13 6 14",
    "broadcast-2 all: 14 6 15",
    "broadcast-3a all: 17 6 18",
    "broadcast-3b all: 17 6 18",
    "broadcast-4 all: 17 6 18",
];
