//! Collective operations on the reduced hypercube and on the hypercube, as the command line asks for them.

use std::path::Path;
use std::process::Output;

use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use serde_json::Value;

use crate::common::verilog::{text, tool};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// RH(k,n).
    Reduced(usize, usize),
    /// The hypercube of so many dimensions.
    Full(usize),
}

impl Network {
    pub fn topology(self) -> Box<dyn Topology> {
        match self {
            Network::Reduced(dims, blocks) => {
                Box::new(ReducedHypercube::new(dims, blocks).unwrap())
            }
            Network::Full(dims) => Box::new(Dimensions::new(dims).unwrap()),
        }
    }

    fn options(self) -> String {
        match self {
            Network::Reduced(dims, blocks) => {
                format!("--network reduced-hypercube --dims {dims} --blocks {blocks}")
            }
            Network::Full(dims) => format!("--network hypercube --dims {dims}"),
        }
    }
}

/// A collective operation.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its testbench.
    pub name: &'static str,
    pub network: Network,
    /// Its other options.
    pub options: String,
}

/// A node that is neither the first nor the last of a building block of several dimensions.
fn source(network: Network) -> usize {
    network.topology().nodes() - 3
}

impl Job {
    pub fn new(name: &'static str, network: Network, options: &str) -> Self {
        Job {
            name,
            network,
            options: options.to_owned(),
        }
    }

    /// Each of the four in each of its forms. A broadcast begins at another node than node 0; of the operators each form has
    /// another on each network.
    pub fn all(network: Network) -> Vec<Job> {
        let forms = |forms: &[&'static str]| match network {
            Network::Reduced(..) => (forms.iter())
                .map(|form| format!("--algorithm {form} "))
                .collect(),
            Network::Full(_) => vec![String::new()],
        };
        let mut jobs = Vec::new();
        for form in forms(&["double-rooted", "e-cube"]) {
            for switching in ["store-and-forward", "cut-through"] {
                let source = source(network);
                let options =
                    format!("{form}--switching {switching} --source {source} --message-bits 5");
                jobs.push(Job::new("broadcast", network, &options));
            }
        }
        let mut operators = (OPERATORS.iter().cycle()).skip(network.topology().address_bits());
        let combining = [
            ("reduce", forms(&["printed", "short"])),
            ("prefix", forms(&["short", "printed", "in-place"])),
        ];
        for (name, forms) in combining {
            for form in forms {
                let operator = operators.next().unwrap();
                let options = format!("{form}--operator {operator} --word-bits 4");
                jobs.push(Job::new(name, network, &options));
            }
        }
        for form in forms(&["virtual-cube", "pairs-of-blocks"]) {
            for keys in [1, 3] {
                let options = format!("{form}--keys {keys} --word-bits 3");
                jobs.push(Job::new("sort", network, &options));
            }
        }
        jobs
    }

    /// One of each of the four.
    pub fn of_each(network: Network) -> [Job; 4] {
        let source = source(network);
        [
            ("broadcast", format!("--source {source} --message-bits 5")),
            ("reduce", "--operator add --word-bits 4".to_owned()),
            ("prefix", "--operator carry --word-bits 4".to_owned()),
            ("sort", "--keys 2 --word-bits 3".to_owned()),
        ]
        .map(|(name, options)| Job::new(name, network, &options))
    }

    pub fn machine_name(&self) -> &'static str {
        self.network.topology().machine_name()
    }

    /// What the command says; it runs in `folder`.
    pub fn command(&self, verb: &str, further: &str, folder: &Path) -> Output {
        let Job { name, options, .. } = self;
        let network = self.network.options();
        let command = format!("{verb} {name} {network} {options} {further}");
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

/// What words are combined by.
pub const OPERATORS: [&str; 6] = ["add", "min", "max", "and", "or", "carry"];
