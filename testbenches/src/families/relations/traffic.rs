//! What is sent: slot by slot, at most one message from each node.

use rtl_model::traffic::file::{self, Batched};
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Message, Nodes, Relation, Traffic, sender_set};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::relations::job::Job;
use crate::families::relations::parameters::{Amount, TRAFFIC_FILE, load, pattern};
use crate::options::{file_name, read_traffic_file};
use crate::report::counted;

/// The messages.
pub struct Sent {
    /// Slot by slot: batches, or what each node's list begins with.
    pub slots: Vec<Traffic>,
    /// What they are called.
    pub name: String,
    /// The share of nodes that send, if it was drawn.
    pub load: Option<f64>,
    /// The most that a node sends or receives, of an h-relation.
    pub degree: Option<usize>,
    /// The relation that slots are the matchings of, as it was given: in another order others would be found.
    pub relation: Option<Relation>,
    /// Whether no two messages are alike that only their payloads tell apart.
    pub distinct: bool,
}

impl Sent {
    /// Messages each of which stays in its slot.
    pub fn in_slots(slots: Vec<Traffic>, name: String, load: Option<f64>) -> Self {
        Sent {
            distinct: slots.iter().all(Traffic::payloads_are_distinct),
            slots,
            name,
            load,
            degree: None,
            relation: None,
        }
    }
}

/// Drawn, or read.
///
/// # Errors
/// A file that cannot be used, more messages of a node than are allowed.
pub fn sent(job: &Job) -> Result<Sent, Error> {
    let (cube, payload_bits, slots) = (job.cube, job.size.payload_bits, job.slots);
    let (load, seed) = (load(&job.chosen), job.chosen.seed());
    let (path, pattern) = (job.chosen.path(&TRAFFIC_FILE), pattern(&job.chosen)?);
    let name = match path {
        Some(path) => file_name(path),
        None => pattern.map_or(Relation::NAME, Pattern::name).to_owned(),
    };
    let relation = match (job.amount, path) {
        (Amount::Processors, None) => return packed(job, name),
        (Amount::Processors, Some(path)) => {
            let read = read_traffic_file(path, |name, input| {
                file::read_relation(name, input, &cube, payload_bits, seed)
            });
            let slots = packing(&read?, job, &name)?;
            return Ok(Sent::in_slots(slots, name, None));
        }
        (Amount::Batches, None) => {
            let drawn = (0..slots as u64).map(|batch| {
                let (pattern, seed) = (
                    pattern.unwrap_or(Pattern::Randperm),
                    seed.wrapping_add(batch),
                );
                Ok(Traffic::drawn(cube, payload_bits, pattern, load, seed)?)
            });
            let slots = drawn.collect::<Result<_, Error>>()?;
            return Ok(Sent::in_slots(slots, name, Some(load)));
        }
        (Amount::Batches, Some(path)) => {
            let read = read_traffic_file(path, |name, input| {
                file::read_batches(name, input, (&cube, slots), payload_bits, seed)
            });
            match read? {
                Batched::Batches(batches) => {
                    let slots = filled_up(batches, job)?;
                    return Ok(Sent::in_slots(slots, name, None));
                }
                Batched::Relation(relation) => relation,
            }
        }
        (Amount::Relation, Some(path)) => read_traffic_file(path, |name, input| {
            file::read_relation(name, input, &cube, payload_bits, seed)
        })?,
        (Amount::Relation, None) => match pattern {
            None => Relation::drawn(cube, payload_bits, slots, load, seed)?,
            Some(pattern) => Relation::repeated(cube, payload_bits, pattern, slots, load, seed)?,
        },
    };
    let sent = Sent::in_slots(
        divided(&relation, job)?,
        name,
        path.is_none().then_some(load),
    );
    let is_pipelined = job.pipeline().is_some();
    Ok(Sent {
        degree: Some(relation.degree()),
        // Where messages come in any order, their slots do not tell them apart.
        distinct: match is_pipelined {
            true => sent.distinct,
            false => relation.payloads_are_distinct(),
        },
        relation: (!job.amount.is_batches() && is_pipelined).then_some(relation),
        ..sent
    })
}

/// The packing of processors, so many of which share a vertex: that of rank `r` among those that send has a message for processor
/// `r`, which is the `r mod processors`-th of its vertex, and slot by slot go those for the same place at a vertex.
fn packed(job: &Job, name: String) -> Result<Sent, Error> {
    let (cube, processors) = (job.cube, job.slots);
    let (load, seed) = (load(&job.chosen), job.chosen.seed());
    let all = Nodes::new(cube.nodes() * processors)?;
    let mut slots = vec![Vec::new(); processors];
    for (rank, sender) in sender_set(all, load, seed)?.iter().enumerate() {
        slots[rank % processors].push(Message {
            source: sender / processors,
            destination: rank / processors,
        });
    }
    let slots = slots.into_iter().enumerate().map(|(slot, messages)| {
        let seed = seed.wrapping_add(slot as u64);
        Ok(Traffic::new(cube, job.size.payload_bits, messages, seed)?)
    });
    let slots = slots.collect::<Result<_, Error>>()?;
    Ok(Sent::in_slots(slots, name, Some(load)))
}

/// The same, of messages that were read: processors of a vertex send in the order of the vertices that theirs are for, and those for
/// the same one in the order of their rows.
///
/// # Errors
/// More messages of a node than it has processors; messages that are no packing. The file is called so.
fn packing(relation: &Relation, job: &Job, file: &str) -> Result<Vec<Traffic>, Error> {
    let (messages, processors) = (relation.messages(), job.slots);
    let degree = relation.degree();
    if degree > processors {
        return Err(Refusal::of(file.to_owned())
            .because(format!(
                "a node sends or receives {degree} messages, and has {}",
                counted(processors, "processor")
            ))
            .instead(format!("give --processors {degree}"))
            .into());
    }
    let mut ranks: Vec<usize> = (0..messages.len()).collect();
    ranks.sort_by_key(|&index| (messages[index].source, messages[index].destination));
    let wrong = ranks.iter().enumerate();
    let mut wrong =
        wrong.filter(|(rank, index)| messages[**index].destination != rank / processors);
    if let Some((rank, &index)) = wrong.next() {
        let Message {
            source,
            destination,
        } = messages[index];
        return Err(Refusal::of(file.to_owned())
            .because(format!(
                "a packing fills nodes up one by one, from node 0 on, {} each; in the order of sources message {source}->{destination} is \
                 number {rank}, counted from 0",
                counted(processors, "message")
            ))
            .instead(format!("send it to node {}", rank / processors))
            .into());
    }
    let slots = (0..processors).map(|slot| {
        let of_slot = || ranks.iter().skip(slot).step_by(processors);
        let sent = of_slot().map(|&index| messages[index]).collect();
        let seed = job.chosen.seed();
        let mut traffic = Traffic::new(job.cube, job.size.payload_bits, sent, seed)?;
        for &index in of_slot() {
            if let Some(place) = traffic.index_from(messages[index].source) {
                let payload = relation.payload(index);
                traffic.payload_mut(place).copy_from_bitslice(payload);
            }
        }
        Ok(traffic)
    });
    slots.collect()
}

/// An h-relation, slot by slot: matchings for batches, as nodes have their messages otherwise.
///
/// # Errors
/// More messages of a node than there are slots.
fn divided(relation: &Relation, job: &Job) -> Result<Vec<Traffic>, Error> {
    let slots = job.slots;
    if job.amount.is_batches() && relation.degree() > slots {
        return Err(Refusal::of("--batches")
            .because(format!(
                "a node sends or receives {} messages, and each batch has one of them",
                relation.degree()
            ))
            .instead(format!("give at least as many in place of {slots}"))
            .into());
    }
    relation.check(slots)?;
    if job.pipeline().is_none() {
        return Ok(relation.by_source(slots)?);
    }
    filled_up(relation.matchings(), job)
}

/// With batches in which nobody sends, as many as there are to be.
fn filled_up(mut batches: Vec<Traffic>, job: &Job) -> Result<Vec<Traffic>, Error> {
    while batches.len() < job.slots {
        let none = Traffic::new(
            job.cube,
            job.size.payload_bits,
            Vec::new(),
            job.chosen.seed(),
        )?;
        batches.push(none);
    }
    Ok(batches)
}
