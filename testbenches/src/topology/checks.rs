//! What must hold of the facts of a network.

use rtl_model::embedding::reduced_hypercube::emulation::Dilations;

use crate::report::{Check, counted};
use crate::topology::facts::{Cycles, Emulation, Facts, Search, SharedCopies};
use crate::topology::text::average;

/// Theorem 3: each link of a copy lies on one wire, and no directed wire has more links than two.
const DILATION: usize = 1;
const CONGESTION: usize = 2;

/// Verdicts on what was counted. What was not, since there are too many nodes, has none.
pub(super) fn checks(facts: &Facts) -> Vec<Check> {
    let mut checks = Vec::new();
    if let Some(search) = &facts.search {
        checks.extend(of_search(facts, search));
    }
    if let Some(emulation) = &facts.emulation {
        checks.extend(of_emulation(emulation));
    }
    if let Some(copies) = &facts.copies {
        checks.extend(of_copies(copies));
    }
    if let Some(cycles) = &facts.cycles {
        checks.extend(of_cycles(facts, cycles));
    }
    checks
}

fn of_search(facts: &Facts, search: &Search) -> Vec<Check> {
    let reached = search.reached_nodes == facts.nodes;
    let reached_detail = format!(
        "{} of {} nodes, from node 0",
        search.reached_nodes, facts.nodes
    );
    let formula = &facts.diameter_formula;
    let diameter = search.diameter as u64 == formula.value;
    let diameter_detail = format!(
        "{} by search; {} = {}",
        search.diameter, formula.text, formula.value
    );
    let mut checks = vec![
        Check::new("all are reached", reached, reached_detail),
        Check::new("diameter", diameter, diameter_detail),
    ];
    if let Some(formula) = &facts.average_distance_formula {
        let searched = average(search.average_distance);
        checks.push(Check::new(
            "average distance",
            search.average_distance == Some(formula.average),
            format!(
                "{searched} by search; {} = {}",
                formula.text, formula.average.fraction
            ),
        ));
    }
    checks
}

fn of_emulation(emulation: &Emulation) -> Vec<Check> {
    let formula = &emulation.average_dilation_formula;
    let leads = emulation.paths - emulation.paths_astray.min(emulation.paths);
    let mut checks = vec![
        Check::new(
            "paths",
            emulation.paths_astray == 0,
            format!(
                "{leads} of {} lead to the neighbour, with 2 popcount(m^j) + 1 wires",
                emulation.paths
            ),
        ),
        Check::new(
            "dilation",
            emulation.dilation == emulation.dilation_formula,
            format!(
                "{}; by closed form {}",
                in_words(&emulation.dilation),
                in_words(&emulation.dilation_formula)
            ),
        ),
    ];
    if let Some(shortest) = &emulation.shortest {
        checks.push(Check::new(
            "no shorter path",
            emulation.dilation == *shortest,
            format!("shortest paths by search: {}", in_words(shortest)),
        ));
    }
    checks.push(Check::new(
        "average dilation",
        emulation.average_dilation == Some(formula.average),
        format!(
            "{} counted; {} = {}",
            average(emulation.average_dilation),
            formula.text,
            formula.average.fraction
        ),
    ));
    checks
}

/// `6 links of 1 wire, 2 of 3, 1 of 5`.
fn in_words(dilations: &Dilations) -> String {
    let mut words: Vec<String> = Vec::new();
    for (dilation, links) in dilations.links() {
        words.push(match words.is_empty() {
            true => format!(
                "{} of {}",
                counted(links, "link"),
                counted(dilation, "wire")
            ),
            false => format!("{links} of {dilation}"),
        });
    }
    words.join(", ")
}

fn of_copies(copies: &SharedCopies) -> Vec<Check> {
    let (dilation, congestion) = (copies.dilation, copies.congestion);
    vec![
        Check::new(
            "dilation",
            dilation == DILATION,
            format!(
                "{} a link at the most; Theorem 3 has {DILATION}",
                counted(dilation, "wire")
            ),
        ),
        Check::new(
            "congestion",
            congestion == CONGESTION,
            format!("{congestion} links a directed wire at the most; Theorem 3 has {CONGESTION}"),
        ),
    ]
}

fn of_cycles(facts: &Facts, cycles: &Cycles) -> Vec<Check> {
    let Some(followed) = &cycles.followed else {
        return Vec::new();
    };
    let on_wires = followed.links - followed.links_without_wire.min(followed.links);
    let once = followed.nodes_taken_once;
    let links = 2 * facts.nodes;
    vec![
        Check::new(
            "cycles on wires",
            on_wires == links && followed.wires_taken == links,
            format!(
                "{on_wires} of {links} links, two a node, lie on a wire each; on {} wires",
                followed.wires_taken
            ),
        ),
        Check::new(
            "cycles are disjoint",
            once == facts.nodes,
            format!("{once} of {} nodes are in one copy, once", facts.nodes),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use rtl_model::closed_form::fraction::Fraction;

    use super::*;
    use crate::topology::facts::Average;
    use crate::topology::{Network, NetworkName, count};

    fn facts(name: NetworkName, dims: usize, blocks: Option<usize>) -> Facts {
        count::facts(&Network::new(name, dims, blocks).unwrap()).unwrap()
    }

    fn failing(facts: &Facts) -> Vec<&'static str> {
        let checks = checks(facts).into_iter();
        checks
            .filter(|check| !check.passed)
            .map(|check| check.name)
            .collect()
    }

    /// The name of a check, and what makes a fact wrong that it looks at.
    type Fault = (&'static str, fn(&mut Facts));

    /// One for every check.
    fn faults() -> Vec<Fault> {
        vec![
            ("all are reached", |facts| {
                facts.search.as_mut().unwrap().reached_nodes -= 1;
            }),
            ("diameter", |facts| {
                facts.search.as_mut().unwrap().diameter += 1
            }),
            ("average distance", |facts| {
                let wrong = Average::from(Fraction::new(22, 7));
                facts.search.as_mut().unwrap().average_distance = Some(wrong);
            }),
            ("paths", |facts| {
                facts.emulation.as_mut().unwrap().paths_astray = 1
            }),
            ("dilation", |facts| match &mut facts.emulation {
                Some(emulation) => emulation.dilation_formula = Dilations::of([1, 3]),
                None => facts.copies.as_mut().unwrap().dilation = 2,
            }),
            ("no shorter path", |facts| {
                facts.emulation.as_mut().unwrap().shortest = Some(Dilations::of([1, 3]));
            }),
            ("average dilation", |facts| {
                let wrong = Average::from(Fraction::new(22, 7));
                facts.emulation.as_mut().unwrap().average_dilation = Some(wrong);
            }),
            ("congestion", |facts| {
                facts.copies.as_mut().unwrap().congestion = 3
            }),
            ("cycles on wires", |facts| {
                let followed = facts.cycles.as_mut().unwrap().followed.as_mut();
                followed.unwrap().links_without_wire = 1;
            }),
            ("cycles are disjoint", |facts| {
                let followed = facts.cycles.as_mut().unwrap().followed.as_mut();
                followed.unwrap().nodes_taken_once -= 1;
            }),
        ]
    }

    /// A wrong fact fails its check and no other; and there is none that nothing can fail.
    #[test]
    fn every_check_can_fail() {
        let mut made: Vec<&str> = Vec::new();
        for (name, dims, blocks) in [
            (NetworkName::Hypercube, 4, None),
            (NetworkName::Ccc, 3, None),
            (NetworkName::Copies, 6, None),
            (NetworkName::ReducedHypercube, 3, Some(2)),
        ] {
            let right = facts(name, dims, blocks);
            assert_eq!(failing(&right), Vec::<&str>::new());
            for check in checks(&right) {
                let all = faults();
                let fault = all.iter().find(|(name, _)| *name == check.name);
                let (name, fault) = fault.unwrap();
                let mut wrong = right.clone();
                fault(&mut wrong);
                assert_eq!(failing(&wrong), [*name]);
                made.push(name);
            }
        }
        assert!(faults().iter().all(|(name, _)| made.contains(name)));
    }

    #[test]
    fn a_fact_that_fails_its_check_fails_the_report() {
        let mut facts = facts(NetworkName::ReducedHypercube, 1, Some(1));
        assert!(crate::topology::Report::on(facts.clone()).passed());
        facts.diameter_formula.value = 5;
        let report = crate::topology::Report::on(facts);
        assert!(!report.passed());
        let text = report
            .formatted(
                crate::options::Format::Text,
                &crate::report::Meta::default(),
            )
            .unwrap();
        assert!(text.contains("FAIL  diameter"), "{text}");
    }

    #[test]
    fn a_table_of_dilations_in_words() {
        let told = in_words(&Dilations::of([1, 1, 3, 5, 1, 3]));
        assert_eq!(told, "3 links of 1 wire, 2 of 3, 1 of 5");
    }

    /// What has too many nodes is not searched, and what needs no search is checked all the same.
    #[test]
    fn what_is_not_searched_has_no_verdict() {
        let large = facts(NetworkName::ReducedHypercube, 26, Some(1));
        let names: Vec<&str> = checks(&large).iter().map(|check| check.name).collect();
        assert_eq!(names, ["paths", "dilation", "average dilation"]);
        assert!(checks(&facts(NetworkName::Hypercube, 28, None)).is_empty());
    }
}
