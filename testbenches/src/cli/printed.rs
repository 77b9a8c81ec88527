//! What commands print: as it stands for scripts, and for people with colours where a terminal has such.

use crate::error::Error;
use crate::error::refusal::unprintable;
use crate::interrupt;
use crate::options::Format;
use crate::output::{Stream, is_quiet, report_stream, visible_lines};
use crate::testbench::Ran;

/// Prints a text.
///
/// # Errors
/// What the system says; [`Error::Interrupted`].
pub(super) fn print(stream: Stream, text: &str) -> Result<(), Error> {
    print_as(stream, (text, false))
}

/// The same of what may be a text for people, which then has colours where a terminal has.
///
/// # Errors
/// Those of [`print`].
pub(super) fn print_as(stream: Stream, (text, is_for_people): (&str, bool)) -> Result<(), Error> {
    interrupt::check()?;
    let text = visible_lines(text);
    let printed = match is_for_people {
        true => stream.print_for_people(&text),
        false => stream.print(text.as_bytes()),
    };
    printed.map_err(unprintable)
}

/// Prints the report of a run; of a text for people who want to hear nothing but what is wrong, the checks that fail.
///
/// # Errors
/// Those of [`print`]; a report that cannot be written down.
pub(super) fn print_report(ran: &Ran) -> Result<(), Error> {
    let is_for_people = ran.format == Format::Text;
    let text = match is_for_people && is_quiet() {
        true => ran.report.failed(),
        false => ran.report.formatted(ran.format)?,
    };
    let stream = report_stream(ran.deliveries.as_deref());
    print_as(stream, (&text, is_for_people))
}
