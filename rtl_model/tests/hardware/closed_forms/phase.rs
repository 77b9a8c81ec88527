//! The closed forms of a phase of a guest's communication, in letters of their own.

use std::sync::Arc;

use rtl_model::embedding::constructions::{Ask, construction};
use rtl_model::embedding::phase::{Order, Phase};
use rtl_model::machine::device::Device;
use rtl_model::routers::phase::{PhaseMachine, Plan};

use crate::closed_forms::formula;

#[test]
fn what_is_printed_of_a_phase_is_what_is_asserted() {
    let cycle = construction("gray-cycle").unwrap();
    for n in 1..=8 {
        for packets in [1, 2, 5, 9] {
            let embedding = cycle.embed(&Ask::of_dimensions(n)).unwrap();
            let embedding = embedding.with_packets(packets).both_ways();
            for order in Order::EACH {
                let phase = Phase::of(&embedding, order);
                let plan = Arc::new(Plan::of(&embedding, &phase));
                for (b, t) in [(1, 0), (8, 0), (5, 3), (64, 1)] {
                    let machine = PhaseMachine::new(plan.clone(), b, t).unwrap();
                    let letters = [
                        ("n", n as f64),
                        ("B", b as f64),
                        ("T", t as f64),
                        ("S", phase.steps() as f64),
                        ("C", plan.cells() as f64),
                        ("W", plan.code_bits() as f64),
                    ];
                    for form in [Device::bit_times(&machine), Device::storage_bits(&machine)] {
                        let found = formula::value(form.text, &letters);
                        assert_eq!(found, Some(form.value as f64), "{}", form.text);
                    }
                }
            }
        }
    }
}
