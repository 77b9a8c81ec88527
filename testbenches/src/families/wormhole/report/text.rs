//! What worms add to a report.

use std::fmt::Write;

use comfy_table::CellAlignment::{Left, Right};

use crate::families::wormhole::report::{DeadlockReport, Throughput, Times, WormholeReport, Worms};
use crate::report::{Place, Report, Section, Sections, aligned, counted, value};

/// Characters of the longest bar of a histogram.
const BAR: u64 = 40;
/// The most channels of a cycle that are listed.
const LISTED: usize = 24;

impl Sections for Worms {
    fn section(&self, place: Place) -> Section {
        match place {
            Place::Machine => vec![
                ("levels", value(&self.levels)),
                ("router", value(&self.router)),
                ("dependencies", value(&self.dependencies)),
            ],
            Place::Course => vec![
                ("bit_times_bounds", value(&self.bit_times_bounds)),
                ("latency", value(&self.latency)),
                ("round_trips", value(&self.round_trips)),
                ("throughput", value(&self.throughput)),
            ],
            Place::Storage => Vec::new(),
            Place::Use => vec![
                ("channels", value(&self.channels)),
                ("wires", value(&self.wires)),
                ("stalls", value(&self.stalls)),
            ],
            Place::End => vec![
                ("deadlock", value(&self.deadlock)),
                ("undelivered", value(&self.undelivered)),
            ],
        }
    }

    fn summary(report: &Report<Self>) -> Vec<(&'static str, String)> {
        let worms = &report.family;
        let mut summary = vec![
            ("network", network(report)),
            ("router", worms.routers()),
            ("dependencies", worms.foretold()),
        ];
        let load = report
            .load
            .map_or(String::new(), |load| format!(", load {load}"));
        let offered = worms
            .throughput
            .as_ref()
            .map_or(String::new(), |throughput| {
                let injection = match throughput.injection {
                    "bernoulli" => String::new(),
                    other => format!(", {other}"),
                };
                format!(", offered load {}{injection}", throughput.offered_load)
            });
        summary.push((
            "traffic",
            format!("{}{load}{offered}, seed {}", report.traffic, report.seed),
        ));
        summary.push((
            "delivered",
            format!(
                "{} of {} of {}{}",
                report.delivered,
                counted(report.messages, "message"),
                match worms.shortest_message {
                    shortest if shortest == report.payload_bits => String::new(),
                    shortest => format!("{shortest} to "),
                },
                counted(report.payload_bits, "bit")
            ),
        ));
        summary.push(("bit times", time(report)));
        if let Some(throughput) = &worms.throughput {
            summary.extend(measured(throughput));
            if let Some([began, ended]) = throughput.backlog {
                summary.push((
                    "backlog",
                    format!(
                        "{} when the measurement began, {ended} when it ended",
                        counted(began, "worm")
                    ),
                ));
            }
        }
        if let Some(latency) = &worms.latency {
            summary.push((
                "latency",
                format!(
                    "{:.1}{} bit times on the average; 50 % {}, 95 % {}, 99 % {}, largest {}",
                    latency.average,
                    within(latency.average_half_width, 1),
                    latency.percentile_50,
                    latency.percentile_95,
                    latency.percentile_99,
                    latency.largest,
                ),
            ));
            summary.push((
                "in network",
                format!(
                    "{:.1} bit times a message, from the first bit sent of its worms to the last arrived; {:.1} a worm",
                    latency.average_in_network, latency.average_of_worms_in_network
                ),
            ));
            summary.push((
                "hops",
                format!(
                    "{:.2} links on the way of a worm, on the average",
                    latency.average_hops
                ),
            ));
        }
        if let Some(trips) = &worms.round_trips {
            let all = [
                ("requests", &trips.requests),
                ("replies", &trips.replies),
                ("round trips", &trips.round_trips),
            ];
            let lines = all.map(|(name, times)| times.as_ref().map(|times| (name, times)));
            summary.extend(lines.into_iter().flatten().map(|(name, times)| {
                let Times {
                    messages,
                    average,
                    percentile_99,
                    largest,
                } = times;
                let text = format!(
                    "{messages}: {average:.1} bit times on the average, 99th percentile {percentile_99}, largest {largest}"
                );
                (name, text)
            }));
        }
        summary.push((
            "links",
            format!(
                "{} bits over the busiest, {:.1} on the average; in use {:.1} % of the time",
                worms.wires.largest_load,
                worms.wires.mean_load,
                100.0 * report.wire_use
            ),
        ));
        summary.push((
            "at a node",
            format!(
                "at most {}; at most {} of {} bits occupied by worms",
                counted(report.peak.messages_per_node as usize, "worm"),
                report.peak.occupied_bits_per_node,
                report.storage_bits_per_node.total
            ),
        ));
        if let Some(depth) = &report.logic_depth {
            summary.push((
                "logic depth",
                format!("{} gates between registers", depth.total),
            ));
        }
        summary
    }

    fn before_storage(report: &Report<Self>) -> String {
        let worms = &report.family;
        let mut text = worms.deadlock.as_ref().map_or(String::new(), cycle);
        if let Some(undelivered) = &worms.undelivered {
            text.push_str(&undelivered.text(report.bit_times));
        }
        text
    }

    fn after_storage(report: &Report<Self>) -> String {
        let worms = &report.family;
        format!(
            "{}\nchannels: the most bits that one ever held, over all nodes\n{}\n\
             \nbits over links\n{}\n\
             \nstalls, in channels times bit times\n{}\n",
            worms.latencies(),
            worms.fullest(),
            worms.loads(),
            worms.stalled()
        )
    }
}

/// How far the expected value may be from an average; nothing, where that is not known.
fn within(half_width: Option<f64>, digits: usize) -> String {
    half_width.map_or(String::new(), |half| format!(" +- {half:.digits$}"))
}

/// What was measured under continuous injection, when, and what it says of the network.
fn measured(throughput: &Throughput) -> Vec<(&'static str, String)> {
    let [warm_up, measurement, drain] = throughput.phases;
    let mut lines = vec![(
        "measured",
        format!("for {measurement} bit times after {warm_up}; at most {drain} to drain"),
    )];
    if let Some(rule) = &throughput.warm_up {
        let ends = match rule.truncation {
            Some(ends) => format!("{} has it end at {ends}", rule.method),
            None => format!("{} would have a longer run", rule.method),
        };
        let verdict = match (rule.is_long_enough, rule.is_given) {
            (None, _) => "no steady state to wait for".to_owned(),
            (Some(true), _) => format!("long enough: {ends}"),
            (Some(false), true) => {
                format!("too short: {ends}; give a longer --warm-up, or leave it out")
            }
            (Some(false), false) => {
                format!("too short: {ends}, and the run is as long as one may become by itself")
            }
        };
        lines.push(("warm-up", verdict));
    }
    if let (Some(accepted), Some(created)) = (throughput.accepted, throughput.created) {
        lines.push((
            "throughput",
            format!(
                "{accepted:.4}{} message bits accepted a node and bit time, {created:.4} created",
                within(throughput.accepted_half_width, 4)
            ),
        ));
    }
    if let Some(verdict) = throughput.verdict {
        let grew = match throughput.growth_exponent {
            Some(exponent) => format!("the backlog grew as time to the power of {exponent:.2}"),
            None => "the run is too short to see how the backlog grows".to_owned(),
        };
        lines.push(("verdict", format!("{verdict}: {grew}")));
    }
    lines
}

/// The network, in a line.
fn network(report: &WormholeReport) -> String {
    let topology = &report.topology;
    format!(
        "{}: {} nodes, {} links of a data wire each",
        topology.summary, topology.nodes, topology.directed_wires
    )
}

/// Bit times, and what they are within.
fn time(report: &WormholeReport) -> String {
    let worms = &report.family;
    let messages = report.bit_times as f64 / report.payload_bits as f64;
    let bounds = worms
        .bit_times_bounds
        .as_ref()
        .map_or(String::new(), |bounds| {
            format!("; {} at least, {} at most", bounds.lower, bounds.upper)
        });
    match (&worms.deadlock, &worms.throughput) {
        (Some(deadlock), _) => {
            let began = (deadlock.began).map_or(String::new(), |began| {
                format!("; its circle closed in bit time {began}")
            });
            format!("deadlock in bit time {}{began}", deadlock.bit_time)
        }
        (None, Some(_)) => report.bit_times.to_string(),
        (None, None) => format!("{} measured, {messages:.2} M{bounds}", report.bit_times),
    }
}

impl Worms {
    fn routers(&self) -> String {
        let router = &self.router;
        let what = match (router.network, router.copies) {
            ("ecube", _) => "dimension order, 1 channel a link".to_owned(),
            ("valiant", _) => format!(
                "dimension order in two phases, {} a link",
                counted(router.virtual_channels, "virtual channel")
            ),
            ("butterflies", _) => format!(
                "two phases on the cross product of butterflies, {} of lanes an edge",
                counted(router.virtual_channels, "class").replace("classs", "classes")
            ),
            (_, copies) => {
                let copies = copies.map_or(String::new(), |copies| {
                    let of = format!(
                        " of {}",
                        counted(self.levels, "copy").replace("copys", "copies")
                    );
                    format!(
                        "{copies}{of} of the cube-connected cycles of {} levels, ",
                        self.levels
                    )
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

    fn foretold(&self) -> String {
        let graph = &self.dependencies;
        let size = format!(
            "{} kinds of channels, {} dependencies",
            graph.channel_kinds, graph.dependencies
        );
        match &graph.cycle {
            None => format!("{size}, no cycle: worms cannot deadlock"),
            Some(cycle) => {
                let shown: Vec<&str> = cycle.iter().take(4).map(String::as_str).collect();
                let more = if cycle.len() > shown.len() {
                    ", ..."
                } else {
                    ""
                };
                format!(
                    "{size}; a cycle of {}: worms can deadlock ({}{more})",
                    cycle.len(),
                    shown.join(", ")
                )
            }
        }
    }

    /// The histogram, a line a bin.
    fn latencies(&self) -> String {
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

    fn fullest(&self) -> String {
        let rows = self.channels.iter().map(|channel| {
            vec![
                channel.channel.clone(),
                channel.peak_bits.to_string(),
                format!("of {}", channel.capacity_bits),
            ]
        });
        aligned(rows.collect(), &[Left, Right, Left])
    }

    fn loads(&self) -> String {
        let title = ["link", "mean over nodes", "most", "at node"]
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

    fn stalled(&self) -> String {
        let rows = self
            .stalls
            .iter()
            .map(|stall| vec![stall.cause.to_owned(), stall.channel_bit_times.to_string()]);
        aligned(rows.collect(), &[Left, Right])
    }
}

/// The channels that wait for each other.
fn cycle(deadlock: &DeadlockReport) -> String {
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
