//! What is drawn of a sweep against what.

use crate::families::collectives::entries::STORAGE_WITH_MESSAGES;
use crate::families::collectives::parameters::{
    BINS, COUNTS, DIMS, ENTRIES, GROUPS, MESSAGE, PACKETS, SIZE, START_UP,
};
use crate::families::collectives::sweep::{differ, have_routers};
use crate::measure::fastest;
use crate::measure::plot::{Look, Panel, Scale, curves};
use crate::measure::row::Row;
use crate::measure::sweep::Drawn;
use crate::report::{BIT_TIMES, FORWARDING_BUFFER, ROUTING_STEPS};
use crate::testbench::parameter::Parameter;

/// What a plot is drawn against, with its label.
type Along = (&'static Parameter, &'static str, Scale);
/// The first of these that varies.
pub type Against = &'static [Along];

const TO_DIMS: Along = (&DIMS, "dimensions n of the hypercube", Scale::Whole);
const TO_START_UP: Along = (
    &START_UP,
    "bit times T of a start-up",
    Scale::FromZero(1.05),
);
const TO_PACKETS: Along = (&PACKETS, "bits B of a packet", Scale::Log(2.0));
const TO_GROUPS: Along = (&GROUPS, "groups g", Scale::Log(2.0));

/// Of messages and of samples.
pub const OF_SIZES: Against = &[
    TO_DIMS,
    (&MESSAGE, "bits M of a message", Scale::Log(2.0)),
    (&BINS, "bins b", Scale::Log(2.0)),
    (&COUNTS, "bits W of a count", Scale::FromZero(1.05)),
    TO_START_UP,
    TO_PACKETS,
    TO_GROUPS,
];

/// Of matrices, of which sizes and entries come to one.
pub const OF_MATRICES: Against = &[
    TO_DIMS,
    (&SIZE, "bits of the matrix at a node", Scale::Log(2.0)),
    (&ENTRIES, "bits of the matrix at a node", Scale::Log(2.0)),
    TO_START_UP,
    TO_PACKETS,
    TO_GROUPS,
];

/// What rows call the sizes of messages, if there are several.
fn size(drawn: &Drawn<'_>) -> Option<&'static str> {
    let has_matrices = drawn.rows.iter().all(|row| row.has("node_bits"));
    if differ(drawn.points, &[&MESSAGE]) {
        return Some("message_bits");
    }
    (has_matrices && differ(drawn.points, &[&SIZE, &ENTRIES])).then_some("node_bits")
}

/// The pictures of a plot.
pub fn panels(drawn: &Drawn<'_>) -> Vec<Panel> {
    let Drawn {
        series, rows, axis, ..
    } = *drawn;
    let (decades, whole) = (Scale::Log(10.0), Scale::FromZero(1.05));
    let bit_times = || drawn.panel(&BIT_TIMES.of, decades);
    if have_routers(rows) {
        let storage = drawn.panel(&STORAGE_WITH_MESSAGES, decades);
        return vec![bit_times(), storage];
    }
    let Some(size) = size(drawn).filter(|_| axis == DIMS.name) else {
        return vec![
            bit_times(),
            drawn.panel(&ROUTING_STEPS.of, whole),
            drawn.panel(&FORWARDING_BUFFER.of, whole),
        ];
    };
    // Of several messages, the longest.
    let longest = |row: &Row| {
        let alike = rows.iter();
        let alike = alike.filter(|one| one.text("dims") == row.text("dims"));
        let sizes = alike.filter_map(|one| one.number(size));
        row.number(size) == sizes.reduce(f64::max)
    };
    let of_longest = |row: &Row| row.number("bit_times").filter(|_| longest(row));
    vec![
        Panel {
            title: "Bit times of the longest message",
            unit: "bit times",
            scale: decades,
            curves: curves((series, rows), axis, of_longest, |_| Look::Filled),
            has_diagonal: false,
        },
        Panel {
            title: "From which size on each is the fastest of all",
            unit: "bits",
            scale: Scale::Log(2.0),
            curves: fastest::curves(&["algorithm", "ports"], size, (series, rows)),
            has_diagonal: false,
        },
    ]
}
