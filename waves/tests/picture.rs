//! Pages and SVGs of whole runs: what is in them, and how large they are.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod runs;

use std::io::Write;
use std::process::{Command, Stdio};

use waves::picture::run::{Band, Change, Link, Run};
use waves::picture::{Error, MOST_NODES, MOST_PAGE_BYTES, MOST_SVG_BYTES, html, svg};

/// What is between two texts.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let rest = text.split_once(begin).unwrap().1;
    rest.split_once(end).unwrap().0
}

/// The data of a page.
fn data(page: &str) -> serde_json::Value {
    let json = between(
        page,
        "<script type=\"application/json\" id=\"run\">",
        "</script>",
    );
    serde_json::from_str(json).unwrap()
}

/// Refuses what is not XML, and gives the texts of the elements called so.
fn read_xml(svg: &str, element: &str) -> Vec<String> {
    let script = "import sys, json, xml.dom.minidom as m\n\
        d = m.parseString(sys.stdin.buffer.read())\n\
        print(json.dumps([''.join(n.data for n in e.childNodes) for e in d.getElementsByTagName(sys.argv[1])]))";
    let mut python = Command::new("python3")
        .args(["-c", script, element])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("python3 is needed here (Debian: python3): {error}"));
    python
        .stdin
        .take()
        .unwrap()
        .write_all(svg.as_bytes())
        .unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success(), "this is no XML");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_page_has_the_run() {
    let run = runs::small();
    let page = html(&run).unwrap();
    let data = data(&page);
    assert_eq!(data["title"], "five messages on 8 nodes");
    assert_eq!(data["routes"][1]["name"], "0->1");
    assert_eq!(
        data["routes"][1]["stays"],
        serde_json::json!([[0, 0, 4], [1, 2, 20]])
    );
    assert_eq!(
        data["routes"][1]["crossings"],
        serde_json::json!([[0, 1, 1, 4]])
    );
    assert_eq!(data["rows"].as_array().unwrap().len(), 8);
    // 1->3 leaves node 1 in bit time 8; 0->1 is there from 2 on.
    assert_eq!(data["cells"][1], serde_json::json!([0, 1, 2, 2, 8, 1]));
    assert_eq!(data["measure"], "messages");
    assert_eq!(
        data["notes"],
        serde_json::json!([
            "How many message bits are at a node is not known: colours count the messages that stay there."
        ])
    );
    assert_eq!(data["graph"]["edges"].as_array().unwrap().len(), 12);
}

#[test]
fn hostile_texts_stay_texts() {
    let mut run = runs::small();
    let evil = "</script><script>alert('&\"')</script>\u{7}{{data}}";
    run.title = evil.to_owned();
    run.messages[0].name = evil.to_owned();
    run.nodes[3] = evil.to_owned();
    run.bands[0].name = evil.to_owned();
    run.links[0].name = evil.to_owned();
    run.shown = Some(0);
    let page = html(&run).unwrap();
    let plain = html(&runs::small()).unwrap();
    assert_eq!(
        page.matches("<script").count(),
        plain.matches("<script").count()
    );
    assert_eq!(data(&page)["routes"][0]["name"], evil);
    assert!(page.contains("<title>&lt;/script&gt;&lt;script&gt;alert(&#39;&amp;&quot;&#39;)"));

    // XML cannot have the control character.
    let visible = evil.replace('\u{7}', " ");
    let picture = svg(&run).unwrap();
    assert_eq!(read_xml(&picture, "title").join("|"), visible);
    assert!(read_xml(&picture, "text").contains(&visible));
}

#[test]
fn an_svg_shows_the_chosen_route_and_the_deadlock() {
    let mut run = runs::stuck();
    run.shown = Some(0);
    let words = read_xml(&svg(&run).unwrap(), "text");
    let route = "3->5, by bit times: at 3 in 0 to 5, from 3 to 2 in 3 to 5, at 2 in 4 to 9, from 2 to 0 in 7 to 9, at 0 in 8 to 13, \
                 from 0 to 4 in 11 to 13, at 4 in 12 to 15, from 4 to 5 in 13 to 15, at 5 in 14 to 19";
    assert!(words.join(" ").contains(route), "{words:?}");
    let deadlock = "Deadlock since bit time 15: 1->3 at 3 waits for 0->1 at 1, which waits for 3->5 at 0, which waits for \
                    1->3 again.";
    assert!(words.iter().any(|line| line == deadlock), "{words:?}");
    run.shown = None;
    run.deadlock = None;
    let words = read_xml(&svg(&run).unwrap(), "text").join(" ");
    assert!(
        !words.contains("at 3 in 0 to 5") && !words.contains("Deadlock"),
        "{words}"
    );
}

#[test]
fn what_is_not_known_is_said() {
    let run = Run {
        title: "nobody looked".to_owned(),
        nodes: vec!["a".to_owned()],
        bit_times: 3,
        ..Run::default()
    };
    let said = [
        "What is at a node is not known: its cells are empty.",
        "The routes of messages are not known.",
    ];
    assert_eq!(data(&html(&run).unwrap())["notes"], serde_json::json!(said));
    let words = read_xml(&svg(&run).unwrap(), "text");
    assert!(
        said.iter()
            .all(|note| words.iter().any(|line| line == note)),
        "{words:?}"
    );
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |change: fn(&mut Run)| {
        let mut run = runs::small();
        change(&mut run);
        let error = html(&run).unwrap_err();
        assert_eq!(svg(&run).unwrap_err(), error);
        error.to_string()
    };
    assert_eq!(
        refused(|run| {
            run.nodes = vec![String::new(); MOST_NODES + 1];
            run.dimensions = None;
        }),
        "cannot draw a run of 1048577 nodes: a picture has at most 1048576, and shares rows among them; draw a smaller machine"
    );
    assert_eq!(
        refused(|run| run.bit_times = 0),
        "cannot draw a run of no bit times: each column of the picture is a bit time; let it run for at least one"
    );
    assert_eq!(
        refused(|run| run.nodes.clear()),
        "cannot draw a run without nodes: each row of the picture is a node; name at least one"
    );
    assert_eq!(
        refused(|run| run.dimensions = Some(4)),
        "cannot draw a hypercube of 4 dimensions with 8 nodes: name 2 to the power of 4 nodes, or give no dimensions"
    );
    assert_eq!(
        refused(|run| run.occupancy = vec![Vec::new()]),
        "the run has 8 nodes and occupancy of 1: give that of every node, or of none where it is not known"
    );
    assert_eq!(
        refused(|run| run.links[0].used[1].from = 2),
        "the use of link dim_0 is said of bit time 2 before it is said of bit time 2: give it in the order of bit times, each \
         once"
    );
    assert_eq!(
        refused(|run| run.messages[2].stays[0].node = 8),
        "message 6->6 is at node number 8, and the run has 8 nodes, numbered from 0"
    );
    assert_eq!(
        refused(|run| run.shown = Some(5)),
        "message number 5 is to be shown, and the run has the routes of 5 messages, numbered from 0"
    );
    let mut run = runs::small();
    run.title = "long ".repeat(MOST_PAGE_BYTES);
    assert!(matches!(html(&run), Err(Error::PageTooLarge { .. })));
    assert!(matches!(svg(&run), Err(Error::SvgTooLarge { .. })));
}

/// Every cell differs from the next, and names are long: columns are given up until the files are small enough.
#[test]
fn files_are_bounded() {
    let (nodes, times) = (2048, 5000);
    let restless = |node: u32| {
        (0..times).map(move |from| Change {
            from,
            value: 1_000_000 + (from * 7919 + node * 104_729) % 999_983,
        })
    };
    let run = Run {
        title: "restless".to_owned(),
        nodes: (0..nodes)
            .map(|node| format!("node_with_a_long_name_{node}"))
            .collect(),
        bit_times: times,
        bands: (0..times)
            .map(|from| Band {
                from,
                name: format!("step {from}"),
                iteration: None,
            })
            .collect(),
        occupancy: (0..nodes).map(|node| restless(node).collect()).collect(),
        links: (0..100)
            .map(|link| Link {
                name: format!("dim_{link}"),
                used: restless(link).collect(),
            })
            .collect(),
        ..Run::default()
    };
    let page = html(&run).unwrap();
    assert!(page.len() <= MOST_PAGE_BYTES, "{}", page.len());
    assert!(page.len() > MOST_PAGE_BYTES / 4, "{}", page.len());
    let data = data(&page);
    assert_eq!(data["bins"]["nodes_a_row"], 4);
    assert_eq!(data["bins"]["rows"], 512);
    let (columns, a_column) = (&data["bins"]["columns"], &data["bins"]["times_a_column"]);
    let notes = data["notes"].to_string();
    assert!(
        notes.contains(&format!(
            "Each row is 4 nodes and each column {a_column} bit times;"
        )),
        "{notes}"
    );
    assert!(
        notes.contains(&format!("{columns} of 5000 steps are drawn")),
        "{notes}"
    );
    assert!(notes.contains("64 of 100 links have a strip"), "{notes}");

    let picture = svg(&run).unwrap();
    assert!(picture.len() <= MOST_SVG_BYTES, "{}", picture.len());
    assert!(read_xml(&picture, "text").contains(&"restless".to_owned()));
}

#[test]
fn too_many_routes_are_left_out_and_the_chosen_one_is_kept() {
    let mut run = runs::small();
    let route = run.messages[0].clone();
    // Nine parts each: 2222 fit, of which the chosen one is one.
    run.messages = vec![route; 3000];
    run.messages[2999].name = "chosen".to_owned();
    run.shown = Some(2999);
    let data = data(&html(&run).unwrap());
    let routes = data["routes"].as_array().unwrap();
    assert_eq!(routes.len(), 2222);
    assert_eq!(routes[2220]["name"], "3->5 (2221)");
    assert_eq!(routes[2221]["name"], "chosen");
    assert_eq!(data["shown"], 2221);
    let notes = data["notes"].to_string();
    assert!(
        notes.contains("The routes of 2222 of 3000 messages are drawn, the first ones"),
        "{notes}"
    );
}

/// A larger run comes out in both forms; they are left among the files of the tests for whoever wants to look at them.
#[test]
fn a_permutation_is_drawn() {
    let mut run = runs::permutation(6);
    run.shown = Some(5);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (page, picture) = (html(&run).unwrap(), svg(&run).unwrap());
    std::fs::write(folder.join("permutation.html"), &page).unwrap();
    std::fs::write(folder.join("permutation.svg"), &picture).unwrap();
    assert_eq!(data(&page)["graph"]["edges"].as_array().unwrap().len(), 192);
    assert_eq!(data(&page)["shown"], 5);
    let words = read_xml(&picture, "text");
    assert!(
        (0..64).all(|node: u32| words.contains(&node.to_string())),
        "{words:?}"
    );
    let mut large = runs::permutation(10);
    large.shown = Some(77);
    for (name, run) in [("stuck", runs::stuck()), ("large", large)] {
        std::fs::write(folder.join(format!("{name}.html")), html(&run).unwrap()).unwrap();
        std::fs::write(folder.join(format!("{name}.svg")), svg(&run).unwrap()).unwrap();
    }
}
