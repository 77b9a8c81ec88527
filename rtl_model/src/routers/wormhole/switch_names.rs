//! The names of what is in a switch.

use crate::language::bit::Bit;
use crate::routers::wormhole::plan::NodePlan;

/// Names that `logic` gives belong to a switch; a lone switch's names are the node's own.
#[inline(always)]
pub(super) fn in_switch<B: Bit, T>(plan: &NodePlan, switch: usize, logic: impl FnOnce() -> T) -> T {
    match plan.switches() {
        1 => logic(),
        _ => B::within(format_args!("switch_{switch}"), logic),
    }
}
