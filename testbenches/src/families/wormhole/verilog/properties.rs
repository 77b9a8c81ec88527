//! What a machine of wormhole routers promises, as SystemVerilog assertions: of every run, however long, whatever hosts send as
//! long as they count their credits.
//!
//! ```text
//!   credits in the node that sends + flits in the buffer that they are for = its places
//! ```
//!
//! A flit is in the buffer a bit time after it was sent, and so is a credit back in its count: none is in flight between two.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::iter::once;

use rtl_model::circuit::verilog::Design;
use rtl_model::circuit::verilog::properties::{Stated, begin, joined_by_yosys};
use rtl_model::machine::router::Machine as _;
use rtl_model::machine::topology::Topology as _;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::{ChannelPlan, End, LinkPlan, Port};
use rtl_model::routers::wormhole::verilog::design;

/// A buffer, and the credits for it, in Verilog; of each node.
struct Channel {
    name: String,
    nodes: Vec<Ends>,
}

/// Both ends of a channel that leads to a node.
struct Ends {
    /// Where there are flits in the buffer, by its places.
    held: String,
    /// The credits, in unary.
    credits: String,
    /// Whether a flit arrives.
    arrives: String,
    /// Whether one leaves, and a credit goes back.
    leaves: String,
}

/// Why a machine promises nothing.
pub(super) const WHY_NONE: &str = "its nodes have several switches, or relays, and which of them a channel leads to depends on the node";

/// The file, whose head has this title. None of a machine whose nodes have several switches, or relays: which of them sends over a
/// channel depends on the level there.
pub(super) fn text(machine: &WormholeMachine, title: &str) -> Option<String> {
    let plan = machine.plan();
    if plan.switches() > 1 || !plan.relays.is_empty() {
        return None;
    }
    let design = design(machine, title);
    let links = plan.links.iter().flat_map(|link| {
        let channels = link.channels.iter().enumerate();
        channels.map(|(number, channel)| of_link(machine, design.name, (link, number), channel))
    });
    let channels: Option<Vec<Channel>> = once(of_host(machine, design.name)).chain(links).collect();
    Some(written(machine, &design, &channels?, title))
}

/// A signal inside of a node.
fn inside(machine: &str, node: usize, name: &str) -> String {
    format!("{machine}.node[{node}].{name}")
}

/// The channel from a host to its node.
fn of_host(machine: &WormholeMachine, name: &str) -> Option<Channel> {
    let places = machine.plan().buffer_bits;
    let input = machine.plan().switch.inputs.first()?.name;
    let nodes = (0..machine.network().nodes()).map(|node| Ends {
        held: inside(name, node, &format!("router.{input}_buffer_held")),
        credits: format!("host_credits[{node} * {places} +: {places}]"),
        arrives: format!("inject_valid[{node}]"),
        leaves: format!("inject_credit[{node}]"),
    });
    Some(Channel {
        name: input.to_string(),
        nodes: nodes.collect(),
    })
}

/// A channel of a link, by its number there. None if what is at its ends depends on where a node stands.
fn of_link(
    machine: &WormholeMachine,
    name: &str,
    (link, number): (&LinkPlan, usize),
    channel: &ChannelPlan,
) -> Option<Channel> {
    let (plan, topology) = (machine.plan(), machine.topology());
    let output = &plan.switch.outputs.get(lone(&channel.senders)?)?.name;
    let input = &plan.switch.inputs.get(lone(&channel.receivers)?)?.name;
    let wires = &link.wires;
    let nodes = (0..machine.network().nodes()).map(|node| {
        if !topology.is_there(node, wires.valid) {
            return Ends::of_none(plan.buffer_bits);
        }
        let from = topology.sender(node, wires.valid);
        let received = inside(name, node, "received");
        let selected = wires.channel.clone().enumerate().map(|(bit, wire)| {
            let inverted = if number >> bit & 1 == 1 { "" } else { "!" };
            format!(" && {inverted}{received}[{wire}]")
        });
        Ends {
            held: inside(name, node, &format!("router.{input}_buffer_held")),
            credits: inside(name, from, &format!("router.{output}_credits")),
            arrives: format!(
                "{received}[{}]{}",
                wires.valid,
                selected.collect::<String>()
            ),
            leaves: format!(
                "{}[{}]",
                inside(name, node, "sent"),
                wires.credits.start + number
            ),
        }
    });
    Some(Channel {
        name: input.to_string(),
        nodes: nodes.collect(),
    })
}

/// The number of the switch's channel that is at an end of a link in every node.
fn lone(ports: &[Port]) -> Option<usize> {
    match ports {
        [
            Port {
                end: End::Switch { channel, .. },
                at: None,
            },
        ] => Some(*channel),
        _ => None,
    }
}

impl Ends {
    /// Where a network has no link: nothing happens.
    fn of_none(places: usize) -> Self {
        Ends {
            held: format!("{places}'d0"),
            credits: format!("~{places}'d0"),
            arrives: "1'b0".to_owned(),
            leaves: "1'b0".to_owned(),
        }
    }
}

/// The arbiters of a node, each with the number of its grants: they go by the names that it gives them. Of one requester there
/// is nothing to say.
fn arbiters(design: &Design) -> BTreeMap<&str, usize> {
    let wires = design.node.lines();
    let wires = wires.filter_map(|line| line.trim_start().strip_prefix("wire "));
    let grants = wires.filter_map(|wire| {
        let (arbiter, number) = wire.split(' ').next()?.rsplit_once("_grant_")?;
        number.parse::<usize>().ok().map(|_| arbiter)
    });
    let mut arbiters = BTreeMap::new();
    grants.for_each(|arbiter| *arbiters.entry(arbiter).or_default() += 1);
    arbiters.retain(|_, grants| *grants > 1);
    arbiters
}

fn written(
    machine: &WormholeMachine,
    design: &Design,
    channels: &[Channel],
    title: &str,
) -> String {
    let places = machine.plan().buffer_bits;
    let arbiters = arbiters(design);
    let notes = format!(
        "What module `{}` promises, whatever worms hosts send: for tools that prove SystemVerilog assertions.\n\
         The top module is `properties`. Assertions are called buffers_, credits_ and arbiters_, by what they are of.\n\
         {title}",
        design.name
    );
    let (mut signals, mut asserted) = (String::new(), String::new());
    for channel in channels {
        signals += &channel.text(places);
        let name = &channel.name;
        let _ = write!(
            asserted,
            "      buffers_{name}: assert (&{name}_has_room);\n\
             \x20     credits_{name}: assert (&{name}_adds_up);\n"
        );
    }
    for (name, grants) in &arbiters {
        signals += &of_arbiter(machine, design.name, (name, *grants));
        let _ = writeln!(
            asserted,
            "      arbiters_{name}: assert (&{name}_grants_one);"
        );
    }
    format!(
        "{}{}{}{signals}\
         \x20 always @(posedge clk) begin\n\
         \x20   if (!reset) begin\n\
         \x20     hosts_count: assume (&(host_has_credit | ~inject_valid));\n\
         {asserted}\
         \x20   end\n\
         \x20 end\n\
         endmodule\n",
        begin(
            &notes,
            (design.name, design.ports(), false),
            machine.network().nodes(),
            &Stated::default()
        ),
        hosts(machine),
        signals_inside(machine, design, &arbiters),
    )
}

/// What hosts count.
fn hosts(machine: &WormholeMachine) -> String {
    let (nodes, places) = (machine.network().nodes(), machine.plan().buffer_bits);
    format!(
        "  // Each host's credits, in unary.\n\
         \x20 wire [{all}:0] host_credits;\n\
         \x20 wire [{last}:0] host_has_credit;\n\
         \x20 genvar n;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < {nodes}; n = n + 1) begin : host\n\
         \x20     reg [{top}:0] credits;\n\
         \x20     always @(posedge clk) begin\n\
         \x20       if (reset) begin\n\
         \x20         credits <= ~{places}'d0;\n\
         \x20       end else if (inject_valid[n] && !inject_credit[n]) begin\n\
         \x20         credits <= credits >> 1;\n\
         \x20       end else if (!inject_valid[n] && inject_credit[n]) begin\n\
         \x20         credits <= (credits << 1) | {places}'d1;\n\
         \x20       end\n\
         \x20     end\n\
         \x20     assign host_credits[n * {places} +: {places}] = credits;\n\
         \x20     assign host_has_credit[n] = credits[0];\n\
         \x20   end\n\
         \x20 endgenerate\n\n",
        all = nodes * places - 1,
        last = nodes - 1,
        top = places - 1,
    )
}

/// The signals inside of nodes, as Yosys is to know them.
fn signals_inside(
    machine: &WormholeMachine,
    design: &Design,
    arbiters: &BTreeMap<&str, usize>,
) -> String {
    let (plan, name) = (machine.plan(), design.name);
    let places = plan.buffer_bits;
    let wires = ["sent", "received"].map(|wires| (wires.to_owned(), plan.link_wires()));
    let held = plan.switch.inputs.iter();
    let held = held.map(|input| (format!("router.{}_buffer_held", input.name), places));
    let credits = plan.switch.outputs.iter().filter(|output| !output.to_host);
    let credits = credits.map(|output| (format!("router.{}_credits", output.name), places));
    let grants = arbiters.iter().flat_map(|(arbiter, grants)| {
        (0..*grants).map(move |grant| (format!("router.{arbiter}_grant_{grant}"), 1))
    });
    let signals = wires.into_iter().chain(held).chain(credits).chain(grants);
    let signals: Vec<(String, usize)> = signals.collect();
    let nodes = 0..machine.network().nodes();
    joined_by_yosys(nodes.flat_map(|node| {
        let signals = signals.iter();
        signals
            .map(move |(signal, width)| (inside(name, node, signal), format!("[{}:0] ", width - 1)))
    }))
}

impl Channel {
    /// That a flit finds a place, and that credits and flits add up to all places. Flits lie without a gap.
    fn text(&self, places: usize) -> String {
        let (name, nodes) = (&self.name, self.nodes.len());
        let (all, last) = (nodes * places - 1, nodes - 1);
        let mut text = format!(
            "  wire [{all}:0] {name}_held;\n\
             \x20 wire [{all}:0] {name}_credits;\n\
             \x20 wire [{last}:0] {name}_arrives;\n\
             \x20 wire [{last}:0] {name}_leaves;\n"
        );
        for (node, ends) in self.nodes.iter().enumerate() {
            let bits = format!("[{} +: {places}]", node * places);
            let _ = write!(
                text,
                "  assign {name}_held{bits} = {};\n\
                 \x20 assign {name}_credits{bits} = {};\n\
                 \x20 assign {name}_arrives[{node}] = {};\n\
                 \x20 assign {name}_leaves[{node}] = {};\n",
                ends.held, ends.credits, ends.arrives, ends.leaves,
            );
        }
        let free: Vec<String> = (0..places).map(|place| format!("held[{place}]")).collect();
        let _ = write!(
            text,
            "  wire [{last}:0] {name}_has_room;\n\
             \x20 wire [{last}:0] {name}_adds_up;\n\
             \x20 generate\n\
             \x20   for (n = 0; n < {nodes}; n = n + 1) begin : of_{name}\n\
             \x20     wire [{top}:0] held = {name}_held[n * {places} +: {places}];\n\
             \x20     wire [{top}:0] credits = {name}_credits[n * {places} +: {places}];\n\
             \x20     assign {name}_has_room[n] = !({name}_arrives[n] && held[{top}] && !{name}_leaves[n]);\n\
             \x20     // in unary, the credits are the free places, the last one first\n\
             \x20     assign {name}_adds_up[n] = credits == ~{{{}}} && (held & (held + {places}'d1)) == {places}'d0;\n\
             \x20   end\n\
             \x20 endgenerate\n\n",
            free.join(", "),
            top = places - 1,
        );
        text
    }
}

/// That an arbiter grants to one at the most.
fn of_arbiter(machine: &WormholeMachine, module: &str, (name, grants): (&str, usize)) -> String {
    let nodes = machine.network().nodes();
    let mut text = format!("  wire [{}:0] {name}_grants_one;\n", nodes - 1);
    for node in 0..nodes {
        let of = (0..grants).rev();
        let of = of.map(|grant| inside(module, node, &format!("router.{name}_grant_{grant}")));
        let _ = write!(
            text,
            "  wire [{}:0] {name}_grants_{node} = {{\n    {}\n  }};\n\
             \x20 assign {name}_grants_one[{node}] = ({name}_grants_{node} & ({name}_grants_{node} - {grants}'d1)) == {grants}'d0;\n",
            grants - 1,
            of.collect::<Vec<_>>().join(",\n    "),
        );
    }
    text + "\n"
}
