//! What is sent: a list of messages; or traffic that is computed node by node and never held, in large hypercubes; or, of a file
//! that several ranks read, what has to do with nodes that are here.

use rtl_model::machine::arrivals::Passed;
use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use hosts::scoreboard::{Score, fault_at};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals;
use rtl_model::machine::arrivals::in_place::{Found, Ledger, Receiving, Sending};
use rtl_model::machine::host::Loads;
use rtl_model::machine::share::Rank;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::{ByNode, Computed, Part, Traffic};

use crate::error::Error;
use crate::progress::SharedStage;

/// How often it is told how far loading is.
const LOOK: Duration = Duration::from_millis(5);

/// How traffic is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// As a list, by each rank.
    Listed,
    /// By nobody.
    Computed,
    /// As a list in one process; on several ranks each has its part.
    InParts,
}

/// What is sent.
pub enum Sent {
    /// A list.
    Listed(Traffic),
    /// It is computed where it is asked for; as a list only for what needs one.
    Computed(Box<Computed>, OnceCell<Traffic>),
    /// What begins or ends here.
    Part(Box<Part>),
}

impl Sent {
    /// How it is held.
    pub fn held(&self) -> Held {
        match self {
            Sent::Listed(_) => Held::Listed,
            Sent::Computed(..) => Held::Computed,
            Sent::Part(..) => Held::InParts,
        }
    }

    /// The list, or what it is otherwise.
    fn known(&self) -> Result<&Traffic, &dyn ByNode> {
        match self {
            Sent::Listed(traffic) => Ok(traffic),
            Sent::Computed(traffic, _) => Err(&**traffic),
            Sent::Part(part) => Err(&**part),
        }
    }

    /// How many messages there are.
    pub fn messages(&self) -> usize {
        (self.known()).map_or_else(ByNode::messages, |list| list.messages().len())
    }

    /// Bits of each payload.
    pub fn payload_bits(&self) -> usize {
        (self.known()).map_or_else(ByNode::payload_bits, Traffic::payload_bits)
    }

    /// Whether a message can be told from every other.
    pub fn payloads_are_distinct(&self) -> bool {
        (self.known()).map_or_else(
            ByNode::payloads_are_distinct,
            Traffic::payloads_are_distinct,
        )
    }

    /// A node that sends nothing, if there is one.
    pub fn idle(&self) -> Option<usize> {
        self.known().map_or_else(ByNode::idle, |list| {
            (0..list.nodes().count()).find(|&node| list.index_from(node).is_none())
        })
    }

    /// As a list, which what is held in parts cannot be.
    pub fn list(&self) -> &Traffic {
        match self {
            Sent::Listed(traffic) => traffic,
            Sent::Computed(traffic, list) => list.get_or_init(|| Traffic::listed(traffic)),
            // Whoever needs a list has said so before: `Setup::needs_list`.
            Sent::Part(_) => unreachable!("a rank has its part of the traffic, and no list"),
        }
    }

    /// Has the host write it into a machine, or into what is here of it.
    ///
    /// # Errors
    /// Ctrl-C.
    pub fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        match self {
            Sent::Listed(traffic) => {
                arrivals::load_watched(machine, std::slice::from_ref(traffic), passed)
            }
            Sent::Computed(traffic, _) => load_by_node(&**traffic, machine, passed),
            Sent::Part(part) => load_by_node(&**part, machine, passed),
        }
    }

    /// Compares what is known node by node with what is here, on all threads, and joins what all ranks find; nothing where it
    /// is a list.
    ///
    /// # Errors
    /// Ctrl-C.
    pub fn score_here(&self, machine: &dyn Lockstep, quiet: bool) -> Result<Option<Score>, Error> {
        match self {
            Sent::Listed(_) => Ok(None),
            Sent::Computed(traffic, _) => score_by_node(&**traffic, machine, quiet).map(Some),
            Sent::Part(part) => score_by_node(&**part, machine, quiet).map(Some),
        }
    }
}

fn load_by_node(
    traffic: &impl ByNode,
    machine: &mut dyn Lockstep,
    passed: Passed<'_>,
) -> Result<(), ModelError> {
    let (done, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let go_on = |nodes| {
        done.fetch_add(nodes, Ordering::Relaxed);
        match over.load(Ordering::Relaxed) {
            true => Err(ModelError::BrokenOff),
            false => Ok(()),
        }
    };
    let hosts = || Box::new(Sending::new(traffic, &go_on)) as Box<dyn Loads>;
    // Threads load, and this one tells how far they are.
    std::thread::scope(|scope| {
        let loading = scope.spawn(|| machine.load_on_threads(&hosts));
        let mut told = Ok(());
        while !loading.is_finished() {
            std::thread::sleep(LOOK);
            if told.is_ok() {
                told = passed(done.load(Ordering::Relaxed) / 1024 * 1024);
                over.store(told.is_err(), Ordering::Relaxed);
            }
        }
        match loading.join() {
            Ok(outcome) => told.and(outcome),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn score_by_node(
    traffic: &impl ByNode,
    machine: &dyn Lockstep,
    quiet: bool,
) -> Result<Score, Error> {
    let ledger = Ledger::default();
    let stage = SharedStage::new(nodes_here(machine), "comparing", quiet);
    stage.broken_off(|passed| {
        machine.unload_on_threads(&|| Box::new(Receiving::new(traffic, passed, &ledger)))
    })?;
    let found = joined(ledger.found(), machine.rank());
    Ok(Score {
        messages: traffic.messages(),
        delivered: found.delivered as usize,
        wrong: found.wrong as usize,
        first_fault: found.first_fault.map(fault_at),
    })
}

fn nodes_here(machine: &dyn Lockstep) -> u64 {
    machine.rank().share().nodes(machine.nodes()) as u64
}

/// What all ranks have found, on each of them.
fn joined(found: Found, rank: &Rank) -> Found {
    let mut sums = [found.delivered, found.wrong];
    rank.sum(&mut sums);
    // The first fault is the least of all: the largest of what is left up to the largest number.
    let least =
        |fault: Option<(usize, bool, Option<usize>)>| fault.map_or(0, |(node, ..)| !(node as u64));
    let mut first = [least(found.first_fault)];
    rank.most(&mut first);
    let is_here = first != [0] && first == [least(found.first_fault)];
    let mut fault = match found.first_fault {
        Some((_, holds, source)) if is_here => [
            u64::from(holds),
            source.map_or(0, |source| source as u64 + 1),
        ],
        _ => [0, 0],
    };
    rank.most(&mut fault);
    Found {
        delivered: sums[0],
        wrong: sums[1],
        first_fault: (first != [0]).then(|| {
            let source = fault[1].checked_sub(1).map(|source| source as usize);
            (!first[0] as usize, fault[0] == 1, source)
        }),
    }
}

#[cfg(test)]
mod tests;
