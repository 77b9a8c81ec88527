//! What may be chosen of the routers, and how much of it at the most.

/// How the routers are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Virtual channels of a link: of direct networks 1 to 8, of others 1 to 3. Where that is more than the
    /// network has use for ([`Structure::virtual_channels`](crate::routers::wormhole::networks::Structure::virtual_channels)), it has
    /// as many as it has use for; a cross link of cube-connected cycles has two at the most. Of butterflies, classes of the lanes of
    /// an edge.
    pub virtual_channels: usize,
    /// Places of each channel's buffer, each for a flit.
    pub buffer_bits: usize,
    /// Bits of a flit, which are the data wires of a link: 1 to [`MAX_WIRE_BITS`].
    pub wire_bits: usize,
    /// At most one new connection in a node in a bit time (weak switch), in place of any number
    /// (strong switch).
    pub weak_switch: bool,
}

/// The largest buffer of a channel, in places.
pub const MAX_BUFFER_BITS: usize = 64;
/// The most data wires of a link.
pub const MAX_WIRE_BITS: usize = 64;
/// A worm in cube-connected cycles crosses the dateline twice at the most.
pub const MAX_VIRTUAL_CHANNELS: usize = 3;
