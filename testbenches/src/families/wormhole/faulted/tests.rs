//! What hosts have taken is judged rightly, and faults are seen when they show.

use super::*;
use crate::families::wormhole::BENCH;
use crate::families::wormhole::engine::Stray;
use crate::testbench::bench::asked;
use hosts::tamper::{Nobody, Tampering};

/// What hosts have taken, when some of what they took is doctored.
fn doctored(doctor: impl FnOnce(&mut Engine<Lanes>)) -> [bool; 2] {
    let job = Job::new(&asked(&BENCH, "--dims 2 --message-bits 8")).unwrap();
    let mut sending = FaultedWorms::of(&job).unwrap().sending;
    let mut engine = Engine::<Lanes>::new(job.machine.clone(), 1).unwrap();
    while sending.next(&mut engine).is_none() {
        engine.tick(|_| Ok::<(), ()>(())).unwrap();
    }
    doctor(&mut engine);
    taken(&engine)
}

/// A worm that has come with these bits wrong, to its own node or the next.
fn wrong(engine: &mut Engine<Lanes>, places: &[usize], off: usize) {
    let (worm, to) = (
        &engine.worms[3],
        engine.messages[engine.worms[3].message].destination,
    );
    let mut bits = worm.body().to_bitvec();
    for place in places {
        let bit = !bits[*place];
        bits.set(*place, bit);
    }
    let stray = Stray {
        node: (to + off) % 8,
        switch: worm.switch,
        bits,
        bit_time: 9,
    };
    engine.deliveries[3].tail_arrived = None;
    engine.strays.push(stray);
}

#[test]
fn what_hosts_take_is_told_by_what_is_missing_and_what_is_wrong() {
    assert_eq!(doctored(|_| ()), [false; 2]);
    let missing = |engine: &mut Engine<Lanes>| engine.deliveries[3].tail_arrived = None;
    assert_eq!(doctored(missing), [true, true]);
    assert_eq!(doctored(|one| wrong(one, &[2, 5], 0)), [true, false]);
    assert_eq!(doctored(|one| wrong(one, &[2], 1)), [true, true]);
}

/// Bits that come without an end are no worm, and not what is due.
#[test]
fn the_beginning_of_a_worm_that_nobody_sent_is_not_what_is_due() {
    let began = |engine: &mut Engine<Lanes>| {
        let wires = engine.fabric.router().plan();
        let valid = wires.link_wires() + wires.host_wires().eject_valid();
        engine.fabric.transmit().unwrap();
        engine.fabric.force_wire(0, valid, true);
        engine.hosts.receive(&engine.fabric, &mut Vec::new());
    };
    assert_eq!(doctored(began), [true, true]);
}

/// A bit that nobody sent, on a wire for one bit time when hosts have all that is due.
#[test]
fn what_comes_when_all_has_arrived_is_seen() {
    let job = Job::new(&asked(&BENCH, "--dims 2 --message-bits 8")).unwrap();
    let worms = FaultedWorms::of(&job).unwrap();
    let end = worms.run(&mut Nobody, None).unwrap().bit_times;
    let valid = worms.machine.plan().links[0].wires.valid;
    let mut tampering = Tampering {
        registers: |_: &mut dyn Simulation| (),
        wires: |machine: &mut dyn Simulation| {
            if machine.bit_time() == end {
                machine.force_wire(0, valid, true);
            }
        },
    };
    let came = worms.run(&mut tampering, Some(end)).unwrap();
    assert_eq!((came.bit_times, came.failed), (end, vec![BITS]));
    assert!(
        came.seen
            .is_some_and(|(check, at)| check == BITS && at > end)
    );
}

/// Credits that never come keep worms from going on, which nothing else tells of.
#[test]
fn worms_that_no_longer_move_are_a_deadlock() {
    let job = Job::new(&asked(&BENCH, "--dims 2 --message-bits 8")).unwrap();
    let worms = FaultedWorms::of(&job).unwrap();
    let end = worms.run(&mut Nobody, None).unwrap().bit_times;
    let credits = worms.machine.plan().links[0].wires.credits.clone();
    let mut stand = 0;
    for node in 0..8 {
        let mut tampering = Tampering {
            registers: |_: &mut dyn Simulation| (),
            wires: |machine: &mut dyn Simulation| {
                let all = credits.clone();
                all.for_each(|wire| machine.force_wire(node, wire, false));
            },
        };
        let came = worms.run(&mut tampering, Some(end)).unwrap();
        if came.misplaced {
            assert_eq!(
                (came.seen, &came.failed[..2]),
                (None, &["no deadlock", DELIVERIES][..])
            );
            stand += 1;
        }
    }
    assert!(stand > 2, "{stand}");
}

#[test]
fn loads_are_refused() {
    let job = Job::new(&asked(&BENCH, "--dims 2 --offered-load 0.1")).unwrap();
    let refused = FaultedWorms::of(&job).err().unwrap().to_string();
    assert!(refused.starts_with("no faults are put in under an offered load: "));
}
