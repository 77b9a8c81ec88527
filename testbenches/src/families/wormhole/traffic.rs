//! The messages of a run: of each sender one at bit time 0, or those of a file, each at its time, or continuous injection.

use bitvec::vec::BitVec;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::space::Space;
use rtl_model::traffic::file::{self, Timed};
use rtl_model::traffic::hot_spots::HotSpots;
use rtl_model::traffic::injection::{Destinations, Injection, OfferedLoad, Sources};
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{self, Nodes, Traffic};

use crate::error::Error;
use crate::families::wormhole::injection::{bursts, checked_replies, most_load};
use crate::families::wormhole::job::Job;
use crate::families::wormhole::memory::room_for;
use crate::families::wormhole::message::Message;
use crate::families::wormhole::parameters::{
    HOT_SHARE, HOT_SPOTS, LOAD, TRAFFIC, TRAFFIC_FILE, has_hot_spots,
};
use crate::options::{file_name, open_file};
use crate::testbench::chosen::Chosen;

/// The nodes that send, with their digits where they have such.
///
/// # Errors
/// More than traffic is made for.
pub fn nodes(machine: &WormholeMachine) -> Result<Nodes, Error> {
    match machine.network().joined() {
        Joined::Space(Space::Grid(grid)) => Ok(grid.into()),
        _ => Ok(Nodes::new(machine.network().nodes())?),
    }
}

/// Where messages go.
///
/// # Errors
/// A name that is not known; hot spots that there are not.
fn destinations(chosen: &Chosen, machine: &WormholeMachine) -> Result<Destinations, Error> {
    match has_hot_spots(chosen) {
        true => Ok(hot_spots(chosen, machine)?.into()),
        false => Ok(Pattern::from_any_name(chosen.name(&TRAFFIC)?)?.into()),
    }
}

/// The hot spots that were asked for; node 0 unless others are named.
fn hot_spots(chosen: &Chosen, machine: &WormholeMachine) -> Result<HotSpots, Error> {
    let topology = machine.topology();
    let last = topology.nodes() - 1;
    let node = |text: &str| {
        topology.node_named(text).ok_or_else(|| {
            let [first_name, last_name] = [0, last].map(|node| topology.node_name(node));
            let names = match last_name == last.to_string() {
                true => String::new(),
                false => {
                    let fields = topology.node_name_fields();
                    format!(", which by {fields} are {first_name} to {last_name}")
                }
            };
            HOT_SPOTS.blamed(format!(
                "there is no node `{text}`: the machine has nodes 0 to {last}{names}"
            ))
        })
    };
    let list = chosen.text(&HOT_SPOTS).unwrap_or_default().split(',');
    let spots = list
        .map(|item| node(item.trim()))
        .collect::<Result<Vec<_>, Error>>()?;
    let share = chosen.share(&HOT_SHARE).unwrap_or_default();
    let hot = HotSpots::new(Nodes::new(topology.nodes())?, spots, share);
    hot.map_err(|error| {
        let option = match error {
            ModelError::HotShare { .. } => HOT_SHARE,
            _ => HOT_SPOTS,
        };
        option.blamed(error.to_string())
    })
}

/// What the traffic is called.
pub fn name(chosen: &Chosen) -> String {
    let pattern = chosen.text(&TRAFFIC).unwrap_or_default();
    match chosen.path(&TRAFFIC_FILE) {
        Some(path) => file_name(path),
        None if has_hot_spots(chosen) => format!(
            "{pattern}, {} of the messages for {}",
            chosen.share(&HOT_SHARE).unwrap_or_default(),
            chosen.text(&HOT_SPOTS).unwrap_or_default()
        ),
        None => pattern.to_owned(),
    }
}

/// The share of nodes that send; all, where a file says which.
///
/// # Errors
/// A load out of range.
pub fn checked_load(chosen: &Chosen) -> Result<f64, Error> {
    let load = chosen.share(&LOAD).unwrap_or_default();
    // Of two nodes, to be told whether it is one.
    traffic::senders(Nodes::new(2)?, load, chosen.seed())?;
    Ok(load)
}

/// One message of each sender, or those of a file, in the order in which they are created.
///
/// # Errors
/// A load out of range, a pattern that these nodes do not have, a file that cannot be used, or has more messages than there
/// is memory for.
pub fn messages(job: &Job) -> Result<Vec<Message>, Error> {
    let Job {
        chosen,
        machine,
        message_bits,
        ..
    } = job;
    let seed = chosen.seed();
    if let Some(path) = chosen.path(&TRAFFIC_FILE) {
        let room = |messages, bits| room_for(machine, messages, bits).map(drop);
        let (name, topology) = (file_name(path), machine.topology());
        let file = open_file(path)?;
        let read = file::read_timed(&name, file, &topology, *message_bits, seed, room)?;
        return Ok(read.into_iter().map(of_file).collect());
    }
    let destinations = destinations(chosen, machine)?;
    let nodes = nodes(machine)?;
    let senders = traffic::senders(nodes, checked_load(chosen)?, seed)?;
    let messages = match &destinations {
        Destinations::Pattern(pattern) => pattern.messages(nodes, &senders, seed)?,
        Destinations::HotSpots(spots) => spots.messages(&senders, seed),
    };
    let traffic = Traffic::many_to_one(nodes, *message_bits, messages, seed)?;
    Ok(messages_of(&traffic))
}

fn of_file(message: Timed) -> Message {
    Message {
        source: message.source,
        destination: message.destination,
        created: message.time,
        bits: message.payload,
    }
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
/// A load out of range, a pattern that these nodes do not have; bursts or replies that cannot be.
pub fn injection(job: &Job, offered_load: f64) -> Result<Injection, Error> {
    let Job {
        chosen,
        machine,
        message_bits,
        ..
    } = job;
    let nodes = nodes(machine)?;
    let destinations = destinations(chosen, machine)?;
    let sources = Sources {
        load: OfferedLoad::over(offered_load, most_load(chosen))?,
        message_bits: *message_bits,
        bursts: bursts(chosen)?,
        reply_bits: checked_replies(chosen, *message_bits)?,
    };
    Ok(Injection::of(nodes, destinations, sources, chosen.seed())?)
}
