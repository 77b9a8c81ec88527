//! What the Verilog testbench expects, as `$readmemh` reads it: a line a node.

use std::fmt::Write;

use rtl_model::machine::host::Field;
use rtl_model::machine::simulation::Lockstep;

use crate::verilog::hex::Fields;

/// What the host is to read from each node, then which bits of it matter.
pub(super) fn expected(
    machine: &dyn Lockstep,
    expected: &dyn Fn(usize, Field, usize) -> Option<bool>,
) -> String {
    let mut text = String::new();
    for node in 0..machine.nodes() {
        let (mut values, mut matter) = (Fields::default(), Fields::default());
        for (field, _) in machine.host_reads(node) {
            let value = expected(node, field, values.bits_of(field));
            values.push(field, value.unwrap_or(false));
            matter.push(field, value.is_some());
        }
        let _ = writeln!(
            text,
            "{} {} // node {node}: {}",
            values.word(),
            matter.word(),
            values.described(|place| matter.is_any_one(place))
        );
    }
    text
}
