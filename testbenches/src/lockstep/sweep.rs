//! A sweep of routers in lockstep: over dimensions, schedules, payloads and loads; bit times and storage beside their closed
//! forms.

use crate::error::Error;
use crate::lockstep::entries::STORAGE_BOUND;
use crate::lockstep::forms;
use crate::lockstep::parameters::{DIMS, LOAD, PAYLOAD_BITS, SCHEDULE, TRAFFIC, pattern, schedule};
use crate::lockstep::schedule::Schedule;
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Panel, Scale};
use crate::measure::reading::{GATE_DELAYS, Reading};
use crate::measure::sweep::{BASE, Drawn, Point, Sweep, names, nothing_varies};
use crate::report::{BIT_TIMES, Entry, Heading, STORAGE, of_all};
use crate::testbench::bench::with_traffic;
use crate::testbench::chosen::{Chosen, Given};

/// The sweep of all testbenches that have no other.
pub static SWEEP: Sweep = Sweep {
    axes: &[&SCHEDULE, &PAYLOAD_BITS, &DIMS, &LOAD, &TRAFFIC],
    who: ("schedule", who),
    readings: &[
        Reading::of(of_all::BENCH).heading(Heading::of("testbench").left().if_rows_differ()),
        Reading::of(of_all::SCHEDULE).heading(Heading::of("schedule").left().if_any_has()),
        Reading::of(of_all::DIMS).headed(DIMS.symbol),
        Reading::of(of_all::NODES).headed("nodes"),
        Reading::of(of_all::PAYLOAD_BITS).headed(PAYLOAD_BITS.symbol),
        Reading::of(of_all::TRAFFIC),
        Reading::of(of_all::LOAD).headed("load"),
        Reading::of(of_all::SEED).headed("seed"),
        Reading::of(of_all::MESSAGES).headed("messages"),
        Reading::of(of_all::DELIVERED),
        Reading::of(BIT_TIMES.of),
        Reading::of(BIT_TIMES.form),
        Reading::text(BIT_TIMES.form),
        Reading::of(of_all::LOGIC_DEPTH),
        Reading::of(of_all::LOGIC_DEPTH_NODE),
        Reading::of(of_all::LOGIC_DEPTH_SEQUENCER),
        GATE_DELAYS,
        Reading::of(STORAGE.of),
        Reading::of(STORAGE.form).headed("formula"),
        Reading::text(STORAGE.form),
        Reading::of(STORAGE_BOUND),
        Reading::text(STORAGE_BOUND),
        Reading::of(of_all::SEQUENCER),
        Reading::of(of_all::PEAK_MESSAGES),
        Reading::of(of_all::PEAK_OCCUPIED).headed("occupied"),
        Reading::of(of_all::SERIAL_ADDERS).headed("adders"),
        Reading::of(of_all::WIRE_USE),
    ],
    title,
    below: |points, _| {
        format!(
            "D: payload bits of a message; load 1: all nodes send; formula: what the column before it must equal\n\
             depth: gates on the longest path between registers; gate delays: bit times x depth; adders: serial adders of a node\n\
             storage: register bits of a node, all to be built; bound: the most that this project allows the design; occupied: \
             the most\nof them that messages filled in this run, with their address bits; other traffic may fill more\n\
             \nclosed forms\n{}",
            forms::text(points)
        )
    },
    drawn: Some(drawn),
    plot: "Draw bit times, storage and logic depth against the dimensions here: measured points, on their closed forms where \
           there are any",
    against: &[(&DIMS, "dimensions k (2^k nodes)", Scale::Whole)],
    series_of: "schedule with each payload",
    nothing_varies: |points| {
        let k = points.first().map_or(0, dims);
        let example = format!("--dims {}", dims_with(k));
        nothing_varies(
            ["bit times and storage", "the dimensions"],
            format!("k = {k}"),
            &example,
        )
    },
    panels,
    ..BASE
};

/// Dimensions of a point.
pub(super) fn dims(point: &Point) -> usize {
    point.chosen.number(&DIMS)
}

/// A few dimensions, `dims` among them, that there are.
fn dims_with(dims: usize) -> String {
    let first = dims.min(rtl_model::machine::topology::hypercube::MAX_DIMENSIONS - 4);
    format!("{first}..{}", first + 4)
}

/// Its schedule, or the testbench where that has only one; both, where there are several testbenches.
pub(super) fn who(chosen: &Chosen) -> String {
    let bench = chosen.bench().name;
    match schedule(chosen) {
        Ok(Some(schedule)) if chosen.is_of_several => format!("{bench} {}", schedule.name()),
        Ok(Some(schedule)) => schedule.name().to_owned(),
        _ => bench.to_owned(),
    }
}

fn title(points: &[Point]) -> String {
    match points.first().and_then(|point| traffic(&point.chosen)) {
        Some(traffic) => format!("{}, traffic {traffic}", names(points)),
        None => names(points),
    }
}

/// What the traffic of a testbench is called; nothing, if it takes none.
fn traffic(chosen: &Chosen) -> Option<&'static str> {
    match chosen.takes(&TRAFFIC) {
        true => Some(pattern(chosen).map_or("", |pattern| pattern.name())),
        false => chosen.takes(&LOAD).then_some("random"),
    }
}

/// Draws traffic, which says whether pattern, load and schedule will do, and leaves out what has none: of the smallest
/// cubes all of it is drawn, of the others none at all, for patterns that some cubes lack; for full permutations, all. A
/// pattern that a packing was asked to route may be none that it can in any cube, so there all is drawn.
fn drawn(points: Vec<Point>, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
    let smallest = points.iter().map(dims).min();
    let mut known = Vec::new();
    left_out.kept(points, |point| {
        let mut chosen = point.chosen.clone();
        let bench = chosen.bench();
        if chosen.has(&TRAFFIC) && chosen.takes(&TRAFFIC) && bench.schedules.is_empty() {
            return with_traffic((bench.job)(&chosen)?).map(|_| ());
        }
        let is_full_only = schedule(&chosen)?.is_some_and(Schedule::is_full_only);
        if Some(dims(point)) != smallest && !is_full_only {
            chosen.set(&LOAD, Some(Given::Share(0.0)));
        }
        let what = (bench.name, dims(point), chosen.share(&LOAD), is_full_only);
        let is_sure = Some(dims(point)) != smallest && !chosen.has(&TRAFFIC);
        if !is_sure && !known.contains(&what) {
            with_traffic((bench.job)(&chosen)?)?;
            known.push(what);
        }
        Ok(())
    })
}

/// Bit times, how long each is, both together, and storage.
fn panels(drawn: &Drawn<'_>) -> Result<Vec<Panel>, Error> {
    let panel = |of: &Entry| drawn.panel(of, Scale::FromZero(1.05));
    let mut times = panel(&BIT_TIMES.of.panel("Bit times of a run", "bit times"));
    let register_bits = "register bits a node";
    let mut storage = panel(&STORAGE.of.panel("Storage of a node", register_bits));
    forms::draw(drawn.points, drawn.series, [&mut times, &mut storage])?;
    let others = [of_all::LOGIC_DEPTH, of_all::GATE_DELAYS];
    Ok([times, storage]
        .into_iter()
        .chain(others.iter().map(panel))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::lockstep::permutations;
    use crate::testbench::Testbench;

    static OF_ADDRESSES: Testbench = Testbench {
        parameters: &[&DIMS],
        ..permutations::BENCH
    };

    #[test]
    fn traffic_is_named_where_there_is_some() {
        let named = |name| traffic(&Chosen::of(families::testbench(name).unwrap()));
        assert_eq!(named("kuszmaul"), Some("randperm"));
        assert_eq!(named("enumeration"), Some("random"));
        assert_eq!(traffic(&Chosen::of(&OF_ADDRESSES)), None);
    }
}
