//! The routes of all messages, for the log of a run: found out beside the run, as those that a waveform follows are.

use hosts::trail::Trail;
use hosts::whereabouts::MOST_NODES;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::stimulus::Stimulus;
use crate::lockstep::{follow, whereabouts};
use crate::log::Logged;

/// All messages, in the order of the traffic.
///
/// # Errors
/// Messages that cannot be told apart; [`Error::Interrupted`].
pub(super) fn find(stimulus: &dyn Stimulus, quiet: bool) -> Result<Vec<Logged>, Error> {
    let trails = match follow::all(stimulus)? {
        Some(trails) => trails,
        None => known(stimulus, quiet)?,
    };
    let topology = stimulus.device().topology();
    let is_intact = stimulus.faults().is_empty();
    let logged = trails.iter();
    let logged = logged.map(|trail| Logged::of(trail, &*topology, is_intact));
    Ok(logged.collect())
}

/// The routes of messages that are told apart by machines that run beside.
fn known(stimulus: &dyn Stimulus, quiet: bool) -> Result<Vec<Trail>, Error> {
    let topology = stimulus.device().topology();
    if let Some(whereabouts) = whereabouts::find(stimulus, quiet)? {
        let messages = 0..whereabouts.messages.len();
        let trails = messages.map(|message| whereabouts.trail(message, &*topology));
        return Ok(trails.collect());
    }
    let nodes = topology.nodes();
    let refusal = Refusal::of("--log");
    Err(match (nodes > MOST_NODES, stimulus.faults().is_empty()) {
        (true, _) => refusal
            .because(format!(
                "messages are told apart in machines of up to {MOST_NODES} nodes, and this one has {nodes}"
            ))
            .instead("give fewer dimensions"),
        (false, false) => refusal
            .because("where wires fail, messages cannot be told apart on their way")
            .instead("leave it out"),
        (false, true) => refusal
            .because("none of its messages can be told from the others on its way")
            .instead("leave it out"),
    }
    .into())
}
