//! Testbench `gossip`: some nodes have a 1, drawn or from a file; in the end every node knows whether they are odd in number.

use rtl_model::closed_form::ClosedForm;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals::Passed;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::NodeSet;
use testbenches::error::Error;
use testbenches::error::refusal::out_of_range;
use testbenches::lockstep::parameters::{DIMS, SET_FILE, SET_LOAD, dimensions, load, set};
use testbenches::lockstep::{
    Beside, Carries, Ended, Later, Requirement, Stimulus, Verdict, drawn, permutations,
};
use testbenches::measure::reading::Reading;
use testbenches::report::{Entry, Quantity, Told};
use testbenches::testbench::Testbench;
use testbenches::testbench::bench::{AnyMachine, Job, Offer};
use testbenches::testbench::chosen::Chosen;
use testbenches::testbench::parameter::{Axis, Parameter, SEED};

use crate::router::{GIVEN, GossipRouter, PARITY};

/// An option of this testbench alone, and an axis of its sweeps.
static SURE: Parameter = Parameter::whole(
    ("sure", "--sure"),
    "NODE",
    "A node that has a 1 in any case",
)
.heading("Traffic")
.called("sure", "node {} sure")
.axis(Axis::of("").own());

/// What this testbench measures, and its closed form: entries of results with their columns, a row of the summary, and a check.
const KNOWN: Quantity = Quantity {
    of: Entry::of::<u64>("known", "Nodes that know the parity")
        .headed("known")
        .panel("Nodes that know the parity", "nodes"),
    form: Entry::form("known_formula", "known_text", "Its closed form").headed("formula"),
    title: "known",
    said: "nodes know the parity",
};

/// The testbench: what is not said here is as in all that run on hypercubes in lockstep.
pub static BENCH: Testbench = Testbench {
    name: "gossip",
    models: "every node learns the parity of one bit of each node",
    source: "an example, docs/own-router.md",
    examples: &[
        "own_router run gossip --dims 4 --wave gossip.vcd",
        "own_router verilog gossip --dims 4 --out gossip4",
    ],
    parameters: &[&DIMS, &SET_FILE, &SET_LOAD, &SURE, &SEED],
    readings: &Reading::quantity(&KNOWN),
    offers: &[Offer::Plan, Offer::Checkpoints],
    job: |chosen| Ok(Box::new(Gossip::new(chosen)?)),
    ..permutations::BENCH
};

/// The machine for what is chosen; nothing is drawn yet.
struct Gossip {
    router: GossipRouter,
    chosen: Chosen,
}

impl Gossip {
    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let dimensions = dimensions(chosen)?;
        let last = dimensions.nodes() - 1;
        match chosen.whole(&SURE) {
            Some(node) if node > last => Err(out_of_range(SURE.option, node, 0..=last).into()),
            _ => Ok(Gossip {
                router: GossipRouter(dimensions),
                chosen: chosen.clone(),
            }),
        }
    }

    /// Those that have a 1: of a set, and the node that has one in any case.
    fn ones(&self, set: &NodeSet) -> NodeSet {
        let sure = self.chosen.whole(&SURE);
        let sure = sure.filter(|node| !set.contains(*node));
        NodeSet::new(self.router.0, set.iter().chain(sure))
    }

    /// What the set is called.
    fn traffic(&self) -> String {
        match self.chosen.path(&SET_FILE) {
            Some(path) => path.display().to_string(),
            None => "random".to_owned(),
        }
    }
}

impl Job for Gossip {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(&self.router)
    }

    fn requirement(&self) -> Requirement {
        let beside = NodeSet::bytes(self.router.0.nodes());
        let before = 0;
        Requirement::of(&self.router, Beside { before, beside })
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Ok(Box::new(Rumours {
            ones: self.ones(&set(&self.chosen)?),
            gossip: *self,
        }))
    }
}

/// The machine, and the nodes that have a 1.
struct Rumours {
    gossip: Gossip,
    ones: NodeSet,
}

impl Rumours {
    fn is_odd(&self) -> bool {
        self.ones.len() % 2 == 1
    }
}

impl Stimulus for Rumours {
    fn device(&self) -> &dyn Device {
        &self.gossip.router
    }

    fn load(&self, machine: &mut dyn Lockstep, _passed: Passed<'_>) -> Result<(), ModelError> {
        machine.load(&mut Giving(&self.ones))
    }

    fn judge(&mut self, run: Ended<'_>) -> Result<Verdict, Error> {
        let nodes = run.machine.nodes();
        let mut asking = Asking {
            nodes,
            seats: [usize::MAX; NODES_AT_ONCE],
            expected: u64::from(self.is_odd()),
            right: 0,
        };
        run.machine.unload(&mut asking)?;
        let right = asking.right;
        let chosen = &self.gossip.chosen;
        let (load, seed) = (load(chosen), chosen.seed());
        let mut told = Told::default();
        let (sure, drawn) = (
            chosen.whole(&SURE),
            drawn(&self.gossip.traffic(), load, seed),
        );
        let beside = sure.map_or(String::new(), |node| format!("; node {node} sure"));
        told.say("ones", format!("{}, {drawn}{beside}", self.ones.len()));
        let nodes_of_cube = ClosedForm::of("2^k", &[("k", self.gossip.router.0.count() as u64)]);
        told.measured(&KNOWN, right as u64, nodes_of_cube);
        Ok(Verdict {
            traffic: self.gossip.traffic(),
            load,
            seed,
            messages: nodes,
            delivered: right,
            bytes: self.gossip.requirement().bytes,
            told,
            ..Verdict::default()
        })
    }

    fn traffic_file(&self) -> String {
        let rows = self.ones.iter().map(|node| format!("{node}\n"));
        String::from("source\n") + &rows.collect::<String>()
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        Box::new(|_, _, _| Some(self.is_odd()))
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let Gossip { router, chosen } = &self.gossip;
        let later = Later::of(round, Carries::Partial, chosen.seed());
        let rumours = Rumours {
            ones: self.gossip.ones(&later.set(router.0)?),
            gossip: Gossip {
                router: *router,
                chosen: chosen.clone(),
            },
        };
        Ok((Box::new(rumours), format!("senders of {}", later.name())))
    }

    fn interesting(&self) -> Vec<usize> {
        vec![0, self.gossip.router.0.nodes() - 1]
    }
}

/// The host that gives the nodes their bits.
struct Giving<'a>(&'a NodeSet);

impl Loads for Giving<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &node)| {
            places | u64::from(self.0.contains(node)) << place
        }))
    }

    fn values(&mut self, field: Field, _: usize, values: &mut Square) -> Result<(), ModelError> {
        match field {
            GIVEN => values.fill(1),
            other => return Err(other.unknown()),
        }
        Ok(())
    }
}

/// The host that asks them what they know.
struct Asking {
    nodes: usize,
    seats: Seats,
    expected: u64,
    right: usize,
}

impl Unloads for Asking {
    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, _: usize, values: &Square) -> Result<(), ModelError> {
        if field != PARITY {
            return Err(field.unknown());
        }
        let there = self.seats.iter().zip(values);
        let there = there.filter(|(node, _)| **node < self.nodes);
        self.right += there.filter(|(_, value)| **value == self.expected).count();
        Ok(())
    }
}
