//! What a waveform tells of nodes in words, where their registers do not tell it by themselves: a sum and of how many words it is, a
//! rank and among how many.
//!
//! ```text
//!   word        6B ... 9C ...... 03 ...........   a register
//!   in_words    own    sum of 2   sum of 4        a tale, from one bit time to the next
//! ```
//!
//! Nothing of this is hardware: it is worked out before the run.

use waves::picture::run::{Change, Number, Route, Value};
use waves::probe::{IN_WORDS, Remark};

/// What is told of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tales {
    /// What the amounts count, as in `words added up`; nothing if nothing is counted.
    pub counts: &'static str,
    /// Whether it is put together two by two: colours then stand for how often that was.
    pub doubles: bool,
    /// The tales, in the order of nodes.
    pub of_nodes: Vec<Tale>,
    /// The route of the one message that there is, over all nodes, if it is known.
    pub route: Option<Route>,
}

/// The tale of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tale {
    /// The node.
    pub node: usize,
    /// What is told, in order of time.
    pub told: Vec<Said>,
}

/// What is told from a bit time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Since when.
    pub from: u64,
    /// In visible ASCII and blanks.
    pub words: String,
    /// How much it is, and of a node that has two things the second: 0 is nothing.
    pub amounts: [u32; 2],
}

impl Tale {
    /// What is told in a bit time; nothing before the first word.
    pub fn at(&self, bit_time: u64) -> &str {
        let begun = self.told.partition_point(|said| said.from <= bit_time);
        let last = begun.checked_sub(1);
        last.map_or("", |last| self.told[last].words.as_str())
    }
}

impl Tales {
    /// The amounts as a number that nodes have, for a picture, if tales are told of so many nodes: of all that there are.
    pub fn counted(&self, nodes: usize) -> Option<Number> {
        if self.counts.is_empty() || self.of_nodes.len() != nodes {
            return None;
        }
        let told = self.of_nodes.iter().flat_map(|tale| &tale.told);
        let most = told.clone().flat_map(|said| said.amounts).max()?;
        let has_second = told.clone().any(|said| said.amounts[1] > 0);
        let size = |amount: u32| match self.doubles {
            true => amount.checked_ilog2().map_or(0, |twos| twos + 1),
            false => amount,
        };
        let value = |amount: u32| Value {
            text: match amount {
                0 => String::new(),
                amount => amount.to_string(),
            },
            size: size(amount),
        };
        let changes = |tale: &Tale, place: usize| {
            let change = |said: &Said| Change {
                from: said.from as u32,
                value: said.amounts[place],
            };
            tale.told.iter().map(change).collect()
        };
        let of_all = |place: usize| {
            let nodes = self.of_nodes.iter();
            nodes.map(|tale| changes(tale, place)).collect()
        };
        Some(Number {
            name: self.counts.to_owned(),
            is_count: true,
            width: 32,
            values: (0..=most).map(value).collect(),
            nodes: of_all(0),
            second: match has_second {
                true => of_all(1),
                false => Vec::new(),
            },
            every: 1,
        })
    }
}

/// The text that every node has for its tale, if any node has one.
pub fn remark(tales: &[Tale]) -> Option<Remark> {
    let told = tales.iter().flat_map(|tale| &tale.told);
    let longest = told.map(|said| said.words.len()).max()?;
    Some(Remark {
        module: Vec::new(),
        name: IN_WORDS.to_owned(),
        longest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(node: usize, told: &[(u64, &str, u32)]) -> Tale {
        let said = |&(from, words, amount): &(u64, &str, u32)| Said {
            from,
            words: words.to_owned(),
            amounts: [amount, 0],
        };
        Tale {
            node,
            told: told.iter().map(said).collect(),
        }
    }

    #[test]
    fn a_tale_goes_on_until_the_next_word() {
        let tale = told(3, &[(2, "own word", 1), (5, "sum of 2", 2)]);
        let said = [0, 2, 4, 5, 99].map(|bit_time| tale.at(bit_time));
        assert_eq!(said, ["", "own word", "own word", "sum of 2", "sum of 2"]);
        assert_eq!(remark(&[tale]).unwrap().longest, "own word".len());
        assert_eq!(remark(&[]), None);
    }

    #[test]
    fn amounts_are_a_number_where_all_nodes_have_a_tale() {
        let tales = Tales {
            counts: "words added up",
            doubles: true,
            of_nodes: vec![told(0, &[(0, "", 0), (2, "sum of 3", 3)]), told(1, &[])],
            route: None,
        };
        let number = tales.counted(2).unwrap();
        let value = |change: &Change| number.values[change.value as usize].text.as_str();
        let said = number.nodes[0]
            .iter()
            .map(|change| (change.from, value(change)));
        assert_eq!(said.collect::<Vec<_>>(), [(0, ""), (2, "3")]);
        assert_eq!(tales.counted(3), None, "of one node nothing is told");
        let size = |tales: &Tales| tales.counted(2).unwrap().values[3].size;
        assert_eq!(size(&tales), 2, "once put together");
        let doubles = false;
        assert_eq!(
            size(&Tales {
                doubles,
                ..tales.clone()
            }),
            3
        );
        let counts = "";
        assert_eq!(Tales { counts, ..tales }.counted(2), None);
    }
}
