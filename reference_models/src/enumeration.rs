//! Theorem 2 with whole numbers: totals and offsets by recursion over the dimensions.

use rtl_model::machine::topology::hypercube::Dimensions;

use crate::violation::Violation;

/// With whom a node adds up its total to get that of rank `j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// The neighbour at distance `2^(j-1)`, for `j` from 1 to `k`: what holds.
    Below,
    /// The one at distance `2^j`, as the recursion is printed.
    AsPrinted,
}

/// Members before each node, and members of the whole set.
///
/// # Errors
/// [`Violation::NoSuchPartner`].
pub fn ranks(
    dimensions: Dimensions,
    members: &[bool],
    partner: Partner,
) -> Result<Vec<(usize, usize)>, Violation> {
    let mut counts: Vec<(usize, usize)> = members
        .iter()
        .map(|&member| (0, usize::from(member)))
        .collect();
    for rank in 1..=dimensions.count() {
        let distance = match partner {
            Partner::Below => 1 << (rank - 1),
            Partner::AsPrinted => 1 << rank,
        };
        let mut next = Vec::with_capacity(counts.len());
        for (node, &(offset, total)) in counts.iter().enumerate() {
            let partner = node ^ distance;
            let Some(&(_, theirs)) = counts.get(partner) else {
                return Err(Violation::NoSuchPartner {
                    rank,
                    node,
                    partner,
                });
            };
            let before = if node & distance == 0 { 0 } else { theirs };
            next.push((offset + before, total + theirs));
        }
        counts = next;
    }
    Ok(counts)
}
