//! The program, as tests start it.

use std::path::Path;
use std::process::{Command, Output};

/// What came of a command line in a folder.
pub fn program(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_own_router"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

/// What was printed, by a command that ended well.
pub fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}
