//! A sweep of dispersal: how many messages are lost of how many wires that fail, and what shares cost.

use crate::families::embeddings::dispersal::parameters::{
    CUT_WIRES, DIMS, GUEST, LENGTH, NEEDED, OVER,
};
use crate::measure::plot::Scale;
use crate::measure::reading::{Reading, of_all};
use crate::measure::row::Value;
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::measure::table::{Column, differ};
use crate::report::BIT_TIMES;
use crate::testbench::chosen::Chosen;

pub static DISPERSALS: Sweep = Sweep {
    axes: &[&OVER, &GUEST, &DIMS, &NEEDED, &LENGTH, &CUT_WIRES],
    who: ("guest", guest),
    readings: &[
        of_all::BENCH,
        Reading::parameter(&OVER).column(
            Column::new("over", "over")
                .only_if(|rows| differ(rows, "over"))
                .left(),
        ),
        Reading::parameter(&GUEST).column(
            Column::new("guest", "guest")
                .only_if(|rows| differ(rows, "guest"))
                .left(),
        ),
        Reading::parameter(&DIMS),
        of_all::NODES.hidden(),
        Reading::parameter(&LENGTH),
        Reading::told("shares").column(Column::new("w", "shares").or_in_words("w = {} shares")),
        Reading::told("needed").headed("m"),
        Reading::told("share_bits").headed("share"),
        Reading::parameter(&CUT_WIRES).headed("failing"),
        of_all::SEED_OF_ROW,
        of_all::MESSAGES.headed("messages"),
        Reading::column_of(Column::new("damaged shares", "damaged_shares")),
        of_all::DELIVERED.headed("restored"),
        Reading::told("survived").headed("survived"),
        Reading::told("lost").headed("lost"),
        Reading::told("wrong").headed("wrong"),
        Reading::run("lost_share", |run| {
            let lost = match run.told("lost") {
                Value::Number(lost) => lost as f64,
                _ => 0.0,
            };
            (lost / run.report.messages.max(1) as f64).into()
        }),
        Reading::told("damaged_shares"),
        Reading::told("most_damaged_shares_of_a_message"),
        of_all::ROUTING_STEPS.hidden(),
        Reading::told("overhead"),
        of_all::BIT_TIMES,
        of_all::BIT_TIMES_FORMULA.hidden(),
        of_all::BIT_TIMES_TEXT,
        Reading::told("bit_times_without_shares").headed("without shares"),
        of_all::STORAGE.hidden(),
        of_all::PEAK_OCCUPIED,
        of_all::SERIAL_ADDERS,
        of_all::WIRE_USE,
    ],
    below: |_, _| {
        String::from(
            "m of w shares restore a message of M bits; share: bits of one, checksum included; failing: wires that are cut or stuck\n\
             survived: messages with damaged shares that were restored; lost: reported as such; wrong: restored as something else\n\
             without shares: bit times of the same messages in as many packets that nobody could restore\n",
        )
    },
    plot: "Draw the share of messages that are lost, damaged shares, bit times and storage here, against --cut-wires, --needed, \
           --message-bits or --dims, the first of them that varies",
    against: &[
        (&CUT_WIRES, "wires that fail", Scale::Whole),
        (&NEEDED, "shares m that restore a message", Scale::Whole),
        (&LENGTH, "bits M of a message", Scale::Whole),
        (&DIMS, "dimensions n of the hypercube", Scale::Whole),
    ],
    series_of: "paths and shares that are needed",
    nothing_varies: |_| {
        one_of_each(
            "messages that are lost",
            "--cut-wires, --needed, --message-bits or --dims",
            "--cut-wires 0,1,4,16,64",
        )
    },
    panels: |drawn: &Drawn<'_>| {
        let panel = |named, reading: &str| drawn.panel(named, Scale::FromZero(1.05), reading);
        Ok(vec![
            panel(("Messages lost", "share of all"), "lost_share"),
            panel(("Shares damaged", "shares"), "damaged_shares"),
            drawn.panel_of(&BIT_TIMES, Scale::FromZero(1.05)),
            panel(
                ("Storage of a node", "register bits"),
                "storage_bits_per_node",
            ),
        ])
    },
    ..BASE
};

/// What a point is called: by its guest, or that there are copies.
fn guest(chosen: &Chosen) -> String {
    let guest = chosen.shown(&GUEST);
    guest.or_else(|| chosen.shown(&OVER)).unwrap_or_default()
}
