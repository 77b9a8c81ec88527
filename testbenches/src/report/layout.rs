//! How figures stand on a page.

use comfy_table::{CellAlignment, Table, presets};
use rtl_model::csv_file::visible;

/// `1 message`, `2 messages`.
pub(crate) fn counted(amount: usize, thing: &str) -> String {
    if amount == 1 {
        format!("1 {thing}")
    } else {
        format!("{amount} {thing}s")
    }
}

/// One, two and three: nothing, if there is none.
pub(crate) fn and(things: &[String]) -> String {
    match things.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Seconds, or milliseconds where there is less than one.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.2} ms", 1000.0 * seconds)
    } else {
        format!("{seconds:.2} s")
    }
}

/// Bytes a node, and of all of them, in a unit in which that is a figure.
pub(crate) fn memory(bytes_per_node: f64, nodes: usize) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let mut all = bytes_per_node * nodes as f64;
    let mut unit = 0;
    while all >= 1024.0 && unit + 1 < UNITS.len() {
        all /= 1024.0;
        unit += 1;
    }
    let digits = if unit == 0 { 0 } else { 2 };
    let unit = UNITS[unit];
    format!("{bytes_per_node} bytes a node, {all:.digits$} {unit} in all")
}

/// Names and values in two columns.
pub(crate) fn rows(rows: &[(impl ToString, String)]) -> String {
    let rows = rows
        .iter()
        // What stands in a row may be the name of a file.
        .map(|(name, value)| vec![name.to_string(), visible(value)])
        .collect();
    let mut text = aligned(rows, &[CellAlignment::Left, CellAlignment::Left]);
    text.push('\n');
    text
}

/// A table without lines: two blanks before every row, none behind.
pub(crate) fn aligned(rows: Vec<Vec<String>>, alignment: &[CellAlignment]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.add_rows(rows);
    for (column, alignment) in table.column_iter_mut().zip(alignment) {
        column.set_cell_alignment(*alignment);
        column.set_padding((0, 2));
    }
    table
        .lines()
        .map(|line| format!("  {}", line.trim_end()))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_a_unit_in_which_it_is_a_figure() {
        for (each, nodes, all) in [
            (51.5, 2, "51.5 bytes a node, 103 bytes in all"),
            (64.0, 64, "64 bytes a node, 4.00 KiB in all"),
            (62.0, 1 << 20, "62 bytes a node, 62.00 MiB in all"),
            (69.0, 1 << 28, "69 bytes a node, 17.25 GiB in all"),
        ] {
            assert_eq!(memory(each, nodes), all);
        }
    }
}
