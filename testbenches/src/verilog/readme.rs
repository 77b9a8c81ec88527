//! The `README.md` of a project.

use rtl_model::circuit::depth::{LogicDepth, Step};

use crate::report::Formula;
use crate::verilog::begun::PROPERTIES_FILE;
use crate::verilog::contents::{Contents, End};
use crate::verilog::testbench::in_each;
use crate::verilog::{Begun, DUMP, commands};

/// What people are told of one kind of machine.
#[derive(Default)]
pub(crate) struct Readme {
    /// When PASS is printed, but for bit times of a sequencer.
    pub passes_if: String,
    /// Why FAIL is, in any case: a deadlock.
    pub deadlock: Option<String>,
    /// Behind the waves of the view: which ones it shows.
    pub view_of: &'static str,
    /// What its sequencer has beside counters and decode.
    pub sequencer: &'static str,
    /// What wires there are.
    pub wires: String,
    /// What the bits of a node on a port are, if it is not plain.
    pub bits: String,
    /// How its ports are used, a point of a list each.
    pub rules: String,
    /// A wire of one node that another's block refers to.
    pub wire: String,
    /// Behind how many flip-flops a node has: which ones tools drop.
    pub dropped: String,
}

/// The whole file.
pub(crate) fn text(begun: &Begun<'_>, contents: &Contents) -> String {
    let hardware = &contents.hardware;
    let [compile, run] = &commands(&hardware.design);
    format!(
        "# {bench}: {nodes} nodes as Verilog\n\n{title}\n\n```sh\n{compile}\n{run}\n```\n\n\
         {outcome} It needs Icarus Verilog.\n\
         {waves}\n\
         One bit time is 1 ns. The first nanosecond is the reset, so everything is 1 ns later than in a waveform\n\
         of `cubewave run`{of_first}. A register is called as there, with `_` for the dots: `a.dim_2.b` is `a_dim_2_b`.\n\n\
         {files}\
         {rounds}\
         {using}\
         {longest_path}\n\
         {other_tools}",
        bench = begun.identity.name,
        nodes = hardware.nodes,
        title = begun.title(),
        outcome = outcome(contents),
        waves = waves(contents, run),
        of_first = of_first(&contents.rounds),
        files = files(begun, contents),
        rounds = rounds(&contents.rounds),
        using = using(contents),
        longest_path = longest_path(&hardware.depth, &hardware.end),
        other_tools = other_tools(contents),
    )
}

/// What the run prints.
fn outcome(contents: &Contents) -> String {
    let Readme {
        passes_if,
        deadlock,
        ..
    } = &contents.readme;
    if let Some(since) = deadlock {
        return format!("prints FAIL with the word deadlock, and exits with status 1: {since}");
    }
    let exactly = match &contents.hardware.end {
        End::Seen { .. } => String::new(),
        End::Sequenced(Formula { value, text }) => {
            let in_each = in_each(contents.rounds.len());
            format!(" in exactly\n{value} bit times ({text}){in_each}")
        }
    };
    format!(
        "prints PASS, and exits with status 0, if {passes_if}{exactly}; else FAIL, with status 1."
    )
}

/// How waves are looked at.
fn waves(contents: &Contents, run: &str) -> String {
    match &contents.view {
        None => format!("`{run} +vcd` writes the waves to `{DUMP}`, without a view.\n"),
        Some((names, _)) => format!(
            "For waves{}{}, in GTKWave or Surfer:\n\n\
             ```sh\n{run} +vcd\ngtkwave {DUMP} {}\nsurfer {DUMP} -c {}\n```\n",
            contents.readme.view_of,
            of_first(&contents.rounds),
            names.save,
            names.surfer,
        ),
    }
}

/// The table of files.
fn files(begun: &Begun<'_>, contents: &Contents) -> String {
    let (hardware, readme) = (&contents.hardware, &contents.readme);
    let name = hardware.design.name;
    let of_first = of_first(&contents.rounds);
    let [sequencer, steered, modules] = match hardware.flip_flops.sequencer {
        None => [String::new(), String::new(), "two".to_owned()],
        Some(bits) => [
            format!(
                "| `sequencer.v` | what steers all nodes alike: counters and decode{}. {bits} flip-flops |\n",
                readme.sequencer
            ),
            "the sequencer, ".to_owned(),
            "three".to_owned(),
        ],
    };
    let memories = contents.memories.iter();
    let memories = memories.map(|memory| format!("| `{}` | {} |\n", memory.file(), memory.holds));
    let properties = contents.properties.as_ref().map(|_| {
        format!(
            "| `{PROPERTIES_FILE}` | what the machine promises, as SystemVerilog assertions: top module `properties` |\n"
        )
    });
    let view = contents.view.as_ref().map(|(names, view)| {
        let filter = match view.step_filter.is_empty() {
            true => String::new(),
            false => format!(", `{}`", names.step_filter),
        };
        format!(
            "| `{}`{filter} | the view of `{DUMP}`{of_first}; other nodes are in the dump too |\n\
             | `{}` | the same for Surfer |\n",
            names.save, names.surfer
        )
    });
    format!(
        "| file | what it is |\n|---|---|\n\
         | `node.v` | a node; its address is a parameter. {} flip-flops |\n\
         {sequencer}\
         | `{name}.v` | {steered}{} nodes, and the wires: {} |\n\
         | `tb.v` | the testbench; not for synthesis, the {modules} above are |\n\
         | `{}` | the same traffic{of_first}, {} |\n\
         {}{}{}\
         | `meta.json` | where this project comes from, for scripts: version, command, seed, platform, date |\n\n",
        hardware.flip_flops.node,
        hardware.nodes,
        readme.wires,
        begun.first_round().file,
        begun.first_round_again(),
        memories.collect::<String>(),
        properties.unwrap_or_default(),
        view.unwrap_or_default(),
    )
}

/// Behind what is of the first round only, if there are several.
fn of_first(rounds: &[String]) -> &'static str {
    match rounds {
        [_] => "",
        _ => ", of round 1",
    }
}

/// The section on the rounds, if there are several.
fn rounds(rounds: &[String]) -> String {
    if rounds.len() == 1 {
        return String::new();
    }
    let rows = rounds.iter().enumerate();
    let rows: String = rows
        .map(|(round, name)| format!("| {} | {name} |\n", round + 1))
        .collect();
    format!(
        "## The rounds\n\n\
         One traffic leaves parts of a router idle, and a fault there unseen. So `tb.v` runs several, one after the other,\n\
         each after a reset, and ends with the first that is not as it should be.\n\n\
         | round | what it sends |\n|--:|---|\n\
         {rows}\n"
    )
}

/// The section on the module that joins the nodes: its ports, and what is to be done with them.
fn using(contents: &Contents) -> String {
    let (design, readme) = (&contents.hardware.design, &contents.readme);
    let ports = ["input", "output"].into_iter().zip(design.ports());
    let rows = ports.flat_map(|(direction, ports)| {
        let row = move |(name, width)| format!("| `{name}` | {direction} | {width} |\n");
        ports.into_iter().map(row)
    });
    let loaded = match design.host_writes.is_empty() {
        true => "",
        false => {
            ", with what the nodes are to begin with on the `load_` ports:\n  \
             what stands there at the last such edge counts"
        }
    };
    let done = match &contents.hardware.end {
        End::Seen { .. } => String::new(),
        End::Sequenced(form) => {
            let stays = match design.host_reads.is_empty() {
                true => ", and stays",
                false => "; it and the `unload_` ports stay",
            };
            format!(
                "- {} edges later `done` rises{stays} until the next edge with `reset`.\n  \
                 So a host that begins anew looks at `done` only after that edge.\n",
                form.value
            )
        }
    };
    format!(
        "## Using `{name}`\n\n\
         Verilog-2005, one clock `clk`, rising edge; `reset` is synchronous. Node `n` has its bits of a port at\n\
         `port[n * bits +: bits]`.{bits}\n\n\
         | port | direction | bits a node |\n|---|---|--:|\n\
         {rows}\n\
         - Hold `reset` at 1 for at least one edge{loaded}. It may come at any time.\n\
         {done}\
         {rules}\n",
        name = design.name,
        bits = readme.bits,
        rows = rows.collect::<String>(),
        rules = readme.rules,
    )
}

/// The section on the longest path, and what parts of the machine have of it.
fn longest_path(depth: &LogicDepth, end: &End) -> String {
    let parts = match end {
        End::Seen { .. } => String::new(),
        End::Sequenced(_) => format!(
            "{} would be left if strobes came\n\
             straight from flip-flops, and {} are in the sequencer alone. ",
            depth.node, depth.sequencer
        ),
    };
    let row = |step: &Step| {
        let module = step.module.name();
        format!("| {} | {module} | `{}` |\n", step.gates, step.name)
    };
    format!(
        "## The longest path\n\n\
         From register to register there are at most {} gates: AND, OR and XOR of two inputs and muxes, clock\n\
         enables among them; inverters and the reset are not counted. {parts}With the gates up to each place, this is\n\
         such a path, by the names that are on it (`a_2` in the Verilog is `a`, where another had that name first):\n\n\
         | gates | module | name |\n|--:|---|---|\n\
         {}",
        depth.total,
        depth.path.iter().map(row).collect::<String>(),
    )
}

/// What other tools are asked for: the lint of the machine, and the synthesis of its last node, whose address has most ones.
fn other_tools(contents: &Contents) -> String {
    let (hardware, readme) = (&contents.hardware, &contents.readme);
    let name = hardware.design.name;
    let files = hardware.design.files().into_iter().map(|(file, _)| file);
    let synthesis = |command: &str| {
        format!(
            "yosys -p 'read_verilog node.v; chparam -set ADDRESS {} node; {command} -flatten -top node; stat'\n",
            hardware.address
        )
    };
    format!(
        "## Other tools\n\n\
         ```sh\nverilator --lint-only -Wall --top-module {name} {}\n{}{}```\n\n\
         `{name}.v` refers to wires of one node from another's block (`{}`), which these tools take.\n\
         Rows of `stat` with DFF in their name are flip-flops: {} together{}\n",
        files.collect::<Vec<_>>().join(" "),
        synthesis("synth"),
        synthesis("synth_ice40"),
        readme.wire,
        hardware.flip_flops.node,
        readme.dropped,
    )
}
