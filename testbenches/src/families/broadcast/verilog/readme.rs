//! The `README.md` of a project.

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::device::Device;

use crate::families::broadcast::BENCH;
use crate::families::broadcast::verilog::{FILES, Subject};
use crate::report::counted;
use crate::verilog::readme::{
    META_ROW, longest_path, of_first, of_parts, opening, other_tools, port_rows, rounds,
};
use crate::verilog::{commands, testbench};

pub(super) fn text(subject: &Subject<'_>, design: &Design) -> String {
    let commands = commands(&FILES);
    let [_, run] = &commands;
    let (broadcast, wires) = (subject.broadcast(), subject.machine.wires());
    let nodes = broadcast.cube.nodes();
    let form = subject.machine.bit_times();
    let configuration = match subject.is_configured() {
        true => {
            "| `configuration.hex` | each node's place in the tree, for the other `load_` ports: a line a node |\n"
        }
        false => "",
    };
    let configured = match subject.is_configured() {
        true => {
            "- The other `load_` ports are each node's place in the tree: the ports of its parent and its children, one bit a\n  \
             port, and from which step on it sends. No rule in the node gives them.\n"
        }
        false => "",
    };
    format!(
        "{opening}\
         prints PASS, and exits with status 0, if every node but the source gets every bit of the message once, no node has\n\
         more ports busy than may be ({allows}), and all is over in exactly\n\
         {bit_times} bit times ({formula}){in_each}; else FAIL, with status 1. It needs Icarus Verilog.\n\
         `{run} +vcd` writes the waves to `tb.vcd`, without a GTKWave view.\n\n\
         One bit time is 1 ns. The first nanosecond is the reset, so everything is 1 ns later than in `cubewave run`.\n\
         A register is called as there, with `_` for the dots.\n\n\
         | file | what it is |\n|---|---|\n\
         | `node.v` | a node; its address is a parameter. {storage} flip-flops |\n\
         | `sequencer.v` | what steers all nodes alike: counters and decode, and the address of the source. {sequencer} flip-flops |\n\
         | `cube.v` | the sequencer, {nodes} nodes, and the wires: one each way for each of {dims} dimensions |\n\
         | `tb.v` | hosts, and what is expected of them; not for synthesis, the three above are |\n\
         | `traffic.hex` | the message of the source, {message_bits} bits{and_round} |\n\
         | `expected.hex` | what every other node is to have, {packets} packets of {packet_bits} bits{and_round} |\n\
         {configuration}\
         | `values.csv` | the message{of_first}, for `{again} --values values.csv` |\n\
         {META_ROW}\n\
         {rounds}\
         ## Using `cube`\n\n\
         Verilog-2005, one clock `clk`, rising edge; `reset` is synchronous: hold it at 1 for at least one edge, at any time,\n\
         with what the nodes are to begin with on the `load_` ports. {bit_times} edges later `done` rises, and stays until the\n\
         next edge with `reset`. Node `n` has its bits of a port at `port[n * bits +: bits]`.\n\n\
         | port | direction | bits a node |\n|---|---|--:|\n\
         {ports}\n\
         - A routing step takes {step} bit times: a start-up of {start_up}, then the {packet_bits} bits of a packet. A channel is\n  \
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
         - From `rx` and `host_supply` to `tx` and the host's ports there is no path within a bit time.\n\n\
         {longest_path}\n\
         {other_tools}\
         Rows of `stat` with DFF in their name are flip-flops: {storage} together, less those that nothing reads, which\n\
         tools drop. In the sequencer they drop the address of the source as well, since nothing writes it after the reset.\n",
        opening = opening(BENCH.name, nodes, subject.title, &commands),
        allows = broadcast.ports.allows(),
        bit_times = form.value,
        formula = form.text,
        in_each = testbench::in_each(subject.rounds.len()),
        storage = subject.storage.total,
        sequencer = subject.sequencer.total,
        dims = wires.dimensions,
        message_bits = subject.message_bits,
        packets = broadcast.packets,
        packet_bits = broadcast.packet_bits,
        and_round = match subject.rounds.len() {
            1 => String::new(),
            _ => ", a line a round".to_owned(),
        },
        of_first = of_first(subject.rounds),
        again = subject.command.replacen("verilog", "run", 1),
        rounds = rounds(subject.rounds),
        ports = port_rows(&design.host_writes, "input")
            + &port_rows(&design.from_host, "input")
            + &port_rows(&design.to_host, "output"),
        step = broadcast.step_bit_times(),
        start_up = broadcast.start_up,
        channels = counted(wires.channels, "channel"),
        trees = wires.trees,
        longest_path = longest_path(&subject.depth, &of_parts(&subject.depth)),
        other_tools = other_tools("cube", &["cube.v", "node.v", "sequencer.v"], nodes - 1),
    )
}
