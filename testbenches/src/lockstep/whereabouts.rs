//! Who is where in a run, found out by machines that run beside it ([`hosts::whereabouts`]).

use hosts::whereabouts::{self, Carried, Sent, Whereabouts};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::interrupt;
use crate::lockstep::stimulus::Stimulus;
use crate::progress::{Progress, begins, broken_off};

const TEMPLATE: &str = "finding out who is where, {percent} %";

/// Where the messages of a stimulus are; nothing where it sends none that could be told apart, or its machine has more nodes than
/// [`whereabouts::MOST_NODES`].
///
/// # Errors
/// [`Error::Interrupted`]; machines that would not fit into memory, with the figure.
pub fn find(stimulus: &dyn Stimulus, quiet: bool) -> Result<Option<Whereabouts>, Error> {
    let nodes = stimulus.device().topology().nodes();
    let sends_none = stimulus
        .sent()
        .iter()
        .all(|slot| slot.messages().is_empty());
    if sends_none || nodes > whereabouts::MOST_NODES || !stimulus.faults().is_empty() {
        return Ok(None);
    }
    begins("finding out who is where", quiet);
    let mut progress = Progress::new(stimulus.device().bit_times().value, TEMPLATE, quiet);
    let mut passed = |bit_time: usize| {
        progress.passed(bit_time as u64);
        interrupt::check()
    };
    broken_off(&mut passed, |passed| {
        of(stimulus, |carried| whereabouts::find(carried, passed))
    })
}

/// Whether finding out takes so much longer than the run itself that it should be asked for.
pub fn takes_long(stimulus: &dyn Stimulus) -> bool {
    of(stimulus, whereabouts::takes_long)
}

fn of<T>(stimulus: &dyn Stimulus, ask: impl FnOnce(&Carried<'_>) -> T) -> T {
    ask(&Carried {
        device: stimulus.device(),
        sent: stimulus.sent(),
        load: &|machine, sent| stimulus.load_instead(machine, sent),
    })
}

/// The refusal of a message that is none of these.
pub fn no_message(text: &str, messages: &[Sent]) -> Error {
    let first = messages.first().map(|sent| sent.name.clone());
    no_such_message(text, messages.len(), first)
}

/// The refusal of a message that is none of so many, of which the first has a name.
pub fn no_such_message(text: &str, messages: usize, first: Option<String>) -> Error {
    let none = format!("there is no message `{text}`");
    let refusal = Refusal::of("--trace-message");
    match (first, messages.checked_sub(1)) {
        (Some(first), Some(last)) => refusal.because(none).instead(format!(
            "give SOURCE->DESTINATION, as in \"{first}\", or a number in the order of traffic, 0 to {last}"
        )),
        _ => refusal.because(format!("{none}: none is sent")),
    }
    .into()
}

#[cfg(test)]
mod tests;
