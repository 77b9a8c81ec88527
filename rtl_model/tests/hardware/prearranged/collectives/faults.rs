//! A bit that a wire turns round is seen in what arrives, and more ports than may be busy are noted.

use std::sync::Arc;

use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::simulation::{Lockstep, Simulation};
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Operation};
use rtl_model::routers::collectives::program::{
    Condition, Line, LineOrder, Side, Transfer, TransferProgram,
};
use rtl_model::routers::collectives::rules::part;
use rtl_model::routers::ports::algorithm::PortModel;

use crate::prearranged::collectives::common::{Loading, Reading, ask, machines};

/// Bit times, nodes and ports at which a bit crosses a wire; nodes are absolute.
fn crossings(program: &TransferProgram) -> Vec<(u64, usize, usize)> {
    let mut found = Vec::new();
    for transfer in &program.transfers {
        for node in 0..program.cube.nodes() {
            for port in 0..program.cube.count() {
                if part(program, (&transfer.sends, true), node, port).is_some() {
                    found.extend(
                        transfer
                            .shifts()
                            .map(|now| (now as u64, node ^ program.source, port)),
                    );
                }
            }
        }
    }
    found
}

/// What is wrong once a wire has turned a bit round.
fn turned(
    operation: Operation,
    device: &CollectiveMachine,
    bits: usize,
    at: (u64, usize, usize),
) -> Option<String> {
    let mut fabric = Fabric::<_, bool>::new(device.clone(), 1).unwrap();
    fabric
        .load(&mut Loading::new(operation, device, false))
        .unwrap();
    fabric.watch();
    while !fabric.is_done() {
        let (now, node, port) = (Simulation::bit_time(&fabric), at.1, at.2);
        Simulation::transmit(&mut fabric).unwrap();
        if now == at.0 {
            let value = fabric.wire(node, port);
            fabric.force_wire(node, port, !value);
        }
        Simulation::clock(&mut fabric);
    }
    let mut reading = Reading::new(device);
    fabric.unload(&mut reading).unwrap();
    reading.fault(operation, device, bits)
}

/// Where messages can be cut as the paper has it, every bit that crosses is a bit of a message; else some are behind its end.
/// BROADCAST 4 sends to many nodes that nobody asks. In three dimensions one bit in five is turned round.
#[test]
fn every_bit_that_is_turned_round_is_noticed() {
    let mut turns = 0;
    for (what, operation, device) in machines(2, 4, 1).into_iter().chain(machines(3, 6, 0)) {
        let plan = device.plan();
        let is_broadcast = what.contains("arbitrary-send-2");
        let mut idle = 0;
        let mut all = crossings(&plan.program);
        if plan.program.cube.count() > 2 {
            all = all.into_iter().step_by(5).collect();
        }
        for at in &all {
            let noticed = turned(operation, &device, 1, *at).is_some();
            idle += usize::from(!noticed);
            turns += 1;
        }
        match !is_broadcast && plan.divides {
            true => assert_eq!(idle, 0, "{what}"),
            false => assert!(idle < all.len(), "{what}"),
        }
    }
    assert!(turns > 1000, "{turns}");
}

/// Programs for all ports, on nodes of which one port may be busy: every node notes it, whose arbiter sees more.
#[test]
fn more_ports_than_may_be_busy_are_noted() {
    for (what, operation, device) in machines(3, 6, 1) {
        let plan = device.plan();
        let is_for_all = plan.program.ports == PortModel::All;
        if !is_for_all
            || plan
                .program
                .transfers
                .iter()
                .all(|one| one.sends.lines.len() < 2)
        {
            continue;
        }
        let mut narrow = plan.clone();
        narrow.program.ports = PortModel::TwoWay;
        let device = CollectiveMachine::new(Arc::new(narrow)).unwrap();
        let mut fabric = device.build(1).unwrap();
        fabric
            .load(&mut Loading::new(operation, &device, false))
            .unwrap();
        fabric.advance(u64::MAX, &How::default()).unwrap();
        let mut reading = Reading::new(&device);
        fabric.unload(&mut reading).unwrap();
        assert!(reading.violations > 0, "{what}");
        // It does no harm besides.
        assert_eq!(reading.fault(operation, &device, 6), None, "{what}");
    }
}

/// Node 0 of a square is still sending across port 0 when START of what it sends across port 1 begins: a port that is in START is
/// busy.
#[test]
fn a_port_in_start_is_busy() {
    let side = |pattern, port| Side {
        who: Condition {
            care: 0b11,
            pattern,
            ..Condition::EVERY
        },
        order: LineOrder::Port,
        lines: vec![Line {
            line: port,
            address: 0,
            counted: false,
        }],
    };
    // Node 0 is 00 from both its ports, and its neighbours are 01 from theirs.
    let transfer = |begin, start_up, bits, port| Transfer {
        begin,
        start_up,
        bits,
        sends: side(0b00, port),
        receives: side(0b01, port),
        adds: None,
    };
    let is_noted = |second: usize| {
        let ask = ask(ALGORITHMS[0], 2, 1, 0, PortModel::All);
        let mut plan = ALGORITHMS[0].plan(&ask).unwrap();
        plan.program = TransferProgram {
            source: 0,
            ports: PortModel::TwoWay,
            memory_bits: 2,
            bit_times: 8,
            steps: vec![0, second],
            transfers: vec![transfer(0, 0, 2, 0), transfer(second, 2, 2, 1)],
            loads: Vec::new(),
            arrivals: Vec::new(),
            ..plan.program
        };
        let device = CollectiveMachine::new(Arc::new(plan)).unwrap();
        let mut fabric = device.build(1).unwrap();
        let operation = Operation::Scatter;
        fabric
            .load(&mut Loading::new(operation, &device, false))
            .unwrap();
        fabric.advance(u64::MAX, &How::default()).unwrap();
        let mut reading = Reading::new(&device);
        fabric.unload(&mut reading).unwrap();
        reading.violations
    };
    // Bits cross one after the other in each case.
    assert_eq!([1, 2, 3].map(is_noted), [1, 0, 0]);
}
