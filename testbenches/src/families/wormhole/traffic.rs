//! The messages of a run: of each sender one at bit time 0, or those of a file, each at its time, or continuous injection.

use bitvec::vec::BitVec;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::traffic::file::{self, Timed};
use rtl_model::traffic::hot_spots::HotSpots;
use rtl_model::traffic::injection::{Destinations, Injection, OfferedLoad, Sources};
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{self, Nodes, Traffic};

use crate::error::Error;
use crate::families::wormhole::message::Message;
use crate::families::wormhole::options::{DEFAULT_HOT_SHARE, NAME, RunSetup, Setup};
use crate::families::wormhole::requirement::room_for;
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
        known: (Pattern::entries().map(|(name, ..)| name))
            .chain([HotSpots::NAME])
            .collect(),
    })
}

/// Where messages go.
///
/// # Errors
/// A name that is not known; hot spots that there are not, and options of them where there are none.
fn destinations(setup: &Setup, machine: &WormholeMachine) -> Result<Destinations, Error> {
    check_hot_options(setup)?;
    match setup.traffic.as_deref() {
        Some(HotSpots::NAME) => Ok(hot_spots(setup, machine)?.into()),
        name => Ok(pattern(name)?.into()),
    }
}

/// Refuses options of hot spots where there are none.
fn check_hot_options(setup: &Setup) -> Result<(), Error> {
    let has_hot_spots = setup.traffic.as_deref() == Some(HotSpots::NAME);
    let given = [
        ("--hot-spots", setup.hot_spots.is_some()),
        ("--hot-share", setup.hot_share.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) if !has_hot_spots => Err(Error::NotApplicable {
            bench: NAME,
            option,
            why: "other traffic has no hot spots: give --traffic hotspot too",
        }),
        _ => Ok(()),
    }
}

/// The hot spots that were asked for; node 0 unless others are named.
fn hot_spots(setup: &Setup, machine: &WormholeMachine) -> Result<HotSpots, Error> {
    let topology = machine.topology();
    let last = topology.nodes() - 1;
    let option = "--hot-spots";
    let node = |text: &str| {
        topology.node_named(text).ok_or_else(|| {
            let [first_name, last_name] = [0, last].map(|node| topology.node_name(node));
            let names = match last_name == last.to_string() {
                true => String::new(),
                false => format!(", which by level and column are {first_name} to {last_name}"),
            };
            let why =
                format!("there is no node `{text}`: the machine has nodes 0 to {last}{names}");
            Error::List { option, why }
        })
    };
    let list = setup.hot_spots.as_deref().unwrap_or("0").split(',');
    let spots = list
        .map(|item| node(item.trim()))
        .collect::<Result<Vec<_>, Error>>()?;
    let share = setup.hot_share.unwrap_or(DEFAULT_HOT_SHARE);
    let hot = HotSpots::new(Nodes::new(topology.nodes())?, spots, share);
    hot.map_err(|error| Error::List {
        option: match error {
            ModelError::HotShare { .. } => "--hot-share",
            _ => option,
        },
        why: error.to_string(),
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

/// One message of each sender, or those of a file, in the order in which they are created.
///
/// # Errors
/// A load out of range, a pattern that these nodes do not have, a file that cannot be used, or has more messages than there
/// is memory for.
pub fn messages(
    setup: &Setup,
    machine: &WormholeMachine,
    message_bits: usize,
) -> Result<Vec<Message>, Error> {
    let destinations = destinations(setup, machine)?;
    if let Some(path) = &setup.traffic_file {
        let room = |messages, bits| room_for(machine, messages, bits).map(drop);
        let (name, topology) = (file_name(path), machine.topology());
        let read = file::read_timed(
            &name,
            open_file(path)?,
            &topology,
            message_bits,
            setup.seed,
            room,
        )?;
        return Ok(read.into_iter().map(of_file).collect());
    }
    let nodes = Nodes::new(machine.network().nodes())?;
    let senders = traffic::senders(nodes, setup.load.unwrap_or(DEFAULT_LOAD), setup.seed)?;
    let messages = match &destinations {
        Destinations::Pattern(pattern) => pattern.messages(nodes, &senders, setup.seed)?,
        Destinations::HotSpots(spots) => spots.messages(&senders, setup.seed),
    };
    let traffic = Traffic::many_to_one(nodes, message_bits, messages, setup.seed)?;
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
pub fn injection(
    setup: &RunSetup,
    machine: &WormholeMachine,
    (offered_load, message_bits): (f64, usize),
) -> Result<Injection, Error> {
    let nodes = Nodes::new(machine.network().nodes())?;
    let destinations = destinations(setup, machine)?;
    let sources = Sources {
        load: OfferedLoad::new(offered_load)?,
        message_bits,
        bursts: setup.injection.bursts()?,
        reply_bits: setup.injection.checked_replies(message_bits)?,
    };
    Ok(Injection::of(nodes, destinations, sources, setup.seed)?)
}
