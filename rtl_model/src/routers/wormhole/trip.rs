//! The way of a worm, by its ends.

/// From where to where a worm goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trip {
    /// The node that sends it.
    pub source: usize,
    /// The node that it is for.
    pub destination: usize,
    /// The node via which it goes, where the network draws one
    /// ([`Structure::intermediate`](crate::routers::wormhole::networks::Structure::intermediate)); of no meaning elsewhere.
    pub intermediate: usize,
}

impl Trip {
    /// Straight from node to node.
    pub fn direct(source: usize, destination: usize) -> Self {
        Trip {
            source,
            destination,
            intermediate: destination,
        }
    }
}
