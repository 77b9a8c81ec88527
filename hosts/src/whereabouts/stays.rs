//! Which message is where, looked up in every bit time by waves that name messages.

use rustc_hash::FxHashMap;

/// Where something is: inside a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// In registers of the module of that number.
    Module(u16),
    /// On the wire of that number, which the node drives.
    Wire(u16),
}

/// A message is in a place for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stay {
    /// The first bit time.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
    /// The number of the message, slot by slot in order of sources.
    pub message: u32,
    /// The node.
    pub node: u32,
    /// Where in it.
    pub location: Location,
    /// The message goes on from here. Bits on a wire that nobody takes are none of its route.
    pub on_route: bool,
}

/// Stays by node and place.
#[derive(Clone, Debug, Default)]
pub struct ByLocation(FxHashMap<(u32, Location), AtLocation>);

/// Stays in one place.
#[derive(Clone, Debug, Default)]
struct AtLocation {
    /// In order of time.
    stays: Vec<Stay>,
    /// Bit times of the longest.
    longest: u32,
    /// In ascending order, the bit times in which one comes or is gone: until the next, nothing else is to be said of the place.
    changes: Vec<u32>,
}

impl ByLocation {
    /// Of these.
    pub fn of(stays: &mut dyn Iterator<Item = Stay>) -> Self {
        let mut by_place: FxHashMap<(u32, Location), AtLocation> = FxHashMap::default();
        for stay in stays {
            let there = by_place.entry((stay.node, stay.location)).or_default();
            there.stays.push(stay);
            there.longest = there.longest.max(stay.to - stay.from);
        }
        for there in by_place.values_mut() {
            there.stays.sort_unstable();
            let changes = there.stays.iter().flat_map(|stay| [stay.from, stay.to]);
            there.changes.extend(changes);
            there.changes.sort_unstable();
        }
        ByLocation(by_place)
    }

    /// Characters of the longest text that a place ever has, of the names of messages with commas between: a message's has so many.
    pub fn longest_text(&self, name: impl Fn(u32) -> usize) -> usize {
        let longest = self.0.values().flat_map(|at| {
            let mut there: Vec<&Stay> = Vec::new();
            let name = &name;
            at.stays.iter().map(move |stay| {
                // All that are there when this one comes.
                there.retain(|one| one.to > stay.from);
                there.push(stay);
                there.iter().map(|one| name(one.message) + 1).sum::<usize>() - 1
            })
        });
        longest.max().unwrap_or(0)
    }

    /// How often stays in a place have come or gone by a bit time, and when one does next.
    pub fn changes(&self, node: usize, location: Location, bit_time: u32) -> (usize, Option<u32>) {
        let there = self.0.get(&(node as u32, location));
        let changes = there.map_or(&[][..], |there| &there.changes);
        let count = changes.partition_point(|change| *change <= bit_time);
        (count, changes.get(count).copied())
    }

    /// Stays in a place that have begun by a bit time and may not be over, in order of their coming: one holds in the bit time if it
    /// ends later.
    pub fn begun(&self, node: usize, location: Location, bit_time: u32) -> &[Stay] {
        let Some(there) = self.0.get(&(node as u32, location)) else {
            return &[];
        };
        // None that began earlier goes on for so long.
        let earliest = bit_time.saturating_sub(there.longest);
        let begin = there.stays.partition_point(|stay| stay.from < earliest);
        let end = there.stays.partition_point(|stay| stay.from <= bit_time);
        &there.stays[begin..end]
    }

    /// The stay in a place before a bit time in which nothing is there, if that is a pause of no more bit times than these between
    /// two stays of one message.
    pub fn pausing(
        &self,
        node: usize,
        location: Location,
        (bit_time, longest): (u32, u32),
    ) -> Option<&Stay> {
        let there = &self.0.get(&(node as u32, location))?.stays;
        let next = there.partition_point(|stay| stay.from <= bit_time);
        let (before, after) = (there.get(next.checked_sub(1)?)?, there.get(next)?);
        let is_pause = before.to <= bit_time && after.from - before.to <= longest;
        (is_pause && before.message == after.message).then_some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On one wire: message 7 in bit times 2 to 4, 6 to 7 and 10, then message 9 in 12.
    #[test]
    fn a_short_pause_between_stays_of_one_message_is_bridged() {
        let location = Location::Wire(3);
        let stay = |(from, to, message)| Stay {
            from,
            to,
            message,
            node: 1,
            location,
            on_route: true,
        };
        let stays = [(2, 5, 7), (6, 8, 7), (10, 11, 7), (12, 13, 9)].map(stay);
        let by_location = ByLocation::of(&mut stays.into_iter());
        let bridged = |longest| {
            let of = |bit_time| by_location.pausing(1, location, (bit_time, longest));
            let times = (0..16).filter_map(|time| of(time).map(|stay| (time, stay.message)));
            times.collect::<Vec<_>>()
        };
        assert_eq!(bridged(0), []);
        assert_eq!(bridged(1), [(5, 7)]);
        assert_eq!(bridged(2), [(5, 7), (8, 7), (9, 7)]);
        let changes = [0, 2, 4, 5, 13].map(|time| by_location.changes(1, location, time));
        let expected = [
            (0, Some(2)),
            (1, Some(5)),
            (1, Some(5)),
            (2, Some(6)),
            (8, None),
        ];
        assert_eq!(changes, expected);
        assert_eq!(by_location.changes(2, location, 13), (0, None));
        // Names of two characters, and of four: one at a time, until one comes before another has gone.
        let longest = |stays: &[Stay]| {
            let all = ByLocation::of(&mut stays.iter().copied());
            all.longest_text(|message| message as usize - 5)
        };
        assert_eq!(longest(&stays), 4);
        assert_eq!(longest(&[stays[3], stay((9, 13, 7))]), "ab,abcd".len());
        assert_eq!(longest(&[]), 0);
        assert_eq!(by_location.pausing(1, Location::Wire(2), (5, 2)), None);
        assert_eq!(by_location.pausing(2, location, (5, 2)), None);
    }
}
