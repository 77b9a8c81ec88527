//! A wrong bit of a configuration, and a wire that is stuck, are seen in what arrives: each that is not is idle, and it is said why.

use rtl_model::embedding::paths::Embedding;
use rtl_model::embedding::phase::Order;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::host::Field;
use rtl_model::machine::topology::hypercube::neighbour;
use rtl_model::routers::phase::{PhaseMachine, PhasePlan, RECEIVES, SENDS};

use crate::prearranged::phase::common::{
    Contents, Loading, Reading, cycle, machine, wandering, wide,
};

const BITS: usize = 12;

fn devices() -> Vec<PhaseMachine> {
    let of = |embedding: Embedding, order| machine(&embedding, order, BITS, 1);
    vec![
        of(cycle(3, 2).both_ways(), Order::HopByHop),
        of(wide(3).with_packets(4), Order::HopByHop),
        of(wide(3), Order::Greedy),
        of(wandering(3, 9, 1).with_packets(3), Order::Greedy),
    ]
}

/// Every cell something else, with ones and zeros in it: whether a packet begins there or not.
fn all_different(device: &PhaseMachine) -> Contents {
    let mut contents = Contents::nothing(device);
    let (nodes, cells) = (device.plan().host().nodes(), device.plan().cells());
    for (number, (node, cell)) in (0..nodes)
        .flat_map(|node| (0..cells).map(move |cell| (node, cell)))
        .enumerate()
    {
        // A number that is not 0, and its lowest bits the other way round.
        let value = ((number + 1) << 2) + 2 - (number & 1);
        let bits = contents.cell_mut(node, cell).iter_mut().enumerate();
        bits.for_each(|(place, bit)| *bit = value >> place & 1 == 1);
    }
    assert!((nodes * cells + 1) << 2 < 1 << BITS);
    contents
}

/// Whether some packet is not where it is for.
fn is_noticed(plan: &PhasePlan, before: &Contents, after: &Contents) -> bool {
    (0..plan.packets()).any(|packet| {
        let sent = before.cell(plan.source(packet), plan.begins(packet));
        after.cell(plan.destination(packet), plan.ends(packet)) != sent
    })
}

/// What lies in a cell: the packet that came last, and whether it is still there. A packet that has been sent is there as a copy.
#[derive(Clone, Copy, Default)]
struct Lies {
    packet: Option<usize>,
    is_there: bool,
}

/// By boundary, node and cell, by the codes.
fn lying(plan: &PhasePlan) -> Vec<Vec<Vec<Lies>>> {
    let (nodes, ports) = (plan.host().nodes(), plan.host().count());
    let wires: Vec<(usize, usize)> = (0..nodes)
        .flat_map(|node| (0..ports).map(move |port| (node, port)))
        .collect();
    let there = |packet| Lies {
        packet,
        is_there: true,
    };
    let mut now = vec![vec![Lies::default(); plan.cells()]; nodes];
    for packet in 0..plan.packets() {
        now[plan.source(packet)][plan.begins(packet)] = there(Some(packet));
    }
    let mut boundaries = vec![now.clone()];
    for step in 0..plan.steps() {
        let mut coming = Vec::new();
        for &(node, port) in &wires {
            if let Some(cell) = plan.sends(node, port, step).checked_sub(1) {
                now[node][cell].is_there = false;
                let to = neighbour(node, port);
                let cell = plan.receives(to, port, step) - 1;
                coming.push((
                    to,
                    cell,
                    boundaries[step][node][plan.sends(node, port, step) - 1],
                ));
            }
        }
        for (to, cell, lies) in coming {
            now[to][cell] = there(lies.packet);
        }
        boundaries.push(now.clone());
    }
    boundaries
}

fn code(plan: &PhasePlan, field: Field, (node, port, step): (usize, usize, usize)) -> usize {
    match field {
        SENDS => plan.sends(node, port, step),
        _ => plan.receives(node, port, step),
    }
}

#[test]
fn a_wrong_bit_of_a_configuration_is_noticed_or_idle() {
    let (mut noticed, mut idle) = (0, 0);
    for device in devices() {
        let (plan, contents) = (device.plan(), all_different(&device));
        let (lying, ports) = (lying(plan), plan.host().count());
        let width = plan.code_bits();
        let mut fabric = device.build(1).unwrap();
        for (node, field) in
            (0..plan.host().nodes()).flat_map(|node| [SENDS, RECEIVES].map(|field| (node, field)))
        {
            for bit in 0..ports * plan.steps() * width {
                let (number, place) = (bit / width, bit % width);
                let (port, step) = (number / plan.steps(), number % plan.steps());
                let due = code(plan, field, (node, port, step));
                let wrong = (due ^ 1 << place).checked_sub(1);
                let wrong = wrong.filter(|cell| *cell < plan.cells());
                let (before, after) = (&lying[step][node], &lying[step + 1][node]);
                let is_lost = wrong.is_some_and(|cell| after[cell].is_there);
                let is_due = match (due.checked_sub(1), field) {
                    // A port sends what nobody takes.
                    (None, SENDS) => false,
                    // Nothing comes and goes to a cell: harmful where a packet lies in it, if none comes there by right.
                    (None, _) => {
                        let mut codes = (0..ports).map(|port| plan.receives(node, port, step));
                        is_lost && !codes.any(|code| code.checked_sub(1) == wrong)
                    }
                    // Another cell is sent, or none: but for a copy of the same packet.
                    (Some(cell), SENDS) => {
                        wrong.is_none_or(|wrong| before[wrong].packet != before[cell].packet)
                    }
                    // Another cell is filled, or none: but for a packet that was there before, if the other cell is free.
                    (Some(cell), _) => before[cell].packet != after[cell].packet || is_lost,
                };
                fabric.restart();
                let mut host = Loading::new(plan, &contents);
                host.flipped = Some((node, field, bit));
                fabric.load(&mut host).unwrap();
                fabric.advance(u64::MAX, &How::default()).unwrap();
                let mut reading = Reading::new(&device);
                fabric.unload(&mut reading).unwrap();
                let is_so = is_noticed(plan, &contents, &reading.contents);
                let what = (field, node, port, step, due, place);
                assert_eq!(is_so, is_due, "{what:?}");
                if is_so { noticed += 1 } else { idle += 1 }
            }
        }
    }
    assert!(noticed > 500 && idle > 500, "{noticed} and {idle}");
}

/// A wire is forced, in all bit times of a step or of a run, to 0 or to 1.
#[test]
fn a_wire_that_is_stuck_is_noticed() {
    for device in devices() {
        let (plan, contents) = (device.plan(), all_different(&device));
        let mut fabric = device.build(1).unwrap();
        fabric.watch();
        for node in 0..plan.host().nodes() {
            for port in 0..plan.host().count() {
                let steps: Vec<usize> = (0..plan.steps())
                    .filter(|&step| plan.sends(node, port, step) > 0)
                    .collect();
                let some = steps.iter().map(|&step| vec![step]).chain([steps.clone()]);
                for (stuck, value) in some.flat_map(|one| [(one.clone(), false), (one, true)]) {
                    fabric.restart();
                    fabric.load(&mut Loading::new(plan, &contents)).unwrap();
                    while !fabric.is_done() {
                        let step = fabric.position().iteration as usize;
                        fabric.transmit().unwrap();
                        if stuck.contains(&step) {
                            fabric.force_wire(node, port, value);
                        }
                        fabric.clock();
                    }
                    let mut reading = Reading::new(&device);
                    fabric.unload(&mut reading).unwrap();
                    let is_so = is_noticed(plan, &contents, &reading.contents);
                    let to = neighbour(node, port);
                    assert_eq!(
                        is_so,
                        !stuck.is_empty(),
                        "{node} to {to}, {stuck:?}, {value}"
                    );
                }
            }
        }
    }
}
