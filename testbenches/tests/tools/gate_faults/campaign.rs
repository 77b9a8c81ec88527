//! A machine's faults, one at a time: which of them its testbench notices as it is exported, which only a stronger
//! one, that does the same and then more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use testbenches::families::broadcast;
use testbenches::families::wormhole;
use testbenches::options::VerilogOptions;
use testbenches::testbench::bench;

use crate::common::asked::Setup;
use crate::common::verilog::{Machine, text};
use crate::gate_faults::planting::{Fault, faults};

/// A machine whose Verilog is tampered with.
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// In lockstep, with so many dimensions and payload bits.
    Lockstep(Machine, usize, usize),
    /// Of wormhole routers on a network, with so many dimensions and message bits.
    Wormhole(&'static str, usize, usize),
    /// A broadcast in so many dimensions.
    Broadcast(Algorithm, PortModel, usize),
}

/// The traffic of an export.
#[derive(Clone, Debug)]
struct Asked {
    traffic: Option<String>,
    load: Option<f64>,
    seed: u64,
}

/// As without options.
impl Default for Asked {
    fn default() -> Self {
        Asked {
            traffic: None,
            load: None,
            seed: 1,
        }
    }
}

/// What became of the faults of a machine.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Planted.
    pub planted: usize,
    /// Noticed by the testbench as exported, or by the stronger one.
    pub shown: usize,
    /// Noticed in the first round.
    pub first_round: usize,
    /// Noticed by the testbench as exported.
    pub caught: usize,
    /// By the last round that was needed.
    pub rounds: BTreeSet<usize>,
    /// Noticed by the stronger one alone.
    pub missed: Vec<String>,
}

impl Outcome {
    /// 95 % at least.
    pub fn is_enough(&self) -> bool {
        100 * self.caught >= 95 * self.shown
    }
}

/// Traffics that the stronger testbench has in addition, a round each: pattern, load (where a machine carries it), seed.
const TRAFFICS: [(Option<&str>, f64, u64); 12] = [
    (None, 0.75, 2001),
    (None, 0.75, 2002),
    (None, 0.4, 2003),
    (None, 0.9, 2004),
    (None, 1.0, 2005),
    (None, 1.0, 2006),
    (Some("bitrev"), 1.0, 2007),
    (Some("bitcomp"), 0.8, 2008),
    (Some("shuffle"), 1.0, 2009),
    (Some("tornado"), 0.7, 2010),
    (Some("neighbor"), 1.0, 2011),
    (Some("identity"), 0.5, 2012),
];

/// Further rounds of it.
const ROUNDS: usize = 16;
/// What they are drawn from.
const SEED: u64 = 1001;

impl Subject {
    /// For people.
    pub fn name(self) -> String {
        match self {
            Subject::Lockstep(machine, k, payload_bits) => {
                let schedule = machine.schedule.map_or("", |schedule| schedule.name());
                let bench = machine.bench.name;
                match machine.bench.name {
                    "enumeration" => format!("{bench} k={k}"),
                    _ => format!("{bench} {schedule} k={k} D={payload_bits}").replace("  ", " "),
                }
            }
            Subject::Wormhole(network, dims, bits) => {
                format!("{} {network} n={dims} M={bits}", wormhole::BENCH.name)
            }
            Subject::Broadcast(algorithm, model, dims) => {
                format!("{} {algorithm} {model} n={dims}", broadcast::BENCH.name)
            }
        }
    }

    fn carries(self, load: f64) -> bool {
        match self {
            Subject::Lockstep(machine, ..) => machine.carries(load),
            Subject::Wormhole(..) | Subject::Broadcast(..) => true,
        }
    }

    /// Exports it with this traffic; whether it could.
    fn export(self, asked: &Asked, rounds: Option<usize>, folder: &Path) -> bool {
        let Asked {
            traffic,
            load,
            seed,
        } = asked.clone();
        match self {
            Subject::Lockstep(machine, k, payload_bits) => {
                let setup = Setup {
                    traffic,
                    // As without the option, except where the machine does not carry that.
                    load: load.or((!machine.carries(0.75)).then_some(1.0)),
                    seed,
                    ..machine.run(k, payload_bits, 0.75).setup
                };
                setup.export(machine.bench, rounds, folder).is_ok()
            }
            Subject::Wormhole(network, dims, bits) => {
                let mut words = format!(
                    "--network {network} --dims {dims} --message-bits {bits} --seed {seed}"
                );
                if let Some(traffic) = traffic {
                    words += &format!(" --traffic {traffic}");
                }
                if let Some(load) = load {
                    words += &format!(" --load {load}");
                }
                let chosen = wormhole::BENCH.asked(&words).unwrap();
                let options = VerilogOptions {
                    rounds,
                    out: folder.to_owned(),
                    ..VerilogOptions::default()
                };
                bench::export(&chosen, &options).is_ok()
            }
            // Patterns and loads say nothing of a message.
            Subject::Broadcast(algorithm, model, dims) => {
                let packets = algorithm.most_packets(dims).unwrap_or(2 * dims + 1);
                let packet_bits = 3;
                let words = format!(
                    "--algorithm {algorithm} --ports {model} --dims {dims} --start-up 1 --source 2 --message-bits {} \
                     --packet-bits {packet_bits} --seed {seed}",
                    packets * packet_bits
                );
                let options = VerilogOptions {
                    rounds,
                    out: folder.to_owned(),
                    ..VerilogOptions::default()
                };
                let chosen = broadcast::BENCH.asked(&words).unwrap();
                bench::export(&chosen, &options).is_ok()
            }
        }
    }

    /// The files of the machine in which faults are planted, and those that join its nodes.
    fn files(self) -> (&'static [&'static str], &'static str) {
        match self {
            Subject::Lockstep(..) | Subject::Broadcast(..) => {
                (&["node.v", "sequencer.v"], "cube.v")
            }
            Subject::Wormhole("ccc", ..) => (&["node.v"], "ccc.v"),
            Subject::Wormhole(..) => (&["node.v"], "cube.v"),
        }
    }

    /// The rounds of other exports, each a round's lines of the files that have any.
    fn other_rounds(self, folder: &Path) -> Vec<[String; 3]> {
        let mut others = Vec::new();
        let mut add = |asked: &Asked, rounds| {
            let project = folder.join(format!("other_{}", others.len()));
            // Not every machine carries every pattern.
            if self.export(asked, Some(rounds), &project) {
                others.extend(rounds_of(&project));
            }
        };
        for (pattern, load, seed) in TRAFFICS {
            let asked = Asked {
                traffic: pattern.map(str::to_owned),
                load: Some(if self.carries(load) { load } else { 1.0 }),
                seed,
            };
            add(&asked, 1);
        }
        let drawn = Asked {
            seed: SEED,
            ..Asked::default()
        };
        add(&drawn, ROUNDS);
        others
    }

    /// A project whose testbench first does all that of the default one, then more; and the rounds of the default one.
    fn stronger(self, folder: &Path) -> (PathBuf, usize) {
        let default = folder.join("default");
        assert!(self.export(&Asked::default(), None, &default), "{self:?}");
        let mut rounds = rounds_of(&default);
        let default_rounds = rounds.len();
        let others = self.other_rounds(folder);
        assert!(others.len() > ROUNDS + 5, "{self:?}");
        rounds.extend(others);
        // As many rounds as that, for the frame around them.
        let stronger = folder.join("stronger");
        assert!(
            self.export(&Asked::default(), Some(rounds.len()), &stronger),
            "{self:?}"
        );
        for (number, file) in FILES_OF_ROUNDS.into_iter().enumerate() {
            let path = stronger.join(file);
            let before = fs::read_to_string(&path).unwrap();
            let mut lines: String = rounds.iter().map(|round| round[number].as_str()).collect();
            if file == "tb.v" {
                let mut first = 0;
                let numbered = rounds.iter().enumerate();
                let numbered = numbered.map(|(place, round)| {
                    let what = round[number].split_once("; lines = ");
                    let (_, what) = what.unwrap_or_default();
                    let amount = what.split(';').next().and_then(|one| one.parse().ok());
                    let amount: usize = amount.unwrap_or(0);
                    first += amount;
                    match amount {
                        0 => String::new(),
                        _ => format!(
                            "{}: begin first = {}; lines = {what}",
                            place + 1,
                            first - amount
                        ),
                    }
                });
                lines = numbered.collect();
                let kept = |line: &&str| !is_of_round(line);
                let (head, rest) = before
                    .split_once("      case (round)\n")
                    .unwrap_or((&before, ""));
                let rest: String = rest.split_inclusive('\n').filter(kept).collect();
                let case = if rest.is_empty() {
                    ""
                } else {
                    "      case (round)\n"
                };
                lines = format!("{}{case}{lines}{rest}", with_lines(head, first));
            }
            fs::write(path, lines).unwrap();
        }
        let sound = self.noticed(None, &stronger, folder);
        assert_eq!(sound, None, "{self:?}: without a fault");
        (stronger, default_rounds)
    }

    /// Plants every `stride`-th of its faults, on so many threads.
    pub fn campaign(self, stride: usize, threads: usize) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let (project, default_rounds) = self.stronger(folder.path());
        let (files, _) = self.files();
        let read = |file: &str| fs::read_to_string(project.join(file)).unwrap();
        let texts: Vec<(&str, String)> = files.iter().map(|file| (*file, read(file))).collect();
        let planted: Vec<(Fault, &str)> = texts
            .iter()
            .flat_map(|(file, text)| {
                faults(file, text)
                    .into_iter()
                    .map(move |one| (one, &**text))
            })
            .step_by(stride)
            .collect();
        let outcome = Mutex::new(Outcome {
            planted: planted.len(),
            ..Outcome::default()
        });
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let work = folder.path().join(format!("thread_{thread}"));
                fs::create_dir(&work).unwrap();
                let (next, planted, outcome) = (&next, &planted, &outcome);
                let project = &project;
                scope.spawn(move || {
                    while let Some((fault, text)) =
                        planted.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        fs::write(work.join(fault.file), fault.planted(text)).unwrap();
                        let Some(round) = self.noticed(Some(fault), project, &work) else {
                            continue;
                        };
                        let mut outcome = outcome.lock().unwrap();
                        outcome.shown += 1;
                        if round <= default_rounds {
                            outcome.caught += 1;
                            outcome.first_round += usize::from(round == 1);
                            outcome.rounds.insert(round);
                        } else {
                            outcome.missed.push(fault.shown(text));
                        }
                    }
                });
            }
        });
        outcome.into_inner().unwrap()
    }

    /// The round in which the testbench of a project notices a fault, which is planted in `work`.
    fn noticed(self, fault: Option<&Fault>, project: &Path, work: &Path) -> Option<usize> {
        let (files, joins) = self.files();
        let mut compile = Command::new("iverilog");
        compile.args(["-g2005", "-o"]).arg(work.join("tb.vvp"));
        for file in files.iter().chain(&[joins, "tb.v"]) {
            let is_planted = fault.is_some_and(|fault| fault.file == *file);
            compile.arg(if is_planted { work } else { project }.join(file));
        }
        let compiled = output(&mut compile);
        assert!(compiled.status.success(), "{}", text(&compiled.stderr));
        let ran = output(
            Command::new("vvp")
                .arg(work.join("tb.vvp"))
                .current_dir(project),
        );
        let printed = text(&ran.stdout);
        match (ran.status.code(), printed.contains("PASS: ")) {
            (Some(0), true) => None,
            (Some(1), false) => {
                let (_, round) = printed.split_once("FAIL: round ").unwrap();
                Some(round.split(' ').next().unwrap().parse().unwrap())
            }
            _ => panic!("{fault:?}: {ran:?}"),
        }
    }
}

/// Files of a project that have something of each round.
const FILES_OF_ROUNDS: [&str; 3] = ["traffic.hex", "expected.hex", "tb.v"];

fn is_of_round(line: &str) -> bool {
    line.contains(": begin first = ") && !line.contains("default")
}

/// The head of a testbench, which says how many lines there are of all rounds.
fn with_lines(head: &str, lines: usize) -> String {
    const NAME: &str = "localparam LINES = ";
    match head.split_once(NAME) {
        Some((before, rest)) => {
            let rest = rest.trim_start_matches(|one: char| one.is_ascii_digit());
            format!("{before}{NAME}{lines}{rest}")
        }
        None => head.to_owned(),
    }
}

/// What the files of a project have of each round.
fn rounds_of(project: &Path) -> Vec<[String; 3]> {
    let [traffic, expected, tb] = FILES_OF_ROUNDS.map(|file| {
        let text = fs::read_to_string(project.join(file)).unwrap();
        let mut rounds: Vec<String> = Vec::new();
        for line in text.split_inclusive('\n') {
            let begins = match file {
                "tb.v" => is_of_round(line),
                _ => rounds.is_empty() || line.starts_with("// round "),
            };
            if begins {
                rounds.push(String::new());
            }
            if file != "tb.v" || begins {
                rounds.last_mut().unwrap().push_str(line);
            }
        }
        rounds
    });
    let tb = tb.into_iter().chain(std::iter::repeat(String::new()));
    let rounds = traffic.into_iter().zip(expected).zip(tb);
    rounds
        .map(|((traffic, expected), tb)| [traffic, expected, tb])
        .collect()
}

fn output(command: &mut Command) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("Icarus is needed here: {error}"))
}
