//! A run of worms as a picture shows it: where each message lies, which nodes it holds wires between, and who waits for whom
//! at the end.
//!
//! A message is at a node while an input channel there is given to a worm of it, and on a wire from when the channel at the far
//! end is given to the worm until its tail has left the one before; of a worm whose tail never does, in the bit time in which its
//! head gets there. That is the tracker's knowledge, as in waves.

use std::ops::Range;

use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::butterflies::vertices::Line;
use waves::picture::run::{Circle, Crossing, Route, Run, Stay, Stuck, Way};
use waves::picture::{Recorder, Room, wave_nodes};

use crate::wormhole::engine::{Deadlock, Engine};
use crate::wormhole::machine_lanes::MachineLanes;
use crate::wormhole::wave::{Observed, works, worm_name};

/// Looks on while worms move.
pub struct Drawing {
    recorder: Recorder,
    /// By input channel, the worm that has it, and since when.
    held: Vec<Option<(u32, u32)>>,
    /// Stays in channels that worms have left, each with its worm.
    over: Vec<(u32, Stay)>,
    /// The worm that is followed.
    shown: Option<usize>,
}

impl Drawing {
    /// Of an engine about to run.
    pub fn new(engine: &Engine<impl MachineLanes>) -> Self {
        let observed = Observed(engine);
        Drawing {
            recorder: Recorder::new(observed.title(), &observed),
            held: vec![None; engine.tracker.worms().len()],
            over: Vec::new(),
            shown: None,
        }
    }

    /// Keeps waveforms as well, from now on, of all nodes if the machine is small and its run short; else of those that are `worth` it.
    /// An engine that goes through the same run may come with them: `shown` is the worm that it follows, if there is one.
    pub fn keep_waves(
        &mut self,
        engine: &Engine<impl MachineLanes>,
        shown: Option<usize>,
        (worth, bit_times): (&[usize], u64),
    ) {
        let observed = Observed(engine);
        let nodes = wave_nodes(&observed, bit_times, worth);
        self.recorder.keep(&observed, &nodes);
        self.shown = shown;
    }

    /// What looks on.
    pub fn recorder(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// In every bit time, between its two halves.
    pub fn look<B: MachineLanes>(&mut self, engine: &Engine<B>) {
        self.recorder.look(&Observed(engine));
        self.recorder.sample(&Observed(engine));
        let now = u32::try_from(engine.fabric.bit_time()).unwrap_or(u32::MAX);
        for &channel in engine.tracker.changed() {
            let worm = engine.tracker.worms()[channel];
            let held = &mut self.held[channel];
            if worm == held.map(|(worm, _)| worm) {
                continue;
            }
            if let Some((worm, from)) = held.take() {
                self.over.push((worm, stay(engine, channel, from..now)));
            }
            *held = worm.map(|worm| (worm, now));
        }
    }

    /// The run, with the routes of its messages: of those for which a picture has room.
    pub fn finish<B: MachineLanes>(self, engine: &Engine<B>, deadlock: Option<&Deadlock>) -> Run {
        let mut run = self.recorder.finish();
        let mut stays = self.over;
        for (channel, held) in self.held.iter().enumerate() {
            if let Some((worm, from)) = *held {
                stays.push((worm, stay(engine, channel, from..run.bit_times)));
            }
        }
        // A worm comes into the channels of its path one after the other, never into two at once.
        stays.sort_unstable_by_key(|(worm, stay)| (*worm, stay.from, stay.to));
        let shown = self.shown.map(|worm| engine.worms[worm].message);
        let mut room = Room::of_nodes(run.nodes.len());
        for message in 0..engine.messages.len() {
            let route = match shown == Some(message) || room.is_left() {
                true => route(engine, message, &stays, run.bit_times),
                false => named(engine, message),
            };
            room.take(&route);
            run.messages.push(route);
        }
        run.about = works(engine.fabric.topology().network()).to_owned();
        run.shown = shown;
        run.deadlock = deadlock.map(|deadlock| circle(engine, deadlock, run.bit_times));
        run
    }
}

/// A worm's stay in a channel, by its place among all.
fn stay<B: MachineLanes>(engine: &Engine<B>, channel: usize, bit_times: Range<u32>) -> Stay {
    let plan = engine.fabric.router().plan();
    let of_node = plan.switches() * plan.switch.inputs.len();
    Stay {
        node: (channel / of_node) as u32,
        from: bit_times.start,
        to: bit_times.end,
    }
}

/// A message without its route.
fn named<B: MachineLanes>(engine: &Engine<B>, message: usize) -> Route {
    let topology = engine.fabric.topology();
    let sent = &engine.messages[message];
    let [source, destination] =
        [sent.source, sent.destination].map(|node| topology.node_name(node));
    Route {
        name: format!("{source}->{destination}"),
        source: sent.source as u32,
        destination: sent.destination as u32,
        ..Route::default()
    }
}

/// The route of a message, whose worms go by themselves: of the stays of all worms, in order of the worms and of their beginning.
fn route<B: MachineLanes>(
    engine: &Engine<B>,
    message: usize,
    of_all: &[(u32, Stay)],
    bit_times: u32,
) -> Route {
    let mut route = named(engine, message);
    let has_pieces = engine.fabric.topology().network().has_pieces();
    for worm in engine.worms_of(message) {
        let begins = of_all.partition_point(|(other, _)| (*other as usize) < worm);
        let its = of_all[begins..].iter();
        let its = its.take_while(|(other, _)| *other as usize == worm);
        let stays: Vec<Stay> = its.map(|(_, stay)| *stay).collect();
        let crossings = stays.windows(2).map(|pair| {
            let [before, there] = [pair[0], pair[1]];
            let is_over = before.to > there.from && before.to < bit_times;
            Crossing {
                sender: before.node,
                receiver: there.node,
                from: there.from,
                to: if is_over { before.to } else { there.from + 1 },
            }
        });
        let crossings: Vec<Crossing> = crossings.collect();
        route.crossings.extend(&crossings);
        if has_pieces {
            let mut nodes: Vec<u32> = stays.iter().map(|stay| stay.node).collect();
            nodes.dedup();
            let (piece, bits) = (engine.worms[worm].switch, engine.worms[worm].body().len());
            let part = format!("/{piece}, {bits} bits");
            route.ways.push(Way {
                part,
                nodes,
                crossings,
            });
        }
        route.stays.extend(at_nodes(stays));
    }
    if route.ways.len() == 1 {
        route.ways.clear();
    }
    if let Some(worm) = engine.worms_of(message).next() {
        let nodes = engine.tracker.way(worm).iter();
        let nodes: Vec<u32> = nodes.map(|node| *node as u32).collect();
        let part = match engine.fabric.topology().network() {
            // Along its row to the column of its destination, then along that.
            Network::Butterflies(butterflies) => {
                let place = |node: usize| butterflies.in_line(Line::Row, node).1;
                let destination = place(engine.messages[message].destination);
                let path = engine.tracker.path(worm).iter();
                let turn = path.copied().find(|node| place(*node) == destination);
                let turn = turn.map_or(String::new(), |node| {
                    let node = engine.fabric.topology().node_name(node);
                    format!("along its row to {node}, then along its column, ")
                });
                format!("{turn}hop by hop over relays")
            }
            _ => "over relays".to_owned(),
        };
        route.ways.extend((nodes.len() > 1).then_some(Way {
            part,
            nodes,
            crossings: Vec::new(),
        }));
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
pub fn circle<B: MachineLanes>(engine: &Engine<B>, deadlock: &Deadlock, bit_times: u32) -> Circle {
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
