//! A machine as a waveform shows it, with the names of messages beside its registers and wires.
//!
//! ```text
//!   followed                  the message that a view follows
//!     message                 3->17
//!     at                      5,7     the nodes that bits of it are in or leave
//!     next                    9       where it goes from there
//!     crosses          5->1    links
//!   node_5
//!     in_words                what its registers hold, in words
//!     dim_1
//!       tx, rx                bits
//!       tx_message            3->17   whose bits the node sends, also in short pauses between them
//!       rx_message                    and whose it receives
//!     second_message
//!       message               3->17   whose payload bits are in these registers; several with commas between
//!       valid, bits
//! ```

use rtl_model::machine::router::{Position, Steps};
use rtl_model::machine::shown::{self, Shown};
use rtl_model::machine::simulation::{Lockstep, Simulation};
use rtl_model::machine::topology::Tap;
use waves::probe::{About, Remark, Subject};

use crate::tale::{self, Tale};
use crate::trail::{LONGEST_PAUSE, Trail};
use crate::whereabouts::{ByLocation, Location, Whereabouts};

/// What is known of messages, for the nodes of a waveform.
pub struct Names<'a> {
    whereabouts: &'a Whereabouts,
    by_place: ByLocation,
    remarks: Vec<(Remark, Where)>,
    /// Of the message that is followed.
    route: Option<Trail>,
}

/// Which text it is.
#[derive(Clone, Copy, Debug)]
enum Where {
    Module(u16),
    Sent(u16),
    Received(u16),
}

impl<'a> Names<'a> {
    /// For a waveform of these nodes that follows a message.
    pub fn new(
        whereabouts: &'a Whereabouts,
        machine: &dyn Lockstep,
        nodes: &[usize],
        followed: Option<usize>,
    ) -> Self {
        let topology = machine.topology();
        let by_place = whereabouts.at(nodes);
        let name = |message: u32| whereabouts.messages[message as usize].name.len();
        let longest = by_place.longest_text(name);
        let remark = |module: Vec<String>, name: &str| Remark {
            module,
            name: name.to_owned(),
            longest,
        };
        let modules = whereabouts.modules.iter().enumerate();
        let mut remarks: Vec<(Remark, Where)> = modules
            .map(|(number, path)| {
                (
                    remark(path.clone(), "message"),
                    Where::Module(number as u16),
                )
            })
            .collect();
        for labelled in topology.labelled() {
            let [wire] = labelled.wires[..] else {
                continue;
            };
            let is_used = |wire: usize| whereabouts.wires.get(wire).copied().unwrap_or(false);
            let name = format!("{}_message", labelled.name);
            let told = match wire {
                Tap::Driven(wire) if is_used(wire) => Where::Sent(wire as u16),
                Tap::Received(wire) if is_used(wire) => Where::Received(wire as u16),
                _ => continue,
            };
            remarks.push((remark(vec![labelled.scope.clone()], &name), told));
        }
        Names {
            by_place,
            remarks,
            route: followed.map(|message| whereabouts.trail(message, topology)),
            whereabouts,
        }
    }

    /// The place that a remark of a node is about.
    fn place(&self, machine: &dyn Lockstep, node: usize, number: usize) -> (usize, Location) {
        match self.remarks[number].1 {
            Where::Module(module) => (node, Location::Module(module)),
            Where::Sent(wire) => (node, Location::Wire(wire)),
            Where::Received(wire) => {
                let sender = machine.topology().sender(node, usize::from(wire));
                (sender, Location::Wire(wire))
            }
        }
    }

    fn append(&self, machine: &dyn Lockstep, node: usize, number: usize, text: &mut String) {
        let bit_time = machine.bit_time() as u32;
        let (node, place) = self.place(machine, node, number);
        let begun = self.by_place.begun(node, place, bit_time).iter();
        let mut stays = begun.filter(|stay| bit_time < stay.to).peekable();
        match (stays.peek(), place) {
            (None, Location::Wire(_)) => {
                let pause = (bit_time, LONGEST_PAUSE as u32);
                let before = self.by_place.pausing(node, place, pause);
                self.whereabouts.append_names(before.into_iter(), text);
            }
            _ => self.whereabouts.append_names(stays, text),
        }
    }
}

/// What is told beside wires and registers.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// What runs.
    pub about: &'a str,
    /// What names mean.
    pub legend: &'a [String],
    /// What is known of all messages, if anything is.
    pub names: Option<&'a Names<'a>>,
    /// What is told of nodes in words, in the order of nodes.
    pub tales: &'a [Tale],
    /// The route of what is followed, if that alone is known.
    pub route: Option<&'a Trail>,
}

/// A machine, and what is told of it.
pub struct Named<'a> {
    /// The machine.
    pub machine: &'a dyn Lockstep,
    /// The rest.
    pub told: Told<'a>,
}

impl Subject for Named<'_> {
    fn simulation(&self) -> &dyn Simulation {
        self.machine.as_simulation()
    }

    fn steps(&self) -> Option<Steps> {
        self.machine.steps()
    }

    fn about(&self) -> String {
        self.told.about.to_owned()
    }

    fn legend(&self) -> Vec<String> {
        self.told.legend.to_vec()
    }

    fn position(&self) -> Option<Position> {
        Subject::position(&self.machine)
    }

    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32 {
        Subject::occupied_bits(&self.machine, node, after)
    }

    fn shown(&self) -> Shown {
        self.machine.shown()
    }

    fn text(&self, number: usize, text: &mut String) {
        self.machine.text(number, text);
    }

    fn numbers(&self, node: usize, bits: &mut Vec<bool>) {
        self.machine.numbers(node, bits);
    }

    fn told(&self, node: usize, number: usize, text: &mut String) {
        self.machine.told(node, number, text);
    }

    fn remarks(&self) -> Vec<Remark> {
        let remarks = self.told.names.map_or(&[][..], |names| &names.remarks);
        let remarks = remarks.iter().map(|(remark, _)| remark.clone());
        remarks.chain(tale::remark(self.told.tales)).collect()
    }

    /// How often messages have come there or gone.
    fn about_remark(&self, node: usize, number: usize) -> Option<About> {
        let names = self.told.names;
        let names = names.filter(|names| number < names.remarks.len())?;
        let (node, place) = names.place(self.machine, node, number);
        let bit_time = self.machine.bit_time() as u32;
        let (what, next) = names.by_place.changes(node, place, bit_time);
        let until = next.map_or(u64::MAX, u64::from);
        Some(About { what, until })
    }

    fn remark(&self, node: usize, number: usize, text: &mut String) {
        match self.told.names {
            Some(names) if number < names.remarks.len() => {
                names.append(self.machine, node, number, text);
            }
            _ => {
                let tales = self.told.tales;
                let tale = tales.binary_search_by_key(&node, |tale| tale.node);
                let tale = tale.ok().map(|place| &tales[place]);
                let bit_time = self.machine.bit_time();
                text.push_str(tale.map_or("", |tale| tale.at(bit_time)));
            }
        }
    }

    fn followed(&self) -> Vec<shown::Told> {
        let route = self.told.names.and_then(|names| names.route.as_ref());
        route.or(self.told.route).map_or_else(Vec::new, Trail::told)
    }

    fn append_followed(&self, number: usize, text: &mut String) {
        let route = self.told.names.and_then(|names| names.route.as_ref());
        if let Some(route) = route.or(self.told.route) {
            route.append(number, self.machine.bit_time(), text);
        }
    }
}
