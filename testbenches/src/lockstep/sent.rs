//! What is sent: a list of messages, or, in large hypercubes, traffic that is computed node by node and never held.

use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals;
use rtl_model::machine::arrivals::computed::{Found, Ledger, Receiving, Sending};
use rtl_model::machine::host::Loads;
use rtl_model::machine::share::Rank;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::{Computed, Traffic};

use crate::error::Error;
use crate::lockstep::scoreboard::{Score, fault_at};
use crate::progress::{SharedStage, broken_off};

/// How often it is told how far loading is.
const LOOK: Duration = Duration::from_millis(5);

/// What is sent.
pub enum Sent {
    /// A list.
    Listed(Traffic),
    /// It is computed where it is asked for; as a list only for what needs one.
    Computed(Box<Computed>, OnceCell<Traffic>),
}

impl Sent {
    /// How many messages there are.
    pub fn messages(&self) -> usize {
        match self {
            Sent::Listed(traffic) => traffic.messages().len(),
            Sent::Computed(traffic, _) => traffic.messages(),
        }
    }

    /// Bits of each payload.
    pub fn payload_bits(&self) -> usize {
        match self {
            Sent::Listed(traffic) => traffic.payload_bits(),
            Sent::Computed(traffic, _) => traffic.payload_bits(),
        }
    }

    /// Whether a message can be told from every other.
    pub fn payloads_are_distinct(&self) -> bool {
        match self {
            Sent::Listed(traffic) => traffic.payloads_are_distinct(),
            Sent::Computed(traffic, _) => traffic.payloads_are_distinct(),
        }
    }

    /// A node that sends nothing, if there is one.
    pub fn idle(&self) -> Option<usize> {
        match self {
            Sent::Listed(traffic) => {
                (0..traffic.nodes().count()).find(|&node| traffic.index_from(node).is_none())
            }
            Sent::Computed(traffic, _) => {
                (0..traffic.dimensions().nodes()).find(|&node| !traffic.sends(node))
            }
        }
    }

    /// As a list.
    pub fn list(&self) -> &Traffic {
        match self {
            Sent::Listed(traffic) => traffic,
            Sent::Computed(traffic, list) => list.get_or_init(|| Traffic::listed(traffic)),
        }
    }

    /// Has the host write it into a machine, or into what is here of it.
    ///
    /// # Errors
    /// Ctrl-C.
    pub fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let traffic = match self {
            Sent::Listed(traffic) => {
                let traffic = std::slice::from_ref(traffic);
                return broken_off(passed, |passed| {
                    arrivals::load_watched(machine, traffic, passed)
                });
            }
            Sent::Computed(traffic, _) => traffic,
        };
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
                Ok(outcome) => told.and(outcome.map_err(Into::into)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Compares computed traffic with what is here, on all threads, and joins what all ranks find; nothing where it is a list.
    ///
    /// # Errors
    /// Ctrl-C.
    pub fn score_here(&self, machine: &dyn Lockstep, quiet: bool) -> Result<Option<Score>, Error> {
        let Sent::Computed(traffic, _) = self else {
            return Ok(None);
        };
        let ledger = Ledger::default();
        let stage = SharedStage::new(
            nodes_here(machine),
            "{wide_bar} comparing, {percent} %",
            quiet,
        );
        stage.broken_off(|passed| {
            machine.unload_on_threads(&|| Box::new(Receiving::new(traffic, passed, &ledger)))
        })?;
        let found = joined(ledger.found(), machine.rank());
        Ok(Some(Score {
            messages: traffic.messages(),
            delivered: found.delivered as usize,
            wrong: found.wrong as usize,
            first_fault: found.first_fault.map(fault_at),
        }))
    }
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
mod tests {
    use std::sync::{Arc, Mutex};

    use rtl_model::machine::share::{Exchange, Share};

    use super::*;

    /// Another rank, which has words ready for every time that all are asked.
    struct Another(Mutex<Vec<Vec<u64>>>);

    impl Another {
        fn join(&self, words: &mut [u64], join: impl Fn(u64, u64) -> u64) {
            let theirs = self.0.lock().unwrap().remove(0);
            assert_eq!(words.len(), theirs.len());
            for (word, their) in words.iter_mut().zip(theirs) {
                *word = join(*word, their);
            }
        }
    }

    impl Exchange for Another {
        fn exchange(&self, _with: usize, _sent: &[u64], _received: &mut [u64]) {
            unreachable!("nothing runs");
        }

        fn sum(&self, words: &mut [u64]) {
            self.join(words, |one, other| one + other);
        }

        fn most(&self, words: &mut [u64]) {
            self.join(words, u64::max);
        }

        fn send(&self, _to: usize, _words: &[u64]) {
            unreachable!("nothing runs");
        }

        fn receive(&self, _from: usize) -> Vec<u64> {
            unreachable!("nothing runs");
        }
    }

    #[test]
    fn the_first_fault_of_all_ranks_is_that_of_the_lowest_node() {
        type Fault = Option<(usize, bool, Option<usize>)>;
        let found = |first_fault: Fault| Found {
            delivered: 5,
            wrong: 2,
            first_fault,
        };
        // What a rank with this fault says, if it is the first of all or not.
        let says = |fault: Fault, is_first: bool| {
            let least = fault.map_or(0, |(node, ..)| !(node as u64));
            let (holds, source) = fault.map_or((0, 0), |(_, holds, source)| {
                (
                    u64::from(holds),
                    source.map_or(0, |source| source as u64 + 1),
                )
            });
            let words = if is_first {
                vec![holds, source]
            } else {
                vec![0, 0]
            };
            vec![vec![3, 1], vec![least], words]
        };
        let (low, high) = (Some((4, false, Some(0))), Some((7, true, None)));
        for (here, there, first) in [
            (low, high, low),
            (high, low, low),
            (None, high, high),
            (high, None, high),
            (None, None, None),
        ] {
            let another = Another(Mutex::new(says(there, first == there)));
            let rank = Rank::among(Share::new(0, 2).unwrap(), Arc::new(another));
            let all = joined(found(here), &rank);
            assert_eq!((all.delivered, all.wrong), (8, 3));
            assert_eq!(all.first_fault, first);
        }
    }
}
