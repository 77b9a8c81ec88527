//! The parameters of dispersal, beside those of all testbenches of embeddings.

use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::embeddings::dispersal::copies;
use crate::families::embeddings::job::Guest;
use crate::families::embeddings::parameters::{self as common, START_UP};
use crate::report::counted;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter, SEED};

/// From any node to any other, one path in each copy of cube-connected cycles; the other way is along a guest's edge.
const COPIES: &str = "copies";
const NO_GUEST: &str = "over copies there is no guest";

pub const OVER: Parameter = Parameter::name(
    ("over", "--over"),
    ("way to disperse", |_| vec!["edge", COPIES]),
    "Which paths shares take: edge, those of a guest's edge, or copies, from any node to any other in each copy of cube-connected \
     cycles",
)
.axis(Axis::new("Which paths: edge, copies, or all", "edge").series(InSeries::InName));

pub const GUEST: Parameter = common::GUEST
    .help("The guest, over edges, by its name in `cubewave embedding`")
    .only(is_over_edges, NO_GUEST)
    .axis(
        Axis::new(
            "Guests, over edges, by their names in `cubewave embedding`, or all",
            "cycle",
        )
        .series(InSeries::InName),
    );

pub const DIMS: Parameter = common::DIMS
    .default_in_words("8, or as many as suit the guest that is named; over copies 6")
    .axis(Axis::of("").default_in_words("8; over copies 6"));

pub const AXES: Parameter = common::AXES.only(is_over_edges, NO_GUEST);
pub const SIDES: Parameter = common::SIDES.only(is_over_edges, NO_GUEST);
pub const BOTH_WAYS: Parameter = common::BOTH_WAYS.only(is_over_edges, NO_GUEST);
pub const ORDER: Parameter = common::ORDER.default_in_words("hop-by-hop; over copies greedy");

pub const TRAFFIC: Parameter = Parameter::text(
    ("traffic", "--traffic"),
    "NAME",
    "Who sends to whom, over copies: a traffic pattern",
)
.heading("Messages")
.default(Fallback::Text("randperm"))
.only(
    is_over_copies,
    "every edge of the guest sends: choose --over copies for messages from any node to any other",
);

pub const NEEDED: Parameter = Parameter::whole(
    ("needed", "--needed"),
    "M",
    "Shares m that restore a message, of as many as it has paths",
)
.heading("Messages")
.default(Fallback::Rule(|chosen| {
    let guest = guest(chosen).ok()?;
    Some(one_fewer(guest.embedding.width()))
}))
.default_in_words("one fewer than paths")
.called("m", "m = {}")
.left_in_words("one share to spare")
.axis(Axis::of("").default_in_words("one fewer than it has paths"));

pub const LENGTH: Parameter = common::LENGTH
    .value_name("BITS")
    .help("Bits of every message, 1 to 1048576")
    .default(Fallback::Whole(256))
    .axis(Axis::of("256"));

pub const VALUES: Parameter = common::VALUES.help(
    "The messages from a CSV file: a header `edge,value`, then a row for each message, hexadecimal. `-` reads standard input",
);

pub const CUT_WIRES: Parameter = Parameter::whole(
    ("cut_wires", "--cut-wires"),
    "N",
    "Cut or jam so many wires while bits are on their way: which, when, and whether cut or stuck at 0 or 1, is drawn from the seed",
)
.heading("Faults")
.default(Fallback::Whole(0))
.called("failing", "{} wires fail")
.of_run()
.axis(Axis::of("0"));

pub const CUT: Parameter = Parameter::file(
    ("cut", "--cut"),
    "the wires that fail",
    "Wires that fail, from a CSV file: a header `node,dimension,bit_time,stuck` (the last column, cut, 0 or 1, may be left out), \
     then a row for each directed wire. `-` reads standard input",
)
.heading("Faults")
.conflicts(&["cut_wires"])
.of_run();

pub const CUTS_OUT: Parameter = Parameter::output(
    ("cuts_out", "--cuts-out"),
    "the wires that failed",
    "Write the wires that failed here, as --cut reads them. `-` is standard output; the report then goes to standard error",
)
.called("failing", "{}");

pub const RESULTS: Parameter = common::RESULTS.help(
    "Write every message that was restored here, as CSV: edge,value; one that was lost has no row. `-` is standard output; the \
     report then goes to standard error",
);

/// All of them, in the order of help.
pub const ALL: [&Parameter; 17] = [
    &OVER, &GUEST, &DIMS, &AXES, &SIDES, &ORDER, &BOTH_WAYS, &START_UP, &TRAFFIC, &NEEDED, &LENGTH,
    &VALUES, &SEED, &CUT_WIRES, &CUT, &RESULTS, &CUTS_OUT,
];

/// Whether there are copies in place of a guest.
pub fn is_over_copies(chosen: &Chosen) -> bool {
    chosen.name(&OVER).is_ok_and(|name| name == COPIES)
}

fn is_over_edges(chosen: &Chosen) -> bool {
    !is_over_copies(chosen)
}

/// The guest along whose edges shares go: over copies, one whose edges are the messages.
///
/// # Errors
/// What is refused of it.
pub fn guest(chosen: &Chosen) -> Result<Guest, Error> {
    if !is_over_copies(chosen) {
        return Guest::of(chosen);
    }
    let pattern = Pattern::from_any_name(chosen.text(&TRAFFIC).unwrap_or_default())?;
    copies::guest(chosen.number(&DIMS), pattern, chosen.seed())
}

/// Shares that restore a message of so many paths, where nobody says: one to spare, if there is one.
fn one_fewer(paths: usize) -> usize {
    paths.saturating_sub(1).max(1)
}

/// Shares that restore a message of so many paths.
///
/// # Errors
/// None, or more than it has.
pub fn needed(chosen: &Chosen, paths: usize) -> Result<usize, Error> {
    if !chosen.has(&NEEDED) {
        return Ok(one_fewer(paths));
    }
    let needed = chosen.number(&NEEDED);
    match (1..=paths).contains(&needed) {
        true => Ok(needed),
        false => Err(Refusal::of(NEEDED.option)
            .because(format!(
                "{needed} is out of range: a message has {}, and so as many shares",
                counted(paths, "path")
            ))
            .instead(match paths {
                1 => "choose 1, which leaves none to spare".to_owned(),
                _ => format!("choose 1 to {paths}"),
            })
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::embeddings::testbench::DISPERSAL;
    use crate::testbench::bench::{asked, refused};

    #[test]
    fn what_the_other_way_takes_is_refused() {
        for (words, expected) in [
            (
                "--traffic randperm",
                "testbench dispersal takes no --traffic: every edge of the guest sends: choose --over copies for messages from any \
                 node to any other",
            ),
            (
                "--over copies --guest cycle",
                "testbench dispersal takes no --guest: over copies there is no guest",
            ),
            (
                "--over copies --axes 2",
                "testbench dispersal takes no --axes: over copies there is no guest",
            ),
            (
                "--over copies --sides 4,4",
                "testbench dispersal takes no --sides: over copies there is no guest",
            ),
            (
                "--over copies --both-ways",
                "testbench dispersal takes no --both-ways: over copies there is no guest",
            ),
            (
                "--over edges",
                "there is no way to disperse `edges` (did you mean `edge`?); there are: edge, copies",
            ),
        ] {
            assert_eq!(refused(&DISPERSAL, words).to_string(), expected);
        }
        let order = refused(&DISPERSAL, "--order first").to_string();
        assert!(order.contains("greedy"), "{order}");
    }

    #[test]
    fn a_stream_is_not_for_two_files() {
        asked(&DISPERSAL, "--cut - --cuts-out -");
        assert_eq!(
            refused(&DISPERSAL, "--values - --cut -").to_string(),
            "- cannot be both the messages and the wires that fail"
        );
        assert_eq!(
            refused(&DISPERSAL, "--results - --cuts-out -").to_string(),
            "- cannot be both the results and the wires that failed"
        );
    }

    /// In a sweep it is always 8: there every guest is named.
    #[test]
    fn dimensions_are_those_of_a_guest_that_is_named() {
        for (words, run, point) in [
            ("", 8, 8),
            ("--guest tree", 6, 8),
            ("--over copies", 6, 6),
            ("--guest tree --dims 12", 12, 12),
        ] {
            let chosen = asked(&DISPERSAL, words);
            assert_eq!(chosen.number(&DIMS), run);
            assert_eq!(chosen.at_point().number(&DIMS), point);
        }
    }
}
