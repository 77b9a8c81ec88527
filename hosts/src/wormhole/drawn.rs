//! A run of worms as a picture shows it: where each message lies, which nodes it holds wires between, and who waits for whom
//! at the end.
//!
//! A message is at a node while an input channel there is given to a worm of it, and on a wire from when the channel at the far
//! end is given to the worm until its tail has left the one before; of a worm whose tail never does, in the bit time in which its
//! head gets there. That is the tracker's knowledge, as in waves.

use rtl_model::machine::topology::Topology;
use waves::picture::run::{Circle, Crossing, Route, Run, Stay, Stuck, Way};
use waves::picture::{Recorder, wave_nodes};

use crate::wormhole::engine::{Deadlock, Engine};
use crate::wormhole::lanes::WormLanes;
use crate::wormhole::wave::{Observed, works, worm_name};

/// Looks on while worms move.
pub struct Drawing {
    recorder: Recorder,
    /// By input channel, the worm that has it, and since when.
    held: Vec<Option<(u32, u32)>>,
    /// By worm, in order of their end: stays in channels that it has left.
    over: Vec<Vec<Stay>>,
    /// The worm that is followed.
    shown: Option<usize>,
}

impl Drawing {
    /// Of an engine about to run, with waveforms of all nodes if it is small and its run is short; else of those that are worth it.
    pub fn new(
        title: String,
        engine: &Engine<impl WormLanes>,
        shown: Option<usize>,
        (worth, bit_times): (&[usize], u64),
    ) -> Self {
        let observed = Observed(engine);
        let nodes = wave_nodes(&observed, bit_times, worth);
        Drawing {
            recorder: Recorder::new(title, &observed).keeping(&observed, &nodes),
            held: vec![None; engine.tracker.worms().len()],
            over: Vec::new(),
            shown,
        }
    }

    /// In every bit time, between its two halves.
    pub fn look<B: WormLanes>(&mut self, engine: &Engine<B>) {
        self.recorder.look(&Observed(engine));
        self.recorder.sample(&Observed(engine));
        let now = u32::try_from(engine.fabric.bit_time()).unwrap_or(u32::MAX);
        let in_channels = engine.tracker.worms().iter();
        for (channel, (worm, held)) in in_channels.zip(&mut self.held).enumerate() {
            if *worm == held.map(|(worm, _)| worm) {
                continue;
            }
            if let Some(over) = held.take() {
                note(&mut self.over, engine, channel, over, now);
            }
            *held = worm.map(|worm| (worm, now));
        }
    }

    /// The run, with the routes of its messages.
    pub fn finish<B: WormLanes>(self, engine: &Engine<B>, deadlock: Option<&Deadlock>) -> Run {
        let mut run = self.recorder.finish();
        let mut by_worm = self.over;
        for (channel, held) in self.held.iter().enumerate() {
            if let Some(held) = held {
                note(&mut by_worm, engine, channel, *held, run.bit_times);
            }
        }
        by_worm.resize(engine.worms.len(), Vec::new());
        run.messages = (0..engine.messages.len())
            .map(|message| route(engine, message, &mut by_worm, run.bit_times))
            .collect();
        run.about = works(engine.fabric.topology().network()).to_owned();
        run.shown = self.shown.map(|worm| engine.worms[worm].message);
        run.deadlock = deadlock.map(|deadlock| circle(engine, deadlock, run.bit_times));
        run
    }
}

/// Notes a worm's stay in a channel, which has begun some time ago, and is over.
fn note<B: WormLanes>(
    by_worm: &mut Vec<Vec<Stay>>,
    engine: &Engine<B>,
    channel: usize,
    (worm, from): (u32, u32),
    to: u32,
) {
    let plan = engine.fabric.router().plan();
    let of_node = plan.switches() * plan.switch.inputs.len();
    let worm = worm as usize;
    if by_worm.len() <= worm {
        by_worm.resize(worm + 1, Vec::new());
    }
    by_worm[worm].push(Stay {
        node: (channel / of_node) as u32,
        from,
        to,
    });
}

/// The route of a message, whose worms go by themselves.
fn route<B: WormLanes>(
    engine: &Engine<B>,
    message: usize,
    by_worm: &mut [Vec<Stay>],
    bit_times: u32,
) -> Route {
    let topology = engine.fabric.topology();
    let sent = &engine.messages[message];
    let [source, destination] =
        [sent.source, sent.destination].map(|node| topology.node_name(node));
    let mut route = Route {
        name: format!("{source}->{destination}"),
        source: sent.source as u32,
        destination: sent.destination as u32,
        ..Route::default()
    };
    let has_pieces = topology.network().has_pieces();
    for worm in engine.worms_of(message) {
        let mut stays = std::mem::take(&mut by_worm[worm]);
        // It comes into the channels of its path one after the other, never into two at once.
        stays.sort_unstable_by_key(|stay| (stay.from, stay.to));
        for pair in stays.windows(2) {
            let [before, there] = [pair[0], pair[1]];
            let is_over = before.to > there.from && before.to < bit_times;
            route.crossings.push(Crossing {
                sender: before.node,
                receiver: there.node,
                from: there.from,
                to: if is_over { before.to } else { there.from + 1 },
            });
        }
        if has_pieces {
            let mut nodes: Vec<u32> = stays.iter().map(|stay| stay.node).collect();
            nodes.dedup();
            let (piece, bits) = (engine.worms[worm].switch, engine.worms[worm].body().len());
            let part = format!("/{piece}, {bits} bits");
            route.ways.push(Way { part, nodes });
        }
        route.stays.extend(at_nodes(stays));
    }
    if route.ways.len() == 1 {
        route.ways.clear();
    }
    if let Some(worm) = engine.worms_of(message).next() {
        let nodes = engine.tracker.way(worm).iter();
        let nodes: Vec<u32> = nodes.map(|node| *node as u32).collect();
        let part = "over relays".to_owned();
        route
            .ways
            .extend((nodes.len() > 1).then_some(Way { part, nodes }));
    }
    route
        .stays
        .sort_unstable_by_key(|stay| (stay.from, stay.node));
    route
        .crossings
        .sort_unstable_by_key(|crossing| (crossing.from, crossing.sender));
    route
}

/// Of stays in channels, in order of their beginning, those at nodes: in which channels of it a worm is does not matter.
fn at_nodes(in_channels: Vec<Stay>) -> Vec<Stay> {
    let mut at_nodes: Vec<Stay> = Vec::new();
    for stay in in_channels {
        let mut earlier = at_nodes.iter_mut().filter(|one| one.node == stay.node);
        match earlier.find(|one| one.to >= stay.from) {
            Some(goes_on) => goes_on.to = goes_on.to.max(stay.to),
            None => at_nodes.push(stay),
        }
    }
    at_nodes
}

/// Each channel of the circle waits for the next: so do worms, each in the last of those channels that it holds.
pub fn circle<B: WormLanes>(engine: &Engine<B>, deadlock: &Deadlock, bit_times: u32) -> Circle {
    let since = deadlock.began.unwrap_or(deadlock.bit_time);
    let held = deadlock.cycle.iter();
    let held = held.filter_map(|place| Some((engine.tracker.worm(*place)?, place.node)));
    let held: Vec<(usize, usize)> = held.collect();
    let stuck = |&(worm, node): &(usize, usize)| Stuck {
        name: worm_name(engine, worm, node),
        node: node as u32,
    };
    let next = held.iter().cycle().skip(1);
    let waits = held.iter().zip(next).filter(|(one, next)| one.0 != next.0);
    let mut messages: Vec<Stuck> = waits.map(|(one, _)| stuck(one)).collect();
    if messages.is_empty() {
        // One worm holds all of them, and waits for its own tail.
        let worm = held.first().map(|(worm, _)| *worm);
        let head = worm.and_then(|worm| Some((worm, engine.tracker.head(worm)?.0.node)));
        messages.extend(head.as_ref().map(stuck));
    }
    Circle {
        since: u32::try_from(since)
            .unwrap_or(u32::MAX)
            .min(bit_times.saturating_sub(1)),
        nodes: held.iter().map(|(_, node)| *node as u32).collect(),
        messages,
    }
}
