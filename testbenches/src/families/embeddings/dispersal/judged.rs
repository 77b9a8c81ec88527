//! What became of all messages.

use hosts::words::Words;

use crate::error::Error;
use crate::families::embeddings::dispersal::job::{Dispersed, as_word};

/// What became of all messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Messages that were sent.
    pub messages: usize,
    /// Those that were restored as they were sent.
    pub restored: usize,
    /// Those of which it is reported that they are lost.
    pub lost: usize,
    /// Those that were restored as something else: nobody would notice.
    pub wrong: usize,
    /// Shares that do not match their checksum.
    pub damaged_shares: usize,
    /// Messages with a damaged share that were restored all the same.
    pub survived: usize,
    /// Messages that have not lost more shares than they may, and were not restored.
    pub broken_promises: usize,
    /// The most damaged shares of a message.
    pub most_damaged: usize,
    /// What the first loss is.
    pub first_loss: Option<String>,
}

impl Judged {
    /// Restores every message. `hit` says of each how many shares crossed a wire that failed; `each` is shown what was restored.
    ///
    /// # Errors
    /// What the code says of pieces that it should take.
    pub fn of(
        dispersed: &Dispersed,
        (sent, arrived): (&Words, &Words),
        hit: &[usize],
        mut each: impl FnMut(usize, Option<&[u64]>),
    ) -> Result<Self, Error> {
        let mut judged = Judged::default();
        let spare = dispersed.code.shares() - dispersed.code.needed();
        for (edge, message) in sent.iter().enumerate() {
            let restored = dispersed.restored(arrived, edge)?;
            let damaged = restored.sound.iter().filter(|sound| !**sound).count();
            let word = as_word(&restored.message);
            each(edge, word.as_deref());
            judged.messages += 1;
            judged.damaged_shares += damaged;
            judged.most_damaged = judged.most_damaged.max(damaged);
            let is_right = word.as_deref() == Some(message);
            judged.restored += usize::from(is_right);
            judged.survived += usize::from(is_right && damaged > 0);
            judged.lost += usize::from(word.is_none());
            judged.wrong += usize::from(word.is_some() && !is_right);
            judged.broken_promises += usize::from(hit[edge] <= spare && !is_right);
            if word.is_none() && judged.first_loss.is_none() {
                let embedding = &dispersed.job.embedding;
                let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
                let (needed, shares) = (dispersed.code.needed(), dispersed.code.shares());
                judged.first_loss = Some(format!(
                    "message {edge}, from node {from} to node {to}: {} of {shares} shares are sound, {needed} are needed",
                    shares - damaged
                ));
            }
        }
        Ok(judged)
    }
}

#[cfg(test)]
mod tests;
