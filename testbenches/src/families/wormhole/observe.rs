//! Who looks on in every bit time: a waveform and a picture, if such were asked for. By hand:
//!
//! ```no_run
//! # use rtl_model::routers::wormhole::machine::WormholeMachine;
//! # use testbenches::{error::Error, output::Staging, wave::{Request, Wave}};
//! # use testbenches::families::wormhole::{engine::Engine, head_markers::HeadMarkers, wave::Observed};
//! # fn run(machine: WormholeMachine, request: Request<'_>) -> Result<(), Box<dyn std::error::Error>> {
//! let mut staging = Staging::default();
//! let wave = Wave::plan_open(request, &mut staging, &machine, |_| Ok(vec![0, 1]))?;
//! let mut engine = Engine::<u64>::new(machine, 1)?;
//! // Messages go to the hosts here.
//! if let Some(mut wave) = wave {
//!     let mut probe = wave.attach(&Observed(&engine))?;
//!     let mut heads = HeadMarkers::of(0);
//!     while engine.in_flight() > 0 {
//!         engine.tick(|engine| {
//!             heads.watch(engine);
//!             probe.sample(&Observed(engine))
//!         })?;
//!     }
//!     let mut recording = probe.finish()?;
//!     heads.mark(&mut recording, &engine);
//!     wave.commit(recording)?;
//! }
//! # Ok(())
//! # }
//! ```

use hosts::wormhole::drawn::circle;
use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::topology::Topology;
use waves::coverage::Coverage;
use waves::picture::run::Run;
use waves::probe::Recording;
use waves::trace::TICKS_PER_BIT_TIME;

use crate::error::Error;
use crate::families::wormhole::drawn::Drawing;
use crate::families::wormhole::engine::{Deadlock, Engine};
use crate::families::wormhole::head_markers::HeadMarkers;
use crate::families::wormhole::run::Outcome;
use crate::families::wormhole::shown::Shown;
use crate::families::wormhole::wave::{Observed, worm_name};
use crate::interrupt;
use crate::report::{Hop, Route};
use crate::wave::{Tracing, Wave};

/// A waveform that is being written and a picture that is being taken, or nobody.
pub struct Observer<'a> {
    probe: Option<Tracing<'a>>,
    drawing: Option<Drawing>,
    /// What the run covers, if that is counted.
    pub(super) coverage: Option<Coverage>,
    heads: Option<HeadMarkers>,
    /// The heads of all worms of the same message, from when it is created.
    pieces: Vec<HeadMarkers>,
    /// The nodes of the waveform, in the order in which they are declared.
    nodes: Vec<usize>,
    /// The view has been told which worm it follows.
    follows: bool,
}

impl<'a> Observer<'a> {
    /// Hangs a probe on the engine, if there is a waveform to be written; the head of `worm`, if there is one, is marked in its
    /// view.
    ///
    /// # Errors
    /// A dump that cannot be written after all.
    pub fn new(
        wave: Option<&'a mut Wave>,
        engine: &Engine<impl WormLanes>,
        worm: Option<usize>,
    ) -> Result<Self, Error> {
        let nodes = wave.as_ref().map(|wave| wave.nodes().to_vec());
        let probe = wave.map(|wave| wave.attach(WormLanes::subject(&Observed(engine))));
        Ok(Self::of(
            probe.transpose()?,
            worm,
            nodes.unwrap_or_default(),
        ))
    }

    /// With what takes down the waveform of these nodes, if there is one; the head of `worm`, if there is one, is marked.
    pub(super) fn of(probe: Option<Tracing<'a>>, worm: Option<usize>, nodes: Vec<usize>) -> Self {
        Observer {
            probe,
            drawing: None,
            coverage: None,
            heads: worm.map(HeadMarkers::of),
            pieces: Vec::new(),
            nodes,
            follows: false,
        }
    }

    /// Nobody.
    pub(super) fn blind() -> Self {
        Self::of(None, None, Vec::new())
    }

    /// That a picture is taken as well.
    pub(super) fn and_draw(mut self, engine: &Engine<impl WormLanes>) -> Self {
        self.drawing = Some(Drawing::new(engine));
        self
    }

    /// That the picture keeps waveforms of what is shown, of a run that takes about so many bit times.
    pub(super) fn keep_waves(
        &mut self,
        engine: &Engine<impl WormLanes>,
        shown: &Shown,
        bit_times: u64,
    ) {
        if let Some(drawing) = &mut self.drawing {
            drawing.keep_waves(engine, shown.worm, (&shown.nodes, bit_times));
        }
    }

    /// The same of a run that is over: `again` goes through it once more, for as long as there is room for more of them.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(super) fn keep_waves_of<B: WormLanes>(
        &mut self,
        over: &Engine<B>,
        mut again: Engine<B>,
        shown: &Shown,
        bit_times: u64,
    ) -> Result<(), Error> {
        again.followed = shown.worm;
        again.traffic.clone_from(&over.traffic);
        self.keep_waves(&again, shown, bit_times);
        let Some(drawing) = &mut self.drawing else {
            return Ok(());
        };
        let recorder = drawing.recorder();
        let mut messages = over.messages.iter().peekable();
        while recorder.has_room() && again.fabric.bit_time() < recorder.bit_times() {
            let bit_time = again.fabric.bit_time();
            while let Some(message) = messages.next_if(|message| message.created <= bit_time) {
                again.send(0, message.clone());
            }
            again.tick(|engine| {
                recorder.sample(WormLanes::subject(&Observed(engine)));
                interrupt::check()
            })?;
        }
        Ok(())
    }

    /// Nobody looks on: what does not change is not missed.
    pub(super) fn is_blind(&self) -> bool {
        self.probe.is_none() && self.drawing.is_none() && self.coverage.is_none()
    }

    /// Takes down what holds in this bit time.
    ///
    /// # Errors
    /// A dump that cannot be written after all.
    pub fn sample(&mut self, engine: &Engine<impl WormLanes>) -> Result<(), Error> {
        if let Some(coverage) = &mut self.coverage {
            coverage.sample(WormLanes::subject(&Observed(engine)));
        }
        if let Some(drawing) = &mut self.drawing {
            WormLanes::draw(drawing, engine);
        }
        if let Some(heads) = &mut self.heads {
            heads.watch(engine);
            if let (true, Some(worm)) = (self.pieces.is_empty(), engine.worms.get(heads.worm())) {
                let pieces = engine.worms_of(worm.message);
                self.pieces.extend(pieces.map(HeadMarkers::of));
            }
        }
        for piece in &mut self.pieces {
            piece.watch(engine);
        }
        let Some(probe) = &mut self.probe else {
            return Ok(());
        };
        if let Some(heads) = &self.heads {
            // It has a name from when its host is given it on.
            if !self.follows && heads.worm() < engine.worms.len() {
                probe.follow(&worm_name(engine, heads.worm(), 0));
                self.follows = true;
            }
        }
        probe.sample(WormLanes::subject(&Observed(engine)))
    }

    /// The route of the message that is followed, if any is: of all its worms.
    pub(super) fn route(&self, engine: &Engine<impl WormLanes>) -> Option<Route> {
        let topology = engine.fabric.topology();
        let name = |node: usize| topology.node_name(node);
        let number = engine.worms.get(self.heads.as_ref()?.worm())?.message;
        let has_pieces = topology.network().has_pieces();
        let hops = self.pieces.iter().flat_map(|piece| {
            let copy = engine.worms[piece.worm()].switch;
            let link = has_pieces.then(|| format!("in copy {copy}"));
            piece.entered().windows(2).map(move |pair| Hop {
                from: name(pair[0].1),
                to: name(pair[1].1),
                link: link.clone(),
                first_bit_time: pair[1].0,
                last_bit_time: None,
                bit_times: None,
            })
        });
        let mut hops: Vec<Hop> = hops.collect();
        hops.sort_by_key(|hop| hop.first_bit_time);
        let message = &engine.messages[number];
        let arrived = engine.delivery(number).tail_arrived;
        Some(Route {
            message: format!("{}->{}", name(message.source), name(message.destination)),
            hops,
            arrived: arrived.map(|bit_time| bit_time + 1),
            is_missing: arrived.is_none(),
        })
    }

    /// The run as a picture shows it, if one is taken.
    pub(super) fn drawn(
        &mut self,
        engine: &Engine<impl WormLanes>,
        outcome: &Outcome,
    ) -> Option<Run> {
        let deadlock = match outcome {
            Outcome::Deadlock(deadlock) => Some(deadlock),
            _ => None,
        };
        let drawing = self.drawing.take()?;
        Some(drawing.finish(engine, deadlock))
    }

    /// Ends the waveform, with its markers and with what nodes are for the worm that is followed.
    ///
    /// # Errors
    /// A dump that cannot be written after all.
    pub fn finish(
        self,
        engine: &Engine<impl WormLanes>,
        outcome: &Outcome,
    ) -> Result<Option<Recording>, Error> {
        let Some(probe) = self.probe else {
            return Ok(None);
        };
        let mut recording = probe.finish()?;
        if let Some(heads) = &self.heads {
            heads.mark(&mut recording, engine);
            recording.legend.extend(heads.fate(engine));
            let place = |node: &usize| self.nodes.iter().position(|one| one == node);
            recording.first = heads.most_telling().iter().filter_map(place).collect();
        }
        for (place, node) in self.nodes.iter().enumerate() {
            let of_worm = || self.heads.as_ref()?.role(engine, *node);
            let in_circle = is_in_circle(outcome, *node).then_some("in the circle");
            in_circle
                .or_else(of_worm)
                .inspect(|role| recording.entitle(place, role));
        }
        if let Outcome::Deadlock(deadlock) = outcome {
            // One that is found while other worms still move is found when the last bit time that is shown is over.
            let bit_time = match deadlock.quiet {
                0 => deadlock.bit_time.saturating_sub(1),
                _ => deadlock.bit_time,
            };
            // Markers go in the order of time.
            if let Some(began) = deadlock.began.filter(|began| *began < bit_time) {
                recording.mark(began, "circle");
                recording.legend.push(in_circle(engine, deadlock));
                open_on_circle(&mut recording, began);
            }
            recording.mark(bit_time, "deadlock");
        }
        Ok(Some(recording))
    }
}

/// The worms of a circle, as a row of a view has room for them.
fn in_circle(engine: &Engine<impl WormLanes>, deadlock: &Deadlock) -> String {
    const MOST: usize = 4;
    let stuck = circle(engine, deadlock, 0).messages;
    let names: Vec<&str> = stuck
        .iter()
        .take(MOST)
        .map(|one| one.name.as_str())
        .collect();
    let more = if stuck.len() > MOST { " ..." } else { "" };
    let (names, all) = (names.join(" "), stuck.len());
    format!("circle of {all}, each waits for the next: {names}{more}")
}

/// Whether worms there wait for each other.
fn is_in_circle(outcome: &Outcome, node: usize) -> bool {
    let Outcome::Deadlock(deadlock) = outcome else {
        return false;
    };
    deadlock.cycle.iter().any(|place| place.node == node)
}

/// Has a view open where a circle closes: it is found much later, when nothing has moved for long.
fn open_on_circle(recording: &mut Recording, began: u64) {
    /// Bit times before the first mark, and after the circle has closed, in which buffers fill.
    const ROOM: [u64; 2] = [4, 24];
    let (start, end) = (recording.ticks.start, recording.ticks.end);
    let first = recording.markers.iter().map(|(tick, _)| *tick).min();
    let [before, after] = ROOM.map(|bit_times| bit_times * TICKS_PER_BIT_TIME);
    let from = first.unwrap_or(start).saturating_sub(before).max(start);
    let to = (began * TICKS_PER_BIT_TIME + after).min(end);
    if from < to {
        recording.opens_on = Some(from..to);
        recording.keeps = Some(began * TICKS_PER_BIT_TIME);
        recording.decided = recording.keeps;
    }
}
