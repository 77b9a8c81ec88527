//! Checkpoints that somebody has changed: with checksums that are wrong for it, and with such as are right. One that is taken up is
//! run to its end.

use super::{BrokenOff, loaded, planned, resuming, run_of, writing};
use crate::families::kuszmaul;
use crate::fuzz::{Desk, fuzz_from};
use crate::lockstep::Stimulus;
use crate::lockstep::checkpoint::*;
use crate::lockstep::simulation::advance_with;
use crate::testbench::bench;

const SMALL: &str = "--dims 3 --payload-bits 5 --load 1 --seed 3";

fn small() -> Box<dyn Stimulus> {
    bench::stimulus(&kuszmaul::BENCH, SMALL)
}

/// A checkpoint of a small machine in that folder: its description.
fn written(desk: &Desk) -> Manifest {
    let small = small();
    let live_bits = |after| small.live_bits(after);
    let mut machine = loaded(&*small);
    let mut broken_off = BrokenOff(planned(&writing(&desk.path("")), &mut *machine).unwrap());
    let outcome = advance_with(&mut *machine, run_of(&live_bits), Some(&mut broken_off));
    assert!(matches!(outcome, Err(Error::Interrupted)));
    let text = std::fs::read(desk.path(manifest::NAME)).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// Takes up what is there.
fn take_up(desk: &Desk, small: &dyn Stimulus) -> Result<(), Error> {
    let live_bits = |after| small.live_bits(after);
    let mut machine = loaded(small);
    let mut taken_up = planned(&resuming(&desk.path("")), &mut *machine)?;
    advance_with(&mut *machine, run_of(&live_bits), Some(&mut taken_up)).map(drop)
}

#[test]
fn manifests() {
    let desk = Desk::new();
    let manifest = written(&desk);
    let text = serde_json::to_string_pretty(&manifest).unwrap();
    let folder = desk.path("");
    fuzz_from("manifests", &[text], move |text| {
        let small = small();
        desk.put(manifest::NAME, text);
        _ = take_up(&desk, &*small).map_err(|error| error.to_string());
        if let Ok(manifest) = serde_json::from_slice::<Manifest>(text) {
            manifest.write(&folder).unwrap();
            _ = take_up(&desk, &*small).map_err(|error| error.to_string());
        }
        desk.has_only(&[manifest::NAME, &manifest.shares[0]]);
    });
}

/// The words of a share, where they are to be checksums as such.
fn resealed(bytes: &[u8], place: Part, words_of_tile: usize) -> Vec<u8> {
    let words: Vec<u64> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
        .collect();
    let [live, most, ..] = words[..] else {
        return bytes.to_vec();
    };
    let header = live
        .saturating_add(most)
        .saturating_add(4)
        .min(words.len() as u64) as usize;
    let (header, mut rest) = words.split_at(header);
    let mut sealed = header.to_vec();
    let mut part = !0;
    sealed.push(checksum(place, part, header));
    while rest.len() > words_of_tile {
        part = part.wrapping_add(1);
        let (tile, behind) = rest[1..].split_at(words_of_tile);
        sealed.extend(tile);
        sealed.push(checksum(place, part, tile));
        rest = behind;
    }
    sealed.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn shares() {
    let desk = Desk::new();
    let manifest = written(&desk);
    let name = manifest.shares[0].clone();
    let share = std::fs::read(desk.path(&name)).unwrap();
    let place = Part {
        traffic: u64::from_str_radix(&manifest.traffic, 16).unwrap(),
        bit_time: manifest.bit_time,
    };
    let then = loaded(&*small()).begin_at(manifest.bit_time);
    let words_of_tile = then.unwrap().words_of_tile();
    assert_eq!(resealed(&share, place, words_of_tile), share);
    fuzz_from("shares", &[share], move |bytes| {
        let small = small();
        for bytes in [bytes, &resealed(bytes, place, words_of_tile)] {
            desk.put(&name, bytes);
            _ = take_up(&desk, &*small).map_err(|error| error.to_string());
        }
        desk.has_only(&[manifest::NAME, &name]);
    });
}
