//! Runs of wormhole routers, beside the flit-level reference model, and what is reported of them. How each bit is moved is looked at
//! in the tests of `hosts`.

mod booksim;
#[path = "../../../../hosts/tests/hosts/wormhole/drawn.rs"]
mod drawn;
mod ended;
mod latencies;
mod links;
#[path = "../../../../hosts/tests/hosts/wormhole/machines.rs"]
mod machines;
mod runs;
mod saturation;
mod traffic;
mod wave;
