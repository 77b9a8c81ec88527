//! Registers and steps are as many as their closed forms say, and what is out of range is refused.

use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::collective::Collective;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};
use rtl_model::routers::reduced_hypercube::step_table_machine::StepTableMachine;

use crate::reduced_hypercube::common::{full, reduced};

fn networks() -> Vec<BlockNetwork> {
    let blocks = (1..=4).flat_map(|n| (n..n + 5).map(move |k| reduced(k, n)));
    blocks.chain((1..=12).map(full)).collect()
}

fn agrees<C: Collective>(machine: &StepTableMachine<C>) {
    let collective = machine.collective();
    let (steps, words) = (machine.table().steps(), machine.table().words());
    let name = || (collective.network(), collective.steps());
    assert_eq!(steps, collective.steps().value, "{:?}", name());
    let bit_times = words * collective.word_bits() as u64;
    assert_eq!(bit_times, collective.bit_times().value, "{:?}", name());
    let total = Device::storage(machine).total as u64;
    assert_eq!(total, collective.storage_bits().value, "{:?}", name());
}

#[test]
fn tables_and_registers_are_as_large_as_their_closed_forms_say() {
    for network in networks() {
        for operator in Operator::ALL {
            for form in [ReductionForm::Printed, ReductionForm::Short] {
                agrees(
                    &Reduction::new(network, form, operator, 6)
                        .unwrap()
                        .machine(),
                );
            }
            for form in [PrefixForm::Printed, PrefixForm::Short, PrefixForm::InPlace] {
                agrees(&Prefix::new(network, form, operator, 6).unwrap().machine());
            }
        }
        for keys in 1..=4 {
            for form in [SortForm::VirtualCube, SortForm::PairsOfBlocks] {
                agrees(&Sort::new(network, form, keys, 6).unwrap().machine());
            }
        }
        for inner in [Inner::DoubleRooted, Inner::ECube] {
            let how = (inner, Switching::StoreAndForward);
            let broadcast = Broadcast::new(network, how, 0, 6).unwrap();
            let total = broadcast.storage().total as u64;
            assert_eq!(total, Device::storage_bits(&broadcast).value);
        }
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    fn refused<T>(made: Result<T, Error>) -> String {
        made.err().unwrap().to_string()
    }
    let network = reduced(2, 2);
    for word_bits in [0, 4097] {
        assert_eq!(
            refused(Reduction::new(
                network,
                ReductionForm::Printed,
                Operator::Add,
                word_bits
            )),
            format!("words of {word_bits} bits are out of range: choose 1 to 4096")
        );
    }
    let odd = refused(Prefix::new(network, PrefixForm::Short, Operator::Carry, 7));
    assert!(odd.starts_with("the operator `carry` does not take words of 7 bits: "));
    for keys in [0, 17] {
        let keys_of_a_node = refused(Sort::new(network, SortForm::VirtualCube, keys, 4));
        let begin = format!("{keys} keys a node are out of range: choose 1 to 16 (");
        assert!(keys_of_a_node.starts_with(&begin), "{keys_of_a_node}");
    }
    let how = (Inner::ECube, Switching::CutThrough);
    assert_eq!(
        refused(Broadcast::new(network, how, 64, 4)),
        "the source 64 is out of range: the nodes are 0 to 63"
    );
}
