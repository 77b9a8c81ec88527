//! Rows of CSV into files, deliveries among them: `node,source,payload,bit_time`, a row a message as it arrived.

use hosts::deliveries;
use hosts::scoreboard::Identification;
use rtl_model::machine::arrivals::Arrivals;

use crate::error::Error;
use crate::error::refusal::unwritable;
use crate::output::Staged;

/// Writes the rows of [`hosts::deliveries`], and puts the file into its place.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write(
    output: Staged,
    arrivals: &Arrivals,
    identification: Identification<'_>,
    bit_time: u64,
) -> Result<(), Error> {
    put_in_place(output, |output| {
        deliveries::write(output, arrivals, identification, bit_time)
    })
}

/// Writes rows of CSV, and puts the file into its place.
pub(crate) fn write_rows(
    output: Staged,
    rows: impl FnOnce(&mut csv::Writer<&mut Staged>) -> Result<(), csv::Error>,
) -> Result<(), Error> {
    put_in_place(output, |output| {
        let mut writer = csv::Writer::from_writer(output);
        rows(&mut writer)?;
        Ok(writer.flush()?)
    })
}

fn put_in_place(
    mut output: Staged,
    write: impl FnOnce(&mut Staged) -> Result<(), csv::Error>,
) -> Result<(), Error> {
    let written = write(&mut output).map_err(Into::into);
    written.map_err(unwritable(output.path()))?;
    output.commit()?;
    Ok(())
}
