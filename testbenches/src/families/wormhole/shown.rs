//! What a waveform shows where nothing else is said: the nodes on the route of a worm that is worth a look, or nodes that wait
//! for each other. Whatever is known only after a run is found out by a run before the run, without a waveform: both are
//! the same. A picture, which needs it for its waveforms alone, waits until the run is over.

use std::ops::Range;

use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::error::Error;
use crate::families::wormhole::continuous::continuous;
use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::lanes::{WithLanes, in_lanes, side_by_side};
use crate::families::wormhole::message::{Message, worms};
use crate::families::wormhole::observe::Observer;
use crate::families::wormhole::phases::Phases;
use crate::families::wormhole::run::{Outcome, Ran, Traffic, listed};
use crate::lockstep::whereabouts::no_such_message;

/// The most nodes of a circle that are shown unasked.
const MOST_NODES: usize = 8;

/// What a waveform shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// Nodes, in the order in which they are shown.
    pub nodes: Vec<usize>,
    /// The worm whose head is followed, if any goes where one could see it.
    pub worm: Option<usize>,
}

/// What was said of it.
#[derive(Clone, Debug)]
pub(super) struct Wish<'a> {
    /// The nodes that are traced; none if they are to be chosen.
    pub nodes: Option<&'a [usize]>,
    /// The message to follow, by its name or its number in the order of traffic; none if one is to be chosen.
    pub message: Option<&'a str>,
    /// The bit times that are traced.
    pub window: Range<u64>,
    /// No progress bar.
    pub quiet: bool,
}

/// A worm that could be shown.
struct Candidate {
    worm: usize,
    message: usize,
    nodes: Vec<usize>,
    /// Bit times from its creation to its arrival.
    latency: u64,
}

impl Shown {
    /// Nodes that wait for each other, where worms will deadlock; else the route of the worm that has the longest one. Under
    /// continuous injection it is one of those that are measured, and of the longest routes that of median latency. Where nodes
    /// were named, the worm is one that goes through most of them.
    ///
    /// # Errors
    /// [`Error::Interrupted`], and what the machine is refused for.
    pub fn of(
        machine: &WormholeMachine,
        traffic: &Traffic,
        wish: &Wish<'_>,
    ) -> Result<Self, Error> {
        if let Traffic::Listed(messages) = traffic
            && let Some(shown) = Shown::foreseen(machine, messages, wish)?
        {
            return Ok(shown);
        }
        // In the lanes of the run itself: of several circles, it will find the same one.
        in_lanes(side_by_side(machine), Before(machine, traffic, wish))
    }

    /// The same where no run is needed to know it: by which way an adaptive worm goes is seen only when it has gone, and who waits
    /// for whom when they do.
    ///
    /// # Errors
    /// That there is no message of the name that was asked for.
    pub fn foreseen(
        machine: &WormholeMachine,
        messages: &[Message],
        wish: &Wish<'_>,
    ) -> Result<Option<Self>, Error> {
        let asked = asked(machine, messages, wish)?;
        let may_deadlock = asked.is_none() && machine.dependencies().deadlock().is_some();
        let is_seen_later = machine.plan().switch.is_adaptive() || may_deadlock;
        Ok((!is_seen_later).then(|| as_planned(machine, messages, (wish, asked))))
    }

    /// The same of a run that is over.
    ///
    /// # Errors
    /// That there is no message of the name that was asked for.
    pub fn after(
        engine: &Engine<impl WormLanes>,
        ran: &Ran,
        wish: &Wish<'_>,
    ) -> Result<Self, Error> {
        let machine = engine.fabric.router();
        let asked = asked(machine, &engine.messages, wish)?;
        if let (Outcome::Deadlock(deadlock), None) = (&ran.outcome, asked) {
            let mut nodes = Vec::new();
            for place in &deadlock.cycle {
                if nodes.len() < MOST_NODES && !nodes.contains(&place.node) {
                    nodes.push(place.node);
                }
            }
            let is_traced = |node| wish.nodes.is_none_or(|nodes| nodes.contains(&node));
            let mut seen = deadlock.cycle.iter().filter(|place| is_traced(place.node));
            let worm = seen.find_map(|&place| engine.tracker.worm(place));
            if worm.is_some() || wish.nodes.is_none() && !nodes.is_empty() {
                return Ok(Shown { nodes, worm });
            }
        }
        if let Some(continuous) = &ran.continuous {
            return Ok(arrived(engine, &continuous.phases, (wish, asked)));
        }
        let seen = match machine.plan().switch.is_adaptive() {
            true => {
                let messages = 0..engine.messages.len();
                let messages = messages.filter(|number| asked.is_none_or(|asked| asked == *number));
                let ways = messages.flat_map(|number| under_way(engine, number));
                choose(ways.collect(), wish)
            }
            false => None,
        };
        Ok(seen.unwrap_or_else(|| as_planned(machine, &engine.messages, (wish, asked))))
    }
}

/// Of the routes that messages are to take.
fn as_planned(
    machine: &WormholeMachine,
    messages: &[Message],
    (wish, asked): (&Wish<'_>, Option<usize>),
) -> Shown {
    let mut ways = planned(machine, messages);
    ways.retain(|way| asked.is_none_or(|message| way.message == message));
    choose(ways, wish).unwrap_or(Shown {
        nodes: vec![0],
        worm: None,
    })
}

/// The number of the message that was asked for, if one was.
fn asked(
    machine: &WormholeMachine,
    messages: &[Message],
    wish: &Wish<'_>,
) -> Result<Option<usize>, Error> {
    let named = |text| named(machine, messages, text);
    wish.message.map(named).transpose()
}

/// The number of the message that is called so, or has this number.
fn named(machine: &WormholeMachine, messages: &[Message], text: &str) -> Result<usize, Error> {
    let topology = machine.topology();
    let name = |message: &Message| {
        let [source, destination] =
            [message.source, message.destination].map(|node| topology.node_name(node));
        format!("{source}->{destination}")
    };
    let by_name = messages.iter().position(|message| name(message) == text);
    let by_number = || text.parse().ok().filter(|number| *number < messages.len());
    by_name
        .or_else(by_number)
        .ok_or_else(|| no_such_message(text, messages.len(), messages.first().map(name)))
}

/// The routes of all worms, as they are before a run; their latencies are not known, and all the same.
fn planned(machine: &WormholeMachine, messages: &[Message]) -> Vec<Candidate> {
    let ways = messages.iter().enumerate().flat_map(|(number, message)| {
        let trip = (machine.network()).trip(number, message.source, message.destination);
        worms(machine, number, message).map(move |worm| (number, machine.path(worm.switch, trip)))
    });
    ways.enumerate()
        .map(|(worm, (message, nodes))| Candidate {
            worm,
            message,
            nodes,
            latency: 0,
        })
        .collect()
}

/// Of the worms that go through most of the nodes that were named, those with the longest route; of them the one that took
/// about as long as half of them did. None where no worm comes to a named node, unless its message was asked for.
fn choose(mut candidates: Vec<Candidate>, wish: &Wish<'_>) -> Option<Shown> {
    let rank = |candidate: &Candidate| {
        let named = |node: &&usize| wish.nodes.is_some_and(|nodes| nodes.contains(node));
        let visits = candidate.nodes.iter().filter(named).count();
        (visits, candidate.nodes.len())
    };
    let best = candidates.iter().map(rank).max()?;
    if wish.nodes.is_some() && best.0 == 0 && wish.message.is_none() {
        return None;
    }
    candidates.retain(|candidate| rank(candidate) == best);
    // Stable: of those that took as long the first one.
    candidates.sort_by_key(|candidate| candidate.latency);
    let median = candidates[candidates.len() / 2].latency;
    let chosen = candidates
        .into_iter()
        .find(|candidate| candidate.latency == median)?;
    Some(Shown {
        nodes: chosen.nodes,
        worm: Some(chosen.worm),
    })
}

/// A run without a waveform.
struct Before<'a>(&'a WormholeMachine, &'a Traffic, &'a Wish<'a>);

impl WithLanes for Before<'_> {
    type Output = Result<Shown, Error>;

    fn run<B: WormLanes>(self) -> Result<Shown, Error> {
        let Before(machine, traffic, wish) = self;
        let mut engine = Engine::<B>::new(machine.clone(), 1)?;
        let observer = &mut Observer::blind();
        let ran = match traffic {
            Traffic::Listed(messages) => {
                listed(&mut engine, messages.clone(), wish.quiet, observer)?
            }
            Traffic::Continuous(injection, load, phases) => {
                let injection = (**injection).clone();
                let load = (*load, *phases);
                continuous(&mut engine, injection, load, wish.quiet, observer)?
            }
        };
        Shown::after(&engine, &ran, wish)
    }
}

/// A worm of continuous injection: best one that is created and arrives while messages are measured and traced.
fn arrived(
    engine: &Engine<impl WormLanes>,
    phases: &Phases,
    (wish, asked): (&Wish<'_>, Option<usize>),
) -> Shown {
    let measured = phases.warm_up..phases.warm_up + phases.measurement;
    let is_inside = |window: &Range<u64>, (from, to): (u64, u64)| {
        window.contains(&from) && window.contains(&to)
    };
    let rules: [&dyn Fn(u64, (u64, u64)) -> bool; 4] = [
        &|_, life| is_inside(&measured, life) && is_inside(&wish.window, life),
        &|created, life| measured.contains(&created) && is_inside(&wish.window, life),
        &|_, life| is_inside(&wish.window, life),
        &|_, _| true,
    ];
    let candidates = |rule: &dyn Fn(u64, (u64, u64)) -> bool| -> Vec<Candidate> {
        let worms = engine.worms.iter().zip(&engine.deliveries).enumerate();
        let worms =
            worms.filter(|(_, (sent, _))| asked.is_none_or(|message| sent.message == message));
        let candidates = worms.filter_map(|(worm, (sent, delivery))| {
            let created = engine.messages[sent.message].created;
            let life = (delivery.injected?, delivery.tail_arrived?);
            rule(created, life).then(|| Candidate {
                worm,
                message: sent.message,
                nodes: engine.tracker.path(worm).to_vec(),
                latency: life.1 - created,
            })
        });
        candidates.collect()
    };
    let chosen = (rules.into_iter()).find_map(|rule| choose(candidates(rule), wish));
    let chosen = chosen.or_else(|| choose(under_way(engine, asked?), wish));
    chosen.unwrap_or(Shown {
        nodes: vec![0],
        worm: None,
    })
}

/// The worms of a message: how far each has come, or where one would go that is never sent.
fn under_way(engine: &Engine<impl WormLanes>, message: usize) -> Vec<Candidate> {
    let machine = engine.fabric.router();
    let sent = &engine.messages[message];
    let trip = (machine.network()).trip(message, sent.source, sent.destination);
    let worms = engine.worms_of(message).map(|worm| Candidate {
        worm,
        message,
        nodes: match engine.tracker.path(worm) {
            [] => machine.path(engine.worms[worm].switch, trip),
            come => come.to_vec(),
        },
        latency: 0,
    });
    worms.collect()
}

#[cfg(test)]
mod tests;
