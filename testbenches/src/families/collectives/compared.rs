//! What arrived against what was sent.

use hosts::collectives::ends::Pattern;
use hosts::words::{Words, hexadecimal};

use crate::families::collectives::job::Job;

/// What arrived against what was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Messages that were sent,
    pub messages: usize,
    /// and of them those that arrived as they were sent.
    pub right: usize,
    /// What the first of the others is.
    pub first_fault: Option<String>,
}

impl Compared {
    /// Compares; `due` is what has to arrive, where it is not what is sent. What stays at its node does not count.
    pub fn of(job: &Job, (sent, due): (&Words, Option<&Words>), arrived: &Words) -> Self {
        let mut compared = Compared::default();
        let numbers = (0..job.ends.arrivals()).filter(|number| !job.stays[*number]);
        for number in numbers {
            let [from, to] = job.ends.ways(number);
            let due = match due {
                Some(due) => due.word(number),
                None => sent.word(job.ends.sent(from, to)),
            };
            let found = arrived.word(number);
            compared.messages += 1;
            compared.right += usize::from(due == found);
            if due != found && compared.first_fault.is_none() {
                let way = match job.ends.pattern {
                    Pattern::Summed => format!("at node {to}"),
                    _ => format!("from node {from} to node {to}"),
                };
                compared.first_fault = Some(format!(
                    "{way} {} arrived in place of {}",
                    hexadecimal(found, job.word_bits),
                    hexadecimal(due, job.word_bits)
                ));
            }
        }
        compared
    }
}
