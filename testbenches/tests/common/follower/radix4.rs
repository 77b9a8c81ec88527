//! Schedule `radix4`, followed by the wires alone. Valid bits tell who crosses in an exchange; in a packing the
//! bits themselves and the counts of the next stage do.

use std::collections::BTreeMap;

use super::{Message, Wires};

/// The messages of each node, in the order of its list.
type Lists = BTreeMap<usize, Vec<Message>>;

/// Who holds which message.
pub struct Radix4Follower<'a> {
    pub k: usize,
    pub payload_bits: usize,
    pub wires: &'a Wires,
}

/// A group of one dimension or of two, by bit times of the run.
struct Group {
    first: usize,
    taken: usize,
    packing: usize,
    /// When the first bit is at the first stage.
    body: usize,
    /// From which bit time on, and how long, the row waits at its first stage; at others later.
    pause: Option<(usize, usize)>,
    /// The first stage that it waits at.
    pauses_from: usize,
}

impl Radix4Follower<'_> {
    /// Payloads at the end, by node.
    pub fn follow(&self, messages: BTreeMap<usize, Message>) -> BTreeMap<usize, Message> {
        let mut lists: Lists = (messages.into_iter())
            .map(|(node, message)| (node, vec![message]))
            .collect();
        let (mut start, mut first) = (0, 0);
        let (k, d) = (self.k, self.payload_bits);
        let ends_with = if k % 2 == 1 && d == 1 { 3 } else { 4 };
        while k - first > ends_with {
            let taken = if k - first - ends_with == 1 { 1 } else { 2 };
            let left = k - first - taken;
            let length = match taken {
                2 if left - ends_with == 1 => 3 * left + 2 * d + 6,
                2 => 3 * left + 2 * d + 7,
                _ => d + 12 + usize::from(first > 0),
            };
            let packing = match (taken, first) {
                (2, _) => start + left + 3,
                (_, 0) => start + 5,
                _ => start + 6,
            };
            let next = (left - ends_with).min(2);
            let group = Group {
                first,
                taken,
                packing,
                body: packing + taken + 1,
                pause: match (taken, next) {
                    (2, 2) => Some((start + length, left - 2)),
                    (2, 1) => Some((start + length, 4)),
                    _ => None,
                },
                pauses_from: next + 1,
            };
            // A list enters the first stage in the bit time after it was gathered. Of a group of two, address
            // bit b comes first.
            let bits = (0..left + d).map(|bit| group.body + taken * bit - taken);
            let times = Exchange {
                start,
                over_first: match taken {
                    1 => bits.clone().collect(),
                    _ => std::iter::once(start + 1).chain(bits.clone()).collect(),
                },
                over_second: bits.collect(),
                turn: 1,
            };
            lists = self.exchange(lists, taken, first, &times);
            for stage in 1..=left {
                lists = self.pack(&lists, &group, stage, left);
            }
            assert!(lists.values().all(|list| list.len() <= 1));
            first += taken;
            start += length;
        }
        self.greedy(lists, first, start)
            .into_iter()
            .map(|(node, mut list)| {
                assert_eq!(list.len(), 1, "messages at node {node}");
                (node, list.remove(0))
            })
            .collect()
    }

    /// Bits of a node's wire at these times.
    fn bits(&self, node: usize, dimension: usize, times: impl Iterator<Item = usize>) -> Message {
        times
            .map(|time| self.wires.tx[node][dimension][time])
            .collect()
    }

    /// Those of `messages` whose wire says so in bit time `valid` cross `dimension`, and bring the bits of
    /// `times`; the others stay. The address bit is consumed.
    fn cross(
        &self,
        messages: BTreeMap<usize, Message>,
        dimension: usize,
        valid: usize,
        times: impl Iterator<Item = usize> + Clone,
    ) -> [BTreeMap<usize, Message>; 2] {
        let (mut stay, mut come) = (BTreeMap::new(), BTreeMap::new());
        for node in 0..1usize << self.k {
            let sends = self.wires.tx[node][dimension][valid];
            match messages.get(&node) {
                None => assert!(!sends, "node {node} sends without a message"),
                Some(_) if sends => {
                    let bits = self.bits(node, dimension, times.clone());
                    come.insert(node ^ 1 << dimension, bits);
                }
                Some(message) => {
                    stay.insert(node, message[1..].to_vec());
                }
            }
        }
        [stay, come]
    }

    /// The exchange over one dimension, or over two: what was kept, then what was received, takes turns on the
    /// second.
    fn exchange(&self, lists: Lists, dimensions: usize, first: usize, times: &Exchange) -> Lists {
        let messages = (lists.into_iter()).map(|(node, mut list)| (node, list.remove(0)));
        let start = times.start;
        let over_first = times.over_first.iter().copied();
        let over_second = times.over_second.iter().copied();
        let crossed = self.cross(messages.collect(), first, start, over_first);
        let places = match (dimensions, crossed) {
            (1, [kept, came]) => vec![kept, came],
            (_, [kept, came]) => {
                let received = over_second.clone().map(|time| time + times.turn);
                let [kept, kept_came] = self.cross(kept, first + 1, start + 1, over_second);
                let [came, came_twice] = self.cross(came, first + 1, start + 2, received);
                vec![kept, came, kept_came, came_twice]
            }
        };
        let mut lists = Lists::new();
        for (node, message) in places.into_iter().flatten() {
            lists.entry(node).or_default().push(message);
        }
        lists
    }

    /// The count that a node sends at a stage of a packing.
    fn count(&self, group: &Group, stage: usize, node: usize) -> usize {
        let dimension = group.first + group.taken + stage - 1;
        let begins = group.packing + 2 * (stage - 1);
        let bits = self.bits(node, dimension, begins..=begins + group.taken);
        bits.into_iter()
            .rev()
            .fold(0, |count, bit| 2 * count + usize::from(bit))
    }

    /// A stage of a packing. Of a list every second message crosses: which, is told by the bits that do, and
    /// where these are all 0, by how many messages there are then.
    fn pack(&self, lists: &Lists, group: &Group, stage: usize, left: usize) -> Lists {
        let dimension = group.first + group.taken + stage - 1;
        let length = left + self.payload_bits;
        let lanes = group.taken;
        let slots: Vec<usize> = (0..lanes * length)
            .map(|slot| group.slot(stage, slot))
            .collect();
        let empty = Vec::new();
        let list = |node: usize| lists.get(&node).unwrap_or(&empty);
        let sent = |node: usize, odd: bool| -> Vec<Message> {
            list(node)
                .iter()
                .skip(usize::from(odd))
                .step_by(2)
                .cloned()
                .collect()
        };
        let kept = |node: usize, odd: bool| sent(node, !odd);
        let fits = |node: usize, odd: bool| {
            let sent = sent(node, odd);
            (0..lanes).all(|lane| {
                let times = slots.iter().copied().skip(lane).step_by(lanes);
                let bits = self.bits(node, dimension, times);
                match sent.get(lane) {
                    Some(message) => *message == bits,
                    None => !bits.contains(&true),
                }
            })
        };
        let subcube = |node: usize| node % (1 << (group.first + group.taken));
        let messages = |node: usize| -> usize {
            let all = lists
                .iter()
                .filter(|(other, _)| subcube(**other) == subcube(node));
            all.map(|(_, list)| list.len()).sum()
        };
        let mut after = Lists::new();
        for low in (0..1usize << self.k).filter(|node| node >> dimension & 1 == 0) {
            let high = low | 1 << dimension;
            for node in [low, high] {
                assert_eq!(
                    self.count(group, stage, node),
                    list(node).len(),
                    "node {node}"
                );
            }
            let merged = [(false, false), (false, true), (true, false), (true, true)]
                .into_iter()
                .filter(|&(of_low, of_high)| fits(low, of_low) && fits(high, of_high))
                .map(|(of_low, of_high)| {
                    [
                        [kept(low, of_low), sent(high, of_high)].concat(),
                        [sent(low, of_low), kept(high, of_high)].concat(),
                    ]
                })
                .find(|[at_low, at_high]| {
                    // In the end those of the lowest numbers hold one each.
                    let count = |node: usize| match stage == left {
                        true => usize::from(node >> (group.first + group.taken) < messages(node)),
                        false => self.count(group, stage + 1, node),
                    };
                    at_low.len() == count(low) && at_high.len() == count(high)
                });
            let Some([at_low, at_high]) = merged else {
                panic!("nodes {low} and {high} send what they have not");
            };
            after.insert(low, at_low);
            after.insert(high, at_high);
        }
        after.retain(|_, list| !list.is_empty());
        after
    }

    /// The last `f` dimensions, from `first` on.
    fn greedy(&self, lists: Lists, first: usize, start: usize) -> Lists {
        let (f, d) = (self.k - first, self.payload_bits);
        let pairs = |from: usize, amount: usize, every: usize| {
            (0..amount)
                .map(|bit| start + from + every * bit)
                .collect::<Vec<_>>()
        };
        let times = Exchange {
            start,
            over_first: match f {
                1 | 2 => pairs(1, f - 1 + d, 1),
                _ => pairs(1, f - 1 + d, 2),
            },
            over_second: match f {
                2 => pairs(3, d, 1),
                _ => pairs(3, (f + d).saturating_sub(2), 2),
            },
            turn: usize::from(f > 2),
        };
        let lists = self.exchange(lists, f.min(2), first, &times);
        match f {
            3 => self.scatter(&lists, first + 2, &[(start + 5, pairs(7, d, 2))]),
            4 => {
                let lanes = [5, 6].map(|lane| (start + lane, pairs(lane + 2, d + 1, 2)));
                let lists = self.scatter(&lists, first + 2, &lanes);
                self.scatter(&lists, first + 3, &[(start + 9, pairs(11, d, 2))])
            }
            _ => lists,
        }
    }

    /// Messages whose address bit is not the node's cross, in lanes: each has a bit time in which the wire says
    /// whether there is one, and those of its bits.
    fn scatter(&self, lists: &Lists, dimension: usize, lanes: &[(usize, Vec<usize>)]) -> Lists {
        let mut after = Lists::new();
        for node in 0..1usize << self.k {
            let list = lists.get(&node).cloned().unwrap_or_default();
            let own = node >> dimension & 1 == 1;
            let (stay, cross): (Vec<Message>, Vec<Message>) =
                list.into_iter().partition(|message| message[0] == own);
            let sent: Vec<Message> = lanes
                .iter()
                .filter(|(valid, _)| self.wires.tx[node][dimension][*valid])
                .map(|(_, times)| self.bits(node, dimension, times.iter().copied()))
                .collect();
            let rest = |message: &Message| message[1..].to_vec();
            let crossing: Vec<Message> = cross.iter().map(rest).collect();
            assert_eq!(sent, crossing, "what node {node} sends");
            after.entry(node).or_default().extend(stay.iter().map(rest));
            after.entry(node ^ 1 << dimension).or_default().extend(sent);
        }
        after.retain(|_, list| !list.is_empty());
        after
    }
}

/// When an exchange happens, by bit times of the run.
struct Exchange {
    start: usize,
    over_first: Vec<usize>,
    /// Those of what was kept over the first dimension; what was received comes `turn` later.
    over_second: Vec<usize>,
    turn: usize,
}

impl Group {
    /// The bit time of a slot of a stage.
    fn slot(&self, stage: usize, slot: usize) -> usize {
        let at = self.body + 2 * (stage - 1) + slot;
        match self.pause {
            Some((from, lasts)) if stage >= self.pauses_from && at >= from + stage => at + lasts,
            _ => at,
        }
    }
}
