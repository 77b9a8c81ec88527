//! Shadow machines: the same router with the same traffic, whose payloads spell who is who.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use rtl_model::error::Error;
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::memory;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::Traffic;

use crate::whereabouts::carried::Carried;
use crate::whereabouts::header::{self, Wires};
use crate::whereabouts::open::Places;
use crate::whereabouts::route::{self, BETWEEN, FIRST, LAST, PARTS};
use crate::whereabouts::seen::{Rows, Seen};
use crate::whereabouts::{Location, Sent, Stay, Whereabouts, receivers};

/// The most nodes of which all messages are followed: there are as many shadow machines as a message's number has bits, and
/// two more, and each ticks.
pub const MOST_NODES: usize = 1 << 14;

/// What finding out may take where nobody names a message, in words of registers that are read: some seconds.
const MOST_LABOUR: u64 = 1 << 29;
/// What it takes to note where the message bits of a node are, in the same unit, as measured.
const LABOUR_PER_NODE: u64 = 32;

/// Where messages are; nothing where there are none, or their machine has more nodes than [`MOST_NODES`]. `passed` is told how many
/// bit times are over.
///
/// # Errors
/// Whatever `passed` returns; shadow machines that would not fit into memory, with the figure.
pub fn find(
    carried: &Carried<'_>,
    passed: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Option<Whereabouts>, Error> {
    let nodes = carried.device.topology().nodes();
    if carried.messages() == 0 || nodes > MOST_NODES {
        return Ok(None);
    }
    let mut shadows = Shadows::new(carried)?;
    shadows.run(carried, passed).map(Some)
}

/// Whether finding out takes so much longer than the run itself that it should be asked for.
pub fn takes_long(carried: &Carried<'_>) -> bool {
    let Carried { device, .. } = carried;
    let nodes = device.topology().nodes() as u64;
    let messages = carried.messages();
    let machines = u64::from(bits(messages)) + 2;
    let words = nodes.div_ceil(64) * device.storage().total as u64;
    let labour = words
        .saturating_mul(machines)
        .saturating_add(LABOUR_PER_NODE * nodes);
    labour.saturating_mul(device.bit_times().value) > MOST_LABOUR
}

/// Bits of the numbers that are spelled of so many messages.
fn bits(messages: usize) -> u32 {
    let numbers = PARTS as usize * messages;
    usize::BITS - numbers.saturating_sub(1).leading_zeros()
}

/// The messages, slot by slot.
fn messages_of(carried: &Carried<'_>) -> Vec<Sent> {
    let topology = carried.device.topology();
    let slots = carried.sent;
    let of_slot = |(slot, traffic): (usize, &Traffic)| {
        let messages = traffic.messages();
        let named = messages.iter().map(|message| {
            let mut name = format!(
                "{}->{}",
                topology.node_name(message.source),
                topology.node_name(message.destination)
            );
            if slots.len() > 1 {
                name += &format!("/{slot}");
            }
            Sent {
                name,
                source: message.source,
                destination: message.destination,
            }
        });
        named.collect::<Vec<_>>()
    };
    slots.iter().enumerate().flat_map(of_slot).collect()
}

/// A machine, and what is in its registers and on its wires.
struct Shadow {
    machine: Box<dyn Lockstep>,
    rows: Rows,
}

impl Shadow {
    /// Reads the rows that are wanted, between the two halves of a bit time.
    fn read(&mut self, wanted: &[bool]) {
        self.rows.read(&*self.machine, wanted);
    }
}

/// Words of rows of all shadow machines, from which on they are worked on in several threads: it takes some microseconds in
/// every bit time to call them.
const SHARED_FROM: usize = 1 << 16;

/// Works on each of them, as they are apart.
fn each(shadows: &mut [Shadow], work: impl Fn(&mut Shadow) + Sync + Send) {
    let words: usize = shadows.iter().map(|shadow| shadow.rows.words()).sum();
    match words < SHARED_FROM {
        true => shadows.iter_mut().for_each(work),
        false => shadows.par_iter_mut().for_each(work),
    }
}

struct Shadows {
    /// In the first all payload bits are 0, in the second all are 1; then, by bit of the message's number, all are that bit.
    all: Vec<Shadow>,
    /// By row, in which place it is: bits of registers, then wires.
    locations: Vec<Location>,
    modules: Vec<Vec<String>>,
    /// That are spelled.
    numbers: usize,
}

impl Shadows {
    fn new(carried: &Carried<'_>) -> Result<Self, Error> {
        let Carried { device, sent, load } = carried;
        let messages = carried.messages();
        let numbers = PARTS as usize * messages;
        let bits = bits(messages);
        let machines = u64::from(bits) + 2;
        memory::require(
            format!(
                "telling messages apart (--trace-message, or names in a waveform), which takes {machines} machines of {} nodes side by side,",
                device.topology().nodes()
            ),
            device.bytes(1) * machines,
            memory::available(),
        )?;
        let mut paths = Paths::default();
        let links = device.topology().links();
        let mut shadow = |spell: &dyn Fn(usize) -> bool| -> Result<Shadow, Error> {
            let mut first = 0;
            let slots: Vec<Traffic> = sent
                .iter()
                .map(|slot| {
                    let mut slot = slot.clone();
                    let messages = slot.messages().len();
                    for index in 0..messages {
                        let payload = slot.payload_mut(index);
                        let part =
                            |part: u32| spell(PARTS as usize * (first + index) + part as usize);
                        payload.fill(part(BETWEEN));
                        let last = payload.len() - 1;
                        payload.set(last, part(LAST));
                        payload.set(0, part(FIRST));
                    }
                    first += messages;
                    slot
                })
                .collect();
            let mut machine = device.build(1)?;
            machine.watch();
            load(&mut *machine, &slots)?;
            if paths.module_of.is_empty() {
                machine.show_registers(0, &mut paths);
            }
            let rows = Rows::new(paths.module_of.len(), links, machine.words());
            Ok(Shadow { machine, rows })
        };
        let mut all = vec![shadow(&|_| false)?, shadow(&|_| true)?];
        for bit in 0..bits {
            all.push(shadow(&|number| number >> bit & 1 == 1)?);
        }
        let in_modules = paths.module_of.into_iter().map(Location::Module);
        let on_wires = (0..links).map(|wire| Location::Wire(wire as u16));
        Ok(Shadows {
            all,
            locations: in_modules.chain(on_wires).collect(),
            modules: paths.modules,
            numbers,
        })
    }

    /// Runs all of them to the end.
    fn run(
        &mut self,
        carried: &Carried<'_>,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<Whereabouts, Error> {
        let topology = carried.device.topology();
        let links = topology.links();
        let mut places = Places::new(topology.nodes(), self.modules.len(), links);
        let mut positions = Vec::new();
        let Shadow { machine, rows } = &self.all[0];
        let seats: Vec<usize> = (0..machine.words())
            .flat_map(|word| machine.seats(word))
            .collect();
        let mut wires = Wires::new(&**machine, &seats);
        let mut seen = Seen::new(rows, self.all.len() - 2, machine.nodes(), seats);
        loop {
            passed(positions.len())?;
            let is_first = positions.is_empty();
            let conflict = AtomicBool::new(false);
            each(&mut self.all, |shadow| {
                if !is_first {
                    shadow.machine.clock();
                }
                if shadow.machine.transmit().is_err() {
                    conflict.store(true, Ordering::Relaxed);
                }
            });
            self.look(&mut seen, &mut places);
            let Shadow { machine, rows } = &self.all[0];
            wires.note(&**machine, rows.driven());
            positions.push(machine.position());
            // The run itself will say what is the matter.
            if machine.is_done() || conflict.into_inner() {
                break;
            }
        }
        let messages = messages_of(carried);
        let receivers = receivers(&*topology);
        let receives = |node: usize, wire: usize| receivers[node][wire] as usize;
        let bit_times = positions.len() as u32;
        let copies = places.finish(bit_times);
        let mut stays = route::stays(copies, &messages, &receives, bit_times);
        header::extend(&mut stays, &wires, &positions, carried);
        let modules = used_modules(&mut stays, &self.modules);
        Ok(Whereabouts::new(
            messages, modules, stays, positions, receivers,
        ))
    }

    /// Notes what is in registers and on wires in this bit time, between its two halves: what has changed of it.
    fn look(&mut self, seen: &mut Seen, places: &mut Places) {
        let (ends, spelled) = self.all.split_at_mut(2);
        each(ends, |shadow| shadow.read(seen.all()));
        let (zeros, ones) = (&ends[0].rows, &ends[1].rows);
        let wanted = seen.differ(zeros, ones);
        each(spelled, |shadow| shadow.read(wanted));
        let spelled = &*spelled;
        let in_same_module = |row: usize| self.locations[row] == self.locations[row - 1];
        seen.compare((zeros, ones), &|bit| &spelled[bit].rows, &in_same_module);
        let bit_time = ends[0].machine.bit_time() as u32;
        seen.changes(|row, node, left, entered| {
            let location = self.locations[row];
            let is_one = |number: &u32| (*number as usize) < self.numbers;
            if let Some(left) = left.filter(is_one) {
                places.leave(node, location, left, bit_time);
            }
            if let Some(entered) = entered.filter(is_one) {
                places.enter(node, location, entered, bit_time);
            }
        });
    }
}

/// The modules that any stay is in; stays are numbered by these from now on.
fn used_modules(stays: &mut [Stay], all: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut is_used = vec![false; all.len()];
    for stay in stays.iter() {
        if let Location::Module(module) = stay.location {
            is_used[usize::from(module)] = true;
        }
    }
    let mut number = vec![0; all.len()];
    let mut used = Vec::new();
    for (module, path) in all.iter().enumerate() {
        if is_used[module] {
            number[module] = used.len() as u16;
            used.push(path.clone());
        }
    }
    for stay in stays {
        if let Location::Module(module) = &mut stay.location {
            *module = number[usize::from(*module)];
        }
    }
    used
}

/// In which module each register is.
#[derive(Default)]
struct Paths {
    /// The modules that are open, below the node.
    open: Vec<String>,
    depth: usize,
    module_of: Vec<u16>,
    modules: Vec<Vec<String>>,
}

impl Visitor<bool> for Paths {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        if self.depth > 0 {
            self.open.push(name.to_string());
        }
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth -= 1;
        if self.depth > 0 {
            self.open.pop();
        }
    }

    fn register<'r>(&mut self, _name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r bool) {
        // A module's registers may stand before and behind those of the modules in it.
        let known = self.modules.iter().position(|path| *path == self.open);
        let module = known.unwrap_or_else(|| {
            self.modules.push(self.open.clone());
            self.modules.len() - 1
        });
        let bits = std::iter::repeat_n(module as u16, width);
        self.module_of.extend(bits);
    }
}
