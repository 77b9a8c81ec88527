//! Rounds of a router: permutations, one after the other.

use crate::error::Error;
use crate::measure::beside;

/// Permutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// One, a pattern that goes by a name.
    Pattern(&'static str),
    /// Of so many nodes, from each node x to x xor r, for every r but 0.
    EachXor(usize),
    /// The same, but only a few of them are run: the others take as long.
    SomeXor(usize),
}

impl Rounds {
    /// How many there are.
    pub fn amount(self) -> usize {
        match self {
            Rounds::Pattern(_) => 1,
            Rounds::EachXor(nodes) | Rounds::SomeXor(nodes) => nodes - 1,
        }
    }

    /// The numbers r of those that are run.
    pub fn numbers(self) -> Vec<usize> {
        match self {
            Rounds::Pattern(_) => vec![0],
            Rounds::EachXor(nodes) => (1..nodes).collect(),
            // One hop, all hops, and half of them.
            Rounds::SomeXor(nodes) => {
                let half = (nodes.trailing_zeros() / 2) as usize;
                vec![1, (1 << half) - 1, nodes - 1]
            }
        }
    }

    /// Gives the options that stand for the traffic of a round to what runs it. A permutation without a name is in a file for
    /// as long.
    pub fn with_traffic<T>(
        self,
        number: usize,
        run: impl FnOnce(Vec<String>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let words = |words: [&str; 2]| words.map(str::to_owned).to_vec();
        let nodes = match self {
            Rounds::Pattern(name) => {
                return run([words(["--traffic", name]), words(["--load", "1"])].concat());
            }
            Rounds::EachXor(nodes) | Rounds::SomeXor(nodes) => nodes,
        };
        let mut text = "source,destination\n".to_owned();
        for node in 0..nodes {
            text += &format!("{node},{}\n", node ^ number);
        }
        beside::with_file(&text, |path| run(words(["--traffic-file", &path])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_sends_to_every_other_in_one_of_the_rounds() {
        let mut pairs = Vec::new();
        let rounds = Rounds::EachXor(8);
        for number in rounds.numbers() {
            let text = rounds.with_traffic(number, |words| {
                assert_eq!(words[0], "--traffic-file");
                Ok(std::fs::read_to_string(&words[1]).unwrap())
            });
            pairs.extend(text.unwrap().lines().skip(1).map(str::to_owned));
        }
        pairs.sort();
        pairs.dedup();
        assert_eq!((pairs.len(), rounds.amount()), (8 * 7, 7));
        assert!(pairs.iter().all(|pair| pair[..1] != pair[2..]));
    }

    #[test]
    fn a_few_stand_for_all() {
        let rounds = Rounds::SomeXor(256);
        assert_eq!((rounds.numbers(), rounds.amount()), (vec![1, 15, 255], 255));
        assert_eq!(Rounds::Pattern("transpose").amount(), 1);
    }
}
