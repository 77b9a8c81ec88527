//! The parameters of the testbenches, and what is asked for by them.

use rtl_model::error::port_dimensions;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::MOST_MEMORY_BITS;
use rtl_model::routers::collectives::algorithms::{Algorithm, Operation};
use rtl_model::routers::ports::algorithm::PortModel;
use rtl_model::routers::ports::broadcast::MOST_DIMENSIONS;

use crate::error::Error;
use crate::families::collectives::operations::{self, algorithms};
use crate::families::collectives::permutation;
use crate::families::collectives::routers;
use crate::testbench::chosen::{Chosen, Form, Given, unknown};
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter};

/// The most bits of all messages that a node has, or is sent.
pub const MOST_NODE_BITS: usize = MOST_MEMORY_BITS;
/// The most bits of a message.
const MOST_MESSAGE_BITS: usize = 1 << 20;
/// The most bit times of a start-up.
const MOST_START_UP: usize = 1 << 20;
/// The most packets that a message is cut into, and the most groups.
const MOST_PACKETS: usize = 1 << 12;
/// The most bins of a histogram.
const MOST_BINS: usize = 1 << 20;

/// What algorithms have and routers beside them do not.
const fn of_algorithms(parameter: Parameter) -> Parameter {
    parameter.only(
        |chosen| !chosen.has(&AGAINST),
        "routers of other testbenches have none of it",
    )
}

pub const ALGORITHM: Parameter = of_algorithms(Parameter::name(
    ("algorithm", "--algorithm"),
    ("algorithm", |chosen| {
        let all = algorithms(operation(chosen));
        all.map(|one| one.name()).collect()
    }),
    "",
))
.help_of(operations::help_of_algorithms)
.axis(
    Axis::new("Algorithms, by their names in `cubewave list`, or all", "")
        .default_in_words("the first")
        .series(InSeries::InName),
);

pub const PORTS: Parameter = of_algorithms(Parameter::name(
    ("ports", "--ports"),
    ("port model", |chosen| {
        let models = algorithm(chosen).map_or(&[][..], |one| one.port_models());
        models.iter().map(|model| model.name()).collect()
    }),
    "Ports of a node that may be busy at once: one-way (it sends or receives on one), two-way (it sends on one and receives on one) \
     or all",
))
.value_name("MODEL")
.default_in_words("the first that the algorithm is defined for")
.refusal(|chosen, name| {
    let all = PortModel::EACH;
    match all.into_iter().find(|model| model.name() == name) {
        Some(model) => operations::undefined(algorithm(chosen).ok()?, model),
        None => Some(unknown("port model", name, all.map(PortModel::name).to_vec())),
    }
})
.called("ports", "{} ports")
.elsewhere_in_words("all ports")
.axis(
    Axis::new(
        "Ports: one-way, two-way, all (all ports at once), or all-models, each algorithm on those that it is defined for",
        "all",
    )
    .word_for_all("all-models")
    .names_beside(&ALGORITHM),
);

pub const DIMS: Parameter = Parameter::whole(
    ("dims", "--dims"),
    "K",
    "Dimensions n of the hypercube, 1 to 16",
)
.default(Fallback::Whole(6))
.called("n", "n = {}")
.of_cube(cube)
.axis(Axis::of("6"));

pub const START_UP: Parameter = of_algorithms(Parameter::whole(
    ("start_up", "--start-up"),
    "T",
    "Bit times before the first bit of each packet, T",
))
.range(0, MOST_START_UP)
.default(Fallback::Whole(8))
.called("T", "T = {}")
.axis(
    Axis::of("8")
        // What a router takes to start is not part of it, so algorithms are compared without.
        .default_beside("0")
        .default_in_words("8; 0 where routers are measured beside"),
);

pub const GROUPS: Parameter = of_algorithms(Parameter::whole(
    ("groups", "--groups"),
    "G",
    "Groups g of packets, where the algorithm has such",
))
.range(1, MOST_PACKETS)
.default_in_words("those for which the formula has the fewest bit times")
.called("g", "g = {}")
.axis(
    Axis::new(
        "Groups g of packets, where algorithms have such, or optimum for those for which the formula has the \
         fewest bit times",
        "optimum",
    )
    .word_for_left("optimum"),
);

pub const PACKETS: Parameter = of_algorithms(Parameter::whole(
    ("packet_bits", "--packet-bits"),
    "B",
    "Bits of a packet, B, where the algorithm does not choose them",
))
.default_in_words("those for which the formula has the fewest bit times")
.called("B", "B = {}")
.axis(
    Axis::new(
        "Bits of a packet, B, where algorithms do not choose them, or optimum",
        "optimum",
    )
    .word_for_left("optimum"),
);

pub const SOURCE: Parameter = Parameter::whole(
    ("source", "--source"),
    "NODE",
    "The one node: it has all messages, or is sent them",
)
.heading("Messages")
.default(Fallback::Whole(0));

pub const RECEIVER: Parameter = Parameter::whole(
    ("destination", "--destination"),
    "NODE",
    "The node that the message is for",
)
.heading("Messages")
.default(Fallback::Rule(|chosen| {
    Some((cube(chosen).ok()?.nodes() - 1) ^ chosen.number(&SOURCE))
}))
.default_in_words("the opposite corner of the source");

pub const MESSAGE: Parameter = Parameter::whole(
    ("message_bits", "--message-bits"),
    "M",
    "Bits of a message, M, 1 to 1048576",
)
.range(1, MOST_MESSAGE_BITS)
.heading("Messages")
.default(Fallback::Whole(64))
.called("M", "M = {}")
.axis(Axis::of(""));

pub const VALUES: Parameter = Parameter::file(("values", "--values"), "the messages", "")
    .heading("Messages")
    .help_of(operations::help_of_values);

pub const PERMUTED: Parameter = Parameter::text(
    ("permutation", "--permutation"),
    "NAME|FILE.csv",
    "Where each node's message goes: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity or packed, or a CSV \
     file: a header `source,destination`, then a row for each node. `-` reads standard input",
)
.heading("Messages")
.default(Fallback::Text("randperm"))
.or_file("the permutation", permutation::is_file);

pub const MATRIX: Parameter = Parameter::file(
    ("matrix", "--matrix"),
    "the matrix",
    "The matrix from a CSV file without a header: rows of numbers, as many as there are columns, a power of two. `-` reads standard \
     input",
)
.heading("Matrix")
.default_in_words("drawn from the seed");

pub const SIZE: Parameter = Parameter::whole(
    ("size", "--size"),
    "N",
    "Rows N of a matrix that is drawn, a power of two",
)
.heading("Matrix")
.default_in_words("as many as nodes, 4096 at the most")
.conflicts(&["matrix"])
.called("N", "N = {}")
.left_in_words("N = 2^n")
// Only how many bits a node has counts: both make up one axis.
.axis(
    Axis::of("")
        .default_in_words("as many as nodes, 4096 at the most")
        .in_rows("node_bits"),
);

/// Bits of an entry, or of a count.
const WORDS: Parameter =
    Parameter::whole(("word_bits", "--word-bits"), "W", "").called("W", "W = {}");

pub const ENTRIES: Parameter = WORDS
    .help("Bits W of an entry: 64 are doubles, 32 single precision, 1 to 31 whole numbers without a sign")
    .heading("Matrix")
    .default_in_words("64")
    .left_in_words("W = 64")
    .axis(Axis::of("").in_rows("node_bits"));

pub const COUNTS: Parameter = WORDS
    .help("Bits of a count, 1 to 32")
    .heading("Samples")
    .default_in_words("as few as hold the number of all samples")
    .left_in_words("W = fewest")
    .axis(Axis::of(""));

pub const BINS: Parameter = Parameter::whole(
    ("bins", "--bins"),
    "B",
    "Bins b, which all nodes have even shares of",
)
.range(1, MOST_BINS)
.heading("Samples")
.default_in_words("n 2^n")
.called("b", "b = {}")
.left_in_words("b = n 2^n")
.axis(Axis::of("").default_in_words("n 2^n"));

pub const SAMPLED: Parameter = Parameter::file(
    ("values", "--values"),
    "the samples",
    "Samples from a CSV file: a header `node,value`, then a row a sample, in any order and any number a node; the value is the \
     number of its bin, decimal. `-` reads standard input",
)
.heading("Samples")
.default_in_words("drawn from the seed")
.conflicts(&["samples"]);

pub const SAMPLES: Parameter = Parameter::whole(
    ("samples", "--samples"),
    "S",
    "Samples that are drawn for each node",
)
.heading("Samples")
.default_in_words("100")
.called("S", "S = {}")
.left_in_words("S = 100")
.axis(Axis::of("").default_in_words("100"));

pub const RESULTS: Parameter = Parameter::output(("results", "--results"), "the results", "")
    .help_of(operations::help_of_results);

pub const AGAINST: Parameter = Parameter::name(
    ("against", "--against"),
    ("router", |_| routers::ALL.map(|(name, _)| name).to_vec()),
    "",
)
.default(Fallback::None)
.of_sweep()
.axis(
    Axis::new(
        "Routers that do the same, run beside the algorithms: kuszmaul, wormhole or all",
        "",
    )
    .series(InSeries::InName)
    .beside(),
);

/// What is done.
pub fn operation(chosen: &Chosen) -> Operation {
    let is = |operation: &Operation| operation.name() == chosen.bench().name;
    let found = Operation::EACH.into_iter().find(is);
    found.unwrap_or(Operation::Scatter)
}

/// By which algorithm.
///
/// # Errors
/// A name of none.
pub fn algorithm(chosen: &Chosen) -> Result<&'static dyn Algorithm, Error> {
    let all = algorithms(operation(chosen));
    let all: Vec<_> = all.map(|one| (one.name(), one)).collect();
    chosen.named(&ALGORITHM, &all)
}

/// The ports that may be busy.
///
/// # Errors
/// A name of none, and ports that the algorithm is not defined for.
pub fn ports(chosen: &Chosen) -> Result<PortModel, Error> {
    chosen.named(&PORTS, &PortModel::EACH.map(|model| (model.name(), model)))
}

/// The cube.
///
/// # Errors
/// Out of range.
pub fn cube(chosen: &Chosen) -> Result<Dimensions, Error> {
    match chosen.number(&DIMS) {
        dims @ 1..=MOST_DIMENSIONS => Ok(Dimensions::new(dims)?),
        dimensions => Err(port_dimensions(dimensions, MOST_DIMENSIONS).into()),
    }
}

/// A number, if it is in range.
///
/// # Errors
/// Out of range.
pub fn in_range(
    parameter: &Parameter,
    number: usize,
    [least, most]: [usize; 2],
) -> Result<usize, Error> {
    match (least..=most).contains(&number) {
        true => Ok(number),
        false => {
            let why = format!("{number} is out of range: choose {least} to {most}");
            Err(parameter.blamed(why))
        }
    }
}

/// Bits of a packet of a message of so many, where some are asked for.
///
/// # Errors
/// None, more than the message has, and so few that there would be too many packets.
pub fn packet_bits(chosen: &Chosen, message_bits: usize) -> Result<Option<usize>, Error> {
    let least = message_bits.div_ceil(MOST_PACKETS).max(1);
    let bits = chosen.whole(&PACKETS);
    let bits = bits.map(|bits| in_range(&PACKETS, bits, [least, message_bits.max(least)]));
    bits.transpose()
}

/// Bits of a message, where they do not follow from a matrix or from samples.
///
/// # Errors
/// More than a node has room for, with the most bits that can be.
pub fn message_bits(chosen: &Chosen) -> Result<usize, Error> {
    let message_bits = chosen.number(&MESSAGE);
    let messages = match operation(chosen) {
        Operation::Send | Operation::PermutedSend | Operation::Inversion => 1,
        _ => cube(chosen)?.nodes(),
    };
    match message_bits.checked_mul(messages) {
        Some(0..=MOST_NODE_BITS) => Ok(message_bits),
        _ => Err(MESSAGE.blamed(format!(
            "a node would have {messages} messages of {message_bits} bits: choose fewer dimensions, or messages of {} bits at the \
             most",
            MOST_NODE_BITS / messages
        ))),
    }
}

/// The one node of scatter, gather and send.
///
/// # Errors
/// A node that the cube does not have.
pub fn source(chosen: &Chosen) -> Result<usize, Error> {
    let last = cube(chosen)?.nodes() - 1;
    in_range(&SOURCE, chosen.number(&SOURCE), [0, last])
}

/// The other end of a send.
///
/// # Errors
/// A node that the cube does not have, or the source.
pub fn destination(chosen: &Chosen) -> Result<usize, Error> {
    let (source, last) = (source(chosen)?, cube(chosen)?.nodes() - 1);
    match in_range(&RECEIVER, chosen.number(&RECEIVER), [0, last])? {
        same if same == source => {
            Err(RECEIVER.blamed(format!("node {same} is the source: choose another")))
        }
        other => Ok(other),
    }
}

/// The same on a cube of so many dimensions, as large as it is where nothing else is asked for.
pub fn smaller(chosen: &Chosen, dims: usize) -> Chosen {
    let of_size = [
        &MESSAGE, &SIZE, &COUNTS, &BINS, &SAMPLES, &GROUPS, &PACKETS, &SOURCE, &RECEIVER, &PERMUTED,
    ];
    let without = of_size
        .into_iter()
        .fold(chosen.clone(), |chosen, one| chosen.with(one, None));
    without.with(&DIMS, Given::Whole(Form::number(dims)))
}

#[cfg(test)]
mod tests;
