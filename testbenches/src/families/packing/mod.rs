//! Testbench `packing`: Algorithm 1 on any semi-contraction.

use rtl_model::machine::device::Device;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::packing;
use rtl_model::traffic::Traffic;

use crate::error::Error;
use crate::lockstep::messages::{self, Messages};
use crate::lockstep::parameters::{self, DIMS, LOAD, PAYLOAD_BITS, TRAFFIC_FILE};
use crate::lockstep::sent::{Held, Sent};
use crate::lockstep::{Carries, Requirement, Schedule, Stimulus, permutations};
use crate::testbench::Testbench;
use crate::testbench::bench::{AnyMachine, Job, Offer};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Fallback, Parameter, SEED};

/// The testbench.
pub static BENCH: Testbench = Testbench {
    name: "packing",
    models: "routes any semi-contraction in one pass through a row of switches",
    source: "Kuszmaul 1990, section II.A, Theorem 1 and Algorithm 1",
    examples: &[
        "cubewave run packing --dims 10 --load 0.3",
        "cubewave measure packing --dims 2..18 --format json",
        "cubewave plan packing --dims 26",
        "cubewave verilog packing --dims 4 --out packing4",
    ],
    parameters: &[&DIMS, &PAYLOAD_BITS, &TRAFFIC, &TRAFFIC_FILE, &LOAD, &SEED],
    readings: &[],
    // What is no semi-contraction does not arrive, so there is nothing to be searched among permutations.
    offers: &[
        Offer::Plan,
        Offer::Checkpoints,
        Offer::Deliveries,
        Offer::TraceMessage,
        Offer::Log,
    ],
    job: |chosen| Ok(Box::new(Packing::new(chosen)?)),
    ..permutations::BENCH
};

/// A pattern may be no semi-contraction in any cube; this one is in all.
const TRAFFIC: Parameter = parameters::TRAFFIC.default(Fallback::Text("packed"));

struct Packing {
    chosen: Chosen,
    cube: Dimensions,
    device: Box<dyn Device>,
}

impl Packing {
    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let cube = parameters::dimensions(chosen)?;
        // A name that is none is refused here too, where nothing is drawn.
        parameters::traffic_name(chosen)?;
        Ok(Packing {
            device: packing::device(cube, chosen.number(&PAYLOAD_BITS))?,
            chosen: chosen.clone(),
            cube,
        })
    }
}

impl Job for Packing {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(&*self.device)
    }

    fn requirement(&self) -> Requirement {
        let traffic = (self.chosen.number(&PAYLOAD_BITS), Held::Listed);
        messages::requirement(&*self.device, self.cube, traffic)
    }

    fn relies_on(&self) -> Option<&'static str> {
        Some("no two messages end farther apart, as node numbers, than they began")
    }

    fn check_traffic(&self) -> Result<(), Error> {
        parameters::check_traffic(&self.chosen, true)
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        let traffic = parameters::traffic(&self.chosen)?;
        traffic.check_semi_contraction()?;
        messages::note_small(&self.chosen, std::slice::from_ref(&traffic), self.cube);
        Ok(Box::new(Messages {
            device: self.device,
            dimensions: self.cube,
            traffic_name: parameters::traffic_name(&self.chosen)?,
            chosen: self.chosen,
            schedule: None,
            traffic: Sent::Listed(traffic),
            carries: Carries::Contractions,
            interesting,
            storage_bound: None,
        }))
    }
}

/// The two ends of the message that goes farthest.
fn interesting(_schedule: Option<Schedule>, traffic: &Traffic) -> Vec<usize> {
    let farthest = traffic
        .messages()
        .iter()
        .max_by_key(|message| (message.source ^ message.destination).count_ones());
    match farthest {
        Some(message) if message.source != message.destination => {
            vec![message.source, message.destination]
        }
        _ => vec![0, traffic.nodes().count() - 1],
    }
}
