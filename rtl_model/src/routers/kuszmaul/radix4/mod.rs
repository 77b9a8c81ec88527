//! Schedule `radix4`: two address bits at a time, and packings without headers.
//!
//! [`node`] is what each node is made of, [`dimension_groups`] which dimensions go together, [`sequencer`],
//! [`windows`] and [`bits`] when what happens, [`clock`] what they compare with, [`strobes`] what
//! passes between the two, [`occupancy`] how much of the storage is in use.

pub mod bits;
pub mod clock;
pub mod count_row;
pub mod count_stage;
pub mod dimension_groups;
pub mod greedy_end;
pub mod greedy_switch;
pub mod list_row;
pub mod list_switch;
pub mod node;
pub mod occupancy;
pub mod pair_exchange;
pub mod sequencer;
pub mod strobes;
pub mod windows;

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::Position;
use crate::routers::permutation::{AnySchedule, Forms, PermutationRouter, Schedule, Size};

pub use node::Radix4Node;
pub use sequencer::Radix4Sequencer;
pub use strobes::Radix4Strobes;

use dimension_groups::{DimensionGroups, Kind};

/// Two address bits at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Radix4;

/// The machine of schedule `radix4`.
pub type Radix4Router = PermutationRouter<Radix4>;

/// It behind an object.
pub static RADIX4: &dyn AnySchedule = &Radix4;

impl Schedule for Radix4 {
    type Broadcast<S: Strobe> = Radix4Strobes<S>;
    type Node<B: Bit> = Radix4Node<B>;
    type Sequencer<S: Strobe> = Radix4Sequencer<S>;

    const STEPS: &'static [&'static str] = &[
        "",
        "1_cross",
        "2_enumerate",
        "3_exchange_counts",
        "4_pack",
        "greedy_end",
        "done",
    ];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &[
        "exchange",
        "enumeration",
        "counts",
        "packing",
        "packing_lane_0",
        "packing_lane_1",
        "greedy_lane_0",
        "greedy_lane_1",
        "greedy",
    ];
    /// Small cubes lack lists, or count stages; with three dimensions at the end there is a switch
    /// less; and a cube of five dimensions packs with one lane.
    ///
    /// A group of two dimensions that leaves `m`, with `L = m+D`, drives its first wire in `L+2` bit times, its second in
    /// `2L+2`, and that of stage `r` in `2L+3` and for the `min(r+2, m)` bits of a total there; the pause moves bit times and
    /// takes none away. Of a dimension before the last two, totals are never cut to `m` bits, and added up over its own group
    /// and those before it this is the last case. The end of four dimensions drives its first two as a group of two
    /// that leaves two would. Its third has two lanes and its fourth carries valid and payload alone, and on these totals were
    /// cut by one bit and by two in each group.
    ///
    /// A group of one dimension, which leaves four, drives its wire in `L+1` bit times and that of stage `r` in `L+2` and for
    /// `min(r+1, 4)` bits. So the four last dimensions of an odd number differ, but for the second of them, where this comes
    /// to the same. With a payload of one bit the end has three dimensions, and it is only the last two that do.
    const FORMS: Forms = Forms {
        bit_times: "D+1 (k=1); D+3 (k=2); 2D+6 (k=3); 3k^2/4+2k-10+(k-2)D (even k); \
                    (3k^2+12k-31)/4 (odd k, D=1); (3k^2+8k-27)/4+(k-2)D (odd k)",
        driven_bit_times: Some(
            "D+1 (k=1); D+2 (k=2); 2D+4 (k=3, d=1); D+1 (k=3, d=2); \
             (k-2)D+3k^2/4-8 (even k, d=k-2); (k-3)D+3k^2/4-11 (even k, d=k-1); \
             (3k^2+4k-15)/4 (odd k, D=1, d=k-2); (3k^2+4k-31)/4 (odd k, D=1, d=k-1); \
             (k-3)D+(3k^2-2k-17)/4 (odd k, D>1, d=k-4); (k-2)D+(3k^2-19)/4 (odd k, D>1, d=k-2); \
             (k-3)D+(3k^2-31)/4 (odd k, D>1, d=k-1); (d+1)(D+k)-(d(d-2)+9(d mod 2))/4",
        ),
        storage_bits: "D+4 (k=1); D+10 (k=2); D+22 (k=3); D+43 (k=4); 14k-11 (odd k, D=1); D+77 (k=5); 14k+D+2",
        storage_bound: "20k+3D+30",
        serial_adders: "0 (k<=4); 8 (k=5, D>1); 2(k-2)",
        most_messages: 4,
    };

    fn node<B: Bit>(size: Size) -> Radix4Node<B> {
        Radix4Node::new(DimensionGroups::new(size))
    }

    fn sequencer<S: Strobe>(size: Size) -> Radix4Sequencer<S> {
        Radix4Sequencer::new(DimensionGroups::new(size))
    }

    fn position(sequencer: &Radix4Sequencer<bool>) -> Position {
        sequencer.position()
    }

    fn live_bits_per_message(size: Size, after: Position) -> usize {
        let groups = DimensionGroups::new(size);
        let (group, t) = (after.iteration as usize, after.bit_time);
        let left = groups.message_bits(group);
        match groups.kind(group) {
            Kind::Two => left,
            Kind::Four => left + usize::from(t < 1),
            Kind::Greedy => {
                // The two switches consume their address bits when they decide.
                let consumed = [0, 1, 5, 9].iter().filter(|at| **at <= t).count();
                left + groups.greedy - consumed.min(groups.greedy)
            }
        }
    }
}
