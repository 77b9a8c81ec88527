use super::*;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::routers::wormhole::network::{Network, Parameters};

const CROSS: usize = 1;
const EJECT: usize = 2;

/// Away from level 0.
const NOT_THERE: [bool; 2] = [false; 2];

/// The switch of cube-connected cycles, with buffers of two bits.
fn switch(virtual_channels: usize) -> Switch<bool> {
    let network = Network::CubeConnectedCycles(CubeConnectedCycles::new(3).unwrap());
    let parameters = Parameters {
        virtual_channels,
        buffer_bits: 2,
        weak_switch: false,
    };
    let plan = network.plan(parameters).unwrap();
    Switch::new(&Arc::new(plan.switch), plan.buffer_bits)
}

fn free(switch: &Switch<bool>, output: usize) -> bool {
    switch.free(output, switch.offer(output, NOT_THERE).owned)
}

/// A bit time away from level 0: a bit and whether it is the last of its worm for some inputs; one
/// output channel sends, one gets a credit back.
fn tick(
    switch: &mut Switch<bool>,
    bits: &[(usize, bool, bool)],
    sends: Option<usize>,
    returned: Option<usize>,
) {
    let outputs = 0..switch.plan().outputs.len();
    let only = |one: Option<usize>| -> Vec<bool> {
        outputs.clone().map(|output| one == Some(output)).collect()
    };
    let may_be_granted: Vec<bool> = outputs.clone().map(|output| free(switch, output)).collect();
    let arrivals: Vec<Arrival<bool>> = (0..switch.plan().inputs.len())
        .map(|input| {
            let comes = bits.iter().find(|(to, ..)| *to == input);
            Arrival {
                push: comes.is_some(),
                bit: comes.is_some_and(|(_, bit, _)| *bit),
                tail: comes.is_some_and(|(.., tail)| *tail),
            }
        })
        .collect();
    switch.clock(
        NOT_THERE,
        &only(sends),
        &only(returned),
        &may_be_granted,
        &arrivals,
    );
}

#[test]
fn two_worms_have_an_output_channel_one_after_the_other() {
    let mut switch = switch(1);
    // From the host and over the straight link: both to cross, then a body of one bit.
    tick(
        &mut switch,
        &[(0, true, false), (1, true, false)],
        None,
        None,
    );
    assert!(switch.input(0).consumes() && switch.input(1).consumes());
    tick(
        &mut switch,
        &[(0, true, true), (1, false, true)],
        None,
        None,
    );
    assert!(switch.requested(CROSS, NOT_THERE) && free(&switch, CROSS));
    assert!(!switch.offer(CROSS, NOT_THERE).owned);

    tick(&mut switch, &[], None, None);
    let offer = switch.offer(CROSS, NOT_THERE);
    assert!(offer.owned && offer.holds_bit && offer.bit && offer.tail);
    assert!(switch.input(0).connected() && !switch.input(1).connected());
    assert!(!free(&switch, CROSS) && switch.has_credit(CROSS));

    // The second waits until the first has left and its bit has left the buffer ahead as well.
    tick(&mut switch, &[], Some(CROSS), None);
    assert!(!switch.offer(CROSS, NOT_THERE).owned && !free(&switch, CROSS));
    assert!(switch.has_credit(CROSS) && switch.requested(CROSS, NOT_THERE));
    tick(&mut switch, &[], None, None);
    assert!(!switch.input(1).connected());
    tick(&mut switch, &[], None, Some(CROSS));
    assert!(free(&switch, CROSS) && !switch.input(1).connected());
    tick(&mut switch, &[], None, None);
    let offer = switch.offer(CROSS, NOT_THERE);
    assert!(offer.owned && offer.holds_bit && !offer.bit && offer.tail);
    tick(&mut switch, &[], Some(CROSS), Some(CROSS));
    assert!(free(&switch, CROSS) && !switch.requested(CROSS, NOT_THERE));
}

#[test]
fn whoever_was_connected_last_comes_last() {
    let mut switch = switch(1);
    let mut order = Vec::new();
    // All three to the host, again and again: "no" to cross where there is such a question, "yes"
    // to eject.
    for _ in 0..3 {
        tick(
            &mut switch,
            &[(0, false, false), (1, false, false), (2, true, false)],
            None,
            None,
        );
        tick(
            &mut switch,
            &[(0, true, false), (1, true, false)],
            None,
            None,
        );
        tick(
            &mut switch,
            &[(0, true, true), (1, true, true), (2, true, true)],
            None,
            None,
        );
        for _ in 0..3 {
            tick(&mut switch, &[], None, None);
            order.extend((0..3).filter(|&input| switch.input(input).connected()));
            tick(&mut switch, &[], Some(EJECT), None);
        }
        assert!(!switch.requested(EJECT, NOT_THERE) && free(&switch, EJECT));
    }
    assert_eq!(order, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
}

/// Outputs of two virtual channels: straight 0 and 1, cross 0 and 1, eject.
#[test]
fn behind_the_dateline_a_worm_asks_for_the_next_virtual_channel() {
    for (input, header, away, at_level_0) in [
        (0, &[true][..], 2, 2),
        (0, &[false, false], 0, 0),
        (1, &[true], 2, 3),
        (1, &[false, false], 0, 1),
        (1, &[false, true], 4, 4),
        (2, &[true], 3, 3),
        (2, &[false, false], 1, 1),
        (3, &[false], 0, 0),
        (4, &[false], 1, 1),
        (4, &[true], 4, 4),
    ] {
        let mut switch = switch(2);
        for &bit in header {
            tick(&mut switch, &[(input, bit, false)], None, None);
        }
        tick(&mut switch, &[(input, true, true)], None, None);
        for (level_0, expected) in [(false, away), (true, at_level_0)] {
            let requested: Vec<usize> = (0..5)
                .filter(|&output| switch.requested(output, [level_0, false]))
                .collect();
            assert_eq!(
                requested,
                [expected],
                "input {input}, {header:?}, {level_0}"
            );
        }
    }
}
