//! What a waveform tells of nodes in words: of how many words a sum is, which rank a key has, who has the message.
//!
//! It is worked out at the end of each row of the step table, in a run before the run. Which words are in a sum is told by a machine
//! of the same table that combines sets: its words have a bit for each node, and its operator is `or`.
//!
//! ```text
//!   the machine      6B | 9C | 03      rows of W bit times
//!   sets of nodes   {2} |{2,3}|{0,1,2,3}      the same rows, of as many bit times as there are nodes
//!   told            own word | sum of 2 words | sum of 4 words
//! ```

use ::hosts::tale::{Said, Tale, Tales};
use ::hosts::words::Words;
use rtl_model::machine::shown::Number;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use waves::picture::run::{Crossing, Route, Stay};
use waves::probe::beside;

use crate::error::Error;
use crate::families::reduced_hypercube::hosts::Loading;
use crate::families::reduced_hypercube::job::Job;
use crate::families::reduced_hypercube::operation::Operation;
use crate::families::reduced_hypercube::parameters::{OPERATOR, WORD_BITS};
use crate::interrupt;
use crate::progress::broken_off;
use crate::testbench::chosen::{Form, Given};
use keys::Keys;

mod keys;

/// The most nodes of a machine of which tales are worked out: it takes two runs.
const MOST_NODES: usize = 512;

/// Where a row begins.
struct RowBegin {
    /// When.
    bit_time: u64,
    /// Who sends to whom in it, as a waveform says it.
    way: String,
    /// By node its numbers, each as limbs.
    of_nodes: Vec<Vec<Vec<u64>>>,
}

/// Runs a machine with these words, and reads the numbers of nodes where rows begin.
fn rows(job: &Job, words: &Words, nodes: &[usize]) -> Result<Vec<RowBegin>, Error> {
    let mut machine = job.device.build(1)?;
    machine.watch();
    let passed = &mut |_| interrupt::check();
    broken_off(passed, |passed| {
        machine.load(&mut Loading::new(words, job.whose(), passed))
    })?;
    let texts = machine.device().shown().texts;
    let way_text = texts.iter().position(|text| text.name == "way");
    let (mut rows, mut last) = (Vec::new(), None);
    loop {
        interrupt::check()?;
        machine.transmit()?;
        let position = machine.position();
        let row = (position.iteration, position.step);
        if last != Some(row) {
            let mut way = String::new();
            if let Some(text) = way_text {
                machine.append_text(text, &mut way);
            }
            let of_nodes = nodes.iter().map(|&node| numbers(&*machine, node));
            rows.push(RowBegin {
                bit_time: machine.bit_time(),
                way,
                of_nodes: of_nodes.collect(),
            });
            last = Some(row);
        }
        if machine.is_done() {
            return Ok(rows);
        }
        machine.clock();
    }
}

/// The numbers that a node shows.
fn numbers(machine: &dyn Lockstep, node: usize) -> Vec<Vec<u64>> {
    let mut bits = Vec::new();
    machine.append_numbers(node, &mut bits);
    let mut bits = bits.as_slice();
    let shown = machine.device().shown().numbers;
    let limb = |bits: &[bool]| {
        let bits = bits.iter().rev();
        bits.fold(0, |limb, bit| limb << 1 | u64::from(*bit))
    };
    let each = shown.iter().map(|number| {
        let (of_number, rest) = bits.split_at(number.width);
        bits = rest;
        of_number.chunks(64).map(limb).collect()
    });
    each.collect()
}

/// Of a machine like the job's: from which words each number of a node is combined, row by row.
fn sets(job: &Job, nodes: &[usize]) -> Result<Vec<RowBegin>, Error> {
    let all = job.device.topology().nodes();
    let chosen = job.chosen.clone().without_files();
    let chosen = chosen
        .with(&OPERATOR, Given::Text(Operator::Or.name().to_owned()))
        .with(&WORD_BITS, Given::Whole(Form::number(all)));
    let mut words = Words::zeros(all, 1, all);
    for node in 0..all {
        words.set_bit(node, node, true);
    }
    rows(&Job::new(&chosen)?, &words, nodes)
}

/// Ranks of up to two keys, counted from 1; of more keys that of the first.
fn counted(ranks: &[usize]) -> [u32; 2] {
    let rank = |place: usize| ranks.get(place).map_or(0, |rank| *rank as u32 + 1);
    match ranks.len() {
        0..=2 => [rank(0), rank(1)],
        _ => [rank(0), 0],
    }
}

/// Nodes in a set.
fn members(set: &[u64]) -> u32 {
    set.iter().map(|limb| limb.count_ones()).sum()
}

/// Nodes in any of some sets.
fn union(sets: &[Vec<u64>]) -> Vec<u64> {
    let limbs = sets.iter().map(Vec::len).max().unwrap_or(0);
    let any = |limb: usize| {
        let each = sets.iter().filter_map(|set| set.get(limb));
        each.fold(0, |all, limb| all | limb)
    };
    (0..limbs).map(any).collect()
}

/// The number of a prefix that has all words that a node has met, its own prefix or not.
const TOTAL: &str = "message";
const RESULT: &str = "result";

/// Of a prefix, of how many words it is that are added up, and of how many that are still to be added; and the total of all words that
/// the node has met, where that is another.
fn of_prefix(of_node: &[Vec<u64>], names: &[Number]) -> String {
    let set = |is_meant: &dyn Fn(&str) -> bool| {
        let sets = of_node.iter().zip(names);
        let sets = sets.filter(|(_, number)| is_meant(&number.name));
        union(&sets.map(|(set, _)| set.clone()).collect::<Vec<_>>())
    };
    let [result, total] = [RESULT, TOTAL].map(|own| set(&|name| name == own));
    let both = set(&|name| name != TOTAL);
    let (added, total) = (members(&result), members(&total));
    let plural = if members(&both) == 1 { "" } else { "s" };
    let own = match members(&both) - added {
        0 => format!("{added} word{plural}"),
        later => format!("{added} + {later} words"),
    };
    match total == members(&both) || total == 0 {
        true => own,
        false => format!("{own}, total {total}"),
    }
}

/// The tales of these nodes.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn tales(job: &Job, words: &Words, nodes: &[usize]) -> Result<Tales, Error> {
    if job.device.topology().nodes() > MOST_NODES {
        return Ok(Tales::default());
    }
    let everyone: Vec<usize> = (0..job.device.topology().nodes()).collect();
    let rows = rows(job, words, &everyone)?;
    let tell = |counts, says: &dyn Fn(usize, usize) -> (String, [u32; 2])| {
        let tale = |&node: &usize| {
            let mut told: Vec<Said> = Vec::new();
            for (row, RowBegin { bit_time, .. }) in rows.iter().enumerate() {
                let (words, amounts) = says(row, node);
                if told.last().is_none_or(|last| last.words != words) {
                    let from = *bit_time;
                    told.push(Said {
                        from,
                        words,
                        amounts,
                    });
                }
            }
            Tale { node, told }
        };
        Tales {
            counts,
            doubles: matches!(job.operation, Operation::Reduce),
            of_nodes: nodes.iter().map(tale).collect(),
            route: None,
        }
    };
    Ok(match job.operation {
        Operation::Reduce | Operation::Prefix => {
            let sets = sets(job, &everyone)?;
            let names = job.device.shown().numbers;
            let what = match job.operator() {
                Some(Operator::Add) => "sum",
                operator => operator.map_or("", |operator| operator.name()),
            };
            let is_prefix = matches!(job.operation, Operation::Prefix);
            let counts = match job.operator() {
                _ if is_prefix => "words of its prefix",
                Some(Operator::Add) => "words added up",
                _ => "words combined",
            };
            tell(counts, &|row, node| {
                let of_node = &sets[row].of_nodes[node];
                let told = match of_node.iter().map(|set| members(set)).max() {
                    _ if is_prefix => of_prefix(of_node, &names),
                    None | Some(0) => String::new(),
                    Some(1) => "own word".to_owned(),
                    Some(amount) => format!("{what} of {amount}"),
                };
                // The total goes on to nodes behind.
                let own = of_node.iter().zip(&names);
                let own = own.filter(|(_, number)| !is_prefix || number.name != TOTAL);
                let own: Vec<Vec<u64>> = own.map(|(set, _)| set.clone()).collect();
                (told, [members(&union(&own)), 0])
            })
        }
        Operation::Sort => {
            let topology = job.device.topology();
            let keys = Keys::of(words, &*topology);
            let lives = keys.lives(&rows);
            tell("rank of the key (of a second one below)", &|row, node| {
                let ranks = &lives[row][node];
                let each = ranks.iter().map(|&rank| keys.told(rank));
                (each.collect::<Vec<_>>().join(", "), counted(ranks))
            })
        }
        Operation::Broadcast => {
            let source = job.source().unwrap_or(0);
            let message = Some(words.word(source).to_vec());
            // Registers begin as zeros: of such a message nobody sees who has it.
            if message.iter().flatten().all(|limb| *limb == 0) {
                return Ok(Tales::default());
            }
            let topology = job.device.topology();
            // A child may become known after its parent has the message: of each node what it knows in the end.
            let last = rows.last().map_or(&[][..], |row| &row.of_nodes);
            let linked = |node: usize, name: &str| -> Vec<usize> {
                let links = job.device.shown().numbers;
                let links = links.iter().position(|number| number.name == name);
                let mask = links.and_then(|number| last[node][number].first());
                let links = (0..u64::BITS as usize)
                    .filter(|link| mask.is_some_and(|mask| mask >> link & 1 == 1));
                links.map(|link| topology.sender(node, link)).collect()
            };
            let across = |node: usize, name: &str| {
                let nodes = linked(node, name).into_iter();
                let names = nodes.map(|node| topology.node_name(node));
                names.collect::<Vec<_>>().join(" ")
            };
            let told = tell("", &|row, node| {
                let [parent, children] = ["parent", "children"].map(|name| across(node, name));
                let from = (!parent.is_empty()).then(|| format!("from {parent}"));
                let to = (!children.is_empty()).then(|| format!("sends it to {children}"));
                let (words, more) = match rows[row].of_nodes[node].first() == message.as_ref() {
                    true => ("has the message", [from, to]),
                    false => ("waits for the message", [from, None]),
                };
                let more: Vec<String> = more.into_iter().flatten().collect();
                (beside(words, &more.join(", ")), [0; 2])
            });
            let has = |row: &RowBegin, node: usize| row.of_nodes[node].first() == message.as_ref();
            let comes = |node: usize| rows.iter().position(|row| has(row, node));
            let mut route = Route {
                name: format!("{}->all", topology.node_name(source)),
                source: source as u32,
                destination: source as u32,
                ..Route::default()
            };
            let end = rows.last().map_or(0, |row| row.bit_time) as u32 + 1;
            for &node in &everyone {
                let Some(row) = comes(node) else {
                    continue;
                };
                let come = rows[row].bit_time as u32;
                let stay = |from| Stay {
                    node: node as u32,
                    from,
                    to: end,
                };
                let before = row
                    .checked_sub(1)
                    .map(|before| rows[before].bit_time as u32);
                match (linked(node, "parent").first(), before) {
                    (Some(parent), Some(from)) => {
                        route.stays.push(stay(from + 1));
                        route.crossings.push(Crossing {
                            sender: *parent as u32,
                            receiver: node as u32,
                            from,
                            to: come,
                        });
                    }
                    _ => route.stays.push(stay(come)),
                }
            }
            Tales {
                route: Some(route),
                ..told
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::reduced_hypercube::stimulus::Collecting;
    use crate::families::reduced_hypercube::testbench::{BROADCAST, PREFIX, REDUCE, SORT};
    use crate::testbench::Testbench;
    use crate::testbench::bench::asked;

    /// What is told of nodes first and last.
    fn told(bench: &'static Testbench, words: &str, nodes: &[usize]) -> Vec<[String; 2]> {
        let job = Job::new(&asked(bench, words)).unwrap();
        let collecting = Collecting::new(job).unwrap();
        let tales = tales(&collecting.job, &collecting.words, nodes).unwrap();
        let ends = tales.of_nodes.into_iter().map(|tale| {
            let mut told = tale.told.into_iter().map(|said| said.words);
            let first = told.next().unwrap();
            [first.clone(), told.next_back().unwrap_or(first)]
        });
        ends.collect()
    }

    /// Of a sum, the number of words that are in it; the same of every operator.
    #[test]
    fn the_node_with_the_result_has_it_of_all_words() {
        for operator in Operator::ALL {
            let words = format!(
                "--dims 2 --blocks 1 --word-bits 8 --operator {}",
                operator.name()
            );
            let [[first, last]] = told(&REDUCE, &words, &[0]).try_into().unwrap();
            assert_eq!(first, "own word");
            assert!(last.ends_with(" of 16"), "{last}");
        }
    }

    #[test]
    fn a_prefix_is_of_the_words_up_to_the_node() {
        let all = told(&PREFIX, "--dims 1 --blocks 1", &[0, 3, 7]);
        let result = |place: usize| all[place][1].split(' ').next().unwrap().to_owned();
        assert_eq!([0, 1, 2].map(result), ["1", "4", "8"]);
        // What counts are the words of its own prefix: the first node has the total of half of all words, too.
        let job = Job::new(&asked(&PREFIX, "--dims 1 --blocks 1")).unwrap();
        let collecting = Collecting::new(job).unwrap();
        let tales = tales(&collecting.job, &collecting.words, &[0, 7]).unwrap();
        let told = |place: usize| tales.of_nodes[place].told.iter();
        let said = told(0).map(|said| (said.words.as_str(), said.amounts));
        let [total_2, total_4] = ["1 word, total 2", "1 word, total 4"];
        assert_eq!(
            said.collect::<Vec<_>>(),
            ["1 word", total_2, total_4].map(|words| (words, [1, 0]))
        );
        assert_eq!(told(1).next_back().unwrap().amounts, [8, 0]);
    }

    #[test]
    fn keys_end_up_at_nodes_by_their_ranks() {
        let all = told(&SORT, "--dims 1 --blocks 1", &[0, 5]);
        assert!(all[0][1].ends_with(": 1 of 8"), "{all:?}");
        assert!(all[1][1].ends_with(": 6 of 8"), "{all:?}");
        // Keys walk to another sub-block and back, as the ways say: meanwhile the first node has none.
        let job = Job::new(&asked(&SORT, "--dims 1 --blocks 1")).unwrap();
        let collecting = Collecting::new(job).unwrap();
        let tales = tales(&collecting.job, &collecting.words, &[0]).unwrap();
        let mut told = tales.of_nodes[0].told.iter();
        assert!(told.any(|said| said.words.is_empty()));
    }

    #[test]
    fn a_message_is_waited_for_but_at_its_source() {
        let words = "--network reduced-hypercube --dims 1 --blocks 1 --source 2";
        let all = told(&BROADCAST, words, &[2, 7]);
        let together = |words: String| words.split_whitespace().collect::<Vec<_>>().join(" ");
        let all: Vec<[String; 2]> = all.into_iter().map(|told| told.map(together)).collect();
        assert_eq!(all[0], ["has the message sends it to 1_1 0_0"; 2]);
        assert_eq!(
            all[1],
            [
                "waits for the message from 1_1",
                "has the message from 1_1, sends it to 3_0"
            ]
        );
        // It comes to each node but one, over a wire from one that has had it before.
        let job = Job::new(&asked(&BROADCAST, words)).unwrap();
        let collecting = Collecting::new(job).unwrap();
        let tales = tales(&collecting.job, &collecting.words, &[2]).unwrap();
        let topology = collecting.job.device.topology();
        let crossings = tales.route.unwrap().crossings;
        let mut come: Vec<_> = crossings.iter().map(|one| (one.receiver, one.to)).collect();
        come.sort_unstable();
        let nodes: Vec<u32> = come.iter().map(|(node, _)| *node).collect();
        let others = (0..topology.nodes() as u32).filter(|node| *node != 2);
        assert_eq!(nodes, others.collect::<Vec<_>>());
        for one in &crossings {
            let [sender, receiver] = [one.sender, one.receiver].map(|node| node as usize);
            let mut senders = (0..topology.links()).map(|link| topology.sender(receiver, link));
            assert!(senders.any(|node| node == sender), "{one:?}");
            assert!(one.from < one.to, "{one:?}");
            let had = come.iter().find(|(node, _)| *node == one.sender);
            assert!(had.is_none_or(|(_, to)| *to < one.to), "{one:?}");
        }
    }
}
