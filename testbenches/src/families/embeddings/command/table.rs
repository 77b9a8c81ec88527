//! Tables of what is said of embeddings.

use comfy_table::CellAlignment::{self, Left, Right};

use crate::families::embeddings::command::row::{ConstructionRow, Measured};
use crate::families::embeddings::report::say_embedding;
use crate::report::{Told, aligned};

/// What stands below both.
const LEGEND: &str = "\
each figure as paper | corrected | measured, - where nothing is said; cost: steps of a phase in which every guest edge
sends so many packets, hop by hop, in a run of the machine; greedy: steps of the same packets, each as soon as it
can go; wires busy: the share of wires times steps with a packet
";

/// The headings of all embeddings.
const HEADINGS: &str = "embedding|from|n|width|dilation|congestion|packets|cost|greedy|load|expansion|wires busy|holds";

fn three((_, [paper, corrected], measured): &Measured<'_>) -> String {
    format!("{paper} | {corrected} | {measured}")
}

fn verdict(row: &ConstructionRow) -> &'static str {
    if row.holds() { "pass" } else { "FAIL" }
}

/// All embeddings, a row each.
pub fn of_all(rows: &[ConstructionRow]) -> String {
    let headings: Vec<String> = HEADINGS.split('|').map(str::to_owned).collect();
    let mut alignment: Vec<CellAlignment> = vec![Right; headings.len()];
    alignment[..2].fill(Left);
    let mut lines = vec![headings];
    lines.extend(rows.iter().map(|row| {
        let job = &row.job;
        let mut cells = vec![
            job.name.to_owned(),
            job.theorem.to_owned(),
            job.embedding.host().count().to_string(),
        ];
        cells.extend(row.figures().iter().map(three));
        cells.extend([
            row.greedy.to_string(),
            job.measures.load.to_string(),
            job.measures.expansion.to_string(),
            format!("{:.3}", row.wire_use),
            verdict(row).to_owned(),
        ]);
        cells
    }));
    format!(
        "embeddings of Greenberg & Bhatt 1990 in the hypercube of n dimensions: paper | corrected | measured\n\n{}\n\n{LEGEND}",
        aligned(lines, &alignment)
    )
}

/// One of them.
pub fn of_one(row: &ConstructionRow) -> String {
    let job = &row.job;
    let mut text = format!(
        "{}: {}\nGreenberg & Bhatt 1990, {}\n\n  {:<11} hypercube of {} dimensions: {} nodes\n",
        job.name,
        job.models,
        job.theorem,
        "host",
        job.embedding.host(),
        job.embedding.host().nodes(),
    );
    let mut told = Told::default();
    say_embedding(&mut told, job);
    for (name, value) in told.summary {
        text += &format!("  {name:<11} {value}\n");
    }
    text += &format!(
        "  {:<11} {} steps, {}; greedily {}\n  {:<11} {:.3} of wires times steps with a packet\n\n",
        "cost",
        row.steps,
        job.order.name(),
        row.greedy,
        "wires busy",
        row.wire_use
    );
    let headings = ["", "paper", "corrected", "measured"].map(str::to_owned);
    let mut lines = vec![headings.to_vec()];
    for (name, [paper, corrected], measured) in row.figures() {
        let name = name.replace('_', " ");
        lines.push(vec![
            name,
            paper.to_string(),
            corrected.to_string(),
            measured.to_string(),
        ]);
    }
    text += &aligned(lines, &[Left, Right, Right, Right]);
    text += &match job.is_as_claimed {
        true => format!("\n\n{}: what was measured is what holds\n", verdict(row)),
        false => format!(
            "\n\n{}: the claims about packets and steps are about others than those asked for\n",
            verdict(row)
        ),
    };
    text
}
