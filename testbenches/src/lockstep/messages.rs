//! What the testbenches of message routers share: load, run, compare, report.

use hosts::scoreboard::{Identification, Score};
use rtl_model::closed_form::ClosedForm;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals::Passed;
use rtl_model::machine::arrivals::{self, Arrivals};
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::memory;
use rtl_model::machine::router::Position;
use rtl_model::machine::share::gathered;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::{ByDestination, Traffic, file};

use crate::deliveries;
use crate::error::Error;
use crate::lockstep::parameters::{DIMS, TRAFFIC_FILE, load};
use crate::lockstep::requirement::{Beside, OnRank, Requirement};
use crate::lockstep::rounds::{Carries, Later};
use crate::lockstep::schedule::Schedule;
use crate::lockstep::scoreboard;
use crate::lockstep::sent::{Held, Sent};
use crate::lockstep::stimulus::{Ended, Stimulus, Verdict};
use crate::options::file_name;
use crate::output::note;
use crate::progress::in_stage;
use crate::report::{Section, Told, counted, value};
use crate::testbench::chosen::Chosen;

/// A message router and its traffic.
pub struct Messages {
    /// The router.
    pub device: Box<dyn Device>,
    /// Its cube.
    pub dimensions: Dimensions,
    /// What it was asked for by.
    pub chosen: Chosen,
    /// Its schedule, if it has several.
    pub schedule: Option<Schedule>,
    /// What the report calls the traffic.
    pub traffic_name: String,
    /// The traffic.
    pub traffic: Sent,
    /// What the router carries.
    pub carries: Carries,
    /// The nodes to trace where none are named.
    pub interesting: fn(Option<Schedule>, &Traffic) -> Vec<usize>,
    /// The storage that the design allows a node.
    pub storage_bound: Option<ClosedForm>,
}

/// Of a run: beside the machine, what is sent, what arrived, and, if that is not the same, who expects which message. Traffic
/// that is computed is nowhere; of a file each of several ranks has what begins or ends at its nodes.
pub fn requirement(
    device: &dyn Device,
    nodes: Dimensions,
    (payload_bits, held): (usize, Held),
) -> Requirement {
    if held == Held::Computed {
        return Requirement::of(
            device,
            Beside {
                before: 0,
                beside: 0,
            },
        );
    }
    let before = Traffic::drawing_bytes(nodes, payload_bits);
    let before = before.max(file::reading_bytes(nodes, payload_bits));
    let beside = Traffic::bytes(nodes, payload_bits)
        + Arrivals::bytes(nodes, payload_bits)
        + ByDestination::bytes(nodes);
    let alone = Beside { before, beside };
    let beside = match held {
        Held::InParts => OnRank::Part {
            alone,
            cube: nodes,
            payload_bits,
        },
        Held::Listed | Held::Computed => OnRank::Same(alone),
    };
    Requirement::of(device, beside)
}

impl Messages {
    fn payload_bits(&self) -> usize {
        self.traffic.payload_bits()
    }

    /// Refuses deliveries that do not fit: they take a list of what is sent and of what arrived.
    fn require_deliveries(&self) -> Result<(), Error> {
        let (nodes, payload_bits) = (self.dimensions, self.payload_bits());
        let bytes = requirement(&*self.device, nodes, (payload_bits, Held::Listed)).bytes;
        let what = format!("a run of {} nodes with its deliveries", nodes.nodes());
        memory::require_for_nodes(what, nodes.nodes(), bytes, memory::available())?;
        Ok(())
    }

    /// Reads what arrived, and compares it.
    fn compare(&mut self, mut run: Ended<'_>) -> Result<Score, Error> {
        let output = run.deliveries();
        let Ended {
            machine,
            measurement,
            quiet,
            ..
        } = run;
        let arrivals = in_stage(("unloading", machine.nodes()), quiet, |passed| {
            Arrivals::read_watched(&*machine, self.payload_bits(), passed)
        })?;
        drop(machine);
        let traffic = self.traffic.list();
        let messages = traffic.messages().len();
        let score = in_stage(("comparing", messages), quiet, |passed| {
            Score::of(traffic, &arrivals, passed)
        })?;
        if let Some(output) = output {
            let identification = Identification::new(std::slice::from_ref(traffic));
            deliveries::write(output, &arrivals, identification, measurement.bit_times)?;
        }
        Ok(score)
    }
}

impl Stimulus for Messages {
    fn device(&self) -> &dyn Device {
        &*self.device
    }

    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        self.traffic.load(machine, passed)
    }

    fn sent(&self) -> &[Traffic] {
        std::slice::from_ref(self.traffic.list())
    }

    fn load_instead(&self, machine: &mut dyn Lockstep, sent: &[Traffic]) -> Result<(), ModelError> {
        arrivals::load(machine, sent)
    }

    /// Messages times what is left of each.
    fn live_bits(&self, after: Option<Position>) -> Option<u64> {
        let of_each = self.device.live_bits_per_message(after)?;
        Some(self.traffic.messages() as u64 * u64::from(of_each))
    }

    fn begin(&mut self, deliveries: bool) -> Result<(), Error> {
        match deliveries {
            true => self.require_deliveries(),
            false => Ok(()),
        }
    }

    /// Messages that are known node by node are compared where they are.
    fn attend(&self, machine: &dyn Lockstep, deliveries: bool) -> Result<(), Error> {
        if !deliveries {
            self.traffic.score_here(machine, true)?;
        }
        Ok(gathered::serve(machine)?)
    }

    fn judge(&mut self, run: Ended<'_>) -> Result<Verdict, Error> {
        let score = match run.files.has_deliveries() {
            false => self.traffic.score_here(&*run.machine, run.quiet)?,
            true => None,
        };
        let score = match score {
            Some(score) => score,
            None => self.compare(run)?,
        };
        let (load, seed) = (load(&self.chosen), self.chosen.seed());
        let arrived = format!(
            "{} of {} with {}",
            score.delivered,
            counted(score.messages, "message"),
            counted(self.payload_bits(), "payload bit")
        );
        let mut told = Told::default();
        told.say("traffic", drawn(&self.traffic_name, load, seed));
        told.say("delivered", arrived);
        let payloads_are_distinct = self.traffic.payloads_are_distinct();
        told.checks = vec![scoreboard::check(&score, payloads_are_distinct)];
        Ok(Verdict {
            payload_bits: Some(self.payload_bits()),
            traffic: self.traffic_name.clone(),
            load,
            seed,
            messages: score.messages,
            delivered: score.delivered,
            storage_bound: self.storage_bound.clone(),
            bytes: {
                let traffic = (self.payload_bits(), self.traffic.held());
                requirement(&*self.device, self.dimensions, traffic).bytes
            },
            told,
            ..Verdict::default()
        })
    }

    fn traffic_file(&self) -> String {
        let traffic = self.traffic.list();
        let rows = traffic.messages().iter().enumerate();
        let rows = rows.map(|(index, message)| {
            let payload = hosts::deliveries::hexadecimal(traffic.payload(index));
            format!("{},{},{payload}\n", message.source, message.destination)
        });
        String::from("source,destination,payload\n") + &rows.collect::<String>()
    }

    /// A message is for one node, which then holds its payload; the others hold no message.
    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        let traffic = self.traffic.list();
        let mut for_node = vec![None; self.dimensions.nodes()];
        for (index, message) in traffic.messages().iter().enumerate() {
            for_node[message.destination] = Some(index);
        }
        Box::new(move |node, field, bit| match field {
            Field::VALID => Some(for_node[node].is_some()),
            Field::PAYLOAD => for_node[node].map(|index| traffic.payload(index)[bit]),
            _ => None,
        })
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let later = Later::of(round, self.carries, self.chosen.seed());
        let traffic = later.traffic(self.dimensions, self.payload_bits())?;
        let name = later.name();
        let messages = Messages {
            device: self.device.another(),
            chosen: self.chosen.clone(),
            traffic_name: name.clone(),
            traffic: Sent::Listed(traffic),
            storage_bound: self.storage_bound.clone(),
            ..*self
        };
        Ok((Box::new(messages), name))
    }

    fn facts(&self) -> Section {
        vec![("payload_bits", value(&self.payload_bits()))]
    }

    fn sorts(&self) -> bool {
        self.schedule.is_some_and(|schedule| schedule.sorts)
    }

    fn legend(&self) -> Vec<String> {
        let Some(schedule) = self.schedule else {
            return Vec::new();
        };
        let what = format!("{}: {}", schedule.name(), schedule.models());
        let names = schedule.legend.iter().map(|phrase| (*phrase).to_owned());
        [what].into_iter().chain(names).collect()
    }

    fn interesting(&self) -> Vec<usize> {
        match &self.traffic {
            Sent::Listed(traffic) => (self.interesting)(self.schedule, traffic),
            // There are too many to look.
            Sent::Computed(..) | Sent::Part(..) => (0..3).collect(),
        }
    }
}

/// What is said of drawn or given traffic.
pub fn drawn(name: &str, load: Option<f64>, seed: u64) -> String {
    let load = load.map_or(String::new(), |load| format!(", load {load}"));
    format!("{name}{load}, seed {seed}")
}

/// Says of a traffic file, of a run that names no dimensions, if it would fit a smaller hypercube.
pub fn note_small(chosen: &Chosen, sent: &[Traffic], cube: Dimensions) {
    let Some(path) = chosen.path(&TRAFFIC_FILE).filter(|_| !chosen.has(&DIMS)) else {
        return;
    };
    let messages = sent.iter().flat_map(|traffic| traffic.messages().iter());
    let largest = messages.map(|message| message.source.max(message.destination));
    let Some(largest) = largest.max() else {
        return;
    };
    let needed = (largest.checked_ilog2().unwrap_or(0) + 1) as usize;
    if needed < cube.count() {
        note(&format!(
            "{} names nodes up to {largest}, for which --dims {needed} is enough; without --dims this is a hypercube of {cube} \
             dimensions",
            file_name(path)
        ));
    }
}
