//! Looks for the offered load that a network carries: by bisection, with a run at each load that it comes to.

use crate::error::Error;
use crate::families::wormhole::entries;
use crate::families::wormhole::injection::{
    LATENCY_BOUND, MEASUREMENT, OFFERED_LOAD, SATURATION, TOLERANCE, WARM_UP, most_load,
};
use crate::families::wormhole::job::Job;
use crate::families::wormhole::report::Worms;
use crate::families::wormhole::run;
use crate::measure::reading::Finished;
use crate::measure::row::{Row, Value};
use crate::measure::sweep::{self, Beside, Size};
use crate::measure::timing;
use crate::report::Report;
use crate::testbench::bench::{Job as _, RunOptions};
use crate::testbench::chosen::{Chosen, Given};

/// Points whose load is looked for, as a sweep measures them.
pub(super) const SEARCH: Beside = Beside {
    named_by: &SATURATION,
    size: |chosen| {
        check(chosen)?;
        let job = Job::new(chosen)?;
        let nodes = job.machine.network().nodes();
        Ok(Size::of(chosen, nodes, &job.requirement()))
    },
    cost: timing::cost,
    run: row,
};

/// Refuses a bound that every latency passes, and a tolerance out of range.
fn check(chosen: &Chosen) -> Result<(), Error> {
    if chosen.whole(&LATENCY_BOUND) == Some(0) {
        let why = "every message takes longer than 0 bit times: give 1 or more";
        return Err(LATENCY_BOUND.blamed(why.to_owned()));
    }
    let tolerance = chosen.share(&TOLERANCE).unwrap_or_default();
    match (LEAST_TOLERANCE..=0.5).contains(&tolerance) {
        true => Ok(()),
        false => {
            Err(TOLERANCE.blamed(format!("{tolerance} is out of range: choose 0.0001 to 0.5")))
        }
    }
}

/// How near the two loads may be asked to be.
const LEAST_TOLERANCE: f64 = 0.0001;
/// A load at which messages are hardly ever in each other's way.
const LIGHT: f64 = 0.01;

/// Messages from which the latency at a light load is known well enough.
const LIGHT_MESSAGES: f64 = 500.0;
/// How many times as long latencies may be as at a light load, where no bound is given.
const TIMES_LIGHT: f64 = 3.0;

/// What is said of worms.
fn worms(report: &Report) -> Option<&Worms> {
    report.family.details()
}

/// What a run says of its load.
enum Said {
    /// The network carries it, within the bound.
    Carried,
    /// It does not: why.
    Passed(&'static str),
}

/// Two loads between which something changes, as near to each other as `tolerance`: the lower one is carried, the upper one is
/// not. None of a lower one, where the lightest is not carried; none of an upper one, where all are.
fn bisect(
    (light, most): (f64, f64),
    tolerance: f64,
    mut is_carried: impl FnMut(f64) -> Result<bool, Error>,
) -> Result<(Option<f64>, Option<f64>), Error> {
    if !is_carried(light)? {
        return Ok((None, Some(light)));
    }
    let (mut lower, mut upper) = (light, most);
    let mut is_upper_known = false;
    while upper - lower > tolerance {
        let middle = (lower + upper) / 2.0;
        // Loads are told with as many digits as they are known.
        let middle = (middle / LEAST_TOLERANCE).round() * LEAST_TOLERANCE;
        if middle <= lower || middle >= upper {
            break;
        }
        match is_carried(middle)? {
            true => lower = middle,
            false => (upper, is_upper_known) = (middle, true),
        }
    }
    // Nobody has been there yet.
    if !is_upper_known && is_carried(most)? {
        return Ok((Some(most), None));
    }
    Ok((Some(lower), Some(upper)))
}

/// The row of a point whose load is looked for: that of the run at the highest load that was carried, with what was found.
///
/// # Errors
/// What a run is refused for.
fn row(chosen: &Chosen) -> Result<Row, Error> {
    let job = Job::new(chosen)?;
    let identity = chosen.bench().identity(&job);
    let run_at = |load: f64, phases: Option<[u64; 2]>| -> Result<Report, Error> {
        let mut at = chosen
            .clone()
            .with(&SATURATION, None)
            .with(&OFFERED_LOAD, Given::Share(load));
        for (phase, bit_times) in [&WARM_UP, &MEASUREMENT]
            .into_iter()
            .zip(phases.into_iter().flatten())
        {
            if !at.has(phase) {
                at.set(phase, Some(Given::number(bit_times as usize)));
            }
        }
        let options = RunOptions::beside_others();
        run::run(&Job::new(&at)?.as_probe(), &identity, &options)
    };
    // As long as it takes to create enough messages.
    let nodes = job.machine.network().nodes() as f64;
    let bits = job.message_bits as f64;
    let light = (LIGHT_MESSAGES * bits / (LIGHT * nodes)).ceil().max(1000.0) as u64;
    let at_light = run_at(LIGHT, Some([light / 2, light]))?;
    let zero_load = worms(&at_light).and_then(|of| Some(of.latency.as_ref()?.average));
    let bound = match (chosen.whole(&LATENCY_BOUND), zero_load) {
        (Some(bound), _) => bound as f64,
        (None, Some(latency)) => TIMES_LIGHT * latency,
        (None, None) => f64::INFINITY,
    };
    let said = |load: f64, report: &Report| -> Said {
        let of = worms(report);
        let throughput = of.and_then(|of| of.throughput.as_ref());
        let latency = of.and_then(|of| of.latency.as_ref());
        let deadlock = of.and_then(|of| of.deadlock.as_ref());
        match (deadlock, throughput.and_then(|of| of.verdict)) {
            (Some(_), _) => Said::Passed("deadlock"),
            (None, Some("saturated")) => Said::Passed("backlog"),
            _ if latency.is_some_and(|of| of.average > bound) => Said::Passed("latency"),
            // At a light load little happens, and of little nothing can be told.
            (None, Some("undecided") | None) if load > LIGHT => Said::Passed("undecided"),
            (None, _) => Said::Carried,
        }
    };
    // The run at the highest load that was carried, and why the lowest one was not that was not.
    let mut best = at_light;
    let mut passed_by = None;
    let mut runs = 1u64;
    let tolerance = chosen.share(&TOLERANCE).unwrap_or_default();
    let (lower, upper) = bisect((LIGHT, most_load(chosen) as f64), tolerance, |load| {
        let report = match load > LIGHT {
            true => {
                runs += 1;
                Some(run_at(load, None)?)
            }
            false => None,
        };
        match said(load, report.as_ref().unwrap_or(&best)) {
            Said::Carried => {
                if let Some(report) = report {
                    best = report;
                }
                Ok(true)
            }
            // Loads that are not carried come in descending order.
            Said::Passed(why) => {
                passed_by = Some(why);
                Ok(false)
            }
        }
    })?;
    let mut row = sweep::row(&Finished::new(chosen, &best));
    // It is none that was asked for.
    row.set(entries::OFFERED_LOAD.in_rows(), Value::Nothing);
    row.set(entries::LOWER.in_rows(), lower);
    row.set(entries::UPPER.in_rows(), upper);
    let middle = match (lower, upper) {
        (Some(lower), Some(upper)) => (lower + upper) / 2.0,
        (lower, upper) => lower.or(upper).unwrap_or(0.0),
    };
    row.set(entries::MIDDLE.in_rows(), middle);
    let bound = Some(bound).filter(|bound| bound.is_finite());
    row.set(entries::LATENCY_BOUND.in_rows(), bound);
    row.set(entries::ZERO_LOAD.in_rows(), zero_load);
    row.set(entries::RUNS.in_rows(), runs);
    row.set(entries::PASSED_BY.in_rows(), passed_by);
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::wormhole::BENCH;
    use crate::testbench::bench::asked;

    /// What is found of a network that carries so much, and at which loads it was run.
    fn found(carries: f64, tolerance: f64) -> ((Option<f64>, Option<f64>), Vec<f64>) {
        let mut loads = Vec::new();
        let found = bisect((LIGHT, 1.0), tolerance, |load| {
            loads.push(load);
            Ok(load <= carries)
        });
        (found.unwrap(), loads)
    }

    #[test]
    fn the_bracket_holds_what_is_sought_and_is_as_narrow_as_asked() {
        for carries in [0.0123, 0.02, 0.1, 0.25, 0.5049, 0.77, 0.994, 0.9999] {
            for tolerance in [0.0001, 0.005, 0.01, 0.3] {
                let ((lower, upper), loads) = found(carries, tolerance);
                let (lower, upper) = (lower.unwrap(), upper.unwrap());
                assert!(lower <= carries && carries < upper, "{carries} {tolerance}");
                assert!(upper - lower <= tolerance + 1e-9);
                assert!(loads.contains(&lower) && loads.contains(&upper));
                assert!(loads.len() <= 16);
            }
        }
    }

    /// Cube-connected cycles with one virtual channel: worms wait for each other in a ring, however few there are.
    #[test]
    fn a_load_at_which_worms_wait_for_each_other_is_not_carried() {
        let chosen = asked(&BENCH, "--dims 4 --virtual-channels 1 --message-bits 32");
        let row = row(&chosen.at_point().with(&SATURATION, Given::On)).unwrap();
        let found = (
            row.number(entries::LOWER.in_rows()),
            row.number(entries::UPPER.in_rows()),
        );
        assert_eq!(found, (None, Some(LIGHT)));
        assert_eq!(row.text(entries::PASSED_BY.in_rows()), "deadlock");
    }

    #[test]
    fn what_carries_all_and_what_carries_nothing_is_told() {
        assert_eq!(found(1.0, 0.005).0, (Some(1.0), None));
        assert_eq!(found(0.001, 0.005), ((None, Some(LIGHT)), vec![LIGHT]));
    }
}
