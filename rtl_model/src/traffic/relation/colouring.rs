//! Edge colouring of a bipartite graph: messages are edges from sources to destinations, several may join the same two,
//! and no two messages of one colour have an end in common.
//!
//! As many colours do as a node has messages at the most (D. König 1916, "Über Graphen und ihre Anwendung auf
//! Determinantentheorie und Mengenlehre"). The proof is the algorithm: messages are coloured one after the other, each
//! with a colour that both of its ends have free. Where there is none, say that source `s` has `a` free and destination
//! `d` has `b` free, a path leads from `d` over messages of colours `a` and `b` by turns, and the two are exchanged along
//! all of it:
//!
//! ```text
//!   before   s  .....  d --a-- s' --b-- d' --a-- s''        d has no b, s'' has no b
//!   after    s --a--   d --b-- s' --a-- d' --b-- s''        d has no a: s -> d takes it
//! ```
//!
//! The path comes to sources by messages of colour `a` only, and `s` has none: so it never ends there, `a` stays free at
//! `s`. A path visits a node once at the most, which bounds the time by messages times nodes; paths are mostly short.

use std::mem::swap;

use rustc_hash::FxHashMap;

use crate::traffic::Message;

/// The two ends of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Side {
    Source,
    Destination,
}

/// A node as one that sends, or as one that receives: the two are different ends.
type End = (Side, usize);

/// The ends of a message.
fn ends(message: &Message) -> [End; 2] {
    [
        (Side::Source, message.source),
        (Side::Destination, message.destination),
    ]
}

/// A colour for each message, from 0: no two messages from one node have the same one, nor two to one node. There are as
/// many colours as a node has messages at the most, and each is used.
pub(crate) fn colours(messages: &[Message]) -> Vec<usize> {
    let mut colouring = Colouring {
        messages,
        colours: Vec::with_capacity(messages.len()),
        coloured: FxHashMap::default(),
        taken: FxHashMap::default(),
    };
    for message in messages {
        let [source, destination] = ends(message);
        let at_source = colouring.free(source);
        let at_destination = colouring.free(destination);
        let colour = if colouring.has_free(source, at_destination) {
            at_destination
        } else {
            colouring.exchange(destination, [at_source, at_destination]);
            at_source
        };
        colouring.colours.push(colour);
        colouring.enter(colouring.colours.len() - 1);
    }
    colouring.colours
}

/// The messages that are coloured so far.
struct Colouring<'a> {
    messages: &'a [Message],
    /// By the index of their messages.
    colours: Vec<usize>,
    /// By end and colour, the message there.
    coloured: FxHashMap<(End, usize), usize>,
    /// Of each end, a number of colours, beginning with 0, none of which is free there: where to look for a free one.
    taken: FxHashMap<End, usize>,
}

impl Colouring<'_> {
    fn has_free(&self, end: End, colour: usize) -> bool {
        !self.coloured.contains_key(&(end, colour))
    }

    /// The lowest colour that is free at an end. It is below the number of the end's messages as long as one of them is
    /// to be coloured yet.
    fn free(&mut self, end: End) -> usize {
        let mut colour = self.taken.get(&end).copied().unwrap_or(0);
        while !self.has_free(end, colour) {
            colour += 1;
        }
        self.taken.insert(end, colour);
        colour
    }

    /// Enters the colour of a message at both of its ends.
    fn enter(&mut self, message: usize) {
        for end in ends(&self.messages[message]) {
            self.coloured.insert((end, self.colours[message]), message);
        }
    }

    /// Exchanges two colours along the path that leads from `end`, which has the second one free, over a message of the
    /// first one, if it has that, to where it ends.
    fn exchange(&mut self, mut end: End, [a, b]: [usize; 2]) {
        let (mut next, mut last) = (a, b);
        let mut path = Vec::new();
        while let Some(message) = self.coloured.remove(&(end, next)) {
            path.push(message);
            let [source, destination] = ends(&self.messages[message]);
            end = match end.0 {
                Side::Source => destination,
                Side::Destination => source,
            };
            self.coloured.remove(&(end, next));
            swap(&mut next, &mut last);
        }
        for message in path {
            let colour = &mut self.colours[message];
            *colour = if *colour == a { b } else { a };
            self.enter(message);
        }
        // The end of the path has got `next` for `last`.
        if let Some(taken) = self.taken.get_mut(&end) {
            *taken = last.min(*taken);
        }
    }
}

#[cfg(test)]
mod tests;
