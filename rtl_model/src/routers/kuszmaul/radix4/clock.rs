//! The counters of schedule `radix4`, of groups and of the bit times of each, and their comparison
//! with windows.
//!
//! In group `i` of two dimensions `m = k-2-2i` dimensions are left, and the stage of dimension `d`
//! is the `r`-th, `r = d-1-2i`: so a bound that is linear in `m` and `r` is the comparison of
//! `t + 2c*i` with a constant. The groups behind have bounds that are constants.

use crate::language::bit::{Bit, Strobe};
use crate::language::register::{Name, Registers, Visitor};
use crate::parts::counter::{Counter, Number};
use crate::parts::windows::{Comparison, Moment, Stretch, Window};
use crate::routers::kuszmaul::radix4::dimension_groups::{DimensionGroups, FOUR};
use crate::routers::kuszmaul::sums::Sums;

/// The counters.
#[derive(Clone, Debug)]
pub struct GroupClock<B: Bit> {
    pub(super) groups: DimensionGroups,
    /// A cube of no more than four dimensions has one group.
    group: Option<Counter<B>>,
    bit_time: Counter<B>,
    done: B,
}

/// The counters stand in the sequencer directly.
impl<B: Bit> Registers<B> for GroupClock<B> {
    fn visit(&self, _name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.note("i, the group of dimensions");
        self.group.visit(Name::Field("group"), visitor);
        visitor.note("t, bit times since the group began");
        self.bit_time.visit(Name::Field("bit_time"), visitor);
        visitor.note("the last group is over");
        self.done.visit(Name::Field("done"), visitor);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.group.visit_mut(visitor);
        self.bit_time.visit_mut(visitor);
        self.done.visit_mut(visitor);
    }
}

impl<S: Strobe> GroupClock<S> {
    /// About to begin the first group.
    pub fn new(groups: DimensionGroups) -> Self {
        let longest = (0..groups.count())
            .map(|group| groups.bit_times(group))
            .max();
        let last_bit_time = longest.unwrap_or(1) as u32 - 1;
        GroupClock {
            groups,
            group: (groups.count() > 1)
                .then(|| Counter::new(groups.count() as u32 - 1, 0).named("i")),
            bit_time: Counter::new(last_bit_time, 0).named("t"),
            done: S::ZERO,
        }
    }

    /// The number of the group.
    fn group(&self) -> Number<S> {
        (self.group.as_ref()).map_or(Number::constant(0), |counter| *counter.number())
    }

    /// The counters as they stand, to be compared with.
    pub fn now(&self) -> GroupNow<S> {
        let (group, running) = (self.group(), !self.done);
        let fours = self.groups.fours as i64;
        let is_last = group.equals(self.groups.count() as i64 - 1);
        GroupNow {
            groups: self.groups,
            running,
            four: (running & group.at_most(fours - 1)).named("is_four"),
            two: match self.groups.has_two {
                true => (running & group.equals(fours)).named("is_two"),
                false => S::ZERO,
            },
            greedy: (running & is_last).named("is_greedy"),
            sums: Sums::of(*self.bit_time.number(), group, 'i'),
            bit_time: *self.bit_time.number(),
            group,
        }
    }

    /// 1 once the last group is over.
    pub fn is_done(&self) -> S {
        self.done
    }

    /// The clock edge.
    pub fn clock(&mut self) {
        let now = self.now();
        let ends = now.ends();
        let (next, over) = (ends & !now.greedy, ends & now.greedy);
        self.bit_time.count_or_set(ends | self.done, 0);
        if let Some(group) = &mut self.group {
            S::when(next.named("next_group"), group, Counter::count);
        }
        S::when(over.named("over"), &mut self.done, |done| *done = S::ONE);
    }
}

/// A bit time of a [`GroupClock`], and when it is.
pub struct GroupNow<S: Strobe> {
    groups: DimensionGroups,
    /// The machine is not done.
    pub running: S,
    /// The group is of two dimensions.
    pub four: S,
    /// The group is of one dimension.
    pub two: S,
    /// The group is the greedy end.
    pub greedy: S,
    group: Number<S>,
    bit_time: Number<S>,
    sums: Sums<S>,
}

impl<S: Strobe> GroupNow<S> {
    /// 1 in group `group`.
    pub fn is_group(&self, group: usize) -> S {
        self.group.equals(group as i64)
    }

    /// 1 in the first group.
    pub fn is_first(&self) -> S {
        self.is_group(0)
    }

    /// 1 in odd bit times of a group.
    pub fn is_odd(&self) -> S {
        self.bit_time.bit(0)
    }

    /// 1 in bit times `from` to `until` of a group.
    pub fn between(&self, from: usize, until: usize) -> S {
        self.during(Stretch::new(from as i64, until as i64))
    }

    /// 1 in a stretch of bit times of a group.
    pub fn during(&self, stretch: Stretch) -> S {
        stretch.has(&self.bit_time)
    }

    /// 1 in bit time `at` of a group.
    pub fn at(&self, at: usize) -> S {
        self.bit_time.equals(at as i64)
    }

    /// In a group of two dimensions: 1 where `dimension` is left.
    pub fn is_free(&self, dimension: usize) -> S {
        self.group.at_most(dimension as i64 / 2 - 1)
    }

    /// There: 1 in that bit time.
    pub fn is(&self, moment: Moment) -> S {
        self.compare(Comparison::Equal, moment, 0)
    }

    /// There: 1 up to that bit time, itself included.
    pub fn until(&self, moment: Moment) -> S {
        self.compare(Comparison::AtMost, moment, 0)
    }

    /// There: 1 from that bit time of the stage of `dimension` on.
    pub fn since_at(&self, dimension: usize, moment: Moment) -> S {
        self.compare(Comparison::AtLeast, moment, dimension - 1)
    }

    /// There: 1 in the bit times of a window without `r`.
    pub fn within(&self, window: Window) -> S {
        debug_assert!(window.is_of_row());
        self.in_window(window, 0)
    }

    /// There: 1 in those of the stage of `dimension`.
    pub fn within_at(&self, dimension: usize, window: Window) -> S {
        self.in_window(window, dimension - 1)
    }

    fn in_window(&self, window: Window, first_stage: usize) -> S {
        window.compared(|comparison, moment| self.compare(comparison, moment, first_stage))
    }

    /// The bound as it is in group 0, where the stage would be the `first_stage`-th.
    fn compare(&self, comparison: Comparison, moment: Moment, first_stage: usize) -> S {
        let size = self.groups.size;
        let bound = moment.value(size.dimensions - 2, size.payload_bits, first_stage);
        let (of_m, of_r) = moment.multiples();
        comparison.of(self.sums.plus(2 * (of_m + of_r)), bound)
    }

    /// 1 in the last bit time of a group.
    pub fn ends(&self) -> S {
        let fours = self.groups.fours;
        let four = S::gated(self.four, || {
            // A group of one dimension begins one bit time earlier than another would.
            let begins_another = || self.is(FOUR + -1);
            match self.groups.has_two {
                false => begins_another(),
                true => {
                    let before_two = || self.is(FOUR + -2);
                    S::choose(self.is_group(fours - 1), before_two, begins_another)
                }
            }
        });
        let constant = |kind: S, group: usize| {
            let last = self.groups.bit_times(group) - 1;
            S::gated(kind, || self.at(last))
        };
        let two = constant(self.two, fours);
        let greedy = constant(self.greedy, self.groups.count() - 1);
        (four | two | greedy).named("ends")
    }
}

impl GroupClock<bool> {
    /// The group, and the bit time since it began.
    pub fn values(&self) -> (u32, u32) {
        (self.group().value(), self.bit_time.number().value())
    }
}
