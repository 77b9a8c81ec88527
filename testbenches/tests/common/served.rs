//! `cubewave serve`, started in a folder of its own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A server that runs until it is dropped.
pub struct Served {
    /// Its process.
    pub process: Child,
    /// Where it was started, and where it would put what nobody is to see.
    pub folder: tempfile::TempDir,
    /// The port that it listens on.
    pub port: u16,
}

impl Served {
    /// On any port that is free.
    pub fn begun() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(["serve", "--port", "0"])
            .current_dir(folder.path())
            .env("TMPDIR", folder.path())
            .env("CLICOLOR_FORCE", "1")
            // Pages are compared.
            .env("SOURCE_DATE_EPOCH", "0")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut said).unwrap();
        let rest = said.split_once("http://127.0.0.1:").unwrap().1;
        let port = rest.split_once('/').unwrap().0.parse().unwrap();
        Served {
            process,
            folder,
            port,
        }
    }

    /// The numbers of the runs that are under way.
    pub fn runs(&self) -> Vec<u32> {
        let number = self.process.id();
        let children = fs::read_to_string(format!("/proc/{number}/task/{number}/children"));
        let children = children.unwrap_or_default();
        let numbers = children
            .split_whitespace()
            .map(|number| number.parse().unwrap());
        numbers.collect()
    }

    /// Whether nothing stands where it was started.
    pub fn has_written_nothing(&self) -> bool {
        fs::read_dir(self.folder.path()).unwrap().next().is_none()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
