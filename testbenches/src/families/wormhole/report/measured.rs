//! What was measured of latencies and of continuous injection, as a report has it.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::traffic::latency::Latencies;

use crate::families::wormhole::continuous::Continuous;
use crate::families::wormhole::engine::{Delivery, Engine};
use crate::families::wormhole::injection::INJECTION;
use crate::families::wormhole::message::Message;
use crate::families::wormhole::phases::{LeftOpen, Phases};
use crate::families::wormhole::report::{Latency, RoundTripLatencies, Throughput, Times, WarmUp};
use crate::families::wormhole::round_trips::RoundTrips;
use crate::statistics::growth::Verdict;
use crate::statistics::histogram::histogram;
use crate::testbench::chosen::Chosen;

pub(super) fn latency(
    engine: &Engine<impl WormLanes>,
    continuous: Option<&Continuous>,
) -> Option<Latency> {
    let times = |from: fn(&Message, &Delivery) -> Option<u64>| -> Vec<u64> {
        let messages = engine.messages.iter().enumerate();
        messages
            .filter_map(|(number, message)| {
                let delivery = engine.delivery(number);
                Some(delivery.tail_arrived? + 1 - from(message, &delivery)?)
            })
            .collect()
    };
    let (all, in_network, of_worms, histogram, hops) = match continuous {
        Some(continuous) => (
            continuous.latency.clone(),
            continuous.network_latency.clone(),
            continuous.network_latency_of_worms.clone(),
            continuous.histogram.clone(),
            continuous.hops,
        ),
        None => {
            let latencies = times(|message, _| Some(message.created));
            (
                latencies.iter().copied().collect(),
                times(|_, delivery| delivery.injected).into_iter().collect(),
                engine.network_latencies_of_worms(0..engine.messages.len()),
                histogram(latencies),
                engine.average_hops(0..engine.messages.len()),
            )
        }
    };
    let interval = continuous.and_then(|continuous| continuous.latency_interval);
    Some(Latency {
        messages: all.count(),
        average: all.average()?,
        average_half_width: interval.map(|interval| interval.half_width),
        percentile_50: all.percentile(0.5)?,
        percentile_95: all.percentile(0.95)?,
        percentile_99: all.percentile(0.99)?,
        largest: all.largest()?,
        average_in_network: in_network.average()?,
        average_of_worms_in_network: of_worms.average()?,
        average_hops: hops?,
        histogram,
    })
}

pub(super) fn round_trips(trips: &RoundTrips) -> RoundTripLatencies {
    let times = |latencies: &Latencies| {
        Some(Times {
            messages: latencies.count(),
            average: latencies.average()?,
            percentile_99: latencies.percentile(0.99)?,
            largest: latencies.largest()?,
        })
    };
    RoundTripLatencies {
        requests: times(&trips.requests),
        replies: times(&trips.replies),
        round_trips: times(&trips.round_trips),
    }
}

pub(super) fn throughput(continuous: &Continuous, chosen: &Chosen) -> Throughput {
    let Phases {
        warm_up,
        measurement,
        drain,
        left_open,
        ..
    } = continuous.phases;
    let in_full = continuous.in_full.as_ref();
    let interval = in_full.and_then(|in_full| in_full.accepted_interval);
    let verdict = continuous.verdict();
    Throughput {
        injection: chosen.name(&INJECTION).unwrap_or_default(),
        offered_load: continuous.offered_load,
        created: in_full.map(|in_full| in_full.created),
        accepted: in_full.map(|in_full| in_full.accepted),
        accepted_half_width: interval.map(|interval| interval.half_width),
        saturated: verdict.and_then(Verdict::is_saturated),
        verdict: verdict.map(Verdict::name),
        growth_exponent: in_full.and_then(|in_full| in_full.growth.exponent),
        phases: [warm_up, measurement, drain],
        warm_up: in_full.map(|in_full| WarmUp {
            method: "MSER-5",
            is_given: matches!(left_open, LeftOpen::Measurement | LeftOpen::Nothing),
            truncation: in_full.warm_up_ends,
            is_long_enough: match in_full.growth.verdict {
                Verdict::Saturated => None,
                _ => Some(in_full.warm_up_ends.is_some_and(|ends| ends <= warm_up)),
            },
        }),
        backlog: in_full.map(|in_full| [in_full.backlog.0, in_full.backlog.1]),
    }
}
