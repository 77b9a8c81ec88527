//! The parameters of the testbenches, and what is asked for by them.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use rtl_model::routers::reduced_hypercube::broadcast::Switching;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::error::Error;
use crate::families::reduced_hypercube::algorithm::Algorithm;
use crate::families::reduced_hypercube::operation::Operation;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter};

/// RH(k,n), and the hypercube.
const NETWORKS: [(&str, bool); 2] = [("reduced-hypercube", false), ("hypercube", true)];
const SWITCHINGS: [(&str, Switching); 2] = [
    ("store-and-forward", Switching::StoreAndForward),
    ("cut-through", Switching::CutThrough),
];

/// Dimensions of a building block where none are asked for.
const DIMENSIONS: usize = 3;
/// Bits of a sub-block's number.
const BLOCKS: usize = 2;

pub const NETWORK: Parameter = Parameter::name(
    ("network", "--network"),
    ("network", |_| NETWORKS.map(|(name, _)| name).to_vec()),
    "Network: reduced-hypercube, or hypercube, of as many nodes where --blocks is given",
)
.axis(Axis::new("Networks: reduced-hypercube, hypercube, or all", "all").series(InSeries::InName));

pub const DIMS: Parameter = Parameter::whole(
    ("dims", "--dims"),
    "K",
    "Dimensions k of a building block of the reduced hypercube RH(k,n), n to 28 - 2^n; of a hypercube without --blocks, all of \
     them, 1 to 34",
)
.default(Fallback::Rule(|chosen| {
    let is_of_blocks = !is_full(chosen) || chosen.has(&BLOCKS_OF);
    Some(DIMENSIONS + if is_of_blocks { 0 } else { 1 << BLOCKS })
}))
.default_in_words("3; of a hypercube without --blocks 7")
.called("k", "k = {}")
.axis(Axis::new("Dimensions k of a building block", "3"));

pub const BLOCKS_OF: Parameter = Parameter::whole(
    ("blocks", "--blocks"),
    "N",
    "Bits n of a sub-block's number, 1 to 4: there are 2^n dimensions of building blocks, 2^(k+2^n) nodes",
)
.default(Fallback::Rule(|chosen| (!is_full(chosen)).then_some(BLOCKS)))
.default_in_words("2")
.called("n", "n = {}")
.axis(Axis::new(
    "Bits n of a sub-block's number; hypercubes have as many nodes, 2^(k+2^n)",
    "2",
));

/// The form of an operation, on the reduced hypercube.
const ALGORITHM: Parameter = Parameter::name(
    ("algorithm", "--algorithm"),
    ("algorithm", |chosen| {
        let all = Algorithm::of(operation(chosen)).iter();
        all.map(|one| one.name()).collect()
    }),
    "",
)
.only(
    |chosen| !is_full(chosen),
    "on the hypercube each operation has a single form: leave it out",
)
.axis(
    Axis::new(
        "Algorithms on the reduced hypercube, of those that the operations have, or all",
        "all",
    )
    .series(InSeries::InName),
);
pub const TREE: Parameter = ALGORITHM.help(
    "The tree in a building block of the reduced hypercube: double-rooted, as in the thesis, or e-cube",
);
pub const REDUCTION: Parameter = ALGORITHM.help(
    "Form on the reduced hypercube: printed, as in the thesis, or short, which goes home once",
);
pub const PREFIX_FORM: Parameter = ALGORITHM.help(
    "Form on the reduced hypercube: printed, as in the thesis, short, which walks from sub-block to sub-block, or in-place, in \
     which messages alone walk",
);
pub const SORT_FORM: Parameter = ALGORITHM.help(
    "Form on the reduced hypercube: virtual-cube, one bitonic sort, or pairs-of-blocks, the thesis's, mended",
);

pub const SWITCHING: Parameter = Parameter::name(
    ("switching", "--switching"),
    ("switching", |_| SWITCHINGS.map(|(name, _)| name).to_vec()),
    "How a node hands on the message: store-and-forward or cut-through",
)
.axis(Axis::new(
    "How broadcasts are handed on: store-and-forward, cut-through, or all",
    "store-and-forward",
));

pub const OPERATOR: Parameter = Parameter::name(
    ("operator", "--operator"),
    ("operator", |_| Operator::ALL.map(|one| one.name()).to_vec()),
    "What words are combined by: add, min, max, and, or, or carry (pairs of bits: bit 2i+1 propagates a carry, bit 2i generates \
     one; not commutative)",
)
.axis(Axis::new(
    "What words are combined by: add, min, max, and, or, carry, or all",
    "add",
));

pub const KEYS: Parameter = Parameter::whole(
    ("keys", "--keys"),
    "P",
    "Keys of a node, p, 1 to 64 / 2^n; 64 on a hypercube",
)
.default(Fallback::Whole(1))
.called("p", "p = {}")
.axis(Axis::of("1"));

pub const SOURCE: Parameter = Parameter::whole(
    ("source", "--source"),
    "NODE",
    "The node that has the message",
)
.heading("Message")
.default(Fallback::Whole(0));

pub const MESSAGE_BITS: Parameter = Parameter::whole(
    ("message_bits", "--message-bits"),
    "M",
    "Bits of the message, M, 1 to 4096",
)
.heading("Message")
.default(Fallback::Whole(64));

pub const MESSAGE: Parameter = Parameter::file(
    ("values", "--values"),
    "the words",
    "The message from a CSV file: a header `node,value`, then one row, of the source, hexadecimal; its least significant bit is \
     sent first. `-` reads standard input",
)
.heading("Message")
.default_in_words("drawn from the seed");

pub const WORD_BITS: Parameter = Parameter::whole(
    ("word_bits", "--word-bits"),
    "W",
    "Bits of a word, w, 1 to 4096",
)
.heading("Words")
.default(Fallback::Whole(16))
.called("w", "w = {}")
.axis(Axis::new("Bits of a word, and of a message", "16"));
/// Where broadcasts are measured with other operations, a message is as long as a word.
pub const WORD_BITS_OF_MESSAGE: Parameter = WORD_BITS.of_sweep().called_in_runs(&MESSAGE_BITS);

pub const VALUES: Parameter = Parameter::file(
    ("values", "--values"),
    "the words",
    "The words from a CSV file: a header `node,value`, then a row for each word, hexadecimal; those of a node in their order. `-` \
     reads standard input",
)
.heading("Words")
.default_in_words("drawn from the seed");

pub const RESULTS: Parameter = Parameter::output(
    ("results", "--results"),
    "the results",
    "Write what the nodes end up with here, as CSV: node,value. `-` is standard output; the report then goes to standard error",
);

/// What is done.
pub fn operation(chosen: &Chosen) -> Operation {
    let is = |operation: &Operation| operation.name() == chosen.bench().name;
    Operation::ALL.into_iter().find(is).unwrap_or_default()
}

/// Whether the network is the hypercube.
pub(super) fn is_full(chosen: &Chosen) -> bool {
    chosen.named(&NETWORK, &NETWORKS).unwrap_or_default()
}

/// The network.
///
/// # Errors
/// A name of none, or a size that there is not.
pub fn network(chosen: &Chosen) -> Result<BlockNetwork, Error> {
    let is_full = chosen.named(&NETWORK, &NETWORKS)?;
    let dims = chosen.number(&DIMS);
    let Some(blocks) = chosen.whole(&BLOCKS_OF) else {
        return Ok(BlockNetwork::Full(Dimensions::new(dims)?));
    };
    let reduced = BlockNetwork::Reduced(ReducedHypercube::new(dims, blocks)?);
    Ok(if is_full { reduced.full() } else { reduced })
}

/// The form; on the hypercube there is one.
///
/// # Errors
/// A name of none.
pub fn algorithm(chosen: &Chosen) -> Result<Algorithm, Error> {
    if is_full(chosen) {
        return Ok(Algorithm::Textbook);
    }
    let name = chosen.name(&ALGORITHM)?;
    let mut all = Algorithm::of(operation(chosen)).iter().copied();
    Ok(all
        .find(|one| one.name() == name)
        .unwrap_or(Algorithm::Textbook))
}

/// What words are combined by.
///
/// # Errors
/// A name of none.
pub fn operator(chosen: &Chosen) -> Result<Operator, Error> {
    chosen.named(&OPERATOR, &Operator::ALL.map(|one| (one.name(), one)))
}

/// How a message is handed on.
///
/// # Errors
/// A name of none.
pub fn switching(chosen: &Chosen) -> Result<Switching, Error> {
    chosen.named(&SWITCHING, &SWITCHINGS)
}

/// Bits of a word, or of the message.
pub fn word_bits(chosen: &Chosen) -> usize {
    match operation(chosen) {
        Operation::Broadcast if !chosen.has(&WORD_BITS) => chosen.number(&MESSAGE_BITS),
        _ => chosen.number(&WORD_BITS),
    }
}
