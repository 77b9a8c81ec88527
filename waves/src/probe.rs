//! The probe: reads a machine in every bit time and says what changed.
//!
//! ```text
//!   cube             as the network calls the machine
//!     about          what runs, in a sentence, where somebody says it
//!     colours, names   what the colours of a view and the names in it mean, where somebody says what runs
//!     clk
//!     driven         bit d: the wires of dimension d are in use now (else they carry 0)
//!     user_<d>       where steps overlap: the unit that drives those wires, by the first letters of its name
//!     sequencer      its registers, texts that explain them where a router has such, and
//!                    step_name; where steps overlap and no register holds their code, step: the
//!                    code of the one that began last
//!     followed         of what the view follows, such as a message: its name, where it is, what it does
//!     node_<n>
//!       occupied_bits
//!       in_words     what registers hold, in words; of machines of which somebody says it
//!       numbers      words in the order of their bits, however far registers have shifted; of
//!                    routers that show such
//!       told         texts of somebody who knows more than the node, of routers that have such: what a
//!                    number of the same name is about
//!       dim_<d>      tx, rx: the bits on the two wires of dimension d in this bit time; tx_message, rx_message: whose they
//!                    are, where messages can be told apart
//!       <part> ...   the node's registers in this bit time, by the names they run under; message: whose payload bits
//!                    are in them
//! ```
//!
//! A machine without steps (wormhole routers) has no `driven` and no `sequencer`. Its wires are
//! more than one a link, by the names that the network gives them, and modules may have text beside
//! their registers:
//!
//! ```text
//!   ccc
//!     clk
//!     node_<level>_<column>
//!       occupied_bits
//!       straight, cross   tx, tx_valid, tx_tail, tx_channel, tx_credit_<c>: what the node drives;
//!                         rx...: what it receives
//!       host              inject, inject_valid, inject_tail, inject_credit,
//!                         eject, eject_valid, eject_tail
//!       straight_in_0     worm: which worm the channel is given to; no wire or register says so,
//!                         the simulator does
//!                         buffer.bits, buffer.held, ended, declined, taken, connected
//!       <part> ...
//! ```
//!
//! After a run of `T` bit times, bit time `T` shows what the last clock edge left.

pub(crate) mod caption;
mod declaration;
#[cfg(test)]
mod sight_tests;
mod subject;

use std::io;
use std::ops::Range;

use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::router::{Position, Steps};
use rtl_model::machine::shown::{Text, Told};
use rtl_model::machine::topology::Labelled;

use crate::probe::caption::{Captions, value};
pub use crate::probe::caption::{INDENTATION, beside};
use crate::probe::declaration::Declaration;
pub use crate::probe::subject::{About, Remark, Subject, Ticking, short_unit};
use crate::probe::subject::{code_bits, name_kind, unit_kind};
use crate::provenance::Provenance;
use crate::trace::{Kind, SignalId, TICKS_PER_BIT_TIME, TextForm, Trace, Value};

/// A declared signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The scopes that it stands in, outermost first.
    pub scopes: Vec<String>,
    /// Its name in the innermost.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Any of its bits was ever 1, or its text not empty.
    pub ever_set: bool,
    /// The same in the bit times that a view is to open on; if none are asked for, in any.
    pub in_sight: bool,
    /// It said something of what a view follows, in the same bit times.
    pub follows: bool,
    /// How, of a wire that fails.
    pub fails: Option<String>,
    /// How often it changed in the same bit times, of what is no text.
    pub changes: u64,
    /// Of a text: when it changed, and of how many characters it then was, up to the end of what a view is to open on; the first
    /// of many, as many as a screen may have.
    pub said: Vec<(u64, usize)>,
}

impl Signal {
    /// The most changes of a text that are remembered: more would not be told apart on a screen.
    const MOST_SAID: usize = 4096;

    /// Notes what a text says from a tick on, if that can be in sight.
    fn say(&mut self, tick: u64, characters: usize, sight: &Range<u64>) {
        if tick <= sight.start {
            self.said.clear();
        }
        if tick < sight.end && self.said.len() < Self::MOST_SAID {
            self.said.push((tick, characters));
        }
    }
}

/// A step that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// When.
    pub tick: u64,
    /// In which iteration.
    pub iteration: u32,
    /// Which step, by its number.
    pub step: u32,
}

/// What a probe recorded, for making a view of it.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Everything that was declared, in order.
    pub signals: Vec<Signal>,
    /// How the format holds text.
    pub text_form: TextForm,
    /// First and last tick.
    pub ticks: Range<u64>,
    /// The steps that began.
    pub steps: Vec<Begun>,
    /// Whether iterations differ in their steps.
    pub iterations_differ: bool,
    /// Names of the steps, by number; none where the machine has no steps.
    pub step_names: &'static [&'static str],
    /// Where steps overlap, the units that drive wires: what a wave calls them, and their names.
    pub units: Vec<(String, &'static str)>,
    /// The number of the first iteration where people count them: 0, or 1.
    pub counts_from: u32,
    /// How many iterations a view opens on, where nothing else is asked for.
    pub first_screen: usize,
    /// The ticks that a view opens on; none if it is to find them.
    pub opens_on: Option<Range<u64>>,
    /// A tick of these that has to stay on the screen, however few labels can be read; none if none has.
    pub keeps: Option<u64>,
    /// A tick at which it is decided how it ends, if there is one: the cursor is there.
    pub decided: Option<u64>,
    /// The tick at which what is followed has arrived, if it does: the cursor is not behind that.
    pub arrived: Option<u64>,
    /// Ticks in which changes of signals were counted.
    pub counted: Range<u64>,
    /// The traced nodes, in the order in which they were declared: their names and where they lie.
    pub titles: Vec<String>,
    /// Places of nodes that a view shows first, in this order; none if it shows them as they were declared.
    pub first: Vec<usize>,
    /// What runs, in a sentence; it may be nothing.
    pub about: String,
    /// How it ended, in a sentence; nothing until somebody says it.
    pub verdict: String,
    /// Where it comes from, as far as anybody says.
    pub provenance: Provenance,
    /// How texts begin that are about what a view follows, if it follows something.
    pub followed: Option<String>,
    /// What is known when all is over, such as who waits for whom: rows of a view.
    pub legend: Vec<String>,
    /// Ticks that a view is to mark, with their names.
    pub markers: Vec<(u64, String)>,
    /// When a 1 was first seen on a wire of each link at a traced node: the tick, and what the link is called there.
    pub first_used: Vec<(u64, String)>,
}

impl Recording {
    /// Of nothing.
    pub(crate) fn empty(text_form: TextForm) -> Self {
        Recording {
            signals: Vec::new(),
            text_form,
            ticks: 0..0,
            steps: Vec::new(),
            iterations_differ: false,
            step_names: &[],
            units: Vec::new(),
            counts_from: 0,
            first_screen: 1,
            opens_on: None,
            keeps: None,
            decided: None,
            arrived: None,
            counted: 0..u64::MAX,
            titles: Vec::new(),
            first: Vec::new(),
            about: String::new(),
            verdict: String::new(),
            provenance: Provenance::default(),
            followed: None,
            legend: Vec::new(),
            markers: Vec::new(),
            first_used: Vec::new(),
        }
    }

    /// Has a view mark where a bit time begins. A name of one word is best; one beyond the
    /// recording is left out.
    pub fn mark(&mut self, bit_time: u64, name: &str) {
        let tick = bit_time * TICKS_PER_BIT_TIME;
        if self.ticks.contains(&tick) {
            self.markers.push((tick, name.to_owned()));
        }
    }

    /// Has a view say more of a traced node, by its place in the order of their declaration, beside its name.
    pub fn entitle(&mut self, place: usize, role: &str) {
        if let Some(title) = self.titles.get_mut(place) {
            *title += ", ";
            *title += role;
        }
    }

    /// Has a view show that the signal of that name fails, and how, if it is recorded. `path` is the scopes inside the machine, and
    /// then its name.
    pub fn fail(&mut self, path: &[&str], how: &str) {
        let Some((name, scopes)) = path.split_last() else {
            return;
        };
        for signal in &mut self.signals {
            if signal.name == *name && signal.scopes.iter().skip(1).eq(scopes) {
                signal.fails = Some(how.to_owned());
            }
        }
    }
}

/// Which nodes are traced, and when.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Nodes, in the order in which they are declared.
    pub nodes: Vec<usize>,
    /// Bit times. The end may lie beyond that of the run.
    pub window: Range<u64>,
}

/// The scope of what is worked out of a node's registers.
pub(crate) const NUMBERS: &str = "numbers";

/// The scope of what is told of a node by somebody who knows more.
pub const TOLD: &str = "told";

/// What a node's text is called that says in words what its registers hold.
pub const IN_WORDS: &str = "in_words";

/// The scope of what is told of what a view follows.
pub const FOLLOWED: &str = "followed";

/// Who says a text: its number there.
#[derive(Clone, Copy)]
enum Says {
    Remark { node: usize, number: usize },
    Told { node: usize, number: usize },
    Sequencer { number: usize },
    Followed { number: usize },
}

/// A text signal, and what it last was.
struct Said {
    signal: SignalId,
    says: Says,
    last: String,
    /// What that was about, where somebody says it, and whether it was in sight.
    about: Option<(About, bool)>,
}

impl Said {
    fn new(signal: SignalId, says: Says) -> Self {
        Said {
            signal,
            says,
            last: String::new(),
            about: None,
        }
    }
}

/// Whether a text is about what is followed: what it says begins like that, or one of the names does that it gives with commas
/// between. `1->2` is not about `1->23`.
pub fn is_about(text: &str, followed: &str) -> bool {
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let begins = |name: &str| {
        name.strip_prefix(followed)
            .is_some_and(|rest| !goes_on(rest))
    };
    text.split(',').any(begins)
}

/// The link that a signal is a wire of, as it is called at a node.
fn link_of(signal: &Signal) -> Option<&str> {
    let crosses = signal.name.starts_with("tx") || signal.name.starts_with("rx");
    match (signal.scopes.as_slice(), signal.kind) {
        ([_machine, _node, link], Kind::Wire | Kind::Bus { .. }) if crosses => Some(link),
        _ => None,
    }
}

/// Hangs on a machine. To be asked between the two halves of a bit time,
/// [`transmit`](rtl_model::machine::simulation::Simulation::transmit) and
/// [`clock`](rtl_model::machine::simulation::Simulation::clock).
pub struct Probe<'t> {
    trace: Box<dyn Trace + 't>,
    steps: Option<Steps>,
    selection: Selection,
    recording: Recording,
    clk: SignalId,
    /// Captions, until they are written.
    captions: Captions,
    step_name: Option<SignalId>,
    /// By dimension, where steps overlap: the unit that drives the wires, and what it last was.
    users: Vec<SignalId>,
    /// Ticks in which what is said is in sight, and whether those of the last bit time were.
    sight: Range<u64>,
    was_in_sight: bool,
    last_users: Vec<&'static str>,
    /// Wires at every node, in the order of their declaration.
    labelled: Vec<Labelled>,
    /// Signals whose values are bits, in the order in which they are sampled, and where the bits end of those that are compared together.
    sampled: Vec<SignalId>,
    ends: Vec<usize>,
    before: Vec<bool>,
    now: Vec<bool>,
    said: Vec<Said>,
    has_occupancy: bool,
    last_position: Option<Position>,
    begun: bool,
    /// Bit times for which what the last one leaves is held.
    held: u64,
}

/// Signals that are compared together with what they were.
const COMPARED_AT_ONCE: usize = 64;

impl<'t> Probe<'t> {
    /// Declares everything that is to be traced of `subject`: a machine in lockstep, or what runs another one.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn attach(
        trace: impl Trace + 't,
        subject: &dyn Subject,
        selection: Selection,
    ) -> io::Result<Self> {
        let simulation = subject.simulation();
        let (topology, steps) = (simulation.topology(), subject.steps());
        let labelled = topology.labelled();
        let mut declaration = Declaration::new(Box::new(trace));
        let mut step_name = None;
        let mut users = Vec::new();
        let shown = subject.shown();
        let mut explained = Vec::new();
        declaration.push(topology.machine_name())?;
        let captions = Captions::declared(subject, &mut declaration)?;
        let clk = declaration.add("clk", Kind::Wire)?;
        if let Some(steps) = steps {
            let dimensions = topology.links();
            declaration.sample("driven", Kind::Bus { width: dimensions })?;
            if steps.overlap {
                let kind = unit_kind(steps);
                users = (0..dimensions)
                    .map(|link| {
                        declaration.add(&format!("user_{}", topology.link_name(link)), kind)
                    })
                    .collect::<io::Result<_>>()?;
            }
            declaration.push("sequencer")?;
            step_name = Some(declaration.add("step_name", name_kind(steps))?);
            for (number, &Text { name, longest }) in shown.texts.iter().enumerate() {
                let signal = declaration.add(name, Kind::Text { longest })?;
                explained.push(Said::new(signal, Says::Sequencer { number }));
            }
            declaration.registers(simulation.sequencer())?;
            if steps.overlap {
                let width = code_bits(steps);
                declaration.sample("step", Kind::Bus { width })?;
            }
            declaration.pop()?;
        }
        let remarks = subject.remarks();
        let (mut said, mut told) = (Vec::new(), Vec::new());
        let followed = subject.followed();
        if !followed.is_empty() {
            declaration.push(FOLLOWED)?;
            for (number, Told { name, longest, .. }) in followed.into_iter().enumerate() {
                let signal = declaration.add(&name, Kind::Text { longest })?;
                said.push(Said::new(signal, Says::Followed { number }));
            }
            declaration.pop()?;
        }
        let mut titles = Vec::new();
        for &node in &selection.nodes {
            titles.push(topology.node_title(node));
            declaration.push(&format!("node_{}", topology.node_name(node)))?;
            if let Some(name) = shown.occupancy.signal() {
                declaration.sample(name, Kind::Count)?;
            }
            declaration.numbers(&shown.numbers)?;
            let signals = declaration.told(&shown.told)?.into_iter().enumerate();
            told.extend(
                signals.map(|(number, signal)| Said::new(signal, Says::Told { node, number })),
            );
            let mut remarked = declaration.wires(&labelled, &remarks)?;
            let show = |visitor: &mut dyn Visitor<bool>| subject.show_registers(node, visitor);
            remarked.extend(declaration.remarked_registers(&show, &remarks)?);
            let remarked = remarked.into_iter();
            said.extend(
                remarked.map(|(number, signal)| Said::new(signal, Says::Remark { node, number })),
            );
            declaration.pop()?;
        }
        declaration.pop()?;
        said.extend(told);
        said.extend(explained);
        let start = selection.window.start.saturating_mul(TICKS_PER_BIT_TIME);
        let together = declaration.sampled.chunks(COMPARED_AT_ONCE);
        let ends = together.scan(0, |end, signals| {
            let widths = signals
                .iter()
                .map(|&signal| declaration.signals[signal].kind.width());
            *end += widths.sum::<usize>();
            Some(*end)
        });
        let ends = ends.collect();
        Ok(Probe {
            recording: Recording {
                signals: declaration.signals,
                ticks: start..start,
                iterations_differ: steps.is_some_and(|steps| steps.differ),
                step_names: steps.map_or(&[], |steps| steps.names),
                units: steps
                    .filter(|steps| steps.overlap)
                    .map_or(Vec::new(), |steps| {
                        let short = |unit| (short_unit(unit, steps.units), unit);
                        steps.units.iter().copied().map(short).collect()
                    }),
                first_screen: steps.map_or(1, |steps| steps.first_screen),
                titles,
                about: subject.about(),
                ..Recording::empty(declaration.trace.text_form())
            },
            trace: declaration.trace,
            steps,
            selection,
            clk,
            captions,
            step_name,
            last_users: vec![""; users.len()],
            users,
            sight: 0..u64::MAX,
            was_in_sight: false,
            labelled,
            ends,
            sampled: declaration.sampled,
            before: Vec::new(),
            now: Vec::new(),
            said,
            has_occupancy: shown.occupancy.signal().is_some(),
            last_position: None,
            begun: false,
            held: 0,
        })
    }

    /// Has a view follow what texts are about that begin like this, from the next bit time on.
    pub fn follow(&mut self, begin: &str) {
        // What texts are about is to be seen anew.
        self.said.iter_mut().for_each(|said| said.about = None);
        self.captions.follow(begin);
        self.recording.followed = Some(begin.to_owned());
    }

    /// Has a view open on these bit times. To be called before the first of them.
    pub fn open_on(&mut self, bit_times: Range<u64>) {
        let tick = |bit_time: u64| bit_time.saturating_mul(TICKS_PER_BIT_TIME);
        self.sight = tick(bit_times.start)..tick(bit_times.end);
        self.recording.opens_on = Some(self.sight.clone());
        self.recording.counted = self.sight.clone();
    }

    /// Has what the run leaves be held for so many bit times more, so that it can be read. Nothing changes in them.
    pub fn hold(&mut self, bit_times: u64) {
        self.held = bit_times;
    }

    /// Takes down what holds in this bit time.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn sample(&mut self, subject: &dyn Subject) -> io::Result<()> {
        let simulation = subject.simulation();
        let position = subject.position();
        let after = std::mem::replace(&mut self.last_position, position);
        if !self.selection.window.contains(&simulation.bit_time()) {
            return Ok(());
        }
        let rise = simulation.bit_time() * TICKS_PER_BIT_TIME;
        self.read(subject, after);

        if self.begun {
            self.trace.advance(rise)?;
        } else {
            self.trace.begin(rise)?;
        }
        self.trace.change(self.clk, Value::Bits(&[true]))?;
        for (signal, text) in self.captions.take() {
            self.trace.change(signal, Value::Text(&text))?;
            let caption = &mut self.recording.signals[signal];
            (caption.ever_set, caption.in_sight) = (true, true);
        }
        if let Some(position) = position {
            self.step((position, after), rise)?;
        }
        for (dimension, &user) in self.users.iter().enumerate() {
            let now = simulation.driver(dimension).unwrap_or("");
            if !self.begun || self.last_users[dimension] != now {
                let units = self.steps.map_or(&[][..], |steps| steps.units);
                self.trace
                    .change(user, Value::Text(&short_unit(now, units)))?;
                self.last_users[dimension] = now;
            }
        }
        let in_sight = self.sight.contains(&rise);
        let was_in_sight = std::mem::replace(&mut self.was_in_sight, in_sight);
        let comes_in_sight = in_sight && !was_in_sight;
        let mut begin = 0;
        for (signals, &end) in self.sampled.chunks(COMPARED_AT_ONCE).zip(&self.ends) {
            let bits = std::mem::replace(&mut begin, end)..end;
            // Most of them are what they were.
            let is_same = self.begun && self.before[bits.clone()] == self.now[bits.clone()];
            if is_same && !comes_in_sight {
                continue;
            }
            let mut place = bits.start;
            for &signal in signals {
                let declared = &mut self.recording.signals[signal];
                let bits = place..place + declared.kind.width();
                place = bits.end;
                let now = &self.now[bits.clone()];
                declared.in_sight |= in_sight && now.contains(&true);
                if !self.begun || self.before[bits] != *now {
                    declared.changes += u64::from(in_sight);
                    let is_first = !declared.ever_set && now.contains(&true);
                    declared.ever_set |= is_first;
                    if is_first && let Some(link) = link_of(declared) {
                        let first_used = &mut self.recording.first_used;
                        if first_used.iter().all(|(_, used)| used != link) {
                            first_used.push((rise, link.to_owned()));
                        }
                    }
                    self.trace.change(signal, Value::Bits(now))?;
                }
            }
        }
        std::mem::swap(&mut self.before, &mut self.now);
        let mut text = String::new();
        let followed = self.recording.followed.as_deref();
        for said in &mut self.said {
            let before = said
                .about
                .filter(|(_, was_in_sight)| *was_in_sight == in_sight);
            if before.is_some_and(|(about, _)| simulation.bit_time() < about.until) {
                continue;
            }
            let about = match said.says {
                Says::Remark { node, number } => subject.about_remark(node, number),
                _ => None,
            };
            said.about = about.map(|about| (about, in_sight));
            let what = |(about, _): (About, bool)| about.what;
            if about.is_some() && said.about.map(what) == before.map(what) {
                continue;
            }
            text.clear();
            match said.says {
                Says::Remark { node, number } => subject.remark(node, number, &mut text),
                Says::Told { node, number } => subject.told(node, number, &mut text),
                Says::Sequencer { number } => subject.text(number, &mut text),
                Says::Followed { number } => subject.append_followed(number, &mut text),
            }
            let declared = &mut self.recording.signals[said.signal];
            declared.in_sight |= in_sight && !text.is_empty();
            let is_followed = followed.is_some_and(|followed| is_about(&text, followed));
            declared.follows |= in_sight && is_followed;
            if !self.begun || said.last != text {
                declared.ever_set |= !text.is_empty();
                declared.say(rise, value(&text).len(), &self.sight);
                self.trace.change(said.signal, Value::Text(&text))?;
                said.last.clone_from(&text);
            }
        }
        self.begun = true;
        self.trace.advance(rise + TICKS_PER_BIT_TIME / 2)?;
        self.trace.change(self.clk, Value::Bits(&[false]))?;
        self.recording.ticks.end = rise + TICKS_PER_BIT_TIME;
        Ok(())
    }

    /// Takes down the step, where one begins.
    fn step(
        &mut self,
        (position, after): (Position, Option<Position>),
        rise: u64,
    ) -> io::Result<()> {
        let step_of = |position: Position| (position.iteration, position.step);
        if self.begun && after.map(step_of) == Some(step_of(position)) {
            return Ok(());
        }
        let names = self.steps.map_or(&[][..], |steps| steps.names);
        let name = names.get(position.step as usize).unwrap_or(&"");
        if let Some(step_name) = self.step_name {
            self.trace.change(step_name, Value::Text(name))?;
            self.recording.signals[step_name].say(rise, name.len(), &self.sight);
        }
        self.recording.steps.push(Begun {
            tick: rise,
            iteration: position.iteration,
            step: position.step,
        });
        Ok(())
    }

    /// Ends the wave.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn finish(mut self) -> io::Result<Recording> {
        if !self.begun {
            self.trace.begin(self.recording.ticks.end)?;
        }
        self.recording.ticks.end += self.held * TICKS_PER_BIT_TIME;
        self.trace.finish(self.recording.ticks.end)?;
        Ok(self.recording)
    }

    /// Reads all sampled signals, in the order of their declaration.
    fn read(&mut self, subject: &dyn Subject, after: Option<Position>) {
        let simulation = subject.simulation();
        let now = &mut self.now;
        now.clear();
        if let Some(steps) = self.steps {
            let dimensions = simulation.topology().links();
            now.extend((0..dimensions).map(|dimension| simulation.driver(dimension).is_some()));
            let sequencer = Name::Field("sequencer");
            simulation.sequencer().visit(sequencer, &mut Reading(now));
            if steps.overlap {
                let step = subject.position().map_or(0, |position| position.step);
                now.extend((0..code_bits(steps)).map(|bit| step >> bit & 1 == 1));
            }
        }
        for &node in &self.selection.nodes {
            if self.has_occupancy {
                let occupied = subject.occupied_bits(node, after);
                now.extend((0..32).map(|bit| occupied >> bit & 1 == 1));
            }
            subject.numbers(node, now);
            let taps = self.labelled.iter().flat_map(|labelled| &labelled.wires);
            now.extend(taps.map(|&wire| subject.tapped(node, wire)));
            subject.registers(node, now);
        }
    }
}

/// Reads bits one after the other.
struct Reading<'a>(&'a mut Vec<bool>);

impl Visitor<bool> for Reading<'_> {
    fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
        self.0.extend((0..width).map(|place| *bit(place)));
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::fabric::Fabric;
    use rtl_model::machine::simulation::Lockstep;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;

    use super::*;
    use crate::memory::MemoryTrace;

    /// Nodes 0 and 1 of two are counted: 2 bit times, then what they leave.
    fn recorded() -> (MemoryTrace, Recording) {
        let router = EnumerationRouter::new(Dimensions::new(1).unwrap());
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        for node in [0, 1] {
            let (group, place) = fabric.node_mut(node);
            group.set_member(place, true);
        }
        let machine: &mut dyn Lockstep = &mut fabric;
        let selection = Selection {
            nodes: vec![1],
            window: 0..3,
        };
        let mut trace = MemoryTrace::default();
        let mut probe = Probe::attach(&mut trace, &&*machine, selection).unwrap();
        loop {
            machine.transmit().unwrap();
            probe.sample(&&*machine).unwrap();
            if machine.is_done() {
                let recording = probe.finish().unwrap();
                return (trace, recording);
            }
            machine.clock();
        }
    }

    fn trace() -> MemoryTrace {
        recorded().0
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
    fn a_link_is_used_from_its_first_one_on() {
        assert_eq!(recorded().1.first_used, [(0, "dim_0".to_owned())]);
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
