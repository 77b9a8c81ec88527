//! Packets on their way to 64 nodes, as their hosts see them.

/// What comes to 64 nodes on a channel.
#[derive(Clone, Debug, Default)]
pub(super) struct Arriving {
    /// The numbers of the groups and trees, bit by bit.
    pub group: Vec<u64>,
    pub tree: Vec<u64>,
    /// The nodes that receive, port by port; where each port has a channel of its own, across that.
    pub ports: Vec<u64>,
    /// By bit: where one came, and what it was.
    pub bits: Vec<(u64, u64)>,
}

impl Arriving {
    /// The packet for the node at a place.
    pub fn packet(&self, place: usize, trees: usize) -> usize {
        let number = |planes: &[u64]| {
            let planes = planes.iter().enumerate();
            planes.fold(0, |number, (bit, plane)| {
                number | ((plane >> place & 1) as usize) << bit
            })
        };
        number(&self.group) * trees + number(&self.tree)
    }

    /// The port across which it comes, if it is not known.
    pub fn port(&self, place: usize) -> Option<usize> {
        self.ports.iter().position(|plane| plane >> place & 1 == 1)
    }
}
