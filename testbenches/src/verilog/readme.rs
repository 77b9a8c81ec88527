//! The `README.md` of a project.

use rtl_model::verilog::Design;

use crate::verilog::{Subject, commands};

pub(super) fn text(subject: &Subject<'_>, design: &Design) -> String {
    let [compile, run] = commands();
    let fields = |ports: &[(String, usize)]| {
        let rows: Vec<String> = ports
            .iter()
            .map(|(name, width)| format!("`{name}` ({width} a node)"))
            .collect();
        rows.join(", ")
    };
    format!(
        "# {bench}: {nodes} routers as Verilog\n\n\
         {title}\n\n\
         ```sh\n{compile}\n{run}\n```\n\n\
         prints PASS, and exits with status 0, if every node ends up with what the traffic says, in the\n\
         {bit_times} bit times of {formula}; else FAIL, with status 1. `{run} +vcd` writes `tb.vcd` as well:\n\
         one bit time is 1 ns, the first is the reset, so bit time 0 begins at 1 ns.\n\n\
         | file | what it is |\n|---|---|\n\
         | `node.v` | a node; its address is a parameter. {storage} flip-flops |\n\
         | `sequencer.v` | what steers all nodes alike: counters and decode. {sequencer} flip-flops |\n\
         | `cube.v` | the sequencer, {nodes} nodes, and the wires: one each way for each of {dims} dimensions |\n\
         | `tb.v` | the testbench; the other files are synthesizable |\n\
         | `traffic.hex`, `expected.hex` | what it loads and what it expects, a line a node |\n\n\
         Verilog-2005; one clock, synchronous reset. The host writes while `reset` is 1: {writes}. It reads\n\
         once `done` is 1: {reads}. Node `n` has bits `n * width` and up of each port. For another routing,\n\
         reset again.\n\n\
         A register is called as in a waveform of cubewave, with `_` for the dots: `a.dim_2.b` is `a_dim_2_b`.\n\n\
         ```sh\n\
         verilator --lint-only -Wall --top-module cube cube.v node.v sequencer.v\n\
         yosys -p 'read_verilog node.v; chparam -set ADDRESS {last} node; synth -flatten -top node; stat'\n\
         ```\n\n\
         The second counts the flip-flops. In nodes whose address has zeros some of them never leave their\n\
         first value, and tools drop those; node {last} keeps all.\n",
        bench = subject.bench.name(),
        nodes = subject.nodes,
        title = subject.title(),
        bit_times = subject.bit_times.value,
        formula = subject.bit_times.text,
        storage = subject.storage.total,
        sequencer = subject.sequencer.total,
        dims = subject.dims,
        writes = fields(&design.host_writes),
        reads = fields(&design.host_reads),
        last = subject.nodes - 1,
    )
}
