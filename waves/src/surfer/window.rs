//! Markers, the cursor, and what is in view.
//!
//! Surfer's commands show the whole run, halve what is in view about its middle, go to the start or the end, and set the cursor, around
//! which the view is laid if it lies outside. No command takes a window.

use crate::surfer::Script;

/// Markers beyond these are left out, as they are in GTKWave.
const MARKERS: usize = 26;

/// Times of a view, in ticks.
pub(crate) struct Times<'a> {
    /// What is to be in view.
    pub window: (u64, u64),
    /// The end of the dump.
    pub end: u64,
    /// When, and what it is called, in one word.
    pub markers: &'a [(u64, String)],
    pub cursor: Option<u64>,
}

impl Times<'_> {
    pub(super) fn write(&self, script: &mut Script) {
        for (tick, name) in self.markers.iter().take(MARKERS) {
            let name = name.replace(['#', ';'], "_");
            script.line(format_args!("marker_set {name} {tick}"));
        }
        let cursor = |script: &mut Script| {
            if let Some(tick) = self.cursor {
                script.line(format_args!("cursor_set {tick}"));
            }
        };
        let (from, to) = self.window;
        // A little more than the window: a cursor at its very edge would move what is in view.
        let mut halvings = 0;
        while (to - from) * 17 / 16 < self.end >> (halvings + 1) {
            halvings += 1;
        }
        let width = self.end >> halvings;
        let middle = from + (to - from) / 2;
        let is_at_edge = to <= width || from >= self.end - width;
        if is_at_edge {
            cursor(script);
        }
        script.line("zoom_fit");
        for _ in 0..halvings {
            script.line("zoom_in");
        }
        // From where the middle of the window is out of view, where it is not at an edge.
        let starts = match is_at_edge {
            true => to <= width,
            false => middle > width,
        };
        script.line(if starts { "goto_start" } else { "goto_end" });
        if !is_at_edge {
            script.line(format_args!("cursor_set {middle}"));
            cursor(script);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Surfer has in view after these commands, by what its sources say of each, and where the cursor is.
    fn in_view(commands: &str, end: f64) -> ((f64, f64), Option<f64>) {
        let (mut left, mut right, mut cursor) = (0.0, end, None);
        for command in commands.lines() {
            let width: f64 = right - left;
            match command.split_once(' ').unwrap_or((command, "")) {
                ("zoom_fit", "") => (left, right) = (0.0, end),
                ("zoom_in", "") => (left, right) = (left + width / 4.0, right - width / 4.0),
                ("goto_start", "") => (left, right) = (0.0, width),
                ("goto_end", "") => (left, right) = (end - width, end),
                ("cursor_set", time) => {
                    let time: f64 = time.parse().unwrap();
                    cursor = Some(time);
                    if time <= left || time >= right {
                        let furthest = end + width / 5.0 - width;
                        left = (time - width / 2.0).clamp(-width / 5.0, furthest);
                        right = left + width;
                    }
                }
                _ => panic!("{command}"),
            }
        }
        ((left, right), cursor)
    }

    #[test]
    fn the_window_is_in_view_and_not_much_else() {
        for end in [10, 290, 1530, 100_003] {
            for from in [
                0,
                end / 9,
                end / 3,
                end / 2,
                end * 3 / 4,
                end - end / 50 - 1,
            ] {
                for width in [10, end / 40, end / 7, end / 2, end] {
                    let to = (from + width).clamp(from + 1, end);
                    for cursor in [None, Some(from), Some(from + (to - from) / 3)] {
                        let times = Times {
                            window: (from, to),
                            end,
                            markers: &[],
                            cursor,
                        };
                        let mut script = Script::default();
                        times.write(&mut script);
                        let ((left, right), set) = in_view(&script.text, end as f64);
                        let says = format!("{from}..{to} of {end}: {left}..{right}");
                        assert!(left <= from as f64 && to as f64 <= right, "{says}");
                        // By halves, and with a sixteenth of room, rounded up to a whole tick of the end.
                        let most = (to - from) as f64 * 2.0 * 17.0 / 16.0 + 2.0;
                        assert!(right - left <= most.min(end as f64), "{says}");
                        if let Some(cursor) = cursor {
                            assert_eq!(set, Some(cursor as f64), "{says}");
                        }
                    }
                }
            }
        }
    }
}
