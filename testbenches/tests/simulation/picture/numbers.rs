//! Pages of runs in which words move: what stands in their cells is what nodes end up with.

use serde_json::Value;

use super::scene;

/// What a number of a node is in a column.
fn value(scene: &Value, (name, node): (&str, usize), column: u64) -> String {
    let numbers = scene["numbers"].as_array().unwrap();
    let number = numbers
        .iter()
        .find(|number| number["name"] == name)
        .unwrap();
    let cells = number["cells"][node].as_array().unwrap();
    let runs = cells.chunks(2).rev();
    let cell = runs.map(|run| {
        run.iter()
            .map(|it| it.as_u64().unwrap())
            .collect::<Vec<_>>()
    });
    let cell = cell.into_iter().find(|run| run[0] <= column).unwrap()[1];
    let value = &number["values"][cell as usize - 1];
    value.as_str().unwrap().to_owned()
}

fn nodes(scene: &Value) -> usize {
    scene["nodes"].as_u64().unwrap() as usize
}

fn last_column(scene: &Value) -> u64 {
    scene["bins"]["columns"].as_u64().unwrap() - 1
}

/// Each node has its word when the run begins, and the file of results has what it has when the run is over.
#[test]
fn words_begin_as_they_are_drawn_and_end_as_results() {
    for (arguments, name) in [
        ("reduce --dims 3 --blocks 2", "word"),
        ("reduce --network hypercube --dims 3 --blocks 1", "word"),
        ("prefix --dims 3 --algorithm short", "result"),
        ("sort --dims 3", "slot_0"),
        ("sort --network hypercube --dims 3", "slot_0"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let scene = scene(folder.path(), &format!("{arguments} --results results.csv"));
        assert_eq!(scene["measure"], "number", "{arguments}");
        let table = std::fs::read_to_string(folder.path().join("results.csv")).unwrap();
        let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
        let header = rows.next().unwrap();
        assert_eq!((header[0], header[header.len() - 1]), ("node", "value"));
        let mut seen = 0;
        for row in rows {
            let node: usize = row[0].parse().unwrap();
            let ended = value(&scene, (name, node), last_column(&scene));
            assert_eq!(ended, row[row.len() - 1], "{arguments}, node {node}");
            seen += 1;
        }
        assert!([1, nodes(&scene)].contains(&seen), "{arguments}: {seen}");
    }
}

#[test]
fn every_node_counts_to_its_rank() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path(), "enumeration --dims 4 --load 0.5");
    let (mut before, end) = (0, last_column(&scene));
    for node in 0..nodes(&scene) {
        let at_the_end = |name| value(&scene, (name, node), end);
        assert_eq!(at_the_end("rank"), before.to_string(), "node {node}");
        assert_eq!(at_the_end("total"), "8", "node {node}");
        before += at_the_end("member").parse::<u32>().unwrap();
        // The last stage gives out nothing before bit time k - 1.
        for column in 0..=3 {
            assert_eq!(value(&scene, ("rank", node), column), "0", "node {node}");
        }
    }
    assert_eq!(before, 8);
}

/// Who sends to whom is said in every bit time, names are explained, and wires that carry a 1 are known.
#[test]
fn a_page_of_words_says_who_sends_to_whom() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path(), "reduce --dims 2 --blocks 1");
    assert_eq!(scene["texts"][0]["name"], "way");
    assert!(!scene["texts"][0]["says"].as_array().unwrap().is_empty());
    assert_eq!(scene["node"], 0);
    let role = scene["roles"]["0"].as_str().unwrap();
    assert!(role.starts_with("gets the result "), "{role}");
    let notes = scene["notes"].to_string();
    assert!(
        notes.contains("Names: steps 1 in blocks, 2 walk out, "),
        "{notes}"
    );
    assert!(notes.contains("; node_1_2_0 = "), "{notes}");
    assert!(!notes.contains("not known"), "{notes}");
    let loads = scene["loads"]["each"].as_array().unwrap();
    let used = loads
        .iter()
        .filter(|load| load["share"].as_f64().unwrap() > 0.0);
    // All words but one are sent at least once, each by one node to one.
    assert!(used.count() >= nodes(&scene) - 1);
}

/// Of counts that are added up on their way nobody knows whose they are: then there is of how many nodes they are, twice as many in
/// each step, and what nodes send.
#[test]
fn a_page_of_counts_has_how_many_nodes_are_added_up() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path(), "histogram --dims 3");
    assert_eq!(scene["measure"], "number");
    let added = &scene["numbers"][0];
    assert_eq!(added["name"], "nodes added up");
    assert_eq!(added["values"].to_string(), r#"["1","2","4","8"]"#);
    assert_eq!(added["sizes"].to_string(), "[1,2,3,4]");
    assert!(scene["loads"]["most"].as_f64().unwrap() > 0.0);
}
