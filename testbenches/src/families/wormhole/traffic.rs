//! The messages of a run: one of each sender, all at bit time 0, or continuous injection.

use bitvec::vec::BitVec;
use rtl_model::machine::router::Machine;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::traffic::injection::{Injection, OfferedLoad};
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{self, Nodes, Traffic, file};

use crate::error::Error;
use crate::families::wormhole::message::Message;
use crate::families::wormhole::options::Setup;
use crate::options::{file_name, open_file};

/// The share of nodes that send where none is asked for: all.
const DEFAULT_LOAD: f64 = 1.0;

/// The pattern of that name; `uniform` is one of them here.
///
/// # Errors
/// A name that is not known.
pub fn pattern(name: Option<&str>) -> Result<Pattern, Error> {
    let Some(name) = name else {
        return Ok(Pattern::Randperm);
    };
    Pattern::from_any_name(name).map_err(|_| Error::Unknown {
        what: "traffic pattern",
        name: name.to_owned(),
        known: Pattern::entries().map(|(name, ..)| name).collect(),
    })
}

/// The share of nodes that send; none with a file.
pub fn load(setup: &Setup) -> Option<f64> {
    match setup.traffic_file {
        Some(_) => None,
        None => Some(setup.load.unwrap_or(DEFAULT_LOAD) + 0.0),
    }
}

/// The share of nodes that send; all, where a file says which.
///
/// # Errors
/// A load out of range.
pub fn checked_load(setup: &Setup) -> Result<f64, Error> {
    let load = load(setup).unwrap_or(DEFAULT_LOAD);
    // Of two nodes, to be told whether it is one.
    traffic::senders(Nodes::new(2)?, load, setup.seed)?;
    Ok(load)
}

/// Whether the machine's nodes have the pattern that was asked for.
///
/// # Errors
/// A name that is not known, a pattern that these nodes do not have.
pub fn check_pattern(setup: &Setup, machine: &WormholeMachine) -> Result<(), Error> {
    let nodes = Nodes::new(machine.network().nodes())?;
    pattern(setup.traffic.as_deref())?.messages(nodes, &[], setup.seed)?;
    Ok(())
}

/// One message of each sender.
///
/// # Errors
/// A load out of range, a pattern that these nodes do not have, a file that cannot be used.
pub fn messages(
    setup: &Setup,
    machine: &WormholeMachine,
    message_bits: usize,
) -> Result<Vec<Message>, Error> {
    let nodes = Nodes::new(machine.network().nodes())?;
    let traffic = match &setup.traffic_file {
        Some(path) => {
            let name = file_name(path);
            let input = open_file(path)?;
            file::read_traffic(&name, input, &machine.topology(), message_bits, setup.seed)?
        }
        None => {
            let pattern = pattern(setup.traffic.as_deref())?;
            let senders = traffic::senders(nodes, setup.load.unwrap_or(DEFAULT_LOAD), setup.seed)?;
            let messages = pattern.messages(nodes, &senders, setup.seed)?;
            match pattern.is_permutation() {
                true => Traffic::new(nodes, message_bits, messages, setup.seed)?,
                false => Traffic::many_to_one(nodes, message_bits, messages, setup.seed)?,
            }
        }
    };
    Ok(messages_of(&traffic))
}

/// The messages of some traffic, ready at bit time 0.
pub(crate) fn messages_of(traffic: &Traffic) -> Vec<Message> {
    let messages = traffic.messages().iter().enumerate();
    messages
        .map(|(index, message)| Message {
            source: message.source,
            destination: message.destination,
            created: 0,
            bits: BitVec::from_bitslice(traffic.payload(index)),
        })
        .collect()
}

/// Messages without end.
///
/// # Errors
/// A load out of range, a pattern that these nodes do not have.
pub fn injection(
    setup: &Setup,
    machine: &WormholeMachine,
    (offered_load, message_bits): (f64, usize),
) -> Result<Injection, Error> {
    let nodes = Nodes::new(machine.network().nodes())?;
    let pattern = pattern(setup.traffic.as_deref())?;
    let load = OfferedLoad::new(offered_load)?;
    Ok(Injection::new(
        nodes,
        pattern,
        load,
        message_bits,
        setup.seed,
    )?)
}
