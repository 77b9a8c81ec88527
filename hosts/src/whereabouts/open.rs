//! Stays while they last: a message is in a place as long as any bit there is one of its.

use crate::whereabouts::{Location, Stay};

/// A stay that is not over.
#[derive(Clone, Copy, Debug)]
struct Open {
    message: u32,
    from: u32,
    /// The last bit time before it left, unless bits of it are there still.
    last: u32,
    /// Bits that are.
    bits: u32,
}

impl Open {
    /// Whether it was there a bit time ago, or still is.
    fn goes_on(&self, bit_time: u32) -> bool {
        self.bits > 0 || self.last + 1 >= bit_time
    }
}

/// What is in all places of all nodes.
#[derive(Debug)]
pub(super) struct Places {
    /// Modules of a node; its wires come behind them.
    modules: usize,
    /// Places of a node.
    places: usize,
    /// By node and place, in order of messages: a node may hold many.
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

    fn number(&self, node: usize, location: Location) -> usize {
        let place = match location {
            Location::Module(module) => usize::from(module),
            Location::Wire(wire) => self.modules + usize::from(wire),
        };
        node * self.places + place
    }

    /// One more bit of a message is there from this bit time on, which is no earlier than any before.
    pub fn enter(&mut self, node: usize, location: Location, message: u32, bit_time: u32) {
        let number = self.number(node, location);
        let open = &mut self.open[number];
        if let Ok(found) = open.binary_search_by_key(&message, |one| one.message) {
            let one = &mut open[found];
            if one.goes_on(bit_time) {
                one.bits += 1;
                return;
            }
            self.over.push(stay(node, location, *one));
            *one = begun(message, bit_time);
            return;
        }
        // Those that are over make room.
        open.retain(|one| {
            let goes_on = one.goes_on(bit_time);
            if !goes_on {
                self.over.push(stay(node, location, *one));
            }
            goes_on
        });
        let behind = open.partition_point(|one| one.message < message);
        open.insert(behind, begun(message, bit_time));
    }

    /// One bit less of a message is there from this bit time on. One that has entered and not left may take its place within
    /// the bit time, sooner or later.
    pub fn leave(&mut self, node: usize, location: Location, message: u32, bit_time: u32) {
        let number = self.number(node, location);
        let open = &mut self.open[number];
        if let Ok(found) = open.binary_search_by_key(&message, |one| one.message) {
            let one = &mut open[found];
            one.bits -= 1;
            one.last = bit_time - 1;
        }
    }

    /// All stays: those that were over first, in the order in which others took their room. What has not left stays until the
    /// end of all bit times.
    pub fn finish(mut self, bit_times: u32) -> Vec<Stay> {
        for (number, open) in self.open.iter().enumerate() {
            let (node, place) = (number / self.places, number % self.places);
            let location = match place.checked_sub(self.modules) {
                None => Location::Module(place as u16),
                Some(wire) => Location::Wire(wire as u16),
            };
            let stays = open.iter().map(|one| {
                let is_left = one.bits == 0;
                let last = if is_left { one.last } else { bit_times - 1 };
                stay(node, location, Open { last, ..*one })
            });
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
        bits: 1,
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
    fn a_stay_ends_where_nothing_is_left() {
        let mut places = Places::new(2, 1, 1);
        let (module, wire) = (Location::Module(0), Location::Wire(0));
        for (enters, node, location, message, bit_time) in [
            (true, 1, module, 7, 0),
            // Another bit comes as that one goes, and before it is known to have gone.
            (true, 1, module, 7, 1),
            (false, 1, module, 7, 1),
            (true, 1, module, 8, 1),
            (false, 1, module, 7, 2),
            (false, 1, module, 8, 2),
            (true, 1, module, 7, 3),
            (true, 0, wire, 7, 3),
            (false, 1, module, 7, 4),
            (false, 0, wire, 7, 4),
            (true, 1, module, 9, 9),
            // Here it is known first.
            (false, 1, module, 9, 10),
            (true, 1, module, 9, 10),
        ] {
            match enters {
                true => places.enter(node, location, message, bit_time),
                false => places.leave(node, location, message, bit_time),
            }
        }
        let mut stays = places.finish(12);
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
                (9..12, 9, 1, false),
            ]
        );
    }
}
