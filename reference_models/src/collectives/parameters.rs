//! What collective operations there are, and what each is to do.

use super::violation::Violation;
use super::{Algorithm, Collective, Message, Scatter, Task, check, histogram, transpose};

/// The most bits of a message, and bit times of a start-up.
const MOST_BITS: u64 = 1 << 32;

/// The most packets or groups of a message.
const MOST_GROUPS: u64 = 1 << 10;

/// Refuses a number that is out of its range.
fn within(name: &'static str, value: u64, least: u64, most: u64) -> Result<(), Violation> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(Violation::OutOfRange {
            name,
            value,
            least,
            most,
        })
    }
}

impl Collective {
    /// Refuses what there is not.
    pub(super) fn exists(&self) -> Result<(), Violation> {
        let nodes = check::cube(self.dims)?;
        if self.root >= nodes {
            return Err(Violation::NoSuchRoot {
                node: self.root,
                nodes,
            });
        }
        within("the length of messages", self.message_bits, 1, MOST_BITS)?;
        within("the start-up", self.start_up, 0, MOST_BITS)?;
        match &self.algorithm {
            Algorithm::OcSend4 { groups } => many_groups(*groups),
            Algorithm::ArbitrarySend1 { distance, groups }
            | Algorithm::ArbitrarySend2 { distance, groups } => {
                self.reaches(*distance, self.dims)?;
                many_groups(*groups)
            }
            Algorithm::ArbitrarySend3 {
                distance,
                groups,
                outer_groups,
            } => {
                self.reaches(*distance, self.dims)?;
                many_groups(*groups)?;
                many_groups(*outer_groups)
            }
            Algorithm::XocSend1 { distance } => self.reaches(*distance, self.dims - 1),
            Algorithm::XocSend2 { distance, groups } => {
                self.reaches(*distance, self.dims - 1)?;
                many_groups(*groups)
            }
            Algorithm::Scatter(Scatter::Packets { packet_bits, .. })
            | Algorithm::Gather(Scatter::Packets { packet_bits, .. }) => {
                let least = self.message_bits.div_ceil(MOST_GROUPS);
                let name = "the length of packets";
                within(name, *packet_bits, least, self.message_bits)
            }
            Algorithm::PermutedSend { permutation } => {
                let mut sorted = permutation.clone();
                sorted.sort_unstable();
                if sorted.into_iter().eq(0..nodes) {
                    Ok(())
                } else {
                    Err(Violation::Permutation { nodes })
                }
            }
            Algorithm::TransposeBySubmatrices { sends } => {
                within("the number of sends", *sends, 1, MOST_GROUPS)?;
                transpose::exists(self.dims, *sends)
            }
            Algorithm::Histogram { value_bits } => {
                within("the length of values", *value_bits, 1, self.message_bits)?;
                if self.message_bits.is_multiple_of(*value_bits) {
                    Ok(())
                } else {
                    Err(Violation::Values {
                        bits: self.message_bits,
                        value_bits: *value_bits,
                    })
                }
            }
            _ => Ok(()),
        }
    }

    /// Refuses a distance that is too great.
    fn reaches(&self, distance: usize, most: usize) -> Result<(), Violation> {
        within("the distance", distance as u64, 1, most as u64)
    }

    /// What is to be done. A collective that [`run`](Collective::run) refuses has nothing to do.
    #[must_use]
    pub fn task(&self) -> Task {
        let messages = match self.exists() {
            Ok(()) => self.messages(),
            Err(_) => Vec::new(),
        };
        let bits = match self.algorithm {
            Algorithm::Histogram { value_bits } if !messages.is_empty() => {
                histogram::share(self, value_bits) * value_bits
            }
            _ => self.message_bits,
        };
        Task {
            dims: self.dims,
            ports: self.ports,
            start_up: self.start_up,
            messages: messages.into_iter().map(|it| (it, bits)).collect(),
        }
    }

    /// The messages of a collective that there is.
    fn messages(&self) -> Vec<Message> {
        let nodes = self.nodes();
        let personal = |source: usize, destination: usize| Message::Personal {
            source,
            destination,
        };
        let near = |distance: usize| self.root ^ ((1 << distance) - 1);
        let others = (0..nodes).filter(|node| *node != self.root);
        match &self.algorithm {
            Algorithm::OcSend1
            | Algorithm::OcSend2
            | Algorithm::OcSend3
            | Algorithm::OcSend4 { .. } => vec![personal(self.root, near(self.dims))],
            Algorithm::ArbitrarySend1 { distance, .. }
            | Algorithm::ArbitrarySend3 { distance, .. }
            | Algorithm::XocSend1 { distance }
            | Algorithm::XocSend2 { distance, .. } => vec![personal(self.root, near(*distance))],
            Algorithm::ArbitrarySend2 { distance, .. } => vec![Message::Flooded {
                source: self.root,
                destination: near(*distance),
            }],
            Algorithm::Scatter(_) => others.map(|node| personal(self.root, node)).collect(),
            Algorithm::Gather(_) => others.map(|node| personal(node, self.root)).collect(),
            Algorithm::CompleteBroadcast => (0..nodes)
                .map(|source| Message::Broadcast { source })
                .collect(),
            Algorithm::Inversion => (0..nodes)
                .map(|node| personal(node, node ^ (nodes - 1)))
                .collect(),
            Algorithm::CompleteExchange => (0..nodes)
                .flat_map(|from| (0..nodes).map(move |to| (from, to)))
                .filter(|(from, to)| from != to)
                .map(|(from, to)| personal(from, to))
                .collect(),
            Algorithm::PermutedSend { permutation } => (0..)
                .zip(permutation)
                .map(|(node, to)| personal(node, *to))
                .collect(),
            Algorithm::TransposeBySubmatrices { .. } => (0..nodes)
                .map(|node| personal(node, transpose::transposed(node, self.dims / 2)))
                .collect(),
            Algorithm::Histogram { .. } => (0..nodes)
                .map(|owner| Message::PartialSum { owner })
                .collect(),
        }
    }
}

/// Refuses no groups, or too many.
fn many_groups(groups: usize) -> Result<(), Violation> {
    within("the number of groups", groups as u64, 1, MOST_GROUPS)
}
