//! The parameters of the routers and of their traffic, and the machine that they choose.

use rtl_model::embedding::copies::Copies;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::{MAX_VIRTUAL_CHANNELS, Network, Parameters};
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::pieces::Pieces;
use rtl_model::traffic::MAX_PAYLOAD_BITS;
use rtl_model::traffic::hot_spots::HotSpots;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::error::refusal::{Refusal, not_by};
use crate::families::wormhole::injection::{OFFERED_LOAD, SATURATION};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter};

/// Networks, by their names.
pub const NETWORKS: [(&str, NetworkName); 5] = [
    ("ccc", NetworkName::Ccc),
    ("copies", NetworkName::Copies),
    ("ecube", NetworkName::Ecube),
    ("valiant", NetworkName::Valiant),
    ("butterflies", NetworkName::Butterflies),
];

/// How the n copies cut messages into pieces, by its names.
pub const CUTS: [(&str, Pieces); 2] = [("by-way", Pieces::ByWay), ("even", Pieces::Even)];

/// Whether a node makes one new connection in a bit time or any number, by the names of its switch.
pub const SWITCHES: [(&str, bool); 2] = [("strong", false), ("weak", true)];

pub const DIMS: Parameter = Parameter::whole(
    ("dims", "--dims"),
    "N",
    "Levels n of the cube-connected cycles, 2 to 16",
)
.default(Fallback::Whole(4))
.called("n", "n = {}")
.axis(
    Axis::new(
        "Levels of the cube-connected cycles: numbers and ranges, as in 2..8,10 or 2..8:2, both ends included",
        "",
    )
    .named_first(),
);

pub const NETWORK: Parameter = Parameter::name(
    ("network", "--network"),
    ("network", |_| NETWORKS.map(|(name, _)| name).to_vec()),
    "Network of --dims n: ccc (cube-connected cycles: n levels of 2^n columns), copies (the n copies of them in the hypercube of as \
     many nodes; messages go in pieces), ecube (the same hypercube in order of dimensions), valiant (the same hypercube, twice in \
     order of dimensions: to a node drawn at random, and from there on) or butterflies (the cross product of butterflies in a \
     hypercube, n = 4 or 8 levels in its rows and columns together: along the row's butterfly, then along the column's)",
)
.axis(Axis::new("Networks of --dims n, as of `run`, or all", "").series(InSeries::InName));

pub const MESSAGE_BITS: Parameter = Parameter::whole(
    ("message_bits", "--message-bits"),
    "M",
    "Bits of every message, headers not counted, 1 to 65536",
)
.default(Fallback::Whole(64))
.called("M", "M = {}")
.axis(
    Axis::new(
        "Bits of every message, headers not counted: numbers and ranges",
        "",
    )
    .named_first(),
);

pub const VIRTUAL_CHANNELS: Parameter = Parameter::whole(
    ("virtual_channels", "--virtual-channels"),
    "V",
    "Virtual channels of a straight link, 1 to 3; a cross link has two at the most. A link of ecube has one, of valiant two at the \
     most. With fewer than that worms may wait for each other in a circle",
)
.default(Fallback::Rule(|chosen| Some(most_virtual_channels(chosen))))
.default_in_words("as many as exclude it")
.called("V", "V = {}")
.axis(
    Axis::new(
        "Virtual channels of a straight link: numbers and ranges. Network ecube takes 1 and valiant 2 at the most, whatever others \
         take",
        "",
    )
    .default_in_words("3")
    .series(InSeries::IfChoice(|chosen| most_virtual_channels(chosen) > 1)),
);

pub const BUFFER_BITS: Parameter = Parameter::whole(
    ("buffer_bits", "--buffer-bits"),
    "B",
    "Bits that each channel's buffer holds, 1 to 64",
)
.default(Fallback::Whole(2))
.called("b", "b = {}")
.axis(Axis::new(
    "Bits that each channel's buffer holds: numbers and ranges",
    "",
));

pub const STORAGE: Parameter = Parameter::whole(("storage", "--storage"), "BITS", "")
    .called("storage", "storage {}")
    .conflicts(&["buffer_bits"])
    .of_sweep()
    .axis(Axis::new(
        "Give every network the same storage: buffers of as many bits as can be, 64 at the most, so that a node stores no more bits \
         than this: numbers and ranges",
        "",
    ));

pub const SWITCH: Parameter = Parameter::name(
    ("switch", "--switch"),
    ("switch", |_| SWITCHES.map(|(name, _)| name).to_vec()),
    "New connections in a node in a bit time: strong (any number) or weak (one)",
)
.called("switch", "switch {}")
.axis(Axis::new(
    "New connections in a node in a bit time: strong, weak, or all",
    "",
));

pub const COPIES: Parameter = Parameter::whole(
    ("copies", "--copies"),
    "C",
    "Copies in use, 1 to n, of --network copies: a message goes in as many pieces at the most",
)
.default(Fallback::Rule(|chosen| chosen.whole(&DIMS)))
.default_in_words("n")
.only(has_copies, WHOLE)
.axis(
    Axis::new(
        "Copies in use, of network copies: numbers and ranges, and all for as many as there are. With several, with --pieces all, \
         and with ecube beside copies, the ratios of bit times are added below the table",
        "all",
    )
    .word_for_left("all")
    .series(InSeries::InName),
);

pub const PIECES: Parameter = Parameter::name(
    ("pieces", "--pieces"),
    ("way to cut messages", |_| CUTS.map(|(name, _)| name).to_vec()),
    "How messages are cut, of --network copies: by-way (the longer the route, the shorter the piece: all arrive together if they \
     meet no others) or even (of the same length, the first ones a bit longer where it does not come out even)",
)
.only(has_copies, WHOLE)
.axis(
    Axis::new("How messages are cut, of network copies: by-way, even, or all", "")
        .series(InSeries::InName),
);

pub const TRAFFIC: Parameter = Parameter::name(
    ("traffic", "--traffic"),
    ("traffic pattern", |chosen| {
        let hot_spots = (!chosen.is_point()).then_some(HotSpots::NAME);
        let patterns = Pattern::entries().map(|(name, ..)| name);
        patterns.chain(hot_spots).collect()
    }),
    "Traffic pattern: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity, packed, uniform or hotspot",
)
.heading("Traffic")
.default(Fallback::Text("randperm"))
.called("traffic", "traffic {}")
.axis(Axis::new("Traffic patterns, as of `run`, or all", ""));

pub const HOT_SPOTS: Parameter = Parameter::text(
    ("hot_spots", "--hot-spots"),
    "LIST",
    "Nodes that get more than others, of --traffic hotspot: numbers with commas between, in cube-connected cycles also names",
)
.heading("Traffic")
.default(Fallback::Text("0"))
.only(has_hot_spots, NO_HOT_SPOTS);

pub const HOT_SHARE: Parameter = Parameter::share(
    ("hot_share", "--hot-share"),
    "Share of all messages that is for them, 0 to 1; the rest is for any node",
)
.heading("Traffic")
.default(Fallback::Share(0.2))
.only(has_hot_spots, NO_HOT_SPOTS);

pub const TRAFFIC_FILE: Parameter = Parameter::file(
    ("traffic_file", "--traffic-file"),
    "the traffic",
    "Traffic from a CSV file: a header such as `source,destination,time,payload`, then a row a message, any number of them from a \
     node and to one. `time` is the bit time in which the host has it ready, 0 if there is no such column; rows go in the order of \
     their times. A column `bits` gives each message a length of its own. Nodes go by number, in cube-connected cycles also by name, \
     as in 2_6 (level and column). Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from \
     the seed. What --deliveries has written is such a file too, of the same messages. `-` reads standard input",
)
.heading("Traffic")
.value_name("FILE")
.conflicts(&["traffic", "load"])
.only(
    |chosen| !chosen.has(&OFFERED_LOAD),
    "with --offered-load messages are created at random, and a file has its own messages, with their times",
);

pub const LOAD: Parameter = Parameter::share(
    ("load", "--load"),
    "Share of the nodes that send a message each (all at bit time 0), 0 to 1",
)
.heading("Traffic")
.default(Fallback::Share(1.0))
.called("load", "load {}")
.only(
    |chosen| !chosen.has(&OFFERED_LOAD) && !chosen.has(&SATURATION),
    "under continuous injection every node sends",
)
.axis(Axis::new(
    "Shares of the nodes that send a message each, 0 to 1, as in 0.25,0.5..0.9:0.1 (from, to and including, and by how much, 0.05 if \
     that is left out)",
    "",
));

pub const LINKS: Parameter = Parameter::output(
    ("links", "--links"),
    "the links",
    "Write what every wire between two nodes, and to and from every host, has carried here, as CSV: from, to, which wire, its bits, \
     its load, the share of the bit times in which a worm held it, and what stalled there, by cause. A map of the loads is drawn \
     beside it, under the same name with the ending .svg",
);

const WHOLE: &str = "a message goes whole; only --network copies splits it";
const NO_HOT_SPOTS: &str = "other traffic has no hot spots: give --traffic hotspot too";

fn has_copies(chosen: &Chosen) -> bool {
    network(chosen).is_ok_and(|network| network == NetworkName::Copies)
}

/// Whether some nodes are sent more than others.
pub fn has_hot_spots(chosen: &Chosen) -> bool {
    chosen.text(&TRAFFIC) == Some(HotSpots::NAME)
}

/// Which network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkName {
    /// Cube-connected cycles: n levels of 2^n columns.
    Ccc,
    /// The n copies of them in the hypercube of as many nodes; messages go in pieces.
    Copies,
    /// The same hypercube in order of dimensions.
    Ecube,
    /// The same hypercube, twice in order of dimensions: to a node drawn at random, and from there on.
    Valiant,
    /// The cross product of butterflies in a hypercube, n = 4 or 8 levels in its rows and columns together: along the row's
    /// butterfly, then along the column's.
    Butterflies,
}

impl NetworkName {
    /// The most virtual channels that its links have use for, where it has so many levels.
    pub fn most_virtual_channels(self, levels: usize) -> usize {
        match self {
            NetworkName::Butterflies if levels <= 4 => 2,
            NetworkName::Ccc | NetworkName::Copies | NetworkName::Butterflies => {
                MAX_VIRTUAL_CHANNELS
            }
            NetworkName::Ecube => 1,
            NetworkName::Valiant => 2,
        }
    }

    /// Why it has no use for more virtual channels, where three would be more than it has use for.
    fn why_no_more_channels(self) -> Option<&'static str> {
        match self {
            NetworkName::Ccc | NetworkName::Copies => None,
            NetworkName::Butterflies => Some(
                "a worm takes lanes of the class whose number is how often it has come to level 0 in its row or column, which \
                 is once at the most on 2 levels and twice on 4, but for the end of its way",
            ),
            NetworkName::Ecube => Some(
                "worms correct address bits in ascending order, so a channel waits only for one of a higher dimension, and \
                 no circle can close",
            ),
            NetworkName::Valiant => Some(
                "each of the two phases has a channel of its own, in which worms correct address bits in ascending order, \
                 and no circle can close",
            ),
        }
    }
}

/// Which network is chosen.
///
/// # Errors
/// A name of none.
pub fn network(chosen: &Chosen) -> Result<NetworkName, Error> {
    chosen.named(&NETWORK, &NETWORKS)
}

/// The most virtual channels that the links of the network have use for.
pub fn most_virtual_channels(chosen: &Chosen) -> usize {
    let levels = chosen.number(&DIMS);
    network(chosen).map_or(MAX_VIRTUAL_CHANNELS, |network| {
        network.most_virtual_channels(levels)
    })
}

/// Bits of a message.
///
/// # Errors
/// Out of range.
pub fn message_bits(chosen: &Chosen) -> Result<usize, Error> {
    let bits = chosen.number(&MESSAGE_BITS);
    match (1..=MAX_PAYLOAD_BITS).contains(&bits) {
        true => Ok(bits),
        false => Err(
            Refusal::of(format!("a message of {bits} bits is out of range"))
                .instead(format!("choose 1 to {MAX_PAYLOAD_BITS}"))
                .into(),
        ),
    }
}

/// Half of the levels are those of a row's butterfly, the other half those of a column's.
///
/// # Errors
/// Other than 4 and 8 levels.
fn butterflies(levels: usize) -> Result<Butterflies, Error> {
    match levels {
        4 | 8 => Ok(Butterflies::new(levels / 2)?),
        _ => Err(not_by(
            "network butterflies",
            format!(
                "there are none of {levels} levels: choose --dims 4 (butterflies of 2 levels in rows and in columns, 64 nodes) or \
                 8 (of 4 levels, 4096 nodes), since rows of m + log m dimensions take m copies, and m = 8 would take 4,194,304 \
                 nodes"
            ),
        )),
    }
}

/// The machine; where its network draws anything at random, from the seed.
///
/// # Errors
/// Whatever is out of range, or does not apply to the network.
pub fn machine(chosen: &Chosen) -> Result<WormholeMachine, Error> {
    let (levels, name) = (chosen.number(&DIMS), network(chosen)?);
    let network = match name {
        NetworkName::Ccc => Network::CubeConnectedCycles(CubeConnectedCycles::new(levels)?),
        NetworkName::Copies => {
            let (copies, used) = (Copies::new(levels)?, chosen.number(&COPIES));
            if !(1..=copies.copies()).contains(&used) {
                let of = copies.copies();
                let refused = Refusal::of(format!("{used} copies in use are out of range"));
                let refused = refused.because(format!("there are {of}, choose 1 to {of}"));
                return Err(match used {
                    0 => refused,
                    _ => refused.only_together(COPIES.option),
                }
                .into());
            }
            Network::Copies { copies, used }
        }
        NetworkName::Butterflies => Network::Butterflies(butterflies(levels)?),
        NetworkName::Ecube => Network::ECube(Copies::new(levels)?.dimensions()),
        NetworkName::Valiant => Network::Valiant {
            dimensions: Copies::new(levels)?.dimensions(),
            seed: chosen.seed(),
        },
    };
    let (most, virtual_channels) = (
        name.most_virtual_channels(levels),
        chosen.number(&VIRTUAL_CHANNELS),
    );
    if let Some(why) = name.why_no_more_channels()
        && !(1..=most).contains(&virtual_channels)
    {
        let network = chosen.name(&NETWORK)?;
        let takes = match most {
            1 => "1 virtual channel".to_owned(),
            most => format!("1 to {most} virtual channels"),
        };
        return Err(Refusal::of(format!(
            "network {network} takes {takes}, not {virtual_channels}"
        ))
        .because(why)
        .instead("leave --virtual-channels out")
        .into());
    }
    let parameters = Parameters {
        virtual_channels,
        buffer_bits: chosen.number(&BUFFER_BITS),
        weak_switch: chosen.named(&SWITCH, &SWITCHES)?,
    };
    let machine = WormholeMachine::new(network, parameters)?;
    let machine = machine.with_pieces(chosen.named(&PIECES, &CUTS)?);
    match (chosen.whole(&STORAGE), machine.storage_bits().1) {
        (Some(most), bits) if bits > most => Err(not_by(
            STORAGE.option,
            format!("{most} bits a node are too few: buffers of one bit take {bits}"),
        )),
        _ => Ok(machine),
    }
}
