//! Runs of the sample once more, with a waveform of all nodes and whatever else a run can write.

use std::fs::read_to_string;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::OnceLock;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rtl_model::machine::topology::Topology;
use testbenches::report::Report;
use testbenches::testbench::bench::{self, Offer, RunOptions};
use testbenches::testbench::parameter::Kind;

use crate::common::dump::{Dump, TICKS_PER_BIT_TIME};
use crate::common::sample::{Sampled, quietly, ran};
use crate::common::surfer::Surfer;
use crate::surfer::views_agree;

/// A run with its waveform, and what was written beside it.
pub struct Dumped {
    pub sampled: &'static Sampled,
    pub report: Report,
    pub dump: Dump,
    /// What the machine is called, and its nodes.
    pub machine: &'static str,
    pub nodes: Vec<String>,
    end: u64,
    /// The save file of GTKWave.
    pub view: String,
    /// Filters that it names and that are not beside it.
    pub missing: Vec<String>,
    /// What the two views show, or how they differ.
    pub shown: Result<Surfer, String>,
    pub deliveries: Option<String>,
    /// Other files that were asked for: the option, and what is in them.
    pub written: Vec<(&'static str, String)>,
}

/// A machine whose waveform would be much larger is left out.
const MOST_NODES: usize = 32;
const MOST_BIT_TIMES: u64 = 400;

/// Every run of the sample that is small, with all of its nodes.
pub fn dumped() -> &'static [Dumped] {
    static ALL: OnceLock<Vec<Dumped>> = OnceLock::new();
    ALL.get_or_init(|| {
        let is_small = |report: &Report| {
            report.topology.nodes <= MOST_NODES && report.bit_times <= MOST_BIT_TIMES
        };
        let small: Vec<_> = ran().filter(|(_, report)| is_small(report)).collect();
        let small = small.into_par_iter();
        small.map(|(sampled, _)| Dumped::of(sampled)).collect()
    })
}

/// A run of what was sampled with a waveform, and with these words more.
pub fn run(sampled: &Sampled, further: &str, options: RunOptions) -> Report {
    let chosen = sampled.bench.asked(&format!("{} {further}", sampled.words));
    let report = bench::run(chosen.unwrap(), &options);
    report.unwrap_or_else(|error| panic!("{}: {error}", sampled.name()))
}

/// With all nodes in a waveform.
pub fn with_wave(path: &Path) -> RunOptions {
    RunOptions {
        wave: Some(path.to_owned()),
        trace_nodes: Some("all".to_owned()),
        coverage: true,
        ..quietly()
    }
}

impl Dumped {
    pub fn of(sampled: &'static Sampled) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let wave = folder.join("run.vcd");
        let bench = sampled.bench;
        let outputs = bench.parameters.iter();
        let outputs = outputs.filter(|parameter| matches!(parameter.kind, Kind::Output(_)));
        let outputs: Vec<_> = outputs
            .map(|parameter| (parameter.option, folder.join(parameter.name)))
            .collect();
        let words = outputs
            .iter()
            .map(|(option, path)| format!(" {option} {}", path.display()));
        let mut options = with_wave(&wave);
        let deliveries = folder.join("arrived.csv");
        if bench.offers.contains(&Offer::Deliveries) {
            options.deliveries = Some(deliveries.clone());
        }
        let report = run(sampled, &words.collect::<String>(), options);
        let view = read_to_string(wave.with_extension("gtkw")).unwrap();
        let filters = view
            .lines()
            .filter_map(|line| line.strip_prefix("^1 /cubewave/"));
        let missing = filters.filter(|filter| !folder.join(filter).exists());
        let shown = catch_unwind(AssertUnwindSafe(|| views_agree(&wave)));
        let job = (bench.job)(&sampled.chosen()).unwrap();
        let topology = job.machine().topology();
        let has_more = job.machine().device().is_some();
        Dumped {
            machine: topology.machine_name(),
            nodes: (0..topology.nodes())
                .map(|node| topology.node_name(node))
                .collect(),
            end: report.bit_times + u64::from(has_more),
            missing: missing.map(str::to_owned).collect(),
            shown: shown.map_err(|panic| match panic.downcast::<String>() {
                Ok(said) => *said,
                Err(_) => "the views cannot be read".to_owned(),
            }),
            dump: Dump::read(&wave),
            deliveries: read_to_string(deliveries).ok(),
            written: outputs
                .into_iter()
                .map(|(option, path)| (option, read_to_string(path).unwrap_or_default()))
                .collect(),
            sampled,
            report,
            view,
        }
    }

    pub fn name(&self) -> String {
        self.sampled.name()
    }

    /// Its network.
    pub fn topology(&self) -> Box<dyn Topology> {
        let job = (self.sampled.bench.job)(&self.sampled.chosen()).unwrap();
        job.machine().topology()
    }

    /// The bit time behind the one that shows what the run leaves. Where nodes set their own pace, the last one of the run does.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// A signal in each bit time, the one after the last among them; none if it is not in the dump.
    pub fn signal(&self, path: &str) -> Option<Vec<&str>> {
        let is_there = self.dump.signals.contains_key(path);
        is_there.then(|| self.dump.by_bit_time(path, 0, self.end()))
    }

    /// Ticks at which it ends.
    pub fn last_tick(&self) -> u64 {
        self.end() * TICKS_PER_BIT_TIME
    }
}
