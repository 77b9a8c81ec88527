//! Whereabouts written down by hand: what they say, and what is chosen of them. Eight nodes of a hypercube, steps of 50 bit
//! times, messages of 10 bits.

use super::*;

const MODULES: [Location; 2] = [Location::Module(0), Location::Module(1)];
const FRAME: u32 = 10;

/// A message is in a module of a node.
fn at(message: u32, node: u32, times: Range<u32>) -> Stay {
    Stay {
        from: times.start,
        to: times.end,
        message,
        node,
        location: MODULES[0],
        on_route: true,
    }
}

/// It crosses dimension 0 from there.
fn crosses(message: u32, node: u32, from: u32) -> Stay {
    Stay {
        location: Location::Wire(0),
        ..at(message, node, from..from + FRAME)
    }
}

/// Messages from node 0 to node 1.
fn whereabouts(messages: usize, stays: Vec<Stay>) -> Whereabouts {
    let sent = (0..messages).map(|number| Sent {
        name: format!("message {number}"),
        source: 0,
        destination: 1,
    });
    let position = |bit_time: u32| Position {
        iteration: 0,
        step: bit_time / 50,
        bit_time: bit_time % 50,
    };
    let receivers = (0..8u32).map(|node| (0..3).map(|wire| node ^ 1 << wire).collect());
    Whereabouts::new(
        sent.collect(),
        vec![vec!["first".to_owned()], vec!["second".to_owned()]],
        stays,
        (0..200).map(position).collect(),
        receivers.collect(),
    )
}

/// Everything is recorded.
fn all() -> Wanted<'static> {
    Wanted {
        message: None,
        nodes: None,
        window: 0..200,
        frame: FRAME,
    }
}

/// The first bit times are.
fn first_screen() -> Wanted<'static> {
    Wanted {
        window: 0..70,
        ..all()
    }
}

#[test]
fn modules_that_follow_each_other_are_one_stay_at_a_node() {
    let second = Stay {
        location: MODULES[1],
        ..at(0, 0, 3..8)
    };
    let found = whereabouts(1, vec![at(0, 0, 0..3), second, at(0, 0, 9..12)]);
    assert_eq!(found.at_nodes(0), [(0, 0..8), (0, 9..12)]);
}

/// What crosses and is taken by nobody is no way on.
#[test]
fn crossings_are_those_of_the_route() {
    let lost = Stay {
        on_route: false,
        ..crosses(0, 0, 30)
    };
    let found = whereabouts(1, vec![at(0, 0, 0..20), crosses(0, 0, 10), lost]);
    let begins = found.crossings(0).map(|(stay, wire)| (stay.from, wire));
    assert_eq!(begins.collect::<Vec<_>>(), [(10, 0)]);
}

/// What is in a node, and on wires that it drives or receives; nothing else of others.
#[test]
fn what_is_looked_up_is_at_the_nodes_that_are_shown() {
    let stays = vec![
        at(0, 0, 0..9),
        at(1, 3, 0..9),
        crosses(2, 3, 0),
        crosses(3, 2, 0),
        crosses(4, 5, 0),
    ];
    let shown = whereabouts(5, stays).at(&[2]);
    let there = |node: usize, place| shown.begun(node, place, 5).first().map(|stay| stay.message);
    let wire = Location::Wire(0);
    assert_eq!(
        [3, 2, 5].map(|node| there(node, wire)),
        [Some(2), Some(3), None]
    );
    assert_eq!([0, 3].map(|node| there(node, MODULES[0])), [None; 2]);
}

#[test]
fn nodes_have_the_roles_of_the_ends() {
    let found = whereabouts(1, vec![at(0, 0, 0..9), at(0, 3, 5..9), at(0, 1, 8..20)]);
    let choice = found.choose(&all()).unwrap();
    let roles = roles(&found, &choice);
    let roles: Vec<(usize, &str)> = roles.iter().map(|(node, role)| (*node, &**role)).collect();
    assert_eq!(
        roles,
        [(0, "source"), (3, "on its route"), (1, "destination")]
    );
}

/// Where it rests comes before where it passes through, and that before where it is at another time.
#[test]
fn nodes_are_shown_by_how_long_the_message_is_there() {
    let stays = vec![
        at(0, 0, 0..15),
        at(0, 2, 100..200),
        at(0, 1, 12..90),
        at(0, 4, 5..12),
    ];
    let choice = whereabouts(1, stays).choose(&first_screen()).unwrap();
    assert_eq!((choice.nodes, choice.window), (vec![1, 0, 4, 2], 0..70));
}

#[test]
fn of_messages_that_rest_as_often_one_that_meets_another_is_chosen() {
    let stays = vec![at(0, 0, 0..60), at(1, 1, 0..60), at(2, 1, 20..60)];
    assert_eq!(
        whereabouts(3, stays)
            .choose(&first_screen())
            .unwrap()
            .message,
        1
    );
}

#[test]
fn of_messages_that_tell_the_same_the_first_is_chosen() {
    let stays = vec![at(0, 0, 0..60), at(1, 1, 0..60)];
    assert_eq!(
        whereabouts(2, stays)
            .choose(&first_screen())
            .unwrap()
            .message,
        0
    );
}

/// Three nodes can be read; beyond them it counts how often a message gets on.
#[test]
fn more_nodes_than_can_be_read_do_not_count() {
    let mut stays: Vec<Stay> = (0..3).map(|node| at(0, node, 0..60)).collect();
    stays.extend((4..8).map(|node| at(1, node, 0..60)));
    stays.push(crosses(0, 0, 20));
    assert_eq!(
        whereabouts(2, stays)
            .choose(&first_screen())
            .unwrap()
            .message,
        0
    );
}

/// Though it rests at fewer nodes than one that is still under way.
#[test]
fn one_that_leaves_passes_a_node_and_arrives_is_chosen() {
    let under_way =
        [(0, 0..30), (4, 25..60), (5, 50..66), (3, 65..99)].map(|(node, times)| at(0, node, times));
    let whole = [(0, 0..30), (2, 28..36), (1, 35..200)].map(|(node, times)| at(1, node, times));
    let chosen = |leaves: u32| {
        let mut stays = [under_way.to_vec(), whole.to_vec()].concat();
        stays.extend([crosses(0, 0, 20), crosses(1, leaves, 20)]);
        let choice = whereabouts(2, stays).choose(&first_screen());
        choice.unwrap().message
    };
    assert_eq!(chosen(0), 1);
    assert_eq!(chosen(2), 0, "its first crossing is not from its source");
}

/// One that gets on while nobody sees it tells nothing.
#[test]
fn routes_on_count_that_can_be_seen_as_a_whole() {
    let mut stays = vec![at(0, 0, 0..200), at(1, 1, 0..200)];
    stays.extend([65, 120, 150].map(|from| crosses(0, 0, from)));
    stays.push(crosses(1, 2, 20));
    assert_eq!(
        whereabouts(2, stays)
            .choose(&first_screen())
            .unwrap()
            .message,
        1
    );
}

#[test]
fn a_view_opens_where_a_step_begins_in_which_most_is_told() {
    let stays = vec![at(0, 0, 0..112), at(0, 3, 111..130), at(0, 1, 129..170)];
    let choice = whereabouts(1, stays).choose(&all()).unwrap();
    assert_eq!((choice.nodes, choice.window), (vec![0, 1, 3], 100..170));
}

#[test]
fn a_message_comes_to_the_nodes_that_are_named() {
    let mut stays: Vec<Stay> = (0..3).map(|node| at(0, node, 0..60)).collect();
    stays.push(at(1, 5, 0..60));
    let found = whereabouts(2, stays);
    let near = |node: usize, message: Option<usize>| {
        let wanted = Wanted {
            message,
            nodes: Some(&[node]),
            ..first_screen()
        };
        found.choose(&wanted).map(|choice| choice.message)
    };
    assert_eq!(near(5, None), Some(1));
    assert_eq!(near(7, None), None);
    // Who names the message as well has it.
    assert_eq!(near(7, Some(0)), Some(0));
}

/// Its source and its destination are the first nodes, where it is seen at both.
#[test]
fn a_short_run_is_shown_as_a_whole_where_no_part_of_it_has_a_whole_story() {
    let stays = [(0, 0..30), (2, 28..110), (3, 108..200)];
    let mut stays: Vec<Stay> = stays.map(|(node, times)| at(0, node, times)).to_vec();
    stays.extend([crosses(0, 0, 20), crosses(0, 2, 100)]);
    let mut found = whereabouts(1, stays);
    found.messages[0].destination = 3;
    let shown = |frame: u32| {
        let choice = found.choose(&Wanted { frame, ..all() }).unwrap();
        (choice.window, choice.nodes)
    };
    assert_eq!(shown(FRAME + 3), (0..200, vec![0, 3, 2]));
    // Of shorter messages no screen has room for so long a run.
    assert_eq!(shown(FRAME).0.len(), 70);
}
