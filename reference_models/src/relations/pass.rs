//! One pass: a message of each node crosses or stays, all are numbered, and packed stage by stage.

use super::Variant;
use super::violation::Violation;
use crate::row::{self, Row};

/// A message on its way.
#[derive(Clone, Copy, Debug)]
struct Moving {
    message: usize,
    node: usize,
    /// It crossed in the last step or stage.
    crossed: bool,
    number: usize,
    target: usize,
}

/// The messages of a pass.
pub(super) struct Pass {
    iteration: usize,
    /// The slot that it takes, from 0.
    pass: usize,
    k: usize,
    moving: Vec<Moving>,
}

impl Pass {
    /// Step 1 of messages at some nodes, with their destinations: no two of them at one node.
    pub fn cross(
        (iteration, pass): (usize, usize),
        k: usize,
        messages: impl Iterator<Item = (usize, usize, usize)>,
    ) -> Self {
        let crossing = messages.map(|(node, message, destination)| {
            let across = (node ^ destination) & 1 << iteration;
            Moving {
                message,
                node: node ^ across,
                crossed: across != 0,
                number: 0,
                target: 0,
            }
        });
        Pass {
            iteration,
            pass,
            k,
            moving: crossing.collect(),
        }
    }

    /// Numbers the messages of each subcube, of nodes that agree in the lowest `fixed` bits, from the numbers
    /// on that are given; and puts there what the next pass begins with. At a node what stayed is first.
    pub fn number(
        &mut self,
        fixed: usize,
        variant: Variant,
        next: &mut [usize],
    ) -> Result<(), Violation> {
        let mut scanned = Row::Ascending.dimensions(fixed, self.k);
        if !variant.scan_follows_row {
            scanned.reverse();
        }
        self.moving.sort_by_key(|moving| {
            (
                row::place(&scanned, moving.node),
                moving.node,
                moving.crossed,
            )
        });
        let members = 1 << scanned.len();
        let mut before: Option<usize> = None;
        for moving in &mut self.moving {
            let subcube = moving.node % (1 << fixed);
            let again = before.replace(moving.node) == Some(moving.node);
            moving.number = next[subcube] - usize::from(again && !variant.counts_messages);
            next[subcube] = moving.number + 1;
            let member = match variant.wraps {
                true => moving.number % members,
                false => moving.number,
            };
            moving.target = subcube + (member << fixed);
            if moving.target >= 1 << self.k {
                return Err(Violation::NoSuchTarget {
                    iteration: self.iteration,
                    pass: self.pass,
                    node: moving.node,
                    target: moving.target,
                });
            }
        }
        Ok(())
    }

    /// Packs all of them across the dimensions of a row, a stage each; the most messages stored at a node.
    pub fn pack(&mut self, row: &[usize]) -> Result<usize, Violation> {
        let mut most = self.check_stored(0)?;
        for (stage, &dimension) in (1..).zip(row) {
            self.check_wires(stage, dimension)?;
            for moving in &mut self.moving {
                let across = (moving.node ^ moving.target) & 1 << dimension;
                moving.node ^= across;
                moving.crossed = across != 0;
            }
            most = most.max(self.check_stored(stage)?);
        }
        match self.moving.iter().find(|one| one.node != one.target) {
            Some(moving) => Err(Violation::NotAtTarget {
                iteration: self.iteration,
                pass: self.pass,
                target: moving.target,
                node: moving.node,
            }),
            None => Ok(most),
        }
    }

    /// The messages with their nodes: at each node what stayed in the last step or stage, then what came
    /// across.
    pub fn delivered(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let of = |crossed| {
            let moving = self.moving.iter();
            moving.filter(move |moving| moving.crossed == crossed)
        };
        let all = of(false).chain(of(true));
        all.map(|moving| (moving.node, moving.message))
    }

    /// A node has one wire across a dimension.
    fn check_wires(&self, stage: usize, dimension: usize) -> Result<(), Violation> {
        let mut taken = vec![false; 1 << self.k];
        for moving in &self.moving {
            let crosses = (moving.node ^ moving.target) >> dimension & 1 == 1;
            if crosses && std::mem::replace(&mut taken[moving.node], true) {
                return Err(Violation::TwoCross {
                    iteration: self.iteration,
                    pass: self.pass,
                    stage,
                    node: moving.node,
                });
            }
        }
        Ok(())
    }

    /// A node has two tracks, and two messages at it differ by `2^r` after stage `r`. Gives the most at a node.
    fn check_stored(&self, stage: usize) -> Result<usize, Violation> {
        let mut stored = vec![Vec::new(); 1 << self.k];
        for moving in &self.moving {
            stored[moving.node].push(moving.number);
        }
        for (node, numbers) in stored.iter().enumerate() {
            let (iteration, pass) = (self.iteration, self.pass);
            if numbers.len() > 2 {
                return Err(Violation::TooManyStored {
                    iteration,
                    pass,
                    stage,
                    node,
                    messages: numbers.len(),
                });
            }
            if let [one, other] = numbers[..]
                && one.abs_diff(other) != 1 << stage
            {
                return Err(Violation::NumbersApart {
                    iteration,
                    pass,
                    stage,
                    node,
                    numbers: [one, other],
                });
            }
        }
        Ok(stored.iter().map(Vec::len).max().unwrap_or(0))
    }
}
