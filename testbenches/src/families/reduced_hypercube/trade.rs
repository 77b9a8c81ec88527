//! The trade: of each operation, the fastest on the reduced hypercube against the hypercube with as many nodes.

use comfy_table::CellAlignment::{Left, Right};

use crate::measure::row::Row;
use crate::report::aligned;

/// What must be alike for two rows to be compared.
const ALIKE: [&str; 8] = [
    "bench",
    "dims",
    "blocks",
    "word_bits",
    "keys",
    "operator",
    "switching",
    "seed",
];

/// Headings of what may tell rows of an operation on one network apart, and its name.
const FURTHER: [(&str, &str); 5] = [
    ("operator", "operator"),
    ("switching", "switching"),
    ("w", "word_bits"),
    ("p", "keys"),
    ("seed", "seed"),
];

/// Whether rows that have any differ in it.
fn varies(rows: &[Row], name: &str) -> bool {
    let texts = rows.iter().map(|row| row.text(name));
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    texts.windows(2).any(|pair| pair[0] != pair[1])
}

fn are_alike(one: &Row, other: &Row) -> bool {
    ALIKE.iter().all(|name| one.text(name) == other.text(name))
}

/// A table of ratios; nothing, where there is nothing to compare.
pub(super) fn text(rows: &[Row]) -> String {
    let is = |row: &&Row, network: &str| row.text("network") == network;
    let further = FURTHER.iter().filter(|(_, name)| varies(rows, name));
    let further: Vec<&(&str, &str)> = further.collect();
    let mut table = Vec::new();
    for full in rows.iter().filter(|row| is(row, "hypercube")) {
        let reduced = rows
            .iter()
            .filter(|row| is(row, "reduced-hypercube") && are_alike(row, full));
        let time = |row: &&Row| row.number("bit_times").unwrap_or(f64::INFINITY);
        let Some(fastest) = reduced.min_by(|one, other| time(one).total_cmp(&time(other))) else {
            continue;
        };
        let ratio = |name: &str| match (fastest.number(name), full.number(name)) {
            (Some(reduced), Some(full)) if full > 0.0 => format!("{:.2}", reduced / full),
            _ => String::new(),
        };
        let network = format!("RH({},{})", full.text("dims"), full.text("blocks"));
        let mut cells = vec![full.text("bench"), network];
        cells.extend(further.iter().map(|(_, name)| full.text(name)));
        cells.push(fastest.text("algorithm"));
        cells.extend(
            [
                "wires_per_node",
                "bit_times",
                "wires_times_bit_times",
                "gate_delays",
                "storage_bits_per_node",
            ]
            .map(ratio),
        );
        table.push(cells);
    }
    if table.is_empty() {
        return String::new();
    }
    let mut head = vec!["operation", "network"];
    head.extend(further.iter().map(|(heading, _)| *heading));
    head.push("fastest");
    let mut alignment = vec![Left; head.len()];
    let ratios = [
        "wires",
        "bit times",
        "wires x bit times",
        "gate delays",
        "storage",
    ];
    head.extend(ratios);
    alignment.extend(ratios.map(|_| Right));
    let mut lines = vec![head.into_iter().map(str::to_owned).collect()];
    lines.extend(table);
    format!(
        "\nthe fastest on the reduced hypercube in place of the hypercube with as many nodes: so many times the\n{}\n",
        aligned(lines, &alignment)
    )
}
