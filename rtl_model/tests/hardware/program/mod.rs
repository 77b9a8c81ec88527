//! A run as a program leaves the registers that a run bit time by bit time leaves: of every router in lockstep, and on
//! networks of all kinds, in lanes of every width, whatever the instructions, threads and blocks.

mod blocks;
mod common;
mod decisions;
mod families;
mod faults;
mod groups;
mod hearsay;
mod measured;
mod networks;
mod ranks;
mod strides;
mod taken_up;
mod written_down;

/// Runs each test on each router: `test::<F>()` for what makes it, in a module of its name.
macro_rules! on_each_router {
    ($($(#[$attribute:meta])? $test:ident),+ $(,)?) => {
        $crate::program::on_each_router!(enumeration, Enumeration: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(packing, Packing: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(plain, Permutation<kuszmaul::plain::Plain>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(overlapped, Permutation<kuszmaul::overlapped::Overlapped>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(folded, Permutation<kuszmaul::folded::Folded>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(spread, Permutation<kuszmaul::spread::Spread>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(radix4, Permutation<kuszmaul::radix4::Radix4>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(counting, Counting: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(
            batches_of_overlapped,
            Batches<kuszmaul::overlapped::Overlapped>: $($(#[$attribute])? $test),+
        );
        $crate::program::on_each_router!(
            batches_of_radix4,
            Batches<kuszmaul::radix4::Radix4>: $($(#[$attribute])? $test),+
        );
        $crate::program::on_each_router!(
            batches_of_spread,
            Batches<kuszmaul::spread::Spread>: $($(#[$attribute])? $test),+
        );
        $crate::program::on_each_router!(
            bitonic_sort_and_unpack,
            Permutation<sorting::bitonic::SortAndUnpack>: $($(#[$attribute])? $test),+
        );
        $crate::program::on_each_router!(bitonic_sort, Permutation<sorting::bitonic::Sort>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(
            radix_sort_and_unpack,
            Permutation<sorting::radix::SortAndUnpack>: $($(#[$attribute])? $test),+
        );
        $crate::program::on_each_router!(radix_sort, Permutation<sorting::radix::Sort>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(prearranged, Prearranged: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(ring, Joined<networks::Ring>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(cube_that_does_not_say_so, Joined<networks::Bare>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(cube_connected_cycles, Joined<networks::Cycles>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(scattered_links, Joined<networks::Scattered>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(bundled_links, Joined<networks::Bundled>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(reduced_links, Joined<networks::Reduced>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(reduced_hypercube, Joined<networks::Blocks>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(nodes_that_decide, Joined<networks::Deciding>: $($(#[$attribute])? $test),+);
        $crate::program::on_each_router!(hosts_on_wires, Joined<networks::Hosted>: $($(#[$attribute])? $test),+);
    };
    ($name:ident, $family:ty: $($(#[$attribute:meta])? $test:ident),+) => {
        mod $name {
            #[allow(unused_imports, reason = "each router needs its part of this")]
            use crate::program::common::{Batches, Counting, Enumeration, Packing, Permutation, Prearranged};
            #[allow(unused_imports, reason = "each router needs its part of this")]
            use crate::program::networks::{self, Joined};
            #[allow(unused_imports, reason = "each router needs its part of this")]
            use rtl_model::routers::{kuszmaul, sorting};
            $(
                #[test]
                $(#[$attribute])?
                fn $test() {
                    super::$test::<$family>();
                }
            )+
        }
    };
}
pub(crate) use on_each_router;
