//! Testbench `packing`: Algorithm 1 on any semi-contraction.

use rtl_model::machine::device::Device;
use rtl_model::routers::kuszmaul::packing;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::lockstep::messages::{self, Messages};
use crate::lockstep::options::{OfArrivals, OfMessages, Setup, Takes, Taking};
use crate::lockstep::sent::{Held, Sent};
use crate::lockstep::{Bench, Carries, Family, Requirement, Schedule, Stimulus, require_memory};

/// The testbench.
pub static BENCH: Bench = Bench(&Packing);

struct Packing;

impl Family for Packing {
    fn name(&self) -> &'static str {
        "packing"
    }

    fn models(&self) -> &'static str {
        "routes any semi-contraction in one pass through a row of switches"
    }

    fn source(&self) -> &'static str {
        "Kuszmaul 1990, section II.A, Theorem 1 and Algorithm 1"
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cubewave run packing --dims 10 --load 0.3",
            "cubewave measure packing --dims 2..18 --format json",
            "cubewave plan packing --dims 26",
            "cubewave verilog packing --dims 4 --out packing4",
        ]
    }

    fn takes(&self) -> &'static dyn Takes {
        &Taking::<OfMessages, OfArrivals>::THESE
    }

    fn relies_on(&self, _schedule: Option<Schedule>) -> Option<&'static str> {
        Some("no two messages end farther apart, as node numbers, than they began")
    }

    fn default_pattern(&self) -> Pattern {
        Pattern::Packed
    }

    /// A pattern may be no semi-contraction in any cube.
    fn has_to_draw(&self, setup: &Setup) -> bool {
        setup.traffic.is_some()
    }

    fn device(&self, setup: &Setup) -> Result<Box<dyn Device>, Error> {
        Ok(packing::device(setup.dimensions()?, setup.payload_bits())?)
    }

    fn requirement(&self, setup: &Setup) -> Result<Requirement, Error> {
        let device = self.device(setup)?;
        let dimensions = setup.dimensions()?;
        Ok(messages::requirement(
            &*device,
            dimensions,
            (setup.payload_bits(), Held::Listed),
        ))
    }

    fn stimulus(&self, setup: &Setup) -> Result<Box<dyn Stimulus>, Error> {
        let device = self.device(setup)?;
        let dimensions = setup.dimensions()?;
        let traffic_name = setup.traffic_name(self.default_pattern())?;
        require_memory(&*device, &self.requirement(setup)?)?;
        let traffic = setup.traffic(dimensions, self.default_pattern())?;
        traffic.check_semi_contraction()?;
        Ok(Box::new(Messages {
            device,
            dimensions,
            setup: setup.clone(),
            schedule: None,
            traffic_name,
            traffic: Sent::Listed(traffic),
            carries: Carries::Contractions,
            interesting,
            storage_bound: None,
            deliveries: None,
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
