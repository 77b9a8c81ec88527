//! Machines of prearranged packets and of the reduced hypercube, some with hosts that never change what they drive: as programs and
//! bit time by bit time.

use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::program::Program;
use rtl_model::machine::router::Router;

use crate::machines::{Visit, Writes, let_hosts_drive, loaded, on_each_family};
use crate::program::common::generator;
use crate::program::measured::measures_as_is_counted;
use crate::program::strides::runs_as_it_ticks;

/// So many machines side by side.
struct AsItTicks {
    machines: usize,
}

impl AsItTicks {
    fn run<R: Router, B: Lanes>(&self, machine: &R, writes: &Writes<'_>) {
        let mut fabric = loaded::<R, B>(machine, self.machines, writes);
        let_hosts_drive(&mut fabric);
        runs_as_it_ticks(&mut fabric, &mut generator(3));
        if Program::can_be_made(machine) {
            let mut fabric = loaded::<R, B>(machine, self.machines, writes);
            let_hosts_drive(&mut fabric);
            measures_as_is_counted(&mut fabric);
        }
    }
}

impl Visit for AsItTicks {
    fn machine<R: Router>(&mut self, machine: &R, _what: &str, writes: &Writes<'_>) {
        self.run::<R, u64>(machine, writes);
        self.run::<R, Words<8>>(machine, writes);
    }
}

on_each_family!(AsItTicks { machines: 3 }; ports, reduced_hypercube, collectives, phases);
