//! Wormhole routers and their hosts: whole machines against the flit-level reference model, against themselves in lanes of other
//! widths, and against what must hold in every bit time; and faults, which must be noticed.

mod butterflies;
mod compare;
mod deadlock;
mod drawn;
mod exhaustive;
mod faults;
mod invariants;
mod lanes;
mod listed;
mod load;
mod machines;
mod random;
mod reference;
mod structured;
mod verdicts;
