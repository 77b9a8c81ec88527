//! The windows of schedule `radix4`: groups of two dimensions, and the greedy end.

use super::*;

/// A group of schedule `radix4`: `taken` dimensions from `first` on, and how many of two follow it.
struct Group {
    first: usize,
    taken: usize,
    start: usize,
    length: usize,
}

/// The groups of a cube, the greedy end last, each with its first bit time and how many it takes.
fn groups(k: usize, payload: usize) -> Vec<Group> {
    let sizes = match k {
        0..=4 => vec![k],
        _ if k.is_multiple_of(2) => [vec![2; (k - 4) / 2], vec![4]].concat(),
        _ if payload == 1 => [vec![2; (k - 3) / 2], vec![3]].concat(),
        _ => [vec![2; (k - 5) / 2], vec![1, 4]].concat(),
    };
    let (mut first, mut start) = (0, 0);
    let mut groups = Vec::new();
    for (number, &taken) in sizes.iter().enumerate() {
        let m = k - first - taken;
        let length = match (taken, sizes.get(number + 1)) {
            (1, None) => payload + 1,
            (2, None) => payload + 3,
            (3, None) => 2 * payload + 6,
            (_, None) => 2 * payload + 10,
            (2, Some(1)) => 3 * m + 2 * payload + 6,
            (2, _) => 3 * m + 2 * payload + 7,
            _ => payload + 12 + usize::from(number > 0),
        };
        groups.push(Group {
            first,
            taken,
            start,
            length,
        });
        first += taken;
        start += length;
    }
    groups
}

/// The wires of a group of schedule `radix4` that is not the end; `next` is how many dimensions follow at once.
fn radix4_group(windows: &mut Windows, k: usize, payload: usize, group: &Group, next: usize) {
    let Group {
        first,
        taken,
        start,
        length,
    } = *group;
    let m = k - first - taken;
    let l = m + payload;
    let (enumeration, packing, lanes) = match (taken, start) {
        (2, _) => (3, m + 3, 2),
        (_, 0) => (1, 5, 1),
        _ => (2, 6, 1),
    };
    drive(windows, "exchange", first, start, 0..=taken - 1);
    // The first list is made in the bit time before stage 1 takes it.
    let body = packing + taken + 1;
    for j in 0..l {
        let at = body + lanes * j - lanes;
        drive(windows, "exchange", first, start, at..=at);
    }
    if taken == 2 {
        drive(windows, "exchange", first + 1, start, 1..=2);
        drive(
            windows,
            "exchange",
            first + 1,
            start,
            body - 2..=body + 2 * l - 3,
        );
    }
    for r in 1..=m {
        let dimension = first + taken + r - 1;
        let until = enumeration + r - 2 + (r + taken).min(m);
        drive(
            windows,
            "enumeration",
            dimension,
            start,
            enumeration + r - 1..=until,
        );
        let counts = packing + 2 * r - 2;
        drive(windows, "counts", dimension, start, counts..=counts + taken);
        // While the next group enumerates the rest waits.
        let (pause, waits) = match (taken, next) {
            (2, 2) => (length + r, m - 2),
            (2, 1) => (length + r, 4),
            _ => (usize::MAX, 0),
        };
        // Its own dimensions do not.
        let pause = if r > next { pause } else { usize::MAX };
        for slot in 0..lanes * l {
            let at = body + 2 * (r - 1) + slot;
            let at = if at >= pause { at + waits } else { at };
            let driver = match (lanes, slot % 2) {
                (1, _) => "packing",
                (_, 0) => "packing_lane_0",
                _ => "packing_lane_1",
            };
            drive(windows, driver, dimension, start, at..=at);
        }
    }
}

/// The wires of the greedy end over the last `f` dimensions.
fn greedy_end(windows: &mut Windows, k: usize, payload: usize, f: usize, start: usize) {
    let mut each = |driver, dimension, bits: Vec<usize>| {
        for at in bits {
            drive(windows, driver, k - f + dimension, start, at..=at);
        }
    };
    let pairs = f - 2.min(f) + payload;
    match f {
        1 => each("exchange", 0, (0..=payload).collect()),
        2 => {
            each("exchange", 0, (0..2 + payload).collect());
            each("exchange", 1, (1..3 + payload).collect());
        }
        _ => {
            let first = (1..=pairs).map(|pair| 2 * pair + 1);
            each("exchange", 0, [0, 1].into_iter().chain(first).collect());
            each("exchange", 1, (1..=2 * pairs + 2).collect());
        }
    }
    if f == 3 {
        let bits = (0..payload).map(|bit| 7 + 2 * bit);
        each("greedy", 2, [5].into_iter().chain(bits).collect());
    }
    if f == 4 {
        let lane = |first: usize| (0..=payload + 1).map(|pair| first + 2 * pair).collect();
        each("greedy_lane_0", 2, lane(5));
        each("greedy_lane_1", 2, lane(6));
        each("greedy", 3, (0..=payload).map(|bit| 9 + 2 * bit).collect());
    }
}

#[test]
fn windows_are_those_of_groups_and_the_greedy_end() {
    for k in 1..=16usize {
        for payload in [1, 2, 3, k, 2 * k + 1, 100] {
            let mut windows = Windows::new();
            let groups = groups(k, payload);
            for (number, group) in groups.iter().enumerate() {
                match groups.get(number + 1) {
                    Some(next) => {
                        let next = if number + 2 < groups.len() {
                            next.taken
                        } else {
                            0
                        };
                        radix4_group(&mut windows, k, payload, group, next);
                    }
                    None => greedy_end(&mut windows, k, payload, group.taken, group.start),
                }
            }
            let bit_times: usize = groups.iter().map(|group| group.length).sum();
            check(RADIX4, (k, payload), bit_times, &windows);
        }
    }
}
