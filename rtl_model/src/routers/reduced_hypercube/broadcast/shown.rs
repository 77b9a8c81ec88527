//! What a waveform shows of a broadcast beside wires and registers.

use crate::machine::shown::{Digits, Number, Shown, Text};
use crate::routers::reduced_hypercube::broadcast::operation::Broadcast;
use crate::routers::reduced_hypercube::broadcast::sequencer::LONGEST_TOLD;
use crate::routers::reduced_hypercube::broadcast::tree_program;
use crate::routers::reduced_hypercube::network::BlockNetwork;

/// What a view of a waveform opens on at most: steps of the message,
const FIRST_SCREEN_STEPS: usize = 3;
/// and their bit times, if there is room for two steps.
const FIRST_SCREEN_BIT_TIMES: usize = 60;

/// Steps of the message that can be read beside the tree programs: two at least, so that one is seen to begin.
pub fn steps_to_begin_with(broadcast: &Broadcast) -> usize {
    (FIRST_SCREEN_BIT_TIMES / broadcast.times().step_bits).clamp(2, FIRST_SCREEN_STEPS)
}

/// What the tree programs do; at each node the message, its place in the tree of building blocks, and over which wires its
/// parent and its children lie.
pub fn shown(broadcast: &Broadcast) -> Shown {
    let number = |name: &str, width, digits| Number {
        name: name.to_owned(),
        width,
        digits,
    };
    let wires = broadcast.network.wires();
    let mut shown = Shown {
        numbers: vec![
            number("message", broadcast.message_bits, Digits::Hexadecimal),
            number("parent", wires, Digits::Binary),
            number("children", wires, Digits::Binary),
        ],
        ..Shown::default()
    };
    if let BlockNetwork::Reduced(_) = broadcast.network {
        shown.texts.push(Text {
            name: "tree_program",
            longest: LONGEST_TOLD,
        });
        let id_bits = tree_program::id_bits(broadcast.ports().blocks);
        if id_bits > 0 {
            let id = number("id", id_bits, Digits::Hexadecimal);
            shown.numbers.insert(1, id);
        }
    }
    shown
}
