//! Which lanes a worm may take, and the numbers and names of all that a lane is made of.

use std::ops::Range;

use crate::language::register::Name;
use crate::routers::wormhole::networks::butterflies::vertices::{Edge, Line};
use crate::routers::wormhole::plan::{RelayPlan, Request, When};

/// The lanes of the edges of a node, divided into classes: lane `k` is of class `k` modulo their number.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    /// Lanes of an edge.
    pub lanes: usize,
    /// Classes of them, at most as many.
    pub classes: usize,
}

/// Relays of the lanes of one number, in a line: two of a straight edge and three of a cross edge.
const RELAYS: usize = 5;

impl Lanes {
    /// The class of a lane.
    pub fn class(&self, lane: usize) -> usize {
        lane % self.classes
    }

    /// The lanes of a class.
    pub fn of_class(&self, class: usize) -> impl Iterator<Item = usize> + use<> {
        (class..self.lanes).step_by(self.classes)
    }

    /// The class of a worm that has come to level 0 so often.
    pub fn after(&self, datelines: usize) -> usize {
        datelines.min(self.classes - 1)
    }

    /// The output channel of a lane; its input channel has the next number, behind that of the host.
    pub fn output(&self, line: Line, edge: Edge, lane: usize) -> usize {
        (2 * line as usize + edge as usize) * self.lanes + lane
    }

    /// The output channel to the host.
    pub fn eject(&self) -> usize {
        4 * self.lanes
    }

    /// All relays.
    pub fn relays(&self) -> Range<usize> {
        0..2 * RELAYS * self.lanes
    }

    /// A relay of a lane, the first one with number 0.
    pub fn relay(&self, line: Line, edge: Edge, lane: usize, number: usize) -> usize {
        let before = match edge {
            Edge::Straight => 0,
            Edge::Cross => Edge::Straight.relays(),
        };
        (RELAYS * line as usize + before + number) * self.lanes + lane
    }

    /// What a candidate means that is any lane of a class.
    pub fn requests(&self, line: Line, edge: Edge, class: usize, when: When) -> Vec<Request> {
        let lanes = self.of_class(class).enumerate();
        lanes
            .map(|(number, lane)| Request {
                output: self.output(line, edge, lane),
                when,
                lane: number,
            })
            .collect()
    }

    /// What a candidate means of a channel in which a worm came by a lane of a class: the class behind
    /// it, where the line stands at level 0.
    pub fn requests_from(&self, class: usize, line: Line, edge: Edge) -> Vec<Request> {
        let before = self.requests(line, edge, class, When::NotAtLevel0);
        let behind = self.requests(line, edge, self.after(class + 1), When::AtLevel0);
        [before, behind].concat()
    }

    /// What the output channel of a lane is called.
    pub fn output_name(&self, line: Line, edge: Edge, lane: usize) -> Name {
        let names = [
            ["row_straight_out", "row_cross_out"],
            ["column_straight_out", "column_cross_out"],
        ];
        Name::Numbered(names[line as usize][edge as usize], lane)
    }

    /// What the input channel of a lane is called.
    pub fn input_name(&self, line: Line, edge: Edge, lane: usize) -> Name {
        let names = [
            ["row_straight_in", "row_cross_in"],
            ["column_straight_in", "column_cross_in"],
        ];
        Name::Numbered(names[line as usize][edge as usize], lane)
    }

    /// What a relay is called.
    pub fn relay_name(&self, relay: usize) -> Name {
        let names = [
            "row_straight_first_relay",
            "row_straight_last_relay",
            "row_cross_first_relay",
            "row_cross_second_relay",
            "row_cross_last_relay",
            "column_straight_first_relay",
            "column_straight_last_relay",
            "column_cross_first_relay",
            "column_cross_second_relay",
            "column_cross_last_relay",
        ];
        Name::Numbered(names[relay / self.lanes], relay % self.lanes)
    }

    /// The plans of all relays.
    pub fn relay_plans(&self) -> Vec<RelayPlan> {
        let plan = |relay| RelayPlan {
            name: self.relay_name(relay),
        };
        self.relays().map(plan).collect()
    }
}
