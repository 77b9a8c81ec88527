//! Captions: texts that hold all the time, and that a view shows above all else, as long as the waves are wide.
//!
//! ```text
//!     names, values      waves
//!     about=           |             a router, its network: what it does ... |
//!     colours=         |             violet: rows with 63->16, orange: sent, green: received ...  |
//! ```
//!
//! A viewer has the value of a text beside its name too, and cuts it where its pane ends: so captions begin with blanks, of which
//! nothing is seen there. What is longer than a view is wide has a second row.

use std::io;

use crate::probe::declaration::Declaration;
use crate::probe::subject::Subject;
use crate::trace::{Kind, SignalId};

/// Blanks that a caption begins with: no pane of values is wider.
pub const INDENTATION: usize = 26;
/// Room for the name of what is followed, where texts have a length beforehand.
const FOLLOWED: usize = 48;

/// Characters of a row that have room over the waves of a view.
const LINE: usize = 121;

/// What the sentence about the whole run is called, and what the others are.
pub(crate) const CAPTIONS: [&str; 5] = ["about", "about_more", COLOURS, "names", "names_more"];
const COLOURS: &str = "colours";

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
pub(super) struct Captions {
    unwritten: Vec<(SignalId, String)>,
    /// That of colours, which says what is followed, if that is known.
    colours: Option<SignalId>,
}

/// A row of a text, and what has no room in it: up to the end of a clause, if that is not too soon.
fn rows(text: &str) -> [&str; 2] {
    if text.len() <= LINE {
        return [text, ""];
    }
    let spaces = text.match_indices(' ').map(|(end, _)| end);
    let ends = spaces.take_while(|end| *end <= LINE);
    let is_clause = |end: &usize| text[..*end].ends_with([',', ';', ':']) && *end >= LINE / 2;
    let end = ends
        .clone()
        .filter(is_clause)
        .last()
        .or_else(|| ends.last());
    end.map_or([text, ""], |end| [&text[..end], &text[end + 1..]])
}

const VIOLET: &str = "violet: rows with ";

/// What colours of rows stand for.
pub(crate) fn colours_of(followed: Option<&str>) -> String {
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
        let mut captions = Captions::default();
        if about.is_empty() {
            return Ok(captions);
        }
        let (colours, names) = (colours_of(None), subject.legend().join("; "));
        let [[about, about_more], [names, names_more]] = [&about, &names].map(|text| rows(text));
        let texts = [about, about_more, &colours, names, names_more];
        for (name, text) in CAPTIONS.into_iter().zip(texts) {
            if !text.is_empty() {
                let longest = INDENTATION + text.len() + FOLLOWED;
                let signal = declaration.add(name, Kind::Text { longest })?;
                captions.unwritten.push((signal, beside("", text)));
                if name == COLOURS {
                    captions.colours = Some(signal);
                }
            }
        }
        Ok(captions)
    }

    /// From now on something is followed: the colours say so, once more if they have been written.
    pub fn follow(&mut self, followed: &str) {
        let fits = VIOLET.len() + followed.len() + 2 <= FOLLOWED;
        if let Some(colours) = self.colours.filter(|_| fits) {
            self.unwritten.retain(|(signal, _)| *signal != colours);
            let text = beside("", &colours_of(Some(followed)));
            self.unwritten.push((colours, text));
        }
    }

    /// Each once, as they are written.
    pub fn take(&mut self) -> Vec<(SignalId, String)> {
        std::mem::take(&mut self.unwritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_longer_than_a_row_has_two() {
        let short = "x".repeat(LINE);
        assert_eq!(rows(&short), [&short[..], ""]);
        let word = format!("{short}x");
        assert_eq!(rows(&word), [&word[..], ""]);
        let words = "one two ".repeat(20);
        let [first, more] = rows(&words);
        assert!(first.len() == 119 && first.ends_with("one two") && more.starts_with("one two"));
        assert_eq!(format!("{first} {more}"), words);
        let clauses = "a network: what it does,".to_owned() + &" in short words".repeat(4);
        let sentence = clauses.clone() + ", and then it does much more than what there is room for";
        assert_eq!(rows(&sentence), [&sentence[..85], &sentence[86..]]);
    }

    /// Whatever has been said of colours and is not written yet is not true any more.
    #[test]
    fn colours_are_of_what_is_followed_last() {
        let mut captions = Captions {
            unwritten: vec![(3, "about".to_owned()), (4, "colours".to_owned())],
            colours: Some(4),
        };
        captions.follow("1->2");
        let followed = |name: &str| (4, beside("", &colours_of(Some(name))));
        let taken = captions.take();
        assert_eq!(taken, [(3, "about".to_owned()), followed("1->2")]);
        captions.follow("2->3");
        assert_eq!(captions.take(), [followed("2->3")]);
        captions.follow(&"x".repeat(FOLLOWED));
        assert_eq!(captions.take(), [], "there is no room for it");
    }

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
