use super::*;
use crate::embedding::constructions::tests::{holds, steps_by_level};

#[test]
fn they_hold_what_is_said() {
    for dimensions in HOSTS {
        let ask = Ask::of_dimensions(dimensions);
        let ccc = holds(&NetworkProduct::Ccc, &ask);
        assert_eq!(steps_by_level(&ccc), [2, 3, 2]);
        let butterfly = holds(&NetworkProduct::Butterfly, &ask);
        assert_eq!(steps_by_level(&butterfly), [2, 3, 4, 1]);
    }
}
