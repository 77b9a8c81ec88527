//! Hands out the points of a sweep: the longest first, each to one at a time.
//!
//! ```text
//!   open ----take----> taken ----finish----> done
//!    ^                   |
//!    +------lost---------+----give_back----> alone: taken when nothing else runs anywhere
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A batch for another process is as large a part of the open work as this says, for each that takes any: what is short goes in
/// batches, so that handing over takes little of the time, and what is long goes by itself.
const BATCHES_EACH: u64 = 4;
/// As many points are the most of a batch.
const LARGEST_BATCH: usize = 1000;

/// Where each point is.
pub(super) struct HandOut {
    /// What is known of the work of each point, in units of its own.
    work: Vec<u64>,
    all_work: u64,
    /// The longest first; of points that are as long as each other, the first of the grid.
    open: BTreeSet<(Reverse<u64>, usize)>,
    open_work: u64,
    /// By the number of the rank that runs them.
    taken: BTreeMap<usize, BTreeSet<usize>>,
    /// Those for which there was no room beside others.
    alone: BTreeSet<usize>,
    /// The one of them that runs.
    runs_alone: Option<usize>,
    is_done: Vec<bool>,
    done: usize,
    done_work: u64,
}

impl HandOut {
    /// All points, given their work; none is done.
    pub fn new(work: Vec<u64>) -> Self {
        let all_work = work.iter().copied().fold(0, u64::saturating_add);
        let open = work.iter().enumerate();
        HandOut {
            open: open.map(|(point, work)| (Reverse(*work), point)).collect(),
            all_work,
            open_work: all_work,
            taken: BTreeMap::new(),
            alone: BTreeSet::new(),
            runs_alone: None,
            is_done: vec![false; work.len()],
            done: 0,
            done_work: 0,
            work,
        }
    }

    /// The longest point that is open; where nothing runs any more, one that has to run alone.
    pub fn take(&mut self, rank: usize) -> Option<usize> {
        let point = match self.take_open() {
            Some(point) => point,
            None if self.taken.is_empty() => {
                self.runs_alone = self.alone.pop_first();
                self.runs_alone?
            }
            None => return None,
        };
        self.taken.entry(rank).or_default().insert(point);
        Some(point)
    }

    /// Open points for another rank, while `takers` threads take any. None of them has to run alone.
    pub fn take_batch(&mut self, rank: usize, takers: usize) -> Vec<usize> {
        let most = self.open_work / (BATCHES_EACH * takers.max(1) as u64);
        let (mut batch, mut sum) = (Vec::new(), 0u64);
        while let Some((Reverse(work), _)) = self.open.first() {
            sum = sum.saturating_add(*work);
            if !batch.is_empty() && (sum > most || batch.len() == LARGEST_BATCH) {
                break;
            }
            batch.extend(self.take_open());
        }
        if !batch.is_empty() {
            self.taken.entry(rank).or_default().extend(&batch);
        }
        batch
    }

    fn take_open(&mut self) -> Option<usize> {
        let (Reverse(work), point) = self.open.pop_first()?;
        self.open_work = self.open_work.saturating_sub(work);
        Some(point)
    }

    fn open_again(&mut self, point: usize) {
        let work = self.work[point];
        if self.open.insert((Reverse(work), point)) {
            self.open_work = self.open_work.saturating_add(work);
        }
    }

    /// Takes a point from whoever has it; whether it was that rank, if one is given.
    fn untake(&mut self, point: usize, rank: Option<usize>) -> bool {
        let has = |by: &usize| rank.is_none_or(|rank| rank == *by);
        let mut was_taken = false;
        self.taken.retain(|by, points| {
            was_taken |= has(by) && points.remove(&point);
            !points.is_empty()
        });
        was_taken
    }

    /// A point is done, whoever ran it. Whether it was not before: one whose rank was thought to be lost may be done twice.
    pub fn finish(&mut self, point: usize) -> bool {
        if self.is_done.get(point) != Some(&false) {
            return false;
        }
        let work = self.work[point];
        if self.open.remove(&(Reverse(work), point)) {
            self.open_work = self.open_work.saturating_sub(work);
        }
        self.alone.remove(&point);
        self.untake(point, None);
        self.is_done[point] = true;
        self.done += 1;
        self.done_work = self.done_work.saturating_add(work);
        true
    }

    /// There was no room for a point beside others; `rank` had it. Whether it will be tried again: one that ran alone is not.
    pub fn give_back(&mut self, point: usize, rank: usize) -> bool {
        if self.runs_alone == Some(point) {
            return false;
        }
        if self.untake(point, Some(rank)) {
            self.alone.insert(point);
        }
        true
    }

    /// What a rank has taken is open again: it is lost. How many points these are.
    pub fn lost(&mut self, rank: usize) -> usize {
        let points = self.taken.remove(&rank).unwrap_or_default();
        for &point in &points {
            self.open_again(point);
        }
        points.len()
    }

    /// Points that a rank has.
    pub fn held_by(&self, rank: usize) -> usize {
        self.taken.get(&rank).map_or(0, BTreeSet::len)
    }

    /// Whether every point is done.
    pub fn is_over(&self) -> bool {
        self.done == self.work.len()
    }

    /// Whether nothing is left to be taken, unless it comes back from one who has it.
    pub fn is_all_taken(&self) -> bool {
        self.open.is_empty() && (!self.taken.is_empty() || self.is_over())
    }

    /// The work of all points that are done.
    pub fn done_work(&self) -> u64 {
        self.done_work
    }

    /// The work of all points.
    pub fn all_work(&self) -> u64 {
        self.all_work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_goes_first_and_each_to_one() {
        let mut hand_out = HandOut::new(vec![3, 9, 1, 9, 5]);
        let order: Vec<_> = (0..6).map(|rank| hand_out.take(rank % 2)).collect();
        assert_eq!(order, [Some(1), Some(3), Some(4), Some(0), Some(2), None]);
        assert_eq!([0, 1, 2].map(|rank| hand_out.held_by(rank)), [3, 2, 0]);
        assert!(hand_out.is_all_taken() && !hand_out.is_over());
        assert!(
            [1, 3, 4, 0, 2]
                .into_iter()
                .all(|point| hand_out.finish(point))
        );
        assert!(hand_out.is_over() && hand_out.is_all_taken());
        assert_eq!(hand_out.done_work(), hand_out.all_work());
    }

    #[test]
    fn long_points_go_one_by_one_and_short_ones_in_batches() {
        let mut hand_out = HandOut::new([vec![1000, 900], vec![1; 100]].concat());
        assert_eq!(hand_out.take_batch(1, 2), [0]);
        assert_eq!(hand_out.take_batch(2, 2), [1]);
        let short = hand_out.take_batch(1, 2);
        assert_eq!(short, (2..2 + 100 / 8).collect::<Vec<_>>());
        let mut left = 100 - short.len();
        while left > 0 {
            let batch = hand_out.take_batch(2, 2);
            assert!((1..=(left / 8).max(1)).contains(&batch.len()));
            left -= batch.len();
        }
        assert!(hand_out.take_batch(2, 2).is_empty());
        assert_eq!(hand_out.held_by(1) + hand_out.held_by(2), 102);
    }

    #[test]
    fn points_of_a_lost_rank_are_taken_again_and_count_once() {
        let mut hand_out = HandOut::new(vec![1, 2, 3, 4]);
        assert_eq!(
            [1, 1, 2].map(|rank| hand_out.take(rank)),
            [Some(3), Some(2), Some(1)]
        );
        assert!(hand_out.finish(3));
        assert_eq!(hand_out.lost(1), 1);
        assert_eq!(hand_out.lost(1), 0);
        assert_eq!(hand_out.held_by(1), 0);
        assert_eq!(hand_out.take(2), Some(2));
        // It was slow, not lost.
        assert!(hand_out.finish(2));
        assert!(!hand_out.finish(2));
        assert_eq!(hand_out.held_by(2), 1);
        assert!(hand_out.finish(1));
        assert_eq!(hand_out.take(0), Some(0));
        assert!(!hand_out.is_over());
        assert!(hand_out.finish(0) && hand_out.is_over());
        assert_eq!(hand_out.done_work(), 10);
    }

    #[test]
    fn a_point_that_was_done_before_its_turn_is_not_handed_out() {
        let mut hand_out = HandOut::new(vec![1, 2, 3]);
        assert!(hand_out.finish(1));
        assert!(!hand_out.finish(7));
        assert_eq!(
            [0, 0, 0].map(|rank| hand_out.take(rank)),
            [Some(2), Some(0), None]
        );
    }

    #[test]
    fn what_found_no_room_runs_when_nothing_else_does() {
        let mut hand_out = HandOut::new(vec![5, 4, 3]);
        assert_eq!([1, 2].map(|rank| hand_out.take(rank)), [Some(0), Some(1)]);
        assert!(hand_out.give_back(0, 1));
        // By one that had it no more, nothing is given back.
        assert!(hand_out.give_back(1, 1));
        assert_eq!(hand_out.held_by(2), 1);
        assert_eq!([1, 1].map(|rank| hand_out.take(rank)), [Some(2), None]);
        assert!(hand_out.take_batch(1, 1).is_empty());
        assert!(hand_out.finish(1));
        assert_eq!(hand_out.take(0), None);
        assert!(hand_out.finish(2));
        assert!(hand_out.take_batch(1, 1).is_empty() && !hand_out.is_all_taken());
        assert_eq!([0, 0].map(|rank| hand_out.take(rank)), [Some(0), None]);
        assert!(!hand_out.give_back(0, 0));
        assert!(hand_out.finish(0) && hand_out.is_over());
    }
}
