//! Every packet comes to the cell of its destination that the plan names, bit by bit, in as many bit times as the closed form says.

use rtl_model::embedding::phase::Order;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::phase::PhaseMachine;

use crate::prearranged::phase::common::{Loading, Reading, cycle, drawn, embeddings, machine};

fn delivers(device: &PhaseMachine, what: &str, run: impl Fn(&mut dyn Lockstep)) {
    let plan = device.plan();
    let (packets, contents) = drawn(device, device.packet_bits() as u64);
    let mut fabric = device.build(1).unwrap();
    fabric.load(&mut Loading::new(plan, &contents)).unwrap();
    run(&mut *fabric);
    assert!(fabric.is_done(), "{what}");
    let step = device.start_up() + device.packet_bits();
    assert_eq!(fabric.bit_time(), (step * plan.steps()) as u64, "{what}");
    assert_eq!(fabric.bit_time(), Device::bit_times(device).value, "{what}");
    let mut reading = Reading::new(device);
    fabric.unload(&mut reading).unwrap();
    for (number, packet) in packets.iter().enumerate() {
        let (node, cell) = (plan.destination(number), plan.ends(number));
        assert_eq!(
            reading.contents.cell(node, cell),
            packet,
            "{what}: packet {number}"
        );
    }
    // Nodes decide which of their ports send, in all bit times in which packets are on their way.
    let driven = plan.host().count() * plan.steps() * device.packet_bits();
    assert_eq!(fabric.driven_wire_bit_times(), driven as u64, "{what}");
}

fn in_every_size(what: &str, of: impl Fn(Order, usize, usize) -> PhaseMachine) {
    for order in Order::EACH {
        for start_up in [0, 1, 3] {
            for bits in [1, 2, 5, 8] {
                let device = of(order, bits, start_up);
                let what = format!("{what}, {}, B = {bits}, T = {start_up}", order.name());
                delivers(&device, &what, |fabric| {
                    while !fabric.is_done() {
                        fabric.tick().unwrap();
                    }
                });
                delivers(&device, &what, |fabric| {
                    fabric.advance(u64::MAX, &How::default()).unwrap();
                });
            }
        }
    }
}

#[test]
fn every_packet_comes_to_where_it_is_for() {
    for (what, embedding) in embeddings() {
        in_every_size(&what, |order, bits, start_up| {
            machine(&embedding, order, bits, start_up)
        });
    }
}

/// Nodes in several groups of lanes; packets of more bits than a word.
#[test]
fn large_machines_deliver() {
    for (dimensions, packets, bits) in [(7, 3, 4), (9, 2, 70), (10, 5, 3)] {
        let embedding = cycle(dimensions, packets).both_ways();
        let device = machine(&embedding, Order::Greedy, bits, 1);
        delivers(&device, "a large cycle", |fabric| {
            fabric.advance(u64::MAX, &How::default()).unwrap();
        });
    }
}

/// One node of one cell a packet: as many cells as fit a word of the lanes' host, and more.
#[test]
fn many_cells_deliver() {
    let device = machine(&cycle(2, 70).both_ways(), Order::HopByHop, 2, 1);
    assert!(device.plan().cells() > 128, "{}", device.plan().cells());
    delivers(&device, "many cells", |fabric| {
        fabric.advance(u64::MAX, &How::default()).unwrap();
    });
}

#[test]
fn nodes_store_what_the_closed_form_says() {
    for (what, embedding) in embeddings() {
        for bits in [1, 5, 70] {
            let device = machine(&embedding, Order::Greedy, bits, 2);
            let counted = device.storage().total as u64;
            assert_eq!(counted, Device::storage_bits(&device).value, "{what}");
        }
    }
}
