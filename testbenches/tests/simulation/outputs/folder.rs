//! cubewave, run in a folder of its own.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own, and cubewave run in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Where a file of it is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// What is in a file of it.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// What it holds, in order.
    pub fn files(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// cubewave, to be run in it.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cubewave"));
        command
            .args(arguments.split_whitespace())
            .current_dir(self.0.path());
        command
    }

    /// With standard output going to a file of this folder, as a shell does it with `>`.
    pub fn redirected(&self, arguments: &str, to: &str) -> Output {
        let file = File::create(self.path(to)).unwrap();
        self.command(arguments).stdout(file).output().unwrap()
    }

    /// The same, run.
    pub fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }
}

/// What was printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Bad usage, and nothing printed.
pub fn is_refused(output: &Output, why: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said, format!("error: {why}\n"));
    assert!(output.stdout.is_empty());
}
