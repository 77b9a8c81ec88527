//! The routes of messages, as a picture shows them.

use rayon::prelude::*;
use waves::picture::run::{Change, Crossing, Route, Run, Stay};

use crate::whereabouts::{Choice, Location, Whereabouts};

impl Whereabouts {
    /// A run with the routes of its messages. Wires then count as in use while bits of messages are on them.
    pub fn drawn(&self, run: Run, choice: Option<&Choice>) -> Run {
        let messages = (0..self.messages.len()).into_par_iter();
        let mut run = Run {
            messages: messages.map(|message| self.route(message)).collect(),
            shown: choice.map(|choice| choice.message),
            links_carry_messages: true,
            ..run
        };
        for (link, used) in run.links.iter_mut().zip(self.used()) {
            link.used = used;
        }
        run
    }

    fn route(&self, message: usize) -> Route {
        let sent = &self.messages[message];
        let stays = self.with_header(message).into_iter();
        let stays = stays.map(|(node, times)| Stay {
            node: node as u32,
            from: times.start as u32,
            to: times.end as u32,
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

    /// By wire, how many nodes send bits of messages on theirs.
    fn used(&self) -> Vec<Vec<Change>> {
        let mut changes = vec![Vec::new(); self.wires.len()];
        for stay in self.stays.all() {
            if let Location::Wire(wire) = stay.location {
                changes[usize::from(wire)].extend([(stay.from, 1), (stay.to, -1)]);
            }
        }
        changes.into_par_iter().map(Change::counted).collect()
    }
}
