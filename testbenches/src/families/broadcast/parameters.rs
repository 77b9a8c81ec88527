//! The parameters of the testbench, and what is asked for by them.

use rtl_model::error::port_dimensions;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::{Broadcast, MOST_DIMENSIONS};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::testbench::chosen::{Chosen, unknown};
use crate::testbench::parameter::{Axis, Fallback, InSeries, NotLeft, Parameter};

/// Bits of a message where none are asked for.
pub const DEFAULT_MESSAGE_BITS: usize = 1024;
/// The most bits of a message.
pub const MOST_MESSAGE_BITS: usize = 1 << 24;

pub const ALGORITHM: Parameter = Parameter::name(
    ("algorithm", "--algorithm"),
    ("broadcast", |_| Algorithm::EACH.map(Algorithm::name).to_vec()),
    "Broadcast: hp, sbt, tcbt, msbt (Ho & Johnsson), broadcast-1, broadcast-2, broadcast-3a, broadcast-3b or broadcast-4 (Stout & \
     Wagar)",
)
.default(Fallback::Text("msbt"))
.axis(
    Axis::new(
        "Broadcasts: hp, sbt, tcbt, msbt, broadcast-1, broadcast-2, broadcast-3a, broadcast-3b, broadcast-4, or all",
        "all",
    )
    .series(InSeries::InName),
);

pub const PORTS: Parameter = Parameter::name(
    ("ports", "--ports"),
    ("port model", |chosen| {
        let models = match algorithm(chosen) {
            Ok(algorithm) if !chosen.has(&SENDS) => algorithm.port_models(),
            _ => &PortModel::EACH[..],
        };
        models.iter().map(|model| model.name()).collect()
    }),
    "Ports of a node that may be busy at once: one-way (it sends or receives on one), two-way (it sends on one and receives on one) or \
     all; broadcast-1 to -4 take all",
)
.value_name("MODEL")
.default(Fallback::None)
.default_in_words("two-way, or all")
.refusal(|chosen, name| {
    let all = PortModel::EACH;
    match all.into_iter().find(|model| model.name() == name) {
        Some(model) => algorithm(chosen).ok()?.check(model).err().map(Error::from),
        None => Some(unknown("port model", name, all.map(PortModel::name).to_vec())),
    }
})
.axis(
    Axis::new(
        "Ports: one-way, two-way, all (all ports at once), or all-models, each broadcast on those that it is defined for",
        "all-models",
    )
    .word_for_all("all-models")
    .names_beside(&ALGORITHM)
    .leaving_out()
    .series(InSeries::InName),
);

pub const DIMS: Parameter = Parameter::whole(
    ("dims", "--dims"),
    "K",
    "Dimensions n of the hypercube, 1 to 16",
)
.default(Fallback::Whole(6))
.called("n", "n = {}")
.axis(Axis::of("6"));

pub const START_UP: Parameter = Parameter::whole(
    ("start_up", "--start-up"),
    "T",
    "Bit times before the first bit of each packet, T",
)
.default(Fallback::Whole(8))
.called("T", "T = {}")
.axis(Axis::of("8"));

pub const SOURCE: Parameter = Parameter::whole(
    ("source", "--source"),
    "NODE",
    "The node that has the message",
)
.heading("Message")
.default(Fallback::Whole(0))
.called("source", "source {}")
.axis(Axis::of("0").in_rows("source_node").series(InSeries::Never));

pub const MESSAGE_BITS: Parameter = Parameter::whole(
    ("message_bits", "--message-bits"),
    "M",
    "Bits of the message, M",
)
.heading("Message")
.default(Fallback::Whole(DEFAULT_MESSAGE_BITS))
.called("M", "M = {}")
.only(
    |chosen| !chosen.has(&PACKETS),
    "they are those of the packets that are counted",
)
// Against dimensions, plots say which message they are of.
.axis(Axis::of("1024").series(InSeries::Never));

pub const PACKETS: Parameter = Parameter::whole(("packets", "--packets"), "P", "")
    .called("P", "P = {}")
    .conflicts(&["message_bits"])
    .of_sweep()
    .axis(
        Axis::new(
            "Packets, P, in place of the bits of the message, which then are P packets of --packet-bits each [default of these: 8]",
            "",
        ),
    );

pub const PACKET_BITS: Parameter = Parameter::whole(
    ("packet_bits", "--packet-bits"),
    "B",
    "Bits of a packet, B; the last one is filled up with zeros on the wires",
)
.heading("Message")
.default_in_words("that for which the formula has the fewest bit times")
.called("B", "B = {}")
.left_in_words("optimum B")
.axis(
    Axis::new(
        "Bits of a packet, B, or optimum for that for which the formula has the fewest bit times",
        "optimum",
    )
    .word_for_left("optimum")
    .not_left(NotLeft {
        beside: |chosen| chosen.has(&PACKETS),
        default: "8",
        option: "--packet-bits optimum with --packets",
        why: "the packets are counted, so their size has to be given",
    }),
);

pub const VALUES: Parameter = Parameter::file(
    ("values", "--values"),
    "the message",
    "The message from a CSV file: a header `node,value`, then one row, of the source; the value is hexadecimal, its least \
     significant bit is sent first. Or what --deliveries has written, with --message-bits where these are no multiple of 4",
)
.value_name("FILE")
.heading("Message")
.default_in_words("drawn from the seed");

pub const SENDS: Parameter = Parameter::file(
    ("sends", "--sends"),
    "the list of sends",
    "In place of an algorithm, what goes over which link in which step, from a CSV file: a header `step,from,to,packet`, then a row \
     a packet on its way; all are counted from 0. It is checked for the ports, and for what a node can have by then; nodes store \
     it as orders. The message is cut into as many packets as it names",
)
.conflicts(&["algorithm"])
.of_run();

pub const RESULTS: Parameter = Parameter::output(
    ("results", "--results"),
    "the results",
    "Write what each node ends up with, as CSV: node,value, as of --values",
);

/// By which algorithm, where no list says what is sent.
///
/// # Errors
/// A name of none.
pub fn algorithm(chosen: &Chosen) -> Result<Algorithm, Error> {
    chosen.named(&ALGORITHM, &Algorithm::EACH.map(|one| (one.name(), one)))
}

/// The ports that an algorithm has where none are asked for.
pub fn default_ports(algorithm: Algorithm) -> PortModel {
    match algorithm.port_models().contains(&PortModel::TwoWay) {
        true => PortModel::TwoWay,
        false => PortModel::All,
    }
}

/// Bits of the message where they are not those of a file.
pub fn message_bits(chosen: &Chosen) -> usize {
    match chosen.whole(&PACKETS) {
        Some(packets) => packets.saturating_mul(chosen.number(&PACKET_BITS)),
        None => chosen.number(&MESSAGE_BITS),
    }
}

/// Refuses messages that are out of range.
///
/// # Errors
/// A message that is too short or too long.
pub fn check_message_bits(bits: usize) -> Result<(), Error> {
    let limit = MOST_MESSAGE_BITS;
    match (1..=limit).contains(&bits) {
        true => Ok(()),
        false => Err(
            Refusal::of(format!("a message of {bits} bits is out of range"))
                .instead(format!("choose 1 to {limit}"))
                .into(),
        ),
    }
}

/// The broadcast by an algorithm, with packets of which nothing is known yet.
///
/// # Errors
/// Ports that the algorithm is not defined for, and what is out of range.
pub fn whole(
    chosen: &Chosen,
    algorithm: Algorithm,
    message_bits: usize,
) -> Result<Broadcast, Error> {
    let ports = match chosen.has(&PORTS) {
        true => chosen.named(&PORTS, &PortModel::EACH.map(|model| (model.name(), model)))?,
        false => default_ports(algorithm),
    };
    algorithm.check(ports)?;
    let dimensions = chosen.number(&DIMS);
    if !(1..=MOST_DIMENSIONS).contains(&dimensions) {
        return Err(port_dimensions(dimensions, MOST_DIMENSIONS).into());
    }
    check_message_bits(message_bits)?;
    let whole = Broadcast {
        cube: Dimensions::new(dimensions)?,
        algorithm,
        ports,
        source: chosen.number(&SOURCE),
        packets: 1,
        packet_bits: 1,
        start_up: chosen.number(&START_UP),
    };
    Ok(whole.checked()?)
}
