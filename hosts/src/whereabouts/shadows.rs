//! Shadow machines: the same router with the same traffic, whose payloads spell who is who.

use rtl_model::error::Error;
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::device::Device;
use rtl_model::machine::memory;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::Traffic;

use crate::whereabouts::header::{self, Wires};
use crate::whereabouts::open::Places;
use crate::whereabouts::route::{self, BETWEEN, FIRST, LAST, PARTS};
use crate::whereabouts::{Location, Sent, Stay, Whereabouts, receivers};

/// The most nodes of which all messages are followed: there are as many shadow machines as a message's number has bits, and
/// two more, and each ticks.
pub const MOST_NODES: usize = 1 << 14;

/// What finding out may take where nobody names a message, in words of registers that are read: some seconds.
const MOST_LABOUR: u64 = 1 << 29;
/// What it takes to note where the message bits of a node are, in the same unit, as measured.
const LABOUR_PER_NODE: u64 = 32;

/// Puts messages into the nodes of a machine, with the payloads that they have.
type Load<'a> = &'a dyn Fn(&mut dyn Lockstep, &[Traffic]) -> Result<(), Error>;

/// Messages, and a machine that carries them.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// The machine.
    pub device: &'a dyn Device,
    /// A routing for each slot of a node; none where messages cannot be told apart by their payloads.
    pub sent: &'a [Traffic],
    /// Puts them into the nodes, with these payloads or others.
    pub load: Load<'a>,
}

impl Carried<'_> {
    fn messages(&self) -> usize {
        self.sent.iter().map(|slot| slot.messages().len()).sum()
    }
}

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

struct Shadows {
    /// All payload bits are 0; all are 1; and by bit of the message's number, all are that bit.
    zeros: Box<dyn Lockstep>,
    ones: Box<dyn Lockstep>,
    spelled: Vec<Box<dyn Lockstep>>,
    /// By number of a register's bit, in which module it is.
    module_of: Vec<u16>,
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
        let shadow = |spell: &dyn Fn(usize) -> bool| -> Result<Box<dyn Lockstep>, Error> {
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
            Ok(machine)
        };
        let spelled = (0..bits).map(|bit| shadow(&|number| number >> bit & 1 == 1));
        let zeros = shadow(&|_| false)?;
        let mut paths = Paths::default();
        zeros.show_registers(0, &mut paths);
        Ok(Shadows {
            ones: shadow(&|_| true)?,
            spelled: spelled.collect::<Result<_, _>>()?,
            zeros,
            module_of: paths.module_of,
            modules: paths.modules,
            numbers,
        })
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Box<dyn Lockstep>> {
        [&mut self.zeros, &mut self.ones]
            .into_iter()
            .chain(&mut self.spelled)
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
        let mut wires = Wires::default();
        loop {
            passed(self.zeros.bit_time() as usize)?;
            let mut conflict = false;
            for machine in self.all() {
                conflict |= machine.transmit().is_err();
            }
            wires.note(&*self.zeros);
            positions.push(self.zeros.position());
            self.look(&mut places);
            // The run itself will say what is the matter.
            if self.zeros.is_done() || conflict {
                break;
            }
            for machine in self.all() {
                machine.clock();
            }
        }
        let messages = messages_of(carried);
        let receivers = receivers(&*topology);
        let receives = |node: usize, wire: usize| receivers[node][wire] as usize;
        let bit_times = positions.len() as u32;
        let mut stays = route::stays(places.finish(), &messages, &receives, bit_times);
        header::extend(&mut stays, &wires, &positions, carried);
        let modules = used_modules(&mut stays, &self.modules);
        Ok(Whereabouts::new(
            messages, modules, stays, positions, receivers,
        ))
    }

    /// Notes what is in registers and on wires in this bit time, between its two halves.
    fn look(&self, places: &mut Places) {
        let bit_time = self.zeros.bit_time() as u32;
        let links = self.zeros.topology().links();
        let nodes = self.zeros.nodes();
        let registers = self.module_of.len();
        let (mut zeros, mut ones) = (Vec::new(), Vec::new());
        let mut spelled = vec![Vec::new(); self.spelled.len()];
        for word in 0..self.zeros.words() {
            let seats = self.zeros.seats(word);
            let read = |machine: &dyn Lockstep, words: &mut Vec<u64>| {
                words.clear();
                machine.append_register_words(word, words);
                words.extend((0..links).map(|wire| machine.driven_word(word, wire)));
            };
            read(&*self.zeros, &mut zeros);
            read(&*self.ones, &mut ones);
            if zeros == ones {
                continue;
            }
            for (machine, words) in self.spelled.iter().zip(&mut spelled) {
                read(&**machine, words);
            }
            for (number, (zero, one)) in zeros.iter().zip(&ones).enumerate() {
                let place = match number.checked_sub(registers) {
                    None => Location::Module(self.module_of[number]),
                    Some(wire) => Location::Wire(wire as u16),
                };
                let mut differ = zero ^ one;
                if let Location::Module(_) = place {
                    let [low, high] = [0, 1].map(|bit: usize| spelled[bit][number] ^ zero);
                    differ &= low | high;
                }
                while differ != 0 {
                    let lane = differ.trailing_zeros() as usize;
                    differ &= differ - 1;
                    // A bit that is stored inverted is inverted in all of them.
                    let spelled = spelled.iter().enumerate().fold(0, |spelled, (bit, words)| {
                        spelled | ((words[number] ^ zero) >> lane & 1) << bit
                    });
                    if seats[lane] < nodes && spelled < self.numbers as u64 {
                        places.see(seats[lane], place, spelled as u32, bit_time);
                    }
                }
            }
        }
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
