//! Registers of a machine, by the names under which a dump has them.

use rtl_model::language::register::{Name, Visitor};

#[derive(Default)]
struct ByPath {
    path: Vec<String>,
    values: Vec<(String, String)>,
}

impl Visitor<bool> for ByPath {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        self.path.push(name.to_string());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
        let bits = (0..width).rev().map(bit);
        let value = bits.map(|bit| if *bit { '1' } else { '0' }).collect();
        // The first name is the machine's own.
        let path = [&self.path[1..], &[name.to_string()]].concat().join(".");
        self.values.push((path, value));
    }
}

/// The registers that are shown, each with its value, the most significant bit first.
pub fn by_path(show: impl FnOnce(&mut dyn Visitor<bool>)) -> Vec<(String, String)> {
    let mut reading = ByPath::default();
    show(&mut reading);
    reading.values
}
