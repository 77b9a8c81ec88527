//! The parameters of relaxations, beside those of all testbenches of embeddings.

use rtl_model::embedding::constructions::not_embedded;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::embeddings::parameters::{
    self as common, ORDER, PACKETS, START_UP, ask, construction,
};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, Fallback, InSeries, Parameter, SEED};

/// Grids of processes: the embeddings of which section 8.3 compares, and the Gray code.
pub const GUESTS: [&str; 3] = ["gray-grid", "grid", "large-grid"];

/// The most points of a side.
const MOST_POINTS: usize = 1 << 14;

/// Sweeps where none are asked for; at points of a sweep of relaxations, the second begins where the first ends.
const DEFAULT_SWEEPS: usize = 4;
const SWEEPS_OF_POINT: usize = 2;

pub const GUEST: Parameter = Parameter::name(
    ("guest", "--guest"),
    ("grid of processes", |_| GUESTS.to_vec()),
    "The grid of processes: gray-grid, one path an edge; grid, several; or large-grid, many processes a node",
)
.default(Fallback::Text("grid"))
.axis(
    Axis::new("Grids of processes: gray-grid, grid, large-grid, or all", "all")
        .series(InSeries::InName),
);

pub const DIMS: Parameter = common::DIMS
    .help("Dimensions n of the hypercube, an even number; its nodes are N x N")
    .default_in_words("8")
    .axis(Axis::of("8"));

/// Where none are asked for, as many as `large-grid` would have processes, which suits all grids.
pub const POINTS: Parameter = Parameter::whole(
    ("points", "--points"),
    "M",
    "Points M of a side of the torus: the processes share M x M points evenly",
)
.default(Fallback::Rule(|chosen| {
    let axis = dimensions(chosen).ok()? / 2;
    Some(axis << axis)
}))
.default_in_words("N n/2")
.called("M", "M = {}")
.left_in_words("its points")
.axis(
    Axis::of("")
        .default_in_words("2^(n/2) n/2")
        .in_rows("points_a_side"),
);

/// The sum of four has two bits more.
pub const WORD_BITS: Parameter = Parameter::whole(
    ("word_bits", "--word-bits"),
    "W",
    "Bits W of a point, 1 to 62",
)
.range(1, 62)
.default(Fallback::Whole(16))
.called("W", "W = {}")
.axis(Axis::of("16"));

pub const SWEEPS: Parameter = Parameter::whole(
    ("sweeps", "--sweeps"),
    "K",
    "Sweeps, 1 to 4096; a waveform is of the first",
)
.range(1, 4096)
.default(Fallback::Rule(|chosen| {
    Some(match chosen.is_point() {
        true => SWEEPS_OF_POINT,
        false => DEFAULT_SWEEPS,
    })
}))
.default_in_words("4")
.of_run();

pub const VALUES: Parameter = Parameter::file(
    ("values", "--values"),
    "the points",
    "The points from a CSV file: a header `point,value`, then a row for each point, numbered row by row, hexadecimal. `-` reads \
     standard input",
)
.heading("Points")
.default_in_words("drawn from the seed");

pub const RESULTS: Parameter = common::RESULTS.help(
    "Write the points after the last sweep here, as CSV: point,value. `-` is standard output; the report then goes to standard error",
);

/// All of them, in the order of help.
pub const ALL: [&Parameter; 11] = [
    &GUEST, &DIMS, &POINTS, &WORD_BITS, &PACKETS, &ORDER, &START_UP, &VALUES, &SEED, &SWEEPS,
    &RESULTS,
];

/// Dimensions of the host.
///
/// # Errors
/// Those in which the grid is not, with the nearest.
fn dimensions(chosen: &Chosen) -> Result<usize, Error> {
    Ok(construction(chosen)?.host(&ask(chosen)?)?)
}

/// Processes of a side of the torus: of `large-grid`, `a` to each of the `2^a` nodes of a side.
///
/// # Errors
/// What is refused of the grid.
pub fn processes(chosen: &Chosen) -> Result<usize, Error> {
    let axis = dimensions(chosen)? / 2;
    let copies = match construction(chosen)?.name() {
        "large-grid" => axis,
        _ => 1,
    };
    Ok(copies << axis)
}

/// Points of a side.
///
/// # Errors
/// Points that the processes cannot share evenly, with the nearest that they can; none, or too many.
pub fn points(chosen: &Chosen) -> Result<usize, Error> {
    let (processes, points) = (processes(chosen)?, chosen.number(&POINTS));
    if points > MOST_POINTS {
        return Err(Refusal::of(POINTS.option)
            .because(format!("{points} is out of range"))
            .instead(format!("choose up to {MOST_POINTS}"))
            .into());
    }
    if points > 0 && points.is_multiple_of(processes) {
        return Ok(points);
    }
    let below = points / processes * processes;
    let above = below + processes;
    let nearest = match below {
        0 => format!("choose {above}"),
        _ => format!("choose {below} or {above}"),
    };
    let dimensions = dimensions(chosen)?;
    let refusal = not_embedded(
        construction(chosen)?.name(),
        format_args!("in a hypercube of {dimensions} dimensions with {points} x {points} points"),
        format_args!("its {processes} x {processes} processes have square blocks of one size"),
        nearest,
    );
    Err(refusal.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::embeddings::testbench::RELAXATION;
    use crate::testbench::bench::{asked, refused};
    use crate::testbench::chosen::Given;

    #[test]
    fn points_that_cannot_be_shared_are_refused_with_the_nearest() {
        let refusal = |guest: &str, dims: usize, asked_for: usize| {
            let chosen = asked(&RELAXATION, &format!("--guest {guest} --dims {dims}"));
            let refused = points(&chosen.with(&POINTS, Given::number(asked_for)));
            refused.unwrap_err().to_string()
        };
        let told = refusal("grid", 8, 100);
        assert!(told.ends_with("choose 96 or 112"), "{told}");
        assert!(refusal("large-grid", 8, 100).ends_with("choose 64 or 128"));
        assert!(refusal("gray-grid", 4, 0).ends_with("choose 4"));
        assert!(refusal("large-grid", 4, 4).ends_with("choose 8"));
        assert!(refusal("grid", 4, 1 << 15).ends_with("choose up to 16384"));
        assert!(refusal("grid", 5, 8).contains("choose 4 or 6"));
        for guest in GUESTS {
            for dims in [4, 8, 12] {
                let words = format!("--guest {guest} --dims {dims}");
                assert!(points(&asked(&RELAXATION, &words)).is_ok());
            }
        }
    }

    #[test]
    fn other_guests_and_numbers_out_of_range_are_refused() {
        let told = refused(&RELAXATION, "--guest cycle --dims 4").to_string();
        assert!(told.contains("gray-grid"), "{told}");
        for number in [0, 5000] {
            for option in ["--word-bits", "--sweeps"] {
                let told = refused(&RELAXATION, &format!("{option} {number}")).to_string();
                assert!(told.contains("out of range: choose 1 to "), "{told}");
            }
        }
    }

    #[test]
    fn the_command_asks_for_the_same_again() {
        let words = "--packets 3 --order greedy --start-up 2";
        assert_eq!(
            asked(&RELAXATION, words).command("verilog"),
            "cubewave verilog relaxation --guest grid --dims 8 --points 64 --word-bits 16 --packets 3 --order greedy --start-up 2"
        );
    }
}
