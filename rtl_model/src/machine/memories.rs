//! The memories of many nodes, whoever has them: where a machine has them in tiles, a host need not make nodes of them.

/// The memories of some nodes, as a machine has them: a plane an address, which is that bit of each of the nodes, 64 to a word.
pub trait Memories {
    /// Addresses.
    fn bits(&self) -> usize;

    /// The words of a plane.
    fn plane(&self, address: usize) -> &[u64];
}

/// The same, to be written.
pub trait MemoriesMut: Memories {
    /// Makes all of them 0, which costs nothing where nobody has written any.
    fn clear(&mut self);

    /// The words of a plane, which may hold anything at places without a node.
    fn plane_mut(&mut self, address: usize) -> &mut [u64];
}
