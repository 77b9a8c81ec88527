//! The parameters of the testbenches, and what is asked for by them.

use rtl_model::error::Error as ModelError;
use rtl_model::traffic::Relation;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::error::refusal::not_by;
use crate::families::relations::others;
use crate::families::relations::schedules;
use crate::lockstep::parameters;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter, permutations};

pub const BATCHES: Parameter = amount(
    Parameter::whole(
        ("batches", "--batches"),
        "B",
        "Batches of messages, each a partial permutation of its own, streamed one behind the other, 1 to 4096",
    )
    .called("batches", "{} batches"),
);

pub const H: Parameter = amount(
    Parameter::whole(
        ("h", "--h"),
        "H",
        "The most messages that a node sends, and the most that it receives, H: 1 to 16",
    )
    .called("H", "H = {}"),
);

pub const PROCESSORS: Parameter = amount(
    Parameter::whole(
        ("processors", "--processors"),
        "P",
        "Processors at each vertex, 1 to 4096: as many as there are dimensions in cube-connected cycles as the paper puts them",
    )
    .called("processors", "{} processors"),
);

/// How many messages a node has, which picks the testbench.
const fn amount(of: Parameter) -> Parameter {
    of.required().axis(Axis::of(""))
}

pub const INTERVAL: Parameter = Parameter::whole(
    ("interval", "--interval"),
    "P",
    "Bit times from the beginning of a batch to that of the next",
)
.default_in_words("the fewest at which no two units ever have one wire");
pub const INTERVAL_OF_MATCHINGS: Parameter = INTERVAL.help(
    "Bit times from the beginning of a batch to that of the next, where the messages go in batches",
);

/// The schedule; what is measured beside has another one, or none.
const SCHEDULE: Parameter = Parameter::name(
    ("schedule", "--schedule"),
    ("schedule", |chosen| {
        schedules::names(Amount::of(chosen).is_batches())
    }),
    "",
)
.refusal(|chosen, name| schedules::why_not(name, Amount::of(chosen).is_batches()))
.only(
    |chosen| !chosen.has(&AGAINST),
    "routers beside have schedules of their own",
);
pub const SCHEDULE_OF_BATCHES: Parameter = SCHEDULE
    .help("Schedule: spread, overlapped, radix4")
    .axis(schedules_but("spread"));
pub const SCHEDULE_OF_RELATIONS: Parameter = SCHEDULE
    .help("Schedule: spread, overlapped, radix4, counting")
    .default(Fallback::Text("counting"))
    .axis(schedules_but("all"));

/// The axis of schedules, with a list where none is given.
const fn schedules_but(default: &'static str) -> Axis {
    Axis::new("Schedules, or all", default)
        .default_in_words("spread for batches, all for h-relations")
        .series(InSeries::InName)
}

/// Routers of other testbenches, which are given the same messages.
pub const AGAINST: Parameter = Parameter::name(
    ("against", "--against"),
    ("router", |_| {
        others::OTHERS.iter().map(|(name, _)| *name).collect()
    }),
    "",
)
.default(Fallback::None)
.of_sweep()
.axis(
    Axis::new(
        "Beside them, routers that are given the same messages a set at a time: plain, overlapped, folded, spread, radix4 of this \
         testbench on one wire a dimension, wormhole in dimension order, or all",
        "",
    )
    .default_in_words("none")
    .beside()
    .series(InSeries::InName),
);

pub const DIMS: Parameter = parameters::DIMS.axis(Axis::of("6"));

pub const PAYLOAD_BITS: Parameter = parameters::PAYLOAD_BITS.axis(Axis::of("8"));

/// The traffic pattern. A run of an h-relation may have `uniform` too, where destinations are drawn one by one.
pub const TRAFFIC: Parameter = Parameter::name(
    ("traffic", "--traffic"),
    ("traffic pattern", |chosen| {
        let (uniform, ..) = Pattern::UNIFORM;
        let is_run = Amount::of(chosen) == Amount::Relation && !chosen.is_point();
        let patterns = patterns(chosen).into_iter();
        patterns.chain(is_run.then_some(uniform)).collect()
    }),
    "Traffic pattern: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity, packed",
)
.heading("Traffic")
.refusal(why_no_traffic)
.axis(
    Axis::new("Traffic patterns, or all", "")
        .default_in_words("randperm for batches, h-relation else"),
);
pub const TRAFFIC_OF_RELATIONS: Parameter = TRAFFIC.help(
    "Traffic pattern: h-relation, or H messages each by randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity, \
     packed",
);
/// Processors that share a vertex have one.
pub const TRAFFIC_OF_PROCESSORS: Parameter = TRAFFIC.fixed();

pub const TRAFFIC_FILE: Parameter = Parameter::file(
    ("traffic_file", "--traffic-file"),
    "the traffic",
    "Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a row a message, any number from a \
     node and to one, as far as they are allowed. Payloads are hexadecimal, their least significant bit is sent first; those left \
     out are drawn from the seed. `-` reads standard input",
)
.heading("Traffic")
.value_name("FILE")
.conflicts(&["traffic", "load"]);
pub const TRAFFIC_FILE_OF_BATCHES: Parameter = TRAFFIC_FILE.help(
    "Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a row a message, any number from a \
     node and to one, as far as they are allowed. A further column `batch` may say in which batch a message goes, from 0; without it \
     they are shared out. Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from the \
     seed. `-` reads standard input",
);

pub const TRAFFIC_FILE_OF_PROCESSORS: Parameter = TRAFFIC_FILE.help(
    "Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a row a message between nodes. By \
     their sources, and by destinations where these are the same, the first messages are for node 0, as many as it has processors, the \
     next for node 1, and so on. Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from \
     the seed. `-` reads standard input",
)
.conflicts(&["load"]);

pub const LOAD: Parameter = Parameter::share(
    ("load", "--load"),
    "Share of the nodes that send a message in a batch, 0 to 1",
)
.heading("Traffic")
.default(Fallback::Share(0.75))
.called("load", "load {}")
.axis(Axis::new("Share of the nodes that send, 0 to 1", "1"));
pub const LOAD_OF_RELATIONS: Parameter = LOAD.help(
    "Share of the nodes that send, 0 to 1: of an h-relation in each of H partial permutations",
);
pub const LOAD_OF_PROCESSORS: Parameter =
    LOAD.help("Share of the processors that send, 0 to 1: the one of rank r sends to processor r");

/// For what a node has several messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// One for each batch.
    Batches,
    /// So many at the most, `H`.
    Relation,
    /// One for each of the processors that share a vertex.
    Processors,
}

impl Amount {
    /// For what it has them in a testbench.
    pub fn of(chosen: &Chosen) -> Self {
        match () {
            () if chosen.takes(&BATCHES) => Amount::Batches,
            () if chosen.takes(&H) => Amount::Relation,
            () => Amount::Processors,
        }
    }

    /// Whether they are batches.
    pub fn is_batches(self) -> bool {
        self == Amount::Batches
    }

    /// What says how many.
    pub fn parameter(self) -> &'static Parameter {
        match self {
            Amount::Batches => &BATCHES,
            Amount::Relation => &H,
            Amount::Processors => &PROCESSORS,
        }
    }
}

/// The patterns that there are, the first where none is asked for.
fn patterns(chosen: &Chosen) -> Vec<&'static str> {
    let own = match Amount::of(chosen) {
        Amount::Processors => return vec![Pattern::Packed.name()],
        Amount::Relation => Some(Relation::NAME),
        Amount::Batches => None,
    };
    own.into_iter().chain(permutations(chosen)).collect()
}

/// What is said of a name that is no pattern here.
fn why_no_traffic(chosen: &Chosen, name: &str) -> Option<Error> {
    match Amount::of(chosen) {
        _ if chosen.is_point() => None,
        Amount::Batches if name == Relation::NAME => Some(not_by(
            "kuszmaul",
            "batches are partial permutations, and an h-relation is none: give --h in place of --batches, and its matchings become \
             the batches",
        )),
        Amount::Batches => match Pattern::from_name(name) {
            Ok(_) | Err(ModelError::UnknownTraffic { .. }) => None,
            Err(other) => Some(other.into()),
        },
        Amount::Relation | Amount::Processors => None,
    }
}

/// The pattern of the traffic; none of random h-relations.
///
/// # Errors
/// A name of none.
pub fn pattern(chosen: &Chosen) -> Result<Option<Pattern>, Error> {
    Ok(Pattern::from_any_name(chosen.name(&TRAFFIC)?).ok())
}

/// The share of nodes that send.
pub fn load(chosen: &Chosen) -> f64 {
    chosen.share(&LOAD).unwrap_or_default()
}
