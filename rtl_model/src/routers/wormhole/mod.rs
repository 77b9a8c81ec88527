//! Wormhole routing, bit by bit: on cube-connected cycles and the `n` copies of them in a hypercube (Greenberg and Bhatt 1990,
//! sections 5 and 7), on butterflies, hypercubes, tori and meshes, and on any links, by tables. A flit is what crosses a link in a bit
//! time: one bit, or one for each of its data wires.
//!
//! A worm is a header, a body and a tail mark on its last bit. It winds through the network head
//! first: each switch that the head comes to consumes the header bits that say where to go on, asks
//! for an output channel, and keeps it until the tail has passed. Where the channel is taken the
//! worm stands still, in the buffers of all nodes that it lies in.
//!
//! ```text
//!   node a                    node b                        node c
//!   [in]--x--[straight]====>[in: 1 0]--x--[cross]====>[in: 1]--asks--( taken )
//!   tail                                                      head
//! ```
//!
//! To read: [`plan`] (what there is), [`joined`] (what it joins), [`input_channel`], [`routing_table`], [`relay`], [`switch`],
//! [`node`], [`networks`] (a file each), [`network`] (a list of them), [`machine`]; [`header`] and [`pieces`] are for hosts; [`route`]
//! and [`dependencies`] are for observers, and no node reads them.

pub mod ahead;
pub mod bit_buffer;
pub mod credits;
pub mod dependencies;
pub mod destination;
pub mod header;
pub mod input_channel;
pub mod joined;
mod labels;
mod leads;
pub mod levels;
pub mod machine;
pub mod network;
pub mod networks;
pub mod node;
pub mod parameters;
pub mod pieces;
pub mod plan;
pub mod relay;
pub mod round_robin;
pub mod route;
pub mod routing_table;
pub mod silence;
pub mod space;
pub mod switch;
mod switch_names;
pub mod trip;
pub mod verilog;
pub mod wiring;
