//! What is said of a run besides what all machines in lockstep say.

use serde_json::{Value, json};

use crate::families::embeddings::dispersal::cuts::Cut;
use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::dispersal::judged::Judged;
use crate::families::embeddings::dispersal::parameters::Over;
use crate::families::embeddings::dispersal::stimulus::Dispersing;
use crate::families::embeddings::report::{steps, summary as of_embedding, wire_use};
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Further, Verdict};
use crate::report::{Behind, Check, Section, counted, value};
use crate::testbench::bench::Job as _;

/// The most failing wires that a report lists.
const MOST_LISTED: usize = 8;

/// What is told of the machine and its messages.
pub fn facts(dispersed: &Dispersed) -> Section {
    let (job, code) = (&dispersed.job, &dispersed.code);
    vec![
        ("over", value(&dispersed.over.name())),
        ("guest", value(&job.name)),
        ("width", value(&job.measures.width)),
        ("dilation", value(&job.measures.dilation)),
        ("congestion", value(&job.measures.congestion)),
        ("order", value(&job.order.name())),
        ("message_bits", value(&code.message_bits())),
        ("shares", value(&code.shares())),
        ("needed", value(&code.needed())),
        ("share_bits", value(&code.share_bits())),
        ("start_up", value(&job.machine.start_up())),
        ("overhead", value(&code.overhead())),
    ]
}

/// A wire that fails, for people.
fn failing(cut: &Cut) -> String {
    let how = match cut.stuck.word() {
        "cut" => "cut".to_owned(),
        bit => format!("stuck at {bit}"),
    };
    format!(
        "node {} across dimension {}, {how} from bit time {} on",
        cut.node, cut.dimension, cut.from_bit_time
    )
}

/// Which shares restore a message.
fn restoring(shares: usize, needed: usize) -> String {
    match needed {
        _ if needed == shares => "with none to spare".to_owned(),
        1 => "any one of which restores it".to_owned(),
        _ => format!("any {needed} of which restore it"),
    }
}

/// The verdict of a run.
pub fn verdict(
    of: &Dispersing,
    measurement: &Measurement,
    judged: &Judged,
    hit: &[usize],
) -> Verdict {
    let dispersed = &of.dispersed;
    let (job, code) = (&dispersed.job, &dispersed.code);
    let (shares, needed) = (code.shares(), code.needed());
    let steps = steps(job, measurement.bit_times);
    let mut summary = match dispersed.over {
        Over::Edge => of_embedding(job),
        Over::Copies => vec![(
            "paths",
            format!(
                "one in each of {shares} copies of cube-connected cycles, {} hops at the most; {} to a wire",
                job.measures.dilation, job.measures.congestion
            ),
        )],
    };
    summary.extend([
        (
            "messages",
            format!(
                "{} of {} bits; {}",
                judged.messages,
                code.message_bits(),
                job.values_in_words()
            ),
        ),
        (
            "shares",
            format!(
                "{shares} a message of {} bits with {} checksum, {}",
                code.share_bits(),
                if shares == 1 { "its" } else { "their" },
                restoring(shares, needed)
            ),
        ),
        ("wires failing", counted(of.cuts.len(), "wire")),
        (
            "damaged",
            format!(
                "{} of {} shares, {} at the most of a message; {} went over wires that had failed",
                judged.damaged_shares,
                judged.messages * shares,
                judged.most_damaged,
                hit.iter().sum::<usize>()
            ),
        ),
        (
            "restored",
            format!(
                "{} of {}; {} of them with damaged shares; {} lost, {} wrong",
                judged.restored, judged.messages, judged.survived, judged.lost, judged.wrong
            ),
        ),
        ("steps", format!("{steps}, {}", job.order.name())),
        (
            "overhead",
            format!(
                "{:.2} bits sent a bit of a message; {} bit times, where as many packets without redundancy take {}",
                code.overhead(),
                measurement.bit_times,
                dispersed.plain_bit_times
            ),
        ),
    ]);
    let machine = facts(dispersed).into_iter();
    let mut entries: Vec<_> = machine
        .map(|(name, value)| (Behind::Network, name, value))
        .collect();
    entries.extend([
        (Behind::BitTimes, "routing_steps", value(&steps)),
        (
            Behind::BitTimes,
            "bit_times_without_shares",
            value(&dispersed.plain_bit_times),
        ),
        (Behind::WireUse, "cuts", cuts(&of.cuts)),
        (Behind::WireUse, "restored", value(&judged.restored)),
        (Behind::WireUse, "lost", value(&judged.lost)),
        (Behind::WireUse, "wrong", value(&judged.wrong)),
        (Behind::WireUse, "survived", value(&judged.survived)),
        (
            Behind::WireUse,
            "damaged_shares",
            value(&judged.damaged_shares),
        ),
        (
            Behind::WireUse,
            "most_damaged_shares_of_a_message",
            value(&judged.most_damaged),
        ),
    ]);
    Verdict {
        payload_bits: None,
        traffic: job.values_name(),
        load: None,
        seed: job.chosen.seed(),
        messages: judged.messages,
        delivered: judged.restored,
        summary,
        storage_bound: None,
        bytes: job.requirement().bytes,
        wire_use: Some(wire_use(job, measurement.bit_times)),
        checks: checks(
            judged,
            (
                steps,
                job.phase.steps() as u64,
                job.machine.start_up() + code.share_bits(),
            ),
            (shares, needed),
        ),
        further: Further {
            entries,
            text: failing_text(&of.cuts),
        },
    }
}

fn cuts(cuts: &[Cut]) -> Value {
    let all = cuts.iter().map(|cut| {
        json!({
            "node": cut.node,
            "dimension": cut.dimension,
            "bit_time": cut.from_bit_time,
            "stuck": cut.stuck.word(),
        })
    });
    all.collect()
}

fn failing_text(cuts: &[Cut]) -> String {
    if cuts.is_empty() {
        return String::new();
    }
    let listed = cuts.iter().take(MOST_LISTED);
    let listed: String = listed.map(|cut| format!("  {}\n", failing(cut))).collect();
    let more = match cuts.len().checked_sub(MOST_LISTED) {
        None | Some(0) => String::new(),
        Some(more) => format!("  and {more} more, in the JSON and in --cuts-out\n"),
    };
    format!("\nwires that fail\n{listed}{more}")
}

fn checks(
    judged: &Judged,
    (steps, cost, step): (u64, u64, usize),
    (shares, needed): (usize, usize),
) -> Vec<Check> {
    let spare = shares - needed;
    // At points of a sweep, where wires are meant to fail, losing some messages is no fault of the machine.
    let loss = judged.first_loss.as_ref();
    let loss = loss.map_or(String::new(), |loss| format!("; first: {loss}"));
    vec![
        Check::new(
            "restored",
            judged.restored == judged.messages,
            format!("{} of {}{loss}", judged.restored, judged.messages),
        )
        .of_run(),
        Check::new(
            "no silent loss",
            judged.wrong == 0 && judged.restored + judged.lost == judged.messages,
            format!(
                "{} restored, {} reported as lost, {} wrong",
                judged.restored, judged.lost, judged.wrong
            ),
        ),
        Check::new(
            "as promised",
            judged.broken_promises == 0,
            format!(
                "of messages with at most {} on failing wires, {} are not restored",
                counted(spare, "share"),
                judged.broken_promises
            ),
        ),
        Check::new(
            "steps",
            steps == cost,
            format!("{steps} of {step} bit times each, {cost} in the schedule of packets"),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_can_fail() {
        let judged = Judged {
            messages: 4,
            restored: 4,
            ..Judged::default()
        };
        let verdicts = |judged: &Judged, steps| {
            let checks = checks(judged, (steps, 3, 8), (5, 4));
            checks.iter().map(|check| check.passed).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&judged, 3), [true; 4]);
        assert_eq!(verdicts(&judged, 2), [true, true, true, false]);
        let lost = Judged {
            restored: 3,
            lost: 1,
            ..judged.clone()
        };
        assert_eq!(verdicts(&lost, 3), [false, true, true, true]);
        let wrong = Judged {
            restored: 3,
            wrong: 1,
            ..judged.clone()
        };
        assert_eq!(verdicts(&wrong, 3), [false, false, true, true]);
        let unexplained = Judged {
            restored: 3,
            ..judged.clone()
        };
        assert_eq!(verdicts(&unexplained, 3), [false, false, true, true]);
        let broken = Judged {
            broken_promises: 1,
            ..judged
        };
        assert_eq!(verdicts(&broken, 3), [true, true, false, true]);
    }
}
