//! What is refused of a project of worms, and how many rounds one has.

use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::pieces::Pieces;
use rtl_model::routers::wormhole::space::Space;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::wormhole::job::Job;
use crate::families::wormhole::message::Message;
use crate::families::wormhole::verilog::stimulus::{self, Sent};
use crate::options::VerilogOptions;
use crate::verilog::limits::{WIDEST_VECTOR, refuse};

/// The most switches that are written, all nodes together.
pub const MOST_SWITCHES: usize = 2048;
/// The most bits of all routing tables together.
pub const MOST_TABLE_BITS: usize = 1 << 19;
/// The most bits of all lines of `traffic.hex` together.
pub const MOST_TRAFFIC_BITS: usize = 1 << 24;
/// The latest time of a message: integers of Verilog have 32 bits, and some bit times go by after it.
pub const MOST_BIT_TIMES: u64 = 1 << 30;

/// Refuses more switches than are written, and larger tables.
pub(super) fn check_machine(machine: &WormholeMachine) -> Result<(), Error> {
    let (nodes, switches) = (machine.network().nodes(), machine.network().switches());
    let all = nodes * switches;
    let others = match machine.network().joined() {
        _ if switches > 1 => " or --copies",
        Joined::Space(Space::Grid(_)) => " or a smaller --radix",
        _ => "",
    };
    refuse(
        all > MOST_SWITCHES,
        format!("{nodes} nodes"),
        format!(
            "a Verilog simulator builds every switch from its gates, {all} all together, and {MOST_SWITCHES} are the most"
        ),
        format!("use fewer --dims{others}"),
    )?;
    let Network::TableRouted(routed) = machine.network() else {
        return Ok(());
    };
    let bits = nodes * nodes * routed.table().entry_bits();
    refuse(
        bits > MOST_TABLE_BITS,
        format!("routing tables of {nodes} nodes"),
        format!("they are {bits} flip-flops all together, and {MOST_TABLE_BITS} are the most"),
        "take a smaller network",
    )
}

/// Refuses later messages than hosts wait for.
pub(super) fn check_times(messages: &[Message]) -> Result<(), Error> {
    let last = messages.last().map_or(0, |message| message.created);
    refuse(
        last > MOST_BIT_TIMES,
        "this traffic",
        format!(
            "the last message has time {last}, and its testbench counts bit times to {MOST_BIT_TIMES}"
        ),
        "begin earlier",
    )
}

/// Refuses worms that are too long for a line, or, in the first round, more of them than a file is to hold.
pub(super) fn check_lines(sent: &[Sent], most_bits: usize) -> Result<(), Error> {
    let (lines, bits) = (sent.len(), stimulus::longest(sent));
    refuse(
        bits > WIDEST_VECTOR || lines * bits > most_bits,
        "these messages",
        format!(
            "traffic.hex would have {lines} lines of {bits} bits each, and its testbench takes lines of {WIDEST_VECTOR} at the \
             most, {MOST_TRAFFIC_BITS} bits in all"
        ),
        "use fewer --message-bits, or fewer messages",
    )
}

/// Rounds, the first of which sends this, where no later one makes the file too long.
///
/// # Errors
/// More than these are asked for.
pub(super) fn rounds(job: &Job, sent: &[Sent], options: &VerilogOptions) -> Result<usize, Error> {
    let machine = &job.machine;
    let (nodes, switches) = (machine.network().nodes(), machine.network().switches());
    let longest = stimulus::longest(sent);
    // Of later rounds, the worms that the header may make longest; the piece of a short way has as many bits more.
    let of_way = match machine.cut() {
        Pieces::ByWay if switches > 1 => 10,
        _ => 4,
    };
    let header = of_way * (job.longest_way() + machine.plan().links.len());
    let header = header * machine.parameters().wire_bits;
    let later = longest.max(job.message_bits.div_ceil(switches) + header);
    let of_later = nodes * switches * later;
    let most = (1 + (MOST_TRAFFIC_BITS - sent.len() * longest) / of_later.max(1)).max(1);
    let rounds = options.rounds(nodes * switches)?;
    match options.rounds {
        Some(_) if rounds > most => Err(Refusal::of("--rounds")
            .because(format!(
                "{rounds} rounds of these messages would be unreasonable, {MOST_TRAFFIC_BITS} bits of worms are the most"
            ))
            .instead(format!("choose 1 to {most}, or fewer --message-bits"))
            .into()),
        _ => Ok(rounds.min(most)),
    }
}
