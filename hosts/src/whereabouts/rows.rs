//! What is read of shadow machines in a bit time, 64 nodes at once: of all machines only the rows in which bits may have come or gone
//! that are followed.
//!
//! ```text
//!   plain: payloads all 0, all 1      every row
//!   low, high bit of numbers          rows in which payload bits are, or were a bit time ago
//!   the other bits of numbers         of these, wires, and registers in which the first bit or the last one of a payload is or was
//! ```

use rtl_model::machine::simulation::{Lockstep, ModuleEnds};

/// What is in all registers and on all wires of a machine, a row for each bit of a node: its words are those of the nodes.
pub(super) struct Rows {
    /// Rows of registers; those of wires come behind them.
    pub(super) registers: usize,
    words: usize,
    pub(super) bits: Vec<u64>,
    /// By row, whether any reading since [`Reached::changed`] was asked has found something else than the one before; of wires, whether
    /// there was any.
    pub(super) are_changed: Vec<bool>,
    module_ends: ModuleEnds,
}

impl Rows {
    /// Of so many register bits and wires of a node, and so many words of nodes.
    pub fn new(registers: usize, links: usize, words: usize) -> Self {
        Rows {
            registers,
            words,
            bits: vec![0; (registers + links) * words],
            are_changed: vec![false; registers + links],
            module_ends: ModuleEnds::default(),
        }
    }

    /// Reads those that are wanted, in ascending order, between the two halves of a bit time.
    pub fn read(&mut self, machine: &dyn Lockstep, wanted: &[usize]) {
        let wires_begin = wanted.partition_point(|row| *row < self.registers);
        let (of_registers, of_wires) = wanted.split_at(wires_begin);
        let are_changed = &mut self.are_changed;
        let of_registers = (of_registers, &mut self.module_ends);
        machine.copy_registers(of_registers, &mut self.bits, &mut |row| {
            are_changed[row] = true
        });
        for &row in of_wires {
            self.are_changed[row] = true;
            let words = &mut self.bits[row * self.words..][..self.words];
            machine.copy_driven(row - self.registers, words);
        }
    }

    /// Words of all rows.
    pub fn words(&self) -> usize {
        self.bits.len()
    }

    /// What nodes drive, wire after wire.
    pub fn driven(&self) -> &[u64] {
        &self.bits[self.registers * self.words..]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.bits.len() / self.words
    }

    /// One of them.
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }
}

/// Which rows payload bits are in.
pub(super) struct Reached {
    /// All of them; those in which payload bits are or were.
    all: Vec<usize>,
    wanted: Vec<usize>,
    /// By row, whether they are there.
    is_reached: Vec<bool>,
    /// Rows in which bits that are followed are or were, and by row, whether they are there.
    followed: Vec<usize>,
    is_followed: Vec<bool>,
    /// Of these, rows in which something has changed, and by row, whether it has.
    changed: Vec<usize>,
    is_changed: Vec<bool>,
}

impl Reached {
    /// Of machines with such rows: none yet.
    pub fn new(rows: &Rows) -> Self {
        let count = rows.count();
        Reached {
            all: (0..count).collect(),
            wanted: Vec::with_capacity(count),
            is_reached: vec![false; count],
            followed: Vec::with_capacity(count),
            is_followed: vec![false; count],
            changed: Vec::with_capacity(count),
            is_changed: vec![false; count],
        }
    }

    /// Every row.
    pub fn all(&self) -> &[usize] {
        &self.all
    }

    /// The rows in which payload bits are or were a bit time ago, as machines differ there whose payloads are all 0 and all 1.
    pub fn differ(&mut self, (zeros, ones): (&Rows, &Rows)) -> &[usize] {
        self.wanted.clear();
        for (row, is_reached) in self.is_reached.iter_mut().enumerate() {
            let was_reached = std::mem::replace(is_reached, zeros.row(row) != ones.row(row));
            if was_reached || *is_reached {
                self.wanted.push(row);
            }
        }
        &self.wanted
    }

    /// Of these, the wires, and the registers in which payload bits are or were that are followed there, as machines say that spell
    /// the two lowest bits of numbers.
    pub fn followed(&mut self, plain: (&Rows, &Rows), lowest: [&Rows; 2]) -> &[usize] {
        self.followed.clear();
        for &row in &self.wanted {
            let [zeros, ones, low, high] = [plain.0, plain.1, lowest[0], lowest[1]];
            let all = (zeros.row(row).iter().zip(ones.row(row)))
                .zip(low.row(row).iter().zip(high.row(row)));
            let is_wire = row >= zeros.registers;
            let is_followed = is_wire
                || all
                    .into_iter()
                    .any(|(plain, lowest)| payload_end(plain, lowest) != 0);
            let was_followed = std::mem::replace(&mut self.is_followed[row], is_followed);
            if was_followed || is_followed {
                self.followed.push(row);
            }
        }
        &self.followed
    }

    /// Of these, once they are read of all machines, those in which something has changed since this was last asked.
    pub fn changed<'r>(&mut self, all: impl Iterator<Item = &'r mut Rows>) -> &[usize] {
        for rows in all {
            for &row in &self.followed {
                self.is_changed[row] |= std::mem::take(&mut rows.are_changed[row]);
            }
        }
        self.changed.clear();
        let is_changed = &mut self.is_changed;
        let changed = self
            .followed
            .iter()
            .filter(|row| std::mem::take(&mut is_changed[**row]));
        self.changed.extend(changed);
        &self.changed
    }
}

/// Where the first and the last bits of payloads are, of which one of the two lowest bits of the number is 1.
#[inline(always)]
pub(super) fn payload_end((zero, one): (&u64, &u64), (low, high): (&u64, &u64)) -> u64 {
    (zero ^ one) & ((low ^ zero) | (high ^ zero))
}
