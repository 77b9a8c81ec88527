//! Where the head of a worm gets on, for a view: marks, the nodes that tell most, what becomes of the worm.

use rtl_model::machine::topology::Topology;
use waves::probe::Recording;

use crate::wormhole::engine::Engine;
use crate::wormhole::machine_lanes::MachineLanes;
use crate::wormhole::wave::worm_name;

/// Marks, for a view, where a worm's head gets on: from when on each node's input channel is its own.
#[derive(Clone, Debug)]
pub struct HeadMarkers {
    worm: usize,
    /// By node on its way: the bit time, and the node.
    entered: Vec<(u64, usize)>,
}

impl HeadMarkers {
    /// Of the worm of that number.
    pub fn of(worm: usize) -> Self {
        HeadMarkers {
            worm,
            entered: Vec::new(),
        }
    }

    /// By node to which it has come, in order: the bit time, and the node.
    pub fn entered(&self) -> &[(u64, usize)] {
        &self.entered
    }

    /// Its number.
    pub fn worm(&self) -> usize {
        self.worm
    }

    /// In every bit time, when the probe samples.
    pub fn watch<B: MachineLanes>(&mut self, engine: &Engine<B>) {
        let path = engine.tracker.path(self.worm);
        for &node in &path[self.entered.len()..] {
            self.entered.push((engine.fabric.bit_time(), node));
        }
    }

    /// What a node is for the worm; nothing if it never comes there.
    pub fn role<B: MachineLanes>(&self, engine: &Engine<B>, node: usize) -> Option<&'static str> {
        let worm = engine.worms.get(self.worm)?;
        let message = &engine.messages[worm.message];
        match (node == message.source, node == message.destination) {
            (true, true) => Some("source and destination"),
            (true, false) => Some("source"),
            (false, true) => Some("destination"),
            (false, false) => {
                let is_on_way = engine.tracker.path(self.worm).contains(&node);
                is_on_way.then_some("on its route")
            }
        }
    }

    /// The nodes that tell most of its way, in its order: where it begins, where its head waits longest, and where that is at the
    /// end.
    pub fn most_telling(&self) -> Vec<usize> {
        let stays = self.entered.windows(2);
        let stays = stays.map(|pair| (pair[1].0 - pair[0].0, pair[0].1));
        // Of those that are as long, the first.
        let longest = stays.rev().max_by_key(|(length, _)| *length);
        let [first, last] =
            [self.entered.first(), self.entered.last()].map(|one| one.map(|(_, node)| *node));
        let mut nodes = Vec::new();
        for node in [first, longest.map(|(_, node)| node), last]
            .into_iter()
            .flatten()
        {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        nodes
    }

    /// What becomes of the worm, in a line; nothing of one that was never sent.
    pub fn fate<B: MachineLanes>(&self, engine: &Engine<B>) -> Option<String> {
        let (sent, _) = self.entered.first()?;
        let (there, node) = self.entered.last()?;
        let name = worm_name(engine, self.worm, 0);
        let delivery = engine.deliveries.get(self.worm)?;
        let message = engine.worms.get(self.worm)?.message;
        let whole = engine.delivery(message).tail_arrived;
        let pieces = whole.filter(|_| engine.worms_of(message).count() > 1);
        let pieces = pieces.map_or(String::new(), |whole| {
            format!("; all its pieces at {whole}")
        });
        Some(match delivery.tail_arrived {
            Some(arrived) => {
                format!("{name}: sent at {sent}, head there at {there}, tail at {arrived}{pieces}")
            }
            None => format!(
                "{name}: sent at {sent}, head no further than {}, there at {there}",
                engine.fabric.topology().node_name(*node)
            ),
        })
    }

    /// Puts them into a recording, and when all of the worm has arrived.
    pub fn mark<B: MachineLanes>(&self, recording: &mut Recording, engine: &Engine<B>) {
        for (bit_time, node) in &self.entered {
            let name = engine.fabric.topology().node_name(*node);
            recording.mark(*bit_time, &format!("to_{name}"));
        }
        let delivery = engine.deliveries.get(self.worm);
        if let Some(arrived) = delivery.and_then(|delivery| delivery.tail_arrived) {
            recording.mark(arrived, "arrived");
        }
    }
}
