//! What rows of wormhole routers have, and the columns of their table. What a point has none of is nothing: of one with an offered
//! load what belongs to a single message of each sender, and the other way round.

use std::ffi::OsStr;
use std::path::Path;

use rtl_model::routers::wormhole::networks::irregular::TABLE;

use crate::families::wormhole::entries::{
    ACCEPTED, ACCEPTED_HALF_WIDTH, ACCEPTED_OF_SEEDS, BIT_TIMES_OF_SEEDS,
    BIT_TIMES_PER_MESSAGE_BIT, BIT_TIMES_STORAGE, BUFFER_BITS, CAN_DEADLOCK, COPIES, CREATED,
    DEADLOCK_BIT_TIME, DEADLOCKS_OF_SEEDS, GROWTH_EXPONENT, HOPS, HOST_WIRES, LARGEST_LOAD,
    LATENCY_50, LATENCY_95, LATENCY_99, LATENCY_AVERAGE, LATENCY_BOUND, LATENCY_HALF_WIDTH,
    LATENCY_IN_NETWORK, LATENCY_LARGEST, LATENCY_OF_SEEDS, LATENCY_OF_WORMS, LOWER, LOWER_BOUND,
    MEASUREMENT, MESSAGE_BITS, MIDDLE, NETWORK, NETWORK_FILE, OFFERED_LOAD, PASSED_BY, PIECES,
    RADIX, ROUTES_FILE, ROUTING, RUNS, SATURATED, SATURATION_OF_SEEDS, STALLED, SWITCH, UPPER,
    VERDICT, VIRTUAL_CHANNELS, WARM_UP, WARM_UP_IS_LONG_ENOUGH, WIRE_BITS, ZERO_LOAD,
};
use crate::families::wormhole::parameters::{CUTS, ROUTINGS};
use crate::families::wormhole::report::{Throughput, Worms};
use crate::measure::reading::{Finished, Reading};
use crate::measure::row::Row;
use crate::measure::table::{self, Column, or_dash};
use crate::report::{BIT_TIMES, Entry, Heading, STORAGE, of_all};

/// What is said of worms.
fn worms<'a>(run: &Finished<'a>) -> Option<&'a Worms> {
    run.report.family.details()
}

fn throughput<'a>(run: &Finished<'a>) -> Option<&'a Throughput> {
    worms(run)?.throughput.as_ref()
}

/// Of a run that ended in a deadlock, no measurement was made in full.
const fn in_full(reading: Reading) -> Reading {
    reading.only_of(|run| worms(run).is_some_and(|of| of.deadlock.is_none()))
}

/// Its bit times, of a run that ended with all messages delivered and nothing else to come.
fn complete(run: &Finished<'_>) -> Option<u64> {
    let has_all = run.report.delivered == run.report.messages;
    (throughput(run).is_none() && has_all).then_some(run.report.bit_times)
}

/// Whether points have an offered load, given or looked for.
pub(super) fn are_offered(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has(OFFERED_LOAD.in_rows())) || are_sought(rows)
}

/// Whether that was looked for.
pub(super) fn are_sought(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has(MIDDLE.in_rows()))
}

fn are_listed(rows: &[Row]) -> bool {
    are_offered(rows) && !are_sought(rows)
}

fn are_sent_at_once(rows: &[Row]) -> bool {
    !are_offered(rows)
}

/// What was run, beside the network: shown where rows differ.
pub(super) const PARAMETERS: [Column; 12] = [
    DIMS,
    Column::of(RADIX),
    Column::of(of_all::NODES),
    Column::of(MESSAGE_BITS),
    Column::of(VIRTUAL_CHANNELS),
    Column::of(WIRE_BITS),
    Column::of(BUFFER_BITS),
    Column::of(SWITCH),
    TRAFFIC,
    LOAD,
    SEED,
    Column::of(OFFERED_LOAD),
];
const DIMS: Column = varied(of_all::DIMS, Heading::of("n").or_in_words("n = {}"));
const TRAFFIC: Column = varied(
    of_all::TRAFFIC,
    Heading::of("traffic").left().or_in_words("traffic {}"),
);
const LOAD: Column = varied(of_all::LOAD, Heading::of("load").or_in_words("load {}"));
const SEED: Column = varied(of_all::SEED, Heading::of("seed").or_in_words("seed {}"));

const fn varied(entry: Entry, heading: Heading) -> Column {
    Column::of(entry.heading(heading))
}

pub(super) const NETWORK_COLUMN: Column = Column::of(NETWORK).made(|row| {
    let copies = row.number("copies").map(|copies| copies as usize);
    let files = [row.text("network_file"), row.text("routes_file")];
    let names: Vec<&str> = files.iter().map(|file| base_name(file)).collect();
    let network = match names[..] {
        ["", _] => row.text("network"),
        [file, ""] => file.to_owned(),
        [file, routes] => format!("{file} {routes}"),
        _ => String::new(),
    };
    let network = routed(&network, &row.text("routing"));
    network_label(&network, copies, &row.text("pieces"))
});

/// The name of a file, without the folder.
pub(super) fn base_name(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(OsStr::to_str);
    name.unwrap_or(file)
}

/// A network and its routing, if that is not the usual one.
pub(super) fn routed(network: &str, routing: &str) -> String {
    match routing {
        "" => network.to_owned(),
        // The name of the file says where the routes are from.
        usual if usual == ROUTINGS[0].0 || usual == TABLE => network.to_owned(),
        routing => format!("{network} {routing}"),
    }
}

/// A network, with the copies in use where it is made of them, and how messages are cut, if not as usual.
pub(super) fn network_label(network: &str, in_use: Option<usize>, pieces: &str) -> String {
    let in_use = in_use.map_or(String::new(), |copies| format!(" {copies}"));
    match pieces {
        "" => format!("{network}{in_use}"),
        usual if usual == CUTS[0].0 => format!("{network}{in_use}"),
        pieces => format!("{network}{in_use} {pieces}"),
    }
}

/// Whether two rows are of the same network and parameters.
pub(super) fn are_alike(one: &Row, other: &Row) -> bool {
    let mut all = PARAMETERS.iter().chain([&NETWORK_COLUMN]);
    let mut files = ["network_file", "routes_file"].into_iter();
    all.all(|column| column.cell(one) == column.cell(other))
        && files.all(|file| one.text(file) == other.text(file))
}

/// A reading with its column where the load was looked for.
const fn sought(reading: Reading) -> Reading {
    reading.only_if(are_sought)
}

/// A reading with its column where points have an offered load.
const fn offered(reading: Reading) -> Reading {
    reading.only_if(are_offered)
}

/// A reading with its column where they have none.
const fn sent_at_once(reading: Reading) -> Reading {
    reading.only_if(are_sent_at_once)
}

/// What every row has.
pub(super) const READINGS: &[Reading] = &[
    Reading::of(of_all::BENCH),
    Reading::of(NETWORK).column(NETWORK_COLUMN),
    Reading::of(NETWORK_FILE),
    Reading::of(ROUTES_FILE),
    Reading::of(ROUTING),
    Reading::of(COPIES),
    Reading::of(PIECES),
    Reading::of(of_all::DIMS).column(DIMS),
    Reading::of(RADIX),
    Reading::of(of_all::NODES),
    Reading::run(MESSAGE_BITS, |run| run.report.payload_bits.into()),
    Reading::of(VIRTUAL_CHANNELS),
    Reading::of(WIRE_BITS),
    Reading::of(BUFFER_BITS),
    Reading::of(SWITCH),
    Reading::of(of_all::TRAFFIC).column(TRAFFIC),
    Reading::of(of_all::LOAD).column(LOAD),
    Reading::of(of_all::SEED).column(SEED),
    // Where the load was looked for: the others are of the run at the lower one of these.
    sought(Reading::later(ZERO_LOAD)),
    sought(Reading::later(LATENCY_BOUND)),
    sought(Reading::later(LOWER)),
    sought(Reading::later(UPPER)),
    Reading::later(MIDDLE),
    sought(Reading::later(PASSED_BY)),
    Reading::later(RUNS),
    Reading::of(OFFERED_LOAD),
    offered(in_full(Reading::of(CREATED))),
    offered(in_full(Reading::of(ACCEPTED))),
    // Of this run alone, as that of its latency: by batch means.
    in_full(Reading::of(ACCEPTED_HALF_WIDTH)),
    Reading::of(of_all::MESSAGES),
    Reading::of(of_all::DELIVERED),
    // Of a run in which not all messages arrived they say nothing.
    sent_at_once(Reading::of(BIT_TIMES.of).made(|row| {
        match row.has(BIT_TIMES_PER_MESSAGE_BIT.in_rows()) {
            true => row.text("bit_times"),
            false => or_dash(None, 0),
        }
    })),
    // Of a worm that is alone.
    Reading::of(BIT_TIMES.form).hidden(),
    Reading::text(BIT_TIMES.form),
    sent_at_once(Reading::of(LOWER_BOUND)),
    sent_at_once(Reading::run(BIT_TIMES_PER_MESSAGE_BIT, |run| {
        let bits = run.report.payload_bits as f64;
        complete(run)
            .map(|bit_times| bit_times as f64 / bits)
            .into()
    })),
    in_full(Reading::run(WARM_UP, |run| {
        throughput(run).map(|of| of.phases[0]).into()
    })),
    in_full(Reading::run(MEASUREMENT, |run| {
        throughput(run).map(|of| of.phases[1]).into()
    })),
    in_full(Reading::of(WARM_UP_IS_LONG_ENOUGH)),
    // Of the messages that arrived.
    Reading::of(LATENCY_AVERAGE),
    Reading::of(LATENCY_HALF_WIDTH).only_if(are_listed),
    offered(Reading::of(LATENCY_50)),
    offered(Reading::of(LATENCY_95)),
    Reading::of(LATENCY_99),
    Reading::of(LATENCY_LARGEST),
    Reading::of(LATENCY_IN_NETWORK),
    Reading::of(LATENCY_OF_WORMS),
    offered(Reading::of(HOPS)),
    in_full(Reading::of(SATURATED)),
    in_full(Reading::of(VERDICT))
        .made(|row| match row.has("verdict") {
            true => row.text("verdict"),
            false => or_dash(None, 0),
        })
        .only_if(are_listed),
    in_full(Reading::of(GROWTH_EXPONENT)),
    // Of all seeds of this point together, the same in each of their rows.
    Reading::later(DEADLOCKS_OF_SEEDS),
    Reading::later(BIT_TIMES_OF_SEEDS[0]),
    Reading::later(BIT_TIMES_OF_SEEDS[1]),
    Reading::later(LATENCY_OF_SEEDS[0]),
    Reading::later(LATENCY_OF_SEEDS[1]),
    Reading::later(ACCEPTED_OF_SEEDS[0]),
    Reading::later(ACCEPTED_OF_SEEDS[1]),
    Reading::later(SATURATION_OF_SEEDS[0]),
    Reading::later(SATURATION_OF_SEEDS[1]),
    // Data wires of a node's host, each way.
    sent_at_once(Reading::of(HOST_WIRES)),
    sent_at_once(Reading::of(of_all::LOGIC_DEPTH)),
    sent_at_once(Reading::run(of_all::GATE_DELAYS, |run| {
        let depth = run.report.logic_depth.as_ref();
        let of_run = |bit_times| Some(bit_times * depth?.total as u64);
        complete(run).and_then(of_run).into()
    })),
    sent_at_once(Reading::of(STORAGE.of)),
    sent_at_once(Reading::run(BIT_TIMES_STORAGE, |run| {
        let storage = run.report.storage_bits_per_node.total as u64;
        complete(run).map(|bit_times| bit_times * storage).into()
    })),
    Reading::of(of_all::PEAK_OCCUPIED),
    Reading::of(of_all::SERIAL_ADDERS),
    Reading::of(of_all::WIRE_USE),
    Reading::of(LARGEST_LOAD),
    Reading::run(STALLED, |run| {
        let stalls = worms(run).map(|of| of.stalls.iter());
        stalls
            .map(|stalls| stalls.map(|one| one.channel_bit_times).sum::<u64>())
            .into()
    }),
    // Whether any traffic can bring one, by the dependency graph; whether this one did is in `checks`.
    Reading::run(CAN_DEADLOCK, |run| {
        worms(run).map(|of| of.dependencies.can_deadlock).into()
    })
    .made(|row| {
        let can = if row.is("can_deadlock") { "yes" } else { "no" };
        can.to_owned()
    }),
    // When it came, or was found.
    Reading::of(DEADLOCK_BIT_TIME),
];

/// What is said of the checks of a row.
pub(super) fn verdict(row: &Row) -> String {
    match row.has("deadlock") && !row.passed() {
        true => "deadlock".to_owned(),
        false => table::verdict(row),
    }
}
