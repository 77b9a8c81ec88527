//! Words that are nearly what somebody has typed.

use std::cmp::Reverse;

/// The nearest of some words, if one is near: a slip or two away, or the one goes on from the other.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = |other: &&str| strsim::osa_distance(word, other);
    let is_near = |other: &&str| {
        let shorter = word.len().min(other.len());
        let goes_on = shorter > 2 && (word.starts_with(other) || other.starts_with(word));
        goes_on || slips(other) <= 1 + shorter / 5
    };
    known
        .into_iter()
        .filter(is_near)
        .max_by_key(|other| Reverse(slips(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_or_an_ending_is_near_and_what_only_looks_alike_is_not() {
        for (word, known, near) in [
            (
                "kuzmaul",
                &["enumeration", "packing", "kuszmaul"][..],
                Some("kuszmaul"),
            ),
            ("rnu", &["list", "run", "measure"], Some("run")),
            ("sorting", &["histogram", "sort"], Some("sort")),
            ("plane", &["spread", "plain"], Some("plain")),
            ("sen", &["send", "permuted-send"], Some("send")),
            ("ecube", &["reduce", "send"], None),
            ("link", &["list"], None),
            ("threads", &["trace-nodes"], None),
            ("schedule", &["seed"], None),
            ("deliveries", &["every"], None),
            ("q", &["packing", "kuszmaul"], None),
            ("h", &["help"], None),
            ("anything", &[], None),
        ] {
            assert_eq!(nearest(word, known.iter().copied()), near, "{word}");
        }
    }
}
