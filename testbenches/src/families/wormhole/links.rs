//! What each wire carried: every link between two nodes, and the wires from and to the hosts; counted where `--links` asks for
//! it, written as CSV, a row a wire, and drawn as a map (`links/map.rs`).
//!
//! Stalls are those of the report, wire by wire, so the rows add up to it.

mod map;

use hosts::wormhole::lanes::WormLanes;
use hosts::wormhole::links::{CAUSES, Wire};
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::space::Space;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::meters::Meters;
use crate::output::Staged;
use crate::report::Check;

pub use hosts::wormhole::links::LinkMeters;
pub use map::write as write_map;

/// What each wire carried in a run that is over.
#[derive(Clone, Debug)]
pub struct Carried {
    nodes: usize,
    bit_times: u64,
    /// What wires there are at each node, in the order of the rows: so many rows as there are nodes are of the first.
    kinds: Vec<String>,
    wires: Vec<Wire>,
    /// Data wires of each.
    wire_bits: u64,
}

impl Carried {
    /// Of an engine that has counted; none of another.
    pub fn of<B: WormLanes>(engine: &Engine<B>) -> Option<Self> {
        let links = engine.links.as_ref()?;
        let mut wires = links.wires(&engine.fabric, &engine.meters);
        let wire_bits = engine.fabric.router().parameters().wire_bits as u64;
        wires.iter_mut().for_each(|wire| wire.bits *= wire_bits);
        Some(Carried {
            nodes: engine.fabric.topology().nodes(),
            bit_times: engine.fabric.bit_time(),
            kinds: kinds(engine.fabric.router()),
            wires,
            wire_bits,
        })
    }

    fn share(&self, bit_times: u64) -> f64 {
        bit_times as f64 / self.bit_times.max(1) as f64
    }

    /// That all rows together are what the meters say of the machine.
    pub fn check(&self, meters: &Meters<impl WormLanes>) -> Check {
        let sum = |of: fn(&Wire) -> bool, what: fn(&Wire) -> u64| -> u64 {
            self.wires.iter().filter(|wire| of(wire)).map(what).sum()
        };
        let bits = |wire: &Wire| wire.bits;
        let crossed = sum(|wire| wire.from.is_some() && wire.to.is_some(), bits);
        let [injected, ejected] = [
            sum(|wire| wire.from.is_none(), bits),
            sum(|wire| wire.to.is_none(), bits),
        ];
        let stalls: [u64; CAUSES] = std::array::from_fn(|cause| {
            let out = self.wires.iter().filter(|wire| wire.from.is_some());
            out.map(|wire| wire.stalls[cause]).sum()
        });
        let of_machine = [meters.crossed, meters.injected, meters.ejected];
        let of_machine = of_machine.map(|flits| flits * self.wire_bits);
        let passed = [crossed, injected, ejected] == of_machine && stalls == meters.stalls;
        let detail = match passed {
            true => format!(
                "{crossed} bits over links and {} stalls add up to those of the machine",
                stalls.iter().sum::<u64>()
            ),
            false => format!(
                "{crossed} bits over links, {injected} from hosts, {ejected} to hosts and {stalls:?} stalls by wire, {of_machine:?} \
                 and {:?} of the machine",
                meters.stalls
            ),
        };
        Check::new("wire by wire", passed, detail)
    }
}

/// What the wires at a node are called: links, then those from hosts and those to them.
fn kinds(machine: &WormholeMachine) -> Vec<String> {
    let plan = machine.plan();
    let links =
        plan.links
            .iter()
            .enumerate()
            .map(|(number, link)| match machine.network().joined() {
                Joined::Space(Space::Hypercube(_)) => format!("dimension {number}"),
                _ => link.name.to_string(),
            });
    let of_hosts = |what: &'static str| {
        (0..plan.switches()).map(move |switch| match machine.network().has_pieces() {
            true => format!("{what} of copy {switch}"),
            false => what.to_owned(),
        })
    };
    let all = links.chain(of_hosts("inject")).chain(of_hosts("eject"));
    all.collect()
}

const HEADER: [&str; 10] = [
    "from",
    "to",
    "wire",
    "bits",
    "load",
    "in_use",
    "stalls",
    "channel_taken",
    "no_credit",
    "wire_given",
];

/// Writes a row for each wire.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write(output: Staged, carried: &Carried) -> Result<(), Error> {
    let end = |node: Option<usize>| node.map_or("host".to_owned(), |node| node.to_string());
    write_rows(output, |writer| {
        writer.write_record(HEADER)?;
        let wires = carried.wires.iter().enumerate();
        for (number, wire) in wires.filter(|(_, wire)| wire.is_there) {
            let stalls = wire.stalls.iter().sum::<u64>().to_string();
            let [channel, credit, given] = wire.stalls.map(|count| count.to_string());
            writer.write_record([
                end(wire.from),
                end(wire.to),
                carried.kinds[number / carried.nodes].clone(),
                wire.bits.to_string(),
                format!("{:.6}", carried.share(wire.bits)),
                format!("{:.6}", carried.share(wire.held)),
                stalls,
                channel,
                credit,
                given,
            ])?;
        }
        Ok(())
    })
}
