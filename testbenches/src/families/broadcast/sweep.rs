//! A sweep of broadcasts: over algorithms and ports, cubes, messages, packets and start-ups; the tables of both papers, and where
//! one broadcast becomes faster than another.

use crate::families::broadcast::job::Asked;
use crate::families::broadcast::packet_size::{Calculus, Found};
use crate::families::broadcast::parameters::{
    ALGORITHM, DIMS, MESSAGE_BITS, PACKET_BITS, PACKETS, PORTS, SOURCE, START_UP, message_bits,
};
use crate::families::broadcast::tables;
use crate::measure::fastest;
use crate::measure::plot::{Look, Panel, Scale, curves};
use crate::measure::reading::{Finished, Reading, of_all};
use crate::measure::row::Row;
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::measure::table::Column;

pub static SWEEP: Sweep = Sweep {
    axes: &[
        &ALGORITHM,
        &PORTS,
        &DIMS,
        &PACKETS,
        &MESSAGE_BITS,
        &PACKET_BITS,
        &START_UP,
        &SOURCE,
    ],
    who: ("algorithm", |chosen| {
        let [algorithm, ports] = [&ALGORITHM, &PORTS].map(|one| chosen.shown(one));
        format!(
            "{} {}",
            algorithm.unwrap_or_default(),
            ports.unwrap_or_default()
        )
    }),
    readings: &[
        of_all::BENCH,
        Reading::told("algorithm").column(Column::new("broadcast", "algorithm").left()),
        Reading::told("ports").column(Column::new("ports", "ports").left()),
        Reading::parameter(&DIMS),
        of_all::NODES,
        Reading::told("source_node")
            .column(Column::new("source", "source_node").or_in_words("from node {}")),
        Reading::told("message_bits")
            .column(Column::new("M", "message_bits").or_in_words("M = {}")),
        Reading::told("packet_bits").column(Column::new("B", "packet_bits").or_in_words("B = {}")),
        Reading::told("packets").column(Column::new("P", "packets").or_in_words("P = {}")),
        Reading::parameter(&START_UP),
        of_all::SEED_OF_ROW,
        of_all::MESSAGES,
        of_all::DELIVERED,
        of_all::ROUTING_STEPS,
        of_all::ROUTING_STEPS_FORMULA,
        of_all::ROUTING_STEPS_TEXT.column(Column::new("", "routing_steps_text").left()),
        of_all::BIT_TIMES,
        of_all::BIT_TIMES_FORMULA,
        of_all::BIT_TIMES_TEXT,
        Reading::told("packets_sent"),
        of_all::LOGIC_DEPTH.hidden(),
        of_all::LOGIC_DEPTH_NODE,
        of_all::LOGIC_DEPTH_SEQUENCER,
        of_all::STORAGE.hidden(),
        of_all::STORAGE_FORMULA,
        of_all::STORAGE_TEXT,
        of_all::SEQUENCER_STORAGE,
        of_all::PEAK_MESSAGES,
        of_all::PEAK_OCCUPIED,
        of_all::FORWARDING_BUFFER,
        of_all::FORWARDING_BUFFER_FORMULA,
        of_all::FORWARDING_BUFFER_TEXT,
        Reading::column_of(Column::new("storage", "storage_bits_per_node")),
        of_all::SERIAL_ADDERS,
        of_all::WIRE_USE,
        Reading::run("optimum_packet_bits", |run| {
            optimum(run).map(|optimum| optimum.bits).into()
        }),
        Reading::run("optimum_bit_times", |run| {
            optimum(run).map(|optimum| optimum.bit_times).into()
        }),
    ],
    below: |_, rows| {
        let said = "steps: routing steps, each of T + B bit times; N = 2^n nodes, P packets of B bits, g = ceil(P/n)\n\
                    to send on: the most bits that a node held to send on, those in flight to it among them\n\
                    storage: register bits of a node\n";
        let tables = [
            tables::delays(rows),
            tables::optima(rows),
            tables::ratios(rows),
            tables::fits(rows),
        ];
        said.to_owned() + &tables.concat()
    },
    plot: "Draw bit times and routing steps here, against --dims, --message-bits, --packets, --packet-bits or --start-up, whichever \
           varies, the first of them that does; with --dims and --message-bits, also from which message on each broadcast is the \
           fastest",
    against: &[
        (&DIMS, "dimensions n (2^n nodes)", Scale::Whole),
        (&MESSAGE_BITS, "bits of the message M", Scale::Log(2.0)),
        (&PACKETS, "packets P", Scale::Log(2.0)),
        (&PACKET_BITS, "bits of a packet B", Scale::Log(2.0)),
        (
            &START_UP,
            "bit times of a start-up T",
            Scale::FromZero(1.05),
        ),
    ],
    series_of: "broadcast with each of its ports",
    nothing_varies: |_| {
        one_of_each(
            "bit times",
            "--dims, --message-bits, --packets, --packet-bits or --start-up",
            "--dims 2..6 or --message-bits 64,256,1024",
        )
    },
    panels: |drawn| Ok(panels(drawn)),
    ..BASE
};

/// What calculus says of the size of packets, where the formula has it.
fn optimum(run: &Finished<'_>) -> Option<Calculus> {
    let asked = Asked::new(run.chosen, message_bits(run.chosen)).ok()?;
    match asked.packet_size.found {
        Found::Optimum(optimum) => Some(optimum),
        Found::Asked | Found::Fixed(_) => None,
    }
}

fn panels(drawn: &Drawn<'_>) -> Vec<Panel> {
    let Drawn {
        points,
        series,
        rows,
        axis,
    } = *drawn;
    let differ = |name: &str| {
        let values: Vec<Option<f64>> = rows.iter().map(|row| row.number(name)).collect();
        values.windows(2).any(|pair| pair[0] != pair[1])
    };
    let counts_packets = points.iter().any(|point| point.chosen.has(&PACKETS));
    let has_crossover =
        axis == "dims" && differ("message_bits") && !differ("start_up") && !counts_packets;
    if !has_crossover {
        let decades = Scale::Log(10.0);
        let of_times = ("Bit times of a broadcast", "bit times");
        return vec![
            drawn.panel(of_times, decades, "bit_times"),
            drawn.panel(("Routing steps", "steps"), decades, "routing_steps"),
        ];
    }
    // Of several messages, the longest.
    let bits = |row: &Row| row.number("message_bits").unwrap_or(0.0);
    let longest = rows.iter().map(bits).fold(0.0, f64::max);
    let of_longest = |row: &Row| row.number("bit_times").filter(|_| bits(row) >= longest);
    vec![
        Panel {
            title: "Bit times of the longest message",
            unit: "bit times",
            scale: Scale::Log(10.0),
            curves: curves((series, rows), axis, of_longest, |_| Look::Filled),
            has_diagonal: false,
        },
        Panel {
            title: "From which message on each is the fastest of all",
            unit: "bits of the message M",
            scale: Scale::Log(2.0),
            curves: fastest::curves(&["algorithm", "ports"], "message_bits", (series, rows)),
            has_diagonal: false,
        },
    ]
}
