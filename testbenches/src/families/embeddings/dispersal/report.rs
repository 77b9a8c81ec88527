//! What is said of a run besides what all machines in lockstep say.

use schemars::JsonSchema;
use serde::Serialize;

use crate::families::embeddings::dispersal::cuts::Cut;
use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::dispersal::judged::Judged;
use crate::families::embeddings::dispersal::parameters::is_over_copies;
use crate::families::embeddings::entries;
use crate::families::embeddings::report::{say_embedding, steps, steps_check, verdict_on};
use crate::families::embeddings::stimulus::Carrying;
use crate::families::embeddings::work::Work;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Verdict, first};
use crate::report::{Check, ROUTING_STEPS, Section, Told, counted};

/// The most failing wires that a report lists.
const MOST_LISTED: usize = 8;

/// What is told of the machine and its messages.
pub fn facts(dispersed: &Dispersed) -> Section {
    let (job, code) = (&dispersed.job, &dispersed.code);
    let guest = (!is_over_copies(&job.chosen)).then_some(job.name);
    vec![
        entries::OVER.is(&Work::choice(dispersed)),
        entries::GUEST.is(&guest),
        entries::WIDTH.is(&job.measures.width),
        entries::DILATION.is(&job.measures.dilation),
        entries::CONGESTION.is(&job.measures.congestion),
        entries::ORDER.is(&job.order.name()),
        entries::MESSAGE_BITS.is(&code.message_bits()),
        entries::SHARES.is(&code.shares()),
        entries::NEEDED.is(&code.needed()),
        entries::SHARE_BITS.is(&code.share_bits()),
        entries::START_UP.is(&job.machine.start_up()),
        entries::OVERHEAD.is(&code.overhead()),
    ]
}

/// A wire that fails, for people.
fn failing(cut: &Cut) -> String {
    let how = cut.stuck.in_words();
    format!(
        "node {} across dimension {}, {how} from bit time {} on",
        cut.node, cut.dimension, cut.from_bit_time
    )
}

/// Which shares restore a message.
pub fn restoring(shares: usize, needed: usize) -> String {
    match needed {
        _ if needed == shares => "with none to spare".to_owned(),
        1 => "any one of which restores it".to_owned(),
        _ => format!("any {needed} of which restore it"),
    }
}

/// The verdict of a run.
pub fn verdict(
    of: &Carrying<Dispersed>,
    measurement: &Measurement,
    judged: &Judged,
    hit: &[usize],
) -> Verdict {
    let dispersed = &of.work;
    let (job, code) = (&dispersed.job, &dispersed.code);
    let (shares, needed) = (code.shares(), code.needed());
    let (bit_times, plain) = (measurement.bit_times, dispersed.plain_bit_times);
    let &Judged {
        messages,
        restored,
        lost,
        wrong,
        survived,
        damaged_shares,
        most_damaged,
        ..
    } = judged;
    let mut told = Told::of(facts(dispersed));
    match is_over_copies(&job.chosen) {
        false => say_embedding(&mut told, job),
        true => {
            let (hops, paths) = (job.measures.dilation, job.measures.congestion);
            told.say(
                "paths",
                format!(
                    "one in each of {shares} copies of cube-connected cycles, {hops} hops at the most; {paths} to a wire"
                ),
            );
        }
    }
    let (message_bits, in_words) = (code.message_bits(), job.values_in_words());
    told.say(
        "messages",
        format!("{messages} of {message_bits} bits; {in_words}"),
    );
    told.say(
        "shares",
        format!(
            "{shares} a message of {} bits with {} checksum, {}",
            code.share_bits(),
            if shares == 1 { "its" } else { "their" },
            restoring(shares, needed)
        ),
    );
    told.say("wires failing", counted(of.cuts.len(), "wire"));
    let cuts: Vec<CutWire> = of.cuts.iter().map(CutWire::from).collect();
    told.put(&entries::CUTS, &cuts);
    told.say(
        "damaged",
        format!(
            "{damaged_shares} of {} shares, {most_damaged} at the most of a message; {} went over wires that had failed",
            messages * shares,
            hit.iter().sum::<usize>()
        ),
    );
    told.say(
        "restored",
        format!(
            "{restored} of {messages}; {survived} of them with damaged shares; {lost} lost, {wrong} wrong"
        ),
    );
    told.put(&entries::RESTORED, &restored);
    told.put(&entries::LOST, &lost);
    told.put(&entries::WRONG, &wrong);
    told.put(&entries::SURVIVED, &survived);
    told.put(&entries::DAMAGED_SHARES, &damaged_shares);
    told.put(&entries::MOST_DAMAGED, &most_damaged);
    told.checks = checks(judged, (shares, needed));
    let (steps, order) = (steps(job, bit_times), job.order.name());
    told.say(ROUTING_STEPS.title, format!("{steps}, {order}"));
    told.put(&ROUTING_STEPS.of, &steps);
    told.checks.push(steps_check(job, steps));
    let overhead = code.overhead();
    told.say(
        "overhead",
        format!(
            "{overhead:.2} bits sent a bit of a message; {bit_times} bit times, where as many packets without redundancy take {plain}"
        ),
    );
    told.put(&entries::PLAIN_BIT_TIMES, &plain);
    told.before_storage = failing_text(&of.cuts);
    verdict_on((dispersed, bit_times), (messages, restored), told)
}

/// A wire that fails, as a report has it.
#[derive(Serialize, JsonSchema)]
pub struct CutWire {
    /// The node that drives it.
    node: usize,
    /// The dimension that it crosses.
    dimension: usize,
    /// The first bit time in which it fails.
    bit_time: u64,
    /// `cut`, `0` or `1`.
    stuck: &'static str,
}

impl From<&Cut> for CutWire {
    fn from(cut: &Cut) -> Self {
        CutWire {
            node: cut.node,
            dimension: cut.dimension,
            bit_time: cut.from_bit_time,
            stuck: cut.stuck.word(),
        }
    }
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

fn checks(judged: &Judged, (shares, needed): (usize, usize)) -> Vec<Check> {
    let &Judged {
        messages,
        restored,
        lost,
        wrong,
        broken_promises,
        ..
    } = judged;
    let spare = counted(shares - needed, "share");
    let loss = first(judged.first_loss.as_ref());
    let is_told = wrong == 0 && restored + lost == messages;
    let told = format!("{restored} restored, {lost} reported as lost, {wrong} wrong");
    let promised = format!(
        "of messages with at most {spare} on failing wires, {broken_promises} are not restored"
    );
    let all = format!("{restored} of {messages}{loss}");
    vec![
        // At points of a sweep, where wires are meant to fail, losing some messages is no fault of the machine.
        Check::new("restored", restored == messages, all).of_run(),
        Check::new("no silent loss", is_told, told),
        Check::new("as promised", broken_promises == 0, promised),
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
        let verdicts = |judged: &Judged| {
            let checks = checks(judged, (5, 4));
            checks.iter().map(|check| check.passed).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&judged), [true; 3]);
        let lost = Judged {
            restored: 3,
            lost: 1,
            ..judged.clone()
        };
        assert_eq!(verdicts(&lost), [false, true, true]);
        let wrong = Judged {
            restored: 3,
            wrong: 1,
            ..judged.clone()
        };
        assert_eq!(verdicts(&wrong), [false, false, true]);
        let unexplained = Judged {
            restored: 3,
            ..judged.clone()
        };
        assert_eq!(verdicts(&unexplained), [false, false, true]);
        let broken = Judged {
            broken_promises: 1,
            ..judged
        };
        assert_eq!(verdicts(&broken), [true, true, false]);
    }
}
