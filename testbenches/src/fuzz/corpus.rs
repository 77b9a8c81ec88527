//! Inputs: files of a folder as they are, and as many more as one likes, which are drawn from them and from other texts.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crc::{CRC_64_XZ, Crc};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::draw::{Source, drawn};
use super::folder;

/// What a reader is given.
#[derive(Clone)]
pub(super) struct Corpus {
    name: String,
    seed: u64,
    /// So many of the files are inputs too.
    as_they_are: usize,
    source: Source,
}

impl Corpus {
    /// That of a reader, with texts beside.
    pub fn of<T: AsRef<[u8]>>(name: &str, texts: &[T], seed: u64) -> Self {
        let entries =
            fs::read_dir(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let files = paths.iter().map(|path| fs::read(path).unwrap());
        let texts = texts.iter().map(|text| text.as_ref().to_vec());
        Self::new(name, (files.collect(), texts.collect()), seed)
    }

    /// One of these files and texts.
    pub fn new(name: &str, (mut files, texts): (Vec<Vec<u8>>, Vec<Vec<u8>>), seed: u64) -> Self {
        let as_they_are = files.len();
        files.extend(texts);
        assert!(!files.is_empty(), "{name} has no corpus");
        let tokens: BTreeSet<Vec<u8>> = files.iter().flat_map(|file| tokens(file)).collect();
        Corpus {
            name: name.to_owned(),
            seed,
            as_they_are,
            source: Source {
                files,
                tokens: tokens.into_iter().collect(),
            },
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many inputs are files as they are.
    pub fn len(&self) -> u64 {
        self.as_they_are as u64
    }

    /// The input of that number, which follows from the seed.
    pub fn input(&self, number: u64) -> Vec<u8> {
        if number < self.len() {
            return self.source.files[number as usize].clone();
        }
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(number);
        drawn(&self.source, &mut random)
    }

    /// Puts an input there.
    pub fn put(&self, input: &[u8]) -> PathBuf {
        let sum = Crc::<u64>::new(&CRC_64_XZ).checksum(input);
        let path = folder().join(&self.name).join(format!("found-{sum:016x}"));
        fs::write(&path, input).unwrap();
        path
    }
}

/// Words, numbers, and what stands between them.
fn tokens(file: &[u8]) -> Vec<Vec<u8>> {
    let parts = file.chunk_by(|one, next| is_of_word(*one) && is_of_word(*next));
    parts.map(<[u8]>::to_vec).collect()
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
