//! A sweep of dispersal: how many messages are lost of how many wires that fail, and what shares cost.

use crate::families::embeddings::dispersal::parameters::{
    CUT_WIRES, DIMS, GUEST, LENGTH, NEEDED, OVER,
};
use crate::families::embeddings::entries;
use crate::measure::plot::Scale;
use crate::measure::reading::Reading;
use crate::measure::row::Value;
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::report::{BIT_TIMES, Heading, ROUTING_STEPS, STORAGE, of_all};
use crate::testbench::chosen::Chosen;

pub static DISPERSALS: Sweep = Sweep {
    axes: &[&OVER, &GUEST, &DIMS, &NEEDED, &LENGTH, &CUT_WIRES],
    who: ("guest", guest),
    readings: &[
        Reading::of(of_all::BENCH),
        Reading::parameter(&OVER).heading(Heading::of("over").left().if_rows_differ()),
        Reading::parameter(&GUEST).heading(Heading::of("guest").left().if_rows_differ()),
        Reading::parameter(&DIMS),
        Reading::of(of_all::NODES).hidden(),
        Reading::parameter(&LENGTH),
        Reading::of(entries::SHARES),
        Reading::of(entries::NEEDED),
        Reading::of(entries::SHARE_BITS),
        Reading::parameter(&CUT_WIRES).headed("failing"),
        Reading::of(of_all::SEED),
        Reading::of(of_all::MESSAGES).headed("messages"),
        Reading::of(entries::DAMAGED_SHARES),
        Reading::of(of_all::DELIVERED).headed("restored"),
        Reading::of(entries::SURVIVED),
        Reading::of(entries::LOST),
        Reading::of(entries::WRONG),
        Reading::run(entries::LOST_SHARE, |run| {
            let lost = match run.told(&entries::LOST) {
                Value::Number(lost) => lost as f64,
                _ => 0.0,
            };
            (lost / run.report.messages.max(1) as f64).into()
        }),
        Reading::of(entries::MOST_DAMAGED),
        Reading::of(ROUTING_STEPS.of).hidden(),
        Reading::of(entries::OVERHEAD),
        Reading::of(BIT_TIMES.of),
        Reading::of(BIT_TIMES.form).hidden(),
        Reading::text(BIT_TIMES.form),
        Reading::of(entries::PLAIN_BIT_TIMES),
        Reading::of(STORAGE.of).hidden(),
        Reading::of(of_all::PEAK_OCCUPIED),
        Reading::of(of_all::SERIAL_ADDERS),
        Reading::of(of_all::WIRE_USE),
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
        let all = [
            entries::LOST_SHARE,
            entries::DAMAGED_SHARES,
            BIT_TIMES.of,
            STORAGE.of,
        ];
        let panel = |entry| drawn.panel(entry, Scale::FromZero(1.05));
        Ok(all.iter().map(panel).collect())
    },
    ..BASE
};

/// What a point is called: by its guest, or that there are copies.
fn guest(chosen: &Chosen) -> String {
    let guest = chosen.shown(&GUEST);
    guest.or_else(|| chosen.shown(&OVER)).unwrap_or_default()
}
