//! Shadow machines: the same router with the same traffic, whose payloads spell who is who.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use rtl_model::error::Error;
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::memory;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::Traffic;

use crate::whereabouts::carried::Carried;
use crate::whereabouts::copies::{self, Log};
use crate::whereabouts::header::{self, Wires};
use crate::whereabouts::route::{self, BETWEEN, FIRST, LAST, PARTS};
use crate::whereabouts::rows::{Reached, Rows};
use crate::whereabouts::seen::{AllRows, Seen};
use crate::whereabouts::{Location, MOST_NODES, Sent, Stay, Whereabouts, receivers};

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

/// Words of rows of all shadow machines, from which on they are worked on in several threads: it takes some microseconds in
/// every bit time to call them.
const SHARED_FROM: usize = 1 << 16;
/// Bit times between two looks at whether it is to go on: threads are called together for so many.
const AT_ONCE: usize = 16;
/// Words of nodes that are looked at together: two cache lines of a row, so that what two rows have is near.
const LOOKED_AT: usize = 16;

/// Machines that spell which part of a message a bit is.
const LOWEST: usize = PARTS.trailing_zeros() as usize;

struct Shadows {
    /// In the first all payload bits are 0, in the second all are 1; then, by bit of the message's number, all are that bit.
    machines: Vec<Box<dyn Lockstep>>,
    /// What is in the registers and on the wires of each.
    rows: Vec<Rows>,
    /// By row, in which place it is: bits of registers, then wires.
    locations: Vec<Location>,
    modules: Vec<Vec<String>>,
    /// That are spelled.
    numbers: usize,
}

/// What has been seen of them.
struct Looking {
    reached: Reached,
    /// By words of nodes: what is there, and what has changed.
    seen: Vec<Seen>,
    logs: Vec<Log>,
    wires: Wires,
    positions: Vec<Position>,
}

/// Works on each of the ones with one of the others, as they are apart.
fn each<A: Send, B: Send>(
    is_shared: bool,
    (ones, others): (&mut [A], &mut [B]),
    work: impl Fn(&mut A, &mut B) + Sync + Send,
) {
    match is_shared {
        false => ones
            .iter_mut()
            .zip(others)
            .for_each(|(one, other)| work(one, other)),
        true => (ones.par_iter_mut().zip(others)).for_each(|(one, other)| work(one, other)),
    }
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
        let mut shadow = |spell: &dyn Fn(usize) -> bool| -> Result<Box<dyn Lockstep>, Error> {
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
            Ok(machine)
        };
        let mut machines = vec![shadow(&|_| false)?, shadow(&|_| true)?];
        for bit in 0..bits {
            machines.push(shadow(&|number| number >> bit & 1 == 1)?);
        }
        let registers = paths.module_of.len();
        let words = machines[0].words();
        let in_modules = paths.module_of.into_iter().map(Location::Module);
        let on_wires = (0..links).map(|wire| Location::Wire(wire as u16));
        Ok(Shadows {
            rows: (machines.iter().map(|_| Rows::new(registers, links, words))).collect(),
            machines,
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
        let mut looking = self.begin(carried.messages());
        let is_shared = self.rows.iter().map(Rows::words).sum::<usize>() >= SHARED_FROM;
        loop {
            passed(looking.positions.len())?;
            let is_over = match is_shared {
                // Threads that are called from one of them are called sooner.
                true => rayon::scope(|_| self.go_on(&mut looking, true)),
                false => self.go_on(&mut looking, false),
            };
            if is_over {
                break;
            }
        }
        let Looking {
            logs,
            wires,
            positions,
            ..
        } = looking;
        let messages = messages_of(carried);
        let receivers = receivers(&*topology);
        let receives = |node: usize, wire: usize| receivers[node][wire] as usize;
        let bit_times = positions.len() as u32;
        let of_block = |block: usize| {
            let mut stays = Vec::new();
            copies::of_block(&logs, block, bit_times, |message, copies| {
                let sent = &messages[message as usize];
                route::append_stays(copies, (message, sent), &receives, bit_times, &mut stays);
            });
            stays
        };
        let blocks = (0..copies::blocks(messages.len())).into_par_iter();
        let mut stays = blocks.map(of_block).collect::<Vec<_>>().concat();
        header::extend(&mut stays, &wires, &positions, carried);
        let modules = used_modules(&mut stays, &self.modules);
        Ok(Whereabouts::new(
            messages, modules, stays, positions, receivers,
        ))
    }

    /// Before the first bit time.
    fn begin(&self, messages: usize) -> Looking {
        let (machine, rows) = (&*self.machines[0], &self.rows[0]);
        let words = machine.words();
        let seats: Vec<usize> = (0..words).flat_map(|word| machine.seats(word)).collect();
        let bits = self.machines.len() - 2;
        let begins = (0..words).step_by(LOOKED_AT);
        let seen = begins.map(|begin| {
            let words = begin..(begin + LOOKED_AT).min(words);
            Seen::new(rows, words, bits, (machine.nodes(), &seats))
        });
        let seen: Vec<Seen> = seen.collect();
        Looking {
            reached: Reached::new(rows),
            logs: seen.iter().map(|_| Log::new(messages)).collect(),
            seen,
            wires: Wires::new(machine, &seats),
            positions: Vec::new(),
        }
    }

    /// Goes on for some bit times; whether the run is over then.
    fn go_on(&mut self, looking: &mut Looking, is_shared: bool) -> bool {
        let conflict = AtomicBool::new(false);
        for _ in 0..AT_ONCE {
            let is_first = looking.positions.is_empty();
            let all = (&mut self.machines[..], &mut self.rows[..]);
            each(is_shared, all, |machine, _| {
                if !is_first {
                    machine.clock();
                }
                if machine.transmit().is_err() {
                    conflict.store(true, Ordering::Relaxed);
                }
            });
            self.look(looking, is_shared);
            let machine = &*self.machines[0];
            looking.wires.note(machine, self.rows[0].driven());
            looking.positions.push(machine.position());
            // The run itself will say what is the matter.
            if machine.is_done() || conflict.load(Ordering::Relaxed) {
                return true;
            }
        }
        false
    }

    /// Notes what is in registers and on wires in this bit time, between its two halves: what has changed of it.
    fn look(&mut self, looking: &mut Looking, is_shared: bool) {
        let (plain_machines, spelling) = self.machines.split_at_mut(2);
        let (plain, spelled) = self.rows.split_at_mut(2);
        let all = looking.reached.all();
        each(is_shared, (plain_machines, &mut *plain), |machine, rows| {
            rows.read(&**machine, all)
        });
        let plain = (&plain[0], &plain[1]);
        let (low_machines, high_machines) = spelling.split_at_mut(LOWEST);
        let (lowest, others) = spelled.split_at_mut(LOWEST);
        let wanted = looking.reached.differ(plain);
        each(is_shared, (low_machines, &mut *lowest), |machine, rows| {
            rows.read(&**machine, wanted)
        });
        let wanted = looking.reached.followed(plain, [&lowest[0], &lowest[1]]);
        each(is_shared, (high_machines, others), |machine, rows| {
            rows.read(&**machine, wanted)
        });
        let wanted = looking.reached.changed(self.rows.iter_mut());
        let (plain, spelled) = self.rows.split_at(2);
        let rows = AllRows {
            plain: (&plain[0], &plain[1]),
            spelled,
            wanted,
        };
        let (locations, numbers) = (&self.locations, self.numbers);
        let in_same_module = |row: usize| locations[row] == locations[row - 1];
        let bit_time = self.machines[0].bit_time() as u32;
        let parts = (&mut looking.seen[..], &mut looking.logs[..]);
        each(is_shared, parts, |seen, log| {
            seen.compare(rows, &in_same_module, |row, node, left, entered| {
                let place = (node, locations[row]);
                let is_one = |number: &u32| (*number as usize) < numbers;
                for (number, enters) in [(left, false), (entered, true)] {
                    if let Some(number) = number.filter(is_one) {
                        log.note(number, place, bit_time, enters);
                    }
                }
            });
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
