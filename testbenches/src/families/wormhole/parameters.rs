//! The parameters of the routers and of their traffic, and the machine that they choose.

use rtl_model::embedding::copies::Copies;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::machine::topology::grid::Grid;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::networks::direct::{
    Direct, MAX_CUBE, MAX_VIRTUAL_CHANNELS as MAX_CHANNELS, Routing,
};
use rtl_model::routers::wormhole::parameters::{MAX_VIRTUAL_CHANNELS, MAX_WIRE_BITS, Parameters};
use rtl_model::routers::wormhole::pieces::Pieces;
use rtl_model::routers::wormhole::space::Space;
use rtl_model::traffic::MAX_PAYLOAD_BITS;
use rtl_model::traffic::hot_spots::HotSpots;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::error::refusal::{Refusal, not_by};
use crate::families::wormhole::injection::{OFFERED_LOAD, SATURATION};
use crate::families::wormhole::network_file::{self, ROUTES_FILE, is_from_file, table_routed};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter};

/// Networks, by their names.
pub const NETWORKS: [(&str, NetworkName); 7] = [
    ("ccc", NetworkName::Ccc),
    ("copies", NetworkName::Copies),
    ("butterflies", NetworkName::Butterflies),
    ("hypercube", NetworkName::Hypercube),
    ("torus", NetworkName::Torus),
    ("mesh", NetworkName::Mesh),
    (FILE, NetworkName::File),
];

/// What a network from a file is called.
const FILE: &str = "file";

/// Names of networks: of those that have one, or of a file.
pub fn names_of_networks(is_from_file: bool) -> Vec<&'static str> {
    let names = NETWORKS.map(|(name, _)| name).into_iter();
    names
        .filter(|name| (*name == FILE) == is_from_file)
        .collect()
}

/// Ways to route on a direct network, by their names.
pub const ROUTINGS: [(&str, RoutingName); 3] = [
    ("order", RoutingName::Order),
    ("valiant", RoutingName::Valiant),
    ("adaptive", RoutingName::Adaptive),
];

/// How the n copies cut messages into pieces, by its names.
pub const CUTS: [(&str, Pieces); 2] = [("by-way", Pieces::ByWay), ("even", Pieces::Even)];

/// Whether a node makes one new connection in a bit time or any number, by the names of its switch.
pub const SWITCHES: [(&str, bool); 2] = [("strong", false), ("weak", true)];

pub const DIMS: Parameter = Parameter::whole(
    ("dims", "--dims"),
    "N",
    "Dimensions of the network: of ccc 2 to 16 (n levels of 2^n columns), of hypercube 1 to 20, of copies 3, 6, 11 or 20 (of the \
     hypercube: n + log2 n), of butterflies 6 or 12 (likewise), of torus and mesh as many as give up to 2^20 nodes",
)
.default(Fallback::Rule(|chosen| {
    network(chosen).ok()?.usual_dimensions()
}))
.default_in_words("4 of ccc, 2 of torus and mesh, 6 of others")
.only(
    |chosen| !is_from_file(chosen),
    "a network from a file has the nodes that are in the file",
)
.called("n", "n = {}")
.axis(
    Axis::new(
        "Dimensions of the networks",
        "",
    )
    .default_in_words("4 of ccc, 2 of torus and mesh, 6 of others")
    .named_first(),
);

pub const RADIX: Parameter = Parameter::whole(
    ("radix", "--radix"),
    "R",
    "Nodes in each dimension of network torus or mesh, 3 to 64",
)
.default(Fallback::Whole(8))
.called("radix", "radix {}")
.only(is_grid, "only networks torus and mesh have a radix")
.axis(Axis::of(""));

pub const NETWORK: Parameter = Parameter::name(
    ("network", "--network"),
    ("network", |chosen| names_of_networks(is_from_file(chosen))),
    "Network: ccc (cube-connected cycles), copies (the n copies of them in the hypercube of as many nodes; messages go in pieces), \
     butterflies (the cross product of butterflies in a hypercube: along the row's butterfly, then along the column's), hypercube, \
     torus or mesh (of --radix nodes in each dimension)",
)
.refusal(old_network)
.only(
    |chosen| !is_from_file(chosen),
    "the network is the one that --network-file lists",
)
.axis(Axis::new("Networks, as of `run`, or all", "").series(InSeries::InName));

pub const ROUTING: Parameter = Parameter::name(
    ("routing", "--routing"),
    ("routing", |chosen| match is_from_file(chosen) {
        true => network_file::ROUTINGS.to_vec(),
        false => ROUTINGS.map(|(name, _)| name).to_vec(),
    }),
    "Routing of network hypercube, torus or mesh: order (one dimension after the other), valiant (the same twice: to a node drawn at \
     random, and from there on) or adaptive (by any free link that brings a worm nearer, with escape channels in order of dimensions). \
     Of --network-file: shortest (shortest paths) or up-down (towards node 0 and then away from it, which excludes deadlock)",
)
.only(
    |chosen| is_direct(chosen) || is_from_file(chosen) && !chosen.has(&ROUTES_FILE),
    "only networks hypercube, torus and mesh are routed in several ways, and those from files without --routes-file",
)
.axis(
    Axis::new(
        "Routings of networks hypercube, torus and mesh, and of those from files, as of `run`, or all",
        "",
    )
    .series(InSeries::InName),
);

pub const MESSAGE_BITS: Parameter = Parameter::whole(
    ("message_bits", "--message-bits"),
    "M",
    "Bits of every message, headers not counted, 1 to 65536",
)
.default(Fallback::Whole(64))
.called("M", "M = {}")
.axis(Axis::of("").named_first());

pub const VIRTUAL_CHANNELS: Parameter = Parameter::whole(
    ("virtual_channels", "--virtual-channels"),
    "V",
    "Virtual channels of a link: of hypercube, torus, mesh and --network-file 1 to 8 (of all links of a node 64 at the most), of ccc, copies and butterflies 1 to 3 (of ccc of a straight \
     link; a cross link has two at the most). With fewer than exclude it worms may wait for each other in a circle",
)
.default(Fallback::Rule(|chosen| {
    direct(chosen).is_ok().then(|| match is_from_file(chosen) {
        // What is wrong with the file is said where the machine is made.
        true => table_routed(chosen).ok().flatten().map_or(1, |routed| routed.routes.classes()),
        false => enough_virtual_channels(chosen),
    })
}))
.default_in_words("as many as exclude it; of --network-file as many as its tables name classes")
.called("V", "V = {}")
.axis(
    Axis::new(
        "Virtual channels of a link. Networks ccc, copies and butterflies take 3 at the most, whatever others take",
        "",
    )
    .default_in_words("as many as exclude deadlock")
    .series(InSeries::IfChoice(|chosen| {
        enough_virtual_channels(chosen) > 1 || is_direct(chosen) || is_from_file(chosen)
    })),
);

pub const WIRE_BITS: Parameter = Parameter::whole(
    ("wire_bits", "--wire-bits"),
    "W",
    "Data wires of a link, 1 to 64: so many bits cross it in a bit time. A header takes a bit time for each W of the answers that a \
     node reads, or of the bits of an address",
)
.default(Fallback::Whole(1))
.called("W", "W = {}")
.axis(Axis::of(""));

pub const BUFFER_BITS: Parameter = Parameter::whole(
    ("buffer_bits", "--buffer-bits"),
    "B",
    "Bits that each channel's buffer holds, 1 to 64 times --wire-bits",
)
.default(Fallback::Rule(|chosen| {
    Some(chosen.number(&WIRE_BITS).saturating_mul(2))
}))
.default_in_words("2 for each data wire")
.called("b", "b = {}")
.axis(Axis::of("").default_in_words("2 for each data wire"));

pub const STORAGE: Parameter = Parameter::whole(("storage", "--storage"), "BITS", "")
    .called("storage", "storage {}")
    .conflicts(&["buffer_bits"])
    .of_sweep()
    .axis(Axis::new(
        "Give every network the same storage: buffers of as many bits as can be, 64 at the most, so that a node stores no more bits \
         than this",
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
.default(Fallback::Rule(|chosen| Copies::levels_in(chosen.number(&DIMS))))
.default_in_words("n")
.only(has_copies, WHOLE)
.axis(
    Axis::new(
        "Copies in use, of network copies, or all for as many as there are. With several, with --pieces all, \
         and with hypercube beside copies, the ratios of bit times are added below the table",
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
    "Nodes that get more than others, of --traffic hotspot: numbers with commas between, in ccc, torus and mesh also names",
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
     their times. A column `bits` gives each message a length of its own. Nodes go by number, in ccc also by name, as in 2_6 (level \
     and column), in torus and mesh as in 3_5 (digits, dimension 0 first). Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from \
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
.axis(Axis::of(""));

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
    /// The cross product of butterflies in a hypercube: along the row's butterfly, then along the column's.
    Butterflies,
    /// A hypercube.
    Hypercube,
    /// A k-ary n-cube.
    Torus,
    /// The same without wraps.
    Mesh,
    /// Whatever links a file lists.
    File,
}

/// How a direct network is routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutingName {
    /// In order of dimensions.
    Order,
    /// Twice: to a node drawn at random, and from there on.
    Valiant,
    /// By any free link that brings a worm nearer, with escape channels.
    Adaptive,
}

impl NetworkName {
    /// Dimensions where none are asked for: all networks have 64 nodes then.
    fn usual_dimensions(self) -> Option<usize> {
        match self {
            NetworkName::Ccc => Some(4),
            NetworkName::Torus | NetworkName::Mesh => Some(2),
            NetworkName::Copies | NetworkName::Butterflies | NetworkName::Hypercube => Some(6),
            NetworkName::File => None,
        }
    }
}

/// What is said of networks that have other names by now, and of one whose file is missing.
fn old_network(_: &Chosen, name: &str) -> Option<Error> {
    if name == FILE {
        let refused = Refusal::of("network file is one that is read");
        return Some(
            refused
                .instead("give --network-file FILE in its place")
                .into(),
        );
    }
    let routing = match name {
        "ecube" => "order",
        "valiant" => "valiant",
        _ => return None,
    };
    let refused = Refusal::of(format!("network {name} is a routing of network hypercube"));
    let refused = refused.instead(format!(
        "give --network hypercube --routing {routing}, and by --dims the dimensions of the hypercube (what was --dims 2, 4, 8 or 16 \
         is --dims 3, 6, 11 or 20)"
    ));
    Some(refused.into())
}

/// Which network is chosen.
///
/// # Errors
/// A name of none.
pub fn network(chosen: &Chosen) -> Result<NetworkName, Error> {
    chosen.named(&NETWORK, &NETWORKS)
}

fn is_direct(chosen: &Chosen) -> bool {
    use NetworkName::{Hypercube, Mesh, Torus};
    network(chosen).is_ok_and(|network| matches!(network, Hypercube | Torus | Mesh))
}

fn is_grid(chosen: &Chosen) -> bool {
    use NetworkName::{Mesh, Torus};
    network(chosen).is_ok_and(|network| matches!(network, Torus | Mesh))
}

/// The direct network that is chosen; none if it is another.
///
/// # Errors
/// Dimensions and a radix that there are not.
pub fn direct(chosen: &Chosen) -> Result<Option<Direct>, Error> {
    let dimensions = chosen.number(&DIMS);
    let grid = |wraps| Grid::new(chosen.number(&RADIX), dimensions, wraps).map(Space::Grid);
    let space = match network(chosen)? {
        NetworkName::Ccc | NetworkName::Copies | NetworkName::Butterflies | NetworkName::File => {
            return Ok(None);
        }
        NetworkName::Hypercube if !(1..=MAX_CUBE).contains(&dimensions) => {
            return Err(Refusal::of(format!(
                "a hypercube of {dimensions} dimensions is out of range for worms"
            ))
            .instead(format!("choose 1 to {MAX_CUBE}"))
            .into());
        }
        NetworkName::Hypercube => Space::Hypercube(Dimensions::new(dimensions)?),
        NetworkName::Torus => grid(true)?,
        NetworkName::Mesh => grid(false)?,
    };
    let routing = match chosen.named(&ROUTING, &ROUTINGS)? {
        RoutingName::Order => Routing::Order,
        RoutingName::Valiant => Routing::Valiant {
            seed: chosen.seed(),
        },
        RoutingName::Adaptive => Routing::Adaptive,
    };
    Ok(Some(Direct { space, routing }))
}

/// The fewest virtual channels with which no traffic deadlocks the network.
pub fn enough_virtual_channels(chosen: &Chosen) -> usize {
    match (network(chosen), direct(chosen)) {
        (_, Ok(Some(direct))) => direct.enough_channels(),
        (Ok(NetworkName::File), _) => 1,
        (Ok(NetworkName::Butterflies), _) if chosen.number(&DIMS) <= 6 => 2,
        _ => MAX_VIRTUAL_CHANNELS,
    }
}

/// The most virtual channels that the links of the network have use for.
pub fn most_virtual_channels(chosen: &Chosen) -> usize {
    match direct(chosen) {
        Ok(Some(direct)) => direct.most_channels(),
        _ if is_from_file(chosen) => MAX_CHANNELS,
        _ => enough_virtual_channels(chosen),
    }
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

/// # Errors
/// Other than 6 and 12 dimensions.
fn butterflies(dimensions: usize) -> Result<Butterflies, Error> {
    match dimensions {
        6 | 12 => Ok(Butterflies::new(dimensions / 3)?),
        _ => Err(not_by(
            "network butterflies",
            format!(
                "there are none in a hypercube of {dimensions} dimensions: choose --dims 6 (butterflies of 2 levels in rows and in \
                 columns, 64 nodes; it was --dims 4) or 12 (of 4 levels, 4096 nodes; it was --dims 8), since rows of m + log m \
                 dimensions take m copies, and m = 8 would take 4,194,304 nodes"
            ),
        )),
    }
}

/// The machine; where its network draws anything at random, from the seed.
///
/// # Errors
/// Whatever is out of range, or does not apply to the network.
pub fn machine(chosen: &Chosen) -> Result<WormholeMachine, Error> {
    let (dimensions, name) = (chosen.number(&DIMS), network(chosen)?);
    let network = match (name, direct(chosen)?) {
        (_, Some(direct)) => Network::Direct(direct),
        (NetworkName::Copies, _) => {
            let (copies, used) = (Copies::in_hypercube(dimensions)?, chosen.number(&COPIES));
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
        (NetworkName::File, _) => match table_routed(chosen)? {
            Some(routed) => Network::TableRouted(routed),
            None => {
                return Err(not_by(
                    NETWORK.option,
                    "give --network-file FILE".to_owned(),
                ));
            }
        },
        (NetworkName::Butterflies, _) => Network::Butterflies(butterflies(dimensions)?),
        _ => Network::CubeConnectedCycles(CubeConnectedCycles::new(dimensions)?),
    };
    let (most, virtual_channels) = (
        most_virtual_channels(chosen),
        chosen.number(&VIRTUAL_CHANNELS),
    );
    if name == NetworkName::Butterflies && !(1..=most).contains(&virtual_channels) {
        return Err(Refusal::of(format!(
            "network butterflies takes 1 to {most} virtual channels, not {virtual_channels}"
        ))
        .because(
            "a worm takes lanes of the class whose number is how often it has come to level 0 in its row or column, which is once at \
             the most on 2 levels and twice on 4, but for the end of its way",
        )
        .instead("leave --virtual-channels out")
        .into());
    }
    let (wire_bits, buffer_bits) = (chosen.number(&WIRE_BITS), chosen.number(&BUFFER_BITS));
    if (1..=MAX_WIRE_BITS).contains(&wire_bits) && !buffer_bits.is_multiple_of(wire_bits) {
        return Err(
            Refusal::of(format!("a buffer of {buffer_bits} bits a channel"))
                .because(format!(
                    "a place holds the {wire_bits} bits that cross a link together"
                ))
                .instead(format!("choose a multiple of {wire_bits}"))
                .into(),
        );
    }
    let parameters = Parameters {
        virtual_channels,
        buffer_bits: buffer_bits / wire_bits.max(1),
        wire_bits,
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
