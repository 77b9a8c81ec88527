//! Things put together by whose they are.

use rayon::prelude::*;

/// Things of owners that have numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ByOwner<T> {
    things: Vec<T>,
    /// By owner, where what it has ends.
    ends: Vec<usize>,
}

impl<T: Copy + Send> ByOwner<T> {
    /// Of things and their owners, of whom there are so many: those of one in the order in which they come. `things` is asked for
    /// twice, for all are counted first.
    pub fn of(things: impl Iterator<Item = (usize, T)> + Clone, owners: usize) -> Self {
        let mut ends = vec![0; owners];
        for (owner, _) in things.clone() {
            ends[owner] += 1;
        }
        let mut all = 0;
        for end in &mut ends {
            all += std::mem::replace(end, all);
        }
        // Where those of an owner begin, until they are there.
        let mut placed = Vec::new();
        for (owner, thing) in things {
            if placed.is_empty() {
                placed = vec![thing; all];
            }
            placed[ends[owner]] = thing;
            ends[owner] += 1;
        }
        ByOwner {
            things: placed,
            ends,
        }
    }

    /// Puts in order what each owner has, by a key, on all threads.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K + Sync) {
        let each = self.each_mut().collect::<Vec<_>>();
        (each.into_par_iter()).for_each(|things| things.sort_unstable_by_key(&key));
    }

    /// What all have, owner by owner.
    pub fn all(&self) -> &[T] {
        &self.things
    }

    /// What one has.
    pub fn of_owner(&self, owner: usize) -> &[T] {
        let begin = owner.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.things[begin..self.ends[owner]]
    }

    /// What each has.
    pub fn each(&self) -> impl Iterator<Item = &[T]> {
        (0..self.ends.len()).map(|owner| self.of_owner(owner))
    }

    /// The same, to be changed.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let (mut left, mut begin) = (&mut self.things[..], 0);
        self.ends.iter().map(move |&end| {
            let (own, others) = std::mem::take(&mut left).split_at_mut(end - begin);
            (left, begin) = (others, end);
            own
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_owner_has_its_own_in_order() {
        let things = [(3, 'd'), (1, 'b'), (3, 'a'), (1, 'c')];
        let mut by_owner = ByOwner::of(things.into_iter(), 5);
        let each = |by_owner: &ByOwner<char>| by_owner.each().map(String::from_iter).collect();
        let expected: Vec<String> = each(&by_owner);
        assert_eq!(expected, ["", "bc", "", "da", ""]);
        assert_eq!(by_owner.of_owner(3), ['d', 'a']);
        by_owner.sort_by_key(|thing| *thing);
        let sorted: Vec<String> = each(&by_owner);
        assert_eq!(sorted, ["", "bc", "", "ad", ""]);
        assert_eq!(by_owner.all(), ['b', 'c', 'a', 'd']);
        let nothing = ByOwner::of(std::iter::empty::<(usize, char)>(), 2);
        assert_eq!(nothing.each().count(), 2);
    }
}
