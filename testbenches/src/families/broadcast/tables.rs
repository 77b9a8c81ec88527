//! What the rows say together: the tables of Ho & Johnsson, and the times of Stout & Wagar as fits of runs.

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::CellAlignment::{Left, Right};

use crate::measure::row::Row;
use crate::report::aligned;

/// A table with a title.
fn table(title: &str, heading: &[&str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut all = vec![heading.iter().map(|cell| (*cell).to_owned()).collect()];
    all.extend(rows);
    let mut alignment = vec![Left, Left];
    alignment.resize(heading.len(), Right);
    format!("\n{title}\n{}\n", aligned(all, &alignment))
}

/// Rows of one broadcast on one kind of port and cube, in the order in which they come.
fn groups<'a>(rows: &'a [Row], names: &[&str]) -> Vec<(Vec<String>, Vec<&'a Row>)> {
    let mut groups: Vec<(Vec<String>, Vec<&Row>)> = Vec::new();
    for row in rows {
        let key = texts(row, names);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    groups
}

/// What a row has by these names.
fn texts(row: &Row, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| row.text(name)).collect()
}

fn number(row: &Row, name: &str) -> f64 {
    row.number(name).unwrap_or(0.0)
}

/// Ho & Johnsson's Tables 1 and 2: steps of one packet, and steps that each further packet takes.
pub(super) fn delays(rows: &[Row]) -> String {
    let mut of_groups = Vec::new();
    for (key, group) in groups(rows, &["algorithm", "ports", "dims"]) {
        let steps: BTreeMap<u64, f64> = (group.iter())
            .map(|row| (number(row, "packets") as u64, number(row, "routing_steps")))
            .collect();
        let (Some(&one), Some((&most, &last))) = (steps.get(&1), steps.iter().next_back()) else {
            continue;
        };
        if most == 1 {
            continue;
        }
        let each = (last - one) / (most - 1) as f64;
        let mut cells = key;
        cells.extend([format!("{one}"), format!("{each:.3}")]);
        of_groups.push(cells);
    }
    table(
        "steps of one packet, and of each further one (Ho & Johnsson, Tables 1 and 2)",
        &["broadcast", "ports", "n", "one packet", "each further"],
        of_groups,
    )
}

/// What stands in the way of a comparison where it differs.
const ALIKE: [&str; 5] = ["ports", "dims", "message_bits", "start_up", "source_node"];

/// Ho & Johnsson's Table 4: bit times as multiples of those of n edge-disjoint trees.
pub(super) fn ratios(rows: &[Row]) -> String {
    // Of long sweeps it would be longer than they are.
    const MOST: usize = 60;
    const ASKED: [&str; 6] = [
        "algorithm",
        "ports",
        "dims",
        "message_bits",
        "packet_bits",
        "start_up",
    ];
    let others = rows.iter().filter(|row| row.text("algorithm") != "msbt");
    match others.count() {
        0 => return String::new(),
        amount if amount == rows.len() => return String::new(),
        amount if amount > MOST => {
            return format!(
                "\nthe comparison with msbt (Ho & Johnsson, Table 4) would have {amount} rows and is left out: measure fewer points\n"
            );
        }
        _ => {}
    }
    let has_sizes = rows_have_sizes(rows);
    let mut compared = Vec::new();
    for row in rows.iter().filter(|row| row.text("algorithm") != "msbt") {
        let is_like = |other: &&Row| {
            let is_same_size = has_sizes || other.get("packet_bits") == row.get("packet_bits");
            other.text("algorithm") == "msbt"
                && ALIKE.iter().all(|name| other.get(name) == row.get(name))
                && is_same_size
        };
        let Some(msbt) = rows.iter().find(is_like) else {
            continue;
        };
        let ratio = number(row, "bit_times") / number(msbt, "bit_times").max(1.0);
        let mut cells = texts(row, &ASKED);
        cells.push(format!("{ratio:.2}"));
        compared.push(cells);
    }
    table(
        "bit times as multiples of msbt's (Ho & Johnsson, Table 4)",
        &["broadcast", "ports", "n", "M", "B", "T", "times"],
        compared,
    )
}

/// Whether a broadcast has one row for each message, whatever its packets: each has the size that is best for it.
fn rows_have_sizes(rows: &[Row]) -> bool {
    let names = [
        "algorithm",
        "ports",
        "dims",
        "message_bits",
        "start_up",
        "source_node",
        "seed",
    ];
    groups(rows, &names)
        .iter()
        .all(|(_, group)| group.len() == 1)
}

/// Whether rows tell `A` from `S`: of a single message or a single start-up, what is constant in the bit times would go into its
/// factor.
fn tell_apart(rows: &[&Row]) -> bool {
    let varies = |name| {
        let mut values = rows.iter().map(|row| number(row, name));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    varies("message_bits") && varies("start_up")
}

/// `T = A M + S T_s` of the rows of one broadcast, as the least squares have it: `A`, `S` and the largest residual.
pub(super) fn fitted(rows: &[&Row]) -> Option<(f64, f64, f64)> {
    let mut sums = [0.0; 5];
    for row in rows {
        let (m, t) = (number(row, "message_bits"), number(row, "start_up"));
        let bit_times = number(row, "bit_times");
        let parts = [m * m, m * t, t * t, m * bit_times, t * bit_times];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum += part;
        }
    }
    // Two rows fit whatever they are.
    if rows.len() < 3 || !tell_apart(rows) {
        return None;
    }
    let [mm, mt, tt, mb, tb] = sums;
    let determinant = mm * tt - mt * mt;
    if determinant <= mm * tt * 1e-12 {
        return None;
    }
    let a = (mb * tt - tb * mt) / determinant;
    let s = (tb * mm - mb * mt) / determinant;
    let residual = |row: &&Row| {
        let foretold = a * number(row, "message_bits") + s * number(row, "start_up");
        (foretold - number(row, "bit_times")).abs()
    };
    Some((a, s, rows.iter().map(residual).fold(0.0, f64::max)))
}

/// Ho & Johnsson's Table 3: of packets of the best size, their size and the bit times beside what calculus says of both.
pub(super) fn optima(rows: &[Row]) -> String {
    const MOST: usize = 60;
    const ASKED: [&str; 6] = [
        "algorithm",
        "ports",
        "dims",
        "message_bits",
        "start_up",
        "packet_bits",
    ];
    let optima = rows.iter().filter(|row| row.has("optimum_packet_bits"));
    let optima = optima.map(|row| {
        let digits = |name| format!("{:.1}", number(row, name));
        let mut cells = texts(row, &ASKED);
        cells.extend([
            digits("optimum_packet_bits"),
            row.text("bit_times"),
            digits("optimum_bit_times"),
        ]);
        cells
    });
    let optima: Vec<Vec<String>> = optima.collect();
    if optima.len() > MOST {
        return String::new();
    }
    table(
        "packets of the best size, and what calculus says of size and bit times (Ho & Johnsson, Table 3)",
        &[
            "broadcast",
            "ports",
            "n",
            "M",
            "T",
            "B",
            "B_opt",
            "bit times",
            "T_min",
        ],
        optima,
    )
}

/// Stout & Wagar's times: for as many packets, `A` and `S` of a fit beside steps by packets, and steps.
pub(super) fn fits(rows: &[Row]) -> String {
    let mut fits = Vec::new();
    let groups = groups(rows, &["algorithm", "ports", "dims", "packets"]);
    let are_of_one = |(_, group): &(_, Vec<&Row>)| group.len() > 2 && !tell_apart(group);
    let has_left_out = groups.iter().any(are_of_one);
    for (mut cells, group) in groups {
        let (Some((a, s, residual)), Some(first)) = (fitted(&group), group.first()) else {
            continue;
        };
        let steps = number(first, "routing_steps_formula");
        cells.extend([
            format!("{a:.4}"),
            format!("{:.4}", steps / number(first, "packets")),
            format!("{s:.3}"),
            format!("{steps}"),
            format!("{residual:.1}"),
        ]);
        fits.push(cells);
    }
    let mut text = table(
        "bit times as A M + S T, a fit of the runs (Stout & Wagar, section 2)",
        &[
            "broadcast",
            "ports",
            "n",
            "P",
            "A",
            "steps/P",
            "S",
            "steps",
            "off by",
        ],
        fits,
    );
    if !text.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  off by: the most bit times between a run and the fit; 0 where P divides M"
        );
    }
    if has_left_out {
        text += "\nno fit of A M + S T (Stout & Wagar, section 2) to runs of one start-up or of one message: give two of each or more\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::values;

    fn row(message_bits: u64, start_up: u64, bit_times: u64) -> Row {
        let values = values! {
            algorithm: "msbt",
            ports: "all",
            dims: 3_u64,
            packets: 1_u64,
            message_bits: message_bits,
            start_up: start_up,
            bit_times: bit_times,
            routing_steps_formula: 3_u64,
        };
        Row::new(values, &[])
    }

    #[test]
    fn a_fit_finds_both_factors_and_says_how_far_off_it_is() {
        let exact: Vec<Row> = [(10, 0), (10, 8), (50, 3)]
            .map(|(bits, start_up)| row(bits, start_up, 3 * bits + 5 * start_up))
            .into();
        let all: Vec<&Row> = exact.iter().collect();
        let (a, s, off) = fitted(&all).unwrap();
        assert!((a - 3.0).abs() < 1e-9 && (s - 5.0).abs() < 1e-9 && off < 1e-9);
        let bent = [row(10, 0, 30), row(10, 8, 70), row(50, 3, 175)];
        let (_, _, off) = fitted(&bent.iter().collect::<Vec<_>>()).unwrap();
        assert!(off > 0.5);
        // Two rows fit whatever they are, and rows in proportion say nothing of either factor.
        assert_eq!(fitted(&all[..2]), None);
        // What a start-up of its own, or a message, would be fitted to is whatever else there is.
        let of_one_start_up = [16, 64, 256].map(|bits| row(bits, 8, bits + 26));
        assert_eq!(fitted(&of_one_start_up.iter().collect::<Vec<_>>()), None);
        assert!(fits(&of_one_start_up).contains("one start-up"));
        let of_one_message = [1, 2, 3].map(|start_up| row(16, start_up, 17 + 3 * start_up));
        assert_eq!(fitted(&of_one_message.iter().collect::<Vec<_>>()), None);
        assert!(!fits(&exact).contains("one start-up"));
        let alike = [row(10, 1, 1), row(20, 2, 2), row(30, 3, 3)];
        assert_eq!(fitted(&alike.iter().collect::<Vec<_>>()), None);
    }
}
