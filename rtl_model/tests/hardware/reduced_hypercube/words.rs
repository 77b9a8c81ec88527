//! Reduction and prefix operation against a fold over all words.

use rtl_model::machine::device::Device;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};

use crate::reduced_hypercube::common::{drawn, full, nodes, reduced, results, small};

/// An operator on words of so many bits, as arithmetic.
pub fn combined(operator: Operator, width: usize, [left, right]: [u64; 2]) -> u64 {
    let all = u64::MAX >> (64 - width);
    match operator {
        Operator::Add => left.wrapping_add(right) & all,
        Operator::Min => left.min(right),
        Operator::Max => left.max(right),
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Carry => {
            let odd = 0xaaaa_aaaa_aaaa_aaaa & all;
            let propagate = left & right & odd;
            let generate = (right & !odd) | ((right & odd) >> 1 & left & !odd);
            propagate | generate
        }
    }
}

const REDUCTIONS: [ReductionForm; 2] = [ReductionForm::Printed, ReductionForm::Short];
const FORMS: [PrefixForm; 3] = [PrefixForm::Printed, PrefixForm::Short, PrefixForm::InPlace];

#[test]
fn node_0_ends_up_with_the_combination_of_all_words_in_the_order_of_addresses() {
    for network in small().into_iter().chain([reduced(3, 3), full(8)]) {
        for operator in Operator::ALL {
            for width in [1, 2, 7, 16]
                .into_iter()
                .filter(|w| operator.takes_width(*w))
            {
                let forms = REDUCTIONS.into_iter().zip(1..).chain([(REDUCTIONS[0], 3)]);
                for (form, seed) in forms {
                    let device = Reduction::new(network, form, operator, width).unwrap();
                    let device = device.machine();
                    let words = drawn(nodes(network), (1, width), seed);
                    let due = words
                        .iter()
                        .map(|keys| keys[0])
                        .reduce(|left, right| combined(operator, width, [left, right]));
                    let found = results(&device, &words, (1, width));
                    assert_eq!(
                        Some(found[0][0]),
                        due,
                        "{network:?} {form:?} {operator:?} {width}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_node_ends_up_with_its_word_and_all_before_it() {
    for network in small().into_iter().chain([reduced(3, 3), full(8)]) {
        for operator in Operator::ALL {
            for form in FORMS {
                for width in [1, 2, 7, 16]
                    .into_iter()
                    .filter(|w| operator.takes_width(*w))
                {
                    let device = Prefix::new(network, form, operator, width)
                        .unwrap()
                        .machine();
                    let words = drawn(nodes(network), (1, width), 5);
                    let mut due = Vec::new();
                    for keys in &words {
                        let so_far = due.last().map_or(keys[0], |before| {
                            combined(operator, width, [*before, keys[0]])
                        });
                        due.push(so_far);
                    }
                    let found: Vec<u64> = (results(&device, &words, (1, width)).iter())
                        .map(|keys| keys[0])
                        .collect();
                    assert_eq!(found, due, "{network:?} {form:?} {operator:?} {width}");
                }
            }
        }
    }
}

#[test]
fn steps_in_numbers() {
    let steps = |device: &dyn Device| device.bit_times().value;
    for (k, n, reduction, short) in [(3, 1, 7, 0), (2, 2, 14, 14), (3, 2, 15, 0), (3, 3, 35, 28)] {
        let machine = Reduction::new(reduced(k, n), ReductionForm::Printed, Operator::Or, 1)
            .unwrap()
            .machine();
        assert_eq!(
            (steps(&machine), machine.table().steps()),
            (reduction, reduction)
        );
        let machine = Prefix::new(reduced(k, n), PrefixForm::Short, Operator::Or, 1);
        let counted = machine.unwrap().machine().table().steps();
        assert!(short == 0 || counted == short);
    }
    for (k, n, printed) in [(3, 1, 13), (2, 2, 40), (3, 3, 178)] {
        let machine = Prefix::new(reduced(k, n), PrefixForm::Printed, Operator::Or, 1);
        assert_eq!(machine.unwrap().machine().table().steps(), printed);
    }
}
