//! Reductions and prefix operations beside the models.

use reference_models::reduced_hypercube::reduce::{Variant, reduce};
use rtl_model::machine::topology::Tap;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::reduction::ReductionForm;

use crate::reduced_hypercube::host::load;
use crate::reduced_hypercube::job::{
    Job, Operation, PREFIXES, REDUCTIONS, full, reduced, referred,
};
use crate::reduced_hypercube::patterns::{drawn, structured};

fn networks() -> Vec<BlockNetwork> {
    let blocks = [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2)];
    let blocks = blocks.into_iter().map(|(k, n)| reduced(k, n));
    blocks.chain([full(1), full(4), full(6)]).collect()
}

/// All operators on all words of these widths, structured and drawn.
fn beside_models(
    operation: impl Fn(Operator) -> Operation,
    network: BlockNetwork,
    widths: &[usize],
) {
    for operator in Operator::ALL {
        for &bits in widths.iter().filter(|bits| operator.takes_width(**bits)) {
            let job = Job {
                network,
                operation: operation(operator),
                bits,
            };
            let nodes = job.nodes();
            let drawn = (0..3).map(|seed| drawn(nodes, 1, bits, seed));
            let all: Vec<_> = structured(nodes, bits).into_iter().chain(drawn).collect();
            job.beside_model_of_each(&all);
        }
    }
}

#[test]
fn reductions_are_those_of_the_model() {
    for network in networks() {
        for form in REDUCTIONS {
            let widths = [1, 2, 6, 9];
            beside_models(
                |operator| Operation::Reduce(form, operator),
                network,
                &widths,
            );
        }
    }
}

#[test]
fn prefixes_are_those_of_the_model() {
    for network in networks() {
        for form in PREFIXES {
            let widths = [1, 2, 6, 9];
            beside_models(
                |operator| Operation::Prefix(form, operator),
                network,
                &widths,
            );
        }
    }
}

/// Limbs of 64 bits meet inside these words.
#[test]
fn wide_words_are_combined_as_well() {
    for network in [reduced(1, 1), full(3)] {
        for form in REDUCTIONS {
            beside_models(
                |operator| Operation::Reduce(form, operator),
                network,
                &[64, 65, 70],
            );
        }
        for form in PREFIXES {
            beside_models(
                |operator| Operation::Prefix(form, operator),
                network,
                &[64, 66, 127],
            );
        }
    }
}

/// Eight sub-blocks: walks go up to three hops.
#[test]
fn larger_networks_do_the_same() {
    let network = reduced(3, 3);
    for operator in [Operator::Add, Operator::Carry] {
        for operation in (REDUCTIONS
            .map(|form| Operation::Reduce(form, operator))
            .into_iter())
        .chain(PREFIXES.map(|form| Operation::Prefix(form, operator)))
        {
            let job = Job {
                network,
                operation,
                bits: 4,
            };
            job.beside_model(&drawn(job.nodes(), 1, 4, 1));
        }
    }
}

/// A word of ones is seen on a wire: so words can be counted, and there are as many as the model sends.
#[test]
fn as_many_words_are_sent_as_the_model_sends() {
    for network in networks() {
        let job = Job {
            network,
            operation: Operation::Reduce(ReductionForm::Printed, Operator::Or),
            bits: 3,
        };
        let nodes = job.nodes();
        let words = vec![vec![7]; nodes];
        let mut machine = job.device().build(1).unwrap();
        load(&mut *machine, &words, job.bits);
        let mut ones = 0;
        while !machine.is_done() {
            machine.transmit().unwrap();
            for wire in 0..machine.topology().links() {
                let on_wire = |node: &usize| machine.tapped(*node, Tap::Driven(wire));
                ones += (0..nodes).filter(on_wire).count();
            }
            machine.clock();
        }
        let first: Vec<u128> = words.concat();
        let either = |lower: &u128, higher: &u128| lower | higher;
        let model = reduce(referred(network), &first, either, Variant::Correct).unwrap();
        assert_eq!(ones as u64, job.bits as u64 * model.sends, "{job:?}");
    }
}
