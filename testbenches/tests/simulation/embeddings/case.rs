//! A guest with its options, as the hardware, the reference and the command line have it.

use std::sync::Arc;

use reference_models::embeddings as model;
use rtl_model::embedding::constructions::{Ask, CONSTRUCTIONS, construction};
use rtl_model::embedding::paths::Embedding;
use rtl_model::embedding::phase::{Order, Phase};
use rtl_model::routers::phase::{PhaseMachine, PhasePlan};

/// A guest, and how its packets go.
#[derive(Clone, Debug)]
pub struct Case {
    pub guest: &'static str,
    pub dims: usize,
    pub order: Order,
    pub both_ways: bool,
    pub packets: Option<usize>,
    pub bits: usize,
    pub start_up: usize,
}

/// All guests in all hosts of so many dimensions at the most, one way and hop by hop, with messages of so many bits.
pub fn all(most: usize, bits: usize) -> Vec<Case> {
    let of = |guest: &'static str| (1..=most).map(move |dims| Case::new(guest, dims, bits));
    let all = CONSTRUCTIONS.into_iter().flat_map(|one| of(one.name()));
    all.filter(Case::is_there).collect()
}

impl Case {
    pub fn new(guest: &'static str, dims: usize, bits: usize) -> Self {
        Case {
            guest,
            dims,
            order: Order::HopByHop,
            both_ways: false,
            packets: None,
            bits,
            start_up: 0,
        }
    }

    /// Whether the guest is embedded in such a host.
    pub fn is_there(&self) -> bool {
        let ask = Ask::of_dimensions(self.dims);
        construction(self.guest).unwrap().host(&ask).is_ok()
    }

    /// The embedding of the guest, one way.
    pub fn one_way(&self) -> Embedding {
        let ask = Ask::of_dimensions(self.dims);
        construction(self.guest).unwrap().embed(&ask).unwrap()
    }

    /// With its packets.
    pub fn embedding(&self) -> Embedding {
        let embedding = match self.both_ways {
            true => self.one_way().both_ways(),
            false => self.one_way(),
        };
        match self.packets {
            Some(packets) => embedding.with_packets(packets),
            None => embedding,
        }
    }

    /// Options of the command line.
    pub fn options(&self) -> String {
        let mut options = format!(
            "--guest {} --dims {} --order {} --message-bits {} --start-up {}",
            self.guest,
            self.dims,
            self.order.name(),
            self.bits,
            self.start_up
        );
        if let Some(packets) = self.packets {
            options += &format!(" --packets {packets}");
        }
        if self.both_ways {
            options += " --both-ways";
        }
        options
    }
}

/// The embedding as the reference has it.
pub fn laid(embedding: &Embedding) -> model::Laid {
    let edge = |edge: usize| {
        let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
        let wide = |path: &[u8]| {
            path.iter()
                .map(|&dimension| usize::from(dimension))
                .collect()
        };
        model::Edge {
            from,
            to,
            paths: embedding.paths(edge).map(wide).collect(),
        }
    };
    model::Laid {
        dimensions: embedding.host().count(),
        edges: (0..embedding.edges()).map(edge).collect(),
        packets: embedding
            .packets()
            .iter()
            .map(|packet| packet.path)
            .collect(),
    }
}

/// A phase as the reference has it.
pub fn hops(phase: &Phase) -> Vec<model::Hop> {
    let hops = phase.hops().iter().map(|hop| model::Hop {
        step: hop.step as usize,
        from: hop.from as usize,
        dimension: usize::from(hop.dimension),
        packet: hop.packet as usize,
    });
    hops.collect()
}

/// The hardware of a case, and what is due of it.
pub struct Hardware {
    pub embedding: Embedding,
    pub phase: Phase,
    pub machine: PhaseMachine,
    pub bits: usize,
}

impl Hardware {
    pub fn of(case: &Case) -> Self {
        let embedding = case.embedding();
        let phase = Phase::of(&embedding, case.order);
        let plan = Arc::new(PhasePlan::of(&embedding, &phase));
        let packet_bits = case.bits.div_ceil(embedding.packets().len());
        Hardware {
            machine: PhaseMachine::new(plan, packet_bits, case.start_up).unwrap(),
            embedding,
            phase,
            bits: case.bits,
        }
    }

    pub fn packets(&self) -> usize {
        self.embedding.edges() * self.embedding.packets().len()
    }

    /// The bits of a packet: those of its message, and 0 behind its end.
    pub fn packet(&self, messages: &[Vec<bool>], packet: usize) -> Vec<bool> {
        let (each, bits) = (self.embedding.packets().len(), self.machine.packet_bits());
        let message = &messages[packet / each];
        let first = packet % each * bits;
        (first..first + bits)
            .map(|bit| message.get(bit).copied().unwrap_or(false))
            .collect()
    }
}
