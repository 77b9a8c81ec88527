//! Deliveries as CSV: `node,source,payload,bit_time`, a row a message as it arrived.

use std::io::Write;

use bitvec::slice::BitSlice;
use rtl_model::machine::arrivals::Arrivals;

use crate::scoreboard::Identification;

/// Writes a row for each message that arrived, in order of node. Payloads are hexadecimal; a source
/// that the scoreboard could not identify is left empty. Nodes that work in lockstep hand over all
/// messages at once: `bit_time` is how many bit times had passed then.
///
/// # Errors
/// What writing says.
pub fn write(
    output: &mut dyn Write,
    arrivals: &Arrivals,
    mut identification: Identification<'_>,
    bit_time: u64,
) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
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
    Ok(writer.flush()?)
}

/// Bits as a hexadecimal number; bit 0 is the least significant.
pub fn hexadecimal(bits: &BitSlice<u64>) -> String {
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
