//! What rows of wormhole routers have, and the columns of their table. What a point has none of is nothing: of one with an offered
//! load what belongs to a single message of each sender, and the other way round.

use std::ffi::OsStr;
use std::path::Path;

use rtl_model::routers::wormhole::networks::irregular::TABLE;

use crate::families::wormhole::parameters::{CUTS, ROUTINGS};
use crate::families::wormhole::report::{Latency, Throughput, Worms};
use crate::measure::reading::{Finished, Reading, of_all};
use crate::measure::row::{Row, Value};
use crate::measure::table::{Column, or_dash};

/// What is said of worms.
fn worms<'a>(run: &Finished<'a>) -> Option<&'a Worms> {
    run.report.family.details()
}

fn throughput<'a>(run: &Finished<'a>) -> Option<&'a Throughput> {
    worms(run)?.throughput.as_ref()
}

/// Of a run that ended in a deadlock, no measurement was made in full.
fn measured<'a>(run: &Finished<'a>) -> Option<&'a Throughput> {
    throughput(run).filter(|_| worms(run).is_some_and(|of| of.deadlock.is_none()))
}

fn latency<'a>(run: &Finished<'a>) -> Option<&'a Latency> {
    worms(run)?.latency.as_ref()
}

/// Its bit times, of a run that ended with all messages delivered and nothing else to come.
fn complete(run: &Finished<'_>) -> Option<u64> {
    let has_all = run.report.delivered == run.report.messages;
    (throughput(run).is_none() && has_all).then_some(run.report.bit_times)
}

/// What a search adds to a row: two loads, what is between them, the bound, the latency at a light load, how many runs it took; and
/// why the upper load is not carried.
pub(super) const LOWER: &str = "saturation_lower";
pub(super) const UPPER: &str = "saturation_upper";
pub(super) const MIDDLE: &str = "saturation";
pub(super) const BOUND: &str = "latency_bound";
pub(super) const ZERO_LOAD: &str = "zero_load_latency";
pub(super) const RUNS: &str = "runs";
pub(super) const PASSED_BY: &str = "passed_by";

/// What is known only of several rows together, or of a search.
const fn later(name: &'static str) -> Reading {
    Reading::run(name, |_| Value::Nothing)
}

/// Whether points have an offered load, given or looked for.
pub(super) fn are_offered(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has("offered_load")) || are_sought(rows)
}

/// Whether that was looked for.
pub(super) fn are_sought(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has(MIDDLE))
}

fn are_listed(rows: &[Row]) -> bool {
    are_offered(rows) && !are_sought(rows)
}

fn are_sent_at_once(rows: &[Row]) -> bool {
    !are_offered(rows)
}

/// What was run, beside the network: shown where rows differ.
pub(super) const PARAMETERS: [Column; 12] = [
    Column::new("n", "dims").or_in_words("n = {}"),
    Column::new("radix", "radix").or_in_words("radix {}"),
    Column::new("nodes", "nodes").or_in_words("{} nodes"),
    Column::new("M", "message_bits").or_in_words("M = {}"),
    Column::new("V", "virtual_channels").or_in_words("V = {}"),
    Column::new("b", "buffer_bits").or_in_words("b = {}"),
    (Column::new("switch", "switch").left()).or_in_words("switch {}"),
    (Column::new("traffic", "traffic").left()).or_in_words("traffic {}"),
    Column::new("load", "load").or_in_words("load {}"),
    Column::new("seed", "seed").or_in_words("seed {}"),
    OFFERED,
    Column::new("W", "wire_bits").or_in_words("W = {}"),
];
const OFFERED: Column = Column::new("offered", "offered_load").or_in_words("offered load {}");

pub(super) const NETWORK: Column = Column::new("network", "network").left().made(|row| {
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
    let mut all = PARAMETERS.iter().chain([&NETWORK]);
    let mut files = ["network_file", "routes_file"].into_iter();
    all.all(|column| column.cell(one) == column.cell(other))
        && files.all(|file| one.text(file) == other.text(file))
}

/// A column of a reading that rows have at another place.
const fn column(column: Column) -> Reading {
    Reading::column_of(column)
}

/// In the order of rows; columns stand where the table has them.
pub(super) const READINGS: &[Reading] = &[
    of_all::BENCH,
    Reading::run("network", |run| {
        worms(run).map(|of| of.router.network).into()
    }),
    Reading::run("network_file", |run| {
        worms(run)
            .and_then(|of| of.router.network_file.clone())
            .into()
    }),
    Reading::run("routes_file", |run| {
        worms(run)
            .and_then(|of| of.router.routes_file.clone())
            .into()
    }),
    Reading::run("routing", |run| {
        worms(run).and_then(|of| of.router.routing).into()
    }),
    Reading::run("copies", |run| {
        worms(run).and_then(|of| of.router.copies).into()
    }),
    Reading::run("pieces", |run| {
        worms(run).and_then(|of| of.router.pieces).into()
    }),
    Reading::run("dims", |run| run.report.topology.dims.into()),
    Reading::run("radix", |run| {
        worms(run).and_then(|of| of.router.radix).into()
    }),
    of_all::NODES.hidden(),
    Reading::run("message_bits", |run| run.report.payload_bits.into()),
    Reading::run("virtual_channels", |run| {
        worms(run).map(|of| of.router.virtual_channels).into()
    }),
    Reading::run("wire_bits", |run| {
        worms(run).map(|of| of.router.wire_bits).into()
    }),
    Reading::run("buffer_bits", |run| {
        worms(run).map(|of| of.router.buffer_bits).into()
    }),
    Reading::run("switch", |run| worms(run).map(|of| of.router.switch).into()),
    Reading::run("traffic", |run| run.report.traffic.as_str().into()),
    Reading::run("load", |run| run.report.load.into()),
    Reading::run("offered_load", |run| {
        throughput(run).map(|of| of.offered_load).into()
    }),
    of_all::SEED_OF_ROW.hidden(),
    column(NETWORK),
    column(PARAMETERS[0]),
    column(PARAMETERS[1]),
    column(PARAMETERS[2]),
    column(PARAMETERS[3]),
    column(PARAMETERS[4]),
    column(PARAMETERS[11]),
    column(PARAMETERS[5]),
    column(PARAMETERS[6]),
    column(PARAMETERS[7]),
    column(PARAMETERS[8]),
    column(PARAMETERS[9]),
    column((Column::new("zero load", ZERO_LOAD).digits(1)).only_if(are_sought)),
    column((Column::new("bound", BOUND).digits(1)).only_if(are_sought)),
    column((Column::new("carries", LOWER).digits(4)).only_if(are_sought)),
    column((Column::new("not", UPPER).digits(4)).only_if(are_sought)),
    column((Column::new("by", PASSED_BY).left()).only_if(are_sought)),
    column(OFFERED),
    column((Column::new("created", "created").digits(3)).only_if(are_offered)),
    column((Column::new("accepted", "accepted").digits(3)).only_if(are_offered)),
    of_all::MESSAGES,
    of_all::DELIVERED,
    // Of a run in which not all messages arrived they say nothing.
    of_all::BIT_TIMES.column(
        Column::new("bit times", "bit_times")
            .made(|row| match row.has("bit_times_per_message_bit") {
                true => row.text("bit_times"),
                false => or_dash(None, 0),
            })
            .only_if(are_sent_at_once),
    ),
    // Of a worm that is alone.
    of_all::BIT_TIMES_FORMULA.hidden(),
    of_all::BIT_TIMES_TEXT,
    Reading::run("bit_times_lower_bound", |run| {
        worms(run)
            .and_then(|of| Some(of.bit_times_bounds.as_ref()?.lower))
            .into()
    })
    .column(Column::new("at least", "bit_times_lower_bound").only_if(are_sent_at_once)),
    Reading::run("bit_times_per_message_bit", |run| {
        let bits = run.report.payload_bits as f64;
        complete(run)
            .map(|bit_times| bit_times as f64 / bits)
            .into()
    })
    .column((Column::new("T/M", "bit_times_per_message_bit").digits(2)).only_if(are_sent_at_once)),
    Reading::run("created", |run| {
        measured(run).and_then(|of| of.created).into()
    }),
    Reading::run("accepted", |run| {
        measured(run).and_then(|of| of.accepted).into()
    }),
    // Of this run alone, as that of its latency: by batch means.
    Reading::run("accepted_half_width", |run| {
        measured(run).and_then(|of| of.accepted_half_width).into()
    }),
    Reading::run("saturated", |run| {
        measured(run).and_then(|of| of.saturated).into()
    }),
    Reading::run("verdict", |run| {
        measured(run).and_then(|of| of.verdict).into()
    }),
    Reading::run("growth_exponent", |run| {
        measured(run).and_then(|of| of.growth_exponent).into()
    }),
    Reading::run("warm_up", |run| measured(run).map(|of| of.phases[0]).into()),
    Reading::run("measurement", |run| {
        measured(run).map(|of| of.phases[1]).into()
    }),
    Reading::run("warm_up_is_long_enough", |run| {
        measured(run)
            .and_then(|of| of.warm_up?.is_long_enough)
            .into()
    }),
    // Of the messages that arrived.
    Reading::run("latency_average", |run| {
        latency(run).map(|of| of.average).into()
    })
    .column(Column::new("latency", "latency_average").digits(1)),
    Reading::run("latency_half_width", |run| {
        latency(run).and_then(|of| of.average_half_width).into()
    })
    .column((Column::new("+-", "latency_half_width").digits(1)).only_if(are_listed)),
    Reading::run("latency_50", |run| {
        latency(run).map(|of| of.percentile_50).into()
    })
    .column((Column::new("50 %", "latency_50").digits(0)).only_if(are_offered)),
    Reading::run("latency_95", |run| {
        latency(run).map(|of| of.percentile_95).into()
    })
    .column((Column::new("95 %", "latency_95").digits(0)).only_if(are_offered)),
    Reading::run("latency_99", |run| {
        latency(run).map(|of| of.percentile_99).into()
    })
    .column(Column::new("99 %", "latency_99").digits(0)),
    Reading::run("latency_largest", |run| {
        latency(run).map(|of| of.largest).into()
    }),
    Reading::run("latency_in_network", |run| {
        latency(run).map(|of| of.average_in_network).into()
    })
    .column(Column::new("in network", "latency_in_network").digits(1)),
    Reading::run("latency_of_worms_in_network", |run| {
        latency(run).map(|of| of.average_of_worms_in_network).into()
    }),
    Reading::run("hops", |run| latency(run).map(|of| of.average_hops).into())
        .column((Column::new("hops", "hops").digits(2)).only_if(are_offered)),
    column(
        Column::new("verdict", "verdict")
            .left()
            .made(|row| match row.has("verdict") {
                true => row.text("verdict"),
                false => or_dash(None, 0),
            })
            .only_if(are_listed),
    ),
    // Of all seeds of this point together, the same in each of their rows.
    later("deadlocks_of_seeds"),
    later("bit_times_of_seeds"),
    later("bit_times_of_seeds_half_width"),
    later("latency_of_seeds"),
    later("latency_of_seeds_half_width"),
    later("accepted_of_seeds"),
    later("accepted_of_seeds_half_width"),
    later("saturation_of_seeds"),
    later("saturation_of_seeds_half_width"),
    // Where the load was looked for: the others are of the run at the lower one of these.
    later(LOWER),
    later(UPPER),
    later(MIDDLE),
    later(BOUND),
    later(ZERO_LOAD),
    later(RUNS),
    later(PASSED_BY),
    // Data wires of a node's host, each way.
    Reading::run("host_wires", |run| {
        worms(run).map(|of| of.router.host_wires).into()
    })
    .column(Column::new("host wires", "host_wires").only_if(are_sent_at_once)),
    of_all::LOGIC_DEPTH.column(Column::new("depth", "logic_depth").only_if(are_sent_at_once)),
    Reading::run("gate_delays", |run| {
        let depth = run.report.logic_depth.as_ref();
        let of_run = |bit_times| Some(bit_times * depth?.total as u64);
        complete(run).and_then(of_run).into()
    })
    .column(Column::new("gate delays", "gate_delays").only_if(are_sent_at_once)),
    of_all::STORAGE
        .column(Column::new("storage", "storage_bits_per_node").only_if(are_sent_at_once)),
    Reading::run("bit_times_storage", |run| {
        let storage = run.report.storage_bits_per_node.total as u64;
        complete(run).map(|bit_times| bit_times * storage).into()
    })
    .column(Column::new("T x storage", "bit_times_storage").only_if(are_sent_at_once)),
    of_all::PEAK_OCCUPIED,
    of_all::SERIAL_ADDERS,
    of_all::WIRE_USE,
    // Whether any traffic can bring one, by the dependency graph; whether this one did is in `checks`.
    Reading::run("can_deadlock", |run| {
        worms(run).map(|of| of.dependencies.can_deadlock).into()
    })
    .column(Column::new("can deadlock", "can_deadlock").made(|row| {
        let can = if row.is("can_deadlock") { "yes" } else { "no" };
        can.to_owned()
    })),
    // When it came, or was found.
    Reading::run("deadlock", |run| {
        worms(run)
            .and_then(|of| Some(of.deadlock.as_ref()?.bit_time))
            .into()
    }),
    column(Column::CHECKS.made(|row| {
        let verdict = match (row.passed(), row.has("deadlock")) {
            (true, _) => "pass",
            (false, true) => "deadlock",
            (false, false) => "FAIL",
        };
        verdict.to_owned()
    })),
];
