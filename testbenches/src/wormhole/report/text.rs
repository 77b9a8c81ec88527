//! The report for people.

use std::fmt::Write;

use comfy_table::CellAlignment::{Left, Right};

use crate::report::{aligned, check_rows, counted, duration, memory, rows, written};
use crate::wormhole::report::{DeadlockReport, WormholeReport};

/// The most channels of a cycle that are listed.
const LISTED: usize = 24;

impl WormholeReport {
    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}: {}\n{}\n", self.bench, self.models, self.source);
        text.push_str(&rows(&self.summary()));
        if let Some(deadlock) = &self.deadlock {
            text.push_str(&cycle(deadlock));
        }
        let _ = writeln!(text, "\nstorage, in bits a node\n{}", self.storage());
        let _ = writeln!(
            text,
            "\nchannels: the most bits that one ever held, over all nodes\n{}",
            self.fullest()
        );
        let _ = writeln!(text, "\nbits over links\n{}", self.loads());
        let _ = writeln!(
            text,
            "\nstalls, in channels times bit times\n{}",
            self.stalled()
        );
        text.push_str("\nchecks\n");
        text.push_str(&rows(&check_rows(&self.checks)));
        let outputs = written(&self.outputs);
        if !outputs.is_empty() {
            text.push_str("\nwritten\n");
            text.push_str(&rows(&outputs));
        }
        text
    }

    fn summary(&self) -> Vec<(String, String)> {
        let mut summary = vec![
            ("network", self.network()),
            ("router", self.routers()),
            ("dependencies", self.foretold()),
        ];
        let load = self
            .load
            .map_or(String::new(), |load| format!(", load {load}"));
        let offered = self
            .throughput
            .as_ref()
            .map_or(String::new(), |throughput| {
                format!(", offered load {}", throughput.offered_load)
            });
        summary.push((
            "traffic",
            format!("{}{load}{offered}, seed {}", self.traffic, self.seed),
        ));
        summary.push((
            "delivered",
            format!(
                "{} of {} of {}",
                self.delivered,
                counted(self.messages, "message"),
                counted(self.payload_bits, "bit")
            ),
        ));
        summary.push(("bit times", self.time()));
        if let Some(throughput) = &self.throughput {
            let [warm_up, measurement, drain] = throughput.phases;
            summary.push((
                "measured",
                format!("for {measurement} bit times after {warm_up}; at most {drain} to drain"),
            ));
            if let (Some(accepted), Some(created)) = (throughput.accepted, throughput.created) {
                let saturated = match throughput.saturated {
                    Some(true) => ": saturated",
                    _ => "",
                };
                summary.push((
                    "throughput",
                    format!(
                        "{accepted:.4} message bits accepted a node and bit time, {created:.4} created{saturated}"
                    ),
                ));
            }
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
        if let Some(latency) = &self.latency {
            summary.push((
                "latency",
                format!(
                    "{:.1} bit times on the average, 99th percentile {}, largest {}; {:.1} from the first bit sent",
                    latency.average,
                    latency.percentile_99,
                    latency.largest,
                    latency.average_in_network
                ),
            ));
        }
        summary.push((
            "links",
            format!(
                "{} bits over the busiest, {:.1} on the average; in use {:.1} % of the time",
                self.wires.largest_load,
                self.wires.mean_load,
                100.0 * self.wire_use
            ),
        ));
        summary.push((
            "at a node",
            format!(
                "at most {}; at most {} of {} bits occupied by worms",
                counted(self.peak.messages_per_node as usize, "worm"),
                self.peak.occupied_bits_per_node,
                self.storage_bits_per_node.total
            ),
        ));
        if let Some(depth) = &self.logic_depth {
            summary.push((
                "logic depth",
                format!("{} gates between registers", depth.total),
            ));
        }
        summary.push(("memory", memory(self.bytes_per_node, self.topology.nodes)));
        summary.push(("ticking took", duration(self.simulation_seconds)));
        let summary = summary.into_iter();
        summary
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    fn network(&self) -> String {
        let topology = &self.topology;
        let size = match self.router.network {
            "ccc" => counted(topology.dims, "level"),
            _ => counted(topology.dims, "dimension"),
        };
        format!(
            "{} of {size}: {} nodes, {} links of a data wire each",
            topology.kind, topology.nodes, topology.directed_wires
        )
    }

    fn routers(&self) -> String {
        let router = &self.router;
        let what = match (router.network, router.copies) {
            ("ecube", _) => "dimension order, 1 channel a link".to_owned(),
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
                let cross = router.virtual_channels.min(2);
                format!(
                    "{copies}{} on straight links and {cross} on cross links",
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

    fn time(&self) -> String {
        let messages = self.bit_times as f64 / self.payload_bits as f64;
        let bounds = self
            .bit_times_bounds
            .as_ref()
            .map_or(String::new(), |bounds| {
                format!("; {} at least, {} at most", bounds.lower, bounds.upper)
            });
        match (&self.deadlock, &self.throughput) {
            (Some(deadlock), _) => format!("deadlock in bit time {}", deadlock.bit_time),
            (None, Some(_)) => self.bit_times.to_string(),
            (None, None) => format!("{} measured, {messages:.2} M{bounds}", self.bit_times),
        }
    }

    fn storage(&self) -> String {
        let row = |name: &str, bits: u64| vec![name.to_owned(), bits.to_string()];
        let storage = &self.storage_bits_per_node;
        let parts = storage.by_part.iter();
        let mut rows: Vec<Vec<String>> =
            parts.map(|(part, bits)| row(part, *bits as u64)).collect();
        rows.push(row("total", storage.total as u64));
        let form = &self.storage_bits_formula;
        rows.push(row(&format!("closed form {}", form.text), form.value));
        aligned(rows, &[Left, Right])
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
