//! The view beside the dump.

use crate::broadcast_wave::dumped::Dumped;

/// Routing steps that a view opens on.
const FIRST_SCREEN: usize = 8;
/// Bit times of a run that is shown whole.
const SHORT_RUN: usize = 130;
/// Picoseconds.
const BIT_TIME: usize = 1000;

fn is_row(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['[', '@', '^', '-', '*'])
}

/// The path of a row, without its range.
fn path(row: &str) -> &str {
    let path = row.rsplit_once(' ').map_or(row, |(_, path)| path);
    path.split('[').next().unwrap()
}

/// At each node the count comes first, then what its ports and its buffers are ever said to do; bits are folded away.
pub fn begins_with_what_is_said(dumped: &Dumped) {
    let n = dumped.case.n;
    let lines: Vec<&str> = dumped.view.lines().collect();
    for node in 0..dumped.case.nodes() {
        let role = match node == dumped.case.source {
            true => "source",
            false => "receives it",
        };
        let title = format!("-node_{node} = {node:0n$b}, {role}");
        let from = lines.iter().position(|line| *line == title).unwrap();
        let wires = lines[from..]
            .iter()
            .position(|line| *line == "-wires")
            .unwrap();
        assert_eq!(lines[from + wires - 1], "@c00200", "folded");
        let rows = lines[from..from + wires].iter().filter(|line| is_row(line));
        let mut names = rows.map(|row| {
            let path = path(row)
                .strip_prefix(&format!("cube.node_{node}."))
                .unwrap();
            let name = row.strip_prefix("+{").and_then(|row| row.split_once('}'));
            (path, name.map(|(name, _)| name))
        });
        assert_eq!(names.next().unwrap().0, "occupied_bits");
        let is_said = |path: &str| {
            let values = dumped.of(&format!("node_{node}.{path}"));
            values.iter().any(|value| !value.is_empty())
        };
        for port in 0..n {
            for what in ["sends", "receives"] {
                let path = format!("ports.port_{port}.{what}");
                if is_said(&path) {
                    let name = format!("port {port} {what}");
                    assert_eq!(names.next().unwrap(), (path.as_str(), Some(name.as_str())));
                }
            }
        }
        for buffer in dumped.paths_in(node, ".holds") {
            let (module, _) = buffer.rsplit_once('.').unwrap();
            let module = module.rsplit_once('.').unwrap().1.replace('_', " ");
            if is_said(buffer) {
                let name = format!("{module} holds");
                assert_eq!(names.next().unwrap(), (buffer, Some(name.as_str())));
            }
        }
        assert_eq!(names.next(), None);
    }
}

/// On all bit times where there are up to 130; else on so many steps. Where the first packet comes to a node, `to_5` is marked; then
/// START and SHIFT, or, where there is no start-up, SHIFT alone, or, if that is all that can be seen, the number of each step. But
/// none is whose name would be cut at the left, or lie over one that was marked before.
pub fn opens_on_eight_steps(dumped: &Dumped) {
    let (length, (_, start_up)) = (dumped.case.step(), dumped.case.bits);
    let is_cut = dumped.steps() > FIRST_SCREEN && dumped.steps() * length + 1 > SHORT_RUN;
    let steps = match is_cut {
        true => FIRST_SCREEN,
        false => dumped.steps(),
    };
    let mut markers = Vec::new();
    let is_first = |name: &String| dumped.case.packet(name) == Some(0);
    for node in (0..dumped.case.nodes()).filter(|node| *node != dumped.case.source) {
        let comes = (0..dumped.case.n).filter_map(|port| {
            let said = dumped.of(&format!("node_{node}.ports.port_{port}.receives"));
            said.iter().position(is_first)
        });
        markers.push((comes.min().unwrap(), format!("to_{node}")));
    }
    for step in 0..steps {
        if start_up > 0 {
            markers.push((step * length, "START".to_owned()));
        }
        let shift = match start_up > 0 || !is_cut || steps == 1 {
            true => "SHIFT".to_owned(),
            false => format!("#{step}"),
        };
        markers.push((step * length + start_up, shift));
    }
    // What the run leaves is a step of its own.
    let end = steps * length + usize::from(!is_cut);
    if !is_cut {
        markers.push((steps * length, "done".to_owned()));
    }
    // In pixels, of which a character has 6.5, and six part two names.
    let half = |name: &str| 3.25 * name.len() as f64;
    let pixel = |at: usize| at as f64 * 1070.0 / end as f64;
    let mut kept: Vec<(usize, String)> = Vec::new();
    for (at, name) in markers {
        let overlaps = |(other, named): &(usize, String)| {
            *other < end && (pixel(*other) - pixel(at)).abs() < half(named) + half(&name) + 6.0
        };
        let is_free = at >= end || pixel(at) >= half(&name) && !kept.iter().any(overlaps);
        if is_free && kept.len() < 26 && kept.iter().all(|(other, _)| *other != at) {
            kept.push((at, name));
        }
    }
    kept.sort_unstable();
    let view = dumped.view.lines();
    let names: Vec<&str> = (view.clone())
        .filter_map(|line| line.strip_prefix("[markername] "))
        .map(|name| &name[1..])
        .collect();
    let expected: Vec<&str> = kept.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, expected, "{:?}", dumped.case);
    let zoom = view
        .clone()
        .find_map(|line| line.strip_prefix('*'))
        .unwrap();
    let zoom: Vec<&str> = zoom.split(' ').collect();
    let times = zoom[2..].iter().filter(|time| **time != "-1");
    let times: Vec<usize> = times.map(|time| time.parse().unwrap()).collect();
    let expected: Vec<usize> = kept.iter().map(|(at, _)| at * BIT_TIME).collect();
    assert_eq!(times, expected, "{:?}", dumped.case);
    // 2^-z picoseconds in 200 of the pixels right of the names.
    let shown = (-zoom[0].parse::<f64>().unwrap()).exp2() * (1500.0 - 390.0 - 40.0) / 200.0;
    assert!(
        (shown - (end * BIT_TIME) as f64).abs() < 1.0,
        "{shown} {end}"
    );
    assert!(dumped.view.contains("[timestart] 0\n"));
}
