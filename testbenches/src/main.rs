//! Bit-serial hypercube routers, run bit by bit: the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    testbenches::cli::main().into()
}
