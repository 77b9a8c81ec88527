//! What the sequencer broadcasts: for each channel, the transfer that is under way on it.
//!
//! Transfers that overlap in time stand on different channels, so that a channel has one at a time.

use crate::language::bit::Strobe;
use crate::language::lines::Lines;
use crate::language::strobes::{Label, LineVisitor, Strobes};
use crate::machine::router::{Blocks, Heard};
use crate::strobes;

strobes! {
    /// Which nodes are meant.
    #[derive(Clone, Debug)]
    pub struct WhoStrobes<S> {
        /// Seen from a port, bits that matter.
        pub care: Lines<S>,
        /// What they have to be.
        pub pattern: Lines<S>,
        /// The number of ones in the low part has to be one of those whose line is 1.
        pub low: Lines<S>,
        /// It does not matter.
        pub any_low: S,
        /// The same of the other part.
        pub high: Lines<S>,
        /// It does not matter.
        pub any_high: S,
    }
}

strobes! {
    /// A line of a channel.
    #[derive(Clone, Debug)]
    pub struct LineStrobes<S> {
        /// It is sent.
        pub sends: S,
        /// The address of the bit that is sent.
        pub read: Lines<S>,
        /// It is received.
        pub receives: S,
        /// The address at which it is written.
        pub write: Lines<S>,
        /// What begins to come will be sent on.
        pub reserves: S,
        /// What has been sent on has gone.
        pub releases: S,
    }
}

/// A channel.
#[derive(Clone, Debug)]
pub struct ChannelStrobes<S: Strobe> {
    /// Bits of the transfer cross in this bit time.
    pub shift: S,
    /// Nodes that send.
    pub senders: WhoStrobes<S>,
    /// Nodes that receive.
    pub receivers: WhoStrobes<S>,
    /// What comes is added.
    pub add: S,
    /// It is the first bit of a word that is added.
    pub first: S,
    /// Bits of the packet, for whoever counts what is held.
    pub amount: Lines<S>,
    /// By line.
    pub lines: Vec<LineStrobes<S>>,
}

/// All that is broadcast.
#[derive(Clone, Debug)]
pub struct CollectiveStrobes<S: Strobe> {
    /// By channel.
    pub channels: Vec<ChannelStrobes<S>>,
    /// Blocks are put in another order.
    pub reorder: S,
    /// The address of the node whose relative address is 0.
    pub source: Lines<S>,
}

impl<S: Strobe> ChannelStrobes<S> {
    /// Nothing under way, on so many lines.
    pub(super) fn new(lines: usize) -> Self {
        ChannelStrobes {
            shift: S::ZERO,
            senders: WhoStrobes::idle(),
            receivers: WhoStrobes::idle(),
            add: S::ZERO,
            first: S::ZERO,
            amount: Lines::idle(),
            lines: (0..lines).map(|_| LineStrobes::idle()).collect(),
        }
    }

    /// Nothing crosses, and nothing begins to come; where ports are watched, none is in START either.
    pub(super) fn is_idle(&self, is_watched: bool) -> bool {
        let is_idle = |line: &LineStrobes<S>| {
            let starts =
                is_watched && !(line.sends.is_known_zero() && line.receives.is_known_zero());
            line.reserves.is_known_zero() && !starts
        };
        self.shift.is_known_zero() && self.lines.iter().all(is_idle)
    }

    fn visit_mut(&mut self, label: Label<'_>, visitor: &mut LineVisitor<'_, S>) {
        let mut part =
            |field: &str, note, strobes: &mut dyn FnMut(Label<'_>, &mut LineVisitor<'_, S>)| {
                let name = label.inside(field);
                strobes(Label { name: &name, note }, visitor);
            };
        part("shift", "Bits cross.", &mut |label, visitor| {
            self.shift.visit_mut(label, visitor)
        });
        part("senders", "Nodes that send.", &mut |label, visitor| {
            self.senders.visit_mut(label, visitor)
        });
        part("receivers", "Nodes that receive.", &mut |label, visitor| {
            self.receivers.visit_mut(label, visitor)
        });
        part("add", "What comes is added.", &mut |label, visitor| {
            self.add.visit_mut(label, visitor)
        });
        part(
            "first",
            "The first bit of a word.",
            &mut |label, visitor| self.first.visit_mut(label, visitor),
        );
        part("amount", "Bits of the packet.", &mut |label, visitor| {
            self.amount.visit_mut(label, visitor)
        });
        for (number, line) in self.lines.iter_mut().enumerate() {
            let name = format!("line_{number}");
            part(&name, "A line.", &mut |label, visitor| {
                line.visit_mut(label, visitor)
            });
        }
    }
}

/// Bits as a number, the first the lowest.
fn number<const BITS: usize>(bits: [bool; BITS]) -> u64 {
    let bits = bits.into_iter().rev();
    bits.fold(0, |number, bit| 2 * number + u64::from(bit))
}

impl CollectiveStrobes<bool> {
    /// Notes what nodes hear; if it is that such blocks change places, they hear that no more.
    pub(super) fn hear(&mut self, blocks: Option<Blocks>, heard: &mut Heard) {
        heard.words.push(self.source.number());
        self.channels.iter().for_each(|channel| channel.hear(heard));
        if std::mem::take(&mut self.reorder) {
            heard.blocks = blocks;
        }
    }
}

impl ChannelStrobes<bool> {
    fn hear(&self, heard: &mut Heard) {
        for who in [&self.senders, &self.receivers] {
            let bundles = [&who.care, &who.pattern, &who.low, &who.high];
            heard.words.extend(bundles.map(Lines::number));
            heard.words.push(number([who.any_low, who.any_high]));
        }
        heard.words.push(self.amount.number());
        heard.words.push(number([self.shift, self.add, self.first]));
        for line in &self.lines {
            let flags = [line.sends, line.receives, line.reserves, line.releases];
            heard.words.push(number(flags));
            let crosses = [(line.sends, &line.read), (line.receives, &line.write)];
            let addresses = crosses.into_iter().filter(|(one, _)| self.shift && *one);
            heard
                .addresses
                .extend(addresses.map(|(_, address)| address.number() as usize));
        }
    }
}

impl<S: Strobe> Strobes<S> for CollectiveStrobes<S> {
    fn idle() -> Self {
        CollectiveStrobes {
            channels: Vec::new(),
            reorder: S::ZERO,
            source: Lines::idle(),
        }
    }

    fn visit_mut(&mut self, label: Label<'_>, visitor: &mut LineVisitor<'_, S>) {
        for (number, channel) in self.channels.iter_mut().enumerate() {
            let name = label.inside(&format!("channel_{number}"));
            let label = Label {
                name: &name,
                note: label.note,
            };
            channel.visit_mut(label, visitor);
        }
        let inside = |field: &str| label.inside(field);
        let note = "Blocks are put in another order.";
        self.reorder.visit_mut(
            Label {
                name: &inside("reorder"),
                note,
            },
            visitor,
        );
        let note = "The address of the node whose relative address is 0.";
        self.source.visit_mut(
            Label {
                name: &inside("source"),
                note,
            },
            visitor,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes that hear something else are not taken for alike.
    #[test]
    fn every_line_is_heard() {
        let mut strobes = CollectiveStrobes::<bool>::idle();
        strobes.channels = vec![ChannelStrobes::new(2), ChannelStrobes::new(2)];
        let all = |lines: &mut Lines<bool>| lines.drive(true, 0..3, |_| true);
        all(&mut strobes.source);
        for channel in &mut strobes.channels {
            channel.shift = true;
            for who in [&mut channel.senders, &mut channel.receivers] {
                for lines in [&mut who.care, &mut who.pattern, &mut who.low, &mut who.high] {
                    all(lines);
                }
            }
            all(&mut channel.amount);
            for line in &mut channel.lines {
                (line.sends, line.receives) = (true, true);
                all(&mut line.read);
                all(&mut line.write);
            }
        }
        let heard = |strobes: &CollectiveStrobes<bool>| {
            let mut heard = Heard::default();
            let blocks = Blocks {
                from: 1,
                to: 2,
                bits: 3,
                count: 4,
            };
            strobes.clone().hear(Some(blocks), &mut heard);
            heard
        };
        let due = heard(&strobes);
        let mut lines = 0;
        strobes.visit_mut(Label::BROADCAST, &mut |_, _, _| lines += 1);
        assert_eq!(
            lines,
            3 + 2 * (3 + 2 * (4 * 3 + 2) + 3 + 2 * (4 + 2 * 3)) + 1
        );
        for number in 0..lines {
            let mut other = strobes.clone();
            let mut left = number;
            let mut what = String::new();
            other.visit_mut(Label::BROADCAST, &mut |label, _, line| {
                if left == 0 {
                    *line = !*line;
                    what = label.name.to_owned();
                }
                left = usize::wrapping_sub(left, 1);
            });
            assert_ne!(heard(&other), due, "{what}");
        }
        assert_eq!(due.addresses, [7; 8]);
    }
}
