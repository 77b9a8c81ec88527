//! Which ports of a node are which lines of a channel, and are busy: the closed rules of [`Seen`] on what is broadcast.
//!
//! ```text
//!   channel: lines, who ---+
//!   seen: order, bits -----+--> port p sends line l       port p receives line l --> l: takes it, its bit
//! ```

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::routers::collectives::program::LineOrder;
use crate::routers::collectives::seen::{MOST_DIMENSIONS, PerPort, Seen};
use crate::routers::collectives::shape::Shape;
use crate::routers::collectives::strobes::{ChannelStrobes, LineStrobes, WhoStrobes};

/// For each port, whether the node sends across it a line of the channel that is `busy`.
pub(super) fn sends<B: Bit>(
    who: (&Shape, &Seen<'_, B>),
    number: usize,
    channel: &ChannelStrobes<B::Strobe>,
    busy: &dyn Fn(&LineStrobes<B::Strobe>) -> B::Strobe,
) -> PerPort<B> {
    let [order, _] = who.0.orders[number];
    of_busy(who.1, (order, true), channel, busy, &channel.senders)
}

/// For each port, whether the node receives across it a line of the channel that is `busy`.
pub(super) fn receives<B: Bit>(
    who: (&Shape, &Seen<'_, B>),
    number: usize,
    channel: &ChannelStrobes<B::Strobe>,
    busy: &dyn Fn(&LineStrobes<B::Strobe>) -> B::Strobe,
) -> PerPort<B> {
    let [_, order] = who.0.orders[number];
    of_busy(who.1, (order, false), channel, busy, &channel.receivers)
}

fn of_busy<B: Bit>(
    seen: &Seen<'_, B>,
    order: (LineOrder, bool),
    channel: &ChannelStrobes<B::Strobe>,
    busy: &dyn Fn(&LineStrobes<B::Strobe>) -> B::Strobe,
    meant: &WhoStrobes<B::Strobe>,
) -> PerPort<B> {
    let busy: PerPort<B> = (channel.lines.iter())
        .map(|line| B::from_strobe(busy(line)))
        .collect();
    of_lines(seen, order, &busy, meant)
}

/// For each port, whether it is a line of the channel and the node takes what comes across it.
pub(super) fn takes<B: Bit>(
    (shape, seen): (&Shape, &Seen<'_, B>),
    (number, line): (usize, usize),
    channel: &ChannelStrobes<B::Strobe>,
) -> PerPort<B> {
    let [_, order] = shape.orders[number];
    let mut is_line = [B::ZERO; MOST_DIMENSIONS];
    is_line[line] = B::ONE;
    of_lines(seen, (order, false), &is_line, &channel.receivers)
}

/// For each port, whether it is a line that is 1 and the node is meant.
fn of_lines<B: Bit>(
    seen: &Seen<'_, B>,
    order: (LineOrder, bool),
    lines: &[B],
    meant: &WhoStrobes<B::Strobe>,
) -> PerPort<B> {
    let ports = seen.of_ports(order, lines).into_iter().enumerate();
    let meets = |(port, is_line): (usize, B)| match is_line.is_known_zero() {
        true => B::ZERO,
        false => is_line & seen.meets(meant, port),
    };
    ports.map(meets).collect()
}

/// What the lines of a channel receive: whether the node takes it, and the bit.
pub(super) type Coming<B> = ArrayVec<(usize, B, B), MOST_DIMENSIONS>;

pub(super) fn comes<B: Bit>(
    who: (&Shape, &Seen<'_, B>),
    (number, channel): (usize, &ChannelStrobes<B::Strobe>),
    received: &[B],
) -> Coming<B> {
    let lines = channel.lines.iter().enumerate();
    let lines = lines.filter(|(_, line)| !line.receives.is_known_zero());
    let come = lines.map(|(line, _)| {
        let ports = takes(who, (number, line), channel);
        let bit = any(ports.iter().zip(received).map(|(&takes, &bit)| takes & bit));
        (
            line,
            any(ports),
            bit.named(format_args!("channel_{number}_line_{line}_comes")),
        )
    });
    come.collect()
}
