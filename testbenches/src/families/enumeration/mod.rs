//! Testbench `enumeration`: Theorem 2 on any set of nodes.

use rtl_model::machine::arrivals::Passed;
use std::ops::Range;

use hosts::tale::{Said, Tale, Tales};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::enumeration;
use rtl_model::traffic::NodeSet;

use crate::error::Error;
use crate::lockstep::messages::drawn;
use crate::lockstep::parameters::{self, DIMS, SET_FILE, SET_LOAD};
use crate::lockstep::{
    Beside, Carries, Ended, Later, Requirement, Stimulus, Verdict, first, permutations,
};
use crate::options::file_name;
use crate::progress::in_stage;
use crate::report::{Check, Section, Told, value};
use crate::testbench::Testbench;
use crate::testbench::bench::{AnyMachine, Job, Offer};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::SEED;

/// The testbench.
pub static BENCH: Testbench = Testbench {
    name: "enumeration",
    models: "every member of a set of nodes learns its rank, every node the total",
    source: "Kuszmaul 1990, section II.B, Theorem 2",
    examples: &[
        "cubewave run enumeration --dims 12 --load 0.5 --format json",
        "cubewave measure enumeration --dims 2..18 --plot bits.svg",
        "cubewave faults enumeration --dims 4 --format json",
        "cubewave plan enumeration --dims 28 --machines 2 --bandwidth 10Gbit --format json",
        "cubewave verilog enumeration --dims 5 --load 0.5 --out count",
    ],
    parameters: &[&DIMS, &SET_FILE, &SET_LOAD, &SEED],
    readings: &[],
    offers: &[Offer::Plan, Offer::Checkpoints],
    job: |chosen| Ok(Box::new(Enumeration::new(chosen)?)),
    looked_at: |_| "--dims 4",
    ..permutations::BENCH
};

struct Enumeration {
    chosen: Chosen,
    cube: Dimensions,
    device: Box<dyn Device>,
}

impl Enumeration {
    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let cube = parameters::dimensions(chosen)?;
        Ok(Enumeration {
            chosen: chosen.clone(),
            cube,
            device: enumeration::device(cube),
        })
    }
}

impl Job for Enumeration {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(&*self.device)
    }

    /// Beside the machine, the set.
    fn requirement(&self) -> Requirement {
        let nodes = self.cube.nodes();
        let beside = NodeSet::bytes(nodes);
        // While it is drawn, numbers are put into order.
        let before = beside + (size_of::<u32>() * nodes) as u64;
        Requirement::of(&*self.device, Beside { before, beside })
    }

    fn check_traffic(&self) -> Result<(), Error> {
        parameters::check_traffic(&self.chosen, true)
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Ok(Box::new(Ranking {
            bytes: self.requirement().bytes,
            members: parameters::set(&self.chosen)?,
            device: self.device,
            dimensions: self.cube,
            chosen: self.chosen,
        }))
    }
}

/// The router and the set that it ranks.
struct Ranking {
    device: Box<dyn Device>,
    dimensions: Dimensions,
    chosen: Chosen,
    /// As required of memory.
    bytes: u64,
    members: NodeSet,
}

impl Stimulus for Ranking {
    fn device(&self) -> &dyn Device {
        &*self.device
    }

    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        machine.load(&mut Marking {
            members: &self.members,
            nodes: 0,
            passed,
        })
    }

    fn judge(&mut self, run: Ended<'_>) -> Result<Verdict, Error> {
        let Ended { machine, quiet, .. } = run;
        let nodes = machine.nodes();
        let ranks = in_stage(("comparing", nodes), quiet, |passed| {
            Ranks::compare(&*machine, &self.members, passed)
        })?;
        let (traffic, load) = match self.chosen.path(&SET_FILE) {
            Some(path) => (file_name(path), None),
            None => ("random".to_owned(), parameters::load(&self.chosen)),
        };
        let (seed, members) = (self.chosen.seed(), self.members.len());
        let ranked = format!("{} of {members} members", ranks.members_right);
        let mut told = Told::default();
        told.say("set", drawn(&traffic, load, seed));
        told.say("ranked", ranked);
        told.checks = ranks.checks(self.dimensions, members);
        Ok(Verdict {
            traffic,
            load,
            seed,
            messages: members,
            delivered: ranks.members_right,
            bytes: self.bytes,
            told,
            ..Verdict::default()
        })
    }

    fn traffic_file(&self) -> String {
        let rows = self.members.iter().map(|member| format!("{member}\n"));
        String::from("source\n") + &rows.collect::<String>()
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        Box::new(|node, field, bit| {
            let number = match field {
                Field::RANK => self.members.rank(node),
                Field::TOTAL => self.members.len(),
                _ => return None,
            };
            Some(number >> bit & 1 == 1)
        })
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let later = Later::of(round, Carries::Partial, self.chosen.seed());
        let ranking = Ranking {
            device: self.device.another(),
            chosen: self.chosen.clone(),
            bytes: self.bytes,
            dimensions: self.dimensions,
            members: later.set(self.dimensions)?,
        };
        Ok((Box::new(ranking), format!("senders of {}", later.name())))
    }

    fn facts(&self) -> Section {
        vec![("payload_bits", value(&None::<usize>))]
    }

    /// Behind each dimension, the rank among the members of the subcube of all dimensions up to it: the bits of the sum of dimension
    /// d cross from bit time d on, and there are d + 1.
    fn tales(&self, nodes: &[usize]) -> Result<Tales, Error> {
        let rank = |node: usize| match node == self.dimensions.nodes() {
            true => self.members.len(),
            false => self.members.rank(node),
        };
        let members = |nodes: Range<usize>| rank(nodes.end) - rank(nodes.start);
        let tale = |&node: &usize| {
            let told = (0..self.dimensions.count()).map(|dimension| {
                let size = 2 << dimension;
                let first = node / size * size;
                let (before, all) = (members(first..node), members(first..first + size));
                let words = match self.members.contains(node) {
                    true => format!("rank {before} of {all} in {size} nodes"),
                    false => format!("{before} of {all} before, in {size}"),
                };
                Said {
                    from: 2 * dimension as u64 + 1,
                    words,
                    amounts: [members(first..node + 1) as u32, 0],
                }
            });
            Tale {
                node,
                told: told.collect(),
            }
        };
        Ok(Tales {
            counts: "members counted up to the node",
            doubles: false,
            of_nodes: nodes.iter().map(tale).collect(),
            ..Tales::default()
        })
    }

    fn legend(&self) -> Vec<String> {
        vec!["ranks count from 0; rank, total: their bits that have come; in_words: of the members in the nodes that have been counted".to_owned()]
    }

    fn roles(&self) -> Vec<(usize, String)> {
        let role = |node: usize| match self.members.contains(node) {
            true => "member",
            false => "no member",
        };
        let nodes = self.interesting().into_iter();
        nodes.map(|node| (node, role(node).to_owned())).collect()
    }

    fn interesting(&self) -> Vec<usize> {
        vec![self.dimensions.nodes() - 1, 0]
    }
}

/// The host that puts the set into the nodes.
struct Marking<'a> {
    members: &'a NodeSet,
    nodes: usize,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
}

impl Loads for Marking<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &node)| {
            places | u64::from(self.members.contains(node)) << place
        }))
    }

    fn values(&mut self, field: Field, _: usize, values: &mut Square) -> Result<(), ModelError> {
        match field {
            Field::MEMBER => values.fill(1),
            other => return Err(other.unknown()),
        }
        Ok(())
    }
}

/// What the nodes learned against the reference: members before each node, and all of them.
struct Ranks {
    nodes_right: usize,
    members_right: usize,
    totals_right: usize,
    first_fault: Option<String>,
}

/// The host that reads what they learned.
struct Comparing<'a> {
    members: &'a NodeSet,
    nodes: usize,
    seats: Seats,
    ranks: Square,
    found: Ranks,
    first_wrong: Option<(usize, u64, u64)>,
    read: usize,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
}

impl Unloads for Comparing<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        (self.passed)(self.read)?;
        self.read += NODES_AT_ONCE;
        self.seats = *seats;
        Ok(())
    }

    /// Ranks come first, totals behind them.
    fn values(&mut self, field: Field, _: usize, values: &Square) -> Result<(), ModelError> {
        match field {
            Field::RANK => self.ranks = *values,
            Field::TOTAL => self.look(values),
            other => return Err(other.unknown()),
        }
        Ok(())
    }
}

impl Comparing<'_> {
    /// Looks at nodes of which all has been read.
    fn look(&mut self, totals: &Square) {
        let (members, found) = (self.members, &mut self.found);
        let learned = self.ranks.iter().zip(totals);
        for (&node, (&rank, &total)) in self.seats.iter().zip(learned) {
            if node >= self.nodes {
                continue;
            }
            let rank_is_right = rank == members.rank(node) as u64;
            let total_is_right = total == members.len() as u64;
            found.nodes_right += usize::from(rank_is_right);
            found.members_right += usize::from(rank_is_right && members.contains(node));
            found.totals_right += usize::from(total_is_right);
            let is_wrong = !(rank_is_right && total_is_right);
            if is_wrong && self.first_wrong.is_none_or(|(first, ..)| node < first) {
                self.first_wrong = Some((node, rank, total));
            }
        }
    }
}

impl Ranks {
    /// `passed` is told how many nodes have been looked at.
    fn compare(
        machine: &dyn Lockstep,
        members: &NodeSet,
        passed: &mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Result<Self, ModelError> {
        let mut comparing = Comparing {
            members,
            nodes: machine.topology().nodes(),
            seats: [usize::MAX; NODES_AT_ONCE],
            ranks: [0; NODES_AT_ONCE],
            found: Ranks {
                nodes_right: 0,
                members_right: 0,
                totals_right: 0,
                first_fault: None,
            },
            first_wrong: None,
            read: 0,
            passed,
        };
        machine.unload(&mut comparing)?;
        let mut ranks = comparing.found;
        ranks.first_fault = comparing.first_wrong.map(|(node, rank, total)| {
            let (before, all) = (members.rank(node), members.len());
            format!("node {node} has rank {rank} of {total} in place of {before} of {all}")
        });
        Ok(ranks)
    }

    fn checks(&self, dimensions: Dimensions, members: usize) -> Vec<Check> {
        let nodes = dimensions.nodes();
        let fault = first(self.first_fault.as_ref());
        vec![
            Check::new(
                "ranks",
                self.nodes_right == nodes,
                format!(
                    "{} of {nodes} nodes count the members before them{fault}",
                    self.nodes_right
                ),
            ),
            Check::new(
                "totals",
                self.totals_right == nodes,
                format!(
                    "{} of {nodes} nodes know that there are {members} members",
                    self.totals_right
                ),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::testbench::bench::stimulus;

    #[test]
    fn a_wrong_rank_or_total_fails_its_check() {
        let cube = Dimensions::new(3).unwrap();
        let verdicts = |nodes_right, totals_right| {
            let ranks = Ranks {
                nodes_right,
                members_right: 4,
                totals_right,
                first_fault: None,
            };
            ranks
                .checks(cube, 4)
                .iter()
                .map(|check| check.passed)
                .collect::<Vec<_>>()
        };
        assert_eq!(verdicts(8, 8), [true, true]);
        assert_eq!(verdicts(7, 8), [false, true]);
        assert_eq!(verdicts(8, 7), [true, false]);
    }

    /// What is told of a dimension is told when its last bit has crossed; in the end a member has its rank.
    #[test]
    fn ranks_are_told_when_their_bits_have_come() {
        let bench = families::testbench("enumeration").unwrap();
        let stimulus = stimulus(bench, "--dims 4 --load 0.6 --seed 3");
        let mut machine = stimulus.device().build(1).unwrap();
        stimulus.load(&mut *machine, &mut |_| Ok(())).unwrap();
        let mut crossed = vec![0; 4];
        while !machine.is_done() {
            machine.transmit().unwrap();
            for (dimension, last) in crossed.iter_mut().enumerate() {
                if machine.driver(dimension).is_some() {
                    *last = machine.bit_time() + 1;
                }
            }
            machine.clock();
        }
        let file = stimulus.traffic_file();
        let members: Vec<usize> = file
            .lines()
            .skip(1)
            .map(|line| line.parse().unwrap())
            .collect();
        assert!(members.len() > 4, "{members:?}");
        for tale in stimulus
            .tales(&(0..16).collect::<Vec<_>>())
            .unwrap()
            .of_nodes
        {
            let times: Vec<u64> = tale.told.iter().map(|said| said.from).collect();
            assert_eq!(times, crossed);
            let before = members.iter().filter(|member| **member < tale.node).count();
            let all = members.len();
            let due = match members.contains(&tale.node) {
                true => format!("rank {before} of {all} in 16 nodes"),
                false => format!("{before} of {all} before, in 16"),
            };
            assert_eq!(tale.at(99), due, "node {}", tale.node);
        }
    }

    #[test]
    fn nodes_that_have_not_counted_are_found_out() {
        let cube = Dimensions::new(3).unwrap();
        let machine = enumeration::device(cube).build(1).unwrap();
        let members = NodeSet::new(cube, [2, 5]);
        let ranks = Ranks::compare(&*machine, &members, &mut |_| Ok(())).unwrap();
        // Ranks of 0 are right up to the first member, totals of 0 nowhere.
        assert_eq!(
            (ranks.nodes_right, ranks.members_right, ranks.totals_right),
            (3, 1, 0)
        );
        assert_eq!(
            ranks.first_fault.as_deref(),
            Some("node 0 has rank 0 of 0 in place of 0 of 2")
        );
    }
}
