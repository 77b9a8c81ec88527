//! The picture that stands still. Everything is drawn in pixels of a fixed width; cells of one colour are one path, whose
//! rectangles are runs of equal cells.
//!
//! ```text
//!   title, explanation, notes, deadlock
//!   legend
//!   iterations, steps
//!   links
//!   bit times
//!   rows of nodes, the route of the chosen message, arrows of the deadlock
//!   bit times
//!   the route of the chosen message
//! ```

mod chart;
mod layout;
mod overlay;

use std::fmt::Write;

use super::html::{metadata, text};
use super::run::Run;
use super::scene::{Limits, Measure, Scene};
use super::{Error, MOST_SVG_BYTES, MOST_SVG_COLUMNS, MOST_SVG_ROWS, colour};
use crate::VERSION;
use layout::{Layout, WIDTH, wrapped};

/// Fewer columns than this are not tried.
const FEWEST_COLUMNS: usize = 16;
/// Of words, lines, the ground, the chosen message and its border, and a deadlock. The ground is drawn, so that the picture
/// is the same on a light page and on a dark one.
const STYLE: &str = "text{font:11px system-ui,'DejaVu Sans',sans-serif;fill:#5d6877}.title{font-size:18px;font-weight:600;\
    fill:#1c2430}.ink{fill:#1c2430}.on{fill:#c3127a;font-weight:700}.red{fill:#cc2a10}.frame{fill:none;stroke:#c9d0d9}\
    .route{fill:none;stroke:#c3127a;stroke-width:2.6;stroke-linecap:round}.halo{fill:none;stroke:#fff;stroke-width:6;\
    stroke-opacity:.9}.stuck{fill:#cc2a10;fill-opacity:.16;stroke:#cc2a10}.waits{fill:none;stroke:#cc2a10;stroke-width:1.6}";

/// The SVG of a run.
///
/// # Errors
/// What cannot be drawn.
pub fn picture(run: &Run) -> Result<String, Error> {
    let mut limits = Limits {
        rows: MOST_SVG_ROWS,
        columns: MOST_SVG_COLUMNS,
        route_parts: None,
        wave_nodes: 0,
    };
    loop {
        let svg = drawn(&Scene::of(run, limits)?);
        if svg.len() <= MOST_SVG_BYTES {
            return Ok(svg);
        }
        if limits.columns <= FEWEST_COLUMNS {
            return Err(Error::SvgTooLarge { bytes: svg.len() });
        }
        limits.columns /= 2;
    }
}

/// Wires that fail of which each has a line.
const MOST_FAILURES: usize = 8;

/// An SVG that is being written.
pub struct Sheet(String);

impl Sheet {
    /// Adds a part. Texts in it are escaped beforehand.
    pub fn add(&mut self, part: std::fmt::Arguments) {
        // Writing into a string does not fail.
        let _ = self.0.write_fmt(part);
        self.0.push('\n');
    }

    /// Adds words, escaped, anchored so at a place.
    pub fn say(&mut self, class: &str, (x, y): (f64, f64), anchor: &str, words: &str) {
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            text(words)
        ));
    }
}

fn drawn(scene: &Scene) -> String {
    let route = scene
        .shown
        .and_then(|shown| scene.routes.get(shown))
        .map(|route| route.route(&scene.names));
    let head = head(scene);
    let foot: Vec<String> = route.iter().flat_map(|route| wrapped(route)).collect();
    let layout = Layout::of(scene, head.len(), foot.len());
    let height = layout.height;
    let mut sheet = Sheet(String::new());
    sheet.add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\">\
         <style>{STYLE}</style><title>{}</title><desc>{VERSION}: {}</desc>{}<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>",
        text(&scene.title),
        text(&scene.command),
        metadata(&scene.meta)
    ));
    for (line, (class, words)) in head.iter().enumerate() {
        sheet.say(
            class,
            (layout::MARGIN, layout::head_y(line)),
            "start",
            words,
        );
    }
    legend(&mut sheet, scene, &layout);
    chart::cells(&mut sheet, scene, &layout);
    chart::bands(&mut sheet, scene, &layout);
    chart::axes(&mut sheet, scene, &layout);
    overlay::circle(&mut sheet, scene, &layout);
    let on = overlay::route(&mut sheet, scene, &layout);
    chart::names(&mut sheet, scene, &layout, &on);
    for (line, words) in foot.iter().enumerate() {
        let y = layout.foot + line as f64 * layout::LINE;
        sheet.say("ink", (layout::MARGIN, y), "start", words);
    }
    sheet.add(format_args!("</svg>"));
    sheet.0
}

/// Classes and words of the lines above the picture.
fn head(scene: &Scene) -> Vec<(&'static str, String)> {
    let mut head = vec![("title", scene.title.clone())];
    let mut add =
        |class, words: &str| head.extend(wrapped(words).into_iter().map(|line| (class, line)));
    for said in [&scene.verdict, &scene.command] {
        if !said.is_empty() {
            add("ink", said);
        }
    }
    add("ink", &scene.explanation);
    for note in &scene.notes {
        add("", note);
    }
    for failure in scene.failures.iter().take(MOST_FAILURES) {
        add("red", &failure.words);
    }
    if let Some(more) = scene.failures.len().checked_sub(MOST_FAILURES + 1) {
        add("red", &format!("{} more wires fail.", more + 1));
    }
    if let Some(harm) = &scene.harm {
        add("red", &harm.words);
    }
    if let Some(circle) = &scene.circle {
        add("red", &circle.sentence);
    }
    head
}

/// What colours stand for.
fn legend(sheet: &mut Sheet, scene: &Scene, layout: &Layout) {
    let mut x = layout::MARGIN;
    let links = !scene.links.is_empty();
    let links = links.then(|| ("1", scene.full_link.to_string(), scene.linked));
    let cells = (scene.most > 0).then(|| match scene.measure {
        // Of a wide number there is but a part in its size.
        Measure::Number => ("small", "large:".to_owned(), scene.measured.as_str()),
        _ => ("1", scene.most.to_string(), scene.measured.as_str()),
    });
    for (least, most, words) in cells.into_iter().chain(links) {
        sheet.say("ink", (x, layout.legend + 9.0), "start", least);
        x += layout::width_of(least) + 4.0;
        for step in colour::on_light() {
            let y = layout.legend;
            sheet.add(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"9\" height=\"10\" fill=\"{step}\"/>"
            ));
            x += 9.0;
        }
        let words = format!("{most} {words}");
        sheet.say("ink", (x + 4.0, layout.legend + 9.0), "start", &words);
        x += layout::width_of(&words) + 34.0;
    }
    if let Some(route) = scene.shown.and_then(|shown| scene.routes.get(shown)) {
        let y = layout.legend + 5.0;
        sheet.add(format_args!("<path class=\"route\" d=\"M{x} {y}h26\"/>"));
        let words = format!("the route of {}", route.name);
        sheet.say("on", (x + 32.0, layout.legend + 9.0), "start", &words);
    }
}

#[cfg(test)]
mod tests;
