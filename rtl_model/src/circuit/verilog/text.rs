//! Heads of files, comments and ranges.

/// The head of a file: a comment of these lines, and the unit of time, in which a bit time of 1 ns has ten.
pub fn head(text: &str) -> String {
    let comment: String = text.lines().map(|line| format!("// {line}\n")).collect();
    comment + "\n`timescale 100 ps / 100 ps\n"
}

/// A comment inside a module, broken into lines where it is long.
pub fn note(text: &str) -> String {
    let mut lines = vec![String::from("  //")];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < LONGEST_LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("  //   {word}")),
        }
    }
    lines.join("\n") + "\n"
}

/// Longest line, but for a name that alone is longer.
pub(super) const LONGEST_LINE: usize = 100;

/// `[high:low] `, or nothing for a lone bit.
pub(super) fn range(first: Option<usize>, width: usize) -> String {
    match first {
        None => String::new(),
        Some(first) => format!("[{}:{first}] ", first + width - 1),
    }
}

/// The range of a word that has no index where it has one bit.
pub(crate) fn word_range(width: usize) -> String {
    range((width > 1).then_some(0), width)
}
