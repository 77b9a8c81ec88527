//! Who sends to whom in a row, in a few characters, for whoever looks at a waveform.
//!
//! | text | what it says |
//! |---|---|
//! | `d1:1->0` | across dimension 1, nodes with a one in that address bit send to those with a zero |
//! | `d1:0<>1` | across dimension 1, both ends send |
//! | `SB0:d0:0<>1` | the same, in sub-block 0 of each building block alone |
//! | `SB2->SB3` | from sub-block to sub-block of the same building block |
//! | `SB1->BB1` | from sub-block 1 to the building block that differs in bit 1 |
//! | `SB1<>BB1` | the same, and back |

use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::steps::sequencer::Orders;
use crate::routers::reduced_hypercube::steps::table::{TableRow, Way};

impl<O: Orders> TableRow<O> {
    /// Who sends to whom; nothing where nobody does.
    pub fn text(&self, network: BlockNetwork) -> String {
        match self.way {
            Some(way) => way.text(network),
            None => self.orders.turn().to_owned(),
        }
    }
}

impl Way {
    /// From where to where.
    pub fn text(&self, network: BlockNetwork) -> String {
        let Way {
            wire,
            crossed,
            senders,
        } = *self;
        let from = senders.value >> crossed & 1;
        let both = senders.mask >> crossed & 1 == 0;
        let across = match both {
            true => format!("d{wire}:0<>1"),
            false => format!("d{wire}:{from}->{}", from ^ 1),
        };
        let BlockNetwork::Reduced(network) = network else {
            return across;
        };
        let of_subblocks = network.node(0, network.blocks_dimensions() - 1, 0);
        let subblock = network.subblock(senders.value);
        if senders.mask & of_subblocks != of_subblocks {
            return across;
        }
        if wire == network.between_blocks() {
            let arrow = if both { "<>" } else { "->" };
            return format!("SB{subblock}{arrow}BB{subblock}");
        }
        match network.subblock(1 << crossed) {
            0 => format!("SB{subblock}:{across}"),
            bit => format!("SB{subblock}->SB{}", subblock ^ bit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::machine::topology::reduced_hypercube::ReducedHypercube;
    use crate::routers::reduced_hypercube::steps::{prefix, reduction, sort};

    fn network() -> ReducedHypercube {
        ReducedHypercube::new(3, 2).unwrap()
    }

    fn told<O: Orders>(rows: &[TableRow<O>]) -> Vec<String> {
        let network = BlockNetwork::Reduced(network());
        rows.iter().map(|row| row.text(network)).collect()
    }

    #[test]
    fn a_reduction_goes_home_between_blocks() {
        assert_eq!(
            told(&reduction::reduced(network()).rows)[..7],
            [
                "d0:1->0", "d1:1->0", "SB2->SB0", "SB0->BB0", "SB0->SB1", "SB1->BB1", "SB1->SB0"
            ]
        );
        let cube = Dimensions::new(3).unwrap();
        let rows = reduction::full(cube).rows;
        assert_eq!(rows[2].text(BlockNetwork::Full(cube)), "d2:1->0");
    }

    #[test]
    fn prefixes_are_exchanged() {
        let rows = told(&prefix::short(network()).rows);
        assert_eq!(
            rows[..5],
            ["d0:0<>1", "d1:0<>1", "d2:0<>1", "SB0<>BB0", "SB0->SB1"]
        );
        assert_eq!(
            rows[rows.len() - 3..],
            ["SB0:d0:0->1", "SB0->SB1", "d2:0->1"]
        );
    }

    #[test]
    fn keys_are_gathered_and_sorted_in_one_sub_block() {
        let rows = told(&sort::virtual_cube(network(), 1).rows);
        assert!(rows.iter().any(|row| row == "SB0:d0:0<>1"));
        // Between slots of a node.
        assert!(rows.iter().any(String::is_empty));
        assert_eq!(rows[6..8], ["all->SB0", "all->SB0"]);
        assert_eq!(rows[rows.len() - 1], "SB0->all");
    }
}
