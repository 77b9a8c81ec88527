//! A window: the bit times of an iteration in which a stage of a row is at work.

use crate::parts::windows::moment::{Moment, read, skip_spaces};
use crate::parts::windows::stretch::Stretch;

/// Bit times from a first to a last one, or every second of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first bit time.
    pub from: Moment,
    /// The last one is the earlier of these, which mostly are the same.
    pub ends: [Moment; 2],
    /// Bit times from one to the next: 1, or 2.
    pub every: i32,
}

/// Reads a window: `r .. 2r-1`, `r .. min(2r, m+r-1)`, `m+4 .. by 2 .. m+2L+2`, or the moment that is its only bit time.
///
/// # Panics
/// If the text is none. In a constant that stops the compiler.
pub const fn window(text: &str) -> Window {
    let text = text.as_bytes();
    let dots = find(text, b"..", 0);
    let from = read(text, 0, dots);
    if dots == text.len() {
        return Window::at(from);
    }
    let mut begin = skip_spaces(text, dots + 2, text.len());
    let mut every = 1;
    if is_at(text, b"by 2 ..", begin) {
        every = 2;
        begin += b"by 2 ..".len();
        begin = skip_spaces(text, begin, text.len());
    }
    let ends = if is_at(text, b"min(", begin) {
        begin += b"min(".len();
        let (comma, end) = (find(text, b",", begin), find(text, b")", begin));
        assert!(
            comma < end && end + 1 == text.len(),
            "min(..) has two moments"
        );
        [read(text, begin, comma), read(text, comma + 1, end)]
    } else {
        [read(text, begin, text.len()); 2]
    };
    Window { from, ends, every }
}

/// Where a part of a text begins, from a place on; the text's end, if it is not there.
const fn find(text: &[u8], part: &[u8], from: usize) -> usize {
    let mut place = from;
    while place < text.len() && !is_at(text, part, place) {
        place += 1;
    }
    place
}

/// Whether a part of a text begins at a place.
const fn is_at(text: &[u8], part: &[u8], place: usize) -> bool {
    let mut same = 0;
    while same < part.len() && place + same < text.len() && text[place + same] == part[same] {
        same += 1;
    }
    same == part.len()
}

impl Window {
    /// One bit time.
    pub const fn at(moment: Moment) -> Self {
        Window {
            from: moment,
            ends: [moment; 2],
            every: 1,
        }
    }

    /// Its first bit time, or the one so many later.
    #[inline]
    pub fn begins(self, later: i32) -> Self {
        Window::at(self.from + later)
    }

    /// All of it but its first bit time.
    #[inline]
    pub fn behind_first(self) -> Self {
        self.begins_earlier(-1)
    }

    /// The same window, from so many bit times earlier on.
    #[inline]
    pub fn begins_earlier(self, earlier: i32) -> Self {
        Window {
            from: self.from + -earlier,
            ..self
        }
    }

    /// The last bit time of a window that has one end.
    #[inline]
    pub fn end(self) -> Moment {
        let [end, other] = self.ends;
        debug_assert_eq!(end, other);
        end
    }

    /// Whether the window is the same for all stages of a row: without `r`.
    pub fn is_of_row(self) -> bool {
        let [end, other] = self.ends;
        [self.from, end, other]
            .iter()
            .all(|moment| moment.multiples().1 == 0)
    }

    /// So many bit times longer.
    pub fn longer(self, longer: i32) -> Self {
        let [end, other] = self.ends;
        Window {
            ends: [end + longer, other + longer],
            ..self
        }
    }

    /// That of the row's last stage, number `m`.
    #[inline]
    pub fn of_last_stage(self) -> Self {
        self.each(|moment| moment.at_stage(1, 0))
    }

    /// That of the row's first stage, number 1.
    #[inline]
    pub fn of_first_stage(self) -> Self {
        self.each(|moment| moment.at_stage(0, 1))
    }

    /// From the first bit time of any of a row's stages to the last of any.
    #[inline]
    pub fn of_any_stage(self) -> Self {
        let (first, last) = (self.of_first_stage(), self.of_last_stage());
        let (_, of_r) = self.from.multiples();
        Window {
            from: if of_r > 0 { first.from } else { last.from },
            every: 1,
            ..self.each(|end| match end.multiples() {
                (_, 1..) => end.at_stage(1, 0),
                _ => end.at_stage(0, 1),
            })
        }
    }

    /// That of a row which is run the other way round: of stage `m+1-r`.
    #[inline]
    pub fn turned(self) -> Self {
        self.each(Moment::turned)
    }

    /// The same with other moments.
    #[inline]
    pub fn each(self, moment: impl Fn(Moment) -> Moment) -> Self {
        let [end, other] = self.ends;
        Window {
            from: moment(self.from),
            ends: [moment(end), moment(other)],
            every: self.every,
        }
    }

    /// Where `m` dimensions are left and payloads have so many bits: the bit times of stage `r`.
    #[inline]
    pub fn stretch(self, m: usize, payload_bits: usize, r: usize) -> Stretch {
        let value = |moment: Moment| moment.value(m, payload_bits, r);
        let [end, other] = self.ends;
        Stretch {
            from: value(self.from),
            to: value(end).min(value(other)),
            every: i64::from(self.every),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::windows::moment::moment;

    #[test]
    fn a_moment_is_what_it_reads_as() {
        for (m, payload_bits, r) in [(1, 1, 1), (4, 9, 3)] {
            let (m_, d, r_) = (m as i64, payload_bits as i64, r as i64);
            let value = |text| moment(text).value(m, payload_bits, r);
            assert_eq!(value("5m+2L - r + 1"), 5 * m_ + 2 * (m_ + d) - r_ + 1);
            assert_eq!(value("2r-1"), 2 * r_ - 1);
            assert_eq!(value("-3 + 12D"), 12 * d - 3);
            assert_eq!(value("3"), 3);
        }
    }

    #[test]
    fn what_is_no_moment_or_window_is_refused() {
        for text in ["", "m+", "k", "2m 3", "m*2", "r .."] {
            assert!(std::panic::catch_unwind(|| window(text)).is_err(), "{text}");
        }
        for text in [
            "r .. min(m)",
            "r .. min(m, 2) + 1",
            ".. 3",
            "1 .. 2 .. 3",
            "1 .. by 2",
        ] {
            assert!(std::panic::catch_unwind(|| window(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn a_window_is_the_bit_times_that_it_reads_as() {
        let bit_times = |text, m, payload_bits, r| {
            let stretch = window(text).stretch(m, payload_bits, r);
            (-3..40)
                .filter(|t| stretch.contains(*t))
                .collect::<Vec<_>>()
        };
        assert_eq!(bit_times("r .. 2r", 5, 1, 3), [3, 4, 5, 6]);
        assert_eq!(bit_times("r .. min(2r, m+r-1)", 2, 1, 3), [3, 4]);
        assert_eq!(bit_times("m+4 .. by 2 .. m+2L+2", 1, 2, 0), [5, 7, 9]);
        assert_eq!(bit_times("2m-1", 4, 1, 0), [7]);
        let counts = window("r .. min(2r, m+r-1)").longer(1);
        assert_eq!(counts, window("r .. min(2r+1, m+r)"));
        assert_eq!(counts.of_last_stage(), window("m .. min(2m+1, 2m)"));
        assert_eq!(counts.of_first_stage(), window("1 .. min(3, m+1)"));
        assert_eq!(counts.turned(), window("m+1-r .. min(2m+3-2r, 2m+1-r)"));
        assert_eq!(counts.begins(-1), window("r-1"));
        assert_eq!(counts.behind_first(), window("r+1 .. min(2r+1, m+r)"));
        assert_eq!(counts.of_any_stage(), window("1 .. min(2m+1, 2m)"));
        assert_eq!(window("L-r .. L-r+2").of_any_stage(), window("L-m .. L+1"));
        let lanes = window("r+4 .. by 2 .. r+8").of_any_stage();
        assert_eq!(lanes, window("5 .. m+8"), "stages take turns");
    }
}
