//! Where a result comes from: enough to trace it, and to have it again.
//!
//! ```text
//!   schema      the form of what is written down    version, commit    the program
//!   command     the run, nothing left open          sweep              what measured it, if a sweep did
//!   parameters  the same by name                    seed               of all random choices
//!   platform    processor and system                date               when, if that is to be said
//! ```

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use rtl_model::csv_file::visible;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use waves::provenance::Provenance;

use crate::error::Error;
use crate::error::refusal::Refusal;

/// The form of reports and rows: another one with every key that is called otherwise, or is gone.
pub const SCHEMA: u32 = 2;
/// Of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The variable by which a build, or whoever wants the same bytes again, says when it is.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The last second of the year 9999, beyond which there is no date by RFC 3339.
const LAST: u64 = 253_402_300_799;

/// Whether a result says when it was made.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct DateArgument {
    /// Leave out the date and what the work took, so that the same command gives the same bytes; where SOURCE_DATE_EPOCH is set,
    /// the date is that, and what the work took is left out too
    #[arg(long)]
    pub no_date: bool,
}

/// When a result was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Date {
    /// By the clock.
    Now(SystemTime),
    /// As it was said.
    Said(SystemTime),
    /// That is nobody's business.
    Nothing,
}

impl DateArgument {
    /// The date that is to be said.
    ///
    /// # Errors
    /// A variable that has no seconds.
    pub fn date(self) -> Result<Date, Error> {
        let epoch = std::env::var_os(EPOCH);
        let epoch = epoch.as_ref().map(|epoch| epoch.to_string_lossy());
        Date::of(self.no_date, epoch.as_deref())
    }

    /// What gives this date again.
    pub fn of(date: Date) -> Self {
        DateArgument {
            no_date: date == Date::Nothing,
        }
    }

    /// The word of a command line that gives it.
    pub fn word(self) -> &'static str {
        match self.no_date {
            true => " --no-date",
            false => "",
        }
    }
}

impl Date {
    fn of(no_date: bool, epoch: Option<&str>) -> Result<Self, Error> {
        match epoch {
            _ if no_date => Ok(Date::Nothing),
            // A clock that is before 1970, or beyond all dates, says nothing.
            None => Ok(match SystemTime::now() {
                now if now
                    .duration_since(UNIX_EPOCH)
                    .is_ok_and(|since| since.as_secs() <= LAST) =>
                {
                    Date::Now(now)
                }
                _ => Date::Nothing,
            }),
            Some(seconds) => {
                let since = seconds.parse().ok().filter(|since| *since <= LAST);
                let since = since.map(Duration::from_secs);
                let date = since.and_then(|since| UNIX_EPOCH.checked_add(since));
                Ok(Date::Said(date.ok_or_else(|| {
                    Refusal::of(format!("{EPOCH}={}", visible(seconds)))
                        .because(
                            "seconds since 1970 are wanted, a whole number, up to the year 9999",
                        )
                        .instead("set it to such a number, or not at all")
                })?))
            }
        }
    }

    /// What the work took is said too.
    pub fn is_timed(self) -> bool {
        matches!(self, Date::Now(_))
    }

    /// As it is written down: in coordinated universal time, by RFC 3339.
    fn text(self) -> Option<String> {
        match self {
            Date::Now(date) | Date::Said(date) => {
                Some(humantime::format_rfc3339_seconds(date).to_string())
            }
            Date::Nothing => None,
        }
    }
}

/// Where a result comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Meta {
    /// The form of reports and rows.
    pub schema: u32,
    /// The version of the program.
    pub version: &'static str,
    /// The state of its text, if whoever built it has said it (`CUBEWAVE_COMMIT`).
    pub commit: Option<&'static str>,
    /// The run that gives the same again, defaults spelled out; none of what a sweep alone measures.
    pub command: Option<String>,
    /// The sweep of which it is a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<String>,
    /// What is chosen, defaults included.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
    /// What all random choices are drawn from.
    pub seed: Option<u64>,
    /// Processor and system.
    pub platform: String,
    /// When, by RFC 3339.
    pub date: Option<String>,
}

/// A result, with where it comes from behind it.
#[derive(Serialize, JsonSchema)]
pub struct From<'a, T: Serialize> {
    /// What it says.
    #[serde(flatten)]
    pub result: &'a T,
    /// Where it comes from.
    pub meta: &'a Meta,
}

impl Meta {
    /// Of this command, made here.
    pub fn new(command: Option<String>, date: Date) -> Self {
        Meta {
            schema: SCHEMA,
            version: VERSION,
            commit: option_env!("CUBEWAVE_COMMIT"),
            command,
            platform: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            date: date.text(),
            ..Meta::default()
        }
    }

    /// What files that are looked at say of it.
    pub fn provenance(&self) -> Provenance {
        Provenance {
            command: self.command.clone().unwrap_or_default(),
            date: self.date.clone(),
            // Text, numbers and names of options, of which JSON takes all.
            meta: serde_json::to_string(self).unwrap_or_default(),
        }
    }

    /// Refuses results of a form that this program does not know, in words, given the `schema` of their `meta`.
    ///
    /// # Errors
    /// No schema, or another.
    pub fn check_schema(schema: &Value) -> Result<(), String> {
        match schema {
            schema if schema.as_u64() == Some(SCHEMA.into()) => Ok(()),
            Value::Null => {
                Err("it has no `meta` with a schema, as `--format json` and `csv` print".to_owned())
            }
            schema => Err(format!(
                "it is of schema {}, and this cubewave knows schema {SCHEMA}",
                visible(&schema.to_string())
            )),
        }
    }

    /// The columns of a row that say so.
    pub const COLUMNS: [&'static str; 8] = [
        "meta.schema",
        "meta.version",
        "meta.commit",
        "meta.command",
        "meta.sweep",
        "meta.seed",
        "meta.platform",
        "meta.date",
    ];

    /// What is in these columns; parameters have their own.
    pub fn cells(&self) -> [Option<String>; 8] {
        [
            Some(self.schema.to_string()),
            Some(self.version.to_owned()),
            self.commit.map(str::to_owned),
            self.command.clone(),
            self.sweep.clone(),
            self.seed.map(|seed| seed.to_string()),
            Some(self.platform.clone()),
            self.date.clone(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_by_the_clock_unless_somebody_says_another_or_none() {
        let text =
            |no_date, epoch| Date::of(no_date, epoch).map(|date| (date.text(), date.is_timed()));
        let said = Some("2001-09-09T01:46:40Z".to_owned());
        assert_eq!(text(false, Some("1000000000")).unwrap(), (said, false));
        assert_eq!(text(true, Some("1000000000")).unwrap(), (None, false));
        let last = text(false, Some("253402300799")).unwrap();
        assert_eq!(last.0.as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!(text(true, Some("never")).unwrap(), (None, false));
        let (now, is_timed) = text(false, None).unwrap();
        assert!(is_timed && now.unwrap().as_str() > "2026-01-01T00:00:00Z");
    }

    #[test]
    fn a_date_that_is_none_is_refused() {
        for wrong in [
            "never",
            "-1",
            "1.5",
            "",
            "253402300800",
            "99999999999999999999",
        ] {
            let refused = Date::of(false, Some(wrong)).unwrap_err().to_string();
            let wanted = "seconds since 1970 are wanted, a whole number, up to the year 9999";
            assert!(
                refused.contains(wanted) && refused.contains(&format!("={wrong}")),
                "{refused}"
            );
        }
    }
}
