//! Samples: drawn or read, counted, and what comes of the counts.

use std::path::Path;
use std::rc::Rc;

use hosts::words::Words;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rtl_model::csv_file::whole;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::collectives::data::{Data, origin};
use crate::families::collectives::entries;
use crate::families::collectives::histogram::extent::{MOST_SAMPLES, bins, samples, word_bits};
use crate::families::collectives::job::Job;
use crate::families::collectives::parameters::cube;
use crate::output::Staged;
use crate::report::{Check, Section, counted};
use crate::testbench::chosen::Chosen;
use crate::values::{NODE, read_rows, shown};

/// Counts of a node that are told in words; of more only which they are.
const MOST_TOLD: usize = 6;

/// Samples of all nodes.
pub struct Samples {
    bins: usize,
    word_bits: usize,
    /// By node: the bins of its samples.
    of_nodes: Vec<Vec<u32>>,
}

impl Samples {
    /// From a file.
    ///
    /// # Errors
    /// A file that cannot be used, bins out of range, counts that are too narrow.
    pub fn read(chosen: &Chosen, path: &Path) -> Result<Self, Error> {
        let (bins, nodes) = (bins(chosen)?, cube(chosen)?.nodes());
        let mut of_nodes = vec![Vec::new(); nodes];
        let mut all = 0;
        read_rows(path, NODE, 64, |row| {
            let node = row.owner("there is no node", nodes)?;
            let Some(bin) = whole::<u32>(row.value).filter(|bin| (*bin as usize) < bins) else {
                let none = format!("there is no bin `{}`", shown(row.value));
                let they_are = format!("they are 0 to {}, decimal", bins - 1);
                return Err(row.not_this_value(none).instead(they_are));
            };
            if all == MOST_SAMPLES {
                let more = format!("{MOST_SAMPLES} samples are the most, and this is one more");
                return Err(Refusal::why(more));
            }
            all += 1;
            of_nodes[node].push(bin);
            Ok(())
        })?;
        Ok(Samples {
            bins,
            word_bits: word_bits(chosen, all)?,
            of_nodes,
        })
    }

    /// Drawn from a seed.
    ///
    /// # Errors
    /// Bins or samples out of range, counts that are too narrow.
    pub fn drawn(chosen: &Chosen) -> Result<Self, Error> {
        let nodes = cube(chosen)?.nodes();
        let (bins, samples) = (bins(chosen)?, samples(chosen)?);
        let mut random = ChaCha8Rng::seed_from_u64(chosen.seed());
        let mut draw = |_| (random.next_u64() % bins as u64) as u32;
        let word_bits = word_bits(chosen, nodes * samples)?;
        let of_nodes = (0..nodes).map(|_| (0..samples).map(&mut draw).collect());
        Ok(Samples {
            bins,
            word_bits,
            of_nodes: of_nodes.collect(),
        })
    }

    /// Bits of a count.
    pub fn word_bits(&self) -> usize {
        self.word_bits
    }

    /// How many there are.
    fn amount(&self) -> usize {
        self.of_nodes.iter().map(Vec::len).sum()
    }

    /// Bins of a node.
    fn share(&self, job: &Job) -> usize {
        self.bins.div_ceil(job.cube.nodes())
    }

    /// Counts of all bins, from words of the nodes that have them.
    fn counts(&self, job: &Job, words: &Words) -> Vec<u64> {
        let (share, bits) = (self.share(job), self.word_bits);
        let all = 0..self.bins;
        all.map(|bin| words.chunk(bin / share, bin % share * bits, bits))
            .collect()
    }

    /// How many samples each bin has.
    fn all_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.bins];
        for bin in self.of_nodes.iter().flatten() {
            counts[*bin as usize] += 1;
        }
        counts
    }

    /// Of each sample, the number of the word that it is counted in, and from which bit on. `word` is the number of that which a
    /// node's samples of another node's bins are counted in.
    fn counted(
        &self,
        job: &Job,
        word: impl Fn(usize, usize) -> usize,
    ) -> impl Iterator<Item = (usize, usize)> {
        let (share, bits) = (self.share(job), self.word_bits);
        let of_nodes = self.of_nodes.iter().enumerate();
        let samples =
            of_nodes.flat_map(|(node, bins)| bins.iter().map(move |bin| (node, *bin as usize)));
        samples.map(move |(node, bin)| (word(node, bin / share), bin % share * bits))
    }
}

impl Data for Samples {
    fn sent(&self, job: &Job) -> Rc<Words> {
        let (nodes, each) = job.ends.sent_shape();
        // Of many bins few have a sample of one node.
        let counted = || self.counted(job, |node, other| job.ends.sent(node, other));
        let written = counted().map(|(word, _)| word);
        let mut words = Words::sparse(nodes, each, job.word_bits, written);
        counted().for_each(|(word, from)| words.count(word, from));
        Rc::new(words)
    }

    fn due(&self, job: &Job) -> Option<Words> {
        let (nodes, each) = job.ends.arrived_shape();
        let mut words = Words::zeros(nodes, each, job.word_bits);
        let counted = self.counted(job, |_, other| other);
        counted.for_each(|(word, from)| words.count(word, from));
        Some(words)
    }

    fn in_words(&self, _job: &Job) -> String {
        let bins = counted(self.bins, "bin");
        format!("{bins}, {}", counted(self.amount(), "sample"))
    }

    fn summary(&self, job: &Job) -> Vec<(&'static str, String)> {
        let (amount, [_, origin]) = (self.amount(), origin(&job.chosen));
        let [bins, share] = [self.bins, self.share(job)].map(|bins| counted(bins, "bin"));
        let bits = counted(self.word_bits, "bit");
        let counts = format!("of {bits} each; every node ends up with those of {share}");
        vec![
            ("samples", format!("{amount} in {bins}, {origin}")),
            ("counts", counts),
        ]
    }

    fn facts(&self) -> Section {
        vec![
            entries::BINS.is(&self.bins),
            entries::SAMPLES_IN_ALL.is(&self.amount()),
            entries::WORD_BITS.is(&self.word_bits),
        ]
    }

    fn outcomes(&self, job: &Job) -> Vec<(usize, String)> {
        let (share, due, nodes) = (self.share(job), self.all_counts(), job.cube.nodes());
        let of_node = |node: usize| {
            let first = node * share;
            let counts = due.get(first..self.bins.min(first + share))?;
            let last = first + counts.len().checked_sub(1)?;
            let bins = match counts.len() {
                1 => format!("gets counts of bin {first}"),
                _ => format!("gets counts of bins {first} to {last}"),
            };
            let told: Vec<String> = counts.iter().map(u64::to_string).collect();
            Some(match told.len() {
                few if few <= MOST_TOLD => {
                    format!("{bins} of all nodes: {}", told.join(" "))
                }
                _ => bins,
            })
        };
        (0..nodes)
            .filter_map(|node| Some((node, of_node(node)?)))
            .collect()
    }

    fn checks(&self, job: &Job, arrived: &Words) -> Vec<Check> {
        let due = self.all_counts();
        let counts = self.counts(job, arrived);
        let mut wrong = (0..self.bins).filter(|bin| counts[*bin] != due[*bin]);
        let (all, first) = (self.bins, wrong.next());
        let right = all - wrong.count() - usize::from(first.is_some());
        let mut detail = format!("{right} of {all} bins have as many samples as there are");
        if let Some(bin) = first {
            let (found, due) = (counts[bin], due[bin]);
            detail += &format!("; first: bin {bin} has {found} in place of {due}");
        }
        vec![Check::new("counts", first.is_none(), detail)]
    }

    fn file(&self, _job: &Job) -> String {
        let nodes = self.of_nodes.iter().enumerate();
        let rows = nodes
            .flat_map(|(node, samples)| samples.iter().map(move |bin| format!("{node},{bin}\n")));
        format!("{NODE},value\n") + &rows.collect::<String>()
    }

    fn write(&self, job: &Job, output: Staged, arrived: &Words) -> Result<(), Error> {
        write_rows(output, |writer| {
            writer.write_record(["bin", "count"])?;
            let counts = self.counts(job, arrived).into_iter().enumerate();
            let mut rows = counts.map(|(bin, count)| [bin.to_string(), count.to_string()]);
            rows.try_for_each(|row| writer.write_record(row))
        })
    }

    /// As many samples at each node.
    fn later(&self, _job: &Job, round: usize, seed: u64) -> (Rc<dyn Data>, String) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (bins, last) = (self.bins as u64, self.bins as u64 - 1);
        let mut number = 0;
        let mut bin = |_: &u32| {
            number += 1;
            let bin = match round % 6 {
                2 => last,
                3 => last - number % bins,
                4 => number % bins,
                5 => number % 2 * last,
                _ => random.next_u64() % bins,
            };
            bin as u32
        };
        let of_nodes = self.of_nodes.iter();
        let of_nodes = of_nodes.map(|samples| samples.iter().map(&mut bin).collect());
        let later = Samples {
            bins: self.bins,
            word_bits: self.word_bits,
            of_nodes: of_nodes.collect(),
        };
        let name = match round % 6 {
            2 => "all in one bin",
            3 => "falling",
            4 => "rising",
            5 => "the first and the last bin",
            _ => return (Rc::new(later), format!("random, seed {seed}")),
        };
        (Rc::new(later), name.to_owned())
    }
}

#[cfg(test)]
mod tests;
