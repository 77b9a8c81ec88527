//! The pipeline as a whole: its stages, when a batch reaches each of them, and how far batches are apart.

use std::marker::PhantomData;

use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::interval;
use crate::routers::kuszmaul::batches::stage::Pipelined;
use crate::routers::permutation::Size;

/// A pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline<P> {
    /// The cube and its messages.
    pub size: Size,
    /// How many batches.
    pub batches: usize,
    /// Bit times from a batch's beginning to the next one's.
    pub interval: usize,
    /// The stages, and in which bit time from its beginning a batch begins at each.
    pub stages: Vec<(Extent, usize)>,
    schedule: PhantomData<P>,
}

impl<P: Pipelined> Pipeline<P> {
    /// Of so many batches, at that interval or else at the smallest at which no two units ever have one wire.
    pub fn new(size: Size, batches: usize, interval: Option<usize>) -> Self {
        let mut begins = 0;
        let lowest = P::lowest(size).into_iter().enumerate();
        let stages = lowest.map(|(stage, lowest)| {
            let extent = Extent {
                stage,
                lowest,
                size,
            };
            let begun = begins;
            begins += P::hands_on_at(extent);
            (extent, begun)
        });
        let stages: Vec<(Extent, usize)> = stages.collect();
        let interval = interval.unwrap_or_else(|| Self::smallest_interval(&stages));
        Pipeline {
            size,
            batches,
            interval,
            stages,
            schedule: PhantomData,
        }
    }

    fn smallest_interval(stages: &[(Extent, usize)]) -> usize {
        let claims = stages.iter().map(|(extent, _)| P::claims(*extent));
        interval::smallest(&claims.collect::<Vec<_>>())
    }

    /// The last stage, and when a batch begins there.
    pub fn last(&self) -> (Extent, usize) {
        self.stages[self.stages.len() - 1]
    }

    /// Bit times of a batch, from its beginning until its last bit has arrived.
    pub fn latency(&self) -> usize {
        let (last, begins) = self.last();
        begins + P::delivers(last).to as usize + 1
    }

    /// Bit times of all batches.
    pub fn bit_times(&self) -> usize {
        (self.batches - 1) * self.interval + self.latency()
    }

    /// Address and payload bits of a message that are left once the bit time `t` from its batch's beginning is over.
    pub fn message_bits_left(&self, t: i64) -> usize {
        let consumed = |&(extent, begins): &(Extent, usize)| P::consumed(extent, t - begins as i64);
        let consumed: usize = self.stages.iter().map(consumed).sum();
        self.size.dimensions + self.size.payload_bits - consumed
    }

    /// How many bits of a message a stage has taken once the bit time `t` from the batch's beginning there is over.
    pub fn taken(extent: Extent, t: i64) -> i64 {
        P::takes(extent)
            .into_iter()
            .map(|taken| taken.over(t))
            .sum()
    }

    /// The bit time, from the batch's beginning, in which the first stage takes the last bit.
    pub fn takes_last_at(&self) -> i64 {
        let (first, _) = self.stages[0];
        let windows = P::takes(first).into_iter();
        let ends = windows
            .filter(|taken| taken.length() > 0)
            .map(|taken| taken.to);
        ends.max().unwrap_or(0)
    }

    /// How long ago each batch began, batch after batch; negative of those that have not.
    pub fn since(&self, bit_time: i64) -> impl Iterator<Item = i64> + Clone {
        let interval = self.interval as i64;
        (0..self.batches as i64).map(move |batch| bit_time - batch * interval)
    }

    /// The same of the batches that are in stages: they have begun, and have not arrived.
    pub fn in_stages(&self, bit_time: i64) -> impl Iterator<Item = i64> {
        let latency = self.latency() as i64;
        let since = self.since(bit_time);
        since.filter(move |ago| (0..latency).contains(ago))
    }

    /// Appends what a stage is about in a bit time: the batch that began there last, and its step; nothing where that is over.
    pub fn say(&self, stage: usize, bit_time: i64, text: &mut String) {
        let (extent, begins) = self.stages[stage];
        let (at_stage, interval) = (bit_time - begins as i64, self.interval as i64);
        if at_stage < 0 {
            return;
        }
        let batch = (at_stage / interval).min(self.batches as i64 - 1);
        let ago = at_stage - batch * interval;
        let ends = P::claims(extent).iter().map(|claim| claim.window.to).max();
        let steps = P::steps(extent).into_iter().rev();
        if let Some((step, _)) = steps.clone().find(|(_, from)| *from <= ago)
            && ends.is_some_and(|ends| ago <= ends)
        {
            *text += &format!("{batch}:{step}");
        }
    }
}
