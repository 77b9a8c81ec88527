//! Captions: texts that hold all the time, and that a view shows above all else, as long as the waves are wide.
//!
//! ```text
//!     names, values      waves
//!     about=           |             a router, its network: what it does ... |
//!     colours=         |             violet: rows with 63->16, orange: sent, green: received ...  |
//! ```
//!
//! A viewer has the value of a text beside its name too, and cuts it where its pane ends: so captions begin with blanks, of which
//! nothing is seen there.

use std::io;

use crate::probe::declaration::Declaration;
use crate::probe::subject::Subject;
use crate::trace::{Kind, SignalId};

/// Blanks that a caption begins with: no pane of values is wider.
pub(crate) const INDENTATION: usize = 26;
/// Room for the name of what is followed, where texts have a length beforehand.
const FOLLOWED: usize = 48;

/// What the sentence about the whole run is called, and what the others are.
pub(crate) const CAPTIONS: [&str; 3] = ["about", "colours", "names"];

/// What is said of something in the room of the waves alone: beside the row's name only what it is called has room.
pub fn beside(name: &str, more: &str) -> String {
    format!("{name:INDENTATION$}{more}")
}

/// Of a text, what has room beside the row's name.
pub(crate) fn value(text: &str) -> &str {
    let name = text.get(..INDENTATION).filter(|_| text.len() > INDENTATION);
    match name.map(|name| (name, name.trim_end())) {
        Some((name, value)) if value.len() < name.len() => value,
        _ => text,
    }
}

/// Captions that are declared and not yet written.
#[derive(Default)]
pub(super) struct Captions(Vec<(SignalId, String)>);

const VIOLET: &str = "violet: rows with ";

/// What colours of rows stand for.
pub(crate) fn colours(followed: Option<&str>) -> String {
    let followed = followed.map(|name| format!("{VIOLET}{name}, "));
    let rest = "orange: sent, green: received, yellow: told by the simulator, name {}: folded rows";
    followed.unwrap_or_default() + rest
}

impl Captions {
    /// Of somebody who says what runs; none of others.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn declared(subject: &dyn Subject, declaration: &mut Declaration<'_>) -> io::Result<Self> {
        let about = subject.about();
        let texts = match about.is_empty() {
            true => Default::default(),
            false => [about, colours(None), subject.legend().join("; ")],
        };
        let mut captions = Vec::new();
        for (name, text) in CAPTIONS.into_iter().zip(texts) {
            if !text.is_empty() {
                let longest = INDENTATION + text.len() + FOLLOWED;
                captions.push((declaration.add(name, Kind::Text { longest })?, text));
            }
        }
        Ok(Captions(captions))
    }

    /// Them, once, as they are written.
    pub fn take(&mut self, followed: Option<&str>) -> Vec<(SignalId, String)> {
        let colours = followed
            .filter(|name| VIOLET.len() + name.len() + 2 <= FOLLOWED)
            .map(|name| colours(Some(name)));
        let captions = std::mem::take(&mut self.0).into_iter().enumerate();
        let text = |(place, (signal, text)): (usize, (SignalId, String))| {
            let text = colours.clone().filter(|_| place == 1).unwrap_or(text);
            (signal, beside("", &text))
        };
        captions.map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_beside_a_name_is_no_part_of_the_value() {
        let text = beside("63->16", "by 62 60 to 16");
        assert_eq!(text.find("by"), Some(INDENTATION));
        assert_eq!(value(&text), "63->16");
        assert_eq!(value("63->16"), "63->16");
        let long = "0_to_1:20 0_to_2:30 0_to_3:40";
        assert_eq!(value(long), long);
    }
}
