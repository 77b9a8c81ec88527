//! Messages as they are: drawn, or from a file `node,value`, values hexadecimal.
//!
//! A node's message for itself, where nobody else has it, may be left out. If a file has it, it stays where it is, and results have
//! it as well.

use std::path::Path;
use std::rc::Rc;

use hosts::collectives::ends::{Ends, Pattern};
use hosts::words::{Words, hexadecimal};

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::collectives::data::{Data, origin};
use crate::families::collectives::job::Job;
use crate::families::collectives::parameters::VALUES;
use crate::output::Staged;
use crate::report::counted;
use crate::values::{NODE, read_rows, refused};
use crate::words::{patterned, read_hexadecimal};

/// Messages.
pub struct Messages {
    words: Rc<Words>,
    /// Whether those that nodes have for themselves are among them.
    has_own: bool,
}

impl Messages {
    /// As asked for: drawn or read.
    ///
    /// # Errors
    /// A file that cannot be used.
    pub fn new(job: &Job) -> Result<Self, Error> {
        let ((nodes, each), bits) = (job.ends.sent_shape(), job.word_bits);
        let (words, has_own) = match job.chosen.path(&VALUES) {
            None => (Words::drawn(nodes, each, bits, job.chosen.seed()), false),
            Some(path) => read(path, &job.ends, Words::zeros(nodes, each, bits))?,
        };
        Ok(Messages {
            words: Rc::new(words),
            has_own,
        })
    }

    /// Rows of such numbers of messages, but for own ones where they are not given.
    fn rows<'a>(
        &'a self,
        ends: &'a Ends,
        (words, node): (&'a Words, fn(&Ends, usize) -> usize),
    ) -> impl Iterator<Item = [String; 2]> + 'a {
        let numbers = words.iter().enumerate();
        let given = numbers.filter(move |(number, _)| self.has_own || !ends.is_own(*number));
        given.map(move |(number, word)| {
            let value = hexadecimal(word, words.bits());
            [node(ends, number).to_string(), value]
        })
    }
}

impl Data for Messages {
    fn sent(&self, _job: &Job) -> Rc<Words> {
        Rc::clone(&self.words)
    }

    /// Who sends to whom, of few nodes, where it was drawn or given.
    fn in_words(&self, job: &Job) -> String {
        const MOST_TOLD: usize = 8;
        match &job.ends.pattern {
            Pattern::Permuted(permutation) if job.cube.nodes() <= MOST_TOLD => {
                let destinations = permutation.destinations().into_iter().enumerate();
                let each = destinations.map(|(source, to)| format!("{source}->{to}"));
                each.collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        }
    }

    fn summary(&self, job: &Job) -> Vec<(&'static str, String)> {
        let (bits, [_, origin]) = (counted(job.word_bits, "bit"), origin(&job.chosen));
        vec![("messages", format!("{bits} {}, {origin}", job.ends.text()))]
    }

    fn file(&self, job: &Job) -> String {
        let rows = self.rows(&job.ends, (&self.words, Ends::sent_row));
        let rows = rows.map(|[node, value]| format!("{node},{value}\n"));
        format!("{NODE},value\n") + &rows.collect::<String>()
    }

    fn write(&self, job: &Job, output: Staged, arrived: &Words) -> Result<(), Error> {
        write_rows(output, |writer| {
            writer.write_record([NODE, "value"])?;
            let mut rows = self.rows(&job.ends, (arrived, Ends::arrived_row));
            rows.try_for_each(|row| writer.write_record(row))
        })
    }

    fn later(&self, _job: &Job, round: usize, seed: u64) -> (Rc<dyn Data>, String) {
        let words = &self.words;
        let size = (words.nodes(), words.per_node(), words.bits());
        let (words, name) = patterned(round, size, seed);
        let later = Messages {
            words: Rc::new(words),
            has_own: false,
        };
        (Rc::new(later), name)
    }
}

/// How many messages of a node a file has at the least, and at the most.
fn wanted(ends: &Ends, node: usize) -> [usize; 2] {
    match ends.pattern {
        Pattern::From(own) | Pattern::To(own) => [usize::from(node != own), 1],
        Pattern::EachToEach => [ends.nodes - 1, ends.nodes],
        Pattern::Between(from, _) => [usize::from(node == from); 2],
        _ => [1, 1],
    }
}

/// Reads as many messages as there is room for, and says whether own ones are among them.
///
/// # Errors
/// What is wrong, with the line and, where it is one value, the column; a file that cannot be read.
fn read(path: &Path, ends: &Ends, mut words: Words) -> Result<(Words, bool), Error> {
    let (nodes, each, bits) = (ends.nodes, words.per_node(), words.bits());
    let mut found = vec![0; nodes];
    let last_line = read_rows(path, NODE, bits, |row| {
        let node = row.owner("there is no node", nodes)?;
        let [_, most] = wanted(ends, node);
        if found[node] == most {
            let why = match (&ends.pattern, most) {
                (Pattern::Between(from, _), 0) => {
                    format!("the row is of node {node}, and only the source, {from}, has a message")
                }
                (_, 1) => format!("node {node} has a message already"),
                _ => format!("node {node} has {most} messages already, as many as there are nodes"),
            };
            return Err(row.not_of_it(why));
        }
        let number = match ends.pattern {
            Pattern::Between(..) => 0,
            _ => node * each + found[node],
        };
        found[node] += 1;
        read_hexadecimal(row.value, words.word_mut(number), bits)
            .map_err(|why| row.not_this_value(why))
    })?;
    let refused = |why| Err(refused(path, last_line, why));
    for (node, &found) in found.iter().enumerate() {
        let [least, most] = wanted(ends, node);
        if found < least && least == 1 {
            let why = "every node that sends has to have a message";
            return refused(format!("no row is of node {node}: {why}"));
        }
        if found < least {
            return refused(format!(
                "node {node} has {found} messages: every node has to have {least}, one for each of the others, or {most} with its own"
            ));
        }
    }
    let has_own = match ends.pattern {
        Pattern::From(own) | Pattern::To(own) => found[own] == 1,
        Pattern::EachToEach => found[0] == nodes,
        _ => true,
    };
    if ends.pattern != Pattern::EachToEach {
        return Ok((words, has_own));
    }
    let due = nodes - usize::from(!has_own);
    if let Some(node) = (0..nodes).find(|node| found[*node] != due) {
        return refused(format!(
            "node {node} has {} messages and node 0 has {due}: with their own or without, all nodes have to have as many",
            found[node]
        ));
    }
    if !has_own {
        make_room(&mut words);
    }
    Ok((words, has_own))
}

/// Moves messages that stand one behind the other to the numbers of their destinations: each node's own is left out.
fn make_room(words: &mut Words) {
    let each = words.per_node();
    for node in 0..words.nodes() {
        for other in (node + 1..each).rev() {
            let before = words.word(node * each + other - 1).to_vec();
            words.word_mut(node * each + other).copy_from_slice(&before);
        }
        words.word_mut(node * each + node).fill(0);
    }
}

#[cfg(test)]
mod tests;
