//! What holds of the list of algorithms.

use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Operation};

use crate::prearranged::collectives::common::machines;

/// Every algorithm is run by the other tests in some small cube.
#[test]
fn every_algorithm_takes_some_small_cube() {
    let ran: Vec<String> = (2..=4)
        .flat_map(|dims| machines(dims, 4, 1))
        .map(|(what, ..)| what)
        .collect();
    for one in ALGORITHMS {
        let name = format!("{} {},", one.operation(), one.name());
        assert!(ran.iter().any(|what| what.starts_with(&name)), "{name}");
    }
    for operation in Operation::EACH {
        assert!(
            ALGORITHMS.iter().any(|one| one.operation() == operation),
            "{operation}"
        );
    }
}
