//! The view of what `tb.v` dumps: the nodes on the way of a worm of the first round, as a waveform of a run shows them, by the names
//! that the exported modules have. What the simulator adds is not there: the names of worms, and counts.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::router::Machine as _;
use rtl_model::machine::topology::Topology as _;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::verilog::block;
use waves::gtkwave::{self, FileNames, Links, View};
use waves::probe::{Recording, Selection};
use waves::trace::Kind;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::lanes::{WithLanes, in_lanes, side_by_side};
use crate::families::wormhole::message::Message;
use crate::families::wormhole::observe::Observer;
use crate::families::wormhole::run::{Traffic, listed};
use crate::families::wormhole::shown::{Shown, Wish};
use crate::families::wormhole::wave::Observed;
use crate::verilog::DUMP;
use crate::verilog::view::by_numbers;
use crate::wave::Tracing;

/// How waves begin the names of a node's wires to a host.
const HOST: &str = "host";

/// Makes it by a run of these messages, of which only the wave is kept.
///
/// # Errors
/// What the machine is refused for; [`Error::Interrupted`].
pub(super) fn view(
    machine: &WormholeMachine,
    messages: &[Message],
    names: &FileNames,
) -> Result<View, Error> {
    let traffic = Traffic::Listed(messages.to_vec());
    let wish = Wish {
        nodes: None,
        message: None,
        window: 0..u64::MAX,
        quiet: true,
    };
    let shown = Shown::of(machine, &traffic, &wish)?;
    let recorded = in_lanes(side_by_side(machine), Recorded(machine, messages, &shown))?;
    let recording = by_exported_names(recorded, machine, &shown.nodes);
    Ok(gtkwave::view_of_verilog(
        DUMP,
        names,
        &recording,
        Links::OfHosts,
    ))
}

/// A run whose wave is recorded and not written.
struct Recorded<'a>(&'a WormholeMachine, &'a [Message], &'a Shown);

impl WithLanes for Recorded<'_> {
    type Output = Result<Recording, Error>;

    fn run<B: WormLanes>(self) -> Self::Output {
        let Recorded(machine, messages, shown) = self;
        let mut engine = Engine::<B>::new(machine.clone(), 1)?;
        let selection = Selection {
            nodes: shown.nodes.clone(),
            window: 0..u64::MAX,
        };
        let probe = Tracing::unkept(DUMP, WormLanes::subject(&Observed(&engine)), selection)?;
        let mut observe = Observer::of(Some(probe), shown.worm, shown.nodes.clone());
        let ran = listed(&mut engine, messages.to_vec(), true, &mut observe)?;
        let recorded = observe.finish(&engine, &ran.outcome)?;
        recorded.ok_or_else(|| Refusal::of("no view").because("nobody looked on").into())
    }
}

/// Nodes go by number there, links by the name of their block; a wire between nodes and hosts has a bit for each switch of a node, which
/// waves call a host each.
fn by_exported_names(
    mut recording: Recording,
    machine: &WormholeMachine,
    nodes: &[usize],
) -> Recording {
    let plan = machine.plan();
    let (topology, switches) = (machine.topology(), plan.switches());
    by_numbers(&mut recording, &topology);
    recording.signals.retain_mut(|signal| {
        let [_, _, wires] = signal.scopes.as_mut_slice() else {
            return true;
        };
        if let Some(link) = plan
            .links
            .iter()
            .find(|link| *wires == link.name.to_string())
        {
            *wires = block(link);
        }
        match wires.strip_prefix("host_") {
            Some("0") => {
                *wires = HOST.to_owned();
                let bits = match signal.name.as_str() {
                    "inject" | "eject" => machine.parameters().wire_bits,
                    _ => 1,
                };
                signal.kind = Kind::Bus {
                    width: switches * bits,
                };
                true
            }
            other => other.is_none(),
        }
    });
    for (place, &node) in nodes.iter().enumerate() {
        if topology.node_name(node) != node.to_string() {
            recording.entitle(place, &format!("node[{node}]"));
        }
    }
    recording
}
