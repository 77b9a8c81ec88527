//! A wave kept in memory, for tests.

use std::collections::HashMap;
use std::io;

use crate::trace::{Kind, SignalId, Trace, Value};

/// Every change, by signal.
#[derive(Debug, Default)]
pub struct MemoryTrace {
    scope: Vec<String>,
    paths: HashMap<String, SignalId>,
    changes: Vec<Vec<(u64, String)>>,
    now: u64,
}

impl MemoryTrace {
    /// The signal of that path, scopes joined by dots.
    pub fn signal(&self, path: &str) -> Option<SignalId> {
        self.paths.get(path).copied()
    }

    /// What the signal took, and when: bits most significant first, or a name. None beyond the last
    /// signal.
    pub fn changes(&self, signal: SignalId) -> Option<&[(u64, String)]> {
        self.changes.get(signal).map(Vec::as_slice)
    }

    /// The value of the signal at `tick`.
    pub fn value_at(&self, signal: SignalId, tick: u64) -> Option<&str> {
        self.changes[signal]
            .iter()
            .take_while(|(time, _)| *time <= tick)
            .last()
            .map(|(_, value)| value.as_str())
    }
}

impl Trace for MemoryTrace {
    fn push_scope(&mut self, name: &str) -> io::Result<()> {
        self.scope.push(name.to_owned());
        Ok(())
    }

    fn pop_scope(&mut self) -> io::Result<()> {
        self.scope.pop();
        Ok(())
    }

    fn add_signal(&mut self, name: &str, _kind: Kind) -> io::Result<SignalId> {
        let signal = self.changes.len();
        let path = format!("{}.{name}", self.scope.join("."));
        self.paths.insert(path, signal);
        self.changes.push(Vec::new());
        Ok(signal)
    }

    fn begin(&mut self, tick: u64) -> io::Result<()> {
        self.now = tick;
        Ok(())
    }

    fn advance(&mut self, tick: u64) -> io::Result<()> {
        self.now = tick;
        Ok(())
    }

    fn change(&mut self, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        let value = match value {
            Value::Text(text) => text.to_owned(),
            Value::Bits(bits) => bits
                .iter()
                .rev()
                .map(|&bit| if bit { '1' } else { '0' })
                .collect(),
        };
        self.changes[signal].push((self.now, value));
        Ok(())
    }

    fn finish(&mut self, tick: u64) -> io::Result<()> {
        self.now = tick;
        Ok(())
    }
}
