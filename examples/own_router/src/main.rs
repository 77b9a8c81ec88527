//! cubewave with one more router: `cargo run --release -p own_router -- run gossip --dims 4`.

mod router;
mod testbench;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The one line.
    testbenches::families::add(&testbench::BENCH);
    ExitCode::from(testbenches::cli::main())
}
