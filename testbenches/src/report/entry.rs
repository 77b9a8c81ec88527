//! An entry of results, said once: where reports and rows have it, what kind of value it is, in which unit, what it says, and whether
//! less of it is better. From it follow the schema, the page on results, the shape of JSON rows, and the verdicts of comparisons.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::report::{
    Check, Depth, Formula, Meta, Outputs, OverSeeds, Peak, Route, StorageBits, Topology,
};

/// An entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where JSON has it: names with dots between, the last one its own.
    pub path: &'static str,
    /// What it is called as a column of CSV, if not by its path.
    pub column: Option<&'static str>,
    /// What kind of value it is; none of a part, of which the type of the whole says it.
    pub kind: Option<fn(&mut SchemaGenerator) -> Schema>,
    /// In what it is counted; empty, where a number has no unit or the name says it.
    pub unit: &'static str,
    /// What it says; empty of a part of which the type of the whole says it.
    pub says: &'static str,
    /// Which is better, where anybody knows.
    pub better: Option<Better>,
    /// Rows have it, and reports do not.
    pub is_of_rows: bool,
    /// Of a closed form, what its text is called as a column; empty, where rows have none.
    pub text: Option<&'static str>,
}

/// Which of two values is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The smaller one.
    Less,
    /// The larger one.
    More,
}

impl Better {
    /// As schemas have it.
    pub fn name(self) -> &'static str {
        match self {
            Better::Less => "less",
            Better::More => "more",
        }
    }
}

impl Entry {
    /// One that holds such a value, and says this.
    pub const fn of<T: JsonSchema>(path: &'static str, says: &'static str) -> Self {
        Entry {
            kind: Some(SchemaGenerator::subschema_for::<T>),
            says,
            ..Entry::part(path)
        }
    }

    /// A part of another one, whose type says what it is.
    pub const fn part(path: &'static str) -> Self {
        Entry {
            path,
            column: None,
            kind: None,
            unit: "",
            says: "",
            better: None,
            is_of_rows: false,
            text: None,
        }
    }

    /// A closed form: its value is called as it is in rows, its text so.
    pub const fn form(path: &'static str, text: &'static str, says: &'static str) -> Self {
        Entry {
            text: Some(text),
            ..Entry::of::<Option<Formula>>(path, says)
        }
    }

    /// Called so as a column.
    pub const fn column(self, column: &'static str) -> Self {
        Entry {
            column: Some(column),
            ..self
        }
    }

    /// Counted in that.
    pub const fn unit(self, unit: &'static str) -> Self {
        Entry { unit, ..self }
    }

    /// The less of it, the better.
    pub const fn less(self) -> Self {
        Entry {
            better: Some(Better::Less),
            ..self
        }
    }

    /// The more of it, the better.
    pub const fn more(self) -> Self {
        Entry {
            better: Some(Better::More),
            ..self
        }
    }

    /// Of rows alone.
    pub const fn of_rows(self) -> Self {
        Entry {
            is_of_rows: true,
            ..self
        }
    }

    /// Where JSON has a column that is called so, if this entry has it.
    pub fn place_of(&self, column: &str) -> Option<Cow<'static, str>> {
        let path = self.path;
        match self.text {
            Some(text) if text == column && !text.is_empty() => Some(format!("{path}.text").into()),
            Some(_) if self.in_rows() == column => Some(format!("{path}.value").into()),
            // A whole has no column of its own name where a part of it is called so.
            None if self.column == Some(column) => Some(path.into()),
            _ => None,
        }
    }

    /// What it is called as a column.
    pub const fn in_rows(&self) -> &'static str {
        match self.column {
            Some(column) => column,
            None => self.path,
        }
    }
}

/// Of messages.
pub const PAYLOAD_BITS: Entry = Entry::of::<Option<u64>>(
    "payload_bits",
    "Payload bits of a message; none, or 0, where no message is sent",
)
.unit("bits");

/// What every report and every row has.
pub const OF_ALL: &[Entry] = &[
    Entry::of::<String>("bench", "The testbench"),
    Entry::of::<String>("models", "What it models"),
    Entry::of::<String>("source", "Paper and section"),
    Entry::of::<Topology>("topology", "The network"),
    Entry::part("topology.dims").column("dims"),
    Entry::part("topology.nodes").column("nodes"),
    Entry::part("topology.directed_wires").column("directed_wires"),
    PAYLOAD_BITS,
    Entry::of::<Option<String>>("schedule", "The schedule, or the router, where there is a choice"),
    Entry::of::<String>("traffic", "The pattern or the file"),
    Entry::of::<Option<f64>>("load", "The share of nodes that send; none where traffic comes from a file"),
    Entry::of::<u64>("seed", "What random choices were drawn from"),
    Entry::of::<u64>("messages", "Messages sent, or what else is compared in the end"),
    Entry::of::<u64>("delivered", "Of them, those that are as they should be").more(),
    Entry::of::<u64>("bit_times", "Bit times of the run, measured").unit("bit times").less(),
    Entry::form("bit_times_formula", "bit_times_text", "The closed form of bit times, where there is one").unit("bit times"),
    Entry::of::<Option<StorageBits>>("storage_bits_per_node", "Register bits of a node").unit("bits"),
    Entry::part("storage_bits_per_node.total").column("storage_bits_per_node").less(),
    Entry::form("storage_bits_formula", "storage_bits_text", "The closed form of storage").unit("bits"),
    Entry::of::<Option<Depth>>("logic_depth", "Gates on the longest path from a register to a register").unit("gates"),
    Entry::part("logic_depth.node").column("logic_depth_node").less(),
    Entry::part("logic_depth.sequencer").column("logic_depth_sequencer").less(),
    Entry::part("logic_depth.total").column("logic_depth").less(),
    Entry::of::<Option<Peak>>("peak", "The most that a node ever held; none where nobody counts"),
    Entry::part("peak.messages_per_node").column("peak_messages_per_node").unit("messages").less(),
    Entry::part("peak.occupied_bits_per_node").column("peak_occupied_bits_per_node").unit("bits").less(),
    Entry::part("peak.forwarding_buffer_bits")
        .column("forwarding_buffer_bits")
        .unit("bits")
        .less(),
    Entry::of::<Option<u64>>("serial_adders_per_node", "Serial adders of a node").less(),
    Entry::of::<Option<f64>>("wire_use", "Share of the wires' bit times that are used, or given out"),
    Entry::of::<f64>("bytes_per_node", "Memory of the run, as it was estimated: registers, wires, traffic, scoreboard").less().unit("bytes"),
    Entry::of::<Option<f64>>("simulation_seconds", "Spent ticking; none where what the work took is not said").less().unit("s"),
    Entry::of::<Route>("route", "The route of one message, where that was asked for"),
    Entry::of::<OverSeeds>("over_seeds", "What further runs say, with other seeds, where these were asked for"),
    Entry::of::<Outputs>("outputs", "Files written"),
    Entry::of::<Vec<Check>>("checks", "A verdict each"),
    Entry::of::<u64>("wires_per_node", "Wires that a node drives").less().of_rows(),
    Entry::of::<Option<u64>>("gate_delays", "Bit times times logic depth").unit("gate delays").less().of_rows(),
    Entry::of::<bool>("passed", "All checks hold"),
    Entry::of::<String>("failed", "The checks that do not hold, with semicolons between").of_rows(),
    Entry::of::<Option<f64>>(
        "wall_seconds",
        "What the point took, meters and scoreboard included, beside others at the same time; none where what the work took is not said",
    )
    .less().unit("s")
    .of_rows(),
    Entry::of::<Meta>("meta", "Where it comes from"),
];

/// Steps of a schedule, of whatever goes in steps.
pub const STEPS: Entry = Entry::of::<Option<u64>>(
    "routing_steps",
    "Steps of the schedule: packets over a wire, one after the other",
)
.unit("steps")
.less();

/// Of what goes in steps: packets over a wire, one after the other.
pub const OF_STEPS: &[Entry] = &[
    STEPS,
    Entry::form(
        "routing_steps_formula",
        "routing_steps_text",
        "The closed form of routing steps",
    )
    .unit("steps"),
];

/// Of what nodes hold to send on.
pub const OF_FORWARDING: &[Entry] = &[Entry::form(
    "forwarding_buffer_bound",
    "forwarding_buffer_text",
    "The most bits that a node may have to send on, those in flight to it among them",
)
.unit("bits")];

/// Of machines that a sequencer steers.
pub const SEQUENCER: Entry = Entry::of::<Option<u64>>(
    "sequencer_storage_bits",
    "Register bits of the sequencer, one for the machine",
)
.unit("bits")
.less();
