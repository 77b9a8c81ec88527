//! What a waveform shows beside wires and registers: which packet of which tree a port sends or receives, and which one a buffer
//! holds to be sent on.
//!
//! Nodes know ports and steps; a packet has no name in the hardware but the numbers that the receiving node's host is told. A text
//! beside a port says them from the first bit time of a step to the last: `tree_2_packet_7`; and so does one beside a buffer, whose
//! bits are those of the packet in the first bit time of a step, and go round in SHIFT.

use std::collections::BTreeMap;
use std::fmt::Write;

use rtl_model::error::Error;
use rtl_model::machine::router::{Position, Steps};
use rtl_model::machine::shown::Told;
use rtl_model::machine::simulation::Simulation;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::broadcast::Broadcast;
use waves::picture::run::Run;
use waves::probe::{Remark, Subject};

use crate::ports::engine::Engine;
use crate::ports::holdings::Holdings;
use crate::ports::message::Message;
use crate::trail::{self, MOST_LABOUR, MOST_SHOWN, Names, Trail, Watch, names};

/// The packet that a waveform follows: the first.
pub const FOLLOWED: usize = 0;

/// Whether looking at all ports in all bit times takes more than some seconds.
fn takes_long(broadcast: &Broadcast) -> bool {
    let ports = (broadcast.cube.nodes() * broadcast.cube.count()) as u64;
    ports.saturating_mul(broadcast.bit_times().value) > MOST_LABOUR
}

/// The route of the packet that a waveform follows, and the nodes of a first screen: found by a run before the run, if that does not
/// take too long.
///
/// # Errors
/// Whatever `passed` returns, which is called in every bit time; a machine that does not fit.
pub fn follow(
    device: &PortMachine,
    message: &Message,
    passed: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<(Option<Trail>, Vec<usize>), Error> {
    let broadcast = device.broadcast();
    let (nodes, ports) = (broadcast.cube.nodes(), broadcast.cube.count());
    if takes_long(broadcast) {
        return Ok((None, interesting(broadcast)));
    }
    let mut engine = Engine::of(device.clone(), message.clone())?;
    let name = engine.packet_name(FOLLOWED);
    let mut watch = Watch::new(
        names(engine.machine.topology()),
        name,
        (broadcast.source, None),
    );
    engine.run(|engine| {
        for (node, port) in (0..nodes).flat_map(|node| (0..ports).map(move |port| (node, port))) {
            let is_over = engine.machine.is_done();
            if !is_over && engine.crossing(node, port, false) == Some(FOLLOWED) {
                let is_bit = engine.machine.driver(port).is_some();
                let over = (node, node ^ 1 << port, port);
                let now = engine.machine.bit_time();
                watch.see(now..now + 1, over, is_bit.then_some(""));
            }
        }
        passed(engine.machine.bit_time() as usize)
    })?;
    let trail = watch.finish();
    let shown = trail.first_screen(MOST_SHOWN);
    Ok((Some(trail), shown))
}

/// The routes of all packets, for a picture and for the log: seen while the machine runs.
pub struct Routes {
    names: Names,
    /// By packet.
    watches: BTreeMap<usize, Watch>,
}

impl Routes {
    /// Of a run that has not begun.
    pub fn new(engine: &Engine) -> Self {
        Routes {
            names: names(engine.machine.topology()),
            watches: BTreeMap::new(),
        }
    }

    /// Whether they can be seen without taking much longer than the run.
    pub fn are_short(engine: &Engine) -> bool {
        !takes_long(engine.broadcast())
    }

    /// In every bit time, between its two halves.
    pub fn look(&mut self, engine: &Engine) {
        if engine.machine.is_done() {
            return;
        }
        let broadcast = engine.broadcast();
        let (nodes, ports) = (broadcast.cube.nodes(), broadcast.cube.count());
        for (node, port) in (0..nodes).flat_map(|node| (0..ports).map(move |port| (node, port))) {
            if let Some(packet) = engine.crossing(node, port, false) {
                let watch = self.watches.entry(packet).or_insert_with(|| {
                    let name = engine.packet_name(packet);
                    Watch::new(self.names.clone(), name, (broadcast.source, None))
                });
                let is_bit = engine.machine.driver(port).is_some();
                let over = (node, node ^ 1 << port, port);
                let now = engine.machine.bit_time();
                watch.see(now..now + 1, over, is_bit.then_some(""));
            }
        }
    }

    /// The routes that were seen, in the order of the packets.
    pub fn trails(&self) -> impl Iterator<Item = Trail> {
        self.watches.values().map(|watch| watch.clone().finish())
    }

    /// A run with the routes that were seen.
    pub fn drawn(self, run: Run) -> Run {
        let shown = self.watches.keys().position(|packet| *packet == FOLLOWED);
        Run {
            shown,
            ..trail::drawn(run, self.watches.into_values())
        }
    }
}

/// The nodes to trace where none are named: the source, the node at its side, and one at which all trees meet, half-way or opposite.
pub fn interesting(broadcast: &Broadcast) -> Vec<usize> {
    let last = broadcast.cube.nodes() - 1;
    let mut nodes = vec![
        broadcast.source ^ last,
        broadcast.source,
        broadcast.source ^ 1,
    ];
    nodes.dedup();
    if nodes[0] == nodes[nodes.len() - 1] {
        nodes.pop();
    }
    nodes
}

/// By which algorithm, and on which ports.
pub fn how(engine: &Engine) -> String {
    let (algorithm, ports) = (engine.broadcast().algorithm, engine.broadcast().ports);
    format!("algorithm {}, ports {}", algorithm.name(), ports.name())
}

/// What runs do, in a sentence.
pub fn does(engine: &Engine) -> String {
    let packets = match engine.broadcast().packets {
        1 => "a packet".to_owned(),
        packets => format!("{packets} packets"),
    };
    let how = engine.broadcast().algorithm.models();
    format!("one node sends a message to all others, in {packets}, {how}")
}

impl Subject for Engine {
    fn simulation(&self) -> &dyn Simulation {
        self.machine.as_simulation()
    }

    fn steps(&self) -> Option<Steps> {
        Some(self.machine.device().steps())
    }

    fn position(&self) -> Option<Position> {
        Some(self.machine.position())
    }

    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32 {
        self.machine.occupied_bits(node, after)
    }

    fn append_occupied_bits(
        &self,
        _seats: &[usize],
        after: Option<Position>,
        occupied: &mut Vec<u32>,
    ) {
        self.machine.append_occupied_bits(after, occupied);
    }

    fn about(&self) -> String {
        let network = self.machine.topology().summary();
        format!("broadcast, {network}, {}: {}", how(self), does(self))
    }

    fn legend(&self) -> Vec<String> {
        let phrase = match self.broadcast().start_up {
            0 => "SHIFT: bits cross",
            _ => "START: start-up of a packet, SHIFT: its bits",
        };
        let packets = match self.broadcast().algorithm.name() {
            "msbt" => Some("tree_2_packet_07 = packet 7, over tree 2 of edge-disjoint ones"),
            _ => None,
        };
        let phrases = packets.into_iter().chain([phrase]);
        phrases.map(str::to_owned).collect()
    }

    fn followed(&self) -> Vec<Told> {
        self.trail.as_ref().map_or_else(Vec::new, Trail::told)
    }

    fn append_followed(&self, number: usize, text: &mut String) {
        if let Some(trail) = &self.trail {
            trail.append(number, self.machine.bit_time(), text);
        }
    }

    /// Two for each port: what it sends and what it receives. Then one for each buffer whose packets are followed.
    fn remarks(&self) -> Vec<Remark> {
        let broadcast = self.broadcast();
        let longest = self.packet_name(broadcast.packets - 1).len();
        let remark = |module, name: &str| Remark {
            module,
            name: name.to_owned(),
            longest,
        };
        let ports = (0..broadcast.cube.count()).flat_map(|port| {
            let module = vec!["ports".to_owned(), format!("port_{port}")];
            ["sends", "receives"].map(|name| remark(module.clone(), name))
        });
        let buffers = (self.holdings.iter()).flat_map(Holdings::modules);
        ports
            .chain(buffers.map(|module| remark(module, "holds")))
            .collect()
    }

    fn remark(&self, node: usize, number: usize, text: &mut String) {
        if self.machine.is_done() {
            return;
        }
        let of_ports = 2 * self.broadcast().cube.count();
        let packet = match (number.checked_sub(of_ports), &self.holdings) {
            (None, _) => self.crossing(node, number / 2, number % 2 == 1),
            (Some(buffer), Some(holdings)) => holdings.held(node, buffer),
            (Some(_), None) => None,
        };
        if let Some(packet) = packet {
            text.push_str(&self.packet_name(packet));
        }
    }
}

impl Engine {
    /// The packet that comes to a node across a port in this step, or leaves it.
    fn crossing(&self, node: usize, port: usize, comes: bool) -> Option<usize> {
        let (to, ports) = match comes {
            true => (node, self.monitor.receiving(node)),
            false => (node ^ 1 << port, self.monitor.sending(node)),
        };
        match ports >> port & 1 {
            1 => self.hosts.coming_packet(to, port),
            _ => None,
        }
    }

    /// What a packet is called: by its tree and its number, or by its number alone where there is one tree.
    pub fn packet_name(&self, packet: usize) -> String {
        let trees = self.device.wires().trees;
        let last = self.broadcast().packets.saturating_sub(1);
        let width = last.to_string().len();
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = match trees {
            1 => write!(name, "packet_{packet:0width$}"),
            _ => write!(name, "tree_{}_packet_{packet:0width$}", packet % trees),
        };
        name
    }
}
