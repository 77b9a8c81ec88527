//! Testbenches with several messages a node, as the command line asks for them.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::common::verilog::{text, tool};

/// A machine with several messages a node.
#[derive(Clone, Copy, Debug)]
pub struct Several {
    /// Dimensions of the cube.
    pub dims: usize,
    /// The testbench and the other options.
    pub options: &'static str,
}

/// Batches on every schedule, h-relations on the router that counts and as matchings, processors that share vertices; the largest
/// of schedule `radix4` has a group of dimensions before its end.
pub const SEVERAL: [Several; 9] = [
    Several {
        dims: 3,
        options: "kuszmaul --batches 3 --schedule spread --payload-bits 4",
    },
    Several {
        dims: 2,
        options: "kuszmaul --batches 2 --schedule spread --payload-bits 7 --interval 20",
    },
    Several {
        dims: 3,
        options: "kuszmaul --batches 3 --schedule overlapped --payload-bits 4",
    },
    Several {
        dims: 2,
        options: "kuszmaul --h 3 --schedule overlapped --payload-bits 8",
    },
    Several {
        dims: 4,
        options: "kuszmaul --batches 2 --schedule radix4 --payload-bits 3",
    },
    Several {
        dims: 3,
        options: "kuszmaul --h 3 --schedule radix4 --payload-bits 4",
    },
    Several {
        dims: 3,
        options: "kuszmaul --h 2 --schedule counting --payload-bits 4",
    },
    Several {
        dims: 2,
        options: "kuszmaul --h 5 --schedule counting --payload-bits 1",
    },
    Several {
        dims: 3,
        options: "packing --processors 3 --payload-bits 4",
    },
];

impl Several {
    pub fn nodes(&self) -> usize {
        1 << self.dims
    }

    /// What the command says; it runs in `folder`.
    pub fn command(&self, verb: &str, further: &str, folder: &Path) -> Output {
        let Several { dims, options } = self;
        let command = format!("{verb} {options} --dims {dims} {further}");
        tool(folder, env!("CARGO_BIN_EXE_cubewave"), &command)
    }

    /// The same of what is not refused, with the seed that all tests have, as JSON.
    pub fn told(&self, verb: &str, further: &str, folder: &Path) -> Value {
        let further = format!("--seed 5 --format json {further}");
        let output = self.command(verb, &further, folder);
        assert!(
            output.status.success(),
            "{self:?}: {}",
            text(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }
}
