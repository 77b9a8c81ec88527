//! The page: assets of this folder, and the scene as JSON.

use super::run::Run;
use super::scene::{Limits, Measure, Scene};
use super::{Error, MOST_COLUMNS, MOST_GRAPH_NODES, MOST_PAGE_BYTES, MOST_ROWS, MOST_WAY_PARTS};
use crate::VERSION;

const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
/// In this order they are one script.
const SCRIPTS: &[&str] = &[
    include_str!("assets/scene.js"),
    include_str!("assets/measures.js"),
    include_str!("assets/layout.js"),
    include_str!("assets/chart.js"),
    include_str!("assets/ways.js"),
    include_str!("assets/routes.js"),
    include_str!("assets/graph.js"),
    include_str!("assets/failures.js"),
    include_str!("assets/wave.js"),
    include_str!("assets/page.js"),
];
/// Bytes of numbers of nodes beside other things.
const MOST_NUMBER_BYTES: usize = 1_000_000;
/// Fewer columns than this are not tried.
const FEWEST_COLUMNS: usize = 16;

/// The page of a run.
///
/// # Errors
/// What cannot be drawn.
pub fn page(run: &Run) -> Result<String, Error> {
    let mut limits = Limits {
        rows: MOST_ROWS,
        columns: MOST_COLUMNS,
        route_parts: Some(MOST_WAY_PARTS),
        wave_nodes: usize::MAX,
    };
    loop {
        let mut scene = Scene::of(run, limits)?;
        match scene.measure {
            // The page has the numbers themselves.
            Measure::Number => scene.cells.clear(),
            _ => leave_out_numbers(&mut scene)?,
        }
        if run.nodes.len() > MOST_GRAPH_NODES {
            let nodes = run.nodes.len();
            scene.notes.push(format!(
                "The network is not drawn: it has {nodes} nodes, and up to {MOST_GRAPH_NODES} can be."
            ));
        }
        if run.waves.is_some() && scene.waves.is_none() {
            let note = "Waveforms of nodes are left out: they would take too much room.";
            scene.notes.push(note.to_owned());
        }
        let page = with(&scene, &run.report)?;
        if page.len() <= MOST_PAGE_BYTES {
            return Ok(page);
        }
        // Waveforms are left out first, those of later nodes before those of earlier ones.
        if let Some(waves) = scene.waves.filter(|waves| !waves.nodes.is_empty()) {
            limits.wave_nodes = waves.nodes.len() / 2;
            continue;
        }
        if limits.columns <= FEWEST_COLUMNS {
            let bytes = page.len();
            return Err(Error::PageTooLarge { bytes });
        }
        limits.columns /= 2;
        limits.route_parts = limits.route_parts.map(|parts| parts / 2);
    }
}

/// Beside messages numbers say little: where they would take much, they are left out.
fn leave_out_numbers(scene: &mut Scene) -> Result<(), Error> {
    if json(&scene.numbers)?.len() > MOST_NUMBER_BYTES {
        scene.numbers.clear();
        let note = "Numbers that nodes hold are left out: they would take too much room.";
        scene.notes.push(note.to_owned());
    }
    Ok(())
}

fn json(data: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(data).map_err(|error| Error::Data {
        reason: error.to_string(),
    })
}

fn with(scene: &Scene, report: &str) -> Result<String, Error> {
    let data = json(scene)?;
    Ok(filled(PAGE, |name| match name {
        "title" => Some(text(&scene.title)),
        "about" => Some(text(&scene.about)),
        "report" => Some(report.lines().map(text).collect::<Vec<_>>().join("\n")),
        "command" => Some(text(&scene.command)),
        "verdict" => Some(text(&scene.verdict)),
        "version" => Some(VERSION.to_owned()),
        "style" => Some(STYLE.to_owned()),
        "script" => Some(SCRIPTS.concat()),
        "data" => Some(in_script(&data)),
        "meta" => Some(in_script(&scene.meta)),
        _ => None,
    }))
}

/// Puts values in the places of `{{name}}`. What is put in is not looked at again, so a title may have braces.
fn filled(page: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut pieces = page.split("{{");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once("}}") {
            Some((name, rest)) => {
                filled += &value(name).unwrap_or_default();
                filled += rest;
            }
            None => filled += piece,
        }
    }
    filled
}

/// Text in HTML or XML, between tags or in an attribute. Control characters, which XML cannot have, become blanks.
pub fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            other if other.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// JSON in a script element, which nothing in a text of it can end. Outside of its texts JSON has none of these characters.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

/// What there is for scripts of where an SVG comes from, a line of JSON, as an element; nothing, where nobody says it.
pub fn metadata(meta: &str) -> String {
    match meta {
        "" => String::new(),
        meta => format!("<metadata>{}</metadata>", text(meta)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::run::{self, Change};

    #[test]
    fn nothing_in_a_text_ends_the_script() {
        let json = serde_json::to_string("</script><!-- & \"").unwrap();
        let escaped = in_script(&json);
        assert_eq!(escaped, "\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\\"\"");
        let read: String = serde_json::from_str(&escaped).unwrap();
        assert_eq!(read, "</script><!-- & \"");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            text("<b> & \"it's\"\u{1}"),
            "&lt;b&gt; &amp; &quot;it&#39;s&quot; "
        );
    }

    /// Numbers stay where they are all that there is to see.
    #[test]
    fn many_numbers_are_left_out_beside_messages() {
        let value = |number: usize| run::Value {
            text: format!("{number:064x}"),
            size: 1,
        };
        let change = |from: u32| Change { from, value: from };
        let number = run::Number {
            name: "word".to_owned(),
            is_count: false,
            width: 256,
            values: (0..2000).map(value).collect(),
            nodes: vec![(0..2000).map(change).collect()],
            second: Vec::new(),
            every: 1,
        };
        let mut run = Run {
            nodes: vec!["0".to_owned()],
            bit_times: 2000,
            numbers: vec![number; 8],
            ..Run::default()
        };
        let note = "Numbers that nodes hold are left out";
        let pages = |run: &Run| {
            let page = page(run).unwrap();
            (page.contains(note), page.len() > MOST_NUMBER_BYTES)
        };
        assert_eq!(pages(&run), (false, true));
        run.occupancy = vec![vec![change(1)]];
        assert_eq!(pages(&run), (true, false));
        run.numbers.truncate(1);
        assert_eq!(pages(&run), (false, false));
    }

    #[test]
    fn a_network_that_is_not_drawn_is_missed() {
        let of_nodes = |nodes: usize| {
            let run = Run {
                nodes: (0..nodes).map(|node| node.to_string()).collect(),
                bit_times: 1,
                ..Run::default()
            };
            page(&run).unwrap().contains("The network is not drawn")
        };
        assert_eq!(
            [MOST_GRAPH_NODES, MOST_GRAPH_NODES + 1].map(of_nodes),
            [false, true]
        );
    }

    /// A title that looks like a place to fill is not filled.
    #[test]
    fn places_are_filled_once() {
        let page = filled("<{{title}}|{{data}}>", |name| match name {
            "title" => Some("{{data}}".to_owned()),
            "data" => Some("it".to_owned()),
            _ => None,
        });
        assert_eq!(page, "<{{data}}|it>");
    }

    /// The scripts must not end their own element, nor fetch anything.
    #[test]
    fn assets_are_of_themselves() {
        let script = SCRIPTS.concat();
        for asset in [PAGE, STYLE, &script] {
            for word in [
                "https:",
                "url(",
                "import ",
                "fetch(",
                "XMLHttpRequest",
                "<link",
            ] {
                assert!(!asset.contains(word), "{word}");
            }
        }
        assert!(!script.contains("</"));
        assert!(!STYLE.contains("</"));
        assert_eq!(
            PAGE.matches("{{").count(),
            11,
            "title twice, about, command, report, verdict, version, style, data, meta, script"
        );
    }
}
