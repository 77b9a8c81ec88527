//! Who looks on in every bit time: a waveform, if one was asked for, and what it shows where nothing else is said.

use rtl_model::lanes::Lanes;
use rtl_model::wormhole::machine::WormholeMachine;
use waves::probe::{Probe, Recording};
use waves::trace::Trace;

use crate::error::Error;
use crate::lanes::{WithLanes, in_lanes};
use crate::wave::Wave;
use crate::wormhole::engine::Engine;
use crate::wormhole::message::Message;
use crate::wormhole::report::dependency_graph;
use crate::wormhole::requirement::side_by_side;
use crate::wormhole::run::{Outcome, Traffic, once};
use crate::wormhole::wave::HeadMarkers;

/// The most nodes of a circle that are shown unasked.
const MOST_NODES: usize = 8;

/// What a waveform shows where no nodes are named.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Nodes, in the order in which they are shown.
    pub nodes: Vec<usize>,
    /// The worm whose head is followed.
    pub worm: usize,
}

impl Shown {
    /// The way of the worm that has the longest one; where worms will deadlock, nodes that wait for each other: that is found
    /// out by a run without a waveform.
    pub(super) fn of(machine: &WormholeMachine, traffic: &Traffic) -> Self {
        let messages = match traffic {
            Traffic::Once(messages) => messages,
            Traffic::Continuous(..) => {
                return Shown {
                    nodes: vec![0, 1],
                    worm: 0,
                };
            }
        };
        if dependency_graph(machine).cycle.is_some() {
            // In the lanes of the run itself: of several circles, it will find the same one.
            let deadlock = in_lanes(side_by_side(machine), WhereItDeadlocks(machine, messages));
            if let Some(shown) = deadlock {
                return shown;
            }
        }
        let pieces = machine.network().switches();
        let mut longest = Shown {
            nodes: vec![0],
            worm: 0,
        };
        for (number, message) in messages.iter().enumerate() {
            for switch in 0..pieces {
                let nodes = machine.path(switch, message.source, message.destination);
                if nodes.len() > longest.nodes.len() {
                    longest = Shown {
                        nodes,
                        worm: number * pieces + switch,
                    };
                }
            }
        }
        longest
    }
}

/// Runs without a waveform, to see which nodes will wait for each other, if any will.
struct WhereItDeadlocks<'a>(&'a WormholeMachine, &'a [Message]);

impl WithLanes for WhereItDeadlocks<'_> {
    type Output = Option<Shown>;

    fn run<B: Lanes>(self) -> Option<Shown> {
        let WhereItDeadlocks(machine, messages) = self;
        let mut engine = Engine::<B>::new(machine.clone(), 1).ok()?;
        let ran = once(&mut engine, messages.to_vec(), true, &mut Observer::blind());
        let Outcome::Deadlock(deadlock) = ran.ok()?.outcome else {
            return None;
        };
        let mut nodes = Vec::new();
        for place in &deadlock.cycle {
            if nodes.len() < MOST_NODES && !nodes.contains(&place.node) {
                nodes.push(place.node);
            }
        }
        let first = deadlock.cycle.first();
        let worm = first.and_then(|&place| engine.tracker.worm(place));
        Some(Shown {
            nodes,
            worm: worm.unwrap_or(0),
        })
    }
}

/// A waveform that is being written, or nobody.
pub struct Observer<T: Trace> {
    probe: Option<Probe<T>>,
    heads: HeadMarkers,
    unwritable: Box<dyn Fn(std::io::Error) -> Error>,
}

impl Observer<Box<dyn Trace>> {
    /// Nobody.
    pub(super) fn blind() -> Self {
        Observer {
            probe: None,
            heads: HeadMarkers::of(0),
            unwritable: Box::new(|reason| Error::Unprintable { reason }),
        }
    }
}

impl<'a> Observer<Box<dyn Trace + 'a>> {
    /// Hangs a probe on the engine, if there is a waveform to be written; the head of `worm` is marked in its view.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    pub fn new(
        wave: Option<&'a mut Wave>,
        engine: &Engine<impl Lanes>,
        worm: usize,
    ) -> Result<Self, Error> {
        let path = wave.as_ref().map(|wave| wave.path().to_owned());
        Ok(Observer {
            probe: wave.map(|wave| wave.attach(engine)).transpose()?,
            heads: HeadMarkers::of(worm),
            unwritable: Box::new(move |reason| Error::Unwritable {
                path: path.clone().unwrap_or_default(),
                reason,
            }),
        })
    }
}

impl<T: Trace> Observer<T> {
    /// Takes down what holds in this bit time.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    pub fn sample(&mut self, engine: &Engine<impl Lanes>) -> Result<(), Error> {
        let Some(probe) = &mut self.probe else {
            return Ok(());
        };
        self.heads.watch(engine);
        probe.sample(engine).map_err(&self.unwritable)
    }

    /// Ends the waveform, with its markers.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    pub fn finish(self, outcome: &Outcome) -> Result<Option<Recording>, Error> {
        let Some(probe) = self.probe else {
            return Ok(None);
        };
        let (_, mut recording) = probe.finish().map_err(&self.unwritable)?;
        self.heads.mark(&mut recording);
        if let Outcome::Deadlock(deadlock) = outcome {
            recording.mark(deadlock.bit_time, "deadlock");
        }
        Ok(Some(recording))
    }
}
