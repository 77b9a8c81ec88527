//! Wires that fail: when they begin to, who notices, and that a compiled run goes as one bit time by bit time.

use rtl_model::machine::topology::Tap;

use super::*;

const PAIRS: [(usize, usize); 5] = [(0, 5), (3, 0), (6, 6), (1, 7), (5, 2)];

/// The wire that the tests have fail, in 8 nodes.
const WIRE: (usize, usize) = (3, 1);

fn stuck(from: u64, value: bool) -> WireFault {
    let (node, wire) = WIRE;
    WireFault {
        node,
        wire,
        from,
        value,
        called: "stuck",
    }
}

/// With such faults, held to what holds without.
fn faulted<'a>(faults: &'a [WireFault], live_bits: LiveBits<'a>) -> Run<'a> {
    Run {
        faults,
        ..Run::held_to(live_bits)
    }
}

/// All registers of all nodes.
fn registers(machine: &dyn Lockstep) -> Vec<bool> {
    let mut bits = Vec::new();
    (0..machine.nodes()).for_each(|node| machine.append_registers(node, &mut bits));
    bits
}

/// What is read from the wire in each bit time, and whether it is driven.
fn readings(faults: &[WireFault]) -> Vec<(bool, bool)> {
    let mut machine = machine(&PAIRS);
    let mut readings = Vec::new();
    let run_of = faulted(faults, &|_| None);
    let measured = run(&mut *machine, run_of, |machine| {
        let (node, wire) = WIRE;
        let bit = machine.tapped(node, Tap::Driven(wire));
        let other = machine.tapped(node ^ 1 << wire, Tap::Received(wire));
        assert_eq!(bit, other, "both ends are one wire");
        readings.push((machine.driver(wire).is_some(), bit));
        Ok::<(), ()>(())
    });
    assert_eq!(measured.unwrap().bit_times + 1, readings.len() as u64);
    readings
}

#[test]
fn a_wire_is_stuck_from_its_bit_time_on_whenever_it_is_driven_and_never_before() {
    let whole = readings(&[]);
    assert!(whole.iter().any(|(is_driven, _)| !is_driven));
    for value in [false, true] {
        // Bit times in which the wire would have had the other value: what is late by one shows.
        let (at, _) = (whole.iter().enumerate())
            .filter(|(_, reading)| **reading == (true, !value))
            .nth(1)
            .unwrap();
        let broken = readings(&[stuck(at as u64, value)]);
        assert_eq!(broken[..at], whole[..at]);
        assert_eq!(broken[at], (true, value));
        for (is_driven, bit) in &broken[at..] {
            assert_eq!(*bit, *is_driven && value);
        }
    }
}

#[test]
fn of_two_faults_on_a_wire_the_last_shows() {
    let faults = [stuck(0, true), stuck(20, false)];
    for (bit_time, (is_driven, bit)) in readings(&faults).into_iter().enumerate() {
        assert_eq!(bit, is_driven && bit_time < 20);
    }
}

/// The machine with a wire that somebody forces by hand.
fn by_hand(fault: WireFault) -> Box<dyn Lockstep> {
    let mut machine = machine(&PAIRS);
    while !machine.is_done() {
        machine.transmit().unwrap();
        if machine.bit_time() >= fault.from {
            machine.force_wire(fault.node, fault.wire, fault.value);
        }
        machine.clock();
    }
    machine
}

/// Machines that ran ticked and compiled, and agree in all that was measured.
fn both_ways(built: impl Fn() -> Box<dyn Lockstep>, of: Run<'_>) -> [Box<dyn Lockstep>; 2] {
    let [mut ticked, mut advanced] = [built(), built()];
    let by_ticks = run(&mut *ticked, of, |_| Ok::<(), ()>(())).unwrap();
    let compiled = advance(&mut *advanced, of).unwrap();
    let faults = of.faults;
    assert_eq!(compiled.bit_times, by_ticks.bit_times);
    assert_eq!(
        compiled.driven_wire_bit_times,
        by_ticks.driven_wire_bit_times
    );
    assert_eq!(compiled.loaded, by_ticks.loaded);
    assert_eq!(compiled.steps, by_ticks.steps, "{faults:?}");
    assert_eq!(compiled.peak_bits_per_node, by_ticks.peak_bits_per_node);
    assert_eq!(
        compiled.peak_messages_per_node,
        by_ticks.peak_messages_per_node
    );
    assert_eq!(compiled.not_conserved, by_ticks.not_conserved);
    [ticked, advanced]
}

#[test]
fn a_run_ticked_and_a_run_compiled_end_as_one_with_a_wire_forced_by_hand() {
    let whole = by_hand(stuck(u64::MAX, true));
    let length = whole.bit_time();
    let device = whole.device().another();
    let live_bits = |after| Some(5 * u64::from(device.live_bits_per_message(after)?));
    let mut differ = 0;
    for from in (0..length).chain([length, length + 1, u64::MAX]) {
        for value in [false, true] {
            let fault = stuck(from, value);
            let expected = registers(&*by_hand(fault));
            differ += usize::from(expected != registers(&*whole));
            let built = || machine(&PAIRS);
            let faults = [fault];
            let [ticked, compiled] = both_ways(built, faulted(&faults, &live_bits));
            assert_eq!(registers(&*ticked), expected, "ticked, {fault:?}");
            assert_eq!(registers(&*compiled), expected, "compiled, {fault:?}");
        }
    }
    assert!(differ > 50, "{differ} of the faults change anything");
}

/// A machine of several tiles, on several threads: it is compiled in another way than a small one.
#[test]
fn a_large_machine_goes_on_bit_time_by_bit_time_where_a_wire_fails() {
    let cube = Dimensions::new(12).unwrap();
    let device = PLAIN.device(cube, 3).unwrap();
    let sent = (0..cube.nodes()).map(|source| Message {
        source,
        destination: cube.nodes() - 1 - source,
    });
    let traffic = Traffic::new(cube, 3, sent.collect(), 1).unwrap();
    let built = || {
        let mut machine = device.build(1).unwrap();
        arrivals::load(&mut *machine, std::slice::from_ref(&traffic)).unwrap();
        machine
    };
    let messages = cube.nodes() as u64;
    let live_bits = |after| Some(messages * u64::from(device.live_bits_per_message(after)?));
    let faults = [
        WireFault {
            node: 4000,
            wire: 11,
            from: device.bit_times().value / 2,
            value: true,
            called: "stuck",
        },
        WireFault {
            node: 77,
            wire: 5,
            from: 1 + device.bit_times().value / 2,
            value: true,
            called: "stuck",
        },
    ];
    let of = Run {
        threads: 2,
        ..faulted(&faults, &live_bits)
    };
    let [ticked, compiled] = both_ways(built, of);
    assert_eq!(registers(&*ticked), registers(&*compiled));
}
