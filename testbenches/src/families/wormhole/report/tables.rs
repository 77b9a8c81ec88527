//! What a report says of the routers, and its tables.

use std::fmt::Write;

use comfy_table::CellAlignment::{Left, Right};

use crate::families::wormhole::report::{DeadlockReport, Worms};
use crate::report::{aligned, counted};

/// Characters of the longest bar of a histogram.
const BAR: u64 = 40;
/// The most channels of a cycle that are listed.
const LISTED: usize = 24;

impl Worms {
    pub(super) fn routers(&self) -> String {
        let router = &self.router;
        let channels = counted(router.virtual_channels, "virtual channel");
        let routed = router.routing.map(|routing| match routing {
            "order" => format!("order of dimensions, {channels} a link"),
            "valiant" => format!("order of dimensions in two phases (Valiant), {channels} a link"),
            "shortest" => format!("routing tables of shortest paths, {channels} a link"),
            "up-down" => format!("routing tables that lead up and then down, {channels} a link"),
            "table" => format!(
                "routing tables from {}, {channels} a link",
                router.routes_file.as_deref().unwrap_or_default()
            ),
            _ => {
                let escapes = self.dependencies.escape.as_ref();
                let escapes = escapes.map_or(0, |escape| escape.channels_of_link);
                format!("adaptive, {channels} a link, {escapes} of them to escape")
            }
        });
        let what = match (router.network, router.copies) {
            _ if routed.is_some() => routed.unwrap_or_default(),
            ("butterflies", _) => format!(
                "two phases on the cross product of butterflies, {} of lanes an edge",
                counted(router.virtual_channels, "class").replace("classs", "classes")
            ),
            (_, copies) => {
                let copies = copies.map_or(String::new(), |copies| {
                    let levels = router.levels.unwrap_or_default();
                    let of = counted(levels, "copy").replace("copys", "copies");
                    format!("{copies} of {of} of the cube-connected cycles of {levels} levels, ")
                });
                let pieces = match router.pieces {
                    Some("even") => "even pieces, ",
                    Some(_) => "pieces by way, ",
                    None => "",
                };
                let cross = router.virtual_channels.min(2);
                format!(
                    "{copies}{pieces}{} on straight links and {cross} on cross links",
                    counted(router.virtual_channels, "virtual channel")
                )
            }
        };
        format!(
            "{what}; buffers of {}, {} switch; {} wires a node, {} of them data",
            counted(router.buffer_bits, "bit"),
            router.switch,
            self.wires.wires_per_node,
            self.wires.data_wires_per_node
        )
    }

    pub(super) fn foretold(&self) -> String {
        let graph = &self.dependencies;
        let kinds = match graph.channel_kinds {
            1 => "1 kind of channels".to_owned(),
            kinds => format!("{kinds} kinds of channels"),
        };
        let dependencies = counted(graph.dependencies, "dependency");
        let size = format!(
            "{kinds}, {}",
            dependencies.replace("dependencys", "dependencies")
        );
        let (of_what, cycle) = match (&graph.escape, &graph.cycle) {
            (None, None) => return format!("{size}, no cycle: worms cannot deadlock"),
            (None, Some(cycle)) => (String::new(), cycle),
            (Some(escape), _) => {
                let of_adaptive = match graph.cycle {
                    Some(_) => ", cycles of adaptive channels",
                    None => "",
                };
                let of_escapes = format!(
                    "{of_adaptive}; escape channels have {} kinds, {} dependencies",
                    escape.channel_kinds, escape.dependencies
                );
                match &escape.cycle {
                    None => {
                        return format!("{size}{of_escapes}, no cycle: worms cannot deadlock");
                    }
                    Some(cycle) => (of_escapes, cycle),
                }
            }
        };
        let shown: Vec<&str> = cycle.iter().take(4).map(String::as_str).collect();
        let more = if cycle.len() > shown.len() {
            ", ..."
        } else {
            ""
        };
        let mend = match graph.virtual_channels_without_cycle {
            Some(count) => format!("; with --virtual-channels {count} they cannot"),
            None => String::new(),
        };
        let verdict = match &graph.escape {
            None => "worms can deadlock",
            Some(_) => "adaptive channels may lie between them, and deadlock is not excluded",
        };
        format!(
            "{size}{of_what}; a cycle of {}: {verdict} ({}{more}){mend}",
            cycle.len(),
            shown.join(", ")
        )
    }

    /// The histogram, a line a bin.
    pub(super) fn latencies(&self) -> String {
        let Some(latency) = &self.latency else {
            return String::new();
        };
        let most = latency.histogram.iter().map(|bin| bin.messages).max();
        let rows = latency.histogram.iter().map(|bin| {
            let length = (BAR * bin.messages).div_ceil(most.unwrap_or(1).max(1));
            vec![
                format!("{} to {}", bin.from, bin.below - 1),
                bin.messages.to_string(),
                "#".repeat(length as usize),
            ]
        });
        format!(
            "\nlatencies in bit times, and how many messages had them\n{}\n",
            aligned(rows.collect(), &[Right, Right, Left])
        )
    }

    pub(super) fn fullest(&self) -> String {
        let rows = self.channels.iter().map(|channel| {
            vec![
                channel.channel.clone(),
                channel.peak_bits.to_string(),
                format!("of {}", channel.capacity_bits),
            ]
        });
        aligned(rows.collect(), &[Left, Right, Left])
    }

    pub(super) fn loads(&self) -> String {
        let title = ["link", "mean", "most", "at node"]
            .map(str::to_owned)
            .to_vec();
        let rows = self.wires.by_link.iter().map(|load| {
            vec![
                load.link.clone(),
                format!("{:.1}", load.mean),
                load.largest.to_string(),
                load.busiest_node.clone(),
            ]
        });
        let rows = [title].into_iter().chain(rows);
        aligned(rows.collect(), &[Left, Right, Right, Left])
    }

    pub(super) fn stalled(&self) -> String {
        let rows = self
            .stalls
            .iter()
            .map(|stall| vec![stall.cause.to_owned(), stall.channel_bit_times.to_string()]);
        aligned(rows.collect(), &[Left, Right])
    }
}

/// The channels that wait for each other.
pub(super) fn cycle(deadlock: &DeadlockReport) -> String {
    let mut text = format!(
        "\ndeadlock in bit time {}: each of these channels waits for the next, and the last for the first\n",
        deadlock.bit_time
    );
    let listed = deadlock.cycle.iter().take(LISTED).map(|waiting| {
        let message = waiting.message.as_deref().unwrap_or("?");
        vec![
            format!("node {}", waiting.node),
            waiting.channel.clone(),
            format!("holds bits of the worm {message}"),
        ]
    });
    text.push_str(&aligned(listed.collect(), &[Left, Left, Left]));
    text.push('\n');
    if deadlock.cycle.len() > LISTED {
        let _ = writeln!(text, "  and {} more", deadlock.cycle.len() - LISTED);
    }
    text
}
