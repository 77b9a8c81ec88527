//! What the `README.md` of a project says of a machine with hosts that supply and take bits.

use crate::families::broadcast::job::Job;
use crate::report::counted;
use crate::verilog::readme::Readme;

/// `is_configured` is whether hosts tell nodes their places in a tree.
pub(super) fn of(job: &Job, is_configured: bool) -> Readme {
    let (broadcast, wires) = (&job.asked.broadcast, job.machine.wires());
    let configured = match is_configured {
        true => {
            "- The other `load_` ports are each node's place in the tree: the ports of its parent and its children, one bit a\n  \
             port, and from which step on it sends. No rule in the node gives them.\n"
        }
        false => "",
    };
    let rules = format!(
        "- A routing step takes {step} bit times: a start-up of {start_up}, then the {packet_bits} bits of a packet. A channel is\n  \
         what can come to a node, or leave the source, in one bit time; a node has {channels}. Packet\n  \
         `group * {trees} + tree` is one of {packets}.\n\
         - In the first bit time of a step a node tells its host which packet is going to come on each channel (`host_group`,\n  \
         `host_tree`), and which of its ports send and receive in this step; `host_violation` is 1 if those are too many. In\n  \
         other bit times these ports are 0.\n\
         - Where `host_take` is 1, `host_bit` is the next bit of that packet. The last one of a step comes in the bit time\n  \
         after it, so the last one of all while `done` is 1.\n\
         - Where `host_ask` is 1, which is at the source alone, the host answers in the same bit time: on `host_supply` is\n  \
         the bit of packet `host_ask_group * {trees} + (channel + host_ask_rotation) mod {trees}` that the source sends next,\n  \
         the first one if `host_ask_first` is 1, else the one after that asked for before. Where there is no\n  \
         such packet, any bit.\n\
         - The first bit of each channel's first packet is on `load_supply` during the reset.\n\
         {configured}\
         - From `rx` and `host_supply` to `tx` and the host's ports there is no path within a bit time.\n",
        packets = broadcast.packets,
        packet_bits = broadcast.packet_bits,
        step = broadcast.step_bit_times(),
        start_up = broadcast.start_up,
        channels = counted(wires.channels, "channel"),
        trees = wires.trees,
    );
    Readme {
        passes_if: format!(
            "every node but the source gets every bit of the message once, no node has\n\
             more ports busy than may be ({}), and all is over",
            broadcast.ports.allows()
        ),
        sequencer: ", and the address of the source",
        wires: format!("one each way for each of {} dimensions", wires.dimensions),
        rules,
        wire: "node[i].sent".to_owned(),
        dropped: ", less those that nothing reads, which\n\
                  tools drop. In the sequencer they drop the address of the source as well, since nothing writes it after the reset."
            .to_owned(),
        ..Readme::default()
    }
}
