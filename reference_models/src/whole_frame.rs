//! Algorithm 2 with a node's whole frame in one machine word (Kuszmaul 1990): schedule `plain`, and a packing
//! and an enumeration by themselves.
//!
//! Nothing is ticked and there are no registers. A frame is a word ([`Frame`]), a serial adder is one integer
//! addition (`enumeration.rs`), a switch stage is a shift and a mask (`packing.rs`): `O(k^2)` of them for each
//! node. Bit times and the use of wires are worked out from the bits of what is moved ([`Tally`]).
//!
//! ```text
//!   step   a node's words
//!   1      first            --shift--> first, or across dimension i to first or second
//!   2, 4   members          --additions over dimensions i+1 .. k-1--> rank
//!   3      second | rank    --shifts over dimensions i+1 .. k-1--> second
//!   5      address | rank   --shifts over dimensions i+1 .. k-1--> rendezvous
//!   6      second | rendezvous, last bit first --shifts over dimensions k-1 .. i+1--> first
//! ```
//!
//! Where frames go follows from their own bits alone: nothing here knows a destination once a frame is built.

mod enumeration;
pub mod frame;
mod packing;
pub mod tally;
#[cfg(test)]
mod tests;

use bitvec::field::BitField;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Traffic;

use crate::violation::Violation;
use enumeration::Totals;
use frame::{Frame, MOST_BITS};
use tally::{Step, Tally, Watch, Windows};

/// What the nodes hold, each field by node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// The message that a node keeps.
    pub first: Vec<Frame>,
    /// A message too many, and later one for an empty node.
    pub second: Vec<Frame>,
    /// Members of the set that was enumerated last, before each node of its subcube.
    pub ranks: Vec<u64>,
    /// The address of an empty node that step 5 brought, least significant bit lowest.
    pub rendezvous: Vec<Frame>,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// For each node the payload that it holds, or no frame.
    pub delivered: Vec<Frame>,
    /// What was counted on the way.
    pub tally: Tally,
}

/// Routes a partial permutation on schedule `plain`, shown to `watch`.
///
/// # Errors
/// [`Violation::FrameTooLong`] if a frame does not go into a word; otherwise the first invariant that does
/// not hold.
pub fn route(
    dimensions: Dimensions,
    traffic: &Traffic,
    watch: &mut impl Watch,
) -> Result<Outcome, Violation> {
    let k = dimensions.count();
    let nodes = dimensions.nodes();
    // Step 3 of iteration 0: a header of k-1 bits before all but one bit of the message.
    check_room((k + traffic.payload_bits()).max(2 * (k - 1) + traffic.payload_bits()))?;
    let mut run = Run {
        k,
        length: k + traffic.payload_bits(),
        nodes: Nodes {
            first: messages(dimensions, traffic),
            second: vec![Frame::NONE; nodes],
            ranks: vec![0; nodes],
            rendezvous: vec![Frame::NONE; nodes],
        },
        moving: vec![Frame::NONE; nodes],
        totals: vec![0; nodes],
        tally: Tally::new(k),
        watch,
    };
    for iteration in 0..k {
        run.iterate(iteration)?;
    }
    Ok(Outcome {
        delivered: run.nodes.first,
        tally: run.tally,
    })
}

/// Packs a semi-contraction (Algorithm 1).
///
/// # Errors
/// As [`route`].
pub fn pack(dimensions: Dimensions, traffic: &Traffic) -> Result<Outcome, Violation> {
    let k = dimensions.count();
    let length = k + traffic.payload_bits();
    check_room(length)?;
    let mut delivered = messages(dimensions, traffic);
    let mut tally = Tally::new(k);
    packing::pack(
        &mut delivered,
        length,
        0..k,
        (Step::ALONE, &mut tally, &mut ()),
    )?;
    Ok(Outcome { delivered, tally })
}

/// What an enumeration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// For each node the members before it.
    pub ranks: Vec<u64>,
    /// For each node the members of the set.
    pub totals: Vec<u64>,
    /// What was counted on the way.
    pub tally: Tally,
}

/// Enumerates a set of nodes (Theorem 2): `is_member(node)`.
pub fn enumerate(dimensions: Dimensions, is_member: impl Fn(usize) -> bool) -> Enumeration {
    let nodes = dimensions.nodes();
    let mut ranks = vec![0; nodes];
    let mut totals: Vec<u64> = (0..nodes).map(|node| u64::from(is_member(node))).collect();
    let mut tally = Tally::new(dimensions.count());
    let row: Vec<usize> = (0..dimensions.count()).collect();
    enumeration::enumerate(
        (&mut ranks, &mut totals),
        &row,
        Totals::Read,
        (Step::ALONE, &mut tally, &mut ()),
    );
    Enumeration {
        ranks,
        totals,
        tally,
    }
}

fn check_room(bits: usize) -> Result<(), Violation> {
    match bits <= MOST_BITS {
        true => Ok(()),
        false => Err(Violation::FrameTooLong {
            bits,
            most: MOST_BITS,
        }),
    }
}

/// Every message at its source: destination, then payload.
fn messages(dimensions: Dimensions, traffic: &Traffic) -> Vec<Frame> {
    let k = dimensions.count();
    let mut frames = vec![Frame::NONE; dimensions.nodes()];
    for (index, message) in traffic.messages().iter().enumerate() {
        let payload: u64 = traffic.payload(index).load_le();
        let bits = message.destination as u64 | payload << k;
        frames[message.source] = Frame::new(bits, k + traffic.payload_bits());
    }
    frames
}

struct Run<'a, W> {
    k: usize,
    /// Bits that are left of every message.
    length: usize,
    nodes: Nodes,
    /// What passes the packing.
    moving: Vec<Frame>,
    /// What passes the enumeration.
    totals: Vec<u64>,
    tally: Tally,
    watch: &'a mut W,
}

impl<W: Watch> Run<'_, W> {
    fn iterate(&mut self, iteration: usize) -> Result<(), Violation> {
        let step = |number| Step { iteration, number };
        self.cross(step(1))?;
        let row: Vec<usize> = (iteration + 1..self.k).collect();
        if row.is_empty() {
            return Ok(());
        }
        self.number(step(2), &row, |nodes, x| nodes.second[x].is_some());
        self.pack_messages(step(3), &row)?;
        self.number(step(4), &row, |nodes, x| nodes.first[x].is_none());
        self.pack_addresses(step(5), &row)?;
        self.rendezvous(step(6), &row)
    }

    /// Step 1: a message whose next bit is not the node's address bit crosses. The one that stays is first.
    fn cross(&mut self, step: Step) -> Result<(), Violation> {
        let dimension = step.iteration;
        packing::check_lengths(&self.nodes.first, self.length, step)?;
        let bits = 1 + (self.length - 1);
        let first = &self.nodes.first;
        self.watch.wires(step, dimension, bits, &|node| {
            packing::sent(first, node, dimension).on_wire()
        });
        let (mut crossed, mut twos, mut empties) = (0, 0, 0);
        self.moving.copy_from_slice(&self.nodes.first);
        for node in 0..self.moving.len() {
            let own = (node >> dimension & 1) as u64;
            let (stays, leaves) = self.moving[node].parted(own);
            let (_, comes) = self.moving[node ^ 1 << dimension].parted(own ^ 1);
            (self.nodes.first[node], self.nodes.second[node]) = match stays.is_some() {
                true => (stays, comes),
                false => (comes, Frame::NONE),
            };
            crossed += u64::from(leaves.is_some());
            twos += u64::from(self.nodes.second[node].is_some());
            empties += u64::from(self.nodes.first[node].is_none());
        }
        self.length -= 1;
        let most = usize::from(empties < self.moving.len() as u64) + usize::from(twos > 0);
        self.tally.most_messages = self.tally.most_messages.max(most);
        self.tally.twos.push(twos);
        self.tally.empties.push(empties);
        let mut windows = Windows::new(&mut self.tally, step);
        windows.carry(dimension, 0, bits, crossed);
        windows.close();
        self.watch.stepped(step, &self.nodes);
        Ok(())
    }

    /// Steps 2 and 4.
    fn number(&mut self, step: Step, row: &[usize], is_member: impl Fn(&Nodes, usize) -> bool) {
        for (node, total) in self.totals.iter_mut().enumerate() {
            *total = u64::from(is_member(&self.nodes, node));
        }
        enumeration::enumerate(
            (&mut self.nodes.ranks, &mut self.totals),
            row,
            Totals::Unread,
            (step, &mut self.tally, self.watch),
        );
        self.watch.stepped(step, &self.nodes);
    }

    /// Passes what each node sends, `frame(nodes, node)` of `length` bits, over the dimensions of the row.
    fn pass(
        &mut self,
        step: Step,
        length: usize,
        row: impl Iterator<Item = usize>,
        frame: impl Fn(&Nodes, usize) -> Frame,
    ) -> Result<(), Violation> {
        for (node, moving) in self.moving.iter_mut().enumerate() {
            *moving = frame(&self.nodes, node);
        }
        packing::pack(
            &mut self.moving,
            length,
            row,
            (step, &mut self.tally, self.watch),
        )
    }

    /// Step 3: second messages go to the members that their nodes' ranks name.
    fn pack_messages(&mut self, step: Step, row: &[usize]) -> Result<(), Violation> {
        let m = row.len();
        self.pass(step, m + self.length, row.iter().copied(), |nodes, x| {
            nodes.second[x].behind(Frame::new(nodes.ranks[x], m))
        })?;
        std::mem::swap(&mut self.nodes.second, &mut self.moving);
        self.watch.stepped(step, &self.nodes);
        Ok(())
    }

    /// Step 5: addresses of empty nodes do; of an address those bits that the subcube does not share.
    fn pack_addresses(&mut self, step: Step, row: &[usize]) -> Result<(), Violation> {
        let (m, shared) = (row.len(), step.iteration + 1);
        self.pass(step, m + m, row.iter().copied(), |nodes, x| {
            match nodes.first[x].is_none() {
                true => Frame::new((x >> shared) as u64, m).behind(Frame::new(nodes.ranks[x], m)),
                false => Frame::NONE,
            }
        })?;
        std::mem::swap(&mut self.nodes.rendezvous, &mut self.moving);
        self.watch.stepped(step, &self.nodes);
        Ok(())
    }

    /// Step 6: the messages of step 3 go to the addresses of step 5, over the dimensions in reverse.
    fn rendezvous(&mut self, step: Step, row: &[usize]) -> Result<(), Violation> {
        let iteration = step.iteration;
        let Nodes {
            second, rendezvous, ..
        } = &self.nodes;
        let alone = |x: &usize| second[*x].is_some() && rendezvous[*x].is_none();
        if let Some(node) = (0..second.len()).find(alone) {
            return Err(Violation::NoRendezvous { iteration, node });
        }
        let length = row.len() + self.length;
        self.pass(step, length, row.iter().rev().copied(), |nodes, x| {
            nodes.second[x].behind(nodes.rendezvous[x].reversed())
        })?;
        for (node, (first, comes)) in self.nodes.first.iter_mut().zip(&self.moving).enumerate() {
            *first = first.or(*comes).ok_or(Violation::TooMany {
                iteration,
                node,
                messages: 2,
            })?;
        }
        self.nodes.second.fill(Frame::NONE);
        self.watch.stepped(step, &self.nodes);
        Ok(())
    }
}
