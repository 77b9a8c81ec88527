//! What a waveform tells of nodes in words, where their registers do not tell it by themselves: a sum and of how many words it is, a
//! rank and among how many.
//!
//! ```text
//!   word        6B ... 9C ...... 03 ...........   a register
//!   in_words    own    sum of 2   sum of 4        a tale, from one bit time to the next
//! ```
//!
//! Nothing of this is hardware: it is worked out before the run.

use waves::probe::{IN_WORDS, Remark};

/// The tale of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tale {
    /// The node.
    pub node: usize,
    /// From which bit time on what is told, in order of time, in visible ASCII and blanks.
    pub told: Vec<(u64, String)>,
}

impl Tale {
    /// What is told in a bit time; nothing before the first word.
    pub fn at(&self, bit_time: u64) -> &str {
        let begun = self.told.partition_point(|(from, _)| *from <= bit_time);
        let last = begun.checked_sub(1);
        last.map_or("", |last| self.told[last].1.as_str())
    }
}

/// The text that every node has for its tale, if any node has one.
pub fn remark(tales: &[Tale]) -> Option<Remark> {
    let texts = tales.iter().flat_map(|tale| &tale.told);
    let longest = texts.map(|(_, text)| text.len()).max()?;
    Some(Remark {
        module: Vec::new(),
        name: IN_WORDS.to_owned(),
        longest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tale_goes_on_until_the_next_word() {
        let tale = Tale {
            node: 3,
            told: vec![(2, "own word".to_owned()), (5, "sum of 2".to_owned())],
        };
        let said = [0, 2, 4, 5, 99].map(|bit_time| tale.at(bit_time));
        assert_eq!(said, ["", "own word", "own word", "sum of 2", "sum of 2"]);
        assert_eq!(remark(&[tale]).unwrap().longest, "own word".len());
        assert_eq!(remark(&[]), None);
    }
}
