//! What the testbenches of message routers share: load, run, compare, report.

use std::path::Path;

use rtl_model::machine::arrivals::{self, Arrivals};
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{ClosedForm, Position};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::{ByDestination, Traffic, file};

use crate::deliveries;
use crate::error::Error;
use crate::lockstep::family::Schedule;
use crate::lockstep::options::Setup;
use crate::lockstep::requirement::{Beside, Requirement};
use crate::lockstep::rounds::{Carries, Later};
use crate::lockstep::scoreboard::{Identification, Score};
use crate::lockstep::simulation::Measurement;
use crate::lockstep::stimulus::{Further, Stimulus, Verdict};
use crate::output::{Staged, Staging};
use crate::progress::{Stage, broken_off};
use crate::report::{Check, Outputs, counted};

/// A message router and its traffic.
pub struct Messages {
    /// The router.
    pub device: Box<dyn Device>,
    /// Its cube.
    pub dimensions: Dimensions,
    /// What it was asked for by.
    pub setup: Setup,
    /// Its schedule, if it has several.
    pub schedule: Option<Schedule>,
    /// What the report calls the traffic.
    pub traffic_name: String,
    /// The traffic.
    pub traffic: Traffic,
    /// What the router carries.
    pub carries: Carries,
    /// The nodes to trace where none are named.
    pub interesting: fn(Option<Schedule>, &Traffic) -> Vec<usize>,
    /// The storage that the design allows a node.
    pub storage_bound: Option<ClosedForm>,
    /// Where what arrives is to be written.
    pub deliveries: Option<Staged>,
}

/// Of a run: beside the machine, what is sent, what arrived, and, if that is not the same, who expects which message.
pub fn requirement(device: &dyn Device, nodes: Dimensions, payload_bits: usize) -> Requirement {
    let before = Traffic::drawing_bytes(nodes, payload_bits);
    let before = before.max(file::reading_bytes(nodes, payload_bits));
    let beside = Traffic::bytes(nodes, payload_bits)
        + Arrivals::bytes(nodes, payload_bits)
        + ByDestination::bytes(nodes);
    Requirement::of(device, Beside { before, beside })
}

impl Messages {
    fn payload_bits(&self) -> usize {
        self.traffic.payload_bits()
    }
}

impl Stimulus for Messages {
    fn device(&self) -> &dyn Device {
        &*self.device
    }

    fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let traffic = std::slice::from_ref(&self.traffic);
        broken_off(passed, |passed| {
            arrivals::load_watched(machine, traffic, passed)
        })
    }

    fn sent(&self) -> &[Traffic] {
        std::slice::from_ref(&self.traffic)
    }

    fn load_instead(&self, machine: &mut dyn Lockstep, sent: &[Traffic]) -> Result<(), Error> {
        Ok(arrivals::load(machine, sent)?)
    }

    /// Messages times what is left of each.
    fn live_bits(&self, after: Option<Position>) -> Option<u64> {
        let of_each = self.device.live_bits_per_message(after)?;
        Some(self.traffic.messages().len() as u64 * u64::from(of_each))
    }

    fn stage(&mut self, deliveries: Option<&Path>, staging: &mut Staging) -> Result<(), Error> {
        if let Some(path) = deliveries {
            self.deliveries = Some(staging.create_text(path, "the deliveries")?);
        }
        Ok(())
    }

    fn judge(
        &mut self,
        machine: Box<dyn Lockstep>,
        measurement: &Measurement,
        outputs: &mut Outputs,
        quiet: bool,
    ) -> Result<Verdict, Error> {
        let stage = |of: usize, template| Stage::new(of as u64, template, quiet);
        let mut reading = stage(machine.nodes(), "{wide_bar} unloading, {percent} %");
        let arrivals = broken_off(&mut |node| reading.passed(node), |passed| {
            Arrivals::read_watched(&*machine, self.payload_bits(), passed)
        })?;
        drop((reading, machine));
        let messages = self.traffic.messages().len();
        let mut scoring = stage(messages, "{wide_bar} comparing, {percent} %");
        let score = Score::of(&self.traffic, &arrivals, |index| scoring.passed(index))?;
        drop(scoring);
        if let Some(output) = self.deliveries.take() {
            outputs.deliveries = Some(output.path().display().to_string());
            let identification = Identification::new(&self.traffic);
            deliveries::write(output, &arrivals, identification, measurement.bit_times)?;
        }
        let load = self.setup.load();
        let seed = self.setup.seed;
        let arrived = format!(
            "{} of {} with {}",
            score.delivered,
            counted(score.messages, "message"),
            counted(self.payload_bits(), "payload bit")
        );
        Ok(Verdict {
            payload_bits: Some(self.payload_bits()),
            traffic: self.traffic_name.clone(),
            load,
            seed,
            messages: score.messages,
            delivered: score.delivered,
            summary: vec![
                ("traffic", drawn(&self.traffic_name, load, seed)),
                ("delivered", arrived),
            ],
            storage_bound: self.storage_bound.clone(),
            wire_use: None,
            bytes: requirement(&*self.device, self.dimensions, self.payload_bits()).bytes,
            checks: vec![delivered(&score, self.traffic.payloads_are_distinct())],
            further: Further::default(),
        })
    }

    fn traffic_file(&self) -> String {
        let rows = self.traffic.messages().iter().enumerate();
        let rows = rows.map(|(index, message)| {
            let payload = deliveries::hexadecimal(self.traffic.payload(index));
            format!("{},{},{payload}\n", message.source, message.destination)
        });
        String::from("source,destination,payload\n") + &rows.collect::<String>()
    }

    /// A message is for one node, which then holds its payload; the others hold no message.
    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        let mut for_node = vec![None; self.dimensions.nodes()];
        for (index, message) in self.traffic.messages().iter().enumerate() {
            for_node[message.destination] = Some(index);
        }
        Box::new(move |node, field, bit| match field {
            Field::VALID => Some(for_node[node].is_some()),
            Field::PAYLOAD => for_node[node].map(|index| self.traffic.payload(index)[bit]),
            _ => None,
        })
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let later = Later::of(round, self.carries, self.setup.seed);
        let traffic = later.traffic(self.dimensions, self.payload_bits())?;
        let name = later.name();
        let messages = Messages {
            device: self.device.another(),
            setup: self.setup.clone(),
            traffic_name: name.clone(),
            traffic,
            storage_bound: self.storage_bound.clone(),
            deliveries: None,
            ..*self
        };
        Ok((Box::new(messages), name))
    }

    fn interesting(&self) -> Vec<usize> {
        (self.interesting)(self.schedule, &self.traffic)
    }
}

/// What is said of drawn or given traffic.
pub fn drawn(name: &str, load: Option<f64>, seed: u64) -> String {
    let load = load.map_or(String::new(), |load| format!(", load {load}"));
    format!("{name}{load}, seed {seed}")
}

fn delivered(score: &Score, payloads_are_distinct: bool) -> Check {
    let all = score.delivered == score.messages && score.wrong == 0;
    let mut detail = match &score.first_fault {
        None => format!(
            "{} of {}, each once and whole",
            score.delivered, score.messages
        ),
        Some(fault) => format!(
            "{} of {}, {} wrong; first: {fault}",
            score.delivered, score.messages, score.wrong
        ),
    };
    if !payloads_are_distinct {
        detail += " (some payloads are alike: such messages cannot be told from each other)";
    }
    Check::new("delivered", all, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_missing_or_wrong_fails_the_check() {
        let score = |delivered, wrong, fault: Option<&str>| Score {
            messages: 3,
            delivered,
            wrong,
            first_fault: fault.map(str::to_owned),
        };
        assert!(delivered(&score(3, 0, None), true).passed);
        let missing = delivered(&score(2, 0, Some("it is gone")), true);
        assert!(!missing.passed);
        assert_eq!(missing.detail, "2 of 3, 0 wrong; first: it is gone");
        assert!(!delivered(&score(3, 1, Some("a stranger")), true).passed);
        assert!(
            delivered(&score(3, 0, None), false)
                .detail
                .contains("alike")
        );
    }
}
