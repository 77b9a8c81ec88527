//! A sample of what can be asked of each testbench, made from the table of its parameters: the smallest machine and some larger
//! ones, each name once, each switch, numbers at the ends of their ranges. A testbench that is added is in it without a line here.

use std::sync::OnceLock;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use testbenches::error::Error;
use testbenches::families::testbenches;
use testbenches::report::Report;
use testbenches::testbench::bench::{self, RunOptions, Testbench};
use testbenches::testbench::chosen::Chosen;
use testbenches::testbench::parameter::{Kind, Parameter, Scope};

/// By the names of parameters, values that make a small machine, in the order in which they are tried. The first two are in the
/// sample in any case; of the others one is there where what is asked for beside them needs it.
const SIZES: [(&str, [&str; 4]); 11] = [
    ("dims", ["2", "3", "4", "6"]),
    ("blocks", ["1", "2", "2", "2"]),
    ("payload_bits", ["2", "5", "5", "5"]),
    ("message_bits", ["6", "12", "12", "12"]),
    ("word_bits", ["4", "8", "8", "8"]),
    ("batches", ["2", "3", "3", "3"]),
    ("h", ["2", "3", "3", "3"]),
    ("processors", ["2", "3", "3", "3"]),
    ("size", ["4", "8", "16", "64"]),
    ("bins", ["4", "9", "9", "9"]),
    ("samples", ["3", "5", "5", "5"]),
];

/// What takes longer, or is more work, is left out: bit times, and bits that nodes store times bit times.
const MOST_BIT_TIMES: u64 = 3000;
const MOST_WORK: u64 = 1 << 26;

/// What came of what was asked for.
#[derive(Clone, Debug)]
pub enum Outcome {
    Ran(Box<Report>),
    Refused(String),
    /// It would take too long here.
    LeftOut,
}

/// What was asked of a testbench, and what came of it.
#[derive(Clone, Debug)]
pub struct Sampled {
    pub bench: &'static Testbench,
    pub words: String,
    /// The parameter that it is about, and the value; none of the machines of each size.
    pub about: Option<(&'static Parameter, String)>,
    pub outcome: Outcome,
}

/// What a run beside others is asked for with.
pub fn quietly() -> RunOptions {
    RunOptions {
        quiet: true,
        threads: Some(1),
        ..RunOptions::default()
    }
}

impl Sampled {
    /// What is chosen.
    pub fn chosen(&self) -> Chosen {
        self.bench.asked(&self.words).unwrap()
    }

    /// Its report, if it ran.
    pub fn report(&self) -> Option<&Report> {
        match &self.outcome {
            Outcome::Ran(report) => Some(report),
            _ => None,
        }
    }

    /// For whoever reads what went wrong.
    pub fn name(&self) -> String {
        format!("{} {}", self.bench.name, self.words)
    }

    /// Of the parameter that it is about.
    fn value(&self) -> Option<&str> {
        self.about.as_ref().map(|(_, value)| value.as_str())
    }

    /// Whether it is about what a project of the testbench calls its choice, or about its size.
    pub fn is_of_choice(&self) -> bool {
        is_of_choice(self.bench, self.about.as_ref())
    }
}

fn is_of_choice(bench: &Testbench, about: Option<&(&Parameter, String)>) -> bool {
    about.is_none_or(|(parameter, _)| parameter.name == bench.project.choice)
}

/// All of the sample, run once.
pub fn sample() -> &'static [Sampled] {
    static ALL: OnceLock<Vec<Sampled>> = OnceLock::new();
    ALL.get_or_init(|| {
        let others = tried_where(|asked| !asked.is_of_choice());
        of_choices().iter().cloned().chain(others).collect()
    })
}

/// Those of it that are about sizes and main choices; who needs no others has no others run.
fn of_choices() -> &'static [Sampled] {
    static CHOICES: OnceLock<Vec<Sampled>> = OnceLock::new();
    CHOICES.get_or_init(|| tried_where(Asked::is_of_choice))
}

fn tried_where(is_wanted: impl Fn(&Asked) -> bool) -> Vec<Sampled> {
    let asked = testbenches().flat_map(asked_of).filter(is_wanted);
    let asked: Vec<_> = asked.collect();
    asked.into_par_iter().flat_map_iter(tried).collect()
}

/// What of it ran, with its reports.
pub fn ran() -> impl Iterator<Item = (&'static Sampled, &'static Report)> {
    sample()
        .iter()
        .filter_map(|sampled| Some((sampled, sampled.report()?)))
}

/// The same with some of them: the machines of each size, at each name of the main choice.
pub fn ran_of_choices() -> impl Iterator<Item = (&'static Sampled, &'static Report)> {
    of_choices()
        .iter()
        .filter_map(|sampled| Some((sampled, sampled.report()?)))
}

/// Of those the smallest machine and the largest of so many nodes at the most, of each name; of a testbench without a main choice
/// those that there are.
pub fn ends_of_choices(most_nodes: usize) -> Vec<[(&'static Sampled, &'static Report); 2]> {
    let mut ends: Vec<[(&Sampled, &Report); 2]> = Vec::new();
    for (sampled, report) in ran_of_choices() {
        let bench = sampled.bench;
        let is_default = sampled.about.is_none() && bench.parameter(bench.project.choice).is_some();
        if is_default || report.topology.nodes > most_nodes {
            continue;
        }
        match ends.last_mut() {
            Some([_, last])
                if std::ptr::eq(last.0.bench, bench) && last.0.value() == sampled.value() =>
            {
                *last = (sampled, report);
            }
            _ => ends.push([(sampled, report); 2]),
        }
    }
    ends
}

/// What is asked for in these words, run; it is kept as long as the sample.
pub fn one(bench: &'static Testbench, words: &str) -> &'static Sampled {
    Box::leak(Box::new(Sampled {
        bench,
        words: words.to_owned(),
        about: None,
        outcome: outcome(bench, words),
    }))
}

/// What is asked for: a value of a parameter, or none; and whether in both sizes.
struct Asked {
    bench: &'static Testbench,
    about: Option<(&'static Parameter, String)>,
}

fn is_option(parameter: &&&'static Parameter) -> bool {
    matches!(parameter.scope, Scope::Machine | Scope::Run)
}

fn options(bench: &'static Testbench) -> impl Iterator<Item = &'static Parameter> + Clone {
    bench.parameters.iter().filter(is_option).copied()
}

/// Values of a parameter that are worth a look, as the table has them.
fn values(parameter: &Parameter, nothing: &Chosen) -> Vec<String> {
    let all = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    match parameter.kind {
        Kind::Name(_, known) => all(&known(nothing)),
        Kind::Range(least, most) => vec![least.to_string(), most.to_string()],
        Kind::Whole | Kind::Amount => all(&["0", "1"]),
        Kind::Share => all(&["0", "0.1", "1"]),
        Kind::Switch => all(&[""]),
        // What they mean only the testbench knows.
        Kind::Text | Kind::File(_) | Kind::Output(_) => Vec::new(),
    }
}

fn asked_of(bench: &'static Testbench) -> Vec<Asked> {
    let nothing = Chosen::of(bench);
    let about = options(bench).flat_map(|parameter| {
        let values = values(parameter, &nothing).into_iter();
        values.map(move |value| Some((parameter, value)))
    });
    let all = std::iter::once(None).chain(about);
    all.map(|about| Asked { bench, about }).collect()
}

/// As a command line has it.
fn words_of((parameter, value): &(&'static Parameter, String)) -> String {
    format!("{} {value}", parameter.option)
        .trim_end()
        .to_owned()
}

impl Asked {
    fn is_of_choice(&self) -> bool {
        is_of_choice(self.bench, self.about.as_ref())
    }

    /// The words beside which it is asked for: a machine of that size, or whatever there is without being asked.
    fn beside(&self, size: Option<usize>) -> Vec<String> {
        let about = self.about.as_ref().map(|(parameter, _)| parameter.name);
        let others = options(self.bench).filter(|parameter| Some(parameter.name) != about);
        let sized = others.filter_map(|parameter| {
            let (_, values) = SIZES.iter().find(|(name, _)| *name == parameter.name)?;
            let is_there = size.is_some() || parameter.is_required;
            is_there.then(|| format!("{} {}", parameter.option, values[size.unwrap_or(0)]))
        });
        sized.collect()
    }

    fn with(&self, mut words: Vec<String>) -> Sampled {
        words.extend(self.about.as_ref().map(words_of));
        let words = words.join(" ");
        Sampled {
            outcome: outcome(self.bench, &words),
            bench: self.bench,
            words,
            about: self.about.clone(),
        }
    }

    /// The words that are tried in turn until some run: larger machines, what there is without being asked, and beside a value of
    /// another parameter, without which it may mean nothing.
    fn further(&self) -> impl Iterator<Item = Vec<String>> {
        let sizes = [Some(1), Some(2), Some(3), None].map(|size| self.beside(size));
        let nothing = Chosen::of(self.bench);
        let about = self.about.as_ref().map(|(parameter, _)| parameter.name);
        let others = options(self.bench).filter(move |parameter| Some(parameter.name) != about);
        let beside: Vec<_> = others
            .flat_map(|parameter| {
                let values = values(parameter, &nothing).into_iter();
                values.map(move |value| (parameter, value))
            })
            .flat_map(|other| {
                let words = [Some(0), Some(1)].map(|size| self.beside(size));
                words.map(|mut words| {
                    let own = format!("{} ", other.0.option);
                    words.retain(|word| !word.starts_with(&own));
                    words.push(words_of(&other));
                    words
                })
            })
            .collect();
        sizes.into_iter().chain(beside)
    }
}

/// What is asked for, in one size or in two. Where it is refused, what it is refused with first stands for it.
fn tried(asked: Asked) -> Vec<Sampled> {
    let mut first = asked.with(asked.beside(Some(0)));
    if matches!(first.outcome, Outcome::Refused(_)) {
        let mut others = asked.further().map(|words| asked.with(words));
        if let Some(ran) = others.find(|other| other.report().is_some()) {
            first = ran;
        }
    }
    let larger = first
        .is_of_choice()
        .then(|| asked.with(asked.beside(Some(1))));
    let is_other = |larger: &Sampled| larger.words != first.words && larger.report().is_some();
    let larger = larger.filter(is_other);
    std::iter::once(first).chain(larger).collect()
}

fn outcome(bench: &'static Testbench, words: &str) -> Outcome {
    let ran = || -> Result<Option<Report>, Error> {
        let chosen = bench.asked(words)?;
        let job = (bench.job)(&chosen)?;
        let requirement = job.requirement();
        let work = requirement.storage_bits.value * requirement.node_bit_times;
        if requirement.bit_times.value > MOST_BIT_TIMES || work > MOST_WORK {
            return Ok(None);
        }
        bench::run(chosen, &quietly()).map(Some)
    };
    match ran() {
        Ok(Some(report)) => Outcome::Ran(Box::new(report)),
        Ok(None) => Outcome::LeftOut,
        Err(error) => Outcome::Refused(error.to_string()),
    }
}
