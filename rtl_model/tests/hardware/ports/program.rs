//! A compiled program leaves the registers that a run bit time by bit time leaves, and reads the same occupancy. While a program
//! runs, hosts drive what they drive.

use rand::Rng;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::register::Registers;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::router::Router;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::ports::PortMachine;

use crate::ports::common::{Kind, each, generator, let_hosts_drive, load, machine, taken};

/// Every register of every group, word by word.
fn registers<B: Lanes>(fabric: &mut Fabric<PortMachine, B>) -> Vec<u64> {
    let mut words = Vec::new();
    for group in fabric.node_groups_mut() {
        group.visit_mut(&mut |register: &mut B| {
            words.extend((0..B::WORDS).map(|word| register.word(word)));
        });
    }
    words
}

/// What two machines agree in that do the same: where they stand, and all registers.
fn state<B: Lanes>(fabric: &mut Fabric<PortMachine, B>) -> impl PartialEq + use<B> {
    (
        fabric.bit_time(),
        fabric.position(),
        fabric.is_done(),
        fabric.driven_wire_bit_times(),
        registers(fabric),
    )
}

fn compare<B: Lanes>(device: &PortMachine, machines: usize) {
    let what = format!("{:?}, {machines} machines", device.broadcast());
    let loaded = || {
        let mut fabric = Fabric::<_, B>::new(device.clone(), machines).unwrap();
        load(&mut fabric, 3);
        let_hosts_drive(&mut fabric);
        fabric
    };
    let mut ticked = loaded();
    let mut states = vec![state(&mut ticked)];
    let mut live = vec![ticked.measure_occupancy(None).live_bits];
    let nodes = machines * device.broadcast().cube.nodes();
    let (mut most_bits, mut most_messages) = (vec![0; PortMachine::STEPS.len()], 0);
    while !ticked.is_done() {
        let position = ticked.position();
        ticked.tick().unwrap();
        states.push(state(&mut ticked));
        let occupancy = ticked.measure_occupancy(Some(position));
        live.push(occupancy.live_bits);
        let of_nodes = (0..nodes).map(|node| ticked.occupied_bits(node, Some(position)));
        let sum: u64 = of_nodes.map(u64::from).sum();
        assert_eq!(occupancy.live_bits, sum, "{what}");
        let most = &mut most_bits[position.step as usize];
        *most = occupancy.most_bits.max(*most);
        most_messages = occupancy.most_messages.max(most_messages);
    }
    let end = states.len() as u64 - 1;
    assert_eq!(end, device.bit_times().value, "{what}");

    let mut by_bit_time = loaded();
    for to in 0..=end {
        by_bit_time.advance(to, &How::default()).unwrap();
        assert!(
            state(&mut by_bit_time) == states[to as usize],
            "{what}: bit time {to}"
        );
    }
    let mut in_strides = loaded();
    let mut random = generator(end);
    while !in_strides.is_done() {
        let to = in_strides.bit_time() + random.random_range(1..=end / 3 + 1);
        in_strides.advance(to, &How::default()).unwrap();
        let to = in_strides.bit_time();
        assert!(
            state(&mut in_strides) == states[to as usize],
            "{what}: stride to {to}"
        );
    }

    let mut in_one_go = loaded();
    let readings = in_one_go.program(true).readings();
    let how = How {
        readings: Some(&readings),
        ..How::default()
    };
    in_one_go.advance(u64::MAX, &how).unwrap();
    assert!(
        state(&mut in_one_go) == states[end as usize],
        "{what}: in one go"
    );
    for (bit_time, live) in live.iter().enumerate() {
        assert_eq!(readings.live_bits(bit_time), *live, "{what}: {bit_time}");
    }
    for (step, most) in most_bits.iter().enumerate() {
        assert_eq!(readings.most_bits(Some(step as u32)), *most, "{what}");
    }
    assert_eq!(readings.most_messages(), most_messages, "{what}");
    let peak = most_bits.iter().max().unwrap();
    let expected = device.broadcast().forwarding_buffer().unwrap().value;
    assert_eq!(u64::from(*peak), expected, "{what}");
}

fn on(kind: Kind, n: usize, some: &[usize], run: impl Fn(&PortMachine)) {
    for packets in taken(kind.0, n, some) {
        let size = [(1, 0), (3, 2), (2, 1), (4, 0)][(n + packets) % 4];
        run(&machine(
            kind,
            n,
            (packets * 7 + n) % (1 << n),
            packets,
            size,
        ));
    }
}

#[test]
fn small_machines() {
    for kind in each() {
        for n in 1..=4 {
            on(kind, n, &[1, n, 2 * n + 1], |device| {
                compare::<u64>(device, 1);
            });
        }
        on(kind, 3, &[4], |device| compare::<u64>(device, 20));
        on(kind, 3, &[5], |device| compare::<u64>(device, 32));
        on(kind, 2, &[3], |device| compare::<bool>(device, 3));
        on(kind, 4, &[6], |device| compare::<Words<8>>(device, 40));
    }
}

#[test]
fn machines_of_several_groups() {
    for kind in each() {
        on(kind, 7, &[3], |device| compare::<u64>(device, 1));
    }
}
