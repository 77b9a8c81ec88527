//! Kuszmaul's routers of several messages a node are held against the models: relations on line message by
//! message and slot by slot, and batches by arrivals, wires and times.

mod batches;
mod large;
mod loads;
mod run;
mod small;
mod wires;

use rtl_model::machine::topology::hypercube::Dimensions;

fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}
