//! What is sent when: groups of packets as waves, from the source outwards.

use std::cmp::Ordering;

use crate::routers::collectives::program::{Condition, Line, LineOrder, Segment, Transfer, side};

/// The sizes of a run.
pub(super) struct Sizes {
    /// Dimensions.
    pub(super) d: usize,
    /// The distance.
    pub(super) n: usize,
    /// Groups.
    pub(super) groups: usize,
    /// Bits of a packet.
    pub(super) packet: usize,
    /// Bit times of START.
    pub(super) start_up: usize,
}

impl Sizes {
    /// Stages.
    pub(super) fn stages(&self) -> usize {
        match self.n + 2 <= self.d {
            true => self.n + self.groups + 1,
            false => self.d + self.groups - 1,
        }
    }

    /// Bit times.
    pub(super) fn bit_times(&self) -> usize {
        self.stages() * (self.start_up + self.packet)
    }

    /// Where the packets of the second wave lie.
    pub(super) fn spare(&self) -> usize {
        self.d * self.groups * self.packet
    }

    /// Whether a second wave brings the destination what it has missed.
    pub(super) fn has_second_wave(&self) -> bool {
        self.n + 1 == self.d
    }

    /// Whether nodes at a distance send a wave (the second wave is number `g`) in this run.
    fn sends(&self, wave: usize, distance: usize) -> bool {
        let farthest = match wave.cmp(&self.groups) {
            // The only other node is the destination.
            _ if self.d == 1 => 0,
            Ordering::Less if wave + 1 < self.groups => self.d,
            Ordering::Less => self.d - 1,
            Ordering::Equal if self.has_second_wave() => self.d - 2,
            _ => return false,
        };
        distance <= farthest && wave + distance < self.stages()
    }

    /// Adds what nodes at a distance send of a wave.
    fn wave(&self, transfers: &mut Vec<Transfer>, wave: usize, distance: usize) {
        let d = self.d;
        let is_second = wave == self.groups;
        let group = wave.min(self.groups - 1);
        let lines = |is_end: bool, counted: bool| {
            (0..d).map(move |line| Line {
                line,
                address: match (is_second, is_end) {
                    (false, _) => (group * d + line) * self.packet,
                    (true, true) => (group * d + (line + 1) % d) * self.packet,
                    (true, false) => self.spare() + (line + 1) % d * self.packet,
                },
                counted,
            })
        };
        // Bits of the sender seen from the port: the port's, and of what is sent away from the source the bit above it.
        let mut add = |ones: (u32, u32), (gives, takes): (bool, bool)| {
            let (care, pattern) = ones;
            let farther = pattern & 1 == 0;
            let who = |pattern, low| Condition {
                care,
                pattern,
                low: Some(low),
                high: None,
            };
            let receiver = match farther {
                true => distance + 1,
                false => distance - 1,
            };
            transfers.push(Transfer {
                begin: (wave + distance) * (self.start_up + self.packet),
                start_up: self.start_up,
                bits: self.packet,
                sends: side(
                    who(pattern, distance),
                    LineOrder::NextOne,
                    lines(distance == 0, gives),
                ),
                receives: side(
                    who(pattern ^ 1, receiver),
                    LineOrder::NextOne,
                    lines(false, takes),
                ),
                adds: None,
            });
        };
        let goes_on = self.sends(wave, distance + 1);
        match distance {
            _ if distance == d => add((1, 1), (true, false)),
            0 => add((1, 0), (false, goes_on)),
            // The one packet goes out on several ports; it is given up once, by the port below the node's 1.
            1 => {
                add((3, 2), (true, goes_on));
                if d > 2 {
                    add((3, 0), (false, goes_on));
                }
            }
            _ => {
                add((1, 1), (true, false));
                add((1, 0), (false, goes_on));
            }
        }
    }

    /// All that crosses.
    pub(super) fn transfers(&self) -> Vec<Transfer> {
        let mut transfers = Vec::new();
        for stage in 0..self.stages() {
            for wave in stage.saturating_sub(self.d)..=stage {
                if self.sends(wave, stage - wave) {
                    self.wave(&mut transfers, wave, stage - wave);
                }
            }
        }
        transfers
    }

    /// Where the destination finds its packets.
    pub(super) fn arrivals(&self, to: usize, message_bits: usize) -> Vec<Segment> {
        let packets = (0..self.d * self.groups).map(|number| {
            let (group, packet) = (number / self.d, number % self.d);
            let missed =
                group + 1 == self.groups && self.has_second_wave() && to >> packet & 1 == 0;
            let address = match missed {
                true => self.spare() + packet * self.packet,
                false => number * self.packet,
            };
            (number * self.packet, address)
        });
        let mut segments: Vec<Segment> = Vec::new();
        for (bit, address) in packets.filter(|(bit, _)| *bit < message_bits) {
            let bits = self.packet.min(message_bits - bit);
            match segments.last_mut() {
                Some(last) if last.address + last.bits == address => last.bits += bits,
                _ => segments.push(Segment {
                    at: Some(to),
                    partner: to,
                    bit,
                    bits,
                    address,
                }),
            }
        }
        segments
    }
}
