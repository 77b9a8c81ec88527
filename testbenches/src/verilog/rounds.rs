//! How a project speaks of its rounds: in the files that they are read from, and of how to make them again.

/// What the first round sends.
pub(crate) const FIRST_ROUND: &str = "as asked for";

/// The line of `traffic.hex` and `expected.hex` before those of a round, if there are several.
pub(crate) fn round_head((round, of): (usize, usize), name: &str) -> String {
    match of {
        1 => String::new(),
        _ => format!("// round {round} of {of}: {name}\n"),
    }
}

/// What all rounds have in one of these files: of each, behind its line, what is said of it.
pub(crate) fn of_rounds<R>(
    rounds: &[R],
    name: fn(&R) -> &str,
    said: impl Fn(&R) -> String,
) -> String {
    let all = rounds.iter().enumerate();
    let all = all
        .map(|(number, round)| round_head((number + 1, rounds.len()), name(round)) + &said(round));
    all.collect()
}

/// The options that make the rounds again, together with what makes the machine: the first from a file, given as the option
/// that reads it. One round draws nothing.
pub(crate) fn rounds_again(first: &str, rounds: usize, seed: u64) -> String {
    match rounds {
        1 => format!(" {first} --rounds 1"),
        _ => format!(" {first} --seed {seed} --rounds {rounds}"),
    }
}

/// The option that reads the first round of a family that has traffic.
pub(crate) const TRAFFIC_FILE: &str = "--traffic-file traffic.csv";
