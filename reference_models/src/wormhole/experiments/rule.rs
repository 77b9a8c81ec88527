//! Which virtual channels a worm may take.

use super::network::{Step, Turn};

/// Virtual channels of a cross link: as many as the hardware has.
pub const CROSS: usize = 2;
/// Virtual channels of a straight link.
pub const STRAIGHT: usize = 3;

/// Which channel is given to a worm. A worm may wait in a channel for another only if (channel, level,
/// cross before straight) grows: [`dependencies`](super::dependencies) says for each rule whether it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The design: the number of datelines that the worm has crossed.
    Dateline,
    /// Any channel that is free at the start, as far as it leaves enough channels for the datelines ahead;
    /// then one more at each dateline, as today.
    AtStart,
    /// At every link any free channel that is not below the one that the worm is in, one more behind a
    /// dateline, and leaves enough for the datelines ahead.
    Upwards,
    /// Not below the number of datelines crossed, whatever is ahead: breaks the rule.
    NotBelowClass,
    /// Any at all: breaks the rule.
    Any,
}

/// What is known of a worm at a link.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The channel that it came in on; none from the host.
    pub came: Option<usize>,
    /// Datelines crossed.
    pub datelines: usize,
    /// By how much its channel may be above its datelines.
    pub slack: usize,
}

/// Channels of a link.
pub fn channels(turn: Turn) -> usize {
    match turn {
        Turn::Straight => STRAIGHT,
        Turn::Cross => CROSS,
        Turn::Eject => 1,
    }
}

/// By how much the channels of a way may be above the number of datelines crossed: what the host writes
/// into the header.
pub fn slack(way: &[Step]) -> usize {
    let mut datelines = 0;
    let mut slack = STRAIGHT - 1;
    for step in way.iter().filter(|step| step.turn != Turn::Eject) {
        datelines += usize::from(step.behind_dateline);
        slack = slack.min(channels(step.turn) - 1 - datelines);
    }
    slack
}

impl Rule {
    /// Header bits that a rule adds: the slack, 0 to 2, read at the start. [`Rule::Upwards`] would have to
    /// carry it along; here it is known for nothing, so that what is measured is the most it can give.
    pub fn header_bits(self) -> usize {
        match self {
            Rule::AtStart => 2,
            _ => 0,
        }
    }

    /// Arbiters of higher channels decide first. A host that sends one message finds all channels free, so
    /// that the lowest would be what the design gives.
    pub fn highest_first(self) -> bool {
        self == Rule::AtStart
    }

    /// The channels that a worm may take next, from the first to the last; empty: none.
    pub fn allowed(self, step: &Step, place: Place) -> std::ops::RangeInclusive<usize> {
        let all = channels(step.turn);
        if step.turn == Turn::Eject {
            return 0..=0;
        }
        let Place {
            came,
            datelines,
            slack,
        } = place;
        let up = came.map(|came| came + usize::from(step.behind_dateline));
        match (self, up) {
            (Rule::Dateline, _) => datelines..=datelines,
            (Rule::AtStart, Some(up)) => up..=up,
            (Rule::AtStart | Rule::Upwards, None) => 0..=slack,
            (Rule::Upwards, Some(up)) => up..=datelines + slack,
            (Rule::NotBelowClass, _) => datelines.min(all - 1)..=all - 1,
            (Rule::Any, _) => 0..=all - 1,
        }
    }
}
