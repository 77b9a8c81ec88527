//! What the `README.md` of a project says of a machine whose hosts send and take worms.

use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::verilog::block;

use crate::families::wormhole::verilog::Round;
use crate::verilog::readme::Readme;

/// Of these rounds, where all worms of the first arrive, or block each other.
pub(super) fn of(machine: &WormholeMachine, completes: bool, rounds: &[Round]) -> Readme {
    let bit_times = rounds[0].bit_times;
    let further = match rounds {
        [_] => "",
        _ => ", and those of the further rounds in theirs",
    };
    let deadlock =
        format!("from bit time {bit_times} on nothing moves, since worms\nwait for each other.");
    let (wire_bits, switches) = (machine.parameters().wire_bits, machine.network().switches());
    let mut bits = match switches {
        1 => String::new(),
        _ => format!(" Those of its {switches} switches stand side by side, the first one lowest."),
    };
    let unit = match wire_bits {
        1 => "bit",
        _ => {
            bits += &format!(
                " Of `inject` and\n`eject` they are {wire_bits}, a flit: bit i of a body is bit i mod {wire_bits} of its flit; what a\n\
                 node reads of a header begins with a flit, and 0 fill each."
            );
            "flit"
        }
    };
    let tables = match machine.network() {
        Network::TableRouted(_) => "- While `reset` is 1 each node takes its routing table.\n",
        _ => "",
    };
    let rules = format!(
        "- A worm is a header, then a body. It goes in a {unit} a clock cycle at the most: `inject` with `inject_valid`, and\n  \
         `inject_tail` with its last {unit}. Only the body comes out, in the same way.\n\
         - A host may have sent {buffer_bits} {unit}s more than `inject_credit` has given back, and begins a worm only when all\n  \
         are given back. Nothing in the node checks that.\n\
         - A host takes every {unit} that comes out.\n\
         {tables}\
         - From ports and `rx` to `tx` of a node there is no path within a bit time.\n",
        buffer_bits = machine.parameters().buffer_bits,
    );
    let link = machine.plan().links.first().map_or_else(String::new, block);
    Readme {
        passes_if: format!(
            "every worm's body arrives bit by bit as it was sent, the last one\n\
             in exactly {bit_times} bit times, as simulated{further}"
        ),
        deadlock: (!completes).then_some(deadlock),
        view_of: " of the nodes on the route of one worm",
        wires: "those of their links".to_owned(),
        bits,
        rules,
        wire: format!("node[i].{link}.tx"),
        dropped: ". At an address some may never\n\
                  change or never be read, and tools drop them."
            .to_owned(),
        ..Readme::default()
    }
}
