use super::*;
use crate::picture::run::{Band, Change, Circle, Crossing, Link, Route, Stay, Stuck};

fn changes(all: &[(u32, u32)]) -> Vec<Change> {
    all.iter()
        .map(|&(from, value)| Change { from, value })
        .collect()
}

/// Four nodes and 20 bit times: node 0 is full at first and has little at the end, node 2 has little.
fn run() -> Run {
    Run {
        title: "four nodes".to_owned(),
        nodes: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        bit_times: 20,
        bands: vec![Band {
            from: 18,
            name: "<too wide> & then".to_owned(),
            iteration: None,
        }],
        occupancy: vec![
            changes(&[(0, 16), (8, 0), (18, 1)]),
            changes(&[]),
            changes(&[(5, 1), (6, 0)]),
            changes(&[]),
        ],
        links: vec![
            Link {
                name: "none".to_owned(),
                used: changes(&[]),
            },
            Link {
                name: "some".to_owned(),
                used: changes(&[(3, 4), (7, 0)]),
            },
        ],
        messages: vec![Route {
            name: "a->c".to_owned(),
            source: 0,
            destination: 2,
            stays: vec![
                Stay {
                    node: 0,
                    from: 0,
                    to: 8,
                },
                Stay {
                    node: 2,
                    from: 6,
                    to: 20,
                },
            ],
            crossings: vec![Crossing {
                sender: 0,
                receiver: 2,
                from: 5,
                to: 8,
            }],
            ..Route::default()
        }],
        shown: Some(0),
        deadlock: Some(Circle {
            since: 15,
            nodes: vec![3, 1, 0],
            messages: [("x", 3), ("y", 1), ("z", 0)]
                .map(|(name, node)| Stuck {
                    name: name.to_owned(),
                    node,
                })
                .to_vec(),
        }),
        ..Run::default()
    }
}

/// The picture, and where everything is in it.
fn laid_out() -> (String, Layout) {
    let limits = Limits {
        rows: MOST_SVG_ROWS,
        columns: MOST_SVG_COLUMNS,
        route_parts: None,
        wave_nodes: 0,
    };
    let scene = Scene::of(&run(), limits).unwrap();
    let layout = Layout::of(&scene, head(&scene).len(), 1);
    (picture(&run()).unwrap(), layout)
}

/// What is between two texts, wherever they are.
fn all_between<'a>(svg: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    let pieces = svg.split(begin).skip(1);
    pieces
        .map(|piece| piece.split(end).next().unwrap())
        .collect()
}

/// Rectangles of each colour: the first column, the top, and how many columns.
#[test]
fn cells_have_their_colour_and_their_place() {
    let (svg, layout) = laid_out();
    let scale = colour::on_light();
    let cells: Vec<(&str, &str)> =
        all_between(&svg, "shape-rendering=\"crispEdges\" fill=\"", "\"/>")
            .into_iter()
            .map(|cells| cells.split_once("\" d=\"").unwrap())
            .collect();
    let drawn = |row: f64, height: f64, from: u32, columns: u32| {
        format!("M{from} {row:.1}h{columns}v{height:.1}h-{columns}z")
    };
    let (node, link) = (layout.row_height - 1.0, layout.link_height - 1.0);
    let little = drawn(layout.row(0), node, 18, 2) + &drawn(layout.row(2), node, 5, 1);
    let much =
        drawn(layout.row(0), node, 0, 8) + &drawn(layout.links + layout.link_height, link, 3, 4);
    assert_eq!(cells, [(&*scale[0], &*little), (&*scale[15], &*much)]);
}

#[test]
fn the_legend_goes_from_little_to_much() {
    let (svg, _) = laid_out();
    let legend = all_between(&svg, "width=\"9\" height=\"10\" fill=\"", "\"");
    assert_eq!(legend, [colour::on_light(), colour::on_light()].concat());
}

#[test]
fn the_chosen_route_goes_from_row_to_row() {
    let (svg, layout) = laid_out();
    let (a, c) = (layout.middle(0), layout.middle(2));
    let [start, leaves, comes, over, end] = [0, 5, 6, 8, 20].map(|time| layout.x(time));
    let route = format!(
        "M{start:.1} {a:.1}H{over:.1}M{comes:.1} {c:.1}H{end:.1}M{leaves:.1} {a:.1}L{over:.1} {c:.1}"
    );
    for class in ["halo", "route"] {
        let drawn = all_between(&svg, &format!("<path class=\"{class}\" d=\""), "\"");
        assert!(drawn.contains(&&*route), "{class}: {drawn:?} lacks {route}");
    }
}

#[test]
fn a_deadlock_begins_in_its_bit_time_and_arrows_lead_to_whom_is_waited_for() {
    let (svg, layout) = laid_out();
    let begins = all_between(&svg, "<rect class=\"stuck\" x=\"", "\"");
    let since = format!("{:.1}", layout.x(15));
    assert_eq!(begins, [&*since; 3]);
    let shift = (layout.row_height / 5.0).min(4.0);
    let arrows = all_between(&svg, "<path class=\"waits\" d=\"M", "\"");
    let ends: Vec<[&str; 2]> = arrows
        .iter()
        .map(|arrow| {
            let from = arrow.split([' ', 'C']).nth(1).unwrap();
            [from, arrow.rsplit(' ').next().unwrap()]
        })
        .collect();
    let expected = [(3, 1), (1, 0), (0, 3)].map(|(from, to)| {
        [layout.middle(from) + shift, layout.middle(to) - shift].map(|y| format!("{y:.1}"))
    });
    assert_eq!(ends, expected);
}

/// One that is too long for its step stands upright, and is escaped as all others are.
#[test]
fn names_of_steps_that_stand_upright_stay_texts() {
    let (svg, _) = laid_out();
    let upright = all_between(&svg, "rotate(-90)\">", "<");
    assert_eq!(upright, ["&lt;too wide&gt; &amp; then"]);
}
