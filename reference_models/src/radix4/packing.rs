//! A packing without headers. At every stage neighbours tell each other how many messages they hold; with the
//! offset that each keeps, that says what crosses, and in which order lists are merged.
//!
//! Before stage r a node's messages have the node's residue class: their ranks agree with its place in the
//! first r-1 bits, and what is left of a rank is its *quotient*. The offset `q` counts the messages of this
//! class that started in earlier blocks of 2^(r-1) nodes, so item `c` of the list has quotient `q + c`.

use crate::radix4::Variant;
use crate::radix4::exchange::{Exchange, Most};
use crate::violation::Violation;

/// All nodes after a stage.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// The group, from 0.
    pub group: usize,
    /// The stage, 0 before the first.
    pub stage: usize,
    /// Lower address bits in which a subcube's nodes agree.
    pub fixed: usize,
    /// How many messages each node holds.
    pub n: &'a [isize],
    /// The offset of each node.
    pub q: &'a [isize],
    /// The messages of each node.
    pub lists: &'a [Vec<usize>],
    /// What each node sent in this stage; nothing before the first.
    pub sent: &'a [Vec<usize>],
}

/// All subcubes at once.
pub(super) struct Packing {
    group: usize,
    k: usize,
    fixed: usize,
    variant: Variant,
    most: Most,
    /// For each subcube, where the message of each rank starts from: a place among its nodes.
    starts: Vec<Vec<usize>>,
    /// The rank of each message, by its index.
    ranks: Vec<usize>,
    n: Vec<isize>,
    q: Vec<isize>,
    lists: Vec<Vec<usize>>,
}

/// What a node works out in a stage.
struct Control {
    /// Offset of the low node, as this node sees it.
    low_q: isize,
    n: isize,
    q: isize,
    /// How many items of the new list are the low node's.
    low_part: isize,
}

impl Packing {
    /// After a group of `size` dimensions has been crossed, the last of the `fixed` ones.
    pub fn new(
        group: usize,
        size: usize,
        k: usize,
        fixed: usize,
        variant: Variant,
        lists: Vec<Vec<usize>>,
    ) -> Self {
        let mut starts = vec![Vec::new(); 1 << fixed];
        let messages = lists.iter().flatten().max().map_or(0, |last| last + 1);
        let mut ranks = vec![0; messages];
        let mut q = Vec::new();
        for (node, list) in lists.iter().enumerate() {
            let starts = &mut starts[node % (1 << fixed)];
            q.push((variant.first_rank + starts.len()) as isize);
            for &message in list {
                ranks[message] = starts.len();
                starts.push(node >> fixed);
            }
        }
        Packing {
            group,
            k,
            fixed,
            variant,
            most: Most {
                crossing: variant.lanes.min(1 << (size - 1)),
                stored: (2 * variant.lanes).min(1 << size),
            },
            starts,
            ranks,
            n: lists.iter().map(|list| list.len() as isize).collect(),
            q,
            lists,
        }
    }

    /// The lists afterwards, and how many messages there were at most.
    pub fn pack(
        mut self,
        observe: &mut dyn FnMut(&Stage<'_>),
    ) -> Result<(Vec<Vec<usize>>, Most), Violation> {
        let mut dimensions: Vec<usize> = (self.fixed..self.k).collect();
        if !self.variant.packs_lsb_first {
            dimensions.reverse();
        }
        self.check(0)?;
        self.show(0, &vec![Vec::new(); self.lists.len()], observe);
        let mut most = Most::default();
        for (stage, dimension) in (1..).zip(dimensions) {
            let exchange = self.exchange(stage, dimension)?;
            let found = exchange.most();
            most.crossing = most.crossing.max(found.crossing);
            most.stored = most.stored.max(found.stored);
            if self.fixed + stage == self.k {
                self.check_packed()?;
            }
            self.check(stage)?;
            self.show(stage, &exchange.sent, observe);
        }
        Ok((self.lists, most))
    }

    fn show(&self, stage: usize, sent: &[Vec<usize>], observe: &mut dyn FnMut(&Stage<'_>)) {
        observe(&Stage {
            group: self.group,
            stage,
            fixed: self.fixed,
            n: &self.n,
            q: &self.q,
            lists: &self.lists,
            sent,
        });
    }

    fn exchange(&mut self, stage: usize, dimension: usize) -> Result<Exchange, Violation> {
        let variant = self.variant;
        let is_high = |node: usize| node >> dimension & 1 == 1;
        let controls: Vec<Control> = (0..self.lists.len())
            .map(|node| self.control(node, dimension))
            .collect();
        let mut exchange = Exchange::new(&self.lists, dimension, |node, item| {
            let q = match variant.crosses_by_own_offset {
                true => self.q[node],
                false => controls[node].low_q,
            };
            is_odd(q + item as isize) != is_high(node)
        });
        exchange.check(self.group, self.most)?;
        if !variant.lanes_in_order {
            exchange.sent.iter_mut().for_each(|sent| sent.reverse());
        }
        for (node, control) in controls.iter().enumerate() {
            let low_part = match is_high(node) {
                true => exchange.received(node).len(),
                false => exchange.kept[node].len(),
            };
            if control.low_part != low_part as isize {
                return Err(Violation::LowPart {
                    group: self.group,
                    stage,
                    node,
                    counted: control.low_part,
                    messages: low_part,
                });
            }
        }
        self.lists = exchange.merged(|node| is_high(node) != variant.low_part_first);
        self.n = controls.iter().map(|control| control.n).collect();
        self.q = controls.iter().map(|control| control.q).collect();
        Ok(exchange)
    }

    /// A node knows its own count and offset, and its neighbour's count.
    fn control(&self, node: usize, dimension: usize) -> Control {
        let high = (node >> dimension & 1) as isize;
        let low_n = self.n[node & !(1 << dimension)];
        let high_n = self.n[node | 1 << dimension];
        let low_q = self.q[node] - high * low_n;
        let carry = |is_taken: bool| isize::from(is_taken && is_odd(low_q) == (high == 1));
        let runs = self.variant.runs_empty_nodes || self.n[node] > 0;
        Control {
            low_q,
            n: (low_n + high_n + carry(self.variant.carries_into_count)) >> 1,
            q: match runs {
                true => (low_q + 1 - high) >> 1,
                false => self.q[node],
            },
            low_part: (low_n + carry(self.variant.carries_into_part)) >> 1,
        }
    }

    /// Counts, offsets and ranks are what they stand for.
    fn check(&self, stage: usize) -> Result<(), Violation> {
        let group = self.group;
        let before = self.messages_of_class_before(stage);
        for (node, list) in self.lists.iter().enumerate() {
            let class = (node >> self.fixed) % (1 << stage);
            let (n, q, before) = (self.n[node], self.q[node], before[node]);
            if n != list.len() as isize {
                return Err(Violation::Count {
                    group,
                    stage,
                    node,
                    counted: n,
                    messages: list.len(),
                });
            }
            if q != before as isize {
                return Err(Violation::Offset {
                    group,
                    stage,
                    node,
                    q,
                    before,
                });
            }
            for (item, &message) in list.iter().enumerate() {
                let (rank, expected) = (self.ranks[message], class + ((before + item) << stage));
                if rank != expected {
                    return Err(Violation::ItemRank {
                        group,
                        stage,
                        node,
                        item,
                        rank,
                        expected,
                    });
                }
            }
        }
        Ok(())
    }

    /// For each node, from the ranks alone.
    fn messages_of_class_before(&self, stage: usize) -> Vec<usize> {
        let block = 1 << stage;
        let mut before = vec![0; self.lists.len()];
        for (subcube, starts) in self.starts.iter().enumerate() {
            let mut of_class = vec![0; block];
            let mut ranks = starts.iter().enumerate().peekable();
            for place in 0..1 << (self.k - self.fixed) {
                let is_earlier = |start: usize| start / block < place / block;
                while let Some((rank, _)) = ranks.next_if(|(_, start)| is_earlier(**start)) {
                    of_class[rank % block] += 1;
                }
                before[subcube + (place << self.fixed)] = of_class[place % block];
            }
        }
        before
    }

    /// Each message is at the node of its rank; so there is at most one at each.
    fn check_packed(&self) -> Result<(), Violation> {
        for (node, list) in self.lists.iter().enumerate() {
            for &message in list {
                let rank = self.ranks[message];
                if rank != node >> self.fixed {
                    return Err(Violation::NotAtRank {
                        group: self.group,
                        node,
                        rank,
                    });
                }
            }
        }
        Ok(())
    }
}

fn is_odd(number: isize) -> bool {
    number & 1 == 1
}
