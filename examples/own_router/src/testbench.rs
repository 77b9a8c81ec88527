//! Testbench `gossip`: some nodes have a 1, drawn or from a file; in the end every node knows whether they are odd in number.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::NodeSet;
use testbenches::error::Error;
use testbenches::lockstep::options::{NoMessages, OfSets, Setup, Takes, Taking};
use testbenches::lockstep::simulation::Measurement;
use testbenches::lockstep::{
    Bench, Beside, Carries, Family, Further, Later, Requirement, Schedule, Stimulus, Verdict, drawn,
};
use testbenches::report::{Check, Outputs};

use crate::router::{GIVEN, GossipRouter, PARITY};

/// The testbench.
pub static BENCH: Bench = Bench(&Gossip);

struct Gossip;

impl Family for Gossip {
    fn name(&self) -> &'static str {
        "gossip"
    }

    fn models(&self) -> &'static str {
        "every node learns the parity of one bit of each node"
    }

    fn source(&self) -> &'static str {
        "an example, docs/own-router.md"
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "own_router run gossip --dims 4 --wave gossip.vcd",
            "own_router verilog gossip --dims 4 --out gossip4",
        ]
    }

    fn takes(&self) -> &'static dyn Takes {
        &Taking::<OfSets, NoMessages>::THESE
    }

    fn relies_on(&self, _schedule: Option<Schedule>) -> Option<&'static str> {
        None
    }

    fn has_messages(&self) -> bool {
        false
    }

    fn device(&self, setup: &Setup) -> Result<Box<dyn Device>, Error> {
        Ok(Box::new(GossipRouter(setup.dimensions()?)))
    }

    fn requirement(&self, setup: &Setup) -> Result<Requirement, Error> {
        let beside = NodeSet::bytes(setup.dimensions()?.nodes());
        let before = 0;
        Ok(Requirement::of(
            &*self.device(setup)?,
            Beside { before, beside },
        ))
    }

    fn stimulus(&self, setup: &Setup) -> Result<Box<dyn Stimulus>, Error> {
        let router = GossipRouter(setup.dimensions()?);
        Ok(Box::new(Rumours {
            router,
            ones: setup.set(router.0)?,
            setup: setup.clone(),
        }))
    }
}

/// The machine, and the nodes that have a 1.
struct Rumours {
    router: GossipRouter,
    ones: NodeSet,
    setup: Setup,
}

impl Rumours {
    fn is_odd(&self) -> bool {
        self.ones.len() % 2 == 1
    }
}

impl Stimulus for Rumours {
    fn device(&self) -> &dyn Device {
        &self.router
    }

    fn load(
        &self,
        machine: &mut dyn Lockstep,
        _passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        Ok(machine.load(&mut Giving(&self.ones))?)
    }

    fn live_bits(&self, _after: Option<Position>) -> Option<u64> {
        None
    }

    fn judge(
        &mut self,
        machine: Box<dyn Lockstep>,
        _measurement: &Measurement,
        _outputs: &mut Outputs,
        _quiet: bool,
    ) -> Result<Verdict, Error> {
        let nodes = machine.nodes();
        let mut asking = Asking {
            nodes,
            seats: [usize::MAX; NODES_AT_ONCE],
            expected: u64::from(self.is_odd()),
            right: 0,
        };
        machine.unload(&mut asking)?;
        let right = asking.right;
        let (load, seed) = (self.setup.load(), self.setup.seed);
        let known = format!(
            "{right} of {nodes} nodes know the parity of {}",
            self.ones.len()
        );
        Ok(Verdict {
            payload_bits: None,
            traffic: "random".to_owned(),
            load,
            seed,
            messages: nodes,
            delivered: right,
            summary: vec![
                ("ones", drawn("random", load, seed)),
                ("known", known.clone()),
            ],
            storage_bound: None,
            wire_use: None,
            bytes: Gossip.requirement(&self.setup)?.bytes,
            checks: vec![Check::new("parity", right == nodes, known)],
            further: Further::default(),
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
        let later = Later::of(round, Carries::Partial, self.setup.seed);
        let rumours = Rumours {
            router: self.router,
            ones: later.set(self.router.0)?,
            setup: self.setup.clone(),
        };
        Ok((Box::new(rumours), format!("senders of {}", later.name())))
    }

    fn interesting(&self) -> Vec<usize> {
        vec![0, self.router.0.nodes() - 1]
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
