use super::*;
use crate::picture::run;

fn scene(run: &Run) -> Scene {
    let limits = Limits {
        rows: 8,
        columns: 8,
        route_parts: None,
        wave_nodes: 0,
    };
    Scene::of(run, limits).unwrap()
}

fn sized(nodes: usize) -> Run {
    Run {
        nodes: vec![String::new(); nodes],
        bit_times: 8,
        ..Run::default()
    }
}

#[test]
fn a_step_goes_on_until_the_next_one_begins() {
    let begun = [(0, "one"), (3, "two"), (7, "three")].map(|(from, name)| run::Band {
        from,
        name: name.to_owned(),
        iteration: Some(from),
    });
    let run = Run {
        bands: begun.to_vec(),
        ..sized(1)
    };
    let bands = scene(&run).bands;
    let told: Vec<_> = bands
        .iter()
        .map(|band| (band.from, band.to, &*band.name))
        .collect();
    assert_eq!(told, [(0, 3, "one"), (3, 7, "two"), (7, 8, "three")]);
}

/// Strips of different runs of a machine can be compared.
#[test]
fn a_link_has_the_full_colour_where_all_nodes_use_it() {
    let link = |value| run::Link {
        name: String::new(),
        used: vec![run::Change { from: 1, value }],
    };
    let of = |values: &[u32]| {
        let links = values.iter().map(|value| link(*value));
        scene(&Run {
            links: links.collect(),
            ..sized(5)
        })
        .full_link
    };
    assert_eq!(of(&[2, 3]), 5);
    // A network may have several wires to a link of a node.
    assert_eq!(of(&[2, 9]), 9);
}

/// Where all nodes have as many bits all the time, colours are of where these go, or of what is counted else.
#[test]
fn a_page_opens_with_colours_that_say_something() {
    let message = |destination: u32, to: u32| run::Route {
        destination,
        stays: vec![run::Stay {
            node: 1 - destination,
            from: 0,
            to,
        }],
        ..run::Route::default()
    };
    let mut even = Run {
        occupancy: vec![changes(&[(0, 3)]); 2],
        messages: vec![message(0, 8), message(1, 5)],
        ..sized(2)
    };
    let opens = |run: &Run| {
        let scene = scene(run);
        Some(scene.numbers[scene.opens_with?].name.clone())
    };
    assert_eq!(opens(&even).as_deref(), Some("destination"));
    even.numbers = vec![run::Number {
        is_count: true,
        ..word(vec![changes(&[(0, 0), (4, 1)]); 2])
    }];
    assert_eq!(opens(&even).as_deref(), Some("word"), "it counts");
    even.occupancy[1] = changes(&[(0, 3), (2, 1)]);
    assert_eq!(opens(&even), None, "bits tell something");
    even.sorts = true;
    assert_eq!(opens(&even).as_deref(), Some("destination"), "it sorts");
}

fn changes(all: &[(u32, u32)]) -> Vec<run::Change> {
    let change = |&(from, value): &(u32, u32)| run::Change { from, value };
    all.iter().map(change).collect()
}

fn word(nodes: Vec<Vec<run::Change>>) -> run::Number {
    let value = |(text, size): (&str, u32)| run::Value {
        text: text.to_owned(),
        size,
    };
    run::Number {
        name: "word".to_owned(),
        is_count: false,
        width: 8,
        values: [("00", 0), ("7f", 127), ("05", 5)].map(value).to_vec(),
        nodes,
        second: Vec::new(),
        every: 1,
    }
}

/// Values that no cell shows are left out.
#[test]
fn where_words_move_cells_are_words() {
    let run = Run {
        numbers: vec![word(vec![changes(&[(0, 2), (3, 0)]), changes(&[(4, 2)])])],
        ..sized(2)
    };
    let scene = scene(&run);
    assert_eq!(scene.measure, Measure::Number);
    let word = &scene.numbers[0];
    assert_eq!(word.values, ["05", "00"]);
    assert_eq!((&word.sizes[..], word.most), (&[5, 0][..], 5));
    assert_eq!(word.cells[0], Cells(vec![(0, 1), (3, 2)]));
    assert_eq!(scene.cells[0], Cells(vec![(0, 5), (3, 0)]));
    assert_eq!(word.cells[1], Cells(vec![(4, 1)]));
    assert!(scene.notes.is_empty(), "{:?}", scene.notes);
}

/// Of nodes that share a row the first, of bit times that share a column the last.
#[test]
fn words_that_share_a_cell_are_one_of_them() {
    let each = |node: u32| changes(&[(0, 0), (1, node % 3)]);
    let run = Run {
        numbers: vec![word((0..16).map(each).collect())],
        bit_times: 16,
        ..sized(16)
    };
    let scene = scene(&run);
    let read: Vec<&str> = (scene.numbers[0].cells.iter())
        .map(|row| &*scene.numbers[0].values[row.0[0].1 as usize - 1])
        .collect();
    assert_eq!(read, ["00", "05", "7f", "00", "05", "7f", "00", "05"]);
    let note = "Each row is 2 nodes and each column 2 bit times; a cell is the number of the first of these nodes in the last of \
                these bit times.";
    assert_eq!(scene.notes, [note]);
}

/// Bits that go over a wire together count once; of several wires between two nodes each counts.
#[test]
fn loads_are_shares_of_bit_times() {
    let wire = |sender, receiver, bit_times| run::Wire {
        sender,
        receiver,
        bit_times,
        used: changes(&[(0, 1), (bit_times, 0)]),
    };
    let mut run = Run {
        wires: vec![wire(0, 1, 2), wire(0, 1, 4), wire(1, 0, 8)],
        ..sized(2)
    };
    let loads = |run: &Run| {
        let each = scene(run).loads.unwrap().each.into_iter();
        let each = each.map(|load| (load.sender, load.receiver, load.share, load.cells));
        each.collect::<Vec<_>>()
    };
    assert_eq!(
        loads(&run),
        [
            (0, 1, 0.375, Some(Cells(vec![(0, 1), (4, 0)]))),
            (1, 0, 1.0, Some(Cells(vec![(0, 1)])))
        ]
    );
    let crossing = |from, to| run::Crossing {
        sender: 1,
        receiver: 0,
        from,
        to,
    };
    run.messages = vec![run::Route {
        source: 1,
        crossings: vec![crossing(1, 4), crossing(2, 3), crossing(3, 5)],
        ..run::Route::default()
    }];
    assert_eq!(loads(&run), [(1, 0, 0.5, None)]);
    run.wire_use = run::WireUse::Bits;
    assert_eq!(loads(&run), [(0, 1, 0.375, None), (1, 0, 1.0, None)]);
}

#[test]
fn what_became_of_messages_is_counted() {
    let fate = |message: &str, fared| run::Fate {
        message: message.to_owned(),
        fared,
        words: format!("of {message}"),
    };
    let failure = |sender, receiver, from| run::Failure {
        sender,
        receiver,
        from,
        how: "cut".to_owned(),
    };
    let mut run = Run {
        nodes: ["a", "b"].map(str::to_owned).to_vec(),
        failures: vec![failure(0, 1, 5), failure(1, 0, 2)],
        ..sized(2)
    };
    let failures = scene(&run).failures.into_iter();
    assert_eq!(
        failures.map(|failing| failing.words).collect::<Vec<_>>(),
        [
            "The wire from node b to node a is cut from bit time 2 on.",
            "The wire from node a to node b is cut from bit time 5 on."
        ]
    );
    assert_eq!(scene(&run).harm, None);
    run.fates = vec![
        fate("x", run::Fared::Lost),
        fate("y", run::Fared::Unharmed),
        fate("z", run::Fared::Restored),
    ];
    let harm = scene(&run).harm.unwrap();
    assert_eq!(
        (harm.restored, harm.lost),
        (vec!["z".to_owned()], vec!["x".to_owned()])
    );
    assert_eq!(harm.fates["y"], "of y");
    assert_eq!(
        harm.words,
        "Messages: 3; damaged: 2, of which restored: 1, lost: 1."
    );
    run.failures[0].receiver = 2;
    assert!(matches!(check::check(&run), Err(Error::NoSuchNode { .. })));
}

#[test]
fn texts_are_there_while_they_say_something() {
    let says = [(0, "a"), (2, ""), (5, "b")].map(|(from, says)| (from, says.to_owned()));
    let run = Run {
        texts: vec![run::Text {
            name: "way".to_owned(),
            says: says.to_vec(),
        }],
        ..sized(1)
    };
    let texts = scene(&run).texts;
    let told: Vec<_> = texts[0]
        .says
        .iter()
        .map(|said| (said.from, said.to, &*said.name))
        .collect();
    assert_eq!(told, [(0, 2, "a"), (5, 8, "b")]);
}

#[test]
fn the_scale_on_a_light_ground_comes_first() {
    let scales = scene(&sized(1)).scales;
    assert_eq!(scales, [colour::on_light(), colour::on_dark()]);
}
