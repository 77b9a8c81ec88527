//! What the sequencer tells all nodes.

use crate::language::lines::Lines;
use crate::strobes;

strobes! {
    /// Where the run stands, and what the source's host is to supply next.
    #[derive(Clone)]
    pub struct PortStrobes<S> {
        /// The first bit time of a step: nodes decide which ports are busy in it.
        pub decide: S,
        /// A bit of every packet is on its way.
        pub shift: S,
        /// The last bit time of a step, of both halves where there are such: what has arrived is complete.
        pub commit: S,
        /// The half in which packets go to where their bit of the relative address is 0.
        pub falling: S,
        /// The last step: what arrives in it is not sent on.
        pub last: S,
        /// The number of the turn, bit 0 first.
        pub turn: Lines<S>,
        /// Which phase of the turn it is.
        pub phase: Lines<S>,
        /// The address of the source, bit `d` being that of dimension `d`.
        pub source: Lines<S>,
        /// The source's host is asked for the bit of the next bit time.
        pub ask: S,
        /// That is the first bit of a packet.
        pub ask_first: S,
        /// The number of its group.
        pub ask_group: Lines<S>,
        /// By how many places the trees are rotated against the channels.
        pub ask_rotation: Lines<S>,
    }
}
