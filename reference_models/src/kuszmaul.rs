//! Algorithm 2 with whole messages (Kuszmaul 1990), with its invariants checked at every step.
//!
//! The paper's text is loose in places. [`Variant`] holds each place as a choice, so that tests can
//! plant the mistake and show that it is caught.

use std::collections::HashMap;

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::places::Places;
use crate::row::{self, Row};
use crate::violation::Violation;

/// How the paper's loose places are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Address bits that agree in the subcubes of steps 2 to 6, beyond the `i` of the text: 1.
    pub further_fixed_bits: usize,
    /// The order in which the steps pass the dimensions: the paper leaves it open.
    pub row: Row,
    /// The scan passes the dimensions in the same order as the packing that follows it.
    pub scan_follows_row: bool,
    /// The rank of the first member: 0.
    pub first_rank: usize,
    /// Ranks count members of the subcube, which lie 2^(i+1) apart.
    pub strided: bool,
    /// Packing fixes the least significant bit of the rank first.
    pub packs_lsb_first: bool,
}

impl Variant {
    /// The reading that holds, and that the hardware follows.
    pub const CORRECT: Variant = Variant {
        further_fixed_bits: 1,
        row: Row::Ascending,
        scan_follows_row: true,
        first_rank: 0,
        strided: true,
        packs_lsb_first: true,
    };

    /// The same on the rows of schedule `folded`.
    pub const FOLDED: Variant = Variant {
        row: Row::Folded,
        ..Variant::CORRECT
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
        places: Places::of(dimensions, messages),
        outcome: Outcome::default(),
    };
    for iteration in 0..model.k {
        model.iterate(iteration)?;
    }
    Ok(model.outcome)
}

struct Model<'a> {
    k: usize,
    variant: Variant,
    places: Places<'a>,
    outcome: Outcome,
}

impl Model<'_> {
    fn iterate(&mut self, iteration: usize) -> Result<(), Violation> {
        self.places.cross(iteration)?;
        let most = self.places.most_messages();
        self.outcome.most_messages = self.outcome.most_messages.max(most);
        let mut detours = Vec::new();
        if iteration + 1 < self.k {
            detours = self.spread(iteration)?;
        }
        self.outcome.detours.push(detours);
        self.places.check(iteration)?;
        self.outcome.after_iteration.push(self.places.first());
        Ok(())
    }

    /// Steps 2 to 6.
    fn spread(&mut self, iteration: usize) -> Result<Vec<Detour>, Violation> {
        let fixed = iteration + self.variant.further_fixed_bits;
        let holding = |count: usize| -> Vec<usize> {
            (0..1 << self.k)
                .filter(|&node| self.places.at(node).len() == count)
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
            self.places.move_second(detour.two, detour.empty);
        }
        let row = self.variant.row.dimensions(fixed, self.k);
        detours.sort_by_key(|detour| (row::place(&row, detour.waypoint), detour.waypoint));
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
        let row = self.variant.row.dimensions(fixed, self.k);
        let mut scanned = row.clone();
        if !self.variant.scan_follows_row {
            scanned.reverse();
        }
        let order = |node: usize| row::place(&scanned, node);
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
            // A rank that the subcube does not have leads out of the cube.
            let beyond = rank >> row.len() << self.k;
            let target = match self.variant.strided {
                true => beyond + lowest + row::member(&row, rank),
                false => lowest + rank,
            };
            if target >= 1 << self.k {
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
        let mut dimensions = self.variant.row.dimensions(fixed, self.k);
        if !lsb_first {
            dimensions.reverse();
        }
        let mut places: Vec<usize> = moves.iter().map(|(from, _)| *from).collect();
        let mut occupied = vec![usize::MAX; 1 << self.k];
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
}
