//! A machine of wormhole routers as a Verilog project: nodes and what joins them, and a testbench whose hosts send and
//! take worms bit by bit.
//!
//! ```text
//!   tb.v ( hosts )  <--inject, eject-->  ccc.v, cube.v, ... ( node.v x N )
//!    ^ traffic.hex: the worms                    | bodies
//!    +-- expected.hex: who is to get which  <----+
//! ```

mod limits;
mod properties;
mod readme;
mod rounds;
mod stimulus;
mod testbench;
mod view;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine as _;
use rtl_model::routers::wormhole::verilog::design;

use crate::error::Error;
use crate::families::wormhole::job::Job;
use crate::families::wormhole::report::Worms;
use crate::families::wormhole::run;
use crate::families::wormhole::traffic;
use crate::report::{Report, value};
use crate::testbench::bench::RunOptions;
use crate::verilog::contents::{Contents, End, Hardware, Memory};
use crate::verilog::rounds::{FIRST_ROUND, of_rounds};
use crate::verilog::{Begun, FlipFlops, Project};
pub use limits::{MOST_BIT_TIMES, MOST_SWITCHES, MOST_TABLE_BITS, MOST_TRAFFIC_BITS};
use stimulus::Sent;

/// A round of the testbench.
struct Round {
    /// The worms.
    sent: Vec<Sent>,
    /// Until the last worm has arrived, or until nothing moves any more.
    bit_times: u64,
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
    let (machine, message_bits) = (&job.machine, job.message_bits);
    limits::check_machine(machine)?;
    let properties = begun.properties(properties::WHY_NONE, |title| {
        Ok(properties::text(machine, title))
    })?;
    let messages = traffic::messages(job)?;
    limits::check_times(&messages)?;
    let sent = stimulus::sent(machine, &messages);
    limits::check_lines(&sent, MOST_TRAFFIC_BITS)?;
    let asked_for = limits::rounds(job, &sent, begun.options)?;
    let beside = RunOptions::beside_others();
    let report = run::run_of(job, &begun.identity, &beside, Some(messages.clone()))?;
    let completes = report.delivered == report.messages;
    let mut names = vec![FIRST_ROUND.to_owned()];
    let mut rounds = vec![Round {
        sent,
        bit_times: until(&report),
    }];
    // A deadlock is the end of it.
    let amount = if completes { asked_for } else { 1 };
    for round in 2..=amount {
        let (name, messages, bit_times) =
            rounds::later(round, machine, message_bits, job.chosen.seed())?;
        let sent = stimulus::sent(machine, &messages);
        limits::check_lines(&sent, usize::MAX)?;
        names.push(name);
        rounds.push(Round { sent, bit_times });
    }
    let bit_times = completes.then_some(report.bit_times);
    let (nodes, switches) = (machine.network().nodes(), machine.network().switches());
    let hardware = Hardware {
        dims: report.topology.dims,
        nodes,
        design: design(machine, &begun.title()),
        address: nodes - 1,
        flip_flops: FlipFlops {
            node: Storage::of::<bool>(&machine.node::<bool>()).total,
            sequencer: None,
        },
        depth: LogicDepth::of(machine)?,
        end: End::Seen {
            is_done: "arrived >= worms",
            bit_times: bit_times.map_or_else(
                || "none: the worms block each other, and the testbench says so".to_owned(),
                |bit_times| bit_times.to_string(),
            ),
        },
    };
    let size = (switches, machine.parameters().wire_bits);
    let memory = |name, holds: &str, words: usize, of: fn(&[Sent], (usize, usize)) -> String| {
        let texts = rounds.iter().map(|round| of(&round.sent, size)).collect();
        Memory {
            name,
            holds: holds.to_owned(),
            last: ["WORM_BITS-1".to_owned(), format!("{words}*LINES-1")],
            contents: of_rounds(&names, texts),
        }
    };
    let memories = vec![
        memory(
            "traffic",
            "the worms, round by round, port by port, in the order in which they are sent: the port that sends it, the bit time \
             before which it does not begin, its length, 0 if there is none, and its bits, the first one lowest",
            4,
            stimulus::traffic,
        ),
        memory(
            "expected",
            "of each worm the port that it is for, the length of the body, and the body",
            3,
            stimulus::expected,
        ),
    ];
    let view_files = begun.view_files(false);
    let view = view::view(machine, &messages, &view_files)?;
    let contents = Contents {
        hardware,
        facts: vec![
            ("switches_per_node", value(&switches)),
            ("message_bits", value(&message_bits)),
            ("messages", value(&messages.len())),
            // None where they never all arrive.
            ("bit_times", value(&bit_times)),
        ],
        testbench: testbench::of(machine, completes, &rounds),
        readme: readme::of(machine, completes, &rounds),
        properties,
        traffic_file: stimulus::traffic_file(&messages),
        view: Some((view_files, view)),
        memories,
        rounds: names,
    };
    begun.write(contents)
}
