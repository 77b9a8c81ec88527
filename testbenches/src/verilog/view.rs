//! The view of what `tb.v` dumps: a run shows what is to be seen, by the names that the exported modules have.

use rtl_model::machine::topology::Topology;
use waves::probe::Recording;

/// How the scope of a node begins, before its name or its number.
pub(crate) const NODE: &str = "node_";

/// Has nodes go by number, as they do in Verilog, where waves of a run call them by name.
pub(crate) fn by_numbers(recording: &mut Recording, topology: &dyn Topology) {
    let all = recording.signals.iter_mut();
    for scope in all.filter_map(|signal| signal.scopes.get_mut(1)) {
        let name = scope.strip_prefix(NODE);
        if let Some(node) = name.and_then(|name| topology.node_named(name)) {
            *scope = format!("{NODE}{node}");
        }
    }
}
