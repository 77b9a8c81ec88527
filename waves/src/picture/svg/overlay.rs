//! What lies over the cells: the route of the chosen message, and the deadlock.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Sheet;
use super::layout::Layout;
use crate::picture::scene::Scene;

/// The route of the chosen message, if there is one. Gives the rows of its nodes.
pub fn route(sheet: &mut Sheet, scene: &Scene, layout: &Layout) -> BTreeSet<usize> {
    let Some(route) = scene.shown.and_then(|shown| scene.routes.get(shown)) else {
        return BTreeSet::new();
    };
    let middle = |node: u32| layout.middle(scene.bins.row(node));
    let mut path = String::new();
    // Writing into a string does not fail.
    for [node, from, to] in &route.stays {
        let (start, y, end) = (layout.x(*from), middle(*node), layout.x(*to));
        let _ = write!(path, "M{start:.1} {y:.1}H{end:.1}");
    }
    for [sender, receiver, from, to] in &route.crossings {
        let (start, y, end) = (layout.x(*from), middle(*sender), layout.x(*to));
        let _ = write!(path, "M{start:.1} {y:.1}L{end:.1} {:.1}", middle(*receiver));
    }
    sheet.add(format_args!(
        "<path class=\"halo\" d=\"{path}\"/><path class=\"route\" d=\"{path}\"/>"
    ));
    route
        .nodes()
        .into_iter()
        .map(|node| scene.bins.row(node))
        .collect()
}

/// The rows of a deadlock since it began, and an arrow from each node to the one that it waits for.
pub fn circle(sheet: &mut Sheet, scene: &Scene, layout: &Layout) {
    let Some(circle) = &scene.circle else {
        return;
    };
    let edge = layout.left + layout.width;
    let start = layout
        .x(circle.since.min(scene.bins.bit_times))
        .min(edge - 3.0);
    let rows: Vec<usize> = circle
        .nodes
        .iter()
        .map(|node| scene.bins.row(*node))
        .collect();
    for row in rows.iter().collect::<BTreeSet<_>>() {
        let (y, width, height) = (layout.row(*row), edge - start, layout.row_height - 1.0);
        sheet.add(format_args!(
            "<rect class=\"stuck\" x=\"{start:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
    }
    let shift = (layout.row_height / 5.0).min(4.0);
    for (from, to) in rows.iter().zip(rows.iter().cycle().skip(1)) {
        // Long arrows reach farther out, and those upwards farther than those downwards, so that none lie on each other.
        let (from, to) = (layout.middle(*from) + shift, layout.middle(*to) - shift);
        let upwards = if to < from { 12.0 } else { 0.0 };
        let edge = edge + 2.0;
        let out = edge + 16.0 + 40.0 * ((to - from).abs() / layout.chart_height).sqrt() + upwards;
        let head = edge + 6.0;
        sheet.add(format_args!(
            "<path class=\"waits\" d=\"M{edge:.1} {from:.1}C{out:.1} {from:.1} {out:.1} {to:.1} {head:.1} {to:.1}\"/>\
             <path class=\"red\" d=\"M{edge:.1} {to:.1}l8 -4v8z\"/>"
        ));
    }
}
