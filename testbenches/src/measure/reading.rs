//! A reading of a run, said once: its name, how it is read, and the column that it has in a table. Rows, and so JSON and CSV, have
//! readings in the order of their list; those with a heading are the columns of the table.

use crate::measure::row::{Row, Value};
use crate::measure::table::Column;
use crate::report::{BIT_TIMES, FORWARDING_BUFFER, Quantity, Report, STORAGE, value};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter};

/// A reading.
#[derive(Clone, Copy)]
pub struct Reading {
    /// Its name in rows.
    pub name: &'static str,
    of: Of,
    /// Its column, if it has one.
    pub column: Option<Column>,
}

/// Where it is read.
#[derive(Clone, Copy)]
enum Of {
    /// What was chosen.
    Parameter(&'static Parameter),
    /// What a finished run gives.
    Run(fn(&Finished<'_>) -> Value),
    /// What the report or its testbench has by that name.
    Told,
    /// The text of the closed form that one of them has by this name.
    FormText(&'static str),
    /// What follows from what was chosen and from the readings before it.
    Row(Follows),
    /// Nowhere: it is a column alone.
    Nowhere,
}

/// What follows from what was chosen and from other readings.
pub type Follows = fn(&Chosen, &Row) -> Value;

/// A run that is over.
pub struct Finished<'a> {
    /// What was chosen.
    pub chosen: &'a Chosen,
    /// What it says.
    pub report: &'a Report,
}

impl Reading {
    /// What was chosen of a parameter: its column is headed by its symbol, and said in words where all rows have the same.
    pub const fn parameter(parameter: &'static Parameter) -> Self {
        let column = Column::new(parameter.symbol, parameter.name);
        Reading {
            name: parameter.name,
            of: Of::Parameter(parameter),
            column: Some(match parameter.kind {
                Kind::Name(..) | Kind::Text => column.left(),
                _ => column.or_in_words(parameter.in_words),
            }),
        }
    }

    /// What a finished run gives; without a column.
    pub const fn run(name: &'static str, of: fn(&Finished<'_>) -> Value) -> Self {
        Reading {
            name,
            of: Of::Run(of),
            column: None,
        }
    }

    /// What the testbench tells by that name beside its report; of a closed form, the value. Without a column.
    pub const fn told(name: &'static str) -> Self {
        Reading {
            name,
            of: Of::Told,
            column: None,
        }
    }

    /// What was measured of a quantity, in its column.
    pub const fn quantity(of: &Quantity) -> Self {
        Reading::told(of.name).headed(of.heading)
    }

    /// The value of its closed form, in a column beside that.
    pub const fn formula(of: &Quantity) -> Self {
        Reading::told(of.formula).headed("formula")
    }

    /// The text of its closed form; without a column.
    pub const fn formula_text(of: &Quantity) -> Self {
        Reading::form_text(of.formula_text, of.formula)
    }

    /// The text of the closed form that the report or its testbench has by that name; without a column.
    pub const fn form_text(name: &'static str, form: &'static str) -> Self {
        Reading {
            name,
            of: Of::FormText(form),
            column: None,
        }
    }

    /// What follows from what was chosen and from the readings before it, of a run and of what is measured beside it alike; without a
    /// column.
    pub const fn following(name: &'static str, of: Follows) -> Self {
        Reading {
            name,
            of: Of::Row(of),
            column: None,
        }
    }

    /// A column alone, of what rows have at another place than the table.
    pub const fn column_of(column: Column) -> Self {
        Reading {
            name: "",
            of: Of::Nowhere,
            column: Some(column),
        }
    }

    /// Whether rows have it.
    pub fn is_in_rows(&self) -> bool {
        !matches!(self.of, Of::Nowhere)
    }

    /// With a column of that heading.
    pub const fn headed(self, heading: &'static str) -> Self {
        self.column(Column::new(heading, self.name))
    }

    /// With that column.
    pub const fn column(self, column: Column) -> Self {
        Reading {
            column: Some(column),
            ..self
        }
    }

    /// With its column only where rows are such.
    pub const fn only_if(self, rows: fn(&[Row]) -> bool) -> Self {
        match self.column {
            Some(column) => self.column(column.only_if(rows)),
            None => self,
        }
    }

    /// Without a column.
    pub const fn hidden(self) -> Self {
        Reading {
            column: None,
            ..self
        }
    }

    /// What was chosen of it, of what has no report.
    pub fn chosen(&self, of: &Chosen) -> Value {
        match self.of {
            Of::Parameter(parameter) => chosen(of, parameter),
            Of::Run(_) | Of::Told | Of::FormText(_) | Of::Row(_) | Of::Nowhere => Value::Nothing,
        }
    }

    /// Its value.
    pub fn read(&self, run: &Finished<'_>) -> Value {
        match self.of {
            Of::Parameter(parameter) => chosen(run.chosen, parameter),
            Of::Run(of) => of(run),
            Of::Told => run.told(self.name),
            Of::FormText(form) => run.text_of(form),
            Of::Row(_) | Of::Nowhere => Value::Nothing,
        }
    }
}

/// Puts into a row what follows from its other readings.
pub fn put_what_follows(readings: &[Reading], of: &Chosen, row: &mut Row) {
    for reading in readings {
        if let Of::Row(follows) = reading.of {
            let value = follows(of, row);
            row.set(reading.name, value);
        }
    }
}

/// What was chosen of a parameter.
fn chosen(chosen: &Chosen, parameter: &Parameter) -> Value {
    if !chosen.takes(parameter) {
        return Value::Nothing;
    }
    match parameter.kind {
        Kind::Whole | Kind::Range(..) => chosen.whole(parameter).into(),
        Kind::Share | Kind::Amount => chosen.share(parameter).into(),
        Kind::Switch => chosen.is_on(parameter).into(),
        _ => chosen.shown(parameter).into(),
    }
}

impl Finished<'_> {
    /// What the report or its testbench has by that name.
    pub fn told(&self, name: &str) -> Value {
        let value = self.entry(name);
        Value::of_json(value.get("value").unwrap_or(&value))
    }

    /// The text of a closed form.
    fn text_of(&self, form: &str) -> Value {
        let form = self.entry(form);
        form.get("text").and_then(|text| text.as_str()).into()
    }

    /// The same as JSON; what a report has in parts, as a whole.
    fn entry(&self, name: &str) -> serde_json::Value {
        let report = self.report;
        match name {
            _ if name == BIT_TIMES.name => value(&report.bit_times),
            _ if name == BIT_TIMES.formula => value(&report.bit_times_formula),
            _ if name == STORAGE.name => value(&report.storage_bits_per_node.total),
            _ if name == STORAGE.formula => value(&report.storage_bits_formula),
            _ if name == FORWARDING_BUFFER.name => value(&report.peak.forwarding_buffer_bits),
            _ => report.family.entry(name).clone(),
        }
    }

    /// Register bits, and whatever else a node has one each of for each of its wires.
    pub fn wires_of_node(&self) -> usize {
        self.report.topology.directed_wires / self.report.topology.nodes
    }
}

/// Readings of every run.
pub mod of_all {
    use super::{Column, Reading};
    use crate::measure::table::differ;
    use crate::report;
    use crate::testbench::parameter::SEED;

    /// The testbench.
    pub const BENCH: Reading = Reading::run("bench", |run| run.report.bench.into());
    /// Nodes.
    pub const NODES: Reading = Reading::run("nodes", |run| run.report.topology.nodes.into())
        .column(Column::new("nodes", "nodes").or_in_words("{} nodes"));
    /// The seed, where there are several.
    pub const SEED_OF_ROW: Reading = Reading::run("seed", |run| run.report.seed.into())
        .column(Column::new(SEED.symbol, "seed").only_if(|rows| differ(rows, "seed")));
    /// What was sent.
    pub const MESSAGES: Reading = Reading::run("messages", |run| run.report.messages.into());
    /// What of it arrived.
    pub const DELIVERED: Reading = Reading::run("delivered", |run| run.report.delivered.into());
    /// Wires that a node drives.
    pub const WIRES_PER_NODE: Reading =
        Reading::run("wires_per_node", |run| run.wires_of_node().into()).headed("wires");
    /// Wires between nodes.
    pub const DIRECTED_WIRES: Reading = Reading::run("directed_wires", |run| {
        run.report.topology.directed_wires.into()
    });
    /// Bit times.
    pub const BIT_TIMES: Reading = Reading::quantity(&report::BIT_TIMES);
    /// Their closed form.
    pub const BIT_TIMES_FORMULA: Reading = Reading::formula(&report::BIT_TIMES);
    /// Its text.
    pub const BIT_TIMES_TEXT: Reading = Reading::formula_text(&report::BIT_TIMES);
    /// Routing steps.
    pub const ROUTING_STEPS: Reading = Reading::quantity(&report::ROUTING_STEPS);
    /// Their closed form.
    pub const ROUTING_STEPS_FORMULA: Reading = Reading::formula(&report::ROUTING_STEPS);
    /// Its text.
    pub const ROUTING_STEPS_TEXT: Reading = Reading::formula_text(&report::ROUTING_STEPS);
    /// The most bits that a node is to send on.
    pub const FORWARDING_BUFFER: Reading = Reading::quantity(&report::FORWARDING_BUFFER);
    /// Their closed form.
    pub const FORWARDING_BUFFER_FORMULA: Reading = Reading::formula(&report::FORWARDING_BUFFER);
    /// Its text.
    pub const FORWARDING_BUFFER_TEXT: Reading = Reading::formula_text(&report::FORWARDING_BUFFER);
    /// Gates on the longest path between registers.
    pub const LOGIC_DEPTH: Reading = Reading::run("logic_depth", |run| {
        let depth = run.report.logic_depth.as_ref();
        depth.map(|depth| depth.total).into()
    })
    .headed("depth");
    /// Of a node alone.
    pub const LOGIC_DEPTH_NODE: Reading = Reading::run("logic_depth_node", |run| {
        let depth = run.report.logic_depth.as_ref();
        depth.map(|depth| depth.node).into()
    });
    /// Of the sequencer.
    pub const LOGIC_DEPTH_SEQUENCER: Reading = Reading::run("logic_depth_sequencer", |run| {
        let depth = run.report.logic_depth.as_ref();
        depth.map(|depth| depth.sequencer).into()
    });
    /// The time of the run, in gates.
    pub const GATE_DELAYS: Reading = Reading::run("gate_delays", |run| {
        let depth = run.report.logic_depth.as_ref();
        depth
            .map(|depth| run.report.bit_times * depth.total as u64)
            .into()
    })
    .headed("gate delays");
    /// Register bits of a node.
    pub const STORAGE: Reading = Reading::quantity(&report::STORAGE);
    /// Their closed form.
    pub const STORAGE_FORMULA: Reading = Reading::formula(&report::STORAGE).hidden();
    /// Its text.
    pub const STORAGE_TEXT: Reading = Reading::formula_text(&report::STORAGE);
    /// Register bits of the sequencer.
    pub const SEQUENCER_STORAGE: Reading = Reading::told("sequencer_storage_bits");
    /// The most messages at a node.
    pub const PEAK_MESSAGES: Reading = Reading::run("peak_messages_per_node", |run| {
        run.report.peak.messages_per_node.into()
    });
    /// The most bits of messages at a node.
    pub const PEAK_OCCUPIED: Reading = Reading::run("peak_occupied_bits_per_node", |run| {
        run.report.peak.occupied_bits_per_node.into()
    });
    /// Serial adders of a node.
    pub const SERIAL_ADDERS: Reading = Reading::run("serial_adders_per_node", |run| {
        run.report.serial_adders_per_node.into()
    });
    /// The share of the wires' bit times that is used, or given out.
    pub const WIRE_USE: Reading = Reading::run("wire_use", |run| run.report.wire_use.into());
}
