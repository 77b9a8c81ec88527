//! A list of sends in place of an algorithm.

use std::cell::RefCell;
use std::io::{self, Read};
use std::path::Path;

use hosts::ports::message::Message;
use rtl_model::csv_file::{Rows, whole};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::memory::{available, require_growing};
use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::sends::{self, Send, read::read_sends};

use crate::error::Error;
use crate::families::ports::options::{Asked, DEFAULT_MESSAGE_BITS, Setup};
use crate::families::ports::packet_size::{self, Found, PacketSize};
use crate::options::{file_name, open_file};
use crate::report::counted;

/// What is read, and kept to be read again.
struct Kept<R> {
    input: R,
    text: Vec<u8>,
    unreadable: Option<io::Error>,
    /// Once it is so long, it is looked at whether twice as much would fit into memory.
    look: usize,
}

impl<R: Read> Read for Kept<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut read = self.input.read(buffer);
        if self.text.len() >= self.look {
            self.look *= 2;
            if available() < self.look as u64 {
                let reason = format!(
                    "it goes on after {} bytes, and more do not fit",
                    self.text.len()
                );
                read = Err(io::Error::new(io::ErrorKind::OutOfMemory, reason));
            }
        }
        match &read {
            Ok(length) => self.text.extend_from_slice(&buffer[..*length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                let again = io::Error::new(error.kind(), error.to_string());
                self.unreadable.get_or_insert(again);
            }
        }
        read
    }
}

/// Packets that a file names: one more than the highest number in its last column. Reads no farther than to a line that is no
/// row: what is wrong with a line, whoever reads the file in earnest says.
///
/// # Errors
/// A list that does not fit into memory.
fn packets(input: impl Read) -> Result<usize, Error> {
    let mut rows = Rows::new(input);
    let (mut packets, mut sends) = (1, 0);
    while let Ok(Some(row)) = rows.next_row() {
        let last: Option<usize> = whole(row.field(row.len() - 1));
        packets = packets.max(last.map_or(1, |last| last.saturating_add(1)));
        sends += 1;
        // A line of a list is shorter than this, which is nothing for one that is longer.
        require_growing(sends, "sends", 64, available)?;
    }
    Ok(packets)
}

/// The list in a file, and the broadcast that it is.
///
/// # Errors
/// What is refused of the setup and of the file.
pub(super) fn read(setup: &Setup, path: &Path) -> Result<(Asked, Message, Vec<Send>), Error> {
    let name = file_name(path);
    let mut kept = Kept {
        input: open_file(path)?,
        text: Vec::new(),
        unreadable: None,
        look: 1 << 24,
    };
    let parts = packets(&mut kept)?;
    if let Some(reason) = kept.unreadable {
        let path = path.to_owned();
        return Err(Error::Unreadable { path, reason });
    }
    let text = kept.text;
    let list = RefCell::new(Vec::new());
    // Where nobody says how long it is, a message of which all packets are as long.
    let mut setup = setup.clone();
    if setup.message_bits.is_none() && setup.values.is_none() {
        let each = setup
            .packet_bits
            .unwrap_or(DEFAULT_MESSAGE_BITS.div_ceil(parts));
        setup.message_bits = Some(each.saturating_mul(parts));
    }
    let (asked, message) = setup.message_of(|message_bits| {
        let whole = setup.whole(Algorithm::Listed { steps: 1 }, message_bits)?;
        let packet_size = match setup.packet_bits {
            Some(_) => packet_size::of(&whole, message_bits, setup.packet_bits)?,
            None => {
                let parts = parts.min(message_bits);
                PacketSize {
                    bits: message_bits.div_ceil(parts),
                    found: Found::Fixed(parts),
                }
            }
        };
        let asked = Asked::of(whole, message_bits, packet_size)?;
        let sends = read_sends(&name, &text[..], &asked.broadcast)
            .map_err(|error| of_other_size(error, &asked, parts))?;
        let algorithm = Algorithm::Listed {
            steps: sends::steps(&sends),
        };
        *list.borrow_mut() = sends;
        let broadcast = Broadcast {
            algorithm,
            ..asked.broadcast
        };
        Ok(Asked { broadcast, ..asked })
    })?;
    Ok((asked, message, list.into_inner()))
}

/// A list of fewer packets than the message has is one for another message: to add lines would not be what was meant.
fn of_other_size(error: ModelError, asked: &Asked, named: usize) -> Error {
    let Broadcast {
        packets,
        packet_bits,
        ..
    } = asked.broadcast;
    match error {
        ModelError::NeverSent { .. } if named < packets => Error::Refused {
            by: "broadcast",
            why: format!(
                "the list of sends is of {}, and a message of {} in packets of {packet_bits} has {packets}: give --message-bits {} at \
                 the most, or leave --packet-bits out",
                counted(named, "packet"),
                counted(asked.message_bits, "bit"),
                named * packet_bits
            ),
        },
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_as_many_as_the_highest_number_says() {
        let packets = |text: &str| packets(text.as_bytes()).unwrap();
        assert_eq!(packets("step,from,to,packet\n0,0,1,3\r\n1,0,2, 1 \n"), 4);
        assert_eq!(packets("step,from,to,packet\n"), 1);
        assert_eq!(packets("step,from,to,packet\n0,0,1,x\n"), 1);
    }
}
