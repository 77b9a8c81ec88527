//! What is sent: slot by slot, at most one message from each node.

use rtl_model::error::Error as ModelError;
use rtl_model::traffic::pattern::Pattern;

use rtl_model::traffic::file::{self, Batched};
use rtl_model::traffic::{Message, Nodes, Relation, Traffic, sender_set};

use crate::error::Error;
use crate::families::relations::job::Job;
use crate::families::relations::options::{Amount, Setup};
use crate::options::{file_name, read_traffic_file};

/// What random h-relations are called.
pub const H_RELATION: &str = Relation::NAME;

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

/// The pattern of that name; nothing for random h-relations.
///
/// # Errors
/// A name of none, or of what is no permutation.
fn pattern(setup: &Setup) -> Result<Option<Pattern>, Error> {
    let is_batches = setup.amount.is_batches();
    let Some(name) = setup.traffic.as_deref() else {
        return Ok(is_batches.then_some(Pattern::Randperm));
    };
    if name == H_RELATION {
        return match is_batches {
            false => Ok(None),
            true => Err(Error::Refused {
                by: "kuszmaul",
                why: "batches are partial permutations, and an h-relation is none: give --h in place of --batches, and its matchings \
                      become the batches"
                    .to_owned(),
            }),
        };
    }
    // Where a node may receive several, destinations may be drawn independently.
    let named = match is_batches {
        true => Pattern::from_name(name),
        false => Pattern::from_any_name(name),
    };
    let pattern = named.map_err(|error| match error {
        ModelError::UnknownTraffic { name } => {
            let permutations = Pattern::PERMUTATIONS.iter().map(|(name, ..)| *name);
            let (uniform, ..) = Pattern::UNIFORM;
            let permutations = permutations.chain((!is_batches).then_some(uniform));
            let own = (!is_batches).then_some(H_RELATION);
            Error::Unknown {
                what: "traffic pattern",
                name,
                known: own.into_iter().chain(permutations).collect(),
            }
        }
        other => other.into(),
    })?;
    Ok(Some(pattern))
}

/// What the traffic is called.
///
/// # Errors
/// A pattern that there is not.
fn name(setup: &Setup) -> Result<String, Error> {
    Ok(match &setup.traffic_file {
        Some(path) => file_name(path),
        None => pattern(setup)?.map_or(H_RELATION, Pattern::name).to_owned(),
    })
}

/// Drawn, or read.
///
/// # Errors
/// A pattern that there is not, a file that cannot be used, more messages of a node than are allowed.
pub fn sent(setup: &Setup, job: &Job) -> Result<Sent, Error> {
    let (cube, payload_bits, slots) = (job.cube, job.size.payload_bits, job.slots);
    if let Amount::Processors(processors) = setup.amount {
        return packed(setup, job, processors);
    }
    let (name, load, seed) = (name(setup)?, setup.load(), setup.seed);
    let relation = match (&setup.traffic_file, setup.amount, pattern(setup)?) {
        (Some(path), Amount::Batches(_), _) => {
            let read = read_traffic_file(path, |name, input| {
                file::read_batches(name, input, (&cube, slots), payload_bits, seed)
            });
            match read? {
                Batched::Batches(batches) => {
                    let slots = filled_up(batches, setup, job)?;
                    return Ok(Sent::in_slots(slots, name, None));
                }
                Batched::Relation(relation) => relation,
            }
        }
        (Some(path), Amount::Relation(_) | Amount::Processors(_), _) => {
            read_traffic_file(path, |name, input| {
                file::read_relation(name, input, &cube, payload_bits, seed)
            })?
        }
        (None, Amount::Batches(_) | Amount::Processors(_), pattern) => {
            let pattern = pattern.unwrap_or(Pattern::Randperm);
            let drawn = (0..slots as u64).map(|batch| {
                let seed = seed.wrapping_add(batch);
                Ok(Traffic::drawn(cube, payload_bits, pattern, load, seed)?)
            });
            let slots = drawn.collect::<Result<_, Error>>()?;
            return Ok(Sent::in_slots(slots, name, Some(load)));
        }
        (None, Amount::Relation(h), None) => Relation::drawn(cube, payload_bits, h, load, seed)?,
        (None, Amount::Relation(h), Some(pattern)) => {
            Relation::repeated(cube, payload_bits, pattern, h, load, seed)?
        }
    };
    let load = setup.traffic_file.is_none().then_some(load);
    let sent = Sent::in_slots(divided(&relation, setup, job)?, name, load);
    let is_pipelined = job.pipeline().is_some();
    Ok(Sent {
        degree: Some(relation.degree()),
        // Where messages come in any order, their slots do not tell them apart.
        distinct: match is_pipelined {
            true => sent.distinct,
            false => relation.payloads_are_distinct(),
        },
        relation: (!setup.amount.is_batches() && is_pipelined).then_some(relation),
        ..sent
    })
}

/// The packing of processors of which `processors` share a vertex: that of rank `r` among those that send has a message for processor
/// `r`, which is the `r mod processors`-th of its vertex, and slot by slot go those for the same place at a vertex.
fn packed(setup: &Setup, job: &Job, processors: usize) -> Result<Sent, Error> {
    let (cube, load) = (job.cube, setup.load());
    let all = Nodes::new(cube.nodes() * processors)?;
    let mut slots = vec![Vec::new(); processors];
    for (rank, sender) in sender_set(all, load, setup.seed)?.iter().enumerate() {
        slots[rank % processors].push(Message {
            source: sender / processors,
            destination: rank / processors,
        });
    }
    let slots = slots.into_iter().enumerate().map(|(slot, messages)| {
        let seed = setup.seed.wrapping_add(slot as u64);
        Ok(Traffic::new(cube, job.size.payload_bits, messages, seed)?)
    });
    let slots = slots.collect::<Result<_, Error>>()?;
    let name = Pattern::Packed.name().to_owned();
    Ok(Sent::in_slots(slots, name, Some(load)))
}

/// An h-relation, slot by slot: matchings for batches, as nodes have their messages otherwise.
///
/// # Errors
/// More messages of a node than there are slots.
pub fn divided(relation: &Relation, setup: &Setup, job: &Job) -> Result<Vec<Traffic>, Error> {
    let slots = job.slots;
    if setup.amount.is_batches() && relation.degree() > slots {
        return Err(Error::List {
            option: "--batches",
            why: format!(
                "a node sends or receives {} messages, and each batch has one of them: give at least as many in place of {slots}",
                relation.degree()
            ),
        });
    }
    relation.check(slots)?;
    if job.pipeline().is_none() {
        return Ok(relation.by_source(slots)?);
    }
    filled_up(relation.matchings(), setup, job)
}

/// With batches in which nobody sends, as many as there are to be.
fn filled_up(mut batches: Vec<Traffic>, setup: &Setup, job: &Job) -> Result<Vec<Traffic>, Error> {
    while batches.len() < job.slots {
        let none = Traffic::new(job.cube, job.size.payload_bits, Vec::new(), setup.seed)?;
        batches.push(none);
    }
    Ok(batches)
}
