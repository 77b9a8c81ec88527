//! A sweep of broadcasts: over algorithms and ports, cubes, messages, packets and start-ups; the tables of both papers, and where
//! one broadcast becomes faster than another.

use crate::families::broadcast::entries;
use crate::families::broadcast::job::Asked;
use crate::families::broadcast::packet_size::{Calculus, Found};
use crate::families::broadcast::parameters::{
    ALGORITHM, DIMS, MESSAGE_BITS, PACKET_BITS, PACKETS, PORTS, SOURCE, START_UP, message_bits,
};
use crate::families::broadcast::tables;
use crate::measure::fastest;
use crate::measure::plot::{Look, Panel, Scale, curves};
use crate::measure::reading::{Finished, Reading};
use crate::measure::row::Row;
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::report::{BIT_TIMES, FORWARDING_BUFFER, Heading, ROUTING_STEPS, STORAGE, of_all};

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
        Reading::of(of_all::BENCH),
        Reading::of(entries::ALGORITHM),
        Reading::of(entries::PORTS),
        Reading::parameter(&DIMS),
        Reading::of(of_all::NODES),
        Reading::of(entries::SOURCE),
        Reading::of(entries::MESSAGE_BITS),
        Reading::of(entries::PACKET_BITS),
        Reading::of(entries::PACKETS),
        Reading::parameter(&START_UP),
        Reading::of(of_all::SEED),
        Reading::of(of_all::MESSAGES),
        Reading::of(of_all::DELIVERED),
        Reading::of(ROUTING_STEPS.of),
        Reading::of(ROUTING_STEPS.form),
        Reading::text(ROUTING_STEPS.form).heading(Heading::of("").left()),
        Reading::of(BIT_TIMES.of),
        Reading::of(BIT_TIMES.form),
        Reading::text(BIT_TIMES.form),
        Reading::of(entries::PACKETS_SENT),
        Reading::of(of_all::LOGIC_DEPTH).hidden(),
        Reading::of(of_all::LOGIC_DEPTH_NODE),
        Reading::of(of_all::LOGIC_DEPTH_SEQUENCER),
        Reading::of(FORWARDING_BUFFER.of),
        Reading::of(FORWARDING_BUFFER.form),
        Reading::text(FORWARDING_BUFFER.form),
        Reading::of(STORAGE.of),
        Reading::of(STORAGE.form),
        Reading::text(STORAGE.form),
        Reading::of(of_all::SEQUENCER),
        Reading::of(of_all::PEAK_MESSAGES),
        Reading::of(of_all::PEAK_OCCUPIED),
        Reading::of(of_all::SERIAL_ADDERS),
        Reading::of(of_all::WIRE_USE),
        Reading::run(entries::OPTIMUM_PACKET_BITS, |run| {
            optimum(run).map(|optimum| optimum.bits).into()
        }),
        Reading::run(entries::OPTIMUM_BIT_TIMES, |run| {
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
        let of_times = BIT_TIMES.of.panel("Bit times of a broadcast", "bit times");
        return [of_times, ROUTING_STEPS.of]
            .iter()
            .map(|entry| drawn.panel(entry, decades))
            .collect();
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
