//! The file of a share: what one rank holds in mid-run.
//!
//! ```text
//!   header:   live bits by bit time, the most of a node, what was sent to other ranks      checksum
//!   tile 0:   its words                                                                    checksum
//!   tile 1:   ...
//! ```
//!
//! All are words of 64 bits, the least significant byte first. A checksum is the CRC-64 of what stands before it, and of which
//! run, bit time and part of the machine it is: so it fits in no other place.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crc::{CRC_64_XZ, Crc, Table};

const CRC: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

/// Which part of which run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The sum of what was loaded.
    pub traffic: u64,
    /// Bit times that have passed.
    pub bit_time: u64,
}

/// What has been measured of a share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Live bits by bit time, and what is the most.
    pub readings: [Vec<u64>; 2],
    /// Words sent to other ranks, and how often.
    pub sent: [u64; 2],
}

impl Measured {
    fn words(&self) -> Vec<u64> {
        let [live, most] = &self.readings;
        let lengths = [live, most].map(|list| list.len() as u64);
        [&lengths[..], &self.sent, live, most].concat()
    }
}

/// The checksum of the words of a part.
pub fn checksum(place: Part, part: u64, words: &[u64]) -> u64 {
    let mut digest = CRC.digest();
    for word in [place.traffic, place.bit_time, part] {
        digest.update(&word.to_le_bytes());
    }
    for words in words.chunks(1 << 10) {
        digest.update(&bytes_of(words));
    }
    digest.finalize()
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The part of a rank's header. Tiles are parts by their number.
fn header(rank: usize) -> u64 {
    !(rank as u64)
}

/// A share that is being written.
pub struct Writing<W: Write> {
    file: BufWriter<W>,
    place: Part,
}

impl<W: Write> Writing<W> {
    /// Begins with what has been measured.
    ///
    /// # Errors
    /// Those of the file.
    pub fn begin(file: W, place: Part, (rank, measured): (usize, &Measured)) -> io::Result<Self> {
        let mut writing = Writing {
            file: BufWriter::with_capacity(1 << 20, file),
            place,
        };
        writing.part(header(rank), &measured.words())?;
        Ok(writing)
    }

    /// Writes a tile, by its number in the whole machine.
    ///
    /// # Errors
    /// Those of the file.
    pub fn tile(&mut self, number: usize, words: &[u64]) -> io::Result<()> {
        self.part(number as u64, words)
    }

    fn part(&mut self, part: u64, words: &[u64]) -> io::Result<()> {
        let sum = checksum(self.place, part, words);
        self.file.write_all(&bytes_of(words))?;
        self.file.write_all(&sum.to_le_bytes())
    }

    /// All is in the file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn end(self) -> io::Result<W> {
        self.file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
    }
}

/// A share that is being read.
pub struct Reading {
    file: BufReader<File>,
    place: Part,
    first_tile: u64,
    words_of_tile: usize,
}

impl Reading {
    /// Opens that of a rank, which has tiles of so many words, with what was measured of it.
    ///
    /// # Errors
    /// In words: it is not there, or not what was written.
    pub fn open(
        path: &Path,
        place: Part,
        rank: usize,
        (tiles, words_of_tile): (usize, usize),
    ) -> Result<(Self, Measured), String> {
        let file = File::open(path).map_err(in_words)?;
        let bytes = file.metadata().map_err(in_words)?.len();
        let mut reading = Reading {
            file: BufReader::with_capacity(1 << 20, file),
            place,
            first_tile: 0,
            words_of_tile,
        };
        let lengths = reading.words(4)?;
        let [live, most, sent @ ..] = [lengths[0], lengths[1], lengths[2], lengths[3]];
        if live.saturating_add(most).saturating_mul(8) > bytes {
            return Err(ANOTHER.to_owned());
        }
        let [live, most] = [reading.words(live as usize)?, reading.words(most as usize)?];
        let measured = Measured {
            readings: [live, most],
            sent,
        };
        reading.check(header(rank), &measured.words())?;
        reading.first_tile = reading.file.stream_position().map_err(in_words)?;
        match bytes.cmp(&reading.place_of(tiles)) {
            Ordering::Less => Err(TOO_SHORT.to_owned()),
            Ordering::Equal => Ok((reading, measured)),
            Ordering::Greater => Err("something stands behind its end".to_owned()),
        }
    }

    /// Reads its tile at `index`, whose number in the whole machine is `number`.
    ///
    /// # Errors
    /// In words.
    pub fn tile(&mut self, index: usize, number: usize) -> Result<Vec<u64>, String> {
        let from = self.place_of(index);
        let now = self.file.stream_position().map_err(in_words)?;
        // What is read in order needs no search, which would empty the buffer.
        if from != now {
            self.file.seek(SeekFrom::Start(from)).map_err(in_words)?;
        }
        let words = self.words(self.words_of_tile)?;
        self.check(number as u64, &words)?;
        Ok(words)
    }

    /// Where the tile at `index` begins.
    fn place_of(&self, index: usize) -> u64 {
        self.first_tile + 8 * index as u64 * (self.words_of_tile as u64 + 1)
    }

    fn words(&mut self, amount: usize) -> Result<Vec<u64>, String> {
        let mut bytes = vec![0; 8 * amount];
        self.file.read_exact(&mut bytes).map_err(in_words)?;
        let (words, _) = bytes.as_chunks();
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    fn check(&mut self, part: u64, words: &[u64]) -> Result<(), String> {
        match self.words(1)? == [checksum(self.place, part, words)] {
            true => Ok(()),
            false => Err(ANOTHER.to_owned()),
        }
    }
}

const TOO_SHORT: &str = "it ends too early";
const ANOTHER: &str = "a checksum is not that of what stands before it";

fn in_words(error: io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => TOO_SHORT.to_owned(),
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Part = Part {
        traffic: 77,
        bit_time: 5,
    };

    fn measured() -> Measured {
        Measured {
            readings: [vec![10, 11, 12], vec![3, u64::MAX]],
            sent: [8, 9],
        }
    }

    /// Tiles 6 and 7, of 3 words each, of rank 3.
    fn written() -> Vec<u8> {
        let mut writing = Writing::begin(Vec::new(), PLACE, (3, &measured())).unwrap();
        writing.tile(6, &[1, 2, 3]).unwrap();
        writing.tile(7, &[4, 5, u64::MAX]).unwrap();
        writing.end().unwrap()
    }

    fn read(bytes: &[u8], place: Part, rank: usize) -> Result<(Measured, Vec<u64>), String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let (mut reading, measured) = Reading::open(file.path(), place, rank, (2, 3))?;
        // Out of order, then in order.
        let last = reading.tile(1, 7)?;
        let first = reading.tile(0, 6)?;
        assert_eq!(reading.tile(1, 7)?, last);
        Ok((measured, [first, last].concat()))
    }

    #[test]
    fn what_was_written_is_read() {
        let all = vec![1, 2, 3, 4, 5, u64::MAX];
        assert_eq!(read(&written(), PLACE, 3), Ok((measured(), all)));
    }

    #[test]
    fn a_bit_that_is_wrong_anywhere_is_seen() {
        for bit in 0..8 * written().len() {
            let mut bytes = written();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&bytes, PLACE, 3).is_err(), "{bit}");
        }
    }

    #[test]
    fn so_is_what_is_cut_or_of_another_place() {
        let bytes = written();
        for length in 0..bytes.len() {
            let cut = read(&bytes[..length], PLACE, 3).unwrap_err();
            assert!(cut == "it ends too early" || cut == ANOTHER, "{cut}");
        }
        let others = [
            (PLACE, 2),
            (
                Part {
                    traffic: 78,
                    ..PLACE
                },
                3,
            ),
            (
                Part {
                    bit_time: 6,
                    ..PLACE
                },
                3,
            ),
        ];
        for (place, rank) in others {
            assert_eq!(read(&bytes, place, rank), Err(ANOTHER.to_owned()));
        }
        let longer = [&bytes[..], b"\n"].concat();
        let refused = read(&longer, PLACE, 3).unwrap_err();
        assert_eq!(refused, "something stands behind its end");
        // Two tiles that have changed places.
        let header = bytes.len() - 2 * 32;
        let tiles = [&bytes[header + 32..], &bytes[header..header + 32]].concat();
        let swapped = [&bytes[..header], &tiles].concat();
        assert_eq!(read(&swapped, PLACE, 3), Err(ANOTHER.to_owned()));
        let missing = Reading::open(Path::new("/there/is/none"), PLACE, 0, (1, 1));
        assert_eq!(missing.err().unwrap(), "it is not there");
    }
}
