//! A machine of wormhole routers as a Verilog project: nodes and what joins them, and a testbench whose hosts send and
//! take worms bit by bit.
//!
//! ```text
//!   tb.v ( hosts )  <--inject, eject-->  ccc.v, cube.v, ... ( node.v x N )
//!    ^ traffic.hex: the worms                    | bodies
//!    +-- expected.hex: who is to get which  <----+
//! ```

mod readme;
mod rounds;
mod stimulus;
mod testbench;
mod view;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine as _;
use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::pieces::Pieces;
use rtl_model::routers::wormhole::space::Space;
use rtl_model::routers::wormhole::verilog::NetworkDesign;

use waves::gtkwave::FileNames;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::wormhole::BENCH;
use crate::families::wormhole::job::Job;
use crate::families::wormhole::report::Worms;
use crate::families::wormhole::run;
use crate::families::wormhole::traffic;
use crate::report::{Report, value};
use crate::testbench::bench::RunOptions;
use crate::verilog::rounds::{FIRST_ROUND, of_rounds};
use crate::verilog::{Begun, FlipFlops, OfMachine, Project, WIDEST_VECTOR, commands, unreasonable};
use stimulus::Sent;

/// The most switches that are written, all nodes together.
pub const MOST_SWITCHES: usize = 2048;
/// The most bits of all routing tables together.
pub const MOST_TABLE_BITS: usize = 1 << 19;
/// The most bits of all lines of `traffic.hex` together.
pub const MOST_TRAFFIC_BITS: usize = 1 << 24;
/// The latest time of a message: integers of Verilog have 32 bits, and some bit times go by after it.
pub const MOST_BIT_TIMES: u64 = 1 << 30;

/// A round of the testbench.
struct Round {
    /// What it sends, for people.
    name: String,
    /// The worms.
    sent: Vec<Sent>,
    /// Until the last worm has arrived, or until nothing moves any more.
    bit_times: u64,
}

/// What the texts of a project speak of.
struct Subject<'a> {
    machine: &'a WormholeMachine,
    /// The head of its files, and the command that makes the machine again.
    title: &'a str,
    command: &'a str,
    view: &'a FileNames,
    report: &'a Report,
    rounds: &'a [Round],
    storage: usize,
    depth: LogicDepth,
}

impl Subject<'_> {
    /// Switches of a node.
    fn switches(&self) -> usize {
        self.machine.network().switches()
    }

    fn nodes(&self) -> usize {
        self.machine.network().nodes()
    }

    /// All worms arrive.
    fn completes(&self) -> bool {
        self.report.delivered == self.report.messages
    }

    /// Of the first round.
    fn bit_times(&self) -> u64 {
        until(self.report)
    }
}

/// Until the last worm has arrived, or until nothing moves any more.
fn until(report: &Report) -> u64 {
    let worms: Option<&Worms> = report.family.details();
    let standstill = worms.and_then(|worms| worms.deadlock.as_ref());
    standstill.map_or(report.bit_times, |deadlock| deadlock.bit_time)
}

/// Writes the project of a job, after a run of the same machine and traffic.
///
/// # Errors
/// A project that would be unreasonably large; files that cannot be used; a folder that cannot be written after all.
pub(super) fn write(job: &Job, mut begun: Begun<'_>) -> Result<Project, Error> {
    let (chosen, machine, message_bits) = (&job.chosen, &job.machine, job.message_bits);
    let (nodes, switches) = (machine.network().nodes(), machine.network().switches());
    if nodes * switches > MOST_SWITCHES {
        let all = nodes * switches;
        let others = match machine.network().joined() {
            _ if switches > 1 => " or --copies",
            Joined::Space(Space::Grid(_)) => " or a smaller --radix",
            _ => "",
        };
        return Err(unreasonable(format!("{nodes} nodes"))
            .because(format!(
                "a Verilog simulator builds every switch from its gates, {all} all together, and {MOST_SWITCHES} are the most"
            ))
            .instead(format!("use fewer --dims{others} (`cubewave run` goes further)"))
            .into());
    }
    if let Network::TableRouted(routed) = machine.network() {
        let bits = nodes * nodes * routed.table().entry_bits();
        if bits > MOST_TABLE_BITS {
            return Err(unreasonable(format!("routing tables of {nodes} nodes"))
                .because(format!(
                    "they are {bits} flip-flops all together, and {MOST_TABLE_BITS} are the most"
                ))
                .instead("take a smaller network (`cubewave run` goes further)")
                .into());
        }
    }
    let messages = traffic::messages(job)?;
    let last = messages.last().map_or(0, |message| message.created);
    if last > MOST_BIT_TIMES {
        return Err(Refusal::of("a Verilog project of this traffic")
            .because(format!(
                "the last message has time {last}, and its testbench counts bit times to {MOST_BIT_TIMES}"
            ))
            .instead("begin earlier (`cubewave run` goes further)")
            .into());
    }
    let sent = stimulus::sent(machine, &messages);
    let longest = stimulus::longest(&sent);
    let too_long = |lines: usize, bits: usize| -> Error {
        unreasonable("these messages")
            .because(format!(
                "traffic.hex would have {lines} lines of {bits} bits each, and its testbench takes lines of {WIDEST_VECTOR} at the \
                 most, {MOST_TRAFFIC_BITS} bits in all"
            ))
            .instead("use fewer --message-bits, or fewer messages")
            .into()
    };
    if longest > WIDEST_VECTOR || sent.len() * longest > MOST_TRAFFIC_BITS {
        return Err(too_long(sent.len(), longest));
    }
    // Of later rounds, the worms that the header may make longest; the piece of a short way has as many bits more.
    let of_way = match machine.cut() {
        Pieces::ByWay if switches > 1 => 10,
        _ => 4,
    };
    let header = of_way * (job.longest_way() + machine.plan().links.len());
    let header = header * machine.parameters().wire_bits;
    let later = longest.max(message_bits.div_ceil(switches) + header);
    let of_later = nodes * switches * later;
    let most_rounds = (1 + (MOST_TRAFFIC_BITS - sent.len() * longest) / of_later.max(1)).max(1);
    let asked_for = rounds::amount(begun.options, nodes * switches, most_rounds)?;
    let beside = RunOptions::beside_others();
    let report = run::run_of(job, &begun.identity, &beside, Some(messages.clone()))?;
    let mut rounds = vec![Round {
        name: FIRST_ROUND.to_owned(),
        sent,
        bit_times: until(&report),
    }];
    // A deadlock is the end of it.
    let amount = match report.delivered == report.messages {
        true => asked_for,
        false => 1,
    };
    for round in 2..=amount {
        let later = rounds::later(round, machine, message_bits, chosen.seed())?;
        let sent = stimulus::sent(machine, &later.messages);
        let longest = stimulus::longest(&sent);
        if longest > WIDEST_VECTOR {
            return Err(too_long(sent.len(), longest));
        }
        rounds.push(Round {
            name: later.name,
            sent,
            bit_times: later.bit_times,
        });
    }
    let traffic_file = stimulus::traffic_file(&messages);
    let view_files = begun.view_files(false);
    let view = view::view(machine, &messages, &view_files)?;
    let title = begun.title("", &begun.command);
    let subject = Subject {
        title: &title,
        command: &begun.command,
        view: &view_files,
        report: &report,
        rounds: &rounds,
        storage: Storage::of::<bool>(&machine.node::<bool>()).total,
        depth: LogicDepth::of(machine)?,
        machine,
    };
    let first_round = BENCH.first_round();
    let tb_title = begun.title("", &begun.of_rounds(rounds.len()));
    let design = NetworkDesign::of(machine, &title);
    let network_file = format!("{}.v", design.name);
    let machine_files = ["node.v", network_file.as_str()];
    let size = (switches, machine.parameters().wire_bits);
    let lines = |of: fn(&[Sent], (usize, usize)) -> String| {
        let said = |round: &Round| of(&round.sent, size);
        of_rounds(&rounds, |round| &round.name, said)
    };
    let files = [
        (
            "README.md",
            readme::text(&subject, &design, &commands(&machine_files)),
        ),
        ("node.v", design.node.clone()),
        (machine_files[1], design.network.clone()),
        ("tb.v", testbench::text(&subject, &design, &tb_title)),
        ("traffic.hex", lines(stimulus::traffic)),
        ("expected.hex", lines(stimulus::expected)),
        (first_round.file, traffic_file),
        begun.meta_file(),
        (view_files.save.as_str(), view.save),
        (view_files.surfer.as_str(), view.surfer),
    ];
    let bit_times = subject.completes().then_some(report.bit_times);
    let machine = OfMachine {
        dims: report.topology.dims,
        nodes,
        facts: vec![
            ("switches_per_node", value(&switches)),
            ("message_bits", value(&message_bits)),
            ("messages", value(&messages.len())),
            // None where they never all arrive.
            ("bit_times", value(&bit_times)),
        ],
        flip_flops: FlipFlops {
            node: subject.storage,
            sequencer: None,
        },
        logic_depth: (&subject.depth).into(),
        bit_times: bit_times.map_or_else(
            || "none: the worms block each other, and the testbench says so".to_owned(),
            |bit_times| bit_times.to_string(),
        ),
        // A bit for each switch of each node.
        ports: vec![
            ("from_host", value(&design.from_host)),
            ("to_host", value(&design.to_host)),
        ],
        files: &machine_files,
    };
    begun.write(&files, machine)
}
