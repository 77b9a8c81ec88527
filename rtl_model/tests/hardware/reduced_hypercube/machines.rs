//! Machines of all operations and forms, what their registers are loaded with, and what of them can be compared.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Router;
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};

pub const REDUCTIONS: [ReductionForm; 2] = [ReductionForm::Printed, ReductionForm::Short];
pub const PREFIXES: [PrefixForm; 3] = [PrefixForm::Printed, PrefixForm::Short, PrefixForm::InPlace];
pub const SORTS: [SortForm; 2] = [SortForm::VirtualCube, SortForm::PairsOfBlocks];
pub const INNER: [Inner; 2] = [Inner::DoubleRooted, Inner::ECube];
pub const SWITCHING: [Switching; 2] = [Switching::StoreAndForward, Switching::CutThrough];

/// The node that broadcasts.
pub const SOURCE: usize = 5;

/// What is done with a machine, whatever it does.
pub trait Visit {
    fn machine<R: Router<Topology = BlockNetwork>>(&mut self, machine: R, what: &str);
}

/// Forms of an operation on a network: on the hypercube there is one.
fn forms<F: Copy>(network: BlockNetwork, all: &[F]) -> Vec<F> {
    match network {
        BlockNetwork::Reduced(_) => all.to_vec(),
        BlockNetwork::Full(_) => all[..1].to_vec(),
    }
}

/// Reductions and prefix operations, with each operator, of words of so many bits.
pub fn on_words(
    network: BlockNetwork,
    operators: &[Operator],
    bits: usize,
    visit: &mut impl Visit,
) {
    for &operator in operators.iter().filter(|one| one.takes_width(bits)) {
        for form in forms(network, &REDUCTIONS) {
            let reduction = Reduction::new(network, form, operator, bits).unwrap();
            visit.machine(reduction.machine(), &format!("{reduction:?}"));
        }
        for form in forms(network, &PREFIXES) {
            let prefix = Prefix::new(network, form, operator, bits).unwrap();
            visit.machine(prefix.machine(), &format!("{prefix:?}"));
        }
    }
}

/// Sorts of so many keys a node, of so many bits.
pub fn on_keys(network: BlockNetwork, (keys, bits): (usize, usize), visit: &mut impl Visit) {
    for form in forms(network, &SORTS) {
        let sort = Sort::new(network, form, keys, bits).unwrap();
        visit.machine(sort.machine(), &format!("{sort:?}"));
    }
}

/// Broadcasts of a message of so many bits.
pub fn on_messages(network: BlockNetwork, bits: usize, visit: &mut impl Visit) {
    for inner in forms(network, &INNER) {
        for switching in SWITCHING {
            let broadcast = Broadcast::new(network, (inner, switching), SOURCE, bits).unwrap();
            visit.machine(broadcast, &format!("{broadcast:?}"));
        }
    }
}

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// What the host writes before bit time 0 is drawn; a message is at its source alone.
pub fn load<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, seed: u64) {
    let mut random = generator(seed);
    let machine = fabric.router().clone();
    let nodes = fabric.topology().nodes();
    for node in 0..fabric.machines() * nodes {
        let is_source = node % nodes == SOURCE;
        let (group, place) = fabric.node_mut(node);
        machine.host_writes(group, &mut |field, _, register: &mut B| {
            let drawn: bool = random.random();
            let value = match field {
                Field::VALID => is_source,
                Field::PAYLOAD => is_source && drawn,
                _ => drawn,
            };
            register.set(place, value);
        });
    }
}

/// All registers of all nodes, node by node.
pub fn registers<R: Router, B: Lanes>(fabric: &Fabric<R, B>) -> Vec<bool> {
    let mut bits = Vec::new();
    for node in 0..fabric.machines() * fabric.topology().nodes() {
        fabric.append_registers(node, &mut bits);
    }
    bits
}
