//! Where everything in the SVG is.

use crate::picture::scene::Scene;

/// Of the picture, in pixels.
pub const WIDTH: f64 = 1200.0;
/// Left of words above and below.
pub const MARGIN: f64 = 16.0;
/// From line to line.
pub const LINE: f64 = 15.0;
/// Names of rows nearer than this would collide.
pub const ROW_LINE: f64 = 12.0;
/// A letter of a small word, on the average; a wide one, so that words fit where they are reckoned to fit.
const LETTER: f64 = 6.5;
/// Letters of a line of words.
const LETTERS_A_LINE: usize = 190;
/// Pixels of the rows together, if there are many.
const ROWS_HEIGHT: f64 = 768.0;

/// Places, from the left and from the top.
#[derive(Clone, Debug)]
pub struct Layout {
    pub left: f64,
    pub width: f64,
    pub legend: f64,
    pub iterations: f64,
    pub bands: f64,
    pub bands_height: f64,
    pub links: f64,
    pub link_height: f64,
    pub chart: f64,
    pub row_height: f64,
    pub chart_height: f64,
    pub foot: f64,
    pub height: f64,
    bit_times: f64,
}

/// Of the lines above the picture, the first is the title.
pub fn head_y(line: usize) -> f64 {
    match line {
        0 => 28.0,
        _ => 32.0 + line as f64 * LINE,
    }
}

/// Of small words.
pub fn width_of(words: &str) -> f64 {
    words.chars().count() as f64 * LETTER
}

/// Words in lines. A word that is longer than a line is cut.
pub fn wrapped(words: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut room = 0;
    for word in words.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for piece in letters.chunks(LETTERS_A_LINE) {
            match lines.last_mut().filter(|_| piece.len() < room) {
                Some(line) => {
                    line.push(' ');
                    line.extend(piece);
                    room -= piece.len() + 1;
                }
                None => {
                    lines.push(piece.iter().collect());
                    room = LETTERS_A_LINE - piece.len();
                }
            }
        }
    }
    lines
}

impl Layout {
    /// With so many lines above and these below.
    pub fn of(scene: &Scene, head: usize, foot: usize) -> Layout {
        let links = scene.links.iter().map(|link| &link.name);
        let names = scene.rows.iter().chain(links);
        let longest = names.map(|name| width_of(name)).fold(60.0, f64::max);
        let left = (longest + 14.0).min(260.0);
        let right = if scene.circle.is_some() { 84.0 } else { 20.0 };
        let legend = head_y(head.saturating_sub(1)) + 12.0;
        let iterations = legend + 24.0;
        let is_counted = scene.bands.iter().any(|band| band.iteration.is_some());
        let mut layout = Layout {
            left,
            width: WIDTH - left - right,
            legend,
            iterations,
            bands: iterations + if is_counted { 18.0 } else { 0.0 },
            bands_height: 0.0,
            links: 0.0,
            link_height: if scene.links.len() > 24 { 6.0 } else { 13.0 },
            chart: 0.0,
            row_height: (ROWS_HEIGHT / scene.bins.rows as f64).clamp(2.0, 30.0),
            chart_height: 0.0,
            foot: 0.0,
            height: 0.0,
            bit_times: f64::from(scene.bins.bit_times),
        };
        layout.bands_height = layout.height_of_bands(scene);
        layout.links =
            layout.bands + layout.bands_height + if scene.bands.is_empty() { 0.0 } else { 8.0 };
        layout.chart = layout.links + scene.links.len() as f64 * layout.link_height + 22.0;
        layout.chart_height = scene.bins.rows as f64 * layout.row_height;
        layout.foot = layout.chart + layout.chart_height + 54.0;
        layout.height = (layout.foot - 10.0 + foot as f64 * LINE).round();
        layout
    }

    /// Names of steps stand upright where they are too long for their steps, if there is room for a line.
    fn height_of_bands(&self, scene: &Scene) -> f64 {
        let upright = scene.bands.iter().filter_map(|band| {
            let (room, length) = (
                self.x(band.to) - self.x(band.from),
                width_of(&band.name) + 8.0,
            );
            (length > room && room >= ROW_LINE).then_some(length.min(120.0))
        });
        match scene.bands.is_empty() {
            true => 0.0,
            false => upright.fold(17.0, f64::max),
        }
    }

    /// The left edge of a bit time.
    pub fn x(&self, time: u32) -> f64 {
        self.left + self.width * f64::from(time) / self.bit_times
    }

    /// The top of a row.
    pub fn row(&self, row: usize) -> f64 {
        self.chart + row as f64 * self.row_height
    }

    /// The middle of a row.
    pub fn middle(&self, row: usize) -> f64 {
        self.row(row) + self.row_height / 2.0
    }

    /// From label to label of the axis: 1, 2 or 5 times a power of ten.
    pub fn axis_step(&self) -> u32 {
        let room = width_of(&format!("{}", self.bit_times)) + 24.0;
        let powers = (0..9).map(|power| 10u32.pow(power));
        let steps = powers.flat_map(|power| [power, 2 * power, 5u32.saturating_mul(power)]);
        let has_room = |step: &u32| f64::from(*step) * self.width / self.bit_times >= room;
        steps.into_iter().find(has_room).unwrap_or(u32::MAX)
    }
}
