//! The probe: reads a machine in every bit time and says what changed.
//!
//! ```text
//!   cube
//!     clk
//!     driven         bit d: the wires of dimension d are in use in this bit time (else they carry 0)
//!     user_<d>       where steps overlap and the format holds text: the unit that drives those wires
//!     sequencer      its registers, and step_name where the format holds text; where steps overlap and no
//!                    register holds their code, step: the code of the one that began last
//!     node_<n>
//!       occupied_bits
//!       dim_<d>      tx, rx: the bits on the two wires of dimension d in this bit time
//!       <part> ...   the node's registers as they stand in this bit time, by the names they run under
//! ```
//!
//! After a run of `T` bit times, bit time `T` shows what the last clock edge left.

use std::io;
use std::ops::Range;

use rtl_model::bit::Bit;
use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::register::{Name, Registers, Visitor};
use rtl_model::router::{Position, Router};
use rtl_model::topology::hypercube::neighbour;

use crate::trace::{Kind, SignalId, TICKS_PER_BIT_TIME, Trace, Value};

/// A declared signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The scopes that it stands in, outermost first.
    pub scopes: Vec<String>,
    /// Its name in the innermost.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// What a probe recorded, for making a view of it.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Everything that was declared, in order.
    pub signals: Vec<Signal>,
    /// First and last tick.
    pub ticks: Range<u64>,
    /// When a step began, and which.
    pub steps: Vec<(u64, u32)>,
    /// Names of the steps, by number.
    pub step_names: &'static [&'static str],
    /// The dimensions of the cube.
    pub dimensions: usize,
}

/// Which nodes are traced, and when.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Nodes, in the order in which they are declared.
    pub nodes: Vec<usize>,
    /// Bit times.
    pub window: Range<u64>,
}

/// Hangs on a machine. To be asked between [`Fabric::transmit`] and [`Fabric::clock`].
pub struct Probe<T: Trace> {
    trace: T,
    selection: Selection,
    recording: Recording,
    clk: SignalId,
    step_name: Option<SignalId>,
    /// By dimension, where steps overlap: the unit that drives the wires, and what it last was.
    users: Vec<SignalId>,
    last_users: Vec<&'static str>,
    /// Signals whose values are bits, in the order in which they are sampled.
    sampled: Vec<SignalId>,
    before: Vec<bool>,
    now: Vec<bool>,
    last_position: Option<Position>,
    begun: bool,
}

impl<T: Trace> Probe<T> {
    /// Declares everything that is to be traced of `fabric`.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn attach<R: Router, B: Lanes>(
        trace: T,
        fabric: &Fabric<R, B>,
        selection: Selection,
    ) -> io::Result<Self> {
        let mut declaration = Declaration {
            trace,
            scopes: Vec::new(),
            signals: Vec::new(),
            sampled: Vec::new(),
            depth: 0,
            failure: None,
        };
        let dimensions = fabric.router().dimensions().count();
        declaration.push("cube")?;
        let clk = declaration.add("clk", Kind::Wire)?;
        declaration.sample("driven", Kind::Bus { width: dimensions })?;
        let users = match R::STEPS_OVERLAP && declaration.trace.holds_text() {
            true => (0..dimensions)
                .map(|dimension| declaration.add(&format!("user_{dimension}"), Kind::Text))
                .collect::<io::Result<_>>()?,
            false => Vec::new(),
        };
        declaration.push("sequencer")?;
        let step_name = match declaration.trace.holds_text() {
            true => Some(declaration.add("step_name", Kind::Text)?),
            false => None,
        };
        declaration.registers::<bool>(fabric.sequencer())?;
        if R::STEPS_OVERLAP {
            let last = R::STEPS.len() as u32 - 1;
            declaration.sample(
                "step",
                Kind::Bus {
                    width: last.ilog2() as usize + 1,
                },
            )?;
        }
        declaration.pop()?;
        for &node in &selection.nodes {
            declaration.push(&format!("node_{node}"))?;
            declaration.sample("occupied_bits", Kind::Count)?;
            for dimension in 0..dimensions {
                declaration.push(&format!("dim_{dimension}"))?;
                declaration.sample("tx", Kind::Wire)?;
                declaration.sample("rx", Kind::Wire)?;
                declaration.pop()?;
            }
            declaration.registers::<B>(fabric.node(node).0)?;
            declaration.pop()?;
        }
        declaration.pop()?;
        let ticks = selection.window.start * TICKS_PER_BIT_TIME
            ..selection.window.start * TICKS_PER_BIT_TIME;
        Ok(Probe {
            trace: declaration.trace,
            selection,
            recording: Recording {
                signals: declaration.signals,
                ticks,
                steps: Vec::new(),
                step_names: R::STEPS,
                dimensions,
            },
            clk,
            step_name,
            last_users: vec![""; users.len()],
            users,
            sampled: declaration.sampled,
            before: Vec::new(),
            now: Vec::new(),
            last_position: None,
            begun: false,
        })
    }

    /// Takes down what holds in this bit time.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn sample<R: Router, B: Lanes>(&mut self, fabric: &Fabric<R, B>) -> io::Result<()> {
        let position = fabric.position();
        let after = self.last_position.replace(position);
        let step_of = |position: Position| (position.iteration, position.step);
        if !self.selection.window.contains(&fabric.bit_time()) {
            return Ok(());
        }
        let rise = fabric.bit_time() * TICKS_PER_BIT_TIME;
        self.read(fabric, after);

        if self.begun {
            self.trace.advance(rise)?;
        } else {
            self.trace.begin(rise)?;
        }
        self.trace.change(self.clk, Value::Bits(&[true]))?;
        let step_begins = !self.begun || after.map(step_of) != Some(step_of(position));
        if step_begins {
            let name = R::STEPS.get(position.step as usize).unwrap_or(&"");
            if let Some(step_name) = self.step_name {
                self.trace.change(step_name, Value::Text(name))?;
            }
            self.recording.steps.push((rise, position.step));
        }
        for (dimension, &user) in self.users.iter().enumerate() {
            let now = fabric.driver(dimension).unwrap_or("");
            if !self.begun || self.last_users[dimension] != now {
                self.trace.change(user, Value::Text(now))?;
                self.last_users[dimension] = now;
            }
        }
        let mut place = 0;
        for &signal in &self.sampled {
            let bits = place..place + self.recording.signals[signal].kind.width();
            place = bits.end;
            let now = &self.now[bits.clone()];
            if !self.begun || self.before[bits] != *now {
                self.trace.change(signal, Value::Bits(now))?;
            }
        }
        std::mem::swap(&mut self.before, &mut self.now);
        self.begun = true;
        self.trace.advance(rise + TICKS_PER_BIT_TIME / 2)?;
        self.trace.change(self.clk, Value::Bits(&[false]))?;
        self.recording.ticks.end = rise + TICKS_PER_BIT_TIME;
        Ok(())
    }

    /// Ends the wave.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn finish(mut self) -> io::Result<(T, Recording)> {
        if !self.begun {
            self.trace.begin(self.recording.ticks.end)?;
        }
        self.trace.finish(self.recording.ticks.end)?;
        Ok((self.trace, self.recording))
    }

    /// Reads all sampled signals, in the order of their declaration.
    fn read<R: Router, B: Lanes>(&mut self, fabric: &Fabric<R, B>, after: Option<Position>) {
        self.now.clear();
        let mut reading = Reading {
            place: 0,
            bits: &mut self.now,
        };
        let dimensions = fabric.router().dimensions().count();
        reading
            .bits
            .extend((0..dimensions).map(|dimension| fabric.driver(dimension).is_some()));
        Registers::<bool>::visit(fabric.sequencer(), Name::Field("sequencer"), &mut reading);
        if R::STEPS_OVERLAP {
            let width = (R::STEPS.len() as u32 - 1).ilog2() + 1;
            let step = fabric.position().step;
            reading
                .bits
                .extend((0..width).map(|bit| step >> bit & 1 == 1));
        }
        for &node in &self.selection.nodes {
            let (group, place) = fabric.node(node);
            let mut occupied = 0;
            fabric
                .router()
                .occupancy(group, after, &mut |flag: B, bits| {
                    occupied += if flag.get(place) { bits } else { 0 };
                });
            reading
                .bits
                .extend((0..32).map(|bit| occupied >> bit & 1 == 1));
            for dimension in 0..dimensions {
                reading.bits.push(fabric.wire(node, dimension));
                reading
                    .bits
                    .push(fabric.wire(neighbour(node, dimension), dimension));
            }
            reading.place = place;
            Registers::<B>::visit(group, Name::Field("node"), &mut reading);
        }
    }
}

/// Reads one node's bits out of its lanes.
struct Reading<'a> {
    place: usize,
    bits: &'a mut Vec<bool>,
}

impl<B: Lanes> Visitor<B> for Reading<'_> {
    fn register(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> B) {
        self.bits
            .extend((0..width).map(|position| bit(position).get(self.place)));
    }
}

/// Declares signals as modules are walked.
struct Declaration<T> {
    trace: T,
    scopes: Vec<String>,
    signals: Vec<Signal>,
    sampled: Vec<SignalId>,
    depth: usize,
    failure: Option<io::Error>,
}

impl<T: Trace> Declaration<T> {
    fn push(&mut self, scope: &str) -> io::Result<()> {
        self.scopes.push(scope.to_owned());
        self.trace.push_scope(scope)
    }

    fn pop(&mut self) -> io::Result<()> {
        self.scopes.pop();
        self.trace.pop_scope()
    }

    fn add(&mut self, name: &str, kind: Kind) -> io::Result<SignalId> {
        self.signals.push(Signal {
            scopes: self.scopes.clone(),
            name: name.to_owned(),
            kind,
        });
        self.trace.add_signal(name, kind)
    }

    fn sample(&mut self, name: &str, kind: Kind) -> io::Result<()> {
        let signal = self.add(name, kind)?;
        self.sampled.push(signal);
        Ok(())
    }

    /// Declares the registers of a module in the scope that is open.
    fn registers<B: Bit>(&mut self, module: &impl Registers<B>) -> io::Result<()> {
        module.visit(Name::Field("module"), self);
        self.failure.take().map_or(Ok(()), Err)
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
        }
    }
}

impl<B: Bit, T: Trace> Visitor<B> for Declaration<T> {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        // The outermost module is the scope that is open.
        if self.depth > 0 {
            let pushed = self.push(&name.to_string());
            self.note(pushed);
        }
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth -= 1;
        if self.depth > 0 {
            let popped = self.pop();
            self.note(popped);
        }
    }

    fn register(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> B) {
        let sampled = self.sample(&name.to_string(), Kind::Register { width });
        self.note(sampled);
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::kuszmaul::enumeration::EnumerationRouter;
    use rtl_model::topology::hypercube::Dimensions;

    use super::*;
    use crate::memory::MemoryTrace;

    /// Nodes 0 and 1 of two are counted: 2 bit times, then what they leave.
    fn trace() -> MemoryTrace {
        let router = EnumerationRouter::new(Dimensions::new(1).unwrap());
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        for node in [0, 1] {
            let (group, place) = fabric.node_mut(node);
            group.set_member(place, true);
        }
        let selection = Selection {
            nodes: vec![1],
            window: 0..3,
        };
        let mut probe = Probe::attach(MemoryTrace::default(), &fabric, selection).unwrap();
        loop {
            fabric.transmit().unwrap();
            probe.sample(&fabric).unwrap();
            if fabric.is_done() {
                return probe.finish().unwrap().0;
            }
            fabric.clock();
        }
    }

    #[test]
    fn a_bit_time_shows_its_wires_and_what_the_last_clock_edge_left() {
        let trace = trace();
        let values = |path: &str| {
            let signal = trace.signal(path).unwrap();
            [0, 10, 20].map(|tick| trace.value_at(signal, tick).unwrap())
        };
        assert_eq!(values("cube.driven"), ["1", "0", "0"]);
        assert_eq!(values("cube.node_1.dim_0.tx"), ["1", "0", "0"]);
        assert_eq!(values("cube.node_1.dim_0.rx"), ["1", "0", "0"]);
        assert_eq!(values("cube.node_1.member"), ["1", "1", "1"]);
        assert_eq!(values("cube.node_1.enumeration.rank"), ["0", "1", "1"]);
        assert_eq!(values("cube.node_1.enumeration.total"), ["00", "00", "10"]);
        assert_eq!(values("cube.sequencer.bit_time"), ["00", "01", "10"]);
        assert_eq!(values("cube.clk"), ["1", "1", "1"]);
        let clk = trace.signal("cube.clk").unwrap();
        assert_eq!(trace.value_at(clk, 15), Some("0"));
    }

    #[test]
    fn only_what_changes_is_written() {
        let trace = trace();
        let mut signals = 0;
        while let Some(changes) = trace.changes(signals) {
            assert!(!changes.is_empty(), "every signal has a first value");
            for pair in changes.windows(2) {
                assert!(
                    pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1,
                    "{changes:?}"
                );
            }
            signals += 1;
        }
        assert!(signals > 8);
    }
}
