use super::*;
use crate::gtkwave::listed::{Listed, signal};

/// What is followed comes first and is violet; then what else is seen; then what is folded away.
#[test]
fn a_node_shows_what_is_followed_first() {
    let signals = [
        signal("occupied_bits", true, false),
        signal("dim_0.tx_message", true, true),
        signal("dim_0.rx_message", false, false),
        signal("dim_0.tx", true, false),
        signal("dim_0.rx", false, false),
        // Somebody's zeros cross here.
        signal("dim_1.tx", false, false),
        signal("dim_1.rx", true, false),
        signal("dim_1.tx_message", true, false),
        signal("first_message.message", true, false),
        signal("first_message.bits", true, false),
        signal("second_message.message", true, true),
        signal("empty_message.message", false, false),
        signal("row.stage_0.message", true, false),
        signal("row.stage_1.message", true, true),
        signal("row.count", true, false),
    ];
    let root = Scope::tree(&signals);
    let mut listed = Listed::default();
    assert!(is_named(&listed, &root));
    node(&mut listed, &root);
    let expected = [
        "Yellow occupied_bits",
        "Violet second_message",
        "Violet row stage_1",
        "first_message",
        "Orange dim_0 tx message",
        "Orange dim_0 tx",
        "> other rows",
        "  > other messages, other wires",
        "    row stage_0",
        "    Orange dim_1 tx message",
        "    Orange dim_1 tx",
        "    Green dim_1 rx",
        "  > idle wires, registers",
        "    Green dim_0 rx message",
        "    Green dim_0 rx",
        "    empty_message",
        "    first_message bits",
        "    row count",
    ];
    assert_eq!(listed.lines, expected);
}

/// It follows the message, but not while the view is open; or others are seen: that is not worth a look.
#[test]
fn a_node_is_worth_a_look_where_what_is_followed_is_seen() {
    for (in_sight, follows, expected) in [
        (true, true, true),
        (true, false, false),
        (false, true, false),
    ] {
        let signals = [
            signal("occupied_bits", true, true),
            signal("row.stage_0.message", in_sight, follows),
        ];
        assert_eq!(is_worth_a_look(&Scope::tree(&signals)), expected);
    }
}

#[test]
fn long_names_leave_room_for_values() {
    for (path, expected) in [
        ("second_message", "second_message"),
        (
            "stages stage_0 iteration spreading",
            "stage_0 iteration spreading",
        ),
        (
            "stages stage_0 iteration spreading packing dim_2 out",
            "stage_0 dim_2 out",
        ),
        ("packing dim_2 out", "packing dim_2 out"),
        ("a_part_without_any_number another last", "another last"),
    ] {
        assert_eq!(shortened(path), expected);
    }
}
