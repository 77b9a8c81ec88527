//! A job with its words: loads them, reads what the nodes end up with, judges.

use ::hosts::tale::Tales;
use ::hosts::words::{Words, hexadecimal};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals::Passed;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::reduced_hypercube::collective::VALUE;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;

use crate::error::Error;
use crate::families::reduced_hypercube::compared::compare;
use crate::families::reduced_hypercube::hosts::{self, Loading};
use crate::families::reduced_hypercube::job::Job;
use crate::families::reduced_hypercube::operation::Operation;
use crate::families::reduced_hypercube::parameters::{RESULTS, VALUES};
use crate::families::reduced_hypercube::report;
use crate::families::reduced_hypercube::shown;
use crate::families::reduced_hypercube::tales::tales;
use crate::families::reduced_hypercube::values::{self, Whose};
use crate::lockstep::{Ended, Stimulus, Verdict};
use crate::options::file_name;
use crate::progress::in_stage;
use crate::report::Section;
use crate::words::patterned;

/// A job and its words.
pub struct Collecting {
    pub(super) job: Job,
    pub(super) words: Words,
}

impl Collecting {
    /// With words that are drawn or read.
    ///
    /// # Errors
    /// Files that cannot be used.
    pub fn new(job: Job) -> Result<Self, Error> {
        let (nodes, (keys, bits)) = (job.device.topology().nodes(), job.words());
        let words = match job.chosen.path(&VALUES) {
            None => Words::drawn(nodes, keys, bits, job.chosen.seed()),
            Some(path) => values::read(path, Words::zeros(nodes, keys, bits), job.whose())?,
        };
        Ok(Collecting { job, words })
    }

    /// What the words are called.
    pub(super) fn words_name(&self) -> String {
        match self.job.chosen.path(&VALUES) {
            Some(path) => file_name(path),
            None => "random".to_owned(),
        }
    }
}

impl Stimulus for Collecting {
    fn device(&self) -> &dyn Device {
        &*self.job.device
    }

    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        machine.load(&mut Loading::new(&self.words, self.job.whose(), passed))
    }

    fn judge(&mut self, mut run: Ended<'_>) -> Result<Verdict, Error> {
        let due = self.job.due(&self.words);
        let found = in_stage(("comparing", run.machine.nodes()), run.quiet, |passed| {
            hosts::read(&*run.machine, &self.words, passed)
        })?;
        if let Some(results) = run.file(&RESULTS) {
            values::write(results, &found.words, due.whose)?;
        }
        let compared = compare(&found, &due, self.job.operation);
        Ok(report::verdict(self, run.measurement, &compared))
    }

    fn traffic_file(&self) -> String {
        values::text(&self.words, self.job.whose())
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        let due = self.job.due(&self.words);
        Box::new(move |node, field, bit| match (field, due.whose) {
            (Field::VALID, _) => Some(true),
            (VALUE | Field::PAYLOAD, Whose::All) => due.words.bit(node, bit),
            (VALUE | Field::PAYLOAD, Whose::Of(only)) if node == only => due.words.bit(0, bit),
            _ => None,
        })
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let (nodes, keys, bits) = (self.words.nodes(), self.words.per_node(), self.words.bits());
        let seed = self.job.chosen.seed().wrapping_add(round as u64);
        let (words, name) = patterned(round, (nodes, keys, bits), seed);
        let later = Collecting {
            job: self.job.another(),
            words,
        };
        Ok((Box::new(later), name))
    }

    fn facts(&self) -> Section {
        report::facts(self)
    }

    fn in_words(&self) -> String {
        let algorithm = format!("algorithm {}", self.job.algorithm.name());
        match self.job.operation {
            Operation::Reduce | Operation::Prefix => {
                let operator = self.job.operator().map_or("", |operator| operator.name());
                format!("{algorithm}, operator {operator}")
            }
            Operation::Broadcast | Operation::Sort => algorithm,
        }
    }

    fn legend(&self) -> Vec<String> {
        let rows = match self.job.network {
            BlockNetwork::Full(_) => {
                &["way d0:1->0 = across dimension 0, who has a 1 there sends"][..]
            }
            BlockNetwork::Reduced(network) => &[
                match network.low_bits() {
                    0 => "node_1_2 = block 1 | sub-block 2",
                    _ => "node_1_2_0 = block 1 | sub-block 2 | node 0",
                },
                "way: d dimension, SB sub-block, BB block bit",
            ],
        };
        // A broadcast has no row `way`.
        let rows = match self.job.source() {
            Some(_) => &rows[..rows.len() - 1],
            None => rows,
        };
        let of_words = match self.job.operation {
            Operation::Prefix => Some(
                "in_words 2 + 4 words: in result, and in preceding, still to be added; total: in message",
            ),
            Operation::Sort => Some("42: 2 of 8 = key 42 is the second of 8"),
            Operation::Broadcast => Some("parent, children: a bit for each link, dim_0 last"),
            _ => None,
        };
        let rows = rows.iter().copied().chain(of_words);
        rows.map(str::to_owned).collect()
    }

    fn tales(&self, nodes: &[usize]) -> Result<Tales, Error> {
        tales(&self.job, &self.words, nodes)
    }

    fn roles(&self) -> Vec<(usize, String)> {
        let due = self.job.due(&self.words);
        let word = |number: usize| hexadecimal(due.words.word(number), due.words.bits());
        let all = self.words.nodes();
        let of_each = |place: usize| match self.job.operation {
            Operation::Prefix => Some(format!(
                "gets the prefix of {} words: 0x{}",
                place + 1,
                word(place)
            )),
            Operation::Sort if due.words.per_node() == 1 => Some(format!(
                "gets key 0x{}, {} of {all}",
                word(place),
                place + 1
            )),
            _ => None,
        };
        let result = match due.whose {
            Whose::Of(node) => vec![(
                node,
                format!("gets the result of {all} words: 0x{}", word(0)),
            )],
            Whose::All => (0..all)
                .filter_map(|node| Some((node, of_each(node)?)))
                .collect(),
        };
        let source = self.job.source().map(|node| (node, "source".to_owned()));
        result.into_iter().chain(source).collect()
    }

    /// Nodes whose words meet in the first steps.
    fn interesting(&self) -> Vec<usize> {
        shown::interesting(&self.job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::reduced_hypercube::testbench::{BROADCAST, PREFIX, REDUCE, SORT};
    use crate::lockstep::Compared;
    use crate::testbench::Testbench;
    use crate::testbench::bench::asked;

    /// What is found after a run of words of so many bits.
    fn compared(bench: &'static Testbench, words: &str) -> Compared {
        let job = Job::new(&asked(
            bench,
            &format!("--dims 1 --blocks 1 --seed 3 {words}"),
        ))
        .unwrap();
        let operation = job.operation;
        let collecting = Collecting::new(job).unwrap();
        let mut machine = collecting.device().build(1).unwrap();
        collecting.load(&mut *machine, &mut |_| Ok(())).unwrap();
        while !machine.is_done() {
            machine.tick().unwrap();
        }
        let found = hosts::read(&*machine, &collecting.words, &mut |_| Ok(())).unwrap();
        compare(&found, &collecting.job.due(&collecting.words), operation)
    }

    /// In the order of nodes: prefixes of ever more words, the last of them that of all, and keys by their ranks.
    #[test]
    fn nodes_are_called_by_what_they_end_up_with() {
        let roles = |bench: &'static Testbench| {
            let job = Job::new(&asked(bench, "--dims 1 --blocks 1")).unwrap();
            Collecting::new(job).unwrap().roles()
        };
        let (of_all, prefixes) = (roles(&REDUCE), roles(&PREFIX));
        let result = of_all[0].1.strip_prefix("gets the result ").unwrap();
        assert!(result.starts_with("of 8 words: "), "{result}");
        assert_eq!(prefixes[7], (7, format!("gets the prefix {result}")));
        assert!(prefixes[2].1.contains(" of 3 words: "), "{prefixes:?}");
        let keys = roles(&SORT);
        assert!(keys[5].1.ends_with(", 6 of 8"), "{keys:?}");
        assert!(keys.is_sorted_by_key(|(_, gets)| gets.clone()), "{keys:?}");
    }

    /// Hosts hand over 64 bits at a time: of a node there may be more, and words may begin anywhere in them.
    #[test]
    fn words_that_fill_more_than_64_bits_of_a_node_are_loaded_and_read() {
        for bits in [1, 63, 64, 65, 130] {
            let of_words = [&REDUCE, &PREFIX, &SORT].map(|bench| (bench, "word"));
            for (bench, what) in of_words.into_iter().chain([(&BROADCAST, "message")]) {
                let network = match what {
                    "message" => "--network reduced-hypercube",
                    _ => "",
                };
                let compared = compared(bench, &format!("--{what}-bits {bits} {network}"));
                assert_eq!(compared.first_fault, None, "{} {bits}", bench.name);
            }
        }
        for (keys, bits) in [(3, 33), (5, 13), (2, 70), (32, 7)] {
            let compared = compared(&SORT, &format!("--keys {keys} --word-bits {bits}"));
            assert_eq!((compared.amount, compared.first_fault), (8, None));
        }
    }
}
