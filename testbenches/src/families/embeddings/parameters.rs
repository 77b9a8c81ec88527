//! The parameters that the testbenches share, and what is asked for by them.

use rtl_model::embedding::constructions::{self, Ask, CONSTRUCTIONS, Construction};
use rtl_model::embedding::paths::Embedding;
use rtl_model::embedding::phase::Order;

use crate::error::Error;
use crate::error::refusal::{Refusal, out_of_range};
use crate::families::embeddings::dispersal::parameters::is_over_copies;
use crate::families::embeddings::relaxation::parameters as relaxation;
use crate::families::embeddings::testbench::{DISPERSAL, RELAXATION};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter, SEED};

/// Dimensions of the host of a dispersal, over the paths of an edge.
const DIMENSIONS_OF_SHARES: usize = 8;

/// The same over copies of cube-connected cycles, of 4 levels.
const DIMENSIONS_OF_COPIES: usize = 6;

/// The most bits of a message.
const MOST_MESSAGE_BITS: usize = 1 << 20;

pub const GUEST: Parameter = Parameter::name(
    ("guest", "--guest"),
    ("guest", |_| {
        let all = CONSTRUCTIONS.iter();
        all.map(|construction| construction.name()).collect()
    }),
    "The guest, by its name in `cubewave embedding`",
)
.default(Fallback::Text("cycle"))
.axis(
    Axis::new(
        "Guests, by their names in `cubewave embedding`, or all",
        "cycle",
    )
    .series(InSeries::InName),
);

pub const DIMS: Parameter =
    Parameter::whole(("dims", "--dims"), "N", "Dimensions n of the hypercube")
        .default(Fallback::Rule(default_dimensions))
        .default_in_words("as many as suit the guest")
        .called("n", "n = {}")
        .axis(Axis::of("").default_in_words("as many as suit each guest"));

pub const AXES: Parameter = Parameter::whole(
    ("axes", "--axes"),
    "K",
    "Axes of a grid, each of as many dimensions",
)
.default_in_words("2");

pub const SIDES: Parameter = Parameter::text(
    ("sides", "--sides"),
    "LIST",
    "Sides of a grid, which decide the hypercube, as in 5,5",
)
.default_in_words("powers of two")
.conflicts(&["dims", "axes"]);

/// Over copies it is the other one, where none is asked for: routes through copies are long, and wait for each other.
pub const ORDER: Parameter = Parameter::name(
    ("order", "--order"),
    ("order", |chosen| {
        let mut names = Order::EACH.map(Order::name);
        if is_over_copies(chosen) {
            names.reverse();
        }
        names.to_vec()
    }),
    "Who goes first: hop-by-hop, as in the paper's proofs, or greedy, the farthest to go",
)
.axis(Axis::new("Who goes first: hop-by-hop, greedy, or all", "hop-by-hop").named_first());

pub const BOTH_WAYS: Parameter = Parameter::switch(
    ("both_ways", "--both-ways"),
    "Send along every edge of the guest both ways",
)
.axis(Axis::of(""));

pub const START_UP: Parameter = Parameter::whole(
    ("start_up", "--start-up"),
    "T",
    "Start-up T: bit times before a packet's first bit",
)
.default(Fallback::Whole(0))
.called("T", "T = {}")
.axis(Axis::of("0"));

pub const PACKETS: Parameter = Parameter::whole(
    ("packets", "--packets"),
    "P",
    "Packets that every message is cut into",
)
.range(1, 4096)
.default_in_words("as many as the embedding sends at its cost")
.called("packets", "{} packets")
.left_in_words("its packets")
.axis(Axis::of(""));

/// How long messages are.
pub const LENGTH: Parameter = Parameter::whole(
    ("message_bits", "--message-bits"),
    "M",
    "Bits of the message of every guest edge, M, 1 to 1048576",
)
.range(1, MOST_MESSAGE_BITS)
.heading("Messages")
.default(Fallback::Whole(64))
.called("M", "M = {}")
.only(
    |chosen| !chosen.has(&NODE_BITS),
    "how long messages are follows from the bits that a node sends",
)
.axis(Axis::of("64"));

pub const NODE_BITS: Parameter = Parameter::whole(("node_bits", "--node-bits"), "N", "")
    .range(1, MOST_MESSAGE_BITS)
    .called("bits a node", "{} bits a node")
    .conflicts(&["message_bits"])
    .of_sweep()
    .axis(Axis::new(
        "Bits that a node of the hypercube sends in the phase, shared out evenly to the guest edges that begin there (rounded up), \
         in place of --message-bits: so guests of different size carry as much",
        "",
    ));

pub const VALUES: Parameter = Parameter::file(
    ("values", "--values"),
    "the messages",
    "The messages from a CSV file: a header `edge,value`, then a row for each guest edge, hexadecimal; the least significant bit \
     is the first of the first packet. `-` reads standard input",
)
.heading("Messages")
.default_in_words("drawn from the seed");

pub const RESULTS: Parameter = Parameter::output(
    ("results", "--results"),
    "the results",
    "Write the message of every guest edge as it arrived here, as CSV: edge,value. `-` is standard output; the report then goes to \
     standard error",
);

/// Those of the testbench of phases, in the order of its help.
pub const ALL: [&Parameter; 13] = [
    &GUEST, &DIMS, &AXES, &SIDES, &ORDER, &BOTH_WAYS, &START_UP, &PACKETS, &LENGTH, &NODE_BITS,
    &VALUES, &SEED, &RESULTS,
];

/// How the guest is laid into its host.
///
/// # Errors
/// A name of none.
pub fn construction(chosen: &Chosen) -> Result<&'static dyn Construction, Error> {
    let of_bench = match chosen.is(&RELAXATION) {
        true => &relaxation::GUEST,
        false => &GUEST,
    };
    let all = CONSTRUCTIONS.map(|construction| (construction.name(), construction));
    chosen.named(of_bench, &all)
}

/// Which of its sizes.
///
/// # Errors
/// Sides that cannot be read.
pub fn ask(chosen: &Chosen) -> Result<Ask, Error> {
    Ok(Ask {
        dimensions: chosen.whole(&DIMS),
        axes: chosen.whole(&AXES),
        sides: chosen.text(&SIDES).map(sides).transpose()?,
    })
}

/// Dimensions of the host where none are asked for: none where sides decide, or where there is no such host.
fn default_dimensions(chosen: &Chosen) -> Option<usize> {
    let is_named = chosen.has(&GUEST) && !chosen.is_point();
    match () {
        () if chosen.has(&SIDES) => None,
        () if is_over_copies(chosen) => Some(DIMENSIONS_OF_COPIES),
        () if chosen.is(&DISPERSAL) && !is_named => Some(DIMENSIONS_OF_SHARES),
        () => {
            let ask = Ask {
                axes: chosen.whole(&AXES),
                ..Ask::default()
            };
            construction(chosen).ok()?.host(&ask).ok()
        }
    }
}

/// Axes of a guest that is a grid, where none are asked for.
pub fn default_axes(chosen: &Chosen) -> Option<usize> {
    let ask = Ask {
        dimensions: chosen.whole(&DIMS),
        axes: Some(constructions::AXES),
        sides: None,
    };
    // Others have none.
    let host = construction(chosen).ok()?.host(&ask);
    host.ok().map(|_| constructions::AXES)
}

/// The sides of a grid.
fn sides(list: &str) -> Result<Vec<usize>, Error> {
    let all = list.split([',', 'x']).map(|side| side.trim().parse());
    all.collect::<Result<Vec<usize>, _>>().map_err(|_| {
        Refusal::of(SIDES.option)
            .because(format!("`{list}` is no list of numbers"))
            .instead("write the length of each axis, as in 8,8")
            .into()
    })
}

/// Who goes first.
///
/// # Errors
/// A name of none.
pub fn order(chosen: &Chosen) -> Result<Order, Error> {
    chosen.named(&ORDER, &Order::EACH.map(|order| (order.name(), order)))
}

/// Bits of a message of a phase: those that are asked for, or its share of what a node sends.
///
/// # Errors
/// Too many.
pub fn message_bits(chosen: &Chosen, embedding: &Embedding) -> Result<usize, Error> {
    let Some(bits) = chosen.whole(&NODE_BITS) else {
        return Ok(chosen.number(&LENGTH));
    };
    let edges = embedding.edges() << usize::from(chosen.is_on(&BOTH_WAYS));
    let bits = (bits * embedding.host().nodes()).div_ceil(edges.max(1));
    match bits > MOST_MESSAGE_BITS {
        true => Err(out_of_range(LENGTH.option, bits, 1..=MOST_MESSAGE_BITS).into()),
        false => Ok(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::embeddings::job::Job;
    use crate::families::embeddings::testbench::EMBEDDING;
    use crate::families::embeddings::work::Work;
    use crate::testbench::bench::{asked, refused};
    use crate::testbench::chosen::Given;

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        for (words, told) in [
            ("--guest gray-cycl", "gray-cycle"),
            ("--order greed", "greedy"),
            ("--message-bits 0", "choose 1 to 1048576"),
            ("--message-bits 1048577", "choose 1 to 1048576"),
            ("--packets 0", "choose 1 to 4096"),
        ] {
            let refusal = refused(&EMBEDDING, words).to_string();
            assert!(refusal.contains(told), "{refusal}");
        }
        let sides = ask(&asked(&EMBEDDING, "--sides 8,a")).unwrap_err();
        assert!(sides.to_string().contains("as in 8,8"));
    }

    #[test]
    fn the_command_asks_for_the_same_again() {
        for (words, expected) in [
            (
                "--guest gray-cycle --packets 3 --order greedy --both-ways --start-up 2",
                "--guest gray-cycle --dims 8 --order greedy --both-ways --start-up 2 --packets 3 --message-bits 64",
            ),
            (
                "--order hop-by-hop --start-up 0",
                "--guest cycle --dims 8 --order hop-by-hop --start-up 0 --message-bits 64",
            ),
            (
                "--guest grid --sides 4,4",
                "--guest grid --sides 4,4 --order hop-by-hop --start-up 0 --message-bits 64",
            ),
        ] {
            let job = Job::new(&asked(&EMBEDDING, words)).unwrap();
            let command = job.chosen.command("run");
            assert_eq!(command, format!("cubewave run embedding {expected}"));
        }
    }

    /// Every node of the cycle begins an edge; both ways, two.
    #[test]
    fn what_a_node_sends_is_shared_out_to_its_edges() {
        let chosen = asked(&EMBEDDING, "--dims 4").with(&NODE_BITS, Given::number(9));
        let both_ways = chosen.clone().with(&BOTH_WAYS, Given::On);
        let bits = |chosen: &Chosen| Job::new(chosen).unwrap().message_bits;
        assert_eq!((bits(&chosen), bits(&both_ways)), (9, 5));
        let most = chosen.with(&NODE_BITS, Given::number(MOST_MESSAGE_BITS + 1));
        let refusal = Job::new(&most).map(|_| ()).unwrap_err().to_string();
        assert!(refusal.contains("choose 1 to 1048576"), "{refusal}");
    }
}
