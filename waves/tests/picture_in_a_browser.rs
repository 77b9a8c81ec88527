//! The page does in a browser what it says: an address selects a message, a click selects and lets go, keys move the bit
//! time. Needs `chromium`; without it the tests fail.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod runs;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use waves::picture::run::{Crossing, Failure, Route, Run, Way};
use waves::picture::{MOST_WAY_PARTS, html};

/// What a browser makes of a page, at an address that ends so, after a script of the test.
fn opened(run: &Run, fragment: &str, script: &str) -> String {
    let page = html(run).unwrap();
    let (page, end) = page.rsplit_once("</body>").unwrap();
    let page = format!("{page}<script>\n{script}\n</script>\n</body>{end}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.html");
    fs::write(&file, page).unwrap();
    let output = Command::new("chromium")
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1400,1000",
        ])
        .arg("--virtual-time-budget=3000")
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg("--dump-dom")
        .arg(format!("file://{}{fragment}", file.display()))
        .output()
        .unwrap_or_else(|error| {
            panic!("chromium is needed here (Debian: apt-get install chromium): {error}")
        });
    let dom = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        dom.contains("id=\"overlay\""),
        "the page did not draw itself: {complaint}"
    );
    dom
}

/// Names of the rows whose labels are marked.
fn marked(dom: &str) -> BTreeSet<String> {
    let labels = dom
        .split("<text ")
        .filter(|tag| tag.starts_with("class=\"row-label"));
    let mut found = BTreeSet::new();
    for label in labels {
        let (attributes, rest) = label.split_once('>').unwrap();
        let classes = attributes.split('"').nth(1).unwrap();
        if classes.split(' ').any(|class| class == "on") {
            found.insert(rest.split('<').next().unwrap().to_owned());
        }
    }
    found
}

/// Names of the nodes of a message, straight from the run.
fn nodes(run: &Run, name: &str) -> BTreeSet<String> {
    let route: &Route = run
        .messages
        .iter()
        .find(|route| route.name == name)
        .unwrap();
    let crossings = route.crossings.iter();
    let ends = crossings.flat_map(|crossing| [crossing.sender, crossing.receiver]);
    let all = route.stays.iter().map(|stay| stay.node).chain(ends);
    all.map(|node| run.nodes[node as usize].clone()).collect()
}

/// What an element has for a text.
fn words<'a>(dom: &'a str, id: &str) -> &'a str {
    let rest = dom.split_once(&format!("id=\"{id}\"")).unwrap().1;
    rest.split_once('>').unwrap().1.split('<').next().unwrap()
}

/// The items of a list.
fn items<'a>(dom: &'a str, id: &str) -> Vec<&'a str> {
    let rest = dom.split_once(&format!("id=\"{id}\"")).unwrap().1;
    let list = rest.split_once("</ul>").unwrap().0;
    let items = list.split("<li>").skip(1);
    items.map(|item| item.trim_end_matches("</li>")).collect()
}

const PRESS: &str = "const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));\n\
    const click = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 1, clientY: 1 }));\n";

#[test]
fn an_address_selects_a_message() {
    let run = runs::small();
    let dom = opened(&run, "#3-%3E5", "");
    let expected: BTreeSet<String> = ["0", "2", "3", "4", "5"].map(str::to_owned).into();
    assert_eq!(nodes(&run, "3->5"), expected);
    assert_eq!(marked(&dom), expected);
    assert!(
        words(&dom, "route").starts_with(
            "3-&gt;5, by bit times: at 3 in 0 to 5, from 3 to 2 in 3 to 5, at 2 in 4 to 9"
        ),
        "{dom}"
    );
    assert!(marked(&opened(&run, "#3-%3E4", "")).is_empty());
    assert!(marked(&opened(&run, "#%", "")).is_empty());
}

/// What one part does after another is one way; what leaves a node by another wire begins one of its own.
#[test]
fn the_way_of_a_message_is_told_where_it_begins() {
    let mut run = runs::small();
    let dom = opened(&run, "#3-%3E5", "");
    let way = "3-&gt;5: 3 → 2 → 0 → 4 → 5";
    let begins =
        "it leaves in bit time 3, begins to cross its last wire in 13 and has crossed it in 15";
    assert_eq!(items(&dom, "way"), [way, begins]);
    let times = "it leaves in bit time 3 and crosses its last wire in 15";
    assert!(
        words(&dom, "state").starts_with("Bit time 3 of 0 to 19;"),
        "{dom}"
    );
    let crossing = |sender, receiver, from| Crossing {
        sender,
        receiver,
        from,
        to: from + 2,
    };
    // One part goes another way to node 4, and one leaves the first at node 2.
    let others = [crossing(3, 7, 4), crossing(7, 4, 8), crossing(2, 6, 12)];
    run.messages[0].crossings.extend(others);
    let dom = opened(&run, "#3-%3E5", "");
    let head = format!("3-&gt;5, on 3 ways: {times}");
    let ways = ["3 → 2 → 0 → 4 → 5", "3 → 7 → 4 → 5", "3 → 2 → 6"];
    assert_eq!(items(&dom, "way"), [&[&*head][..], &ways].concat());
    let looks = format!("{PRESS}goTo(0);selectNode(2);");
    let dom = opened(&run, "#t=9&m=3-5", &looks);
    assert_eq!(items(&dom, "way").len(), 4, "a node is looked at beside it");
    assert!(items(&opened(&run, "#t=9&m=no-such", ""), "way").is_empty());
}

/// Packets one behind the other begin to cross the last wire at several moments.
#[test]
fn packets_on_one_way_have_no_moment_of_their_own() {
    let mut run = runs::small();
    let crossing = |from| Crossing {
        sender: 3,
        receiver: 5,
        from,
        to: from + 2,
    };
    run.messages[0].crossings = [4, 10].map(crossing).to_vec();
    let dom = opened(&run, "#3-%3E5", "");
    let times = "it leaves in bit time 4 and crosses its last wire in 11";
    assert_eq!(items(&dom, "way"), ["3-&gt;5: 3 → 5", times]);
}

/// Where it is known which part goes which way, it is said; and which of them go over a wire that fails.
#[test]
fn parts_of_a_message_have_their_ways() {
    let mut run = runs::small();
    let way = |part: &str, nodes: &[u32]| Way {
        part: part.to_owned(),
        nodes: nodes.to_vec(),
        crossings: (nodes.windows(2).zip((3..).step_by(3)))
            .map(|(ends, from)| Crossing {
                sender: ends[0],
                receiver: ends[1],
                from,
                to: from + 2,
            })
            .collect(),
    };
    run.messages[0].ways = vec![
        way("bits 0 to 3", &[3, 2, 0, 4, 5]),
        way("bits 4", &[3, 7, 4, 5]),
    ];
    run.failures.push(Failure {
        sender: 3,
        receiver: 7,
        from: 2,
        how: "cut".to_owned(),
    });
    let dom = opened(&run, "#3-%3E5", "");
    let way = dom.split_once("id=\"way\"").unwrap().1;
    let way = way.split_once("</ul>").unwrap().0;
    let head =
        "<li>3-&gt;5, in 2 parts: it leaves in bit time 3 and crosses its last wire in 15</li>";
    // Each has the colour of its lines in the chart.
    let [first, second] = ["var(--chosen)", "rgb(124, 58, 237)"]
        .map(|colour| format!("style=\"border-left: 4px solid {colour};\""));
    let parts = format!(
        "<li {first}>bits 0 to 3: 3 → 2 → 0 → 4 → 5</li><li class=\"failing\" {second}>bits 4: 3 → 7 → 4 → 5</li>"
    );
    assert_eq!(way.split_once('>').unwrap().1, format!("{head}{parts}"));
    let lines = dom.split("class=\"chosen-route\"").skip(1);
    let coloured = lines.filter(|line| line.starts_with(" style=\"stroke: "));
    assert_eq!(coloured.count(), 1);
    assert!(items(&dom, "waits").is_empty(), "none waits for long");
    run.messages[0].ways[1].crossings[2].from += 9;
    let dom = opened(&run, "#3-%3E5", "");
    assert_eq!(items(&dom, "waits"), ["bits 4 waits at 4 8 to 17"]);
}

/// A message that is selected is shown moving, unless it does so already.
#[test]
fn the_bit_time_goes_to_the_message_that_is_selected() {
    let run = runs::small();
    let click = "click(document.querySelector('#messages [data-message=\"3->5\"]'));";
    for (time, then) in [(0, 3), (5, 5), (18, 3)] {
        let dom = opened(&run, "", &format!("{PRESS}goTo({time});{click}"));
        let said = words(&dom, "state");
        assert!(
            said.starts_with(&format!("Bit time {then} of 0 to 19;")),
            "{said}"
        );
    }
}

#[test]
fn the_chosen_message_is_selected_from_the_beginning() {
    let mut run = runs::small();
    run.shown = Some(3);
    assert_eq!(marked(&opened(&run, "", "")), nodes(&run, "7->2"));
    // Who opens the page at an address means the message of the address.
    assert_eq!(marked(&opened(&run, "#0-%3E1", "")), nodes(&run, "0->1"));
}

#[test]
fn a_click_selects_and_another_lets_go() {
    let run = runs::stuck();
    for (element, then) in [
        (
            "document.querySelector('#messages [data-message=\"3->5\"]')",
            "",
        ),
        (
            "document.querySelector('#routes [data-message=\"3->5\"]')",
            "",
        ),
        (
            "document.querySelector('#messages [data-message=\"0->1\"]')",
            "click(document.querySelector('[data-message=\"3->5\"]'));",
        ),
    ] {
        let select = format!("{PRESS}click({element});{then}");
        let dom = opened(&run, "", &select);
        assert_eq!(marked(&dom), nodes(&run, "3->5"), "{element}");
        for let_go in [
            "click(document.getElementById('overlay'))",
            "click(document.body)",
            "press('Escape')",
        ] {
            let dom = opened(&run, "", &format!("{select}{let_go};"));
            assert_eq!(marked(&dom), BTreeSet::new(), "{element}, {let_go}");
            assert!(
                words(&dom, "route").starts_with("None."),
                "{}",
                words(&dom, "route")
            );
        }
    }
}

/// What is typed selects as soon as it is a message's name.
#[test]
fn a_name_that_is_typed_selects() {
    let run = runs::small();
    let script = "const search = document.getElementById('search');\
        search.value = '7->2';\
        search.dispatchEvent(new Event('input', { bubbles: true }));";
    assert_eq!(marked(&opened(&run, "", script)), nodes(&run, "7->2"));
}

#[test]
fn keys_move_the_bit_time() {
    let run = runs::small();
    assert_eq!(
        words(&opened(&run, "", ""), "state"),
        "Bit time 0 of 0 to 19; 0 messages are crossing"
    );
    // 0->1 crosses in bit times 1 to 3; 3->5 and 7->2 in 3 and on.
    let dom = opened(
        &run,
        "",
        &format!(
            "{PRESS}press('ArrowRight');press('ArrowRight');press('ArrowRight');press('ArrowRight');press('ArrowLeft');"
        ),
    );
    assert_eq!(
        words(&dom, "state"),
        "Bit time 3 of 0 to 19; 3 messages are crossing"
    );
    assert_eq!(dom.matches("<circle class=\"dot\"").count(), 3);
    let dom = opened(&run, "", &format!("{PRESS}press('ArrowLeft');"));
    assert!(words(&dom, "state").starts_with("Bit time 0 of 0 to 19;"));
}

/// Where there is no room for all routes, only those that are drawn are counted.
#[test]
fn messages_that_cross_are_counted_of_those_that_are_drawn() {
    let mut run = runs::small();
    let route = Route {
        stays: vec![run.messages[1].stays[0]; MOST_WAY_PARTS],
        ..run.messages[1].clone()
    };
    run.messages = vec![run.messages[1].clone(), route];
    let dom = opened(&run, "", &format!("{PRESS}press('ArrowRight');"));
    assert_eq!(
        words(&dom, "state"),
        "Bit time 1 of 0 to 19; 1 message of the 1 drawn is crossing"
    );
}

/// A line that is not drawn has no tooltip, and a click on its place selects nothing.
#[test]
fn routes_that_are_not_drawn_cannot_be_pointed_at() {
    let run = runs::small();
    let at_a_line = format!(
        "{PRESS}const line = lines[0][0];\
         const frame = document.getElementById('drawing').getBoundingClientRect();\
         const at = {{ bubbles: true, clientX: frame.left + line.x1 * 0.75 + line.x2 * 0.25, clientY: frame.top + line.y1 }};\
         const all = document.getElementById('all_routes');\
         const cells = document.getElementById('cells');\
         const point = () => cells.dispatchEvent(new MouseEvent('pointermove', at));\
         const pick = () => cells.dispatchEvent(new MouseEvent('click', at));"
    );
    let tip = "3-&gt;5 is at node 3, bit times 0 to 5";
    let dom = opened(&run, "", &format!("{at_a_line}pick();point();"));
    assert_eq!(marked(&dom), nodes(&run, "3->5"));
    assert_eq!(words(&dom, "tip"), tip);
    let dom = opened(&run, "", &format!("{at_a_line}all.click();pick();point();"));
    assert_eq!(marked(&dom), BTreeSet::new());
    assert_ne!(words(&dom, "tip"), tip);
    // The selected one is drawn all the same.
    let dom = opened(&run, "#3-%3E5", &format!("{at_a_line}all.click();point();"));
    assert_eq!(words(&dom, "tip"), tip);
}

/// It plays to the end and stops there; a second press stops it before.
#[test]
fn space_plays() {
    let run = runs::small();
    let dom = opened(
        &run,
        "",
        &format!("{PRESS}document.getElementById('speed').value = '20';press(' ');"),
    );
    assert!(
        words(&dom, "state").starts_with("Bit time 19 of 0 to 19;"),
        "{}",
        words(&dom, "state")
    );
    assert_eq!(words(&dom, "play"), "Play");
    let dom = opened(
        &run,
        "",
        &format!("{PRESS}press(' ');press('ArrowRight');press(' ');"),
    );
    assert!(
        words(&dom, "state").starts_with("Bit time 1 of 0 to 19;"),
        "{}",
        words(&dom, "state")
    );
}

/// A node is chosen from the beginning, and another by a click; what is told of it is of the bit time.
#[test]
fn a_node_tells_its_word() {
    let run = runs::words();
    let at = |time: u32, then: &str| {
        let dom = opened(&run, "", &format!("{PRESS}goTo({time});{then}"));
        ["node_title", "node_words"].map(|id| words(&dom, id).to_owned())
    };
    let said = |title: &str, words: &str| [title, words].map(str::to_owned);
    let title = "Node 3, gets the result";
    assert_eq!(at(5, ""), said(title, "bit time 5: word 1c"));
    assert_eq!(at(6, ""), said(title, "bit time 6: word ff"));
    let click = "click(document.querySelector('#graph .node[data-node=\"2\"]'));";
    let sends = "bit time 5: word 1c; a 1 goes to node 3";
    assert_eq!(at(5, click), said("Node 2", sends));
    let exchanges = |then: &str| {
        let dom = opened(&run, "", &format!("{PRESS}goTo(12);{then}"));
        let list = dom.split_once("id=\"exchanges\">").unwrap().1;
        list.split_once("</ul>").unwrap().0.to_owned()
    };
    assert_eq!(exchanges(""), "<li>0 to 9, exchange: gets from 2</li>");
    assert_eq!(exchanges(click), "<li>0 to 9, exchange: sends to 3</li>");
    let dom = opened(&run, "", &format!("{PRESS}goTo(5);press('Escape');"));
    assert!(dom.contains("id=\"node\" hidden"), "{dom}");
    assert_eq!(dom.matches("<circle class=\"bit\"").count(), 1);
    assert_eq!(
        opened(&run, "", "")
            .matches("<circle class=\"bit\"")
            .count(),
        0
    );
}

/// Harmed messages stand first, lost ones before those that were restored.
#[test]
fn a_wire_that_fails_is_crossed_out_and_messages_say_what_became_of_them() {
    let run = runs::harmed();
    let crosses = |time: u32| {
        let dom = opened(&run, "", &format!("goTo({time});"));
        dom.matches("class=\"failed-mark\"").count()
    };
    assert_eq!([3, 4].map(crosses), [0, 1]);
    let dom = opened(&run, "#3-%3E5", "");
    assert_eq!(words(&dom, "fate"), "It is lost.");
    assert_eq!(words(&opened(&run, "#1-%3E3", ""), "fate"), "");
    let list = dom.split_once("id=\"messages\"").unwrap().1;
    let list = list.split_once("id=\"further\"").unwrap().0;
    let buttons = list
        .split("</button>")
        .map(|button| button.rsplit('>').next());
    let buttons: Vec<&str> = buttons
        .flatten()
        .filter(|name| name.contains("-&gt;"))
        .collect();
    assert_eq!(
        buttons,
        ["3-&gt;5", "7-&gt;2", "0-&gt;1", "1-&gt;3", "6-&gt;6"]
    );
    let failure = "The wire from node 3 to node 2 is cut from bit time 4 on.";
    assert!(dom.contains(&format!("<li>{failure}</li>")), "{dom}");
}

#[test]
fn a_deadlock_is_drawn_and_told() {
    let dom = opened(&runs::stuck(), "", "");
    assert_eq!(dom.matches("class=\"waits\"").count(), 3, "arrows");
    assert_eq!(dom.matches("class=\"stuck-row\"").count(), 3);
    assert!(
        words(&dom, "deadlock")
            .starts_with("Deadlock since bit time 15: 1-&gt;3 at 3 waits for 0-&gt;1 at 1,")
    );
    assert_eq!(
        opened(&runs::small(), "", "")
            .matches("class=\"stuck-row\"")
            .count(),
        0
    );
}
