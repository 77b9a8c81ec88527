//! Cells, steps, axes and names.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Sheet;
use super::layout::{Layout, ROW_LINE, width_of};
use crate::picture::bins::Cells;
use crate::picture::colour;
use crate::picture::scene::Scene;

/// Cells of nodes and of links.
pub fn cells(sheet: &mut Sheet, scene: &Scene, layout: &Layout) {
    let gap = if layout.row_height >= 6.0 { 1.0 } else { 0.0 };
    let mut paths = vec![String::new(); colour::LEVELS as usize];
    for (row, cells) in scene.cells.iter().enumerate() {
        strip(
            &mut paths,
            scene,
            cells,
            (layout.row(row), layout.row_height - gap),
            scene.most,
        );
    }
    for (at, link) in scene.links.iter().enumerate() {
        let y = layout.links + at as f64 * layout.link_height;
        strip(
            &mut paths,
            scene,
            &link.cells,
            (y, layout.link_height - 1.0),
            scene.full_link,
        );
    }
    let (left, share) = (layout.left, layout.width / scene.bins.columns as f64);
    for (path, step) in paths
        .iter()
        .zip(colour::on_light())
        .filter(|(path, _)| !path.is_empty())
    {
        sheet.add(format_args!(
            "<path transform=\"translate({left} 0) scale({share:.6} 1)\" shape-rendering=\"crispEdges\" fill=\"{step}\" \
             d=\"{path}\"/>"
        ));
    }
}

/// Adds the rectangles of a row: from the left in columns, which the transformation makes pixels.
fn strip(paths: &mut [String], scene: &Scene, cells: &Cells, (y, height): (f64, f64), most: u32) {
    let columns = scene.bins.columns as u32;
    let mut open: Option<(u32, u32)> = None;
    let ends = cells
        .0
        .iter()
        .map(|(column, value)| (*column, colour::level(*value, most)));
    for (column, level) in ends.chain([(columns, None)]) {
        if let Some((from, before)) = open.filter(|(_, before)| Some(*before) != level) {
            let path = &mut paths[before as usize];
            let length = column - from;
            // Writing into a string does not fail.
            let _ = write!(path, "M{from} {y:.1}h{length}v{height:.1}h-{length}z");
            open = None;
        }
        open = open.or(level.map(|level| (column, level)));
    }
}

/// Steps and iterations.
pub fn bands(sheet: &mut Sheet, scene: &Scene, layout: &Layout) {
    let (top, height) = (layout.bands, layout.bands_height);
    let bottom = layout.chart + layout.chart_height;
    for (number, band) in scene.bands.iter().enumerate() {
        let (start, end) = (layout.x(band.from), layout.x(band.to));
        let tint = ["#e9edf4", "#d5dcea"][number % 2];
        let (below, width) = (top + height, end - start);
        sheet.add(format_args!(
            "<rect x=\"{start:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{tint}\"/>\
             <path d=\"M{start:.1} {below:.1}V{bottom:.1}\" stroke=\"#1c2430\" stroke-opacity=\".13\"/>"
        ));
        let (middle, length) = ((start + end) / 2.0, width_of(&band.name));
        if length <= width {
            sheet.say(
                "ink",
                (middle, top + height / 2.0 + 4.0),
                "middle",
                &band.name,
            );
        } else if width >= ROW_LINE && length + 6.0 <= height {
            let (x, y) = (middle + 4.0, top + height - 5.0);
            let words = crate::picture::html::text(&band.name);
            sheet.add(format_args!("<text class=\"ink\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\">{words}</text>"));
        }
    }
    if !scene.bands.is_empty() {
        sheet.say(
            "",
            (layout.left - 8.0, top + height / 2.0 + 4.0),
            "end",
            "step",
        );
    }
    iterations(sheet, scene, layout);
}

/// Steps that follow each other in one iteration have its number above them.
fn iterations(sheet: &mut Sheet, scene: &Scene, layout: &Layout) {
    let groups = scene
        .bands
        .chunk_by(|one, next| one.iteration == next.iteration);
    let mut is_counted = false;
    for group in groups {
        let ([first, ..], [.., last]) = (group, group) else {
            continue;
        };
        let Some(iteration) = first.iteration else {
            continue;
        };
        is_counted = true;
        let (start, end) = (layout.x(first.from) + 1.0, (layout.x(last.to) - 1.0));
        let y = layout.iterations + 14.5;
        sheet.add(format_args!(
            "<path class=\"frame\" d=\"M{start:.1} {y}H{end:.1}\"/>"
        ));
        let words = iteration.to_string();
        if width_of(&words) <= end - start {
            sheet.say("", ((start + end) / 2.0, y - 4.0), "middle", &words);
        }
    }
    if is_counted {
        sheet.say(
            "",
            (layout.left - 8.0, layout.iterations + 11.0),
            "end",
            "iteration",
        );
    }
}

/// Frames, and bit times above and below the rows.
pub fn axes(sheet: &mut Sheet, scene: &Scene, layout: &Layout) {
    let (left, width, top) = (layout.left, layout.width, layout.chart);
    let bottom = top + layout.chart_height;
    let mut frame = |y: f64, height: f64| {
        sheet.add(format_args!(
            "<rect class=\"frame\" x=\"{left}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height:.1}\"/>"
        ));
    };
    frame(top, layout.chart_height);
    if !scene.links.is_empty() {
        frame(layout.links, scene.links.len() as f64 * layout.link_height);
    }
    for time in (0..=scene.bins.bit_times).step_by(layout.axis_step() as usize) {
        let x = layout.x(time);
        sheet.add(format_args!(
            "<path class=\"frame\" d=\"M{x:.1} {top:.1}v-4M{x:.1} {bottom:.1}v4\"/>"
        ));
        for y in [top - 7.0, bottom + 15.0] {
            sheet.say("", (x, y), "middle", &time.to_string());
        }
    }
    sheet.say(
        "",
        (left + width / 2.0, bottom + 31.0),
        "middle",
        "bit time",
    );
}

/// Names of links and rows. Those of `on` come first; of the others as many as do not collide.
pub fn names(sheet: &mut Sheet, scene: &Scene, layout: &Layout, on: &BTreeSet<usize>) {
    let x = layout.left - 8.0;
    let each = (ROW_LINE / layout.link_height).ceil() as usize;
    for (at, link) in scene.links.iter().enumerate().step_by(each) {
        let y = layout.links + (at as f64 + 0.5) * layout.link_height + 4.0;
        sheet.say("", (x, y), "end", &link.name);
    }
    let mut each = 1;
    while each as f64 * layout.row_height < ROW_LINE {
        each *= 2;
    }
    let mut taken: Vec<f64> = Vec::new();
    let others = (0..scene.rows.len())
        .step_by(each)
        .filter(|row| !on.contains(row));
    for row in on.iter().copied().chain(others) {
        let y = layout.middle(row);
        if taken
            .iter()
            .all(|other| (other - y).abs() >= ROW_LINE - 0.5)
        {
            taken.push(y);
            let class = if on.contains(&row) { "on" } else { "" };
            let name = scene.rows.get(row).map_or("", String::as_str);
            sheet.say(class, (x, y + 4.0), "end", name);
        }
    }
}
