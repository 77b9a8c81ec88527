//! Wormhole routers: whole machines against the flit-level reference model, against themselves in lanes of other
//! widths, and against what must hold in every bit time; and faults, which must be noticed.

mod booksim;
mod butterflies;
mod compare;
mod deadlock;
mod ended;
mod exhaustive;
mod faults;
mod invariants;
mod lanes;
mod latencies;
mod links;
mod load;
mod machines;
mod random;
mod reference;
mod runs;
mod saturation;
mod structured;
mod traffic;
