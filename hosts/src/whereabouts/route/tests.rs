use super::*;

const MODULES: [Location; 2] = [Location::Module(0), Location::Module(1)];
const WIRE: Location = Location::Wire(0);

fn copy(part: u32, node: u32, location: Location, times: std::ops::Range<u32>) -> Copy {
    Copy {
        from: times.start,
        to: times.end,
        message: part,
        node,
        location,
        on_route: false,
    }
}

fn told(mut copies: Vec<Copy>) -> Vec<(u32, Location, std::ops::Range<u32>, bool)> {
    let sent = Sent {
        name: "0->1".to_owned(),
        source: 0,
        destination: 1,
    };
    let is_on_wire = |copy: &Copy| matches!(copy.location, Location::Wire(_));
    copies.sort_by_key(|copy| {
        let part = copy.message % PARTS;
        (part, is_on_wire(copy), copy.node, copy.location, copy.from)
    });
    let mut stays = Vec::new();
    append_stays(&copies, (0, &sent), &|node, _| node ^ 1, 10, &mut stays);
    stays.sort_unstable();
    let tell = |stay: &Stay| (stay.node, stay.location, stay.from..stay.to, stay.on_route);
    stays.iter().map(tell).collect()
}

/// Node 0 sends, goes on holding what it had, and its stage keeps the last bit; node 1 takes it. It also sends on wire 1,
/// from which nobody takes anything.
#[test]
fn what_stays_behind_is_not_the_message() {
    let copies = vec![
        copy(FIRST, 0, MODULES[0], 0..10),
        copy(LAST, 0, MODULES[0], 0..10),
        copy(FIRST, 0, MODULES[1], 2..3),
        copy(LAST, 0, MODULES[1], 4..10),
        copy(FIRST, 0, WIRE, 2..3),
        copy(BETWEEN, 0, WIRE, 3..4),
        copy(LAST, 0, WIRE, 4..5),
        copy(FIRST, 1, MODULES[0], 3..10),
        copy(LAST, 1, MODULES[0], 5..10),
        copy(FIRST, 1, Location::Wire(1), 7..8),
    ];
    assert_eq!(
        told(copies),
        [
            (0, MODULES[0], 0..4, true),
            (0, MODULES[1], 2..5, true),
            (0, WIRE, 2..5, true),
            (1, MODULES[0], 3..10, true),
            (1, Location::Wire(1), 7..8, false),
        ]
    );
}

/// Node 0 sends its payload again on the same wire, as soon as it has been sent, and once more later; nobody takes that.
#[test]
fn what_crosses_again_is_another_stay_and_none_of_the_route() {
    let copies = vec![
        copy(FIRST, 0, MODULES[0], 0..10),
        copy(LAST, 0, MODULES[0], 0..10),
        copy(FIRST, 0, WIRE, 2..3),
        copy(LAST, 0, WIRE, 3..4),
        copy(FIRST, 0, WIRE, 4..5),
        copy(LAST, 0, WIRE, 5..6),
        copy(BETWEEN, 0, WIRE, 8..9),
        copy(FIRST, 1, MODULES[0], 3..10),
        copy(LAST, 1, MODULES[0], 4..10),
    ];
    assert_eq!(
        told(copies),
        [
            (0, MODULES[0], 0..4, true),
            (0, WIRE, 2..4, true),
            (1, MODULES[0], 3..10, true),
            (0, WIRE, 4..6, false),
            (0, WIRE, 8..9, false),
        ]
    );
}

#[test]
fn a_payload_of_one_bit_is_its_first_and_its_last() {
    let copies = vec![
        copy(FIRST, 0, MODULES[0], 0..6),
        copy(FIRST, 0, WIRE, 2..3),
        copy(FIRST, 1, MODULES[0], 3..10),
    ];
    assert_eq!(
        told(copies),
        [
            (0, MODULES[0], 0..3, true),
            (0, WIRE, 2..3, true),
            (1, MODULES[0], 3..10, true),
        ]
    );
}

/// One that never arrives is followed from where it came last.
#[test]
fn a_message_that_is_lost_on_its_route_has_a_route_too() {
    let copies = vec![
        copy(FIRST, 0, MODULES[0], 0..3),
        copy(FIRST, 0, MODULES[1], 3..10),
    ];
    assert_eq!(
        told(copies),
        [(0, MODULES[0], 0..3, true), (0, MODULES[1], 3..10, true)]
    );
    assert_eq!(told(vec![copy(FIRST, 0, MODULES[0], 0..3)]), []);
}
