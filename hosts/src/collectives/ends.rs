//! Who sends which message to whom: the numbers of messages, as they are sent and as they arrive.
//!
//! ```text
//!              sent, by number        arrived, by number
//!   scatter    destination            destination
//!   gather     source                 source
//!   all-gather source                 N * destination + source
//!   all-to-all N * source + dest.     N * destination + source
//!   one each   source                 destination
//! ```

use std::sync::Arc;

/// Where each node's message goes, and where each node's comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    to: Vec<u32>,
    from: Vec<u32>,
}

impl Permutation {
    /// Of the destinations of all nodes, each of them once.
    pub fn new(to: &[usize]) -> Self {
        let mut from = vec![0; to.len()];
        for (node, &destination) in to.iter().enumerate() {
            from[destination] = node as u32;
        }
        Permutation {
            to: to.iter().map(|node| *node as u32).collect(),
            from,
        }
    }

    /// Where a node sends.
    pub fn to(&self, node: usize) -> usize {
        self.to[node] as usize
    }

    /// From where it is sent something.
    pub fn from(&self, node: usize) -> usize {
        self.from[node] as usize
    }

    /// The destinations of all nodes.
    pub fn destinations(&self) -> Vec<usize> {
        self.to.iter().map(|node| *node as usize).collect()
    }
}

/// Whose messages they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One node's, one for each of the others.
    From(usize),
    /// Everybody's, for one node.
    To(usize),
    /// Everybody's, each for all.
    EachToAll,
    /// Everybody's, one for each of the others.
    EachToEach,
    /// One node's for one other.
    Between(usize, usize),
    /// Everybody's, each for one.
    Permuted(Arc<Permutation>),
    /// Everybody's, one for each of the others, where those for one node are added.
    Summed,
}

/// How messages are numbered: so much further on for the next sender, and for the next receiver.
#[derive(Clone, Copy, Debug)]
pub struct Numbering {
    of_sender: usize,
    of_receiver: usize,
}

impl Numbering {
    /// The number of the message from one node to another, or to itself.
    #[inline]
    pub fn number(self, from: usize, to: usize) -> usize {
        self.of_sender * from + self.of_receiver * to
    }
}

/// The messages of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Whose they are.
    pub pattern: Pattern,
    /// Nodes of the cube.
    pub nodes: usize,
}

impl Ends {
    /// How many nodes have messages to send, and how many each.
    pub fn sent_shape(&self) -> (usize, usize) {
        match self.pattern {
            Pattern::EachToEach | Pattern::Summed => (self.nodes, self.nodes),
            Pattern::Between(..) => (1, 1),
            _ => (self.nodes, 1),
        }
    }

    /// The same of what arrives.
    pub fn arrived_shape(&self) -> (usize, usize) {
        match self.pattern {
            Pattern::EachToEach | Pattern::EachToAll => (self.nodes, self.nodes),
            Pattern::Between(..) => (1, 1),
            _ => (self.nodes, 1),
        }
    }

    /// How many arrive, own ones among them.
    pub fn arrivals(&self) -> usize {
        let (nodes, each) = self.arrived_shape();
        nodes * each
    }

    /// The numbers of messages as they are sent.
    pub fn sending(&self) -> Numbering {
        let [of_sender, of_receiver] = match self.pattern {
            Pattern::From(_) => [0, 1],
            Pattern::EachToEach | Pattern::Summed => [self.nodes, 1],
            Pattern::Between(..) => [0, 0],
            Pattern::To(_) | Pattern::EachToAll | Pattern::Permuted(_) => [1, 0],
        };
        Numbering {
            of_sender,
            of_receiver,
        }
    }

    /// The numbers of what arrives.
    pub fn arriving(&self) -> Numbering {
        let [of_sender, of_receiver] = match self.pattern {
            Pattern::To(_) => [1, 0],
            Pattern::EachToEach | Pattern::EachToAll => [1, self.nodes],
            Pattern::Between(..) => [0, 0],
            Pattern::From(_) | Pattern::Permuted(_) | Pattern::Summed => [0, 1],
        };
        Numbering {
            of_sender,
            of_receiver,
        }
    }

    /// The number of the message that a node sends to another, or to itself.
    pub fn sent(&self, from: usize, to: usize) -> usize {
        self.sending().number(from, to)
    }

    /// The number of what arrives at a node from another.
    pub fn arrived(&self, from: usize, to: usize) -> usize {
        self.arriving().number(from, to)
    }

    /// From where to where what arrives as that number goes; of sums, from the node itself.
    pub fn ways(&self, number: usize) -> [usize; 2] {
        let (_, each) = self.arrived_shape();
        self.way(number / each, number % each)
    }

    /// The same of the one in a row and a column of their [shape](Ends::arrived_shape).
    pub fn way(&self, row: usize, column: usize) -> [usize; 2] {
        match &self.pattern {
            Pattern::From(source) => [*source, row],
            Pattern::To(destination) => [row, *destination],
            Pattern::EachToEach | Pattern::EachToAll => [column, row],
            Pattern::Between(from, to) => [*from, *to],
            Pattern::Permuted(permutation) => [permutation.from(row), row],
            Pattern::Summed => [row, row],
        }
    }

    /// Whether a message of a number, as it is sent or as it arrives, is a node's own where such need not be given: nobody but the
    /// node itself ever has it.
    pub fn is_own(&self, number: usize) -> bool {
        match self.pattern {
            Pattern::From(node) | Pattern::To(node) => node == number,
            Pattern::EachToEach => number % self.nodes == number / self.nodes,
            _ => false,
        }
    }

    /// Whether a node has a message for itself that is one of all.
    pub fn has_own(&self, node: usize) -> bool {
        self.pattern != Pattern::Summed && self.ways(self.arrived(node, node)) == [node; 2]
    }

    /// The node in whose row of a file a message stands that is sent.
    pub fn sent_row(&self, number: usize) -> usize {
        match self.pattern {
            Pattern::EachToEach | Pattern::Summed => number / self.nodes,
            Pattern::Between(from, _) => from,
            _ => number,
        }
    }

    /// The same of what arrives.
    pub fn arrived_row(&self, number: usize) -> usize {
        match self.pattern {
            Pattern::EachToEach | Pattern::EachToAll => number / self.nodes,
            Pattern::Between(_, to) => to,
            _ => number,
        }
    }

    /// Whether a message goes from one node to another.
    fn is_sent(&self, [from, to]: [usize; 2]) -> bool {
        from != to
            && match &self.pattern {
                Pattern::From(source) => from == *source,
                Pattern::To(destination) => to == *destination,
                Pattern::EachToAll | Pattern::EachToEach | Pattern::Summed => true,
                Pattern::Between(source, destination) => [from, to] == [*source, *destination],
                Pattern::Permuted(permutation) => permutation.to(from) == to,
            }
    }

    /// All messages that leave their nodes, in order of their senders and then of their receivers.
    pub fn all(&self) -> impl Iterator<Item = [usize; 2]> {
        let senders = match self.pattern {
            Pattern::From(source) | Pattern::Between(source, _) => source..source + 1,
            _ => 0..self.nodes,
        };
        let of_sender = |from: usize| {
            let receivers = match &self.pattern {
                Pattern::To(destination) | Pattern::Between(_, destination) => {
                    *destination..destination + 1
                }
                Pattern::Permuted(permutation) => permutation.to(from)..permutation.to(from) + 1,
                _ => 0..self.nodes,
            };
            receivers.map(move |to| [from, to])
        };
        senders
            .flat_map(of_sender)
            .filter(|pair| self.is_sent(*pair))
    }

    /// From where to where the message goes that is called so, or has this number among all that leave their nodes.
    pub fn named(&self, text: &str) -> Option<[usize; 2]> {
        let by_name = || {
            let (from, to) = text.split_once("->")?;
            let pair = [from.parse().ok()?, to.parse().ok()?];
            let is_there = pair.iter().all(|node| *node < self.nodes) && self.is_sent(pair);
            is_there.then_some(pair)
        };
        let by_number = || self.all().nth(text.parse().ok()?);
        by_name().or_else(by_number)
    }

    /// Who sends to whom, in words.
    pub fn text(&self) -> String {
        match self.pattern {
            Pattern::From(source) => format!("from node {source} to each of the others"),
            Pattern::To(destination) => format!("from each node to node {destination}"),
            Pattern::EachToAll => "from each node to all".to_owned(),
            Pattern::EachToEach | Pattern::Summed => {
                "from each node to each of the others".to_owned()
            }
            Pattern::Between(from, to) => format!("from node {from} to node {to}"),
            Pattern::Permuted(_) => "from each node to one".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns() -> Vec<Pattern> {
        let permutation = Permutation::new(&[2, 0, 3, 1]);
        vec![
            Pattern::From(2),
            Pattern::To(1),
            Pattern::EachToAll,
            Pattern::EachToEach,
            Pattern::Between(3, 1),
            Pattern::Permuted(Arc::new(permutation)),
            Pattern::Summed,
        ]
    }

    #[test]
    fn what_arrives_is_found_by_its_way() {
        for pattern in patterns() {
            let ends = Ends { pattern, nodes: 4 };
            let (nodes, each) = ends.sent_shape();
            for number in 0..ends.arrivals() {
                let [from, to] = ends.ways(number);
                assert_eq!(ends.arrived(from, to), number, "{ends:?}");
                assert!(ends.sent(from, to) < nodes * each, "{ends:?}");
            }
        }
    }

    #[test]
    fn a_permutation_leads_back() {
        let permutation = Permutation::new(&[2, 0, 3, 1]);
        for node in 0..4 {
            assert_eq!(permutation.from(permutation.to(node)), node);
        }
        assert_eq!(permutation.destinations(), [2, 0, 3, 1]);
    }
}
