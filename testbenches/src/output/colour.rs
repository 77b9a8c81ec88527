//! Verdicts in colour, for terminals: what is wrong stands out. Files and pipes have none of it.

use anstyle::{AnsiColor, Style};

/// What is wrong, as clap has it.
const WRONG: Style = AnsiColor::Red.on_default().bold();
const RIGHT: Style = AnsiColor::Green.on_default();

/// Verdicts on checks, and of comparisons.
const VERDICTS: [(&str, Style); 4] = [
    ("FAIL", WRONG),
    ("WORSE", WRONG),
    ("pass", RIGHT),
    ("better", RIGHT),
];

/// What is wrong, in its colour.
pub(super) fn wrong(text: &str) -> String {
    format!("{WRONG}{text}{WRONG:#}")
}

/// A text in which verdicts have their colours. A word is a verdict where it is all that stands in a cell of a table: with two blanks
/// around it, or the end of its line.
pub(super) fn verdicts(text: &str) -> String {
    let cell = |cell: &str| {
        let word = cell.trim();
        let found = VERDICTS.iter().find(|(verdict, _)| *verdict == word);
        found.map_or(cell.to_owned(), |(_, style)| {
            cell.replace(word, &format!("{style}{word}{style:#}"))
        })
    };
    let line = |line: &str| {
        let cells: Vec<String> = line.split("  ").map(cell).collect();
        cells.join("  ")
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_has_its_colour_where_it_stands_alone() {
        let red = |word: &str| format!("\u{1b}[1m\u{1b}[31m{word}\u{1b}[0m");
        let green = |word: &str| format!("\u{1b}[32m{word}\u{1b}[0m");
        for (text, due) in [
            (
                "checks\n  pass  one  FAIL or so\n  FAIL  two  pass it\n",
                format!(
                    "checks\n  {}  one  FAIL or so\n  {}  two  pass it\n",
                    green("pass"),
                    red("FAIL")
                ),
            ),
            (
                "  k  checks\n  2    pass\n  3    FAIL",
                format!(
                    "  k  checks\n  2    {}\n  3    {}",
                    green("pass"),
                    red("FAIL")
                ),
            ),
            (
                "FAIL  radix, k = 3: storage",
                format!("{}  radix, k = 3: storage", red("FAIL")),
            ),
            (
                "  a  1   2  +9 %  WORSE\n  b  1  20  -9 %  better\n",
                format!(
                    "  a  1   2  +9 %  {}\n  b  1  20  -9 %  {}\n",
                    red("WORSE"),
                    green("better")
                ),
            ),
            ("   pass", format!("   {}", green("pass"))),
            (
                "a pass FAIL: failed\n\n",
                "a pass FAIL: failed\n\n".to_owned(),
            ),
        ] {
            assert_eq!(verdicts(text), due);
        }
        assert_eq!(wrong("error:"), red("error:"));
    }
}
