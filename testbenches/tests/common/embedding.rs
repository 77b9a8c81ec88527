//! Phases of embeddings, as the command line asks for them.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::common::verilog::{text, tool};

/// A phase.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Dimensions of the host.
    pub dims: usize,
    /// The other options.
    pub options: &'static str,
}

/// Different guests and orders, one way and both ways, with start-up and without, with packets that are longer than what is left.
pub const PHASES: [Phase; 8] = [
    Phase {
        dims: 1,
        options: "--guest gray-cycle --message-bits 3",
    },
    Phase {
        dims: 2,
        options: "--guest gray-cycle --message-bits 7 --packets 3 --both-ways",
    },
    Phase {
        dims: 3,
        options: "--guest cycle --message-bits 5 --start-up 2 --order greedy",
    },
    Phase {
        dims: 3,
        options: "--guest ccc-copies --message-bits 4 --both-ways --start-up 1",
    },
    Phase {
        dims: 3,
        options: "--guest butterfly-copies --message-bits 4 --packets 2 --order greedy",
    },
    Phase {
        dims: 4,
        options: "--guest cycle --message-bits 11",
    },
    Phase {
        dims: 4,
        options: "--guest double-cycle --message-bits 6 --start-up 3",
    },
    Phase {
        dims: 3,
        options: "--guest large-fft --message-bits 2 --packets 2 --order greedy --both-ways",
    },
];

impl Phase {
    pub fn nodes(&self) -> usize {
        1 << self.dims
    }

    /// What the command says; it runs in `folder`.
    pub fn command(&self, verb: &str, further: &str, folder: &Path) -> Output {
        let Phase { dims, options } = self;
        let command = format!("{verb} embedding --dims {dims} {options} {further}");
        tool(folder, env!("CARGO_BIN_EXE_cubewave"), &command)
    }

    /// The same of what is not refused, with the seed that all tests have, as JSON.
    pub fn told(&self, verb: &str, further: &str, folder: &Path) -> Value {
        let further = format!("--seed 9 --format json {further}");
        let output = self.command(verb, &further, folder);
        assert!(
            output.status.success(),
            "{self:?}: {}",
            text(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Writes the project `project` in a folder.
    pub fn export(&self, rounds: usize, folder: &Path) -> Value {
        self.told(
            "verilog",
            &format!("--rounds {rounds} --out project"),
            folder,
        )
    }
}
