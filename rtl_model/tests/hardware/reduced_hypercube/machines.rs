//! Machines of all operations and forms on the reduced hypercube and on the hypercube.

use rtl_model::machine::host::Field;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};

use crate::machines::{Visit, drawn};
use crate::reduced_hypercube::common::nodes;

pub const REDUCTIONS: [ReductionForm; 2] = [ReductionForm::Printed, ReductionForm::Short];
pub const PREFIXES: [PrefixForm; 3] = [PrefixForm::Printed, PrefixForm::Short, PrefixForm::InPlace];
pub const SORTS: [SortForm; 2] = [SortForm::VirtualCube, SortForm::PairsOfBlocks];
pub const INNER: [Inner; 2] = [Inner::DoubleRooted, Inner::ECube];
pub const SWITCHING: [Switching; 2] = [Switching::StoreAndForward, Switching::CutThrough];

/// The node that broadcasts.
const SOURCE: usize = 5;

/// Shows a machine: all that its host writes is drawn, and a message is at its source alone.
fn show(visit: &mut impl Visit, machine: &impl Router, what: &str) {
    let nodes = machine.topology().nodes();
    visit.machine(machine, what, &|number, field, bit| {
        let is_source = number % nodes == SOURCE % nodes;
        match field {
            Field::VALID => is_source,
            Field::PAYLOAD => is_source && drawn([number, bit, 0]),
            _ => drawn([number, bit, 0]),
        }
    });
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
            show(visit, &reduction.machine(), &format!("{reduction:?}"));
        }
        for form in forms(network, &PREFIXES) {
            let prefix = Prefix::new(network, form, operator, bits).unwrap();
            show(visit, &prefix.machine(), &format!("{prefix:?}"));
        }
    }
}

/// Sorts of so many keys a node, of so many bits.
pub fn on_keys(network: BlockNetwork, (keys, bits): (usize, usize), visit: &mut impl Visit) {
    for form in forms(network, &SORTS) {
        let sort = Sort::new(network, form, keys, bits).unwrap();
        show(visit, &sort.machine(), &format!("{sort:?}"));
    }
}

/// Broadcasts of a message of so many bits.
pub fn on_messages(network: BlockNetwork, bits: usize, visit: &mut impl Visit) {
    for inner in forms(network, &INNER) {
        for switching in SWITCHING {
            let broadcast =
                Broadcast::new(network, (inner, switching), SOURCE % nodes(network), bits).unwrap();
            show(visit, &broadcast, &format!("{broadcast:?}"));
        }
    }
}
