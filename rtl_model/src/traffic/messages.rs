//! Who sends what to whom, message by message.

use std::fmt;

use crate::traffic::NodeSet;

/// One message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The node that sends it.
    pub source: usize,
    /// The node that it is for.
    pub destination: usize,
}

/// The messages of some traffic, in ascending order of source: they are stored more closely than as
/// [`Message`].
#[derive(Clone, Copy)]
pub struct Messages<'a> {
    pub(super) sources: &'a NodeSet,
    /// In ascending order of source.
    pub(super) destinations: &'a [u32],
}

impl<'a> Messages<'a> {
    /// How many there are.
    pub fn len(self) -> usize {
        self.destinations.len()
    }

    /// Whether nobody sends.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The message at `index`, if there is one.
    pub fn get(self, index: usize) -> Option<Message> {
        Some(Message {
            source: self.sources.at(index)?,
            destination: self.destinations[index] as usize,
        })
    }

    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = Message> + Clone + 'a {
        let destinations = self.destinations.iter();
        self.sources
            .iter()
            .zip(destinations)
            .map(|(source, &destination)| Message {
                source,
                destination: destination as usize,
            })
    }

    /// All of them.
    pub fn to_vec(self) -> Vec<Message> {
        self.iter().collect()
    }
}

impl fmt::Debug for Messages<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Messages<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.sources.iter().eq(other.sources.iter()) && self.destinations == other.destinations
    }
}
