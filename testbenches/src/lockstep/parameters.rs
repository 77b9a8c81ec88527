//! Parameters of routers that carry messages in lockstep, and what is asked for by them.

use std::cell::OnceCell;

use rtl_model::error::Error as ModelError;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{self, Computed, NodeSet, Nodes, Traffic, file};

use crate::error::Error;
use crate::lockstep::schedule::Schedule;
use crate::lockstep::sent::{Held, Sent};
use crate::options::{file_name, open_file, read_traffic_file};
use crate::ranks;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter, permutations};

/// The share of nodes that send where none is asked for: as many as show what partial routings are like.
const LOAD_OF_PARTIAL: f64 = 0.75;

/// When a router does what, of testbenches that have several schedules.
pub const SCHEDULE: Parameter = Parameter::name(
    ("schedule", "--schedule"),
    ("schedule", |chosen| {
        let all = chosen.bench().schedules.iter();
        all.map(|schedule| schedule.name()).collect()
    }),
    "Schedule:",
)
.axis(Axis::new("Schedules, or all:", "").series(InSeries::InName));

/// The cube.
pub const DIMS: Parameter = Parameter::whole(
    ("dims", "--dims"),
    "K",
    "Dimensions of the hypercube, 1 to 34",
)
.default(Fallback::Whole(6))
.called("k", "k = {}")
.axis(Axis::of("2..8").series(InSeries::Never));

/// Bits of every message beside its address.
pub const PAYLOAD_BITS: Parameter = Parameter::whole(
    ("payload_bits", "--payload-bits"),
    "D",
    "Payload bits of every message, 1 to 65536",
)
.default(Fallback::Whole(8))
.called("D", "D = {}")
.axis(Axis::of("8").series(InSeries::Always));

/// Who sends to whom.
pub const TRAFFIC: Parameter = Parameter::name(
    ("traffic", "--traffic"),
    ("traffic pattern", permutations),
    "Traffic pattern: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity or packed",
)
.heading("Traffic")
.default(Fallback::Text("randperm"))
.refusal(|_, name| match Pattern::from_name(name) {
    Err(ModelError::UnknownTraffic { .. }) | Ok(_) => None,
    Err(error) => Some(error.into()),
})
.axis(Axis::new("Traffic patterns, as of `run`, or all", "").series(InSeries::IfGiven));

/// A file in the place of a pattern.
pub const TRAFFIC_FILE: Parameter = Parameter::file(
    ("traffic_file", "--traffic-file"),
    "the traffic",
    "Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a row a message. Payloads are \
     hexadecimal, their least significant bit is sent first; those left out are drawn from the seed. `-` reads standard input",
)
.heading("Traffic")
.value_name("FILE")
.conflicts(&["traffic", "load"]);

/// Who sends.
pub const LOAD: Parameter = Parameter::share(
    ("load", "--load"),
    "Share of the nodes that send a message each (all at bit time 0), 0 to 1",
)
.heading("Traffic")
.default(Fallback::ShareRule(|chosen| match schedule(chosen) {
    Ok(Some(schedule)) if schedule.is_full_only() => 1.0,
    _ => LOAD_OF_PARTIAL,
}))
.default_in_words("0.75")
.called("load", "load {}")
.axis(Axis::of("").series(InSeries::Never));

/// The same where a schedule carries full permutations alone.
pub const LOAD_OF_SORTS: Parameter = LOAD.default_in_words("0.75; of schedule sort: 1");

/// A set of nodes, from a file.
pub const SET_FILE: Parameter = Parameter::file(
    ("traffic_file", "--traffic-file"),
    "the traffic",
    "The set, from a CSV file: a header `source`, then a row a member. A traffic file will do: its columns `destination` and \
     `payload` mean nothing here. `-` reads standard input",
)
.heading("Traffic")
.value_name("FILE")
.conflicts(&["load"]);

/// How large a set is that is drawn.
pub const SET_LOAD: Parameter = LOAD
    .help("Share of the nodes that are in the set, 0 to 1")
    .axis(Axis::of("").series(InSeries::Never));

/// The cube.
///
/// # Errors
/// Out of range.
pub fn dimensions(chosen: &Chosen) -> Result<Dimensions, Error> {
    Ok(Dimensions::new(chosen.number(&DIMS))?)
}

/// The schedule, if the testbench has any.
///
/// # Errors
/// A name that it has not.
pub fn schedule(chosen: &Chosen) -> Result<Option<Schedule>, Error> {
    let name = chosen.name(&SCHEDULE)?;
    let mut all = chosen.bench().schedules.iter();
    Ok(all.find(|schedule| schedule.name() == name).copied())
}

/// The traffic pattern.
///
/// # Errors
/// A name that there is not.
pub fn pattern(chosen: &Chosen) -> Result<Pattern, Error> {
    Ok(Pattern::from_name(traffic_pattern(chosen)?)?)
}

/// Its name.
fn traffic_pattern(chosen: &Chosen) -> Result<&'static str, Error> {
    let own = chosen.bench().parameter(TRAFFIC.name);
    chosen.name(own.unwrap_or(&TRAFFIC))
}

/// What the traffic is called in the report.
///
/// # Errors
/// A pattern that there is not.
pub fn traffic_name(chosen: &Chosen) -> Result<String, Error> {
    match chosen.path(&TRAFFIC_FILE) {
        Some(path) => Ok(file_name(path)),
        None => Ok(traffic_pattern(chosen)?.to_owned()),
    }
}

/// The share of nodes that send; none with a file.
pub fn load(chosen: &Chosen) -> Option<f64> {
    match chosen.path(&TRAFFIC_FILE) {
        Some(_) => None,
        None => Some(share_of_senders(chosen)),
    }
}

/// The share of nodes that send, if it is drawn.
pub fn share_of_senders(chosen: &Chosen) -> f64 {
    chosen.share(&LOAD).unwrap_or(LOAD_OF_PARTIAL)
}

/// The traffic, as a list.
///
/// # Errors
/// A load out of range, a pattern that does not exist here, a file that cannot be used.
pub fn traffic(chosen: &Chosen) -> Result<Traffic, Error> {
    let (cube, payload_bits) = (dimensions(chosen)?, chosen.number(&PAYLOAD_BITS));
    let Some(path) = chosen.path(&TRAFFIC_FILE) else {
        let (load, pattern) = (share_of_senders(chosen), pattern(chosen)?);
        return Ok(Traffic::drawn(
            cube,
            payload_bits,
            pattern,
            load,
            chosen.seed(),
        )?);
    };
    read_traffic_file(path, |name, input| {
        file::read_traffic(name, input, &cube, payload_bits, chosen.seed())
    })
}

/// Refuses traffic that there is not: as far as that is known without drawing or reading any.
///
/// # Errors
/// A pattern that does not exist here, a file that cannot be opened; of traffic that `is_listed`, more nodes than a list has room for.
pub fn check_traffic(chosen: &Chosen, is_listed: bool) -> Result<(), Error> {
    let nodes = Nodes::from(dimensions(chosen)?);
    if let Some(path) = chosen.path(&TRAFFIC_FILE) {
        open_file(path)?;
    } else if chosen.takes(&TRAFFIC) {
        pattern(chosen)?.check(nodes)?;
    }
    if is_listed {
        nodes.check_listed()?;
    }
    Ok(())
}

/// How a router of any partial permutation holds its traffic.
///
/// # Errors
/// A pattern that does not exist.
pub fn held(chosen: &Chosen) -> Result<Held, Error> {
    let cube = dimensions(chosen)?;
    Ok(match chosen.path(&TRAFFIC_FILE) {
        Some(_) if !chosen.needs_list => Held::InParts,
        None if Computed::serves(cube.into()) && Computed::knows(pattern(chosen)?) => {
            Held::Computed
        }
        _ => Held::Listed,
    })
}

/// The traffic, [held] as it can be.
///
/// # Errors
/// As [`traffic()`].
pub fn sent(chosen: &Chosen) -> Result<Sent, Error> {
    let (cube, payload_bits) = (dimensions(chosen)?, chosen.number(&PAYLOAD_BITS));
    let rank = ranks::here();
    match (held(chosen)?, chosen.path(&TRAFFIC_FILE)) {
        (Held::Computed, _) => {
            let (load, pattern) = (share_of_senders(chosen), pattern(chosen)?);
            let computed = Computed::new(cube, payload_bits, pattern, load, chosen.seed())?;
            Ok(Sent::Computed(Box::new(computed), OnceCell::new()))
        }
        (Held::InParts, Some(path)) if rank.share().ranks() > 1 => {
            // Nodes have places in shares of one node and more only.
            rank.share().check(&cube)?;
            let mut part = read_traffic_file(path, |name, input| {
                file::read_part(
                    name,
                    input,
                    (cube, rank.share()),
                    payload_bits,
                    chosen.seed(),
                )
            })?;
            part.join(&rank);
            Ok(Sent::Part(Box::new(part)))
        }
        _ => traffic(chosen).map(Sent::Listed),
    }
}

/// A set of nodes.
///
/// # Errors
/// A load out of range, a file that cannot be used.
pub fn set(chosen: &Chosen) -> Result<NodeSet, Error> {
    let cube = dimensions(chosen)?;
    match chosen.path(&SET_FILE) {
        None => {
            let set = traffic::sender_set(cube, share_of_senders(chosen), chosen.seed());
            set.map_err(|error: ModelError| error.into())
        }
        Some(path) => read_traffic_file(path, |name, input| file::read_set(name, input, &cube)),
    }
}
