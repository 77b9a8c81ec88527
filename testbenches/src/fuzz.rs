//! Readers of what users give, fed with inputs that are drawn from a corpus: none may panic, hang or fill the memory.
//!
//! A reader is called in a test whose path has `fuzz::` in it, beside what it reads. What is found is put into the corpus, so that
//! it is tried for ever. `scripts/fuzz` runs as many inputs as one likes; a short run is among the tests.

mod corpus;
mod draw;

use std::env::var;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use corpus::Corpus;

/// All readers by their folders in the corpus, and how many inputs of ten thousand each gets: few where an input takes long.
const READERS: [(&str, u64); 17] = [
    ("command_lines", 2),
    ("configurations", 1800),
    ("csv", 2600),
    ("journals", 400),
    ("lists", 200),
    ("manifests", 15),
    ("networks", 1000),
    ("options", 100),
    ("queries", 50),
    ("reports", 100),
    ("results", 40),
    ("routes", 700),
    ("runs", 60),
    ("sends", 900),
    ("shares", 15),
    ("traffic", 1500),
    ("views", 518),
];
const SHARES: u64 = 10_000;

/// Inputs of all readers together, unless the variable says how many.
const INPUTS: u64 = 50_000;
const INPUTS_VARIABLE: &str = "CUBEWAVE_FUZZ_INPUTS";
/// The seed of all draws, unless the variable says which.
const SEED: u64 = 1;
const SEED_VARIABLE: &str = "CUBEWAVE_FUZZ_SEED";
/// The one reader that gets all inputs, if the variable names one.
const READER_VARIABLE: &str = "CUBEWAVE_FUZZ_READER";

/// What no input may take more of.
#[derive(Clone, Copy)]
struct Limits {
    /// Far longer than any takes, on a machine on which others work too.
    time: Duration,
    /// Memory beside what there was, in bytes.
    memory: u64,
}

const LIMITS: Limits = Limits {
    time: Duration::from_secs(20),
    memory: 1 << 29,
};

/// After so many inputs it is looked at how much memory there is in use.
const BETWEEN_LOOKS: u64 = 16;

/// How many inputs a reader gets.
fn inputs(name: &str) -> u64 {
    let number = |variable| var(variable).ok().map(|text| text.parse().unwrap());
    let all = number(INPUTS_VARIABLE).unwrap_or(INPUTS);
    let share = READERS.iter().find(|(known, _)| *known == name);
    let (_, share) = share.unwrap_or_else(|| panic!("there is no reader {name}"));
    match var(READER_VARIABLE) {
        Ok(only) if only == name => all,
        Ok(_) => 0,
        Err(_) => (all * share).div_ceil(SHARES),
    }
}

fn seed() -> u64 {
    var(SEED_VARIABLE).map_or(SEED, |text| text.parse().unwrap())
}

/// Has a reader read what is in its corpus, and what is drawn from that.
pub(crate) fn fuzz(name: &str, read: impl FnMut(&[u8]) + Send + 'static) {
    let corpus = Corpus::of::<&str>(name, &[], seed());
    let found = fuzz_with(&corpus, inputs(name), (LIMITS, read));
    report(&corpus, found);
}

/// The same, where inputs are drawn from texts too that the program has.
pub(crate) fn fuzz_from(
    name: &str,
    texts: &[impl AsRef<[u8]>],
    read: impl FnMut(&[u8]) + Send + 'static,
) {
    let corpus = Corpus::of(name, texts, seed());
    let found = fuzz_with(&corpus, inputs(name), (LIMITS, read));
    report(&corpus, found);
}

/// What an input does that none may do.
#[derive(Debug, PartialEq)]
struct Found {
    does: &'static str,
    input: Vec<u8>,
}

/// Puts it into the corpus.
fn report(corpus: &Corpus, found: Option<Found>) {
    if let Some(Found { does, input }) = found {
        let path = corpus.put(&input);
        panic!("{does}: {}, which is in the corpus now", path.display());
    }
}

/// The first input that does what none may do, as short as it could be made.
fn fuzz_with(
    corpus: &Corpus,
    amount: u64,
    (limits, mut read): (Limits, impl FnMut(&[u8]) + Send + 'static),
) -> Option<Found> {
    let now = Arc::new(AtomicU64::new(0));
    let (sender, receiver) = channel();
    let (own, at) = (corpus.clone(), Arc::clone(&now));
    let begin = Instant::now();
    // Where the system lets one, the most memory begins anew.
    _ = fs::write("/proc/self/clear_refs", "5");
    let amount = match amount {
        0 => 0,
        amount => amount.max(corpus.len()),
    };
    // On a thread of its own, since nobody can end a reader that hangs.
    std::thread::spawn(move || {
        let mut panics = |input: &[u8]| catch_unwind(AssertUnwindSafe(|| read(input))).is_err();
        let (before, mut slowest) = (most_memory(), Duration::ZERO);
        for number in 0..amount {
            at.store(number, Ordering::Relaxed);
            let input = own.input(number);
            let begin = Instant::now();
            if panics(&input) {
                let input = shortened(input, &mut panics);
                return sender.send(Err(Found {
                    does: "a panic",
                    input,
                }));
            }
            let took = begin.elapsed();
            if took > limits.time {
                let does = "an input that takes long";
                return sender.send(Err(Found { does, input }));
            }
            slowest = slowest.max(took);
            if number % BETWEEN_LOOKS == 0 && most_memory() > before + limits.memory {
                let does = "memory is filled, by this input or one shortly before";
                return sender.send(Err(Found { does, input }));
            }
        }
        sender.send(Ok(slowest))
    });
    let mut last = None;
    loop {
        match receiver.recv_timeout(limits.time) {
            Ok(Err(found)) => return Some(found),
            Ok(Ok(slowest)) => {
                println!(
                    "fuzzed {}: {amount} inputs, {:.1} s, slowest {:.0} ms, {} MiB",
                    corpus.name(),
                    begin.elapsed().as_secs_f64(),
                    slowest.as_secs_f64() * 1e3,
                    most_memory() >> 20
                );
                return None;
            }
            Err(RecvTimeoutError::Disconnected) => panic!("the thread of the reader has ended"),
            Err(RecvTimeoutError::Timeout) => {
                let number = now.load(Ordering::Relaxed);
                if last.replace(number) == Some(number) {
                    let input = corpus.input(number);
                    return Some(Found {
                        does: "a hang",
                        input,
                    });
                }
            }
        }
    }
}

/// An input that panics, with parts left out that it does not need for that.
fn shortened(mut input: Vec<u8>, panics: &mut impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut size = input.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= input.len() {
            let shorter = [&input[..at], &input[at + size..]].concat();
            match panics(&shorter) {
                true => input = shorter,
                false => at += size,
            }
        }
        size /= 2;
    }
    input
}

/// The most memory that this process has had, in bytes; 0 where the system does not tell.
fn most_memory() -> u64 {
    let told = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kibibytes.map_or(0, |number| number.trim().parse::<u64>().unwrap() << 10)
}

/// A folder for readers that take the name of a file: in memory, where there is such a place.
pub(crate) struct Desk(tempfile::TempDir);

impl Desk {
    pub(crate) fn new() -> Self {
        let in_memory = tempfile::tempdir_in("/dev/shm");
        Desk(in_memory.or_else(|_| tempfile::tempdir()).unwrap())
    }

    /// Where a file of that name is, or would be.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Puts a file there.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Nothing has been written but what was put there under these names.
    pub(crate) fn has_only(&self, names: &[&str]) {
        for entry in fs::read_dir(self.0.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(names.contains(&name.as_str()), "{name} was written");
        }
    }
}

/// Whether a machine of so many nodes is asked for that its plan takes seconds, and memory as far as there is some.
pub(crate) fn is_of_many_nodes(text: &str) -> bool {
    const MANY: std::ops::Range<u64> = 11..1000;
    let values = text.split("dims").skip(1).map(|rest| {
        let value = rest.trim_start_matches([' ', '=']);
        value.split([' ', '&']).next().unwrap_or_default()
    });
    let mut numbers = values.flat_map(|value| value.split(|one: char| !one.is_ascii_digit()));
    numbers.any(|number| number.parse().is_ok_and(|number| MANY.contains(&number)))
}

/// The folder of the corpus of all readers.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testbenches/tests/fuzz")
}

#[cfg(test)]
mod tests;
