//! Lanes of every width are the nodes that `bool` is one at a time, and a routine is their description: every register of
//! every node in every bit time.

use hosts::wormhole::engine::Engine;
use hosts::wormhole::lanes::WormLanes;
use reference_models::wormhole::{Machine, Message, Network, Routing, Switch};
use rtl_model::language::lanes::Words;
use rtl_model::machine::instructions::Instructions;

use crate::wormhole::invariants::registers;
use crate::wormhole::machines::{
    ccc, copies, cube, ecube, for_hardware, hardware, machine, nodes, permutation, plain_tick,
};

/// Two machines side by side, a permutation each.
fn loaded<B: WormLanes>(machine: Machine, traffics: &[Vec<Message>; 2]) -> Engine<B> {
    let mut engine = Engine::new(hardware(machine), traffics.len()).unwrap();
    for (on, messages) in traffics.iter().enumerate() {
        for message in messages {
            engine.send(on, for_hardware(message));
        }
    }
    engine
}

/// What meters say that is the same whatever the lanes.
fn measured<B: WormLanes>(engine: &Engine<B>) -> String {
    let meters = &engine.meters;
    let sums = [
        meters.injected,
        meters.consumed,
        meters.ejected,
        meters.crossed,
    ];
    let most = [
        meters.peak_bits_per_node,
        meters.peak_worms_per_node,
        meters.largest_load(),
    ];
    let text = format!("{most:?}, by input {:?}", meters.peak_held);
    format!(
        "{sums:?}, stalls {:?}, {text}, {:?}",
        meters.stalls, meters.not_conserved
    )
}

fn widths_agree(network: Network, switch: Switch) {
    let machine = Machine {
        switch,
        ..machine(network)
    };
    let traffics = [1, 2].map(|seed| permutation(nodes(machine), 12, seed));
    // Of so many lane groups that its nodes become a routine after some bit times.
    let mut single = loaded::<bool>(machine, &traffics);
    let mut word = loaded::<u64>(machine, &traffics);
    let mut words = loaded::<Words<8>>(machine, &traffics);
    words.fabric.make_routine(Instructions::widest());
    while single.in_flight() > 0 {
        assert_eq!(single.quiet(), 0);
        plain_tick(&mut single);
        plain_tick(&mut word);
        plain_tick(&mut words);
        for node in 0..traffics.len() * nodes(machine) {
            let expected = registers(&single.fabric, node);
            assert!(expected.contains(&true));
            let bit_time = single.fabric.bit_time();
            let what = format!("{machine:?}, node {node} after bit time {bit_time}");
            assert_eq!(registers(&word.fabric, node), expected, "{what}");
            assert_eq!(registers(&words.fabric, node), expected, "{what}");
        }
    }
    assert!(single.strays.is_empty() && single.meters.crossed > 0);
    assert_eq!(measured(&word), measured(&single), "{machine:?}");
    assert_eq!(measured(&words), measured(&single), "{machine:?}");
    for (deliveries, strays) in [
        (&word.deliveries, &word.strays),
        (&words.deliveries, &words.strays),
    ] {
        assert_eq!(
            (deliveries, strays),
            (&single.deliveries, &single.strays),
            "{machine:?}"
        );
    }
}

#[test]
fn lanes_agree_with_bool_on_cube_connected_cycles() {
    widths_agree(ccc(3), Switch::Strong);
    widths_agree(ccc(3), Switch::Weak);
    widths_agree(ccc(2), Switch::Strong);
}

#[test]
fn lanes_agree_with_bool_on_copies() {
    widths_agree(copies(4, 4), Switch::Strong);
    widths_agree(copies(4, 3), Switch::Weak);
}

#[test]
fn lanes_agree_with_bool_in_dimension_order() {
    widths_agree(ecube(4), Switch::Strong);
    widths_agree(ecube(4), Switch::Weak);
    widths_agree(cube(6, Routing::Valiant), Switch::Strong);
}
