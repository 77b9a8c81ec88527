use super::*;
use crate::gtkwave::listed::{Listed, signal};
use crate::gtkwave::markers::Screen;
use crate::probe::Recording;
use crate::trace::TextForm;

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
    let crowding = Crowding::on(None, &Recording::empty(TextForm::Strings));
    node(&mut listed, &root.scopes[0].scopes[0], follows, &crowding);
    let is_rest = |line: &String| line.trim_start().starts_with("> bits");
    let rest = listed.lines.iter().position(is_rest);
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
            "Orange dim_0 tx_worm",
            "Orange dim_0 tx",
            "Orange dim_0 tx_valid",
            "> other rows",
            "  > other worms",
            // What waits for it is another worm.
            "    Yellow in_0 worm",
            "  > other wires",
            "    Green dim_0 rx_worm",
            "    Green dim_0 rx",
            "    Green dim_0 rx_valid",
        ]
    );
}

/// Whose bits go over a wire that worms share bit by bit: nobody could read it.
#[test]
fn what_changes_too_often_is_folded_away() {
    let mut signals: Vec<Signal> = (SIGNALS.iter())
        .map(|(path, set, follows)| signal(&format!("ccc.node.{path}"), *set, *follows))
        .collect();
    signals[8].said = (0..10).map(|tick| (tick, 5)).collect();
    let root = Scope::tree(&signals);
    let recording = Recording {
        ticks: 0..100,
        ..Recording::empty(TextForm::Strings)
    };
    let screen = Screen {
        from: 0,
        to: 100,
        pixels: 1000.0,
    };
    let lines = |screen: Option<Screen>| {
        let mut listed = Listed::default();
        let crowding = Crowding::on(screen, &recording);
        node(&mut listed, &root.scopes[0].scopes[0], true, &crowding);
        listed.lines
    };
    let [open, folded] = ["Orange dim_0 tx_worm", "    Orange dim_0 tx_worm"].map(str::to_owned);
    assert!(lines(None).contains(&open));
    let crowded = lines(Some(screen));
    assert!(!crowded.contains(&open) && crowded.contains(&folded));
    assert!(crowded.contains(&"Orange dim_0 tx".to_owned()));
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
            "> other rows",
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
        rows[2..6],
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
