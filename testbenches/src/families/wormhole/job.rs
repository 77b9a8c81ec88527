//! A job: a machine of wormhole routers, and how messages come to it.

use rtl_model::machine::memory;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::direct::Routing;
use rtl_model::routers::wormhole::space::Space;
use rtl_model::traffic::injection::OfferedLoad;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::families::wormhole::faulted::FaultedWorms;
use crate::families::wormhole::injection::{
    MEASUREMENT, OFFERED_LOAD, SATURATION, WARM_UP, most_load, offered_load,
};
use crate::families::wormhole::memory::{bytes, check_phases, created};
use crate::families::wormhole::parameters::{
    self, LOAD, TRAFFIC, has_hot_spots, machine, message_bits,
};
use crate::families::wormhole::phases::{Phases, refused_load};
use crate::families::wormhole::run;
use crate::families::wormhole::traffic;
use crate::families::wormhole::verilog;
use crate::lockstep::campaign::WithHosts;
use crate::lockstep::{Identity, Requirement};
use crate::measure::duration::UNASKED_HOURS;
use crate::report::Report;
use crate::testbench::bench::{self, AnyMachine, ByItself, RunOptions};
use crate::testbench::chosen::Chosen;
use crate::verilog::{Begun, Project};

/// Loads below this one are so small that it is they that take hours.
const SMALL_LOAD: f64 = 1e-3;

/// A job; nothing of it is drawn or built.
#[derive(Clone)]
pub struct Job {
    /// What it was asked for by.
    pub chosen: Chosen,
    /// Its machine.
    pub machine: WormholeMachine,
    /// Bits of a message.
    pub message_bits: usize,
    /// The load of continuous injection and its phases, where that was asked for.
    pub continuous: Option<(f64, Phases)>,
    /// Bytes of memory that a run takes.
    pub bytes: u64,
}

impl Job {
    /// The job that is asked for. Files are not looked at.
    ///
    /// # Errors
    /// What is refused of the machine, the pattern and the loads.
    pub fn new(chosen: &Chosen) -> Result<Self, Error> {
        let (machine, message_bits) = (machine(chosen)?, message_bits(chosen)?);
        check_pattern(chosen, &machine)?;
        let nodes = machine.network().nodes();
        let ((messages, bits), continuous) = match offered_load(chosen) {
            None => {
                let load = traffic::checked_load(chosen)?;
                let messages = (load * nodes as f64).round() as u64;
                ((messages, messages * message_bits as u64), None)
            }
            Some(load) => {
                OfferedLoad::over(load, most_load(chosen))?;
                let of = (load, message_bits);
                let phases = Phases::of(chosen, &machine, of)?;
                check_phases(&machine, of, (chosen, &phases), memory::available())?;
                let created = created(&machine, of, (chosen, &phases));
                (created, Some((load, phases)))
            }
        };
        Ok(Job {
            chosen: chosen.clone(),
            bytes: bytes(&machine, messages, bits),
            machine,
            message_bits,
            continuous,
        })
    }

    /// The same only to tell whether the network carries the load: it ends when that is known.
    pub fn as_probe(mut self) -> Self {
        if let Some((_, phases)) = &mut self.continuous {
            phases.is_probe = true;
        }
        self
    }

    /// Bit times that a run may take, roughly; without idle ones where nobody looks on.
    pub(super) fn bit_times(&self) -> u64 {
        let (pieces, nodes) = (
            self.machine.network().switches(),
            self.machine.network().nodes(),
        );
        let longest = self.longest_way() as u64;
        // On a link; and what a way takes beside, where headers are addresses and read again at every node.
        let (header, alone) = match self.machine.plan().switch.addressed {
            Some(addressed) => {
                let wire_bits = self.machine.parameters().wire_bits;
                let address = addressed.address_bits().div_ceil(wire_bits) as u64;
                let found_out = 2 + addressed.lookup_bit_times() as u64;
                (address, (longest + 1) * (address + found_out))
            }
            None => (2 * longest, 0),
        };
        let wire_bits = self.machine.parameters().wire_bits;
        let bits = (self.message_bits / pieces).div_ceil(wire_bits) as u64 + header;
        match (&self.continuous, self.machine.network()) {
            // Some ten runs, none of them drained where it is saturated.
            (Some((_, phases)), _) if self.chosen.has(&SATURATION) => 20 * phases.first_end(),
            (Some((load, phases)), _) => {
                // About there the first networks are saturated, and all the time that there is to drain goes by.
                let is_light = load * longest as f64 <= 0.5;
                let drain = if is_light { 0 } else { phases.drain };
                let all = phases.first_end() + drain;
                if self.chosen.is_watched {
                    return all;
                }
                // Where next to nothing is offered, only those in which a message is under way, and some after it.
                let created = (nodes as f64 * load / self.message_bits as f64 * all as f64).ceil();
                all.min(created as u64 * (bits + run::LONG_PAUSE))
            }
            (None, Network::Direct(direct)) => match (direct.space, direct.routing) {
                (Space::Hypercube(_), Routing::Order | Routing::Adaptive) => 5 * bits + alone,
                (Space::Hypercube(_), Routing::Valiant { .. }) => 10 * bits,
                (Space::Grid(grid), _) => {
                    // Of few messages hardly any wait for others.
                    let load = self.chosen.share(&LOAD).unwrap_or(1.0);
                    let waits = (2.0 * grid.radix() as f64 * load).ceil() as u64;
                    (1 + waits) * bits + 2 * longest + alone
                }
            },
            (None, _) => 8 * longest * bits,
        }
    }

    /// Links of about the longest way, and of the longest of tables: dimensions, times half the nodes of each in a torus, all of them in a mesh.
    pub fn longest_way(&self) -> usize {
        if let Network::TableRouted(routed) = self.machine.network() {
            return routed.routes.longest(&routed.network);
        }
        match self.machine.network().joined() {
            Joined::CubeConnectedCycles(cycles) => cycles.levels(),
            Joined::Space(Space::Hypercube(dimensions)) => dimensions.count(),
            Joined::Irregular(network) => network.nodes() - 1,
            Joined::Space(Space::Grid(grid)) if grid.wraps() => {
                grid.dimensions() * (grid.radix() / 2)
            }
            Joined::Space(Space::Grid(grid)) => grid.dimensions() * (grid.radix() - 1),
        }
    }
}

/// Whether the machine's nodes have the pattern that was asked for.
///
/// # Errors
/// A name that is not known, a pattern that these nodes do not have.
fn check_pattern(chosen: &Chosen, machine: &WormholeMachine) -> Result<(), Error> {
    let name = chosen.name(&TRAFFIC)?;
    if !has_hot_spots(chosen) {
        let nodes = traffic::nodes(machine)?;
        Pattern::from_any_name(name)?.messages(nodes, &[], chosen.seed())?;
    }
    Ok(())
}

/// How much a machine does in a bit time: the input channels of all switches.
pub fn channels(chosen: &Chosen, nodes: usize) -> f64 {
    let of_node = machine(chosen)
        .map(|machine| machine.network().switches() * machine.plan().switch.inputs.len());
    (nodes * of_node.unwrap_or(0)) as f64
}

/// Where a network and its routing are from, if not where the testbench is.
fn source(network: &Network) -> Option<&'static str> {
    match network {
        Network::Direct(direct) => Some(match direct.routing {
            Routing::Order => "Dally and Seitz 1987",
            Routing::Valiant { .. } => "Valiant 1982; Dally and Seitz 1987",
            Routing::Adaptive => "Duato 1993; Dally and Seitz 1987",
        }),
        Network::TableRouted(_) => Some("Dally and Seitz 1987"),
        _ => None,
    }
}

impl bench::Job for Job {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::ByItself(self)
    }

    fn requirement(&self) -> Requirement {
        let nodes = self.machine.network().nodes();
        Requirement::out_of_lockstep(nodes, self.bytes, self.bit_times())
    }

    /// At a very small load a run that chooses its own length waits for its messages for ever.
    fn check_seconds(&self, seconds: f64) -> Result<(), Error> {
        let is_asked_for = self.chosen.has(&WARM_UP) || self.chosen.has(&MEASUREMENT);
        match self.chosen.share(&OFFERED_LOAD) {
            Some(load)
                if !is_asked_for && load < SMALL_LOAD && seconds >= UNASKED_HOURS * 3600.0 =>
            {
                Err(refused_load(load)
                    .because(format!(
                        "a run that chooses its own length waits for messages of every node, here for about {:.1} hours, going by a \
                         smaller one that was run just now",
                        seconds / 3600.0
                    ))
                    .instead("offer more, or give --warm-up and --measurement")
                    .into())
            }
            _ => Ok(()),
        }
    }

    fn source(&self) -> Option<&'static str> {
        source(self.machine.network())
    }

    fn choice(&self) -> Option<&'static str> {
        self.chosen.name(&parameters::NETWORK).ok()
    }
}

impl ByItself for Job {
    fn topology(&self) -> Box<dyn Topology> {
        Box::new(self.machine.topology())
    }

    fn run(&self, _: &Chosen, of: &Identity, options: &RunOptions) -> Result<Report, Error> {
        run::run(self, of, options)
    }

    fn with_hosts(&self) -> Result<Box<dyn WithHosts>, Error> {
        Ok(Box::new(FaultedWorms::of(self)?))
    }

    fn write(&self, begun: Begun<'_>) -> Result<Project, Error> {
        verilog::write(self, begun)
    }
}
