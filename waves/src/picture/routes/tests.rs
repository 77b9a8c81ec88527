use super::*;
use crate::picture::run::{Crossing, Stay};

/// A message that stays at so many nodes.
fn route(name: &str, stays: u32) -> Route {
    Route {
        name: name.to_owned(),
        stays: (0..stays)
            .map(|node| Stay {
                node,
                from: node,
                to: node + 1,
            })
            .collect(),
        ..Route::default()
    }
}

fn names_of(choice: &Choice) -> Vec<&str> {
    choice
        .routes
        .iter()
        .map(|route| route.name.as_str())
        .collect()
}

#[test]
fn whole_routes_are_kept_from_the_first_on() {
    let mut run = Run {
        messages: vec![route("a", 3), route("b", 4), route("c", 1), route("d", 2)],
        ..Run::default()
    };
    assert_eq!(names_of(&choose(&run, 10)), ["a", "b", "c", "d"]);
    // `c` would fit, but it is not one of the first.
    assert_eq!(names_of(&choose(&run, 6)), ["a"]);
    run.shown = Some(3);
    let choice = choose(&run, 6);
    assert_eq!((names_of(&choice), choice.shown), (vec!["a", "d"], Some(1)));
    let choice = choose(&run, 0);
    assert_eq!((names_of(&choice), choice.shown), (vec!["d"], Some(0)));
}

/// What has no room is not looked for: the same routes are drawn, whichever message is the chosen one.
#[test]
fn routes_that_find_no_room_need_not_be_known() {
    let most = MOST_WAY_PARTS as u32;
    for stays in [
        [most - 1, 1, 1, 1],
        [most - 1, 2, 1, 1],
        [most, 1, 1, 1],
        [most + 1, 1, 1, 1],
        [most / 2, most / 2, 1, 1],
        [most / 2, most, 1, 1],
    ] {
        let all: Vec<Route> = ["a", "b", "c", "d", "e"]
            .into_iter()
            .zip(stays.into_iter().chain([5]))
            .map(|(name, stays)| route(name, stays))
            .collect();
        for shown in [None, Some(0), Some(1), Some(3)] {
            let mut room = Room::of_nodes(MOST_ROWS + 1);
            let found = all.iter().enumerate().map(|(number, all)| {
                let is_found = room.is_left() || shown == Some(number);
                let route = match is_found {
                    true => all.clone(),
                    false => route(&all.name, 0),
                };
                room.take(&route);
                route
            });
            let of = |messages: Vec<Route>| Run {
                messages,
                shown,
                ..Run::default()
            };
            let (found, all) = (of(found.collect()), of(all.clone()));
            for most in [MOST_WAY_PARTS, MOST_WAY_PARTS / 2, 0] {
                assert!(choose(&found, most) == choose(&all, most), "{stays:?}");
            }
            assert!(found.messages != all.messages, "{stays:?}");
        }
    }
    let mut room = Room::of_nodes(MOST_ROWS);
    room.take(&route("a", 2 * most));
    assert!(room.is_left(), "which messages are at a node is told");
}

#[test]
fn equal_names_are_numbered() {
    let run = Run {
        messages: vec![
            route("1->2", 1),
            route("1->3", 1),
            route("1->2", 1),
            route("1->2", 1),
        ],
        ..Run::default()
    };
    assert_eq!(
        names_of(&choose(&run, 9)),
        ["1->2", "1->3", "1->2 (2)", "1->2 (3)"]
    );
}

/// The example of the run's description, given in any order.
#[test]
fn a_route_is_told_in_the_order_of_time() {
    let mut route = route("3->17", 0);
    route.stays = vec![
        Stay {
            node: 1,
            from: 13,
            to: 30,
        },
        Stay {
            node: 3,
            from: 0,
            to: 13,
        },
    ];
    route.crossings = vec![Crossing {
        sender: 3,
        receiver: 1,
        from: 12,
        to: 20,
    }];
    let run = Run {
        messages: vec![route],
        ..Run::default()
    };
    let drawn = choose(&run, 9).routes.remove(0);
    assert_eq!(drawn.nodes(), [1, 3]);
    let names = (0..4).map(|node| (node, format!("n{node}"))).collect();
    assert_eq!(
        drawn.route(&names),
        "3->17, by bit times: at n3 in 0 to 12, from n3 to n1 in 12 to 19, at n1 in 13 to 29"
    );
}

/// Messages that share a wire bit by bit each have every second bit time.
#[test]
fn bits_with_a_bit_time_between_are_one_crossing() {
    let mut route = route("3->17", 0);
    let crossing = |from: u32| Crossing {
        sender: 3,
        receiver: 1,
        from,
        to: from + 1,
    };
    route.stays.clear();
    route.crossings = [12, 14, 16, 19].map(crossing).into();
    let run = Run {
        messages: vec![route],
        ..Run::default()
    };
    let drawn = choose(&run, 9).routes.remove(0);
    let names = (0..4).map(|node| (node, format!("n{node}"))).collect();
    assert_eq!(
        drawn.route(&names),
        "3->17, by bit times: from n3 to n1 in 12 to 16, 3 of them, from n3 to n1 in 19"
    );
}
