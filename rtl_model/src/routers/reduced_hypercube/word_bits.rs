//! How wide words are.

use crate::error::Error;
use crate::error::refusal::Refusal;

/// The widest words.
pub const MAX_WORD_BITS: usize = 4096;

/// Refuses words that are too wide.
///
/// # Errors
/// A width out of range.
pub fn check_word_bits(what: &'static str, word_bits: usize) -> Result<(), Error> {
    match (1..=MAX_WORD_BITS).contains(&word_bits) {
        true => Ok(()),
        false => Err(
            Refusal::of(format!("{what} of {word_bits} bits are out of range"))
                .instead(format!("choose 1 to {MAX_WORD_BITS}"))
                .into(),
        ),
    }
}
