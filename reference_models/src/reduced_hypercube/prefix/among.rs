//! What is done with the totals of building blocks.

use super::super::wires::Sent;
use super::super::{Shape, Violation};
use super::State;

/// What walks from subblock to subblock.
#[derive(Clone, Copy)]
enum Walker {
    Message,
    Preceding,
}

/// The walk of totals from subblock to subblock, the same in all building blocks.
struct Walking<Word> {
    shape: Shape,
    /// The totals, by building block.
    messages: Vec<Word>,
    /// The subblock that they are in.
    place: usize,
    /// What the words of the preceding building blocks make, by building block.
    preceding: Vec<Word>,
    /// The subblock that this is in.
    behind: usize,
    /// The dimension that this is to cross in the next step.
    late: Option<usize>,
}

impl<Word: Clone, Operator: Fn(&Word, &Word) -> Word> State<Word, Operator> {
    /// The highest node of each building block gets what precedes the block, by distribution.
    pub(super) fn distribute(&mut self, shape: Shape) -> Result<(), Violation> {
        let last = shape.subblocks() - 1;
        let corner = |block: usize| ((block + 1) << shape.k) - 1;
        let mut preceding = vec![self.identity.clone(); shape.blocks()];
        for stage in 0..shape.subblocks() {
            // The building blocks that have what is to be distributed.
            let below = (1 << stage) - 1..shape.blocks();
            let mut having: Vec<(usize, Word)> = (below.step_by(2 << stage))
                .map(|block| {
                    let total = &self.messages[corner(block)];
                    (corner(block), self.combined(&preceding[block], total))
                })
                .collect();
            for bit in (0..=stage).rev() {
                let mut moving = having.clone();
                for dimension in shape.path(last, bit) {
                    moving = self.wires.hop(moving, dimension)?;
                }
                moving = self.wires.hop(moving, shape.k + bit)?;
                for dimension in shape.path(bit, last) {
                    moving = self.wires.hop(moving, dimension)?;
                }
                for (node, word) in &moving {
                    let block = shape.block(*node);
                    preceding[block] = self.combined(word, &preceding[block]);
                }
                match bit == stage {
                    true => having = moving,
                    false => having.extend(moving),
                }
            }
        }
        let in_corner = (0..shape.blocks()).map(corner).zip(preceding).collect();
        self.finish(shape, in_corner, false)
    }

    /// The lowest node of each building block gets what precedes the block, by exchange of totals.
    pub(super) fn exchange_totals(&mut self, shape: Shape, swapped: bool) -> Result<(), Violation> {
        let lowest = |block: usize| self.messages[block << shape.k].clone();
        let mut walking = Walking {
            shape,
            messages: (0..shape.blocks()).map(lowest).collect(),
            place: 0,
            preceding: vec![self.identity.clone(); shape.blocks()],
            behind: 0,
            late: None,
        };
        for subblock in 0..shape.subblocks() {
            self.step(&mut walking, shape.k + subblock)?;
            if subblock + 1 < shape.subblocks() {
                for dimension in shape.path(subblock, subblock + 1) {
                    self.step(&mut walking, dimension)?;
                }
            }
        }
        let behind = walking.behind;
        let at = |(block, word)| (shape.node(block, behind, 0), word);
        let mut moving = walking.preceding.into_iter().enumerate().map(at).collect();
        for dimension in shape.path(behind, 0) {
            moving = self.wires.hop(moving, dimension)?;
        }
        self.finish(shape, moving, swapped)
    }

    /// One step of the exchange of totals. The messages cross a dimension, and what precedes the one that
    /// they crossed before, unless it was a link to another building block.
    fn step(&mut self, walking: &mut Walking<Word>, dimension: usize) -> Result<(), Violation> {
        let shape = walking.shape;
        let link = dimension >= shape.k;
        let mut sends = Vec::new();
        let mut send = |what, place, dimension: usize, words: &[Word]| {
            for (block, word) in words.iter().enumerate() {
                let from = shape.node(block, place, 0);
                sends.push(Sent {
                    from,
                    to: from ^ (1 << dimension),
                    load: (what, word.clone()),
                });
            }
        };
        if let Some(late) = walking.late {
            send(Walker::Preceding, walking.behind, late, &walking.preceding);
            walking.behind ^= 1 << (late - shape.low_bits());
        }
        send(Walker::Message, walking.place, dimension, &walking.messages);
        self.wires.carry(1, &sends)?;
        walking.late = (!link).then_some(dimension);
        if !link {
            walking.place ^= 1 << (dimension - shape.low_bits());
        }
        // What precedes comes first in the list, so that it is there for what crosses a link.
        for Sent { from, to, load } in sends {
            let block = shape.block(to);
            let preceding = &mut walking.preceding[block];
            let message = &mut walking.messages[block];
            match load {
                (Walker::Preceding, word) => *preceding = word,
                (Walker::Message, word) if !link => *message = word,
                (Walker::Message, word) if from < to => {
                    *preceding = self.combined(&word, preceding);
                    *message = self.combined(&word, message);
                }
                (Walker::Message, word) => *message = self.combined(message, &word),
            }
        }
        Ok(())
    }

    /// Every node gets what precedes its building block, without a broadcast.
    pub(super) fn in_place(&mut self, shape: Shape, swapped: bool) -> Result<(), Violation> {
        let mut stayed = vec![self.identity.clone(); shape.nodes()];
        let in_lowest = |node: &usize| shape.subblock(*node) == 0;
        let mut walking: Vec<(usize, Word)> = (0..shape.nodes())
            .filter(in_lowest)
            .map(|node| (node, self.messages[node].clone()))
            .collect();
        for subblock in 0..shape.subblocks() {
            let link = 1 << (shape.k + subblock);
            let arrived = self.wires.hop(walking.clone(), shape.k + subblock)?;
            let mut own: Vec<Option<Word>> = vec![None; shape.nodes()];
            for (node, word) in walking.drain(..) {
                own[node] = Some(word);
            }
            for (node, word) in arrived {
                let Some(own) = own[node].take() else {
                    continue;
                };
                let message = if node & link != 0 {
                    let message = self.combined(&word, &own);
                    stayed[node] = word;
                    message
                } else {
                    self.combined(&own, &word)
                };
                walking.push((node, message));
            }
            if subblock + 1 < shape.subblocks() {
                for dimension in shape.path(subblock, subblock + 1) {
                    walking = self.wires.hop(walking, dimension)?;
                }
            }
        }
        for dimension in shape.low_bits()..shape.k {
            let mine = stayed.clone().into_iter().enumerate().collect();
            for (node, word) in self.wires.hop(mine, dimension)? {
                let from_higher = node >> dimension & 1 == 0;
                stayed[node] = match from_higher != swapped {
                    true => self.combined(&word, &stayed[node]),
                    false => self.combined(&stayed[node], &word),
                };
            }
        }
        for (node, word) in stayed.iter().enumerate() {
            self.results[node] = self.combined(word, &self.results[node]);
        }
        Ok(())
    }

    /// Broadcasts what precedes a building block within it, and takes it into the results.
    fn finish(
        &mut self,
        shape: Shape,
        mut having: Vec<(usize, Word)>,
        swapped: bool,
    ) -> Result<(), Violation> {
        for dimension in 0..shape.k {
            let arrived = self.wires.hop(having.clone(), dimension)?;
            having.extend(arrived);
        }
        for (node, word) in having {
            self.results[node] = match swapped {
                true => self.combined(&self.results[node], &word),
                false => self.combined(&word, &self.results[node]),
            };
        }
        Ok(())
    }
}
