//! Routers of any partial permutation, or of full ones, on each of their schedules.

use rtl_model::machine::device::Device;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::permutation::Size;
use rtl_model::traffic::{Traffic, senders};

use crate::error::Error;
use crate::error::refusal::{Refusal, not_by};
use crate::lockstep::entries::{MESSAGES_BOUND, OCCUPIED_BOUND, OF_LOCKSTEP};
use crate::lockstep::messages::{self, Messages};
use crate::lockstep::parameters::{
    DIMS, LOAD, LOAD_OF_SORTS, PAYLOAD_BITS, SCHEDULE, TRAFFIC, TRAFFIC_FILE, check_traffic,
    dimensions, held, schedule, sent, share_of_senders, traffic_name,
};
use crate::lockstep::requirement::Requirement;
use crate::lockstep::rounds::Carries;
use crate::lockstep::schedule::{Schedule, lines};
use crate::lockstep::sent::{Held, Sent};
use crate::lockstep::stimulus::Stimulus;
use crate::lockstep::sweep::SWEEP;
use crate::lockstep::timing;
use crate::measure::reading::Reading;
use crate::ranks;
use crate::report::of_all;
use crate::search::Traffics;
use crate::testbench::Testbench;
use crate::testbench::bench::{AnyMachine, Job, Offer, Project};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Parameter, SEED};
use crate::verilog::FirstRound;
use crate::verilog::OF_LOADED;

/// The parameters of a router of any partial permutation.
pub const PARAMETERS: &[&Parameter] = &[
    &SCHEDULE,
    &DIMS,
    &PAYLOAD_BITS,
    &TRAFFIC,
    &TRAFFIC_FILE,
    &LOAD,
    &SEED,
];

/// Those of one that has a schedule for full permutations alone.
pub const PARAMETERS_OF_SORTS: &[&Parameter] = &[
    &SCHEDULE,
    &DIMS,
    &PAYLOAD_BITS,
    &TRAFFIC,
    &TRAFFIC_FILE,
    &LOAD_OF_SORTS,
    &SEED,
];

/// What testbenches of such routers have in common: of one, its name, what it models, its schedules and examples are added.
pub const BENCH: Testbench = Testbench {
    name: "",
    chosen_by: None,
    models: "",
    source: "",
    choices: |nothing| lines(nothing.bench().schedules),
    names: &[&SCHEDULE],
    examples: &[],
    schedules: &[],
    parameters: PARAMETERS,
    readings: &[
        Reading::of(MESSAGES_BOUND),
        Reading::text(MESSAGES_BOUND),
        Reading::of(OCCUPIED_BOUND),
        Reading::text(OCCUPIED_BOUND),
    ],
    entries: &[OF_LOCKSTEP],
    offers: &[
        Offer::Plan,
        Offer::Checkpoints,
        Offer::Deliveries,
        Offer::TraceMessage,
        Offer::Log,
        Offer::Search(Traffics::Permutation),
    ],
    job: |chosen| Ok(Box::new(Permutations::new(chosen)?)),
    timing: timing::TIMING,
    sweep: &SWEEP,
    project: Project {
        help: &[
            ("dims", "Dimensions of the hypercube, 1 to 10 [default: 6]"),
            (
                "payload_bits",
                "Payload bits of every message, 1 to 65536 / 2^K [default: 8]",
            ),
        ],
        facts: &[&[of_all::PAYLOAD_BITS], OF_LOADED],
        ..Project::of("schedule", FirstRound::TRAFFIC)
    },
    looked_at: |_| "",
};

/// Such a router, of which nothing is drawn.
struct Permutations {
    chosen: Chosen,
    cube: Dimensions,
    schedule: Schedule,
    device: Box<dyn Device>,
}

impl Permutations {
    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let (cube, schedule) = (dimensions(chosen)?, schedule(chosen)?);
        let schedule = schedule.ok_or_else(|| not_by(chosen.bench().name, "it has no schedule"))?;
        let job = Permutations {
            device: schedule
                .hardware
                .device(cube, chosen.number(&PAYLOAD_BITS))?,
            chosen: chosen.clone(),
            cube,
            schedule,
        };
        // A name that is none is refused here too, where nothing is drawn.
        traffic_name(chosen)?;
        job.check_load()?;
        Ok(job)
    }

    /// Refuses a load at which some node sends nothing, if the schedule cannot do without; no more is drawn than who sends.
    fn check_load(&self) -> Result<(), Error> {
        let is_drawn = self.chosen.path(&TRAFFIC_FILE).is_none();
        if !self.schedule.is_full_only() || !is_drawn {
            return Ok(());
        }
        let (load, nodes) = (share_of_senders(&self.chosen), self.cube.nodes());
        if (load * nodes as f64).round() as usize == nodes {
            return Ok(());
        }
        let senders = senders(self.cube, load, self.chosen.seed())?;
        let idle = (0..nodes).find(|node| senders.binary_search(node).is_err());
        Err(self.partial(senders.len(), idle.unwrap_or(0)))
    }

    /// Refuses traffic in which some node sends nothing.
    fn check_full(&self, traffic: &Sent) -> Result<(), Error> {
        let messages = traffic.messages();
        match traffic.idle().filter(|_| messages < self.cube.nodes()) {
            None => Ok(()),
            Some(idle) => Err(self.partial(messages, idle)),
        }
    }

    /// The refusal of it, with a node that is idle.
    fn partial(&self, messages: usize, idle: usize) -> Error {
        let mut all = self.chosen.bench().schedules.iter();
        let other = all.find(|other| !other.is_full_only());
        let (bench, schedule) = (self.chosen.bench().name, self.schedule.name());
        let (nodes, other) = (self.cube.nodes(), other.map_or("", |other| other.name()));
        Refusal::of(format!(
            "schedule {schedule} of {bench} carries full permutations only, and node {idle} sends nothing ({messages} of {nodes} \
             nodes send)"
        ))
        .because(
            "sorted messages end in the nodes of their ranks, which are their destinations only where every node sends one",
        )
        .instead(format!(
            "give --load 1 or traffic from every node, or --schedule {other}"
        ))
        .only_together("partial traffic")
        .into()
    }

    fn size(&self) -> Size {
        Size {
            dimensions: self.cube.count(),
            payload_bits: self.chosen.number(&PAYLOAD_BITS),
        }
    }
}

impl Job for Permutations {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(&*self.device)
    }

    fn requirement(&self) -> Requirement {
        let held = held(&self.chosen).unwrap_or(Held::Listed);
        let requirement =
            messages::requirement(&*self.device, self.cube, (self.size().payload_bits, held));
        Requirement {
            storage_bound: Some(
                self.size()
                    .form(self.schedule.hardware.forms().storage_bound),
            ),
            ..requirement
        }
    }

    fn models(&self) -> Option<&'static str> {
        self.schedule.headline
    }

    fn source(&self) -> Option<&'static str> {
        self.schedule.source
    }

    fn schedule(&self) -> Option<&'static str> {
        Some(self.schedule.name())
    }

    fn choice(&self) -> Option<&'static str> {
        self.schedule()
    }

    fn relies_on(&self) -> Option<&'static str> {
        match self.schedule.is_full_only() {
            true => Some("every node sends a message, and no two have the same destination"),
            false => Some("no two messages have the same destination"),
        }
    }

    fn check_traffic(&self) -> Result<(), Error> {
        check_traffic(&self.chosen, self.requirement().is_listed())
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        let traffic = sent(&self.chosen)?;
        if let Sent::Listed(list) = &traffic
            && ranks::share().ranks() == 1
        {
            messages::note_small(&self.chosen, std::slice::from_ref(list), self.cube);
        }
        let carries = match self.schedule.is_full_only() {
            true => {
                self.check_full(&traffic)?;
                Carries::Full
            }
            false => Carries::Partial,
        };
        Ok(Box::new(Messages {
            storage_bound: self.requirement().storage_bound,
            traffic_name: traffic_name(&self.chosen)?,
            device: self.device,
            dimensions: self.cube,
            chosen: self.chosen,
            schedule: Some(self.schedule),
            traffic,
            carries,
            interesting,
        }))
    }
}

/// Three nodes, chosen by the schedule; where the traffic has nothing of that kind to show, or there are too many nodes to
/// look, the first nodes of the cube.
pub(crate) fn interesting(schedule: Option<Schedule>, traffic: &Traffic) -> Vec<usize> {
    const ASKED_UP_TO: usize = 1 << 16;
    let nodes = traffic.nodes().count();
    let asked = schedule.filter(|_| nodes <= ASKED_UP_TO);
    let three = asked.and_then(|schedule| (schedule.meeting)(traffic));
    three.map_or_else(|| (0..nodes.min(3)).collect(), |three| three.to_vec())
}

/// Whether three nodes are three.
pub(crate) fn all_differ([one, other, third]: &[usize; 3]) -> bool {
    one != other && other != third && third != one
}
