//! How many nodes a machine has, whatever its network.

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::grid::Grid;
use crate::machine::topology::hypercube::{Dimensions, MAX_DIMENSIONS};

/// The most nodes that traffic is made for: those of the largest hypercube.
pub const MAX_NODES: usize = 1 << MAX_DIMENSIONS;

/// The most nodes whose traffic may be a list: its entries are numbers of 32 bits, some of which are marks.
pub const MOST_LISTED_NODES: usize = 1 << 31;

/// A checked number of nodes, 1 to [`MAX_NODES`]; they are numbered from 0. A hypercube's
/// [`Dimensions`] and a [`Grid`] convert into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    count: usize,
    grid: Option<Grid>,
}

impl Nodes {
    /// A machine of `count` nodes.
    ///
    /// # Errors
    /// Nodes outside 1..=[`MAX_NODES`].
    pub fn new(count: usize) -> Result<Self, Error> {
        if (1..=MAX_NODES).contains(&count) {
            Ok(Nodes { count, grid: None })
        } else {
            Err(
                Refusal::of(format!("a machine of {count} nodes is out of range"))
                    .instead(format!("choose 1 to {MAX_NODES}"))
                    .into(),
            )
        }
    }

    /// The number of nodes.
    #[inline]
    pub fn count(self) -> usize {
        self.count
    }

    /// The torus or mesh that they are the nodes of; patterns then go by digits.
    pub fn grid(self) -> Option<Grid> {
        self.grid
    }

    /// Refuses more nodes than a list of their traffic has room for.
    ///
    /// # Errors
    /// Nodes beyond [`MOST_LISTED_NODES`].
    pub fn check_listed(self) -> Result<(), Error> {
        match self.count <= MOST_LISTED_NODES {
            true => Ok(()),
            false => Err(Refusal::of(format!(
                "a list of the traffic of {} nodes is too long, it has room for {MOST_LISTED_NODES}",
                self.count
            ))
            .instead(
                "take fewer dimensions, or a pattern that is computed node by node where the testbench has such (all but `packed` \
                 and `uniform`), without a traffic file, deliveries, a waveform or a picture",
            )
            .into()),
        }
    }

    /// The hypercube of as many nodes; none if their number is no power of two, or is 1.
    pub fn dimensions(self) -> Option<Dimensions> {
        let dimensions = Dimensions::new(self.count.ilog2() as usize).ok()?;
        self.count.is_power_of_two().then_some(dimensions)
    }

    /// Bits that tell all nodes apart.
    pub fn number_bits(self) -> usize {
        self.count.next_power_of_two().ilog2() as usize
    }
}

impl From<Dimensions> for Nodes {
    fn from(dimensions: Dimensions) -> Self {
        Nodes {
            count: dimensions.nodes(),
            grid: None,
        }
    }
}

impl From<Grid> for Nodes {
    fn from(grid: Grid) -> Self {
        Nodes {
            count: grid.nodes(),
            grid: Some(grid),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range_are_checked() {
        for refused in [0, MAX_NODES + 1, usize::MAX] {
            let error = Nodes::new(refused).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("a machine of {refused} nodes is out of range: choose 1 to 17179869184")
            );
        }
        for accepted in [1, 24, MAX_NODES] {
            assert_eq!(Nodes::new(accepted).unwrap().count(), accepted);
        }
    }

    #[test]
    fn traffic_that_a_list_has_no_room_for_is_refused_before_there_is_a_list() {
        use crate::traffic::file::{read_set, read_traffic};
        use crate::traffic::pattern::Pattern;
        use crate::traffic::{Traffic, sender_set};

        assert_eq!(
            Nodes::new(MOST_LISTED_NODES).unwrap().check_listed(),
            Ok(())
        );
        let cube = Dimensions::new(32).unwrap();
        let refused = Nodes::from(cube).check_listed().unwrap_err();
        assert_eq!(
            refused.to_string(),
            "a list of the traffic of 4294967296 nodes is too long, it has room for 2147483648: take fewer dimensions, or \
             a pattern that is computed node by node where the testbench has such (all but `packed` and `uniform`), without a \
             traffic file, deliveries, a waveform or a picture"
        );
        assert_eq!(sender_set(cube, 0.5, 1).unwrap_err(), refused);
        let drawn = |pattern| Traffic::drawn(cube, 8, pattern, 0.5, 1).unwrap_err();
        for pattern in [Pattern::Packed, Pattern::Uniform, Pattern::Randperm] {
            assert_eq!(drawn(pattern), refused);
        }
        assert_eq!(Traffic::new(cube, 8, Vec::new(), 1).unwrap_err(), refused);
        let messages = Pattern::Randperm.messages(cube, &[], 1);
        assert_eq!(messages.unwrap_err(), refused);
        let empty = || "source,destination\n".as_bytes();
        let read = read_traffic("traffic.csv", empty(), &cube, 8, 1);
        assert_eq!(read.unwrap_err(), refused);
        assert_eq!(read_set("set.csv", empty(), &cube).unwrap_err(), refused);
    }

    #[test]
    fn a_power_of_two_is_a_hypercube_and_nothing_else_is() {
        for k in 1..=MAX_DIMENSIONS {
            let cube = Dimensions::new(k).unwrap();
            let nodes = Nodes::from(cube);
            assert_eq!((nodes.count(), nodes.number_bits()), (1 << k, k));
            assert_eq!(nodes.dimensions(), Some(cube));
            assert_eq!(Nodes::new(1 << k).unwrap(), nodes);
        }
        for (count, number_bits) in [(1, 0), (3, 2), (24, 5), (160, 8), (33, 6)] {
            let nodes = Nodes::new(count).unwrap();
            assert_eq!(nodes.dimensions(), None);
            assert_eq!(nodes.number_bits(), number_bits);
        }
    }
}
