//! Who sends, where a share of the nodes does.

use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::traffic::{NodeSet, Nodes, Purpose, generator};

/// The nodes that send at this load: that share of all nodes, rounded to whole ones, drawn from
/// `seed`, in ascending order.
///
/// # Errors
/// A load outside 0..=1; more nodes than a list has room for.
pub fn senders(nodes: impl Into<Nodes>, load: f64, seed: u64) -> Result<Vec<usize>, Error> {
    Ok(sender_set(nodes, load, seed)?.iter().collect())
}

/// As [`senders`], as a set.
///
/// # Errors
/// As [`senders`].
pub fn sender_set(nodes: impl Into<Nodes>, load: f64, seed: u64) -> Result<NodeSet, Error> {
    check_load(load)?;
    let nodes = nodes.into();
    nodes.check_listed()?;
    let random = &mut generator(seed, Purpose::Senders);
    Ok(drawn_senders(nodes, load, random))
}

pub(super) fn check_load(load: f64) -> Result<(), Error> {
    match (0.0..=1.0).contains(&load) {
        true => Ok(()),
        false => Err(Refusal::of(format!("a load of {load} is out of range"))
            .because("it is the share of nodes that send, 0 to 1")
            .into()),
    }
}

/// At a load that is checked.
pub(super) fn drawn_senders(nodes: Nodes, load: f64, random: &mut ChaCha8Rng) -> NodeSet {
    let amount = (load * nodes.count() as f64).round() as usize;
    let drawn = index::sample(random, nodes.count(), amount);
    NodeSet::new(nodes, drawn.iter())
}
