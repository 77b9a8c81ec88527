//! A machine that runs a list of sends. It takes no bits from hosts while it runs.

use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::listed_path::MESSAGE;
use rtl_model::routers::ports::sends::Send;

use crate::machines::loaded;

/// Packet by packet down the spanning binomial tree, with a step between two packets in which nothing is sent.
fn machine(n: usize, packets: usize, size: (usize, usize), ports: PortModel) -> PortMachine {
    let (packet_bits, start_up) = size;
    let mut sends = Vec::new();
    for packet in 0..packets {
        for port in 0..n {
            for from in 0..1 << port {
                sends.push(Send {
                    step: packet * (n + 1) + port,
                    from,
                    to: from ^ 1 << port,
                    packet,
                });
            }
        }
    }
    let broadcast = Broadcast {
        cube: Dimensions::new(n).unwrap(),
        algorithm: Algorithm::Listed { steps: 0 },
        ports,
        source: 0,
        packets,
        packet_bits,
        start_up,
    };
    PortMachine::listed(broadcast, &sends).unwrap()
}

/// Bit `bit` of the message.
fn of_message(bit: usize) -> bool {
    bit.wrapping_mul(0x9e37_79b9) >> 7 & 1 == 1
}

/// Machines of all ports and some sizes, in cubes of up to so many dimensions.
pub fn machines(most: usize) -> impl Iterator<Item = PortMachine> {
    PortModel::EACH.into_iter().flat_map(move |ports| {
        (1..=most).flat_map(move |n| {
            let sizes = [(1, (1, 0)), (2, (3, 1)), (3, (2, 0)), (2, (1, 2))];
            sizes.map(|(packets, size)| machine(n, packets, size, ports))
        })
    })
}

#[test]
fn all_have_the_message_in_the_end_and_no_orders_any_more() {
    for machine in machines(7) {
        let orders = machine.order_bits().unwrap();
        let mut fabric = loaded::<_, u64>(&machine, 1, &|number, field, bit| match field {
            MESSAGE => number == 0 && of_message(bit),
            _ => orders.word(field, number, bit).unwrap() & 1 == 1,
        });
        fabric.advance(u64::MAX, &How::default()).unwrap();
        for number in 0..1 << machine.wires().dimensions {
            let (node, place) = fabric.node_mut(number);
            machine.host_writes(node, &mut |field, bit, register: &mut u64| {
                let is_one = *register >> place & 1 == 1;
                assert_eq!(is_one, field == MESSAGE && of_message(bit));
            });
        }
    }
}

#[test]
fn nothing_comes_from_a_host_while_it_runs() {
    for machine in machines(3) {
        let design = machine.design("a list of sends");
        assert_eq!(design.from_host, []);
        let written: Vec<&str> = (design.host_writes.iter())
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(written, ["load_sends", "load_receives", "load_message"]);
        for (_, text) in design.files() {
            let is_there = |name: &str| text.contains(name);
            assert!(
                !["ask", "supply", "ahead", "source"]
                    .into_iter()
                    .any(is_there)
            );
        }
    }
}
