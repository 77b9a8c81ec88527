//! The command line in a folder of its own.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder, and what is run in it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn run(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(arguments.split_whitespace())
            .current_dir(self.path())
            .output()
            .unwrap()
    }

    /// The report of a run in which all checks hold.
    pub fn report(&self, arguments: &str) -> Value {
        let output = self.run(&format!("{arguments} --format json"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments}: {said}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Why something is refused, with exit status 2 and nothing written.
    pub fn refusal(&self, arguments: &str) -> String {
        let before = self.files();
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert_eq!(self.files(), before, "{arguments}");
        String::from_utf8(output.stderr).unwrap()
    }
}
