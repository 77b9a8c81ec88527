//! When a deadlock began. A circle of channels that wait for each other stays for ever, so it has closed in the first bit time
//! in which each of them waited for the next. A run looks for circles only now and then; that bit time is found by a second
//! run of the machine and its hosts, which costs nothing where there is no deadlock: the same worms are sent again, and those
//! circles are looked at in every bit time that there are in the end.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::ChannelId;

use crate::error::Error;
use crate::families::wormhole::deadlock::held_up;
use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::hosts::{Hosts, Rerun};
use crate::interrupt;

/// Channels that wait for each other, and all that they wait for.
type HeldUp = Vec<(ChannelId, Vec<ChannelId>)>;

/// Of the circles that there are now, the one that closed first and the bit time in which it did, if that can be found out:
/// else the first circle, without a time. `last` is the first bit time of the standstill, or that of the search.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn first_closed<B: WormLanes>(
    engine: &Engine<B>,
    last: u64,
) -> Result<(Option<u64>, Vec<ChannelId>), Error> {
    let mut circles = engine.wait_for_cycles();
    let of_circles = circles.iter();
    let mut all: Vec<HeldUp> = of_circles
        .map(|circle| held_up(&engine.fabric, circle))
        .collect();
    let closed = closed(engine, &mut all, last)?;
    let (began, number) = closed.map_or((None, 0), |(began, number)| (Some(began), number));
    Ok(match number < circles.len() {
        true => (began, circles.swap_remove(number)),
        false => (None, Vec::new()),
    })
}

/// When the first of them closed, and which it is; none, if there is no memory for a second machine.
fn closed<B: WormLanes>(
    engine: &Engine<B>,
    all: &mut [HeldUp],
    last: u64,
) -> Result<Option<(u64, usize)>, Error> {
    let Ok(mut fabric) = B::machine(engine.fabric.router().clone(), 1) else {
        return Ok(None);
    };
    let mut hosts = Hosts::new(&fabric);
    let mut rerun = Rerun::of(&engine.worms);
    let mut messages = engine.messages.iter().enumerate().peekable();
    let mut left_out = engine.left_out.iter().peekable();
    loop {
        if let Some(idle) = left_out.next_if(|idle| idle.start == fabric.bit_time()) {
            fabric.let_pass(idle.end - idle.start);
        }
        let bit_time = fabric.bit_time();
        for (number, circle) in all.iter_mut().enumerate() {
            if is_closed(&fabric, circle) {
                return Ok(Some((bit_time, number)));
            }
        }
        if bit_time >= last {
            return Ok(None);
        }
        while let Some((number, message)) =
            messages.next_if(|(_, message)| message.created <= bit_time)
        {
            for worm in engine.worms_of(number) {
                hosts.enqueue(message.source, engine.worms[worm].switch, worm);
            }
        }
        B::rerun(&mut fabric, &mut hosts, &mut rerun);
        interrupt::check()?;
    }
}

/// Whether all of these wait as they do in the end. One that does not comes to the front, to be asked first the next time.
fn is_closed<B: WormLanes>(fabric: &Fabric<WormholeMachine, B>, circle: &mut HeldUp) -> bool {
    let mut places = circle.iter();
    let moves = places.position(|(place, ahead)| B::waits_for(fabric, *place) != *ahead);
    if let Some(moves) = moves {
        circle.swap(0, moves);
    }
    moves.is_none()
}
