use super::*;
use crate::gtkwave::listed::{Listed, signal};

/// Rows of a node with these signals, up to the group of all the rest: each signal's path, and whether it ever says something and
/// is of the worm that is followed.
fn rows_of(signals: &[(&str, bool, bool)], follows: bool) -> Vec<String> {
    let signals: Vec<Signal> = (signals.iter())
        .map(|(path, is_set, is_followed)| {
            signal(&format!("ccc.node.{path}"), *is_set, *is_followed)
        })
        .collect();
    let root = Scope::tree(&signals);
    let mut listed = Listed::default();
    node(&mut listed, &root.scopes[0].scopes[0], follows);
    let rest = listed
        .lines
        .iter()
        .position(|line| line.starts_with("> bits"));
    listed.lines.truncate(rest.unwrap());
    listed.lines
}

const SIGNALS: [(&str, bool, bool); 15] = [
    ("in_0.worm", true, false),
    ("in_0.waits_for", true, true),
    ("in_0.buffer.held", true, false),
    ("in_1.worm", true, true),
    ("in_1.waits_for", true, false),
    ("in_1.buffer.held", true, false),
    ("in_2.worm", false, false),
    ("in_2.buffer.held", false, false),
    ("dim_0.tx_worm", true, true),
    ("dim_0.tx", true, false),
    ("dim_0.tx_valid", true, false),
    ("dim_0.rx_worm", true, false),
    ("dim_0.rx", true, false),
    ("dim_0.rx_valid", true, false),
    ("host.eject", true, false),
];

#[test]
fn the_way_of_the_worm_that_is_followed_comes_first() {
    assert_eq!(
        rows_of(&SIGNALS, true),
        [
            "Violet in_1 worm",
            "Yellow in_1 waits_for",
            "in_1 held",
            // What waits for it is another worm.
            "Yellow in_0 worm",
            "Orange dim_0 tx_worm",
            "Orange dim_0 tx",
            "Orange dim_0 tx_valid",
            "> other wires",
            "  Green dim_0 rx_worm",
            "  Green dim_0 rx",
            "  Green dim_0 rx_valid",
        ]
    );
}

/// Of a circle, say: each node tells who waits for whom there.
#[test]
fn a_node_to_which_it_never_comes_tells_of_others() {
    let mut signals = SIGNALS;
    signals
        .iter_mut()
        .for_each(|(path, _, follows)| *follows &= path.ends_with("waits_for"));
    assert_eq!(
        rows_of(&signals, true)[..5],
        [
            "Yellow in_0 worm",
            "Yellow in_0 waits_for",
            "Yellow in_1 worm",
            "Yellow in_1 waits_for",
            "> other wires",
        ]
    );
}

#[test]
fn where_it_goes_over_no_link_it_comes_out() {
    let mut signals = SIGNALS;
    signals[8].2 = false;
    signals[11].2 = true;
    let mut with_host = signals.to_vec();
    with_host.push(("host.eject_valid", true, false));
    let rows = rows_of(&with_host, true);
    assert_eq!(
        rows[4..8],
        [
            "Green dim_0 rx_worm",
            "Green dim_0 rx",
            "Green dim_0 rx_valid",
            "Orange host eject",
        ]
    );
}

#[test]
fn where_nothing_is_followed_all_is_shown() {
    let rows = rows_of(&SIGNALS, false);
    assert_eq!(rows[6], "v wires");
    assert_eq!(rows.len(), 6 + 1 + 6);
}
