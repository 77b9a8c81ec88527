//! Stays while they last: what was seen in this bit time and not in the one before begins, and what is seen no longer is over.

use crate::whereabouts::{Location, Stay};

/// A stay that is not over.
#[derive(Clone, Copy, Debug)]
struct Open {
    message: u32,
    from: u32,
    last: u32,
}

/// What is in all places of all nodes.
#[derive(Debug)]
pub(super) struct Places {
    /// Modules of a node; its wires come behind them.
    modules: usize,
    /// Places of a node.
    places: usize,
    /// By node and place, in order of messages: a node that holds many is asked for one of them in every bit time.
    open: Vec<Vec<Open>>,
    over: Vec<Stay>,
}

impl Places {
    pub fn new(nodes: usize, modules: usize, wires: usize) -> Self {
        let places = modules + wires;
        Places {
            modules,
            places,
            open: vec![Vec::new(); nodes * places],
            over: Vec::new(),
        }
    }

    /// A bit of a message is there in this bit time, which is no earlier than any before.
    pub fn see(&mut self, node: usize, location: Location, message: u32, bit_time: u32) {
        let number = match location {
            Location::Module(module) => usize::from(module),
            Location::Wire(wire) => self.modules + usize::from(wire),
        };
        let open = &mut self.open[node * self.places + number];
        if let Ok(found) = open.binary_search_by_key(&message, |one| one.message) {
            let one = &mut open[found];
            if one.last + 1 >= bit_time {
                one.last = bit_time;
                return;
            }
            self.over.push(stay(node, location, *one));
            *one = begun(message, bit_time);
            return;
        }
        // Those that are over make room.
        open.retain(|one| {
            let goes_on = one.last + 1 >= bit_time;
            if !goes_on {
                self.over.push(stay(node, location, *one));
            }
            goes_on
        });
        let behind = open.partition_point(|one| one.message < message);
        open.insert(behind, begun(message, bit_time));
    }

    /// All stays, in no order.
    pub fn finish(mut self) -> Vec<Stay> {
        for (number, open) in self.open.iter().enumerate() {
            let (node, place) = (number / self.places, number % self.places);
            let location = match place.checked_sub(self.modules) {
                None => Location::Module(place as u16),
                Some(wire) => Location::Wire(wire as u16),
            };
            let stays = open.iter().map(|one| stay(node, location, *one));
            self.over.extend(stays);
        }
        self.over
    }
}

fn begun(message: u32, bit_time: u32) -> Open {
    Open {
        message,
        from: bit_time,
        last: bit_time,
    }
}

fn stay(node: usize, location: Location, open: Open) -> Stay {
    Stay {
        from: open.from,
        to: open.last + 1,
        message: open.message,
        node: node as u32,
        location,
        on_route: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stay_ends_where_nothing_is_seen() {
        let mut places = Places::new(2, 1, 1);
        let (module, wire) = (Location::Module(0), Location::Wire(0));
        for (node, location, message, bit_time) in [
            (1, module, 7, 0),
            (1, module, 7, 1),
            (1, module, 8, 1),
            (1, module, 7, 3),
            (0, wire, 7, 3),
            (1, module, 9, 9),
        ] {
            places.see(node, location, message, bit_time);
        }
        let mut stays = places.finish();
        stays.sort_unstable();
        let told = stays.iter().map(|stay| {
            (
                stay.from..stay.to,
                stay.message,
                stay.node,
                stay.location == wire,
            )
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                (0..2, 7, 1, false),
                (1..2, 8, 1, false),
                (3..4, 7, 0, true),
                (3..4, 7, 1, false),
                (9..10, 9, 1, false),
            ]
        );
    }
}
