//! The levels at which a node stands, and how they are read off its address.

use crate::language::register::Name;

/// A level at which a node may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The number of the code by which it is read off the address, in the plan of the node.
    pub code: usize,
    /// The level.
    pub level: usize,
}

/// How a level is read off the node's address: level `l` where the address bits of `window` spell
/// `codes[l]`, the first of them being the most significant, and the node has the label.
#[derive(Clone, Debug)]
pub struct LevelCode {
    /// What stands there: what the decoded levels are called begins so.
    pub name: Name,
    /// The switch whose own level it is, and the line of the switch; none where it is that of a node
    /// from which relays take bits over.
    pub of: Option<(usize, usize)>,
    /// Exclusive ors of address bits, each with the value that it must have.
    pub label: Vec<(Vec<usize>, bool)>,
    /// Address bits.
    pub window: Vec<usize>,
    /// By level; levels that nothing asks for may be left out at the end.
    pub codes: Vec<usize>,
}

impl LevelCode {
    /// The levels of a switch of one line, which every node has.
    pub fn of_switch(switch: usize, window: Vec<usize>, codes: Vec<usize>) -> Self {
        LevelCode {
            name: Name::Field("stands"),
            of: Some((switch, 0)),
            label: Vec::new(),
            window,
            codes,
        }
    }

    /// The level at an address; none without the label, and where the code for it was left out.
    pub fn level(&self, address: usize) -> Option<usize> {
        let bit = |bit: &usize| address >> bit & 1;
        let is_labelled = |(bits, value): &(Vec<usize>, bool)| {
            bits.iter().map(bit).sum::<usize>() % 2 == usize::from(*value)
        };
        let spelled = self
            .window
            .iter()
            .map(bit)
            .fold(0, |word, bit| word << 1 | bit);
        let level = self.codes.iter().position(|code| *code == spelled);
        level.filter(|_| self.label.iter().all(is_labelled))
    }
}
