//! Algorithm 2 with whole messages (Kuszmaul 1990), with its invariants checked at every step.
//!
//! The paper's text is loose in places. [`Variant`] holds each place as a choice, so that tests can
//! plant the mistake and show that it is caught.

use std::collections::HashMap;

use rtl_model::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::reference::violation::Violation;

/// How the paper's loose places are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Address bits that agree in the subcubes of steps 2 to 6, beyond the `i` of the text: 1.
    pub further_fixed_bits: usize,
    /// The scan takes the dimensions in ascending order.
    pub scan_ascends: bool,
    /// The rank of the first member: 0.
    pub first_rank: usize,
    /// Ranks count members of the subcube, which lie 2^(i+1) apart.
    pub strided: bool,
    /// Packing fixes the least significant bit first.
    pub packs_lsb_first: bool,
}

impl Variant {
    /// The reading that holds, and that the hardware follows.
    pub const CORRECT: Variant = Variant {
        further_fixed_bits: 1,
        scan_ascends: true,
        first_rank: 0,
        strided: true,
        packs_lsb_first: true,
    };
}

/// One second message's way in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detour {
    /// The node that held two messages.
    pub two: usize,
    /// The node of its rank, where the message waited.
    pub waypoint: usize,
    /// The empty node that took it.
    pub empty: usize,
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// After each iteration: for each node the index of the message that it holds.
    pub after_iteration: Vec<Vec<Option<usize>>>,
    /// The detours of each iteration, in order of rank.
    pub detours: Vec<Vec<Detour>>,
    /// The most messages that a node ever held.
    pub most_messages: usize,
}

/// Routes `messages` (a partial permutation) with every invariant checked.
///
/// # Errors
/// The first [`Violation`].
pub fn route(
    dimensions: Dimensions,
    messages: &[Message],
    variant: Variant,
) -> Result<Outcome, Violation> {
    let mut model = Model {
        k: dimensions.count(),
        variant,
        messages,
        held: vec![Vec::new(); dimensions.nodes()],
        outcome: Outcome::default(),
    };
    for (index, message) in messages.iter().enumerate() {
        model.held[message.source].push(index);
    }
    for iteration in 0..model.k {
        model.iterate(iteration)?;
    }
    Ok(model.outcome)
}

struct Model<'a> {
    k: usize,
    variant: Variant,
    messages: &'a [Message],
    /// Messages at each node; the one that came last is the second.
    held: Vec<Vec<usize>>,
    outcome: Outcome,
}

impl Model<'_> {
    fn iterate(&mut self, iteration: usize) -> Result<(), Violation> {
        self.cross(iteration)?;
        let mut detours = Vec::new();
        if iteration + 1 < self.k {
            detours = self.spread(iteration)?;
        }
        self.outcome.detours.push(detours);
        self.check(iteration)?;
        let after = self.held.iter().map(|held| held.first().copied()).collect();
        self.outcome.after_iteration.push(after);
        Ok(())
    }

    /// Step 1.
    fn cross(&mut self, iteration: usize) -> Result<(), Violation> {
        let mut after = vec![Vec::new(); self.held.len()];
        let crosses = |node: usize, message: usize| {
            (self.messages[message].destination ^ node) >> iteration & 1 == 1
        };
        for stay in [true, false] {
            for (node, held) in self.held.iter().enumerate() {
                for &message in held {
                    if stay != crosses(node, message) {
                        after[if stay { node } else { node ^ 1 << iteration }].push(message);
                    }
                }
            }
        }
        self.held = after;
        for (node, held) in self.held.iter().enumerate() {
            self.outcome.most_messages = self.outcome.most_messages.max(held.len());
            if held.len() > 2 {
                return Err(Violation::TooMany {
                    iteration,
                    node,
                    messages: held.len(),
                });
            }
        }
        Ok(())
    }

    /// Steps 2 to 6.
    fn spread(&mut self, iteration: usize) -> Result<Vec<Detour>, Violation> {
        let fixed = iteration + self.variant.further_fixed_bits;
        let holding = |count: usize| -> Vec<usize> {
            (0..self.held.len())
                .filter(|&node| self.held[node].len() == count)
                .collect()
        };
        let (twos, empties) = (holding(2), holding(0));
        self.check_room(iteration, &twos, &empties)?;

        let middle = self.pack(iteration, fixed, "step 3", &twos)?;
        let addresses = self.pack(iteration, fixed, "step 5", &empties)?;
        let address_at: HashMap<usize, usize> = addresses
            .into_iter()
            .map(|(empty, waypoint)| (waypoint, empty))
            .collect();
        let mut detours = Vec::new();
        for (two, waypoint) in middle {
            let Some(&empty) = address_at.get(&waypoint) else {
                return Err(Violation::NoRendezvous {
                    iteration,
                    node: waypoint,
                });
            };
            detours.push(Detour {
                two,
                waypoint,
                empty,
            });
        }
        // Step 6 is step 5 backwards.
        let way_back: Vec<(usize, usize)> = detours
            .iter()
            .map(|detour| (detour.waypoint, detour.empty))
            .collect();
        self.carry(
            iteration,
            fixed,
            "step 6",
            &way_back,
            !self.variant.packs_lsb_first,
        )?;
        for detour in &detours {
            let message = self.held[detour.two].pop();
            self.held[detour.empty].extend(message);
        }
        detours.sort_by_key(|detour| (detour.waypoint >> fixed, detour.waypoint));
        Ok(detours)
    }

    /// At least as many empty nodes as nodes with two messages, in every subcube that step 1 leaves.
    fn check_room(
        &self,
        iteration: usize,
        twos: &[usize],
        empties: &[usize],
    ) -> Result<(), Violation> {
        let subcubes = 1 << (iteration + 1);
        let mut counts = vec![(0, 0); subcubes];
        for two in twos {
            counts[two % subcubes].0 += 1;
        }
        for empty in empties {
            counts[empty % subcubes].1 += 1;
        }
        match counts.into_iter().find(|(twos, empties)| twos > empties) {
            Some((twos, empties)) => Err(Violation::MoreTwosThanEmpties {
                iteration,
                twos,
                empties,
            }),
            None => Ok(()),
        }
    }

    /// Steps 2 and 3, or 4 and 5: `(sender, target)` of every member of the set.
    fn pack(
        &self,
        iteration: usize,
        fixed: usize,
        packing: &'static str,
        members: &[usize],
    ) -> Result<Vec<(usize, usize)>, Violation> {
        let free = self.k - fixed;
        let order = |node: usize| {
            let place = node >> fixed;
            if self.variant.scan_ascends {
                place
            } else {
                place.reverse_bits() >> (usize::BITS as usize - free)
            }
        };
        let mut ordered = members.to_vec();
        ordered.sort_by_key(|&node| (node % (1 << fixed), order(node)));
        let mut moves = Vec::new();
        let mut rank = self.variant.first_rank;
        let mut subcube = None;
        for node in ordered {
            let lowest = node % (1 << fixed);
            if subcube.replace(lowest) != Some(lowest) {
                rank = self.variant.first_rank;
            }
            let stride = if self.variant.strided { 1 << fixed } else { 1 };
            let target = lowest + rank * stride;
            if target >= self.held.len() {
                return Err(Violation::NoSuchTarget {
                    iteration,
                    packing,
                    node,
                    target,
                });
            }
            moves.push((node, target));
            rank += 1;
        }
        self.carry(
            iteration,
            fixed,
            packing,
            &moves,
            self.variant.packs_lsb_first,
        )?;
        Ok(moves)
    }

    /// Algorithm 1, stage by stage: no two messages are ever stored at one node.
    fn carry(
        &self,
        iteration: usize,
        fixed: usize,
        packing: &'static str,
        moves: &[(usize, usize)],
        lsb_first: bool,
    ) -> Result<(), Violation> {
        let mut dimensions: Vec<usize> = (fixed..self.k).collect();
        if !lsb_first {
            dimensions.reverse();
        }
        let mut places: Vec<usize> = moves.iter().map(|(from, _)| *from).collect();
        let mut occupied = vec![usize::MAX; self.held.len()];
        for (stage, dimension) in dimensions.into_iter().enumerate() {
            for (place, (_, target)) in places.iter_mut().zip(moves) {
                *place ^= (*place ^ target) & 1 << dimension;
                if std::mem::replace(&mut occupied[*place], stage) == stage {
                    return Err(Violation::TwoStored {
                        iteration,
                        packing,
                        stage: stage + 1,
                        node: *place,
                    });
                }
            }
        }
        for (node, (_, target)) in places.into_iter().zip(moves) {
            if node != *target {
                return Err(Violation::NotAtTarget {
                    iteration,
                    packing,
                    target: *target,
                    node,
                });
            }
        }
        Ok(())
    }

    /// After an iteration: one message a node, every message in its destination's subcube.
    fn check(&self, iteration: usize) -> Result<(), Violation> {
        for (node, held) in self.held.iter().enumerate() {
            if held.len() > 1 {
                return Err(Violation::TooMany {
                    iteration,
                    node,
                    messages: held.len(),
                });
            }
            for &message in held {
                let destination = self.messages[message].destination;
                if !(destination ^ node).is_multiple_of(2 << iteration) {
                    return Err(Violation::WrongSubcube {
                        iteration,
                        destination,
                        node,
                    });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route_pairs(
        k: usize,
        pairs: &[(usize, usize)],
        variant: Variant,
    ) -> Result<Outcome, Violation> {
        let messages: Vec<Message> = pairs
            .iter()
            .map(|&(source, destination)| Message {
                source,
                destination,
            })
            .collect();
        route(Dimensions::new(k).unwrap(), &messages, variant)
    }

    /// Every partial injection of `nodes` nodes, as lists of (source, destination).
    fn injections(nodes: usize) -> Vec<Vec<(usize, usize)>> {
        let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        for source in 0..nodes {
            for routing in all.clone() {
                for destination in 0..nodes {
                    if routing.iter().all(|(_, taken)| *taken != destination) {
                        let mut extended = routing.clone();
                        extended.push((source, destination));
                        all.push(extended);
                    }
                }
            }
        }
        all
    }

    #[test]
    fn the_correct_reading_routes_every_partial_injection() {
        for (k, amount) in [(1, 7), (2, 209)] {
            let all = injections(1 << k);
            assert_eq!(all.len(), amount);
            for routing in all {
                let outcome = route_pairs(k, &routing, Variant::CORRECT).unwrap();
                let last = outcome.after_iteration.last().unwrap();
                for (index, (_, destination)) in routing.iter().enumerate() {
                    assert_eq!(last[*destination], Some(index));
                }
                assert!(outcome.most_messages <= 2);
            }
        }
    }

    #[test]
    fn each_mistake_of_the_text_is_caught() {
        let correct = Variant::CORRECT;
        // Odd nodes keep their messages; in the subcube of the even ones, places 0, 1, 2 (or 0, 2)
        // of four are empty.
        let places_0_1_2 = &[(6, 6), (1, 1), (3, 3), (5, 5), (7, 7)][..];
        let places_0_2 = &[(2, 2), (6, 6), (1, 1), (3, 3), (5, 5), (7, 7)][..];
        let cases = [
            (
                "subcubes of the first i bits only",
                Variant {
                    further_fixed_bits: 0,
                    ..correct
                },
                2,
                &[(0, 0), (1, 2)][..],
                "iteration 0: the message for node 2 is at node 1",
            ),
            (
                "a descending scan",
                Variant {
                    scan_ascends: false,
                    ..correct
                },
                3,
                places_0_1_2,
                "iteration 0, step 5, stage 1: two messages stored at node 0",
            ),
            (
                "ranks from 1",
                Variant {
                    first_rank: 1,
                    ..correct
                },
                2,
                &[],
                "iteration 0, step 5: node 2 is to send to node 4",
            ),
            (
                "no stride",
                Variant {
                    strided: false,
                    ..correct
                },
                2,
                &[],
                "iteration 0, step 5, stage 1: two messages stored at node 0",
            ),
            (
                "packing from the most significant bit",
                Variant {
                    packs_lsb_first: false,
                    ..correct
                },
                3,
                places_0_2,
                "iteration 0, step 5, stage 1: two messages stored at node 0",
            ),
        ];
        for (mistake, variant, k, routing, caught) in cases {
            assert!(route_pairs(k, routing, correct).is_ok(), "{mistake}");
            match route_pairs(k, routing, variant) {
                Err(violation) => assert_eq!(violation.to_string(), caught, "{mistake}"),
                Ok(_) => panic!("{mistake} was not caught"),
            }
        }
    }
}
