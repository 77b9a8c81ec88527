//! Runs of routers in lockstep, as tests ask for them.

use std::fmt::Write;
use std::ops::{Deref, DerefMut};
use std::path::Path;

use rtl_model::traffic::Traffic;
use testbenches::lockstep::parameters;
use testbenches::options::VerilogOptions;
use testbenches::report::Report;
use testbenches::testbench::Testbench;
use testbenches::testbench::bench::{self, RunOptions};
use testbenches::testbench::chosen::Chosen;
use testbenches::verilog::Project;

/// The machine and its traffic.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub dims: Option<usize>,
    /// Left out of testbenches that send none.
    pub payload_bits: Option<usize>,
    pub schedule: Option<String>,
    pub traffic: Option<String>,
    pub load: Option<f64>,
    pub seed: u64,
}

impl Setup {
    /// What it chooses of a testbench.
    pub fn chosen(&self, bench: &'static Testbench) -> Chosen {
        let mut words = format!("--seed {}", self.seed);
        let mut add = |option: &str, value: Option<String>| {
            let has = bench.parameter(option).is_some();
            if let Some(value) = value.filter(|_| has) {
                write!(words, " --{} {value}", option.replace('_', "-")).unwrap();
            }
        };
        add("dims", self.dims.map(|dims| dims.to_string()));
        add(
            "payload_bits",
            self.payload_bits.map(|bits| bits.to_string()),
        );
        add("schedule", self.schedule.clone());
        add("traffic", self.traffic.clone());
        add("load", self.load.map(|load| load.to_string()));
        bench.asked(&words).unwrap()
    }

    /// The traffic of routers of any permutation.
    pub fn traffic(&self, bench: &'static Testbench) -> Traffic {
        parameters::traffic(&self.chosen(bench)).unwrap()
    }

    /// Writes a project; with as many rounds, or as many as there are by default.
    pub fn export(
        &self,
        bench: &'static Testbench,
        rounds: Option<usize>,
        folder: &Path,
    ) -> Result<Project, testbenches::error::Error> {
        let options = VerilogOptions {
            rounds,
            out: folder.to_owned(),
            ..VerilogOptions::default()
        };
        bench::export(&self.chosen(bench), &options)
    }
}

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub setup: Setup,
    pub options: RunOptions,
}

impl Deref for Asked {
    type Target = RunOptions;

    fn deref(&self) -> &RunOptions {
        &self.options
    }
}

impl DerefMut for Asked {
    fn deref_mut(&mut self) -> &mut RunOptions {
        &mut self.options
    }
}

impl Asked {
    /// Runs it.
    pub fn run(&self, bench: &'static Testbench) -> Report {
        bench::run(self.setup.chosen(bench), &self.options).unwrap()
    }

    /// The same on that schedule.
    pub fn on(mut self, schedule: Option<&str>) -> Self {
        self.setup.schedule = schedule.map(str::to_owned);
        self
    }
}
