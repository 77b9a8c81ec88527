//! A dump, read back through another library.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use testbenches::testbench::bench::RunOptions;

use crate::common::asked::{Asked, Setup};
use wellen::VarType;
use wellen::simple::{Waveform, read};

pub const TICKS_PER_BIT_TIME: u64 = 10;

/// A dump, by signal path.
pub struct Dump {
    /// For each signal: (tick, value) in order, most significant bit first.
    pub signals: HashMap<String, Vec<(u64, String)>>,
    pub ticks: Vec<u64>,
    /// Those of them that a VCD declares as text.
    pub texts: HashSet<String>,
}

impl Dump {
    pub fn read(path: &Path) -> Self {
        let mut wave: Waveform = read(path).unwrap();
        let variables: Vec<(String, wellen::SignalRef)> = wave
            .hierarchy()
            .all_vars()
            .map(|variable| {
                let variable = &wave.hierarchy()[variable];
                (variable.full_name(wave.hierarchy()), variable.signal_ref())
            })
            .collect();
        let texts = (wave.hierarchy().all_vars())
            .map(|variable| &wave.hierarchy()[variable])
            .filter(|variable| variable.var_type() == VarType::String)
            .map(|variable| variable.full_name(wave.hierarchy()))
            .collect();
        let ids: Vec<_> = variables.iter().map(|(_, id)| *id).collect();
        wave.load_signals(&ids);
        let ticks = wave.time_table().to_vec();
        let signals = variables
            .into_iter()
            .map(|(path, id)| {
                let changes = wave
                    .get_signal(id)
                    .unwrap()
                    .iter_changes()
                    .map(|(index, value)| (ticks[index as usize], value.to_string()))
                    .collect();
                (path, changes)
            })
            .collect();
        Dump {
            signals,
            ticks,
            texts,
        }
    }

    /// The value of a signal in each bit time.
    pub fn by_bit_time(&self, path: &str, from: u64, to: u64) -> Vec<&str> {
        let changes = &self.signals[path];
        let mut values = Vec::new();
        let mut next = 0;
        for bit_time in from..to {
            while next < changes.len() && changes[next].0 <= bit_time * TICKS_PER_BIT_TIME {
                next += 1;
            }
            values.push(changes[next - 1].1.as_str());
        }
        values
    }
}

/// The text that a vector of characters holds, as Verilog has it: what is left over above the first is 0.
pub fn text_of(bits: &str) -> String {
    assert!(bits.len() >= 8 && bits.len().is_multiple_of(8), "{bits}");
    let characters: Vec<u8> = (0..bits.len() / 8)
        .map(|place| u8::from_str_radix(&bits[8 * place..][..8], 2).unwrap())
        .collect();
    let first = characters.iter().position(|character| *character != 0);
    String::from_utf8(characters[first.unwrap_or(characters.len())..].to_vec()).unwrap()
}

/// A run whose dump holds every node.
pub fn options(k: usize, payload_bits: usize, load: f64, wave: &Path) -> Asked {
    Asked {
        setup: Setup {
            dims: Some(k),
            payload_bits: Some(payload_bits),
            load: Some(load),
            seed: 9,
            ..Setup::default()
        },
        options: RunOptions {
            wave: Some(wave.to_owned()),
            trace_nodes: Some("all".to_owned()),
            ..RunOptions::default()
        },
    }
}
