//! Two phases on `X(butterfly)`: a worm goes along the butterfly of its row to the column of its
//! destination, and along the butterfly of that column to its destination (Greenberg and Bhatt 1990, the
//! last paragraph of section 7).
//!
//! Every edge has width `n`: `n` *lanes*, each a path of three or four links with relays on the nodes
//! between. A worm takes any lane of an edge that is free, as in the dilated butterflies of Aiello,
//! Leighton, Maggs and Newman, so that it seldom waits for another:
//!
//! ```text
//!   node x                  relays                              node y
//!   [in]--x--[out, lane 0] ===> [ ] ===> [ ] ==========> [in, lane 0]
//!         x--[out, lane 1] ===> [ ] ===> [ ] ==========> [in, lane 1]     straight: 3 links
//!         x--[out, lane 2] ===> [ ] ===> [ ] ==========> [in, lane 2]
//!         x--[out, lane 0] ===> [ ] ===> [ ] ===> [ ] => [in, lane 0]     cross: 4 links
//!          ...
//! ```
//!
//! A link has six to ten users, ten being the cost of the embedding; they are its channels, and share its wire bit by
//! bit. [`vertices`] has where the butterflies lie, [`lanes`] the parts of a lane, `paths` the links.
//!
//! The lanes of an edge are divided into classes. A worm takes lanes of the class whose number is how often
//! it has come to level 0 in the present line: along a route (line, class, level) only grows, as on the
//! cube-connected cycles. A route of at most `2m - 1` edges comes there once at the most before its last
//! edge if `m = 2`, else twice.
//!
//! The header answers, in a row and at the source: row's cross edge, its straight edge, column's cross
//! edge, eject, or else the column's straight edge; in a column: cross edge, eject, or else straight edge.

use std::ops::RangeInclusive;

use crate::closed_form::Letter;
use crate::language::register::Name;
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::networks::butterflies::lanes::Lanes;
use crate::routers::wormhole::networks::butterflies::vertices::{Butterflies, Edge, Line};
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::parameters::{MAX_VIRTUAL_CHANNELS, Parameters};
use crate::routers::wormhole::plan::{InputPlan, Request, SwitchPlan, When};
use crate::routers::wormhole::space::Space;
use crate::routers::wormhole::trip::Trip;

pub mod dependencies;
pub mod lanes;
mod paths;
#[cfg(test)]
mod tests;
pub mod vertices;

impl Butterflies {
    /// The lanes of a node, where links have so many virtual channels.
    pub fn lanes_of(&self, virtual_channels: usize) -> Lanes {
        Lanes {
            lanes: self.lanes(),
            classes: virtual_channels.min(*Structure::virtual_channels(self).end()),
        }
    }
}

impl Structure for Butterflies {
    fn name(&self) -> &'static str {
        "butterflies"
    }

    fn joined(&self) -> Joined {
        Joined::Space(Space::Hypercube(self.host()))
    }

    /// The classes of the lanes of an edge.
    fn virtual_channels(&self) -> RangeInclusive<usize> {
        1..=self.levels().min(MAX_VIRTUAL_CHANNELS)
    }

    fn header(&self, _switch: usize, trip: Trip, _virtual_channels: usize) -> Vec<bool> {
        let mut header = Vec::new();
        let mut line = Line::Row;
        for step in self.way(trip) {
            header.extend(match (line, step.line, step.edge) {
                (Line::Row, Line::Row, Edge::Cross) => &[true][..],
                (Line::Row, Line::Row, Edge::Straight) => &[false, true],
                (Line::Row, Line::Column, Edge::Cross) => &[false, false, true],
                (Line::Row, Line::Column, Edge::Straight) => &[false; 4],
                (Line::Column, _, Edge::Cross) => &[true],
                (Line::Column, _, Edge::Straight) => &[false; 2],
            });
            line = step.line;
        }
        header.extend(match line {
            Line::Row => &[false, false, false, true][..],
            Line::Column => &[false, true],
        });
        header
    }

    fn parts(&self, virtual_channels: usize) -> Parts {
        let lanes = self.lanes_of(virtual_channels);
        Parts {
            switch: switch(lanes),
            levels: paths::level_codes(self),
            relays: lanes.relay_plans(),
            links: paths::links(self, lanes),
        }
    }

    /// Counted by what there is: channels, arbiters, relays.
    fn storage_bits(&self, parameters: Parameters) -> (String, Vec<Letter<'static>>) {
        let lanes = self.lanes_of(parameters.virtual_channels);
        let n = self.lanes();
        let of_class = |class: usize| lanes.of_class(class).count();
        let first = of_class(0);
        // Of the host and of rows: 4 declined, ended, taken, connected by lane; of columns 2 declined.
        let in_rows = (2 * n + 1) * (6 + first);
        // Of a class between, those of the class before ask at level 0 alone, and its own elsewhere alone.
        let places = |class: usize, first_of_line: usize| match class.checked_sub(1) {
            None => first_of_line + 2 * first,
            Some(before) if class + 1 == lanes.classes => 2 * (of_class(class) + of_class(before)),
            Some(before) => 2 * of_class(class).max(of_class(before)),
        };
        let of_classes = (0..lanes.classes).map(|class| {
            let in_column = 4 + of_class(class);
            let arbiters = places(class, 1) - 1 + places(class, 2 * n + 1) - 1;
            2 * of_class(class) * (in_column + arbiters)
        });
        // The arbiter to the host, those of wires, and what relays have beside buffers and credits.
        let rest = in_rows + of_classes.sum::<usize>() + 4 * n + wire_arbiters(self) + 20 * n;
        let times_b = 42 * n + 2;
        (format!("{times_b}b+{rest}"), Vec::new())
    }

    fn dependencies(&self, virtual_channels: usize) -> Dependencies {
        dependencies::of(self, self.lanes_of(virtual_channels))
    }
}

/// Bits of the wires' arbiters: one less than channels for each of them. In the dimensions of a line, rows
/// and columns alike, there are 6, 10 and 6 channels; 6, 10, 9, 9, 6 and 6.
fn wire_arbiters(network: &Butterflies) -> usize {
    match network.levels() {
        2 => 2 * 19,
        _ => 2 * 40,
    }
}

/// The switch: the input channels of the host, of the row's lanes and of the column's.
fn switch(lanes: Lanes) -> SwitchPlan {
    let eject = || vec![Request::always(lanes.eject())];
    let turn = |edge| lanes.requests(Line::Column, edge, 0, When::Always);
    let in_row = |row: &dyn Fn(Edge) -> Vec<Request>| {
        vec![
            row(Edge::Cross),
            row(Edge::Straight),
            turn(Edge::Cross),
            eject(),
            turn(Edge::Straight),
        ]
    };
    let mut inputs = vec![InputPlan {
        name: Name::Field("injection"),
        candidates: in_row(&|edge| lanes.requests(Line::Row, edge, 0, When::Always)),
        line: Line::Row as usize,
    }];
    let mut outputs = Vec::new();
    for line in Line::ALL {
        for edge in Edge::ALL {
            for lane in 0..lanes.lanes {
                let on = |edge| lanes.requests_from(lanes.class(lane), line, edge);
                inputs.push(InputPlan {
                    name: lanes.input_name(line, edge, lane),
                    candidates: match line {
                        Line::Row => in_row(&on),
                        Line::Column => vec![on(Edge::Cross), eject(), on(Edge::Straight)],
                    },
                    line: line as usize,
                });
                outputs.push(lanes.output_name(line, edge, lane));
            }
        }
    }
    outputs.push(Name::Field("eject"));
    SwitchPlan::new(inputs, &outputs)
}
