//! Copies of payload bits: in which place each was, and when, of what has come there and gone.
//!
//! ```text
//!   log of some nodes   bit times  ----->          log of others     ...
//!     block of messages   + - + +                    + + -
//!     the next            + + - -                    +
//!
//!   a message           all that has changed of it, by part, node and place, and there by bit time  -->  copies
//! ```
//!
//! What changes is seen of many nodes at once, and is asked for message by message. So it is logged by blocks of messages, of which
//! each is put in order where all of it is near.

use crate::whereabouts::by_owner::ByOwner;
use crate::whereabouts::route::{Copy, PARTS};
use crate::whereabouts::{Location, MOST_NODES, Stay};

/// Messages of a block: so many that what has changed of them is near a processor while it is put in order.
const MESSAGES: usize = 1 << 8;

/// Widths of the fields of a change, from the least significant on.
const ENTERED: u32 = 1;
const BIT_TIME: u32 = 30;
const PLACE: u32 = 16;
const NODE: u32 = MOST_NODES.trailing_zeros();
const ON_WIRE: u32 = 1;
const PART: u32 = PARTS.trailing_zeros();
const _: () = assert!(ENTERED + BIT_TIME + PLACE + NODE + ON_WIRE + PART <= u64::BITS);

/// A bit of a message has come into a place, or has left it. In order of parts of the message, of modules before wires, of nodes, of
/// places, and then of bit times, within which what leaves comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change(u64);

impl Change {
    fn new((part, node, location): (u32, usize, Location), bit_time: u32, enters: bool) -> Self {
        let (is_on_wire, place) = match location {
            Location::Module(module) => (false, module),
            Location::Wire(wire) => (true, wire),
        };
        let fields = [
            (u64::from(is_on_wire), ON_WIRE),
            (node as u64, NODE),
            (u64::from(place), PLACE),
            (u64::from(bit_time), BIT_TIME),
            (u64::from(enters), ENTERED),
        ];
        let join = |joined: u64, (field, width): (u64, u32)| joined << width | field;
        Change(fields.into_iter().fold(u64::from(part), join))
    }

    /// The same for all changes of a part in a place.
    fn of_place(self) -> u64 {
        self.0 >> (BIT_TIME + ENTERED)
    }

    fn bit_time(self) -> u32 {
        (self.0 >> ENTERED) as u32 & ((1 << BIT_TIME) - 1)
    }

    fn enters(self) -> bool {
        self.0 & 1 == 1
    }

    /// The copy of a message's part that is in this place in these bit times.
    fn copy(self, message: u32, (from, to): (u32, u32)) -> Copy {
        let of_place = self.of_place();
        let field = |from: u32, width: u32| (of_place >> from) as u32 & ((1 << width) - 1);
        let place = field(0, PLACE) as u16;
        Stay {
            from,
            to,
            message: PARTS * message + field(PLACE + NODE + ON_WIRE, PART),
            node: field(PLACE, NODE),
            location: match field(PLACE + NODE, ON_WIRE) {
                0 => Location::Module(place),
                _ => Location::Wire(place),
            },
            on_route: false,
        }
    }
}

/// What has changed at some nodes.
#[derive(Debug)]
pub(super) struct Log {
    /// By block, of which of its messages.
    blocks: Vec<Vec<(u32, Change)>>,
}

impl Log {
    /// Of so many messages.
    pub fn new(messages: usize) -> Self {
        Log {
            blocks: vec![Vec::new(); blocks(messages)],
        }
    }

    /// A bit with that number comes into a place from this bit time on, or leaves it. One that has entered and not left may take
    /// its place within the bit time, sooner or later.
    pub fn note(
        &mut self,
        number: u32,
        (node, location): (usize, Location),
        bit_time: u32,
        enters: bool,
    ) {
        let (message, part) = (number / PARTS, number % PARTS);
        let change = Change::new((part, node, location), bit_time, enters);
        self.blocks[message as usize / MESSAGES].push((message, change));
    }
}

/// How many blocks so many messages are.
pub(super) fn blocks(messages: usize) -> usize {
    messages.div_ceil(MESSAGES)
}

/// Shows the copies of each message of a block of which all nodes have logs: in order of parts, of modules before wires, of nodes,
/// of places and of time. A bit is in a place as long as any of that number is there; what has not left stays until the end of
/// all bit times.
pub(super) fn of_block(
    logs: &[Log],
    block: usize,
    bit_times: u32,
    mut show: impl FnMut(u32, &[Copy]),
) {
    let first = (MESSAGES * block) as u32;
    let changes = logs.iter().flat_map(|log| &log.blocks[block]);
    let of_message = |&(message, change): &(u32, Change)| ((message - first) as usize, change);
    let mut changes = ByOwner::of(changes.map(of_message), MESSAGES);
    let mut copies = Vec::new();
    for (message, of_message) in (first..).zip(changes.each_mut()) {
        if of_message.is_empty() {
            continue;
        }
        of_message.sort_unstable();
        copies.clear();
        for of_place in of_message.chunk_by(|one, next| one.of_place() == next.of_place()) {
            append_copies(of_place, message, bit_times, &mut copies);
        }
        show(message, &copies);
    }
}

/// A copy that is there, or was until a bit time ago.
struct Open {
    from: u32,
    /// The last bit time before it left, unless bits of it are there still.
    last: u32,
    /// Bits that are.
    bits: u32,
}

/// The copies of a message's part in a place, of what has changed there.
fn append_copies(of_place: &[Change], message: u32, bit_times: u32, copies: &mut Vec<Copy>) {
    let mut open: Option<Open> = None;
    for change in of_place {
        let bit_time = change.bit_time();
        match &mut open {
            Some(one) if !change.enters() => {
                one.bits -= 1;
                one.last = bit_time - 1;
            }
            Some(one) if one.bits > 0 || one.last + 1 >= bit_time => one.bits += 1,
            _ => {
                let begun = Open {
                    from: bit_time,
                    last: bit_time,
                    bits: 1,
                };
                let over = open.replace(begun);
                copies.extend(over.map(|one| change.copy(message, (one.from, one.last + 1))));
            }
        }
    }
    if let (Some(one), Some(change)) = (open, of_place.first()) {
        let to = if one.bits > 0 {
            bit_times
        } else {
            one.last + 1
        };
        copies.push(change.copy(message, (one.from, to)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whereabouts::route::{FIRST, LAST};

    /// What is there by message, part, node and place, of two logs in which nodes 1 and 2 are.
    #[test]
    fn a_copy_ends_where_nothing_is_left() {
        let (module, wire) = (Location::Module(0), Location::Wire(0));
        // In the block behind the first.
        let far = MESSAGES as u32;
        let mut logs = [Log::new(MESSAGES + 1), Log::new(MESSAGES + 1)];
        for (enters, node, location, (message, part), bit_time) in [
            (true, 2, module, (7, FIRST), 0),
            // Another bit comes as that one goes, and before it is known to have gone.
            (true, 2, module, (7, FIRST), 1),
            (false, 2, module, (7, FIRST), 1),
            (true, 2, module, (8, FIRST), 1),
            (true, 2, module, (7, LAST), 1),
            (false, 2, module, (7, FIRST), 2),
            (false, 2, module, (8, FIRST), 2),
            (true, 2, module, (7, FIRST), 3),
            (true, 1, wire, (7, FIRST), 3),
            (true, 1, module, (7, FIRST), 3),
            (false, 2, module, (7, FIRST), 4),
            (false, 1, wire, (7, FIRST), 4),
            (true, 2, module, (far, FIRST), 9),
            // Here it is known first.
            (false, 2, module, (far, FIRST), 10),
            (true, 2, module, (far, FIRST), 10),
        ] {
            let number = PARTS * message + part;
            logs[node - 1].note(number, (node, location), bit_time, enters);
        }
        let told = |block: usize| {
            let mut told = Vec::new();
            of_block(&logs, block, 12, |message, copies| {
                assert!(copies.iter().all(|copy| copy.message / PARTS == message));
                told.extend(copies.iter().map(|copy| {
                    let part = copy.message % PARTS;
                    (message, part, copy.node, copy.location, copy.from..copy.to)
                }));
            });
            told
        };
        assert_eq!(
            told(0),
            [
                (7, FIRST, 1, module, 3..12),
                (7, FIRST, 2, module, 0..2),
                (7, FIRST, 2, module, 3..4),
                (7, FIRST, 1, wire, 3..4),
                (7, LAST, 2, module, 1..12),
                (8, FIRST, 2, module, 1..2),
            ]
        );
        assert_eq!(told(1), [(far, FIRST, 2, module, 9..12)]);
    }
}
