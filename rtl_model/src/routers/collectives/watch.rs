//! What looks on at a node's ports: the arbiter, which notes that more of them are busy than may be, and the count of what is held,
//! which is for measurement alone.

use crate::language::bit::Bit;
use crate::routers::collectives::held::Held;
use crate::routers::collectives::lines::{receives, sends, takes};
use crate::routers::collectives::seen::{PerPort, Seen};
use crate::routers::collectives::shape::Shape;
use crate::routers::collectives::strobes::CollectiveStrobes;
use crate::routers::ports::arbiter::violation;

/// Notes that more ports are busy than may be.
pub(super) fn watch<B: Bit>(
    who: (&Shape, &Seen<'_, B>),
    strobes: &CollectiveStrobes<B::Strobe>,
    noted: &mut B,
) {
    let none = || -> PerPort<B> { (0..who.1.ports()).map(|_| B::ZERO).collect() };
    let (mut sending, mut receiving) = (none(), none());
    for (number, channel) in strobes.channels.iter().enumerate() {
        // A port is busy in START too.
        let ports = sends(who, number, channel, &|line| line.sends);
        for (sending, sends) in sending.iter_mut().zip(ports) {
            *sending = *sending | sends;
        }
        let lines = channel.lines.iter().enumerate();
        for (line, strobes) in lines.filter(|(_, line)| !line.receives.is_known_zero()) {
            let busy = B::from_strobe(strobes.receives);
            let ports = takes(who, (number, line), channel);
            for (receiving, takes) in receiving.iter_mut().zip(ports) {
                *receiving = *receiving | busy & takes;
            }
        }
    }
    *noted = *noted | violation(who.0.model, &sending, &receiving);
}

/// Counts what is held: more when packets begin to come, less when they have gone.
pub(super) fn count<B: Bit>(
    who: (&Shape, &Seen<'_, B>),
    strobes: &CollectiveStrobes<B::Strobe>,
    held: &mut Held<B>,
) {
    let channels = || strobes.channels.iter().enumerate();
    for (number, channel) in channels() {
        let mut lines = channel.lines.iter();
        if lines.any(|line| !line.reserves.is_known_zero()) {
            let begin = receives(who, number, channel, &|line| line.reserves);
            held.add(&begin, &channel.amount);
        }
    }
    held.note();
    for (number, channel) in channels() {
        let mut lines = channel.lines.iter();
        if lines.any(|line| !line.releases.is_known_zero()) {
            let gone = sends(who, number, channel, &|line| line.releases);
            held.take(&gone, &channel.amount);
        }
    }
}
