//! Which dimensions are a group of schedule `radix4` where every group has wires of its own.

use crate::routers::kuszmaul::radix4::dimension_groups::DimensionGroups;
use crate::routers::permutation::Size;

/// Groups of two dimensions as long as more than four are left, then the greedy end.
pub(super) fn groups(size: Size) -> DimensionGroups {
    let k = size.dimensions;
    let greedy = match k {
        0..=4 => k,
        _ if k.is_multiple_of(2) => 4,
        _ => 3,
    };
    DimensionGroups {
        size,
        fours: (k - greedy) / 2,
        has_two: false,
        greedy,
    }
}
