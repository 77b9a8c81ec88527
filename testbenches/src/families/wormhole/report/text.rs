//! What worms add to a report.

use std::sync::Arc;

use crate::families::wormhole::entries;
use crate::families::wormhole::report::tables::cycle;
use crate::families::wormhole::report::{Throughput, Times, Worms};
use crate::report::{Check, Report, Told, counted};
use crate::statistics::growth::Verdict;

/// What they say.
pub(super) fn told(report: &Report, worms: Worms, checks: Vec<Check>) -> Told {
    let mut before_storage = worms.deadlock.as_ref().map_or(String::new(), cycle);
    if let Some(undelivered) = &worms.undelivered {
        before_storage.push_str(&undelivered.text(report.bit_times));
    }
    let after_storage = format!(
        "{}\nchannels: the most bits that one ever held, over all nodes\n{}\n\
         \nbits over links\n{}\n\
         \nstalls, in channels times bit times\n{}\n",
        worms.latencies(),
        worms.fullest(),
        worms.loads(),
        worms.stalled()
    );
    let mut told = Told {
        summary: summary(report, &worms),
        checks,
        outcome: worms.throughput.as_ref().map_or(String::new(), outcome),
        before_storage,
        after_storage,
        ..Told::default()
    };
    told.put(&entries::ROUTER, &worms.router);
    told.put(&entries::DEPENDENCIES, &worms.dependencies);
    told.put(&entries::BOUNDS, &worms.bit_times_bounds);
    told.put(&entries::LATENCY, &worms.latency);
    told.put(&entries::ROUND_TRIPS, &worms.round_trips);
    told.put(&entries::THROUGHPUT, &worms.throughput);
    told.put(&entries::CHANNELS, &worms.channels);
    told.put(&entries::WIRES, &worms.wires);
    told.put(&entries::STALLS, &worms.stalls);
    told.put(&entries::DEADLOCK, &worms.deadlock);
    told.put(&entries::UNDELIVERED, &worms.undelivered);
    told.details = Some(Arc::new(worms));
    told
}

/// How much of the load got through, in a few words: `saturated: 0.0928 of 0.1018 bits a node and bit time accepted`.
fn outcome(throughput: &Throughput) -> String {
    let accepted = throughput
        .accepted
        .zip(throughput.created)
        .map(|(accepted, created)| {
            format!("{accepted:.4} of {created:.4} bits a node and bit time accepted")
        });
    let undecided = Verdict::Undecided.name();
    let verdict = throughput
        .verdict
        .map(|verdict| match verdict == undecided {
            true => "too short to tell whether saturated".to_owned(),
            false => verdict.to_owned(),
        });
    let each: Vec<String> = verdict.into_iter().chain(accepted).collect();
    each.join(": ")
}

/// For people.
fn summary(report: &Report, worms: &Worms) -> Vec<(&'static str, String)> {
    let mut summary = vec![
        ("network", network(report, worms)),
        ("router", worms.routers()),
        ("dependencies", worms.foretold()),
    ];
    let load = report
        .load
        .map_or(String::new(), |load| format!(", load {load}"));
    let offered = worms
        .throughput
        .as_ref()
        .map_or(String::new(), |throughput| {
            let injection = match throughput.injection {
                "bernoulli" => String::new(),
                other => format!(", {other}"),
            };
            format!(", offered load {}{injection}", throughput.offered_load)
        });
    summary.push((
        "traffic",
        format!("{}{load}{offered}, seed {}", report.traffic, report.seed),
    ));
    summary.push((
        "delivered",
        format!(
            "{} of {} of {}{}",
            report.delivered,
            counted(report.messages, "message"),
            match worms.shortest_message {
                shortest if shortest == report.payload_bits => String::new(),
                shortest => format!("{shortest} to "),
            },
            counted(report.payload_bits, "bit")
        ),
    ));
    summary.push(("bit times", time(report, worms)));
    if let Some(throughput) = &worms.throughput {
        summary.extend(measured(throughput));
        if let Some([began, ended]) = throughput.backlog {
            summary.push((
                "backlog",
                format!(
                    "{} when the measurement began, {ended} when it ended",
                    counted(began, "worm")
                ),
            ));
        }
    }
    if let Some(latency) = &worms.latency {
        summary.push((
            "latency",
            format!(
                "{:.1}{} bit times on the average; 50 % {}, 95 % {}, 99 % {}, largest {}",
                latency.average,
                within(latency.average_half_width, 1),
                latency.percentile_50,
                latency.percentile_95,
                latency.percentile_99,
                latency.largest,
            ),
        ));
        summary.push((
            "in network",
            format!(
                "{:.1} bit times a message, from the first bit sent of its worms to the last arrived; {:.1} a worm",
                latency.average_in_network, latency.average_of_worms_in_network
            ),
        ));
        summary.push((
            "hops",
            format!(
                "{:.2} links on the route of a worm, on the average",
                latency.average_hops
            ),
        ));
    }
    if let Some(trips) = &worms.round_trips {
        let all = [
            ("requests", &trips.requests),
            ("replies", &trips.replies),
            ("round trips", &trips.round_trips),
        ];
        let lines = all.map(|(name, times)| times.as_ref().map(|times| (name, times)));
        summary.extend(lines.into_iter().flatten().map(|(name, times)| {
            let Times {
                messages,
                average,
                percentile_99,
                largest,
            } = times;
            let text = format!(
                "{messages}: {average:.1} bit times on the average, 99th percentile {percentile_99}, largest {largest}"
            );
            (name, text)
        }));
    }
    summary.push((
        "links",
        format!(
            "{} bits over the busiest, {:.1} on the average; in use {:.1} % of the time",
            worms.wires.largest_load,
            worms.wires.mean_load,
            100.0 * report.wire_use
        ),
    ));
    let storage = report.storage_bits_per_node.total;
    let peak = report.peak.in_words(("worm", "worms"), storage);
    summary.extend(peak.map(|text| ("at a node", text)));
    if let Some(depth) = &report.logic_depth {
        summary.push((
            "logic depth",
            format!("{} gates between registers", depth.total),
        ));
    }
    summary
}

/// How far the expected value may be from an average; nothing, where that is not known.
fn within(half_width: Option<f64>, digits: usize) -> String {
    half_width.map_or(String::new(), |half| format!(" +- {half:.digits$}"))
}

/// What was measured under continuous injection, when, and what it says of the network.
fn measured(throughput: &Throughput) -> Vec<(&'static str, String)> {
    let [warm_up, measurement, drain] = throughput.phases;
    let mut lines = vec![(
        "measured",
        format!("for {measurement} bit times after {warm_up}; at most {drain} to drain"),
    )];
    if let Some(rule) = &throughput.warm_up {
        let ends = match rule.truncation {
            Some(ends) => format!("{} has it end at {ends}", rule.method),
            None => format!("{} would have a longer run", rule.method),
        };
        let verdict = match (rule.is_long_enough, rule.is_given) {
            (None, _) => "no steady state to wait for".to_owned(),
            (Some(true), _) => format!("long enough: {ends}"),
            (Some(false), true) => {
                format!("too short: {ends}; give a longer --warm-up, or leave it out")
            }
            (Some(false), false) => {
                format!("too short: {ends}, and the run is as long as one may become by itself")
            }
        };
        lines.push(("warm-up", verdict));
    }
    if let (Some(accepted), Some(created)) = (throughput.accepted, throughput.created) {
        lines.push((
            "throughput",
            format!(
                "{accepted:.4}{} message bits accepted a node and bit time, {created:.4} created",
                within(throughput.accepted_half_width, 4)
            ),
        ));
    }
    if let Some(verdict) = throughput.verdict {
        let grew = match throughput.growth_exponent {
            Some(exponent) => format!("the backlog grew as time to the power of {exponent:.2}"),
            None => "the run is too short to see how the backlog grows".to_owned(),
        };
        lines.push(("verdict", format!("{verdict}: {grew}")));
    }
    lines
}

/// The network, in a line.
fn network(report: &Report, worms: &Worms) -> String {
    let topology = &report.topology;
    let wires = match worms.router.wire_bits {
        1 => "a data wire".to_owned(),
        wires => format!("{wires} data wires"),
    };
    format!(
        "{}: {} nodes, {} links of {wires} each",
        topology.summary, topology.nodes, topology.directed_wires
    )
}

/// Bit times, and what they are within.
fn time(report: &Report, worms: &Worms) -> String {
    let messages = report.bit_times as f64 / report.payload_bits as f64;
    let bounds = worms
        .bit_times_bounds
        .as_ref()
        .map_or(String::new(), |bounds| {
            format!("; {} at least, {} at most", bounds.lower, bounds.upper)
        });
    match (&worms.deadlock, &worms.throughput) {
        (Some(deadlock), _) => {
            let began = (deadlock.began).map_or(String::new(), |began| {
                format!("; its circle closed in bit time {began}")
            });
            format!("deadlock in bit time {}{began}", deadlock.bit_time)
        }
        (None, Some(_)) => report.bit_times.to_string(),
        (None, None) => format!("{} measured, {messages:.2} M{bounds}", report.bit_times),
    }
}
