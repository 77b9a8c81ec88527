//! The message from a file, and what nodes end up with as one: `node,value`, values hexadecimal.

use std::path::Path;

use bitvec::vec::BitVec;
use hosts::deliveries::hexadecimal;
use hosts::ports::hosts::Hosts;
use rtl_model::csv_file::whole;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::broadcast::parameters::MOST_MESSAGE_BITS;
use crate::output::Staged;
use crate::values::{digits, read_rows_or_deliveries, refused, shown};

/// Reads the message of the source: of `bits` bits, if that is given, else of four for each digit.
///
/// # Errors
/// What is wrong, with the line; a file that cannot be read.
pub fn read(path: &Path, source: usize, bits: Option<usize>) -> Result<BitVec<u64>, Error> {
    let mut message: Option<BitVec<u64>> = None;
    let most_bits = bits.unwrap_or(MOST_MESSAGE_BITS);
    read_rows_or_deliveries(path, most_bits, |row| {
        if whole(row.whose) != Some(source) {
            let node = shown(row.whose);
            return Err(row.not_of_it(format!(
                "the row is of node `{node}`, and only the source, {source}, has a message"
            )));
        }
        let value = parsed(row.value, bits).map_err(|why| row.not_this_value(why))?;
        match &message {
            None => message = Some(value),
            Some(known) if row.is_delivery() && *known == value => {}
            Some(_) if row.is_delivery() => {
                let why = "it is another message than that of the rows before, and all nodes get the same one";
                return Err(row.not_this_value(why));
            }
            Some(_) => return Err(row.not_of_it(format!("node {source} has a message already"))),
        }
        Ok(())
    })?;
    message.ok_or_else(|| refused(path, 1, format!("no row is of the source, {source}")))
}

/// A hexadecimal number, its least significant bit first.
fn parsed(value: &str, bits: Option<usize>) -> Result<BitVec<u64>, String> {
    let mut parsed = BitVec::<u64>::new();
    for digit in digits(value, "a message has 1 bit at least")? {
        parsed.extend((0..4).map(|place| digit >> place & 1 == 1));
    }
    if let Some(bits) = bits {
        if parsed.len() > bits && parsed[bits..].any() {
            return Err(format!(
                "the value `{}` does not fit into --message-bits {bits}",
                shown(value)
            ));
        }
        parsed.resize(bits, false);
    }
    Ok(parsed)
}

/// Writes a row for each node.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write(output: Staged, hosts: &Hosts, nodes: usize) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record(["node", "value"])?;
        for node in 0..nodes {
            let value = hexadecimal(&hosts.message_at(node));
            writer.write_record([node.to_string(), value])?;
        }
        Ok(())
    })
}

/// Writes a row for each node that has the message, in order of node; `bit_time` is how many had passed when it had all of it.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write_deliveries(
    output: Staged,
    hosts: &Hosts,
    (source, nodes): (usize, usize),
) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record(["node", "source", "payload", "bit_time"])?;
        for node in (0..nodes).filter(|node| *node != source && hosts.has_all(*node)) {
            writer.write_record([
                node.to_string(),
                source.to_string(),
                hexadecimal(&hosts.message_at(node)),
                hosts.complete_at(node).to_string(),
            ])?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_text(text: &str, bits: Option<usize>) -> Result<String, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let read = read(file.path(), 3, bits).map_err(|error| error.to_string());
        let name = file.path().display().to_string();
        read.map(|bits| format!("{} bits {}", bits.len(), hexadecimal(&bits)))
            .map_err(|error| error.replace(&name, "FILE"))
    }

    #[test]
    fn a_message_is_read_or_refused_with_its_line() {
        let ok = |text, bits| read_text(text, bits).unwrap();
        assert_eq!(ok("node,value\n3,2f\n", None), "8 bits 2f");
        assert_eq!(ok("node,value\n3,2f\n", Some(6)), "6 bits 2f");
        assert_eq!(ok("node,value\n3, 2F \n", Some(13)), "13 bits 002f");
        let arrived = "node,source,payload,bit_time\n0,3,2f,9\n1,3,2F,12\n";
        assert_eq!(ok(arrived, None), "8 bits 2f");
        let refused = |text: &str| read_text(text, Some(5)).unwrap_err();
        for (text, refusal) in [
            (
                "node\n",
                "FILE, line 1: the header is `node`: it has to be `node,value`, or that of deliveries",
            ),
            ("node,value\n", "FILE, line 1: no row is of the source, 3"),
            (
                "node,value\n2,1\n",
                "FILE, line 2, column 1 (node): the row is of node `2`, and only the source, 3, has a message",
            ),
            (
                "node,value\n3,1\n3,1\n",
                "FILE, line 3, column 1 (node): node 3 has a message already",
            ),
            (
                "node,value\n3,1,1\n",
                "FILE, line 2: a row is a node and its value, with a comma between",
            ),
            (
                "node,source,payload,bit_time\n0,3,1,9\n1,3,2,9\n",
                "FILE, line 3, column 3 (payload): it is another message than that of the rows before, and all nodes get the same one",
            ),
            (
                "node,source,payload,bit_time\n0,2,1,9\n",
                "FILE, line 2, column 2 (source): the row is of node `2`, and only the source, 3, has a message",
            ),
            (
                "node,source,payload,bit_time\n0,3,1\n",
                "FILE, line 2: a row has 4 fields, as the header has",
            ),
            (
                "node,value\n3,x1\n",
                "FILE, line 2, column 2 (value): the value `x1` is no hexadecimal number, as 2f and 0x2f are",
            ),
            (
                "node,value\n3,\n",
                "FILE, line 2, column 2 (value): the value is empty: a message has 1 bit at least",
            ),
            (
                "node,value\n3,20\n",
                "FILE, line 2, column 2 (value): the value `20` does not fit into --message-bits 5",
            ),
        ] {
            assert_eq!(refused(text), refusal);
        }
    }
}
