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
        for number in (0..job.ends.arrivals()).filter(|number| !job.stays[*number]) {
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
                let [found, due] = [found, due].map(|word| hexadecimal(word, job.word_bits));
                compared.first_fault = Some(format!("{way} {found} arrived in place of {due}"));
            }
        }
        compared
    }

    /// How many of all have arrived, or of the sums that they come to.
    pub fn text(&self, job: &Job) -> String {
        let (right, messages) = (self.right, self.messages);
        match job.ends.pattern {
            Pattern::Summed => {
                format!("sums of {right} of {messages} nodes are those of all samples")
            }
            _ => format!("{right} of {messages} arrived as they were sent"),
        }
    }

    /// The same beside a heading that says of what.
    pub fn delivered(&self, job: &Job) -> String {
        self.text(job).replace(" arrived as", " as")
    }
}
