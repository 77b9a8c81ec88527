//! Says how large a dump will be, when a part of it is written that shows it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use waves::trace::{Kind, SignalId, TextForm, Trace, Value};

/// Bytes of changes that are looked at.
const LOOKED_AT: u64 = 1 << 22;
/// Bytes of a dump that is called large.
const LARGE: u64 = 100_000_000;

/// A trace of a file that may become large.
pub(super) struct Growing<'t> {
    trace: Box<dyn Trace + 't>,
    /// Bytes of the file.
    written: Arc<AtomicU64>,
    /// The last tick of the run; none where nobody knows it.
    last: Option<u64>,
    path: PathBuf,
    /// The first tick, and the bytes that were written before it.
    first: Option<(u64, u64)>,
    say: fn(&str),
}

impl<'t> Growing<'t> {
    /// Of a file, and what says how large it will be.
    pub fn new(
        trace: Box<dyn Trace + 't>,
        written: Arc<AtomicU64>,
        (path, last): (PathBuf, Option<u64>),
        say: fn(&str),
    ) -> Self {
        Growing {
            trace,
            written,
            last,
            path,
            first: None,
            say,
        }
    }

    /// Looks at it, until it is known.
    fn look(&mut self, tick: u64) {
        let (Some(last), Some((first, before))) = (self.last, self.first) else {
            return;
        };
        let written = self.written.load(Ordering::Relaxed) - before;
        if written < LOOKED_AT || tick <= first {
            return;
        }
        self.last = None;
        let rate = written as f64 / (tick - first) as f64;
        let bytes = before + (rate * last.saturating_sub(first) as f64) as u64;
        if bytes >= LARGE {
            (self.say)(&format!(
                "{} will have about {} MB, going by its first bit times: fewer nodes (--trace-nodes), fewer bit times \
                 (--trace-from, --trace-to) or the ending .fst make it smaller",
                self.path.display(),
                bytes / 1_000_000
            ));
        }
    }
}

impl Trace for Growing<'_> {
    fn text_form(&self) -> TextForm {
        self.trace.text_form()
    }

    fn push_scope(&mut self, name: &str) -> io::Result<()> {
        self.trace.push_scope(name)
    }

    fn pop_scope(&mut self) -> io::Result<()> {
        self.trace.pop_scope()
    }

    fn add_signal(&mut self, name: &str, kind: Kind) -> io::Result<SignalId> {
        self.trace.add_signal(name, kind)
    }

    fn begin(&mut self, tick: u64) -> io::Result<()> {
        self.trace.begin(tick)
    }

    fn advance(&mut self, tick: u64) -> io::Result<()> {
        // What is declared, and all first values, come once.
        let written = || self.written.load(Ordering::Relaxed);
        self.first.get_or_insert_with(|| (tick, written()));
        self.look(tick);
        self.trace.advance(tick)
    }

    fn change(&mut self, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        self.trace.change(signal, value)
    }

    fn finish(&mut self, tick: u64) -> io::Result<()> {
        self.trace.finish(tick)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    struct Nothing;

    impl Trace for Nothing {
        fn push_scope(&mut self, _: &str) -> io::Result<()> {
            Ok(())
        }
        fn pop_scope(&mut self) -> io::Result<()> {
            Ok(())
        }
        fn add_signal(&mut self, _: &str, _: Kind) -> io::Result<SignalId> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn begin(&mut self, _: u64) -> io::Result<()> {
            Ok(())
        }
        fn advance(&mut self, _: u64) -> io::Result<()> {
            Ok(())
        }
        fn change(&mut self, _: SignalId, _: Value<'_>) -> io::Result<()> {
            Ok(())
        }
        fn finish(&mut self, _: u64) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_large_dump_is_foretold_once_by_its_first_bit_times() {
        static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let run = |declared: u64, each: u64, last: Option<u64>| {
            let written = Arc::new(AtomicU64::new(declared));
            let about = (PathBuf::from("run.vcd"), last);
            let mut trace = Growing::new(Box::new(Nothing), Arc::clone(&written), about, |said| {
                SAID.lock().unwrap().push(said.to_owned());
            });
            trace.begin(0).unwrap();
            for tick in 1..=1001 {
                trace.advance(tick).unwrap();
                written.fetch_add(each, Ordering::Relaxed);
            }
            std::mem::take(&mut *SAID.lock().unwrap())
        };
        let [said] = run(5_000_000, 200_000, Some(1001)).try_into().unwrap();
        assert!(
            said.starts_with("run.vcd will have about 205 MB, "),
            "{said}"
        );
        for (declared, each, last) in [
            (5_000_000, 90_000, Some(1001)),
            (90_000_000, 9_000, Some(1001)),
            (5_000_000, 200_000, None),
        ] {
            assert!(run(declared, each, last).is_empty());
        }
    }
}
