//! How much of a node's storage holds message bits, after each bit time, where steps overlap.
//!
//! A message bit counts from the source's buffer to the destination's, wherever it stands: in a
//! buffer, or in the register behind a stage on its way. So the bits of all nodes together are the
//! messages times `L` from the first bit time of an iteration on: nothing is lost, nothing doubled.
//! Ranks and circuits are control and do not count.

use crate::language::bit::Bit;
use crate::machine::router::Position;
use crate::parts::dimensions::RowOrder;
use crate::routers::kuszmaul::held::node::HeldNode;
use crate::routers::permutation::{Metered, Size, passed};

impl<B: Bit> Metered<B> for HeldNode<B> {
    fn messages(&self, _after: Option<Position>, count: &mut dyn FnMut(B)) {
        count(self.first_message.valid);
        count(self.has_second());
    }

    fn occupancy(&self, size: Size, after: Position, count: &mut dyn FnMut(B, u32)) {
        let Position {
            iteration,
            bit_time: t,
            ..
        } = after;
        let m = size.free_dimensions(iteration) as u32;
        let length = size.message_bits(iteration) as u32;
        first_message(size, self, (iteration, t), count);
        if m > 0 {
            second_message(size, self, (iteration, t), count);
        }
        way_back(size, self, (iteration, t), count);
        if self.order == RowOrder::Folded && iteration > 0 {
            // The end of step 6 of the iteration before, by that one's count.
            let before = 4 * (m + 1) + 2 * (length + 1) + 2;
            way_back(size, self, (iteration - 1, t + before), count);
        }
    }
}

fn first_message<B: Bit>(
    size: Size,
    node: &HeldNode<B>,
    (iteration, t): (u32, u32),
    count: &mut dyn FnMut(B, u32),
) {
    let m = size.free_dimensions(iteration) as u32;
    let length = size.message_bits(iteration) as u32;
    let message = &node.first_message;
    let (leaving, staying) = (node.exchange.leaving(), node.exchange.staying());
    if m > 0 && t >= 5 * m + length {
        count(message.valid & !message.receiving(), length);
        let arrived = passed(t, 5 * m + length + 1, length);
        return count(message.valid & message.receiving(), arrived);
    }
    // In a folded row, and after the first iteration, the end of what came by step 6 is still
    // coming.
    let mut comes = (B::ZERO, length);
    if node.order == RowOrder::Folded && iteration > 0 {
        let here = (size.payload_bits as u32 + 1 + t).min(length);
        comes = (message.receiving(), here);
    }
    let (still_comes, here) = comes;
    let sent = t.min(length);
    count(staying & !still_comes, length);
    count(staying & still_comes, here);
    count(leaving & !still_comes, length - sent);
    count(leaving & still_comes, here - sent);
    count(message.valid & !staying, sent);
}

/// The second message from step 1 to the beginning of step 6, and on its way in step 3.
fn second_message<B: Bit>(
    size: Size,
    node: &HeldNode<B>,
    (iteration, t): (u32, u32),
    count: &mut dyn FnMut(B, u32),
) {
    let m = size.free_dimensions(iteration) as u32;
    let length = size.message_bits(iteration) as u32;
    let row = node.order.row(iteration as usize + 1..size.dimensions);
    let (first, last) = (row[0], row[row.len() - 1]);

    // What step 1 brought, until step 3 has sent it.
    let brought = t.min(length) - passed(t, 3 * m + 2, length).min(t.min(length));
    if t < 2 * m + 2 {
        count(node.has_second(), brought);
    } else {
        count(node.packing.stage(first).engaged(), brought);
    }
    // On its way.
    for r in 1..m {
        if (3 * m + r + 1..3 * m + r + 1 + length).contains(&t) {
            count(node.packing.stage(row[r as usize]).valid(), 1);
        }
    }
    // What step 3 brought, until step 6 has sent it.
    let arrived = passed(t, 4 * m + 1, length) - passed(t, 4 * m + length + 2, length);
    if t > 4 * m + length {
        count(node.circuits.stage(last).engaged(), arrived);
    } else if t >= 4 * m {
        count(node.has_second(), arrived);
    }
}

/// On its way in step 6.
fn way_back<B: Bit>(
    size: Size,
    node: &HeldNode<B>,
    (iteration, t): (u32, u32),
    count: &mut dyn FnMut(B, u32),
) {
    let m = size.free_dimensions(iteration) as u32;
    let length = size.message_bits(iteration) as u32;
    let begins = 5 * m + length + 2;
    if m < 2 || t + m < begins {
        return;
    }
    let row = node.order.row(iteration as usize + 1..size.dimensions);
    for r in 2..=m {
        if (begins - r..begins - r + length).contains(&t) {
            count(node.circuits.stage(row[r as usize - 2]).engaged(), 1);
        }
    }
}
