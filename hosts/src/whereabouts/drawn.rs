//! The routes of messages, as a picture shows them.

use waves::picture::run::{Change, Crossing, Route, Run, Stay};

use crate::whereabouts::{Choice, Location, Whereabouts};

impl Whereabouts {
    /// A run with the routes of its messages. Wires then count as in use while bits of messages are on them.
    pub fn drawn(&self, run: Run, choice: Option<&Choice>) -> Run {
        let messages = (0..self.messages.len()).map(|message| self.route(message));
        let mut run = Run {
            messages: messages.collect(),
            shown: choice.map(|choice| choice.message),
            links_carry_messages: true,
            ..run
        };
        for (wire, link) in run.links.iter_mut().enumerate() {
            link.used = self.used(wire);
        }
        run
    }

    fn route(&self, message: usize) -> Route {
        let sent = &self.messages[message];
        let stays = self
            .at_nodes(message)
            .into_iter()
            .map(|(node, times)| Stay {
                node: node as u32,
                from: times.start,
                to: times.end,
            });
        let crossings = self.crossings(message).map(|(stay, wire)| Crossing {
            sender: stay.node,
            receiver: self.receiver(stay.node as usize, wire) as u32,
            from: stay.from,
            to: stay.to,
        });
        Route {
            name: sent.name.clone(),
            source: sent.source as u32,
            destination: sent.destination as u32,
            stays: stays.collect(),
            crossings: crossings.collect(),
            ..Route::default()
        }
    }

    /// How many nodes send bits of messages on their wire of that number.
    fn used(&self, wire: usize) -> Vec<Change> {
        let on_wire = |stay: &&super::Stay| stay.location == Location::Wire(wire as u16);
        let stays = self.stays.iter().filter(on_wire);
        Change::counted(
            stays
                .flat_map(|stay| [(stay.from, 1), (stay.to, -1)])
                .collect(),
        )
    }
}
