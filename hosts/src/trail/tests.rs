use rtl_model::machine::topology::hypercube::Dimensions;

use super::*;

/// What the texts at, next and crosses say in a bit time.
fn said(trail: &Trail, bit_time: u64) -> [String; 3] {
    [1, 2, 3].map(|number| {
        let mut text = String::new();
        trail.append(number, bit_time, &mut text);
        text
    })
}

/// Somebody who has seen this of a message from node 0 cross links: bit time, sender, number of the link, text.
pub(super) fn watching(
    destination: Option<usize>,
    seen: impl IntoIterator<Item = (u64, usize, usize, &'static str)>,
) -> Watch {
    let names = names(&Dimensions::new(3).unwrap());
    let mut watch = Watch::new(names, "message".to_owned(), (0, destination));
    for (bit_time, from, link, text) in seen {
        let over = (from, from ^ 1 << link, link);
        watch.see(bit_time..bit_time + 1, over, Some(text));
    }
    watch
}

fn watch(destination: Option<usize>, seen: &[(u64, usize, usize)]) -> Trail {
    let seen = seen.iter();
    let seen = seen.map(|&(bit_time, from, link)| (bit_time, from, link, "packet"));
    watching(destination, seen).finish()
}

/// From node 0 to node 1 in bit times 2 to 4, and from there to node 3 in bit times 3 to 5.
const SEEN: [(u64, usize, usize); 6] = [
    (2, 0, 0),
    (3, 0, 0),
    (3, 1, 1),
    (4, 0, 0),
    (4, 1, 1),
    (5, 1, 1),
];

#[test]
fn a_message_is_where_its_bits_are() {
    let trail = watch(Some(3), &SEEN);
    assert_eq!(trail.times(), Some(2..6));
    let told = [
        (0, ["0", "1", ""]),
        (2, ["0", "1", "0->1"]),
        (3, ["0,1", "3", "0->1 1->3"]),
        (4, ["0,1,3", "3", "0->1 1->3"]),
        (5, ["1,3", "3", "1->3"]),
        (6, ["3", "", ""]),
        (99, ["3", "", ""]),
    ];
    for (bit_time, expected) in told {
        assert_eq!(said(&trail, bit_time), expected, "bit time {bit_time}");
    }
}

/// What the text of the message says, without the blanks in it.
fn told(trail: &Trail) -> String {
    let mut told = String::new();
    trail.append(0, 7, &mut told);
    assert!(told.len() <= trail.told()[0].longest);
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where it lies, and what it only passes; nothing of what goes several ways, or does not go.
#[test]
fn a_route_is_told_in_order() {
    let passes = watch(Some(3), &SEEN);
    assert_eq!(told(&passes), "message by 1 to 3");
    let rests = [(2, 0, 0), (3, 0, 0), (4, 1, 1), (5, 1, 1)];
    assert_eq!(told(&watch(Some(3), &rests)), "message to 1, to 3");
    let parts = [(2, 0, 0), (2, 0, 1), (3, 1, 1)];
    assert_eq!(told(&watch(Some(3), &parts)), "message");
    assert_eq!(told(&watch(Some(3), &[])), "message");
}

/// Until all of it has come to the end of a leg; nothing of what goes several ways, or does not go.
#[test]
fn a_leg_is_told_until_it_is_over() {
    let legs = |trail: &Trail| {
        let leg = |bit_time| {
            let mut text = String::new();
            trail.append(LEG, bit_time, &mut text);
            assert!(text.len() <= trail.told()[LEG].longest);
            text
        };
        [0, 3, 4, 5, 6].map(leg)
    };
    let passes = watch(Some(3), &SEEN);
    assert_eq!(
        legs(&passes),
        ["0 to 3", "0 to 3", "0 to 3", "0 to 3", "at 3"]
    );
    let rests = [(2, 0, 0), (3, 0, 0), (4, 1, 1), (5, 1, 1)];
    assert_eq!(
        legs(&watch(Some(3), &rests)),
        ["0 to 1", "0 to 1", "1 to 3", "1 to 3", "at 3"]
    );
    let parts = [(2, 0, 0), (2, 0, 1), (3, 1, 1)];
    assert_eq!(legs(&watch(Some(3), &parts)), [""; 5]);
    assert_eq!(legs(&watch(Some(3), &[])), [""; 5]);
}

/// A part goes by node 1 and a part by node 2: beside the name the way of each stands, and next are the links that each is to
/// cross, not nodes, to which parts have come before.
#[test]
fn parts_are_told_where_each_goes_next() {
    let seen = [
        (2, 0, 0, "m:0"),
        (3, 0, 1, "m:1"),
        (4, 1, 1, "m:0"),
        (6, 2, 0, "m:1"),
    ];
    let trail = watching(Some(3), seen).finish();
    assert_eq!(told(&trail), "message bits 0: 0->1->3; bits 1: 0->2->3");
    let next = (0..8).map(|bit_time| said(&trail, bit_time)[1].clone());
    let due = ["0->1", "0->1", "0->2", "1->3", "2->3", "2->3", "", ""];
    assert_eq!(next.collect::<Vec<_>>(), due);
}

/// Bits that cross one behind the other are told apart where they are not neighbours in the message.
#[test]
fn pieces_one_behind_the_other_are_told_apart() {
    let seen = [
        (2, 0, 0, "m:0"),
        (3, 0, 0, "m:4"),
        (4, 1, 1, "m:0"),
        (5, 1, 2, "m:4"),
    ];
    let trail = watching(Some(3), seen).finish();
    assert_eq!(told(&trail), "message bits 0: 0->1->3; bits 4: 0->1->5");
}

/// There are more ways than the name has room beside it.
#[test]
fn of_many_ways_the_first_are_told() {
    let bits = ["m:0", "m:1", "m:2", "m:3", "m:4", "m:5"];
    let by = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
    let seen = bits.iter().zip(by).zip(1u64..);
    let seen = seen.flat_map(|((&bit, (first, second)), begin)| {
        let last = 3 - first - second;
        let nodes = [0, 1 << first, 1 << first | 1 << second];
        let hops = nodes.into_iter().zip([first, second, last]).zip(0..);
        hops.map(move |((from, link), place)| (10 * begin + place, from, link, bit))
    });
    let told = told(&watching(Some(7), seen).finish());
    let begin = "message bits 0: 0->1->3->7; bits 1: 0->1->5->7; bits 2: 0->2->3->7; ";
    assert_eq!(
        told,
        format!("{begin}bits 3: 0->2->6->7; bits 4: 0->4->5->7; ..")
    );
}

/// Packets of two bits go from node 0 to node 1 and on to node 3, each after a bit time in which a link is set up: between them
/// nothing is at node 1.
#[test]
fn a_node_that_all_packets_have_left_does_not_have_the_message() {
    let cube = Dimensions::new(3).unwrap();
    let mut watch = Watch::new(names(&cube), "0->3".to_owned(), (0, Some(3)));
    for step in 0..4u64 {
        let (from, link) = [(0, 0), (1, 1)][step as usize % 2];
        let packet = format!("packet_{}", step / 2);
        for bit in 0..3 {
            let text = (bit > 0).then_some(packet.as_str());
            let now = 3 * step + bit;
            watch.see(now..now + 1, (from, from ^ 1 << link, link), text);
        }
    }
    let trail = watch.finish();
    let at = (0..13).map(|bit_time| said(&trail, bit_time)[0].clone());
    let due = [
        "0", "0", "0,1", "0,1", "0,1", "0,1,3", "0,3", "0,3", "0,3,1", "3,1", "3,1", "3,1", "3",
    ];
    assert_eq!(at.collect::<Vec<_>>(), due);
    // While it is set up nothing crosses.
    let crosses = [0, 1, 3, 4, 6, 7, 9, 10].map(|bit_time| said(&trail, bit_time)[2].clone());
    let due = ["", "0->1", "", "1->3", "", "0->1", "", "1->3"];
    assert_eq!(crosses, due);
}

/// Bits 0 and 1, then 2 and 3 come to node 1. It sends 0 and 1, later 3 and 2, each for itself, and last a copy of 0 and 1: until
/// that has gone it has them. A bit that comes back and goes nowhere is not told.
#[test]
fn a_node_has_each_bit_until_it_has_gone_for_the_last_time() {
    let seen = [
        (0, 0, 0, "m:0"),
        (1, 0, 0, "m:0"),
        (3, 0, 0, "m:2"),
        (3, 1, 1, "m:0"),
        (4, 0, 0, "m:2"),
        (4, 1, 1, "m:0"),
        (6, 3, 1, "m:1"),
        (7, 1, 1, "m:3"),
        (9, 1, 1, "m:2"),
        (11, 1, 2, "m:0"),
        (12, 1, 2, "m:0"),
    ];
    let trail = watching(Some(7), seen).finish();
    let has = |node: usize| {
        let times = |bit_time: &u64| said(&trail, *bit_time)[0].contains(&node.to_string());
        (0..16).filter(times).collect::<Vec<u64>>()
    };
    assert_eq!(has(0), [0, 1, 2, 3, 4]);
    assert_eq!(has(1), Vec::from_iter(1..=12));
    assert_eq!(has(3), [5, 6]);
    assert_eq!(has(5), [0; 0]);
}

#[test]
fn what_is_for_all_stays_wherever_it_comes() {
    let trail = watch(None, &SEEN);
    assert_eq!(said(&trail, 6), ["0,1,3", "", ""]);
    assert_eq!(trail.role(1), Some("receives it"));
    let one = watch(Some(3), &SEEN);
    let roles = [0, 1, 3, 2].map(|node| one.role(node));
    let expected = [
        Some("source"),
        Some("on its route"),
        Some("destination"),
        None,
    ];
    assert_eq!(roles, expected);
    assert_eq!(watch(Some(0), &[]).role(0), Some("source and destination"));
}

/// A link that is crossed again after a pause is another hop; one of another node is in any case.
#[test]
fn a_pause_parts_hops() {
    let trail = watch(Some(3), &[(0, 0, 0), (0, 0, 1), (1, 0, 0), (3, 0, 0)]);
    let hops: Vec<(usize, Range<u64>)> = (trail.hops().iter())
        .map(|hop| (hop.link, hop.times.clone()))
        .collect();
    assert_eq!(hops, [(0, 0..2), (1, 0..1), (0, 3..4)]);
}

#[test]
fn of_many_nodes_a_text_names_some() {
    let all = (0..8).flat_map(|node| (0..3).map(move |link| (node as u64, node, link)));
    let trail = watch(None, &all.collect::<Vec<_>>());
    let [at, _, crosses] = said(&trail, 7);
    assert_eq!(at, "all 8");
    assert_eq!(crosses, "7->6 7->5 7->3");
    for (number, told) in trail.told().iter().enumerate() {
        for bit_time in 0..9 {
            let mut text = String::new();
            trail.append(number, bit_time, &mut text);
            assert!(text.len() <= told.longest, "{}: {text}", told.name);
        }
    }
}

/// Node 5 hears of it early, via node 4, and is not on the route from node 0 to node 3.
#[test]
fn a_first_screen_has_a_route_from_end_to_end() {
    let mut seen = vec![(0, 0, 2), (1, 4, 0)];
    seen.extend(SEEN);
    let trail = watch(Some(3), &seen);
    assert_eq!(trail.nodes(), [0, 4, 5, 1, 3]);
    assert_eq!(trail.first_screen(2), [0, 3]);
    assert_eq!(trail.first_screen(3), [0, 1, 3]);
    assert_eq!(trail.first_screen(4), [0, 1, 4, 3]);
    assert_eq!(trail.first_screen(9), [0, 1, 4, 5, 3]);
    assert_eq!(watch(Some(3), &[]).first_screen(4), [0, 3]);
    // Of what is for all, to where it comes last.
    let last = watch(None, &[(0, 0, 0), (1, 1, 1), (2, 3, 2)]);
    assert_eq!(last.first_screen(3), [0, 1, 7]);
}

#[test]
fn a_long_list_says_how_many_there_are_and_that_some_are_left_out() {
    let list = |amount: usize| {
        let mut text = String::new();
        let names = (0..amount).map(|name| name.to_string());
        append_list(names, (",", "nodes", 16), &mut text);
        assert!(text.len() <= longest_list(amount, 2), "{text}");
        text
    };
    assert_eq!(list(4), "0,1,2,3");
    assert_eq!(list(5), "5 nodes: 0,1,2,3,4");
    assert_eq!(list(7), "7 nodes: 0,1,2,3,4,5,6");
    assert_eq!(list(8), "8 nodes: 0,1,2,3,4,5,6,..");
    assert_eq!(list(16), "all 16");
}
