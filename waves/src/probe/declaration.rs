//! Declares signals as modules are walked.

use std::io;

use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::shown::{Digits, Number, Told};
use rtl_model::machine::topology::Labelled;

use crate::probe::subject::Remark;
use crate::probe::{NUMBERS, Signal, TOLD};
use crate::trace::{Kind, SignalId, Trace};

/// What has been declared, and where.
pub(super) struct Declaration<'t> {
    pub trace: Box<dyn Trace + 't>,
    pub signals: Vec<Signal>,
    /// Signals whose values are bits.
    pub sampled: Vec<SignalId>,
    scopes: Vec<String>,
    depth: usize,
    /// Scopes that were open when the walk began.
    outside: usize,
    /// Text to be declared in the modules that are walked, and what has been: its number, and the
    /// signal.
    remarks: Vec<Remark>,
    remarked: Vec<(usize, SignalId)>,
    failure: Option<io::Error>,
}

impl<'t> Declaration<'t> {
    pub fn new(trace: Box<dyn Trace + 't>) -> Self {
        Declaration {
            trace,
            signals: Vec::new(),
            sampled: Vec::new(),
            scopes: Vec::new(),
            depth: 0,
            outside: 0,
            remarks: Vec::new(),
            remarked: Vec::new(),
            failure: None,
        }
    }

    pub fn push(&mut self, scope: &str) -> io::Result<()> {
        self.scopes.push(scope.to_owned());
        self.trace.push_scope(scope)
    }

    pub fn pop(&mut self) -> io::Result<()> {
        self.scopes.pop();
        self.trace.pop_scope()
    }

    pub fn add(&mut self, name: &str, kind: Kind) -> io::Result<SignalId> {
        self.signals.push(Signal {
            scopes: self.scopes.clone(),
            name: name.to_owned(),
            kind,
            ever_set: false,
            in_sight: false,
            changes: 0,
            said: Vec::new(),
            follows: false,
            fails: None,
        });
        self.trace.add_signal(name, kind)
    }

    pub fn sample(&mut self, name: &str, kind: Kind) -> io::Result<()> {
        let signal = self.add(name, kind)?;
        self.sampled.push(signal);
        Ok(())
    }

    /// Declares what is shown of a node beside wires and registers, in a scope inside the one that is open.
    pub fn numbers(&mut self, numbers: &[Number]) -> io::Result<()> {
        if numbers.is_empty() {
            return Ok(());
        }
        self.push(NUMBERS)?;
        for Number {
            name,
            width,
            digits,
        } in numbers
        {
            let width = *width;
            let kind = match digits {
                Digits::Hexadecimal | Digits::Decimal => Kind::Number {
                    width,
                    is_decimal: *digits == Digits::Decimal,
                },
                Digits::Binary => Kind::Bus { width },
            };
            self.sample(name, kind)?;
        }
        self.pop()
    }

    /// Declares what is told of a node, in a scope inside the one that is open.
    pub fn told(&mut self, told: &[Told]) -> io::Result<Vec<SignalId>> {
        if told.is_empty() {
            return Ok(Vec::new());
        }
        self.push(TOLD)?;
        let longest = |told: &Told| Kind::Text {
            longest: told.longest,
        };
        let each = told.iter().map(|told| self.add(&told.name, longest(told)));
        let signals = each.collect::<io::Result<_>>()?;
        self.pop()?;
        Ok(signals)
    }

    /// Declares wires in scopes inside the one that is open, and text beside them, as [`Declaration::remarked_registers`].
    pub fn wires(
        &mut self,
        labelled: &[Labelled],
        remarks: &[Remark],
    ) -> io::Result<Vec<(usize, SignalId)>> {
        self.remarks = remarks.to_vec();
        self.outside = self.scopes.len();
        for scope in labelled.chunk_by(|one, next| one.scope == next.scope) {
            self.push(&scope[0].scope)?;
            self.remark()?;
            for Labelled { name, wires, .. } in scope {
                let kind = match wires.len() {
                    1 => Kind::Wire,
                    width => Kind::Bus { width },
                };
                self.sample(name, kind)?;
            }
            self.pop()?;
        }
        self.remarks.clear();
        Ok(std::mem::take(&mut self.remarked))
    }

    /// Declares the registers of a module in the scope that is open.
    pub fn registers(&mut self, module: &dyn Registers<bool>) -> io::Result<()> {
        self.outside = self.scopes.len();
        module.visit(Name::Field("module"), self);
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Declares the registers of a node, and text beside them. Returns the number of each remark that there is a
    /// module for, and its signal.
    pub fn remarked_registers(
        &mut self,
        show: &dyn Fn(&mut dyn Visitor<bool>),
        remarks: &[Remark],
    ) -> io::Result<Vec<(usize, SignalId)>> {
        self.remarks = remarks.to_vec();
        self.outside = self.scopes.len();
        show(self);
        self.remarks.clear();
        let remarked = std::mem::take(&mut self.remarked);
        self.failure.take().map_or(Ok(remarked), Err)
    }

    /// The remarks for the module that has just begun.
    fn remark(&mut self) -> io::Result<()> {
        for number in 0..self.remarks.len() {
            let remark = &self.remarks[number];
            if remark.module[..] == self.scopes[self.outside..] {
                let (name, longest) = (remark.name.clone(), remark.longest);
                let signal = self.add(&name, Kind::Text { longest })?;
                self.remarked.push((number, signal));
            }
        }
        Ok(())
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
        }
    }
}

impl Visitor<bool> for Declaration<'_> {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        // The outermost module is the scope that is open.
        if self.depth > 0 {
            let pushed = self.push(&name.to_string());
            self.note(pushed);
        }
        let remarked = self.remark();
        self.note(remarked);
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth -= 1;
        if self.depth > 0 {
            let popped = self.pop();
            self.note(popped);
        }
    }

    fn register<'r>(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r bool) {
        let sampled = self.sample(&name.to_string(), Kind::Register { width });
        self.note(sampled);
    }
}
