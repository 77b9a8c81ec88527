use super::*;
use crate::gtkwave::listed::{Listed, signal};
use crate::trace::TextForm;

/// A machine with so many nodes, of which the last one alone has the message that is followed.
fn lines(nodes: usize) -> Vec<String> {
    let of_node = |node: usize| {
        let is_last = node + 1 == nodes;
        signal(&format!("cube.node_{node}.held.message"), true, is_last)
    };
    let recording = Recording {
        signals: [signal("cube.about", true, false)]
            .into_iter()
            .chain((0..nodes).map(of_node))
            .collect(),
        ticks: 0..100,
        step_names: &["", "1_step", "done"],
        opens_on: Some(0..50),
        titles: (0..nodes).map(|node| format!("node_{node}")).collect(),
        about: "what runs".to_owned(),
        verdict: "pass".to_owned(),
        followed: Some("1->2".to_owned()),
        legend: vec!["a = b".to_owned()],
        ..Recording::empty(TextForm::Strings)
    };
    let mut listed = Listed::default();
    let root = Scope::tree(&recording.signals);
    let crowding = Crowding::on(None, &recording);
    fill(&mut listed, &root, (&recording, &crowding), "filter");
    listed.lines
}

/// In the order of their declaration; those that say nothing of what is followed are folded.
#[test]
fn a_few_nodes_are_all_shown() {
    let lines = lines(3);
    assert_eq!(
        lines[..4],
        ["Yellow about", "- a = b", "- pass", "> clock, wires in use",]
    );
    let nodes: Vec<&String> = lines.iter().filter(|line| line.contains("node_")).collect();
    assert_eq!(nodes, ["> node_0", "> node_1", "- node_2"]);
    assert!(!lines.iter().any(|line| line.contains("more")));
}

#[test]
fn of_many_nodes_that_with_the_message_comes_first_and_others_are_left_out() {
    let lines = lines(MOST_NODES + 2);
    let nodes: Vec<&String> = lines.iter().filter(|line| line.contains("node_")).collect();
    assert_eq!(nodes.len(), MOST_NODES);
    assert_eq!(nodes[..2], ["- node_65", "> node_0"]);
    let last = lines.last().map(String::as_str);
    assert_eq!(last, Some("- 2 nodes more are in the dump"));
}
