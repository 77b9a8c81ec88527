//! A campaign for people, and its rows.

use comfy_table::CellAlignment;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::lockstep::campaign::Campaign;
use crate::lockstep::campaign::fault::Kind;
use crate::lockstep::campaign::options::kind_in_words;
use crate::lockstep::campaign::record::{Bounds, OfKind};
use crate::lockstep::campaign::tally::{Outcome, Tally, seen_by};
use crate::options::Format;
use crate::output::Staged;
use crate::report::{self, Meta, aligned, counted, rows};

const HEADINGS: [&str; 8] = [
    "kind",
    "part",
    "faults",
    "masked",
    "detected",
    "silent",
    "misplaced",
    "first seen by",
];

/// A share, between these.
fn between(bounds: Bounds) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    format!("{} to {} %", percent(bounds.least), percent(bounds.most))
}

/// With a small letter first, inside a sentence.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

fn cells(kind: Kind, part: &str, tally: &Tally) -> Vec<String> {
    let numbers = [
        tally.faults,
        tally.masked,
        tally.detected,
        tally.silent,
        tally.misplaced,
    ];
    let names = [kind.name(), part].map(str::to_owned);
    let check = tally.commonest_check.unwrap_or("-").to_owned();
    let numbers = numbers.map(|number| number.to_string());
    names.into_iter().chain(numbers).chain([check]).collect()
}

impl Campaign {
    /// In the form that is asked for.
    ///
    /// # Errors
    /// None but what serializing has.
    pub(crate) fn formatted(&self, format: Format, meta: &Meta) -> Result<String, Error> {
        match format {
            Format::Text => Ok(self.text()),
            Format::Json => report::json(&report::From {
                result: &self.record(),
                meta,
            }),
        }
    }

    fn text(&self) -> String {
        let kinds = self.kinds();
        let mut facts = vec![
            ("nodes".to_owned(), self.nodes.to_string()),
            ("bit times".to_owned(), self.bit_times.to_string()),
        ];
        facts.extend(kinds.iter().flat_map(|one| self.drawn(one)));
        let parts = self.by_part();
        let mut table = vec![HEADINGS.map(str::to_owned).to_vec()];
        for one in &kinds {
            table.push(cells(one.kind, "all", &one.tally));
            let inside = parts.iter().filter(|part| part.kind == one.kind);
            table.extend(inside.map(|part| cells(part.kind, &part.part, &part.tally)));
        }
        let mut alignment = [CellAlignment::Right; HEADINGS.len()];
        for left in [0, 1, HEADINGS.len() - 1] {
            alignment[left] = CellAlignment::Left;
        }
        let checks = seen_by(&self.tried).into_iter().map(|seen| {
            let (least, most) = (seen.after.least, seen.after.most);
            let after = format!(
                "{least} to {most} bit times later, {:.1} on average",
                seen.after.mean
            );
            (
                seen.check,
                format!("{}, {after}", counted(seen.faults, "fault")),
            )
        });
        let checks: Vec<_> = checks.collect();
        let checks = match checks.is_empty() {
            true => String::new(),
            false => format!("\nseen first by\n{}", rows(&checks)),
        };
        format!(
            "faults of {}\n\n{}\n{}\n{checks}\n{}",
            self.title,
            rows(&facts),
            aligned(table, &alignment),
            self.in_words()
        )
    }

    /// How many of a kind there are, how many were put in, and what follows for all.
    fn drawn(&self, one: &OfKind) -> Vec<(String, String)> {
        let (name, what) = (one.kind.name().to_owned(), lower(&kind_in_words(one.kind)));
        let Some(shares) = &one.shares else {
            return vec![(name, format!("all {} faults: {what}", one.there))];
        };
        let put_in = format!(
            "{} of {} faults, drawn by seed {}: {what}",
            one.tally.faults, one.there, self.seed
        );
        let all = format!(
            "of all of them {} are masked, {} detected, {} silent, with 95 % confidence",
            between(shares.masked),
            between(shares.detected),
            between(shares.silent)
        );
        vec![(name, put_in), (String::new(), all)]
    }

    /// What it comes to.
    fn in_words(&self) -> String {
        let all = Tally::of(&self.tried);
        let not_masked = all.faults - all.masked;
        let ends = match self.places.has_messages() {
            true => format!(
                "{} leave a message missing or one too many, {} wrong bits where messages are due",
                all.misplaced, all.corrupted
            ),
            false => format!(
                "{} leave hosts something else than what is due",
                all.corrupted
            ),
        };
        let seen = format!(
            "Of {not_masked} that are not masked {ends},\n\
             and {} are seen in the run though hosts read what is due. The checks are the testbench's, which knows what was sent:\n\
             the machine itself has none.\n",
            all.harmless
        );
        let silent = match all.silent {
            0 => "Nothing is silently wrong: where hosts read anything else than what is due, a check fails.\n".to_owned(),
            silent => format!("FAIL  {}: hosts read something else than what is due, and no check fails.\n", counted(silent, "silent fault")),
        };
        seen + &silent
    }

    /// A row a fault.
    ///
    /// # Errors
    /// A file that cannot be written after all.
    pub(super) fn write_rows(&self, output: Staged) -> Result<(), Error> {
        write_rows(output, |writer| {
            writer.write_record([
                "kind",
                "node",
                "part",
                "name",
                "what",
                "bit_time",
                "outcome",
                "misplaced",
                "check",
                "after",
            ])?;
            for tried in &self.tried {
                let (fault, judged) = (tried.fault, &tried.judged);
                let after = match tried.outcome() {
                    Outcome::Detected => judged.after.to_string(),
                    Outcome::Masked | Outcome::Silent => String::new(),
                };
                writer.write_record([
                    tried.kind.name(),
                    &fault.node().to_string(),
                    &self.places.part(fault),
                    self.places.name(fault),
                    fault.what(),
                    &fault.from().to_string(),
                    tried.outcome().name(),
                    &match self.places.has_messages() {
                        true => judged.misplaced.to_string(),
                        false => String::new(),
                    },
                    judged.failed.first().unwrap_or(&""),
                    &after,
                ])?;
            }
            Ok(())
        })
    }
}
