//! What is varied of a switch.

use super::network::Turn;
use super::rule::{CROSS, Rule, STRAIGHT};

/// What a switch is.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Which channels a worm may take.
    pub rule: Rule,
    /// Places of a buffer.
    pub buffer_bits: usize,
    /// Each channel is so many, any of which will do.
    pub lanes: usize,
}

impl Switch {
    /// The design, with a rule.
    pub fn with(rule: Rule) -> Switch {
        Switch {
            rule,
            buffer_bits: 2,
            lanes: 1,
        }
    }

    /// Input channels, and as many output channels.
    pub fn ends(self) -> usize {
        self.first(Turn::Eject) + 1
    }

    /// The first output channel of a turn.
    pub fn first(self, turn: Turn) -> usize {
        match turn {
            Turn::Straight => 0,
            Turn::Cross => STRAIGHT * self.lanes,
            Turn::Eject => (STRAIGHT + CROSS) * self.lanes,
        }
    }

    /// Which turn an output channel is, and its number there.
    pub fn turn(self, output: usize) -> (Turn, usize) {
        let turns = [Turn::Eject, Turn::Cross, Turn::Straight].into_iter();
        let turn = turns.clone().find(|&turn| output >= self.first(turn));
        let turn = turn.unwrap_or(Turn::Straight);
        (turn, output - self.first(turn))
    }
}
