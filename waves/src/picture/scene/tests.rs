use super::*;
use crate::picture::run;

fn scene(run: &Run) -> Scene {
    let limits = Limits {
        rows: 8,
        columns: 8,
        route_parts: None,
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

#[test]
fn the_scale_on_a_light_ground_comes_first() {
    let scales = scene(&sized(1)).scales;
    assert_eq!(scales, [colour::on_light(), colour::on_dark()]);
}
