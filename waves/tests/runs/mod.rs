//! Runs to draw, made by hand or by a plain rule.
#![allow(dead_code, reason = "each test takes those that it needs")]

use waves::picture::run::{
    Band, Change, Circle, Crossing, Failure, Fared, Fate, Link, Number, Route, Run, Stay, Stuck,
    Value, Wire,
};

/// A message that is at each of these nodes from the one time until the other, and crosses in the last two bit times.
fn route(name: &str, stays: &[(u32, u32, u32)]) -> Route {
    let stay = |&(node, from, to): &(u32, u32, u32)| Stay { node, from, to };
    let crossings = stays.windows(2).map(|two| Crossing {
        sender: two[0].0,
        receiver: two[1].0,
        from: two[1].1.saturating_sub(1),
        to: two[0].2,
    });
    Route {
        name: name.to_owned(),
        source: stays[0].0,
        destination: stays[stays.len() - 1].0,
        stays: stays.iter().map(stay).collect(),
        crossings: crossings.collect(),
        ..Route::default()
    }
}

/// A cube of 8 nodes with five messages, of 20 bit times, without occupancy.
pub fn small() -> Run {
    let band = |from, name: &str| Band {
        from,
        name: name.to_owned(),
        iteration: Some(from / 10),
    };
    let link = |name: &str, from, to, value| Link {
        name: name.to_owned(),
        used: vec![Change { from, value }, Change { from: to, value: 0 }],
    };
    Run {
        title: "five messages on 8 nodes".to_owned(),
        nodes: (0..8).map(|node| node.to_string()).collect(),
        dimensions: Some(3),
        bit_times: 20,
        bands: vec![band(0, "exchange"), band(10, "packing")],
        links: vec![link("dim_0", 2, 8, 2), link("dim_1", 6, 12, 1)],
        messages: vec![
            route(
                "3->5",
                &[(3, 0, 6), (2, 4, 10), (0, 8, 14), (4, 12, 16), (5, 14, 20)],
            ),
            route("0->1", &[(0, 0, 4), (1, 2, 20)]),
            route("6->6", &[(6, 0, 20)]),
            route("7->2", &[(7, 0, 5), (6, 3, 9), (2, 7, 20)]),
            route("1->3", &[(1, 0, 8), (3, 6, 20)]),
        ],
        ..Run::default()
    }
}

/// On the same cube words in place of messages: in bit time 5 that of node 2 goes over a wire to node 3.
pub fn words() -> Run {
    let value = |text: &str, size| Value {
        text: text.to_owned(),
        size,
    };
    let change = |from, value| Change { from, value };
    let mut nodes = vec![vec![change(0, 0)]; 8];
    nodes[3].push(change(6, 1));
    Run {
        messages: Vec::new(),
        numbers: vec![Number {
            name: "word".to_owned(),
            is_count: false,
            width: 8,
            values: vec![value("1c", 28), value("ff", 255)],
            nodes,
            second: Vec::new(),
            every: 1,
        }],
        wires: vec![Wire {
            sender: 2,
            receiver: 3,
            bit_times: 1,
            used: vec![change(0, 0), change(5, 1), change(6, 0)],
        }],
        roles: vec![(3, "gets the result".to_owned())],
        node: Some(3),
        ..small()
    }
}

/// Of the five messages one loses a part on a wire that is cut, and one is lost.
pub fn harmed() -> Run {
    let fate = |message: &str, fared, words: &str| Fate {
        message: message.to_owned(),
        fared,
        words: words.to_owned(),
    };
    Run {
        failures: vec![Failure {
            sender: 3,
            receiver: 2,
            from: 4,
            how: "cut".to_owned(),
        }],
        fates: vec![
            fate("0->1", Fared::Unharmed, "It is whole."),
            fate("3->5", Fared::Lost, "It is lost."),
            fate("7->2", Fared::Restored, "It is restored."),
        ],
        ..small()
    }
}

/// The same, and three of the messages wait for each other at the end.
pub fn stuck() -> Run {
    Run {
        title: "three of five messages in a deadlock".to_owned(),
        deadlock: Some(Circle {
            since: 15,
            nodes: vec![3, 1, 0],
            messages: [("1->3", 3), ("0->1", 1), ("3->5", 0)]
                .map(|(name, node)| Stuck {
                    name: name.to_owned(),
                    node,
                })
                .to_vec(),
        }),
        ..small()
    }
}

/// A permutation on a hypercube, which consumes the dimensions one after the other: in each iteration messages cross the
/// dimension where they have to, and go aside and back across the next one. Payloads are of 16 bits.
pub fn permutation(dimensions: u32) -> Run {
    const PAYLOAD: u32 = 16;
    let nodes = 1u32 << dimensions;
    let mut run = Run {
        title: format!("a permutation on {nodes} nodes"),
        nodes: (0..nodes).map(|node| node.to_string()).collect(),
        dimensions: Some(dimensions),
        ..Run::default()
    };
    let lasting = |iteration: u32| PAYLOAD + dimensions - iteration;
    let mut paths: Vec<Vec<(u32, u32, u32)>> = (0..nodes).map(|node| vec![(node, 0, 0)]).collect();
    let mut begin = 0;
    let mut used: Vec<Vec<Change>> = vec![Vec::new(); dimensions as usize];
    for iteration in 0..dimensions {
        let names = [
            "exchange",
            "enumeration",
            "packing",
            "counting back",
            "unpacking",
            "rendezvous",
        ];
        let bits = lasting(iteration);
        let steps = [bits, dimensions, bits + 2, dimensions, bits + 2, 3];
        for (name, length) in names.iter().zip(steps) {
            run.bands.push(Band {
                from: begin,
                name: (*name).to_owned(),
                iteration: Some(iteration),
            });
            let aside = match *name {
                "exchange" => Some(iteration),
                "packing" | "unpacking" => Some((iteration + 1) % dimensions),
                _ => None,
            };
            let mut wires = 0;
            for (source, path) in paths.iter_mut().enumerate() {
                let destination = (source as u32).wrapping_mul(37).wrapping_add(11) % nodes;
                let Some(&(node, ..)) = path.last() else {
                    continue;
                };
                let crosses = aside.filter(|dimension| match *name {
                    "exchange" => (node ^ destination) >> dimension & 1 == 1,
                    _ => source as u32 % 3 == iteration % 3,
                });
                if let Some(dimension) = crosses {
                    wires += 1;
                    path.push((node ^ 1 << dimension, begin + 1, begin + bits));
                }
            }
            if let Some(dimension) = aside {
                let used = &mut used[dimension as usize];
                used.retain(|change| change.from < begin);
                used.extend([
                    Change {
                        from: begin,
                        value: wires,
                    },
                    Change {
                        from: begin + bits,
                        value: 0,
                    },
                ]);
            }
            begin += length;
        }
    }
    run.bit_times = begin;
    for (dimension, used) in used.into_iter().enumerate() {
        run.links.push(Link {
            name: format!("dim_{dimension}"),
            used,
        });
    }
    run.messages = paths.iter().map(|path| moved(path, begin)).collect();
    run.occupancy = occupancy(&run, lasting);
    run
}

/// Nodes with the bit times in which a message comes and is all there.
fn moved(path: &[(u32, u32, u32)], end: u32) -> Route {
    let mut route = route("", &[(path[0].0, 0, end)]);
    route.stays.clear();
    for (place, &(node, from, _)) in path.iter().enumerate() {
        let to = path.get(place + 1).map_or(end, |next| next.2);
        route.stays.push(Stay { node, from, to });
        if let Some(&(receiver, arrives, to)) = path.get(place + 1) {
            route.crossings.push(Crossing {
                sender: node,
                receiver,
                from: arrives - 1,
                to,
            });
        }
    }
    route.destination = path[path.len() - 1].0;
    route.name = format!("{}->{}", route.source, route.destination);
    route
}

/// A message has all its bits at a node, or, while it crosses, those that have not left or have come.
fn occupancy(run: &Run, lasting: impl Fn(u32) -> u32) -> Vec<Vec<Change>> {
    let times = run.bit_times as usize;
    let mut bits = vec![vec![0u32; times]; run.nodes.len()];
    let iteration = |time: u32| {
        run.bands
            .iter()
            .filter(|band| band.from <= time)
            .filter_map(|band| band.iteration)
            .max()
    };
    for route in &run.messages {
        for stay in &route.stays {
            for time in stay.from..stay.to {
                let all = lasting(iteration(time).unwrap_or(0));
                let coming = time - stay.from + u32::from(stay.from > 0);
                let came = if stay.from == 0 { all } else { coming.min(all) };
                let leaving = route
                    .crossings
                    .iter()
                    .find(|it| it.sender == stay.node && it.to == stay.to);
                let left = leaving.map_or(0, |it| (time + 1).saturating_sub(it.from));
                bits[stay.node as usize][time as usize] += came.saturating_sub(left);
            }
        }
    }
    let changes = |values: Vec<u32>| {
        let mut changes: Vec<Change> = Vec::new();
        for (from, value) in values.into_iter().enumerate() {
            if changes.last().is_none_or(|last| last.value != value) {
                changes.push(Change {
                    from: from as u32,
                    value,
                });
            }
        }
        changes
    };
    bits.into_iter().map(changes).collect()
}
