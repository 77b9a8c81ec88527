//! A list of sends in place of an algorithm.

use std::io::{self, Read};
use std::path::Path;

use rtl_model::csv_file::{self, Rows};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::memory::{available, require_growing};
use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::sends::{self, Send, read::read_sends};

use crate::error::Error;
use crate::error::refusal::{Refusal, unreadable};
use crate::families::broadcast::job::Asked;
use crate::families::broadcast::packet_size::{self, Found, PacketSize};
use crate::families::broadcast::parameters::{
    DEFAULT_MESSAGE_BITS, MESSAGE_BITS, PACKET_BITS, VALUES, whole,
};
use crate::options::{file_name, open_file};
use crate::report::counted;
use crate::testbench::chosen::Chosen;

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
        let last: Option<usize> = csv_file::whole(row.field(row.len() - 1));
        packets = packets.max(last.map_or(1, |last| last.saturating_add(1)));
        sends += 1;
        // A line of a list is shorter than this, which is nothing for one that is longer.
        require_growing(sends, "sends", 64, available)?;
    }
    Ok(packets)
}

/// A list as it was read, of which nothing is checked yet.
pub(super) struct List {
    name: String,
    text: Vec<u8>,
    packets: usize,
}

impl List {
    /// The one in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or does not fit into memory.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let mut kept = Kept {
            input: open_file(path)?,
            text: Vec::new(),
            unreadable: None,
            look: 1 << 24,
        };
        let packets = packets(&mut kept)?;
        if let Some(reason) = kept.unreadable {
            return Err(unreadable(path)(reason));
        }
        Ok(List {
            name: file_name(path),
            text: kept.text,
            packets,
        })
    }

    /// Bits of the message: where nobody says how long it is, so many that all packets are as long.
    pub fn message_bits(&self, chosen: &Chosen) -> usize {
        if chosen.has(&MESSAGE_BITS) || chosen.has(&VALUES) {
            return chosen.number(&MESSAGE_BITS);
        }
        let each = chosen.whole(&PACKET_BITS);
        let each = each.unwrap_or(DEFAULT_MESSAGE_BITS.div_ceil(self.packets));
        each.saturating_mul(self.packets)
    }

    /// The broadcast that it is of a message of so many bits, and what is sent.
    ///
    /// # Errors
    /// What is refused of the broadcast and of the list.
    pub fn asked(&self, chosen: &Chosen, message_bits: usize) -> Result<(Asked, Vec<Send>), Error> {
        let whole = whole(chosen, Algorithm::Listed { steps: 1 }, message_bits)?;
        let parts = self.packets.min(message_bits);
        let own = PacketSize::found(message_bits.div_ceil(parts), Found::Fixed(parts));
        let packet_size = match chosen.whole(&PACKET_BITS) {
            None => own,
            bits => packet_size::of(&whole, message_bits, bits)?.beside(own),
        };
        let mut asked = Asked::of(whole, message_bits, packet_size)?;
        let sends = read_sends(&self.name, &self.text[..], &asked.broadcast)
            .map_err(|error| of_other_size(error, &asked, self.packets))?;
        let steps = sends::steps(&sends);
        asked.broadcast.algorithm = Algorithm::Listed { steps };
        Ok((asked, sends))
    }
}

/// A list of fewer packets than the message has is one for another message: to add lines would not be what was meant.
fn of_other_size(error: ModelError, asked: &Asked, named: usize) -> Error {
    let Broadcast {
        packets,
        packet_bits,
        ..
    } = asked.broadcast;
    match error {
        ModelError::NeverSent { .. } if named < packets => {
            let bits = named * packet_bits;
            let [named, asked] = [counted(named, "packet"), counted(asked.message_bits, "bit")];
            Refusal::of("broadcast")
                .because(format!(
                    "the list of sends is of {named}, and a message of {asked} in packets of {packet_bits} has {packets}"
                ))
                .instead(format!(
                    "give --message-bits {bits} at the most, or leave --packet-bits out"
                ))
                .only_together("list of sends")
                .into()
        }
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
