//! Deliveries as CSV: `node,source,payload,bit_time`, a row a message as it arrived.

use bitvec::slice::BitSlice;

use rtl_model::machine::arrivals::Arrivals;

use crate::error::Error;
use crate::lockstep::scoreboard::Identification;
use crate::output::Staged;

/// Writes a row for each message that arrived, in order of node. Payloads are hexadecimal; a source
/// that the scoreboard could not identify is left empty. Nodes that work in lockstep hand over all
/// messages at once: `bit_time` is how many bit times had passed then.
///
/// # Errors
/// [`Error::Unwritable`].
pub fn write(
    output: Staged,
    arrivals: &Arrivals,
    mut identification: Identification<'_>,
    bit_time: u64,
) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record(["node", "source", "payload", "bit_time"])?;
        for node in arrivals.nodes() {
            let Some(payload) = arrivals.at(node) else {
                continue;
            };
            let source = identification.source(node, payload);
            writer.write_record([
                node.to_string(),
                source.map_or(String::new(), |source| source.to_string()),
                hexadecimal(payload),
                bit_time.to_string(),
            ])?;
        }
        Ok(())
    })
}

/// Writes rows of CSV, and puts the file into its place.
pub(crate) fn write_rows(
    mut output: Staged,
    rows: impl FnOnce(&mut csv::Writer<&mut Staged>) -> Result<(), csv::Error>,
) -> Result<(), Error> {
    let path = output.path().to_owned();
    let write_all = |output: &mut Staged| -> Result<(), csv::Error> {
        let mut writer = csv::Writer::from_writer(output);
        rows(&mut writer)?;
        Ok(writer.flush()?)
    };
    write_all(&mut output).map_err(|error| Error::Unwritable {
        path,
        reason: error.into(),
    })?;
    output.commit()?;
    Ok(())
}

/// Bits as a hexadecimal number; bit 0 is the least significant.
pub(crate) fn hexadecimal(bits: &BitSlice<u64>) -> String {
    bits.chunks(4)
        .rev()
        .map(|digit| {
            let value = digit
                .iter()
                .by_vals()
                .enumerate()
                .fold(0, |value, (place, bit)| value | u32::from(bit) << place);
            char::from_digit(value, 16).unwrap_or('?')
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use bitvec::vec::BitVec;

    use super::*;

    #[test]
    fn payloads_are_written_from_the_top() {
        let bits: BitVec<u64> = [true, true, true, true, false, true].into_iter().collect();
        assert_eq!(hexadecimal(&bits), "2f");
        assert_eq!(hexadecimal(&bits[..1]), "1");
    }
}
