//! A program laid out for the sequencer: which transfer is under way on which channel in each bit time.
//!
//! ```text
//!   transfers   |--A--|--B--|          channel 0   A B D
//!                  |----C----|         channel 1     C
//!                          |--D--|
//! ```
//!
//! A transfer takes the first channel that is free and whose transfers find lines in the same order, so that the order is a matter
//! of wiring.

use crate::routers::collectives::program::{LineOrder, Transfer, TransferProgram};

/// What stands on a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// How lines lead to ports: of senders, of receivers.
    pub orders: [LineOrder; 2],
    /// Transfers by number, one after the other.
    pub transfers: Vec<usize>,
}

/// A program laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    program: TransferProgram,
    channels: Vec<Channel>,
    lines: usize,
    amount_bits: usize,
}

impl Score {
    /// Of a program, whose transfers are in the order of their beginnings.
    pub fn new(program: TransferProgram) -> Self {
        let mut channels: Vec<Channel> = Vec::new();
        let mut free_from: Vec<usize> = Vec::new();
        for (number, transfer) in program.transfers.iter().enumerate() {
            let orders = [transfer.sends.order, transfer.receives.order];
            let mut all = channels.iter().zip(&free_from);
            let fits =
                all.position(|(channel, free)| channel.orders == orders && *free <= transfer.begin);
            let at = fits.unwrap_or_else(|| {
                channels.push(Channel {
                    orders,
                    transfers: Vec::new(),
                });
                free_from.push(0);
                channels.len() - 1
            });
            channels[at].transfers.push(number);
            free_from[at] = transfer.end();
        }
        let sides = program
            .transfers
            .iter()
            .flat_map(|one| [&one.sends, &one.receives]);
        let lines = sides.flat_map(|side| &side.lines).map(|line| line.line + 1);
        let longest = program.transfers.iter().map(|one| one.bits).max();
        Score {
            lines: lines.max().unwrap_or(0),
            amount_bits: bits_below(longest.unwrap_or(0) + 1),
            channels,
            program,
        }
    }

    /// The program.
    pub fn program(&self) -> &TransferProgram {
        &self.program
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Lines of a channel.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The transfer that is under way on a channel in a bit time, START included.
    pub fn under_way(&self, channel: usize, bit_time: usize) -> Option<&Transfer> {
        let numbers = &self.channels[channel].transfers;
        let transfers = &self.program.transfers;
        let begun = numbers.partition_point(|&number| transfers[number].begin <= bit_time);
        let transfer = &transfers[numbers[begun.checked_sub(1)?]];
        (bit_time < transfer.end()).then_some(transfer)
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> usize {
        bits_below(self.program.memory_bits)
    }

    /// Bits of the largest number of bits that a node may be counted to hold.
    pub fn held_bits(&self) -> usize {
        let receives = self
            .program
            .transfers
            .iter()
            .filter(|one| one.receives.lines.iter().any(|line| line.counted));
        let most: usize = receives
            .map(|one| one.bits * one.receives.lines.len())
            .sum();
        bits_below(most.min(2 * self.program.memory_bits * self.lines.max(1)) + 1)
    }

    /// Bits of the longest packet's length.
    pub fn amount_bits(&self) -> usize {
        self.amount_bits
    }
}

/// Bits of the numbers below a bound.
fn bits_below(bound: usize) -> usize {
    (usize::BITS - bound.saturating_sub(1).leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_have_as_many_bits_as_the_largest() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 8, 9].map(bits_below),
            [0, 0, 1, 2, 2, 3, 3, 4]
        );
    }
}
