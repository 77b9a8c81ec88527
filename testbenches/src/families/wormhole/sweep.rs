//! A sweep of wormhole routers: over networks and their sizes, switches, message bits, patterns and loads; bit times, or latency
//! and accepted load, and what networks gain on each other.

mod compare;
mod readings;
mod saturated;
mod search;
mod seeds;

use rtl_model::routers::wormhole::parameters::MAX_BUFFER_BITS;

use crate::error::Error;
use crate::families::wormhole::entries::MIDDLE;
use crate::families::wormhole::injection::{
    DRAIN, LATENCY_BOUND, MEASUREMENT, OFFERED_LOAD, SATURATION, TOLERANCE, WARM_UP,
};
use crate::families::wormhole::network_file::{NETWORK_FILE, ROUTES_FILE, is_from_file};
use crate::families::wormhole::parameters::{
    BUFFER_BITS, COPIES, DIMS, LOAD, MESSAGE_BITS, NETWORK, PIECES, RADIX, ROUTING, STORAGE,
    SWITCH, TRAFFIC, VIRTUAL_CHANNELS, WIRE_BITS, direct, machine, most_virtual_channels,
};
use crate::families::wormhole::sweep::readings::{
    READINGS, are_offered, are_sought, base_name, network_label, routed, verdict,
};
use crate::measure;
use crate::measure::plot::{Curve, Look, Panel, Scale, curves};
use crate::measure::row::Row;
use crate::measure::sweep::{self, BASE, Drawn, Point, Sweep};
use crate::testbench::chosen::{Chosen, Given};

pub static SWEEP: Sweep = Sweep {
    axes: &[
        &NETWORK_FILE,
        &ROUTES_FILE,
        &NETWORK,
        &ROUTING,
        &COPIES,
        &PIECES,
        &VIRTUAL_CHANNELS,
        &WIRE_BITS,
        &BUFFER_BITS,
        &STORAGE,
        &SWITCH,
        &MESSAGE_BITS,
        &TRAFFIC,
        &RADIX,
        &DIMS,
        &SATURATION,
        &OFFERED_LOAD,
        &LOAD,
        &LATENCY_BOUND,
        &TOLERANCE,
        &WARM_UP,
        &MEASUREMENT,
        &DRAIN,
    ],
    who: ("network", |chosen| {
        network_name(chosen, &format!(" {}", chosen.number(&COPIES)))
    }),
    // However many there are.
    along: Some(|chosen| {
        let are_all = chosen.takes(&COPIES) && !chosen.has(&COPIES);
        let pieces = chosen.shown(&PIECES).unwrap_or_default();
        are_all.then(|| (DIMS.name, network_label("all copies", None, &pieces)))
    }),
    settled,
    readings: READINGS,
    verdict,
    below,
    summary: Some(|points, rows| {
        let comparisons = compare::comparisons(points, rows);
        let compared = match comparisons.is_empty() {
            true => String::new(),
            false => format!("\n{}", compare::text(&comparisons)),
        };
        let spread = measure::seeds::text(points, rows, seeds::counts);
        [saturated::text(rows), seeds::text(rows), spread, compared].concat()
    }),
    counts: seeds::counts,
    conclude: Some(seeds::conclude),
    beside: Some(search::SEARCH),
    plot: "Draw bit times for each bit of a message here, against --dims, --radix or --message-bits; with --offered-load, latency \
           and accepted load against it; with --saturation, the load that is carried. With several --seeds, bars are 95 % \
           confidence intervals",
    against: &[
        (
            &OFFERED_LOAD,
            "offered: message bits of a node in a bit time",
            Scale::FromZero(1.05),
        ),
        (&DIMS, "dimensions n of the network", Scale::Whole),
        (&RADIX, "radix: nodes in each dimension", Scale::Whole),
        (&MESSAGE_BITS, "bits of a message M", Scale::Log(2.0)),
    ],
    series_of: "network with each of its options",
    nothing_varies,
    panels: |drawn| Ok(panels(drawn)),
    ..BASE
};

/// A network, with `copies` where it is made of them, and how messages are cut, if not as usual.
fn network_name(chosen: &Chosen, copies: &str) -> String {
    let routing = chosen.takes(&ROUTING).then(|| chosen.shown(&ROUTING));
    let routing = routing.flatten().unwrap_or_default();
    let network = match (chosen.text(&NETWORK_FILE), chosen.text(&ROUTES_FILE)) {
        (Some(file), None) => base_name(file).to_owned(),
        (Some(file), Some(routes)) => format!("{} {}", base_name(file), base_name(routes)),
        _ => chosen.shown(&NETWORK).unwrap_or_default(),
    };
    let network = routed(&network, &routing);
    let copies = if chosen.takes(&COPIES) { copies } else { "" };
    let pieces = chosen.shown(&PIECES).unwrap_or_default();
    network_label(&format!("{network}{copies}"), None, &pieces)
}

/// With as many virtual channels as the network has use for, buffers as large as fit into the storage, and messages cut as usual
/// where there is one copy.
fn settled(mut chosen: Chosen) -> Chosen {
    // Hypercubes, tori, meshes and networks from files take what they are given, and refuse what they cannot.
    let is_direct = is_from_file(&chosen) || !matches!(direct(&chosen), Ok(None));
    if chosen.has(&VIRTUAL_CHANNELS) && !is_direct {
        let channels = chosen.number(&VIRTUAL_CHANNELS);
        let channels = channels.min(most_virtual_channels(&chosen));
        chosen.set(&VIRTUAL_CHANNELS, Some(Given::number(channels)));
    }
    if chosen.takes(&COPIES) && chosen.number(&COPIES) == 1 {
        chosen.set(&PIECES, None);
    }
    if chosen.has(&STORAGE) {
        let with = |bits| chosen.clone().with(&BUFFER_BITS, Given::number(bits));
        let wire_bits = chosen.number(&WIRE_BITS);
        let mut all = (1..=MAX_BUFFER_BITS)
            .rev()
            .map(|places| with(wire_bits.saturating_mul(places)));
        // Where none fits, the machine with the least says so.
        let largest = all.find(|chosen| machine(chosen).is_ok());
        chosen = largest.unwrap_or_else(|| with(wire_bits));
    }
    chosen
}

fn nothing_varies(points: &[Point]) -> Error {
    let of_first = |of: fn(&Chosen) -> String| {
        let first = points.first();
        first.map_or(String::new(), |point| of(&point.chosen))
    };
    let has = |parameter| points.iter().any(|point| point.chosen.has(parameter));
    if has(&OFFERED_LOAD) {
        let load = of_first(|chosen| chosen.shown(&OFFERED_LOAD).unwrap_or_default());
        let drawn = ["latency and accepted load", "the offered load"];
        return sweep::nothing_varies(drawn, load, "--offered-load 0.05..0.9");
    }
    let what = match has(&SATURATION) {
        true => "the load that is carried",
        false => "bit times",
    };
    let sizes = of_first(|chosen| {
        let [n, m] = [&DIMS, &MESSAGE_BITS].map(|one| chosen.number(one));
        format!("n = {n} and M = {m}")
    });
    let has_radix = points
        .first()
        .is_some_and(|point| point.chosen.takes(&RADIX));
    let example = match has_radix {
        true => "--radix 4,8 or --message-bits 64,256",
        false => "--dims 3,6 or --message-bits 64,256",
    };
    sweep::nothing_varies([what, "--dims, --radix or --message-bits"], sizes, example)
}

/// How a mark looks, by the verdict on its row.
fn look(row: &Row) -> Look {
    match row.text("verdict").as_str() {
        "saturated" => Look::Hollow,
        "undecided" => Look::Dotted,
        _ => Look::Filled,
    }
}

fn below(_: &[Point], rows: &[Row]) -> String {
    let text = match (are_sought(rows), are_offered(rows)) {
        (true, _) => {
            "carries, not: offered loads between which the network's latency passes the bound, or its backlog grows without end;\n\
             by: which of them; zero load: the latency at an offered load of 0.01; the other columns are of the run at the\n\
             load that is carried\n"
        }
        (false, true) => {
            "offered, created, accepted: message bits of a node in a bit time\n\
             verdict: saturated where the backlog grows in proportion to time, stable where it does not, undecided where no\n\
             run was long enough to tell\n"
        }
        (false, false) => {
            "at least: bits over the busiest wire, or the time of a worm that meets no other; T/M: bit times for each bit of a message\n\
             host wires: data wires between a node and its host, as many each way\n\
             depth: gates between two registers at the most; gate delays: bit times times depth\n\
             storage: register bits of a node; T x storage: bit times times it\n"
        }
    }
    .to_owned();
    let of_latencies = match are_offered(rows) {
        true => {
            "latency: bit times from creation to the last bit's arrival, on the average (+-: half of its 95 % confidence\n\
             interval, by batch means of this run) and of 50, 95 and 99 in 100 messages; in network: from the first bit on\n\
             its way, on the average; hops: links on the route of a worm, on the average\n"
        }
        false => {
            "latency: bit times from creation to the last bit's arrival, on the average and of 99 in 100 messages;\n\
             in network: from the first bit on its way, on the average\n"
        }
    };
    let of_deadlocks = "can deadlock: whether any traffic can have worms wait in a circle, by the channel dependency graph;\n\
         checks: what became of this traffic\n";
    text + of_latencies + of_deadlocks
}

fn panels(drawn: &Drawn<'_>) -> Vec<Panel> {
    let Drawn {
        series, rows, axis, ..
    } = *drawn;
    // What a deadlock left is no measurement.
    let lines = |name: &str| {
        let value = |row: &Row| row.number(name).filter(|_| !row.has("deadlock"));
        curves((series, rows), axis, value, look)
    };
    if are_sought(rows) {
        return vec![Panel {
            title: "Offered load at which latency passes its bound",
            unit: "message bits of a node in a bit time",
            scale: Scale::FromZero(1.1),
            curves: curves(
                (series, rows),
                axis,
                |row| row.number(MIDDLE.in_rows()),
                |_| Look::Filled,
            ),
            has_diagonal: false,
        }];
    }
    if !are_offered(rows) {
        return vec![Panel {
            title: "Bit times of a run for each bit of a message, T / M",
            unit: "bit times / message bits",
            scale: Scale::FromZero(1.05),
            curves: lines("bit_times_per_message_bit"),
            has_diagonal: false,
        }];
    }
    // The latency of a network that is saturated goes by how long it was measured.
    let latency = |name: &str| lines(name).into_iter().map(Curve::up_to_hollow);
    let most = latency("latency_99").map(Curve::lightly);
    vec![
        Panel {
            title: "Latency (lighter: 99 in 100; hollow: saturated; dotted: undecided)",
            unit: "bit times from creation to arrival",
            scale: Scale::Log(10.0),
            curves: most.chain(latency("latency_average")).collect(),
            has_diagonal: false,
        },
        Panel {
            title: "Accepted load (hollow: saturated; dotted: undecided)",
            unit: "message bits of a node in a bit time",
            scale: Scale::FromZero(1.1),
            curves: lines("accepted"),
            has_diagonal: true,
        },
    ]
}

#[cfg(test)]
mod tests;
