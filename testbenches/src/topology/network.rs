//! Networks that can be asked about.

use clap::ValueEnum;
use rtl_model::embedding::copies::Copies;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;

use crate::error::Error;
use crate::error::refusal::Refusal;

/// A network, as one names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NetworkName {
    /// The hypercube of k dimensions
    Hypercube,
    /// Cube-connected cycles: n levels of 2^n columns
    Ccc,
    /// The n copies of them in the hypercube of as many nodes
    Copies,
    /// RH(k,n): building blocks of k dimensions, and one link from each node to another block
    ReducedHypercube,
}

impl NetworkName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            NetworkName::Hypercube => "hypercube",
            NetworkName::Ccc => "ccc",
            NetworkName::Copies => "copies",
            NetworkName::ReducedHypercube => "reduced-hypercube",
        }
    }

    /// What it is.
    pub fn models(self) -> &'static str {
        match self {
            NetworkName::Hypercube => "nodes whose addresses differ in one bit are joined",
            NetworkName::Ccc => "a hypercube with a directed cycle in the place of each node",
            NetworkName::Copies => "n copies of cube-connected cycles in one hypercube",
            NetworkName::ReducedHypercube => {
                "a hypercube in which a node keeps its links across k dimensions, and one link across one of the other 2^n"
            }
        }
    }

    /// Paper and section.
    pub fn source(self) -> &'static str {
        match self {
            NetworkName::Hypercube => "the network of all testbenches, unless they say otherwise",
            NetworkName::Ccc => "Greenberg and Bhatt 1990, section 5",
            NetworkName::Copies => "Greenberg and Bhatt 1990, section 5.3, Theorem 3",
            NetworkName::ReducedHypercube => "Mukherjee 1994, section 1.3, after Ziavras",
        }
    }
}

/// A network of a size that there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Network {
    /// Of `k` dimensions.
    Hypercube(Dimensions),
    /// Of `n` levels.
    Cycles(CubeConnectedCycles),
    /// Of cube-connected cycles of `n` levels.
    Copies(Copies),
    /// RH(k,n).
    Reduced(ReducedHypercube),
}

impl Network {
    /// The network of that name: of `dims` dimensions (of cube-connected cycles, levels), and of building blocks with `2^blocks` sub-blocks.
    ///
    /// # Errors
    /// Sizes that there are not; `blocks` where there are none, or none where there are.
    pub fn new(name: NetworkName, dims: usize, blocks: Option<usize>) -> Result<Self, Error> {
        let network = format!("network {}", name.name());
        match (name, blocks) {
            (NetworkName::ReducedHypercube, None) => {
                Err(Refusal::of(format!("{network} wants --blocks"))
                    .because(
                        "RH(k,n) takes k by --dims and n by --blocks, as in --dims 3 --blocks 1",
                    )
                    .into())
            }
            (NetworkName::ReducedHypercube, Some(blocks)) => {
                Ok(Network::Reduced(ReducedHypercube::new(dims, blocks)?))
            }
            (_, Some(_)) => Err(Refusal::of(format!("{network} takes no --blocks"))
                .because("it has no building blocks; only reduced-hypercube has")
                .into()),
            (NetworkName::Hypercube, None) => Ok(Network::Hypercube(Dimensions::new(dims)?)),
            (NetworkName::Ccc, None) => Ok(Network::Cycles(CubeConnectedCycles::new(dims)?)),
            (NetworkName::Copies, None) => Ok(Network::Copies(Copies::in_hypercube(dims)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_are_typed() {
        for name in NetworkName::value_variants() {
            let typed = NetworkName::from_str(name.name(), false);
            assert_eq!(typed, Ok(*name));
            let blocks = (*name == NetworkName::ReducedHypercube).then_some(1);
            let network = Network::new(*name, 3, blocks).unwrap();
            let counted = crate::topology::count::facts(&network).unwrap();
            assert_eq!(counted.network, name.name());
        }
    }

    #[test]
    fn what_makes_no_network_is_refused() {
        let refused =
            |name, dims, blocks| Network::new(name, dims, blocks).unwrap_err().to_string();
        assert_eq!(
            refused(NetworkName::Ccc, 4, Some(1)),
            "network ccc takes no --blocks: it has no building blocks; only reduced-hypercube has"
        );
        assert_eq!(
            refused(NetworkName::ReducedHypercube, 4, None),
            "network reduced-hypercube wants --blocks: RH(k,n) takes k by --dims and n by --blocks, as in --dims 3 --blocks 1"
        );
        assert!(refused(NetworkName::ReducedHypercube, 1, Some(2)).contains("k is less than n"));
        assert!(refused(NetworkName::Hypercube, 35, None).contains("35 dimensions"));
        assert!(refused(NetworkName::Ccc, 17, None).contains("17 levels"));
        assert!(refused(NetworkName::Copies, 4, None).contains("choose --dims 3, 6, 11 or 20"));
    }
}
