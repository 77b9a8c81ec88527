//! How an input is drawn: a file of the corpus, to which things have happened.

use std::ops::Range;

use rand::seq::IndexedRandom;
use rand::{Rng, RngCore};

/// What inputs are drawn from.
#[derive(Clone)]
pub(super) struct Source {
    pub files: Vec<Vec<u8>>,
    /// Their words, and what stands between these.
    pub tokens: Vec<Vec<u8>>,
}

/// No input is longer.
const LONGEST: usize = 1 << 16;

/// At the edges of what numbers can be.
const NUMBERS: [&str; 28] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "31",
    "32",
    "63",
    "64",
    "65",
    "127",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0.5",
    "1e308",
    "1e-320",
    "00000000000000000001",
];

/// What texts have that somebody has not thought of.
const ODD: [&[u8]; 28] = [
    b"",
    b"\0",
    b"\xff",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t",
    b" ",
    b"\"",
    b"\"\"",
    b"'",
    b",",
    b",,",
    b"-",
    b"--",
    b"+",
    b".",
    b"..",
    b"..=",
    b":",
    b"=",
    b"\x1b[31m",
    "\u{202e}".as_bytes(),
    "\u{3bb}\u{1f40d}".as_bytes(),
    b"NaN",
    b"-inf",
];

/// A file to which a few things have happened.
pub(super) fn drawn(source: &Source, random: &mut impl RngCore) -> Vec<u8> {
    let mut bytes = any(&source.files, random).to_vec();
    loop {
        change(&mut bytes, source, random);
        if random.random_bool(0.4) {
            break;
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

fn any<'a, T: AsRef<[u8]>>(all: &'a [T], random: &mut impl RngCore) -> &'a [u8] {
    all.choose(random).map_or(&[], |one| one.as_ref())
}

/// A few bytes of so many, or many.
fn part(length: usize, random: &mut impl RngCore) -> Range<usize> {
    let begin = random.random_range(0..=length);
    let most = match random.random_bool(0.8) {
        true => 8.min(length - begin),
        false => length - begin,
    };
    begin..begin + random.random_range(0..=most)
}

/// Runs of bytes for which that holds, if there is any such byte: one of them.
fn run(bytes: &[u8], is_one: fn(&u8) -> bool, random: &mut impl RngCore) -> Option<Range<usize>> {
    let places: Vec<usize> = (0..bytes.len()).filter(|at| is_one(&bytes[*at])).collect();
    let at = *places.choose(random)?;
    let before = bytes[..at]
        .iter()
        .rev()
        .take_while(|byte| is_one(byte))
        .count();
    let behind = bytes[at..].iter().take_while(|byte| is_one(byte)).count();
    Some(at - before..at + behind)
}

/// A line with its end.
fn line(bytes: &[u8], random: &mut impl RngCore) -> Range<usize> {
    let line = run(bytes, |byte| *byte != b'\n', random).unwrap_or(0..0);
    line.start..bytes.len().min(line.end + 1)
}

fn put(bytes: &mut Vec<u8>, place: Range<usize>, other: &[u8]) {
    bytes.splice(place, other.iter().copied());
}

/// One of the things that may happen.
fn change(bytes: &mut Vec<u8>, source: &Source, random: &mut impl RngCore) {
    let at = random.random_range(0..=bytes.len());
    match random.random_range(0..20) {
        0 | 1 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
        2 if at < bytes.len() => bytes[at] = random.random(),
        3 => put(bytes, at..at, &[random.random()]),
        4 | 5 => put(bytes, part(bytes.len(), random), &[]),
        6 => {
            let twice = bytes[part(bytes.len(), random)].to_vec();
            put(bytes, at..at, &twice);
        }
        7 | 8 => put(bytes, at..at, any(&source.tokens, random)),
        9 | 10 => {
            let word = run(bytes, u8::is_ascii_alphanumeric, random);
            put(bytes, word.unwrap_or(at..at), any(&source.tokens, random));
        }
        11 | 12 => {
            let number = run(bytes, u8::is_ascii_digit, random);
            put(bytes, number.unwrap_or(at..at), any(&NUMBERS, random));
        }
        13 => put(bytes, at..at, any(&ODD, random)),
        14 => {
            let twice = bytes[line(bytes, random)].to_vec();
            put(bytes, at..at, &twice);
        }
        15 => put(bytes, line(bytes, random), &[]),
        16 => {
            let other = any(&source.files, random);
            let other = &other[part(other.len(), random)];
            put(bytes, part(bytes.len(), random), other);
        }
        17 => bytes.truncate(at),
        18 => ends_of_lines(bytes, any(&[&b"\r\n"[..], b"\r", b"\n\n", b" "], random)),
        // Rarely, since it takes its time to draw and to read.
        _ if random.random_bool(0.05) => {
            let again = any(&source.tokens, random).repeat(1 << random.random_range(4..12));
            put(bytes, at..at, &again);
        }
        _ => {}
    }
    bytes.truncate(LONGEST);
}

fn ends_of_lines(bytes: &mut Vec<u8>, end: &[u8]) {
    *bytes = bytes
        .split(|byte| *byte == b'\n')
        .collect::<Vec<_>>()
        .join(end);
}
