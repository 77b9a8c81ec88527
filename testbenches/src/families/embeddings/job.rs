//! A guest laid into its host, with the schedule of a phase and the machine that carries it out.

use std::sync::Arc;

use hosts::embeddings::Carried;
use hosts::words::{Words, hexadecimal};
use rtl_model::embedding::constructions::{Claim, Figure};
use rtl_model::embedding::paths::{Embedding, Measures};
use rtl_model::embedding::phase::{Order, Phase};
use rtl_model::machine::memory;
use rtl_model::routers::phase::{PhaseMachine, PhasePlan};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::embeddings::compared::compare;
use crate::families::embeddings::messages::{EDGES, Owners};
use crate::families::embeddings::parameters::{
    BOTH_WAYS, PACKETS, START_UP, VALUES, ask, construction, message_bits, order,
};
use crate::families::embeddings::report;
use crate::families::embeddings::stimulus::{Carrying, read};
use crate::families::embeddings::work::{Work, write_results};
use crate::interrupt;
use crate::lockstep::{Beside, Ended, Verdict};
use crate::options::file_name;
use crate::report::Section;
use crate::testbench::chosen::Chosen;

/// A guest in its host, before anything is sent.
pub struct Guest {
    /// What it is called.
    pub name: &'static str,
    /// What it is, in a line.
    pub models: &'static str,
    /// Where it comes from.
    pub theorem: &'static str,
    /// What the paper says of it, and what holds.
    pub claims: [Claim; 2],
    /// The guest in its host, every edge one way, with its own packets.
    pub embedding: Embedding,
}

impl Guest {
    /// The one that is asked for.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn of(chosen: &Chosen) -> Result<Self, Error> {
        let (construction, ask) = (construction(chosen)?, ask(chosen)?);
        Ok(Guest {
            name: construction.name(),
            models: construction.models(),
            theorem: construction.theorem(),
            claims: [construction.paper(&ask)?, construction.corrected(&ask)?],
            embedding: construction.embed(&ask)?,
        })
    }
}

/// Refuses packets whose schedule would not fit into memory while it becomes configuration, before it is worked out: each at most
/// with as many hops as the longest path.
fn require_planning(embedding: &Embedding, dilation: usize) -> Result<(), Error> {
    let packets = embedding.edges() as u64 * embedding.packets().len() as u64;
    // A packet's number has 32 bits.
    if packets > u64::from(u32::MAX) {
        return Err(Refusal::of("--packets")
            .because(format!(
                "{packets} packets of all edges are more than can be numbered"
            ))
            .instead("choose fewer, or fewer dimensions")
            .into());
    }
    let nodes = embedding.host().nodes();
    let bytes = planning_bytes(packets * dilation as u64, packets, embedding.host().wires());
    let what = format!("the schedule of {packets} packets");
    memory::require_for_nodes(what, nodes, bytes, memory::available())?;
    Ok(())
}

/// Bytes that a schedule takes while it becomes configuration.
fn planning_bytes(hops: u64, packets: u64, wires: usize) -> u64 {
    72 * hops + 80 * packets + 16 * wires as u64
}

/// What is asked for, worked out.
pub struct Job {
    /// What it was asked for by.
    pub chosen: Chosen,
    /// What the guest is called.
    pub name: &'static str,
    /// What it is, in a line.
    pub models: &'static str,
    /// Where it comes from.
    pub theorem: &'static str,
    /// What the paper says of it, and what holds: of a phase of its own packets, one way and hop by hop. Of the wires that edges
    /// share both ways nothing is said.
    pub claims: [Claim; 2],
    /// The guest in its host, with the packets that are sent.
    pub embedding: Embedding,
    /// What is said of it, counted from the paths that are sent on.
    pub measures: Measures,
    /// When which packet crosses which wire.
    pub phase: Phase,
    /// Who goes first.
    pub order: Order,
    /// Whether it is the phase that the claims are about.
    pub is_as_claimed: bool,
    /// The machine.
    pub machine: PhaseMachine,
    /// Bits of a message, `M`.
    pub message_bits: usize,
}

impl Job {
    /// Of a guest whose edges send messages of so many bits, in so many packets, or else in as many as it has.
    ///
    /// # Errors
    /// Packets that are too long.
    pub fn sending(
        chosen: &Chosen,
        guest: Guest,
        (packets, message_bits): (Option<usize>, usize),
    ) -> Result<Self, Error> {
        let (mut claims, mut embedding) = (guest.claims, guest.embedding);
        let (both_ways, order) = (chosen.is_on(&BOTH_WAYS), order(chosen)?);
        let own_packets = embedding.packets().len();
        if both_ways {
            embedding = embedding.both_ways();
            (claims.iter_mut()).for_each(|claim| claim.congestion = Figure::Unsaid);
        }
        let measures = embedding.measures();
        let embedding = match packets {
            Some(packets) => embedding.with_packets(packets),
            None => embedding,
        };
        let has_own_packets = packets.is_none_or(|packets| packets == own_packets);
        require_planning(&embedding, measures.dilation)?;
        interrupt::check()?;
        let phase = Phase::of(&embedding, order);
        interrupt::check()?;
        let plan = Arc::new(PhasePlan::of(&embedding, &phase));
        let packet_bits = message_bits.div_ceil(embedding.packets().len().max(1));
        Ok(Job {
            chosen: chosen.clone(),
            name: guest.name,
            models: guest.models,
            theorem: guest.theorem,
            claims,
            machine: PhaseMachine::new(plan, packet_bits, chosen.number(&START_UP))?,
            is_as_claimed: !both_ways && order == Order::HopByHop && has_own_packets,
            embedding,
            measures,
            phase,
            order,
            message_bits,
        })
    }

    /// The schedule as configuration of the nodes.
    pub fn plan(&self) -> &PhasePlan {
        self.machine.plan()
    }

    /// The cost that holds, where one is known of this phase.
    pub fn claimed_cost(&self) -> Option<usize> {
        match (&self.claims[1].cost, self.is_as_claimed) {
            (Figure::Is(cost), true) => Some(*cost),
            _ => None,
        }
    }

    /// Bytes beside the machine: before there is one, while the schedule becomes configuration, and then beside it, with
    /// messages sent and received.
    pub fn beside(&self) -> Beside {
        let (host, plan) = (self.embedding.host(), self.plan());
        let [hops, packets] = [self.phase.hops().len(), plan.packets()].map(|count| count as u64);
        let [wires, cells] = [host.wires(), host.nodes() * plan.cells()].map(|count| count as u64);
        let messages = Words::bytes(self.embedding.edges(), 1, self.message_bits);
        Beside {
            before: planning_bytes(hops, packets, host.wires()),
            beside: 32 * hops + 40 * packets + 4 * wires + 8 * cells + 3 * messages,
        }
    }

    /// What its messages are called.
    pub fn values_name(&self) -> String {
        match self.chosen.path(&VALUES) {
            Some(path) => file_name(path),
            None => "random".to_owned(),
        }
    }

    /// The same, with the seed if they are drawn.
    pub fn values_in_words(&self) -> String {
        match self.chosen.path(&VALUES) {
            Some(_) => self.values_name(),
            None => format!("random, seed {}", self.chosen.seed()),
        }
    }

    /// Its messages in packets and its machine, as hosts see them.
    pub fn carried(&self) -> Carried<'_> {
        Carried {
            machine: &self.machine,
            edges: self.embedding.edges(),
            packets: self.embedding.packets().len(),
            message_bits: self.message_bits,
        }
    }
}

impl Work for Job {
    const OWNERS: Owners = EDGES;

    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let guest = Guest::of(chosen)?;
        let bits = message_bits(chosen, &guest.embedding)?;
        Self::sending(chosen, guest, (chosen.whole(&PACKETS), bits))
    }

    fn job(&self) -> &Job {
        self
    }

    fn size(&self) -> (usize, usize) {
        (self.embedding.edges(), self.message_bits)
    }

    fn facts(&self) -> Section {
        report::facts(self)
    }

    fn judge(of: &Carrying<Self>, mut run: Ended<'_>) -> Result<Verdict, Error> {
        let (arrived, beyond) = read(&of.work, &*run.machine, run.quiet)?;
        let rows = arrived.iter().enumerate();
        let rows = rows.map(|(edge, word)| (edge, hexadecimal(word, arrived.bits())));
        write_results(&mut run, Self::OWNERS, rows)?;
        let compared = compare(&of.work.embedding, &of.values, (&arrived, beyond));
        Ok(report::verdict(&of.work, run.measurement, &compared))
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;

    use super::*;

    #[test]
    fn more_packets_than_numbers_are_refused() {
        let host = Dimensions::new(1).unwrap();
        let mut embedding = Embedding::new(host, vec![0, 1]);
        for _ in 0..1 << 12 {
            embedding.add_edge([0, 1], [[0]]);
        }
        assert!(require_planning(&embedding, 1).is_ok());
        let embedding = embedding.with_packets(1 << 21);
        let refusal = require_planning(&embedding, 1).unwrap_err().to_string();
        assert!(
            refusal.starts_with("--packets: 8589934592 packets"),
            "{refusal}"
        );
    }
}
