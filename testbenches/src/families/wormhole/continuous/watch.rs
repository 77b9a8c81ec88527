//! What a run under continuous injection looks at to decide how long it takes.

use std::ops::Range;

use hosts::wormhole::lanes::WormLanes;

use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::phases::{LeftOpen, Phases};
use crate::statistics::growth::{Growth, Verdict, growth, growth_of_given_length};
use crate::statistics::series::Series;
use crate::statistics::truncation::mser_5;

/// What is looked at while the run goes on, and from which it decides how long it will.
pub(super) struct Watch {
    phases: Phases,
    /// Bit times at which a measurement may begin, the next one last.
    beginnings: Vec<u64>,
    /// At those that are over: worms that had not arrived, and bits that had.
    begun: Vec<(u64, usize, u64)>,
    /// Worms that have not arrived, in each bit time.
    backlog: Series,
    /// Bits that arrived in each bit time.
    pub(super) ejected: Series,
    ejected_before: u64,
    /// Bit times that both have.
    sampled: u64,
    /// What was said of the backlog when it was last asked.
    growth: Option<Growth>,
}

/// When the measurement that counts began.
pub(super) struct Window {
    pub(super) begins: u64,
    pub(super) ends: u64,
    /// Worms that had not arrived, and bits that had, at its beginning.
    pub(super) backlog: usize,
    pub(super) ejected: u64,
    pub(super) growth: Growth,
    pub(super) warm_up_ends: Option<u64>,
}

impl Window {
    pub(super) fn bit_times(&self) -> Range<u64> {
        self.begins..self.ends
    }
}

impl Watch {
    pub(super) fn new(phases: Phases) -> Self {
        let of_end = |end: u64| match phases.left_open {
            LeftOpen::Both => vec![end / 3, end / 2],
            LeftOpen::WarmUp => vec![end - phases.measurement],
            LeftOpen::Measurement | LeftOpen::Nothing => vec![phases.warm_up],
        };
        let ends = (0..=phases.doublings).map(|doublings| phases.first_end() << doublings);
        let mut beginnings: Vec<u64> = ends.flat_map(of_end).collect();
        beginnings.sort_unstable_by(|one, other| other.cmp(one));
        beginnings.dedup();
        Watch {
            phases,
            beginnings,
            begun: Vec::new(),
            backlog: Series::default(),
            ejected: Series::default(),
            ejected_before: 0,
            sampled: 0,
            growth: None,
        }
    }

    /// Before a bit time.
    pub(super) fn before(&mut self, engine: &Engine<impl WormLanes>) {
        let bit_time = engine.fabric.bit_time();
        if self.beginnings.pop_if(|next| *next == bit_time).is_some() {
            let (backlog, ejected) = (engine.in_flight(), engine.accepted());
            self.begun.push((bit_time, backlog, ejected));
        }
    }

    /// After a bit time, and those that were left out behind it.
    pub(super) fn after(&mut self, engine: &Engine<impl WormLanes>) {
        let (bit_time, ejected) = (engine.fabric.bit_time(), engine.accepted());
        let passed = bit_time - self.sampled;
        self.backlog.repeat(engine.in_flight() as u64, passed);
        self.ejected.sample(ejected - self.ejected_before);
        self.ejected.repeat(0, passed - 1);
        self.ejected_before = ejected;
        self.sampled = bit_time;
    }

    /// The next bit time at which a measurement may begin.
    pub(super) fn next_beginning(&self) -> Option<u64> {
        self.beginnings.last().copied()
    }

    /// The measurement that ends now; none, if the run has to go on.
    pub(super) fn window(&mut self, ends: u64) -> Option<Window> {
        let growth = match self.phases.doublings {
            0 => growth_of_given_length(&self.backlog),
            _ => growth(&self.backlog, self.growth.as_ref()),
        };
        self.growth = Some(growth);
        let warm_up_ends =
            mser_5(self.backlog.means()).map(|slots| slots as u64 * self.backlog.slot());
        let is_last = ends == self.phases.latest_end();
        let candidates = match self.phases.left_open {
            LeftOpen::Both => vec![ends / 3, ends / 2],
            LeftOpen::WarmUp => vec![ends - self.phases.measurement],
            LeftOpen::Measurement | LeftOpen::Nothing => vec![self.phases.warm_up],
        };
        let is_warm_at = |begins: &u64| warm_up_ends.is_some_and(|warm| warm <= *begins);
        let may_be_longer = matches!(self.phases.left_open, LeftOpen::Both | LeftOpen::WarmUp);
        let begins = match growth.verdict {
            // There is no steady state that a longer warm-up would lead to.
            Verdict::Saturated => candidates.first().copied(),
            Verdict::Stable if may_be_longer && !is_last => {
                candidates.iter().find(|one| is_warm_at(one)).copied()
            }
            Verdict::Undecided if !is_last => None,
            Verdict::Stable | Verdict::Undecided => {
                let warm = candidates.iter().find(|one| is_warm_at(one));
                warm.or(candidates.last()).copied()
            }
        }?;
        let (_, backlog, ejected) = *self.begun.iter().find(|(begun, ..)| *begun == begins)?;
        Some(Window {
            begins,
            ends,
            backlog,
            ejected,
            growth,
            warm_up_ends,
        })
    }
}
