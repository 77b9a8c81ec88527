//! Markers that do not collide: of two whose names would overlap on the screen, the more important one stays.

/// Pixels of a character of a marker's name, which stands in the middle above its line.
const CHARACTER: f64 = 6.5;
/// Pixels between two names.
const GAP: f64 = 6.0;

/// A marker: when, and what it is called.
pub(super) type Marker = (u64, String);

/// A screen: the ticks that it shows, and over how many pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    pub from: u64,
    pub to: u64,
    pub pixels: f64,
}

impl Screen {
    /// Where a tick lies, in pixels from the left edge.
    pub fn pixel(self, tick: u64) -> f64 {
        (tick as f64 - self.from as f64) / (self.to - self.from).max(1) as f64 * self.pixels
    }

    /// Whether a tick can be seen.
    pub fn shows(self, tick: u64) -> bool {
        (self.from..self.to).contains(&tick)
    }
}

/// Of markers that are given with the most important first: those that do not overlap those before, nor the left edge of the
/// screen; and those that are not on it, which nobody sees collide. As many as there can be, in the order of time.
pub(super) fn without_collisions(
    markers: impl IntoIterator<Item = Marker>,
    screen: Screen,
    most: usize,
) -> Vec<Marker> {
    let mut kept: Vec<Marker> = Vec::new();
    for (tick, name) in markers {
        let half = |name: &str| name.chars().count() as f64 * CHARACTER / 2.0;
        let overlaps = |(other, named): &Marker| {
            let distance = (screen.pixel(*other) - screen.pixel(tick)).abs();
            screen.shows(*other) && distance < half(named) + half(&name) + GAP
        };
        let is_cut = screen.pixel(tick) < half(&name);
        let is_seen = screen.shows(tick);
        if kept.len() == most || kept.iter().any(|(other, _)| *other == tick) {
            continue;
        }
        if is_seen && (is_cut || kept.iter().any(overlaps)) {
            continue;
        }
        kept.push((tick, name));
    }
    kept.sort_by_key(|(tick, _)| *tick);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_important_of_two_that_collide_stays() {
        let screen = Screen {
            from: 100,
            to: 1100,
            pixels: 1000.0,
        };
        let names = |markers: &[(u64, &str)], most: usize| {
            let given = markers
                .iter()
                .map(|(tick, name)| (*tick, (*name).to_owned()));
            let kept = without_collisions(given, screen, most);
            kept.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
        };
        // Four letters take 26 pixels, and a gap 6: from 32 on there is room.
        assert_eq!(names(&[(300, "to_5"), (331, "to_6")], 26), ["to_5"]);
        assert_eq!(names(&[(300, "to_5"), (332, "to_6")], 26), ["to_5", "to_6"]);
        assert_eq!(names(&[(332, "to_6"), (300, "to_5")], 1), ["to_6"]);
        // At the left edge a name would be cut.
        assert_eq!(names(&[(112, "to_5"), (113, "to_5")], 26), ["to_5"]);
        // What is not on the screen collides with nothing.
        assert_eq!(
            names(&[(90, "far"), (91, "away"), (1100, "off")], 26).len(),
            3
        );
        assert_eq!(names(&[(500, "one"), (500, "two")], 26), ["one"]);
    }
}
