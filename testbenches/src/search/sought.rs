//! What is to be as large as can be: a reading of the rows of a testbench.

use hosts::side_by_side::Meter;
use rtl_model::csv_file::visible;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::measure::reading::Reading;
use crate::near::nearest;
use crate::report::{Entry, STORAGE, of_all};
use crate::testbench::Testbench;

/// A reading.
#[derive(Clone, Copy, Debug)]
pub struct Sought {
    /// As rows call it.
    pub reading: &'static str,
    /// What bounds it, as rows call that, and its text.
    pub bound: Option<(&'static str, &'static str)>,
    /// How it is read from machines side by side, if it can be.
    pub meter: Option<Meter>,
}

impl Sought {
    /// The reading that is called so, or the only one whose name has this in it.
    ///
    /// # Errors
    /// No such reading, or several.
    pub fn named(bench: &'static Testbench, name: &str) -> Result<Self, Error> {
        let wanted = name.replace('-', "_");
        if wanted.is_empty() {
            return Err(Refusal::of("--maximise")
                .because("no reading is named")
                .instead("give one, as in occupied-bits")
                .into());
        }
        let readings = || bench.sweep.readings.iter().chain(bench.readings);
        let measured = || {
            readings()
                .filter_map(Reading::entry)
                .filter(|entry| is_measured(entry))
        };
        let exact = measured().find(|entry| entry.in_rows() == wanted);
        let having: Vec<&Entry> = measured()
            .filter(|entry| entry.in_rows().contains(&wanted))
            .collect();
        let entry = match (exact, &having[..]) {
            (Some(entry), _) => entry,
            (None, [entry]) => *entry,
            (None, several) => {
                let all: Vec<&str> = measured().map(Entry::in_rows).collect();
                let named = format!("--maximise {}", visible(name));
                return Err(match several.is_empty() {
                    true => {
                        let near = nearest(&wanted, all.iter().copied());
                        let near =
                            near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
                        Refusal::of(named)
                            .because(format!("rows of {} have no such reading", bench.name))
                            .instead(format!("{near}there are: {}", all.join(", ")))
                    }
                    false => {
                        let names: Vec<&str> =
                            several.iter().map(|entry| entry.in_rows()).collect();
                        Refusal::of(named)
                            .because(format!("several readings of {} are called so", bench.name))
                            .instead(format!("give one of {}", names.join(", ")))
                    }
                }
                .into());
            }
        };
        let meter = match entry.path {
            path if path == of_all::PEAK_OCCUPIED.path => Some(Meter::OccupiedBits),
            path if path == of_all::PEAK_MESSAGES.path => Some(Meter::Messages),
            _ => None,
        };
        Ok(Sought {
            reading: entry.in_rows(),
            bound: entry.bounded_by,
            meter,
        })
    }
}

/// Whether traffic may have a say in an entry: no closed form, and nothing that is chosen.
fn is_measured(entry: &Entry) -> bool {
    let chosen = [
        of_all::BENCH,
        of_all::SCHEDULE,
        of_all::DIMS,
        of_all::NODES,
        of_all::PAYLOAD_BITS,
        of_all::TRAFFIC,
        of_all::LOAD,
        of_all::SEED,
        of_all::LOGIC_DEPTH,
        of_all::SERIAL_ADDERS,
        of_all::WIRES_PER_NODE,
        STORAGE.of,
    ];
    entry.text.is_none() && !chosen.iter().any(|one| one.path == entry.path)
}
