//! A list of sends in place of an algorithm.

use std::cell::RefCell;
use std::io::Read;
use std::path::Path;

use rtl_model::error::Error as ModelError;
use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::sends::{self, Send, read::read_sends};

use crate::error::Error;
use crate::families::ports::message::Message;
use crate::families::ports::options::{Asked, DEFAULT_MESSAGE_BITS, Setup};
use crate::families::ports::packet_size::{self, Found, PacketSize};
use crate::options::{file_name, open_file};
use crate::report::counted;

/// More than any list that a node can store takes.
const MOST_BYTES: u64 = 1 << 30;

/// Packets that a file names: one more than the highest number in its last column. What is wrong with a line, whoever reads the
/// file in earnest says.
fn packets(text: &[u8]) -> usize {
    let text = String::from_utf8_lossy(text);
    let rows = text.split(['\n', '\r']).skip(1);
    let numbers = rows.filter_map(|row| row.rsplit(',').next()?.trim().parse::<usize>().ok());
    numbers.max().map_or(1, |most| most.saturating_add(1))
}

/// The list in a file, and the broadcast that it is.
///
/// # Errors
/// What is refused of the setup and of the file.
pub(super) fn read(setup: &Setup, path: &Path) -> Result<(Asked, Message, Vec<Send>), Error> {
    let name = file_name(path);
    let mut text = Vec::new();
    let read = open_file(path)?.take(MOST_BYTES).read_to_end(&mut text);
    read.map_err(|reason| Error::Unreadable {
        path: path.to_owned(),
        reason,
    })?;
    let list = RefCell::new(Vec::new());
    // Where nobody says how long it is, a message of which all packets are as long.
    let mut setup = setup.clone();
    if setup.message_bits.is_none() && setup.values.is_none() {
        let parts = packets(&text);
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
                let parts = packets(&text).min(message_bits);
                PacketSize {
                    bits: message_bits.div_ceil(parts),
                    found: Found::Fixed(parts),
                }
            }
        };
        let asked = Asked::of(whole, message_bits, packet_size)?;
        let sends = read_sends(&name, &text[..], &asked.broadcast)
            .map_err(|error| of_other_size(error, &asked, packets(&text)))?;
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
        assert_eq!(packets(b"step,from,to,packet\n0,0,1,3\r\n1,0,2, 1 \n"), 4);
        assert_eq!(packets(b"step,from,to,packet\n"), 1);
        assert_eq!(packets(b"step,from,to,packet\n0,0,1,x\n"), 1);
    }
}
