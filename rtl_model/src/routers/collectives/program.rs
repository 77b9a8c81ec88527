//! What a machine of collectives does in a run: which nodes send what across which ports, and when.
//!
//! ```text
//!   Transfer    begin              begin + start_up                    end
//!               |  START           |  SHIFT: `bits` bits, one a bit time |
//!
//!   sends       who    a condition on the node's bits, seen from the port    --> ports that send
//!               lines  of each, the address of the first bit that goes out
//!   receives    the same of the nodes that take it, and where they put it
//! ```
//!
//! The same program is broadcast to all nodes, and says nothing of any single one: a node finds out by closed rules whether it
//! is meant. All addresses of nodes are relative here, `address xor source`: the source is 0.

use std::ops::Range;

use crate::machine::topology::hypercube::Dimensions;
use crate::routers::ports::algorithm::PortModel;

/// What a node sees when it looks at itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Its relative address `c`: bit `p` of what it sees is `c_p`.
    Relative,
    /// Where the halves of its address differ, of an even number of dimensions: bits `p` and `p + n/2` of what it sees are
    /// `c_p xor c_(p + n/2)`.
    Differences,
    /// Its place in a tree that no closed rule gives, from registers that the host writes: bits of the place.
    Tree(Tree),
}

/// A binary tree by relative addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// By node, its place: any number of up to [`Tree::place_bits`] bits.
    pub places: Vec<u32>,
    /// By node, the ports of its children.
    pub children: Vec<[Option<usize>; 2]>,
    /// By node, the port of its parent.
    pub parents: Vec<Option<usize>>,
    /// Bits of a place.
    pub place_bits: usize,
}

/// Which nodes: all that match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// Bit `p`: whether it matters what bit `(port + p) mod n` of what the node sees is. In a tree, bit `p` of the place.
    pub care: u32,
    /// What it has to be.
    pub pattern: u32,
    /// How many ones there are in [`TransferProgram::low_part`] (of [`View::Differences`]: among the differences), if it matters.
    pub low: Option<usize>,
    /// How many there are outside it, if it matters. Not of a tree or of differences.
    pub high: Option<usize>,
}

impl Condition {
    /// Every node.
    pub const EVERY: Condition = Condition {
        care: 0,
        pattern: 0,
        low: None,
        high: None,
    };
}

/// Which line a port is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineOrder {
    /// Line `p` is port `p`.
    Port,
    /// Line `r` is the port in the low part of the `r`-th zero that the node sees there, counted from 0. Of differences: line
    /// `2r + h` is the port of half `h` (0: ports below n/2).
    Zeros,
    /// The same of the `r`-th one.
    Ones,
    /// Line `j` is each port that what is of tree `j` crosses (BROADCAST 3A): of the sender, port `b` is line `b` if `c_b = 1` or
    /// `c = 0`, and else the next 1 of `c` circularly above `b`. Of a receiver it is the line of the sender.
    NextOne,
    /// Lines 0 and 1 are the ports of the children.
    Children,
    /// Line 0 is the port of the parent.
    Parent,
}

/// A line of one side of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// Which line.
    pub line: usize,
    /// Address of the first bit; the others follow.
    pub address: usize,
    /// What is received is to be sent on, and counts as held from the beginning of START on; what is sent has been counted, and
    /// is given up with the last bit.
    pub counted: bool,
}

/// One side of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Which nodes.
    pub who: Condition,
    /// How their lines lead to ports.
    pub order: LineOrder,
    /// The lines that are busy.
    pub lines: Vec<Line>,
}

/// A side of every node, on the lines that are its ports.
pub(super) fn every_node(lines: impl IntoIterator<Item = Line>) -> Side {
    side(Condition::EVERY, LineOrder::Port, lines)
}

/// A side.
pub(super) fn side(
    who: Condition,
    order: LineOrder,
    lines: impl IntoIterator<Item = Line>,
) -> Side {
    Side {
        who,
        order,
        lines: lines.into_iter().collect(),
    }
}

/// Packets that go at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The first bit time, of START if there is one.
    pub begin: usize,
    /// Bit times of START. A transfer that continues another packet has none.
    pub start_up: usize,
    /// Bits of each packet, at least 1.
    pub bits: usize,
    /// The nodes that send.
    pub sends: Side,
    /// The nodes that receive.
    pub receives: Side,
    /// What comes is added to what lies there, as words of so many bits, the least significant first.
    pub adds: Option<usize>,
}

impl Transfer {
    /// The bit time of the first bit.
    pub fn first_bit(&self) -> usize {
        self.begin + self.start_up
    }

    /// The bit time after the last.
    pub fn end(&self) -> usize {
        self.first_bit() + self.bits
    }

    /// The number of the bit that crosses in a bit time, if one does.
    pub fn bit_at(&self, bit_time: usize) -> Option<usize> {
        self.shifts()
            .contains(&bit_time)
            .then(|| bit_time - self.first_bit())
    }

    /// The bit times in which its bits cross.
    pub fn shifts(&self) -> Range<usize> {
        self.first_bit()..self.end()
    }
}

/// Where bits of a message lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// At which node, by its relative address; none if at every node in the same place.
    pub at: Option<usize>,
    /// The other end of the message, as `node xor other end`: of what is loaded, where it goes to; of what arrives, where it
    /// comes from. Of a broadcast message (all-gather) that is loaded, 0.
    pub partner: usize,
    /// The first bit of the message that lies here.
    pub bit: usize,
    /// How many.
    pub bits: usize,
    /// Where.
    pub address: usize,
}

/// In the middle of a run nodes put blocks of their memory in another order, each in its own: to the blocks' destinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reorder {
    /// It happens at the clock edge of this bit time, behind what arrives in it.
    pub bit_time: usize,
    /// Where block 0 is read.
    pub from: usize,
    /// Where block 0 is written.
    pub to: usize,
    /// Bits of a block; there are as many blocks as nodes.
    pub block_bits: usize,
    /// By node (relative) and block, the number that the block gets.
    pub numbers: Vec<Vec<u32>>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferProgram {
    /// The cube.
    pub cube: Dimensions,
    /// The node whose relative address is 0.
    pub source: usize,
    /// How many ports of a node may be busy at once.
    pub ports: PortModel,
    /// What nodes see of themselves.
    pub view: View,
    /// Bit `p`: dimension `p` is in the low part, where [`Condition`] and [`LineOrder`] tell parts apart; all `n` if it does not
    /// matter. Of differences it is the `n/2` low ones.
    pub low_part: u32,
    /// Bit `p`: nodes whose relative address has a one there take no part, whatever a condition says. 0 if all do.
    pub unused: u32,
    /// Bits of a node's memory.
    pub memory_bits: usize,
    /// Bit times of the run.
    pub bit_times: usize,
    /// The first bit time of each routing step, ascending from 0.
    pub steps: Vec<usize>,
    /// By their first bit times.
    pub transfers: Vec<Transfer>,
    /// What hosts write into memories before bit time 0.
    pub loads: Vec<Segment>,
    /// What they read there at the end.
    pub arrivals: Vec<Segment>,
    /// Blocks are put in another order.
    pub reorder: Option<Reorder>,
}

impl TransferProgram {
    /// The program that does it backwards, with the last packet first and what is loaded and what arrives changed about.
    pub fn reversed(&self) -> TransferProgram {
        let transfers = self.transfers.iter().rev();
        let mut transfers: Vec<Transfer> = transfers
            .map(|transfer| Transfer {
                begin: self.bit_times - transfer.end(),
                sends: transfer.receives.clone(),
                receives: transfer.sends.clone(),
                ..transfer.clone()
            })
            .collect();
        transfers.sort_by_key(|transfer| transfer.begin);
        let mut steps: Vec<usize> = transfers.iter().map(|transfer| transfer.begin).collect();
        steps.dedup();
        TransferProgram {
            transfers,
            steps,
            loads: self.arrivals.clone(),
            arrivals: self.loads.clone(),
            ..self.clone()
        }
    }
}
