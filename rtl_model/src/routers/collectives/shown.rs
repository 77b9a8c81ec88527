//! What a waveform shows of a collective beside wires and registers: which routing step began last, and whose bits each port of a node
//! sends and receives.
//!
//! ```text
//!   way              step_1_of_3      | step_2_of_3
//!   exchange         1_of_2:pieces to all nodes                where blocks change places in the middle
//!   port_0_sends     0_to_7:0         |                      told: the message from node 0 to node 7, from its bit 0 on
//!   port_0_receives                   | 1_to_6:4
//!                                       sum_of_2_to_6:4          of sums, of how many nodes they are
//! ```
//!
//! Nothing in a node knows whose bits they are: it is worked out here, by following all bits from where they are loaded.

mod tracker;

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use crate::machine::shown::{Counted, Shown, Text, Told};
use crate::machine::topology::hypercube::neighbour;
use crate::routers::collectives::program::TransferProgram;

use tracker::{Crossing, Tracker, Whose};
pub use tracker::{bytes_to_follow, summed};

/// Steps that a view of a waveform opens on at most.
pub(super) const FIRST_SCREEN_STEPS: usize = 8;

/// The texts, by number.
pub(super) const TEXTS: [fn(&TransferProgram, usize) -> String; 2] = [way, exchange];

/// How many steps begin before blocks change places.
fn before_reorder(program: &TransferProgram) -> Option<usize> {
    let reorder = program.reorder.as_ref()?;
    Some(
        program
            .steps
            .partition_point(|begin| *begin <= reorder.bit_time),
    )
}

/// Which step began last, counted from 1; where blocks change places, from there on anew.
fn way(program: &TransferProgram, step: usize) -> String {
    let steps = program.steps.len();
    let (step, steps) = match before_reorder(program) {
        Some(first) if step < first => (step, first),
        Some(first) => (step - first, steps - first),
        None => (step, steps),
    };
    format!("step_{}_of_{steps}", step + 1)
}

/// Which exchange it is of two.
fn exchange(program: &TransferProgram, step: usize) -> String {
    match before_reorder(program).is_none_or(|first| step < first) {
        true => "1_of_2:pieces to all nodes".to_owned(),
        false => "2_of_2:pieces to their destination".to_owned(),
    }
}

/// What there is to be shown.
pub(super) fn shown(program: &TransferProgram) -> Shown {
    let steps = program.steps.len();
    let nodes = program.cube.nodes();
    let last = nodes - 1;
    let bits = program
        .loads
        .iter()
        .map(|segment| segment.bit + segment.bits)
        .max();
    let adds = program.transfers.iter().any(|one| one.adds.is_some());
    let from = match adds {
        true => format!("sum_of_{nodes}"),
        false => last.to_string(),
    };
    let longest = format!("{from}_to_{last}:{}", bits.unwrap_or(0)).len();
    let names = match program.reorder {
        Some(_) => &["way", "exchange"][..],
        None => &["way"],
    };
    let texts = names.iter().zip(TEXTS).map(|(name, text)| Text {
        name,
        longest: (0..steps)
            .map(|step| text(program, step).len())
            .max()
            .unwrap_or(0),
    });
    Shown {
        texts: texts.collect(),
        told: Told::of_ports(program.cube.count(), longest),
        occupancy: Counted::ToSendOn,
        ..Shown::default()
    }
}

/// Bits that are followed while somebody looks on.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed(Arc<Mutex<Option<Tracker>>>);

/// It is worked out of the program, so machines of equal programs are equal.
impl PartialEq for Followed {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Followed {
    /// Appends whose bit a port of a node sends or receives in a bit time: (node, number of the text), absolute.
    pub fn tell(
        &self,
        program: &TransferProgram,
        (node, number): (usize, usize),
        now: usize,
        text: &mut String,
    ) {
        let (relative, ports) = (node ^ program.source, program.cube.count());
        let port = number / Told::OF_A_PORT.len();
        let sender = match number % Told::OF_A_PORT.len() {
            0 => relative,
            _ => neighbour(relative, port),
        };
        let place = sender * ports + port;
        let crossing = self.at(program, now, |tracker| tracker.crossing(place));
        if let Some(Crossing { whose, first }) = crossing {
            let Whose {
                from, to, summed, ..
            } = whose;
            // A string takes what is written.
            let _ = match summed {
                1 => write!(text, "{from}_to_{to}:{first}"),
                _ => write!(text, "sum_of_{summed}_to_{to}:{first}"),
            };
        }
    }

    /// The texts of what is sent that say something else in a bit time than in the one before: node and number, absolute.
    pub fn tell_anew(
        &self,
        program: &TransferProgram,
        now: usize,
        anew: &mut dyn FnMut(usize, usize),
    ) {
        let ports = program.cube.count();
        self.at(program, now, |tracker| {
            for place in tracker.anew() {
                let (relative, port) = (place / ports, place % ports);
                anew(relative ^ program.source, port * Told::OF_A_PORT.len());
            }
        });
    }

    /// What is known of a bit time.
    fn at<T>(&self, program: &TransferProgram, now: usize, ask: impl FnOnce(&Tracker) -> T) -> T {
        let mut tracker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tracker = match &mut *tracker {
            Some(tracker) if tracker.now <= now => tracker,
            behind => behind.insert(Tracker::new(program)),
        };
        while tracker.now < now {
            tracker.clock(program);
        }
        ask(tracker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::collectives::algorithms::{ALGORITHMS, Ask, Operation};

    #[test]
    fn a_port_says_whose_bits_it_sends_and_receives() {
        let inversion = ALGORITHMS
            .iter()
            .find(|one| one.operation() == Operation::Inversion)
            .unwrap();
        let plan = inversion.plan(&Ask {
            start_up: 1,
            ..Ask::of(Dimensions::new(2).unwrap(), 4)
        });
        let program = plan.unwrap().program;
        let followed = Followed::default();
        let tells = |node, number, now| {
            let mut text = String::new();
            followed.tell(&program, (node, number), now, &mut text);
            text
        };
        // Part 0 crosses dimension 0 and then 1, part 1 the other way.
        assert_eq!(tells(1, 0, 0), "");
        assert_eq!([tells(1, 0, 1), tells(1, 1, 1)], ["1_to_2:0", "0_to_3:0"]);
        assert_eq!([tells(1, 2, 2), tells(1, 3, 2)], ["1_to_2:2", "3_to_0:2"]);
        assert_eq!([tells(1, 2, 4), tells(1, 3, 4)], ["0_to_3:0", "2_to_1:0"]);
        assert_eq!(tells(1, 0, 1), "1_to_2:0");
        assert_eq!(shown(&program).told.len(), 4);
        assert_eq!(way(&program, 1), "step_2_of_2");
    }

    /// A plan of an operation on a cube of 3 dimensions.
    fn program(operation: Operation) -> TransferProgram {
        let mut all = ALGORITHMS.iter();
        let algorithm = all.find(|one| one.operation() == operation).unwrap();
        let plan = algorithm.plan(&Ask {
            bins: 24,
            permutation: Some((0..8).map(|node| node ^ 5).collect()),
            start_up: 1,
            ..Ask::of(Dimensions::new(3).unwrap(), 16)
        });
        plan.unwrap().program
    }

    #[test]
    fn sums_say_of_how_many_nodes_they_are() {
        let program = program(Operation::Histogram);
        let sums: Vec<Vec<u32>> = summed(&program).into_iter().map(|(_, sums)| sums).collect();
        assert_eq!(sums, [1, 2, 4, 8].map(|sum| vec![sum; 8]));
        let followed = Followed::default();
        let tells = |step: usize| {
            let mut text = String::new();
            followed.tell(&program, (0, 0), program.steps[step] + 1, &mut text);
            assert!(text.len() <= shown(&program).told[0].longest, "{text}");
            text.split_once(':').unwrap().0.to_owned()
        };
        assert_eq!(
            [0, 1, 2].map(tells),
            ["0_to_1", "sum_of_2_to_1", "sum_of_4_to_1"]
        );
    }

    /// A text that says something else than a bit time ago is among those that are told anew.
    #[test]
    fn texts_that_change_are_known() {
        for operation in [Operation::PermutedSend, Operation::Histogram] {
            let program = program(operation);
            let followed = Followed::default();
            let mut before = vec![String::new(); 8 * 3];
            let mut told = 0;
            for now in 0..program.bit_times {
                let mut anew = Vec::new();
                followed.tell_anew(&program, now, &mut |node, number| anew.push((node, number)));
                told += anew.len();
                for (place, before) in before.iter_mut().enumerate() {
                    let (node, number) = (place / 3, 2 * (place % 3));
                    let mut text = String::new();
                    followed.tell(&program, (node, number), now, &mut text);
                    assert!(text == *before || anew.contains(&(node, number)), "{now}");
                    *before = text;
                }
            }
            assert!(told > 0 && told < before.len() * program.bit_times);
        }
    }

    #[test]
    fn two_exchanges_are_told_apart() {
        let program = program(Operation::PermutedSend);
        let told = |step: usize| TEXTS.map(|text| text(&program, step));
        assert_eq!(told(2), ["step_3_of_3", "1_of_2:pieces to all nodes"]);
        assert_eq!(
            told(3),
            ["step_1_of_3", "2_of_2:pieces to their destination"]
        );
        assert_eq!(shown(&program).texts.len(), 2);
    }
}
