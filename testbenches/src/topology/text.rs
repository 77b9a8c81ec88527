//! The facts of a network on a page.

use std::fmt::Write;

use comfy_table::CellAlignment;

use crate::report::{Check, aligned, check_rows, counted, rows};
use crate::topology::facts::{Average, Cycles, Emulation, Facts, Field, SharedCopies};

/// For people.
pub(super) fn text(facts: &Facts, checks: &[Check]) -> String {
    let mut text = format!("{}: {}\n{}\n\n", facts.network, facts.models, facts.source);
    text.push_str(&rows(&summary(facts)));
    if let Some(emulation) = &facts.emulation {
        text.push_str(&dilations(emulation));
    }
    let _ = match checks {
        [] => write!(text, "\nno checks: there are too many nodes to search\n"),
        _ => write!(text, "\nchecks\n{}", rows(&check_rows(checks))),
    };
    text
}

/// An average, to the last digit and as a number; a dash, where there is none.
pub(super) fn average(average: Option<Average>) -> String {
    match average {
        None => "-".to_owned(),
        Some(Average { fraction, .. }) => {
            let exact = fraction.to_string();
            match exact.contains('/') {
                true => format!("{exact} = {:.3}", fraction.value()),
                false => exact,
            }
        }
    }
}

fn summary(facts: &Facts) -> Vec<(&'static str, String)> {
    let mut summary = vec![
        ("network", facts.name.clone()),
        ("nodes", facts.nodes.to_string()),
        ("address", address(&facts.address_fields)),
        (
            "wires",
            format!(
                "{} out of a node, {} directed wires",
                facts.wires_per_node, facts.directed_wires
            ),
        ),
    ];
    if let Some(cube) = &facts.hypercube {
        summary.push((
            "hypercube",
            format!(
                "of as many nodes: {} out of a node, {} directed wires",
                cube.dims, cube.directed_wires
            ),
        ));
    }
    let not_searched = || {
        format!(
            "not searched: {} nodes, at most {}",
            facts.nodes, facts.most_searched_nodes
        )
    };
    let formula = &facts.diameter_formula;
    let searched = facts.search.as_ref();
    let diameter = searched.map_or_else(not_searched, |search| search.diameter.to_string());
    summary.push((
        "diameter",
        format!("{diameter}; {} = {}", formula.text, formula.value),
    ));
    let distance = searched.map_or_else(not_searched, |search| {
        format!("{} to another node", average(search.average_distance))
    });
    let closed_form = facts.average_distance_formula.as_ref().map(|formula| {
        let value = average(Some(formula.average));
        format!("; {} = {value}", formula.text)
    });
    summary.push((
        "average distance",
        distance + &closed_form.unwrap_or_default(),
    ));
    if let Some(copies) = &facts.copies {
        summary.extend(of_copies(copies));
    }
    if let Some(cycles) = &facts.cycles {
        summary.push(("cycles", of_cycles(facts, cycles, not_searched)));
    }
    summary
}

/// `9 bits: block 4 | sub-block 2 | low 3`.
fn address(fields: &[Field]) -> String {
    let bits: usize = fields.iter().map(|field| field.bits).sum();
    let listed: Vec<String> = (fields.iter())
        .map(|field| format!("{} {}", field.name, field.bits))
        .collect();
    match fields {
        [_] => format!("{}, one a dimension", counted(bits, "bit")),
        _ => format!("{}: {}", counted(bits, "bit"), listed.join(" | ")),
    }
}

fn of_copies(copies: &SharedCopies) -> [(&'static str, String); 3] {
    [
        (
            "copies",
            format!(
                "{} of cube-connected cycles of {} levels, each on all nodes",
                copies.copies, copies.levels
            ),
        ),
        (
            "dilation",
            format!("{} a link", counted(copies.dilation, "wire")),
        ),
        (
            "congestion",
            format!(
                "{} to {} links on a directed wire; at most {} on the two between two nodes",
                copies.least_congestion, copies.congestion, copies.undirected_congestion
            ),
        ),
    ]
}

fn of_cycles(facts: &Facts, cycles: &Cycles, not_searched: impl Fn() -> String) -> String {
    let copies = match cycles.copies {
        1 => "1 copy".to_owned(),
        more => format!("{more} disjoint copies"),
    };
    let found = match &cycles.followed {
        None => not_searched(),
        Some(followed) => format!(
            "{} of {} directed wires taken",
            followed.wires_taken, facts.directed_wires
        ),
    };
    let levels = cycles.levels;
    format!("{copies} of cube-connected cycles of {levels} levels; {found}")
}

/// The table of dilations.
fn dilations(emulation: &Emulation) -> String {
    let heading = ["wires of a link", "links", "by closed form"];
    let closed_form: Vec<(usize, usize)> = emulation.dilation_formula.links().collect();
    let mut table = vec![heading.map(str::to_owned).to_vec()];
    for (dilation, links) in emulation.dilation.links() {
        let known = closed_form.iter().find(|(of, _)| *of == dilation);
        let known = known.map_or("-".to_owned(), |(_, links)| links.to_string());
        table.push(vec![dilation.to_string(), links.to_string(), known]);
    }
    let formula = &emulation.average_dilation_formula;
    let counted = average(emulation.average_dilation);
    let (written, value) = (formula.text, average(Some(formula.average)));
    format!(
        "\nthe hypercube with as many nodes, laid into it: links of a node by dilation\n{}\n  on average {counted}; {written} = {value}\n",
        aligned(table, &[CellAlignment::Right; 3])
    )
}

#[cfg(test)]
mod tests {
    use rtl_model::closed_form::fraction::Fraction;

    use super::*;

    #[test]
    fn averages_are_told_to_the_last_digit() {
        let told = |one, other| average(Some(Fraction::new(one, other).into()));
        assert_eq!(told(17, 9), "17/9 = 1.889");
        assert_eq!(told(4, 2), "2");
        assert_eq!(average(None), "-");
    }
}
