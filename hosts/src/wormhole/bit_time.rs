//! A bit time of an engine, with whoever looks on.

use std::convert::Infallible;

use crate::tamper::{Nobody, Tamper};
use crate::wormhole::engine::Engine;
use crate::wormhole::lanes::WormLanes;

impl<B: WormLanes> Engine<B> {
    /// One bit time. `observe` is shown the machine with its bits on the wires.
    ///
    /// # Errors
    /// Whatever `observe` returns. A wire with two drivers is kept in `conflict`.
    pub fn tick<E>(&mut self, observe: impl FnOnce(&Self) -> Result<(), E>) -> Result<(), E> {
        self.tick_with(&mut Nobody, observe)
    }

    /// The same with somebody who tampers with the machine.
    ///
    /// # Errors
    /// As [`Engine::tick`].
    pub fn tick_with<E>(
        &mut self,
        tamper: &mut dyn Tamper,
        observe: impl FnOnce(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        tamper.begin(B::simulation_mut(&mut self.fabric));
        B::transmit(self);
        tamper.send(B::simulation_mut(&mut self.fabric));
        B::exchange(self);
        tamper.receive(B::simulation(&self.fabric));
        observe(self)?;
        B::clock(self, tamper);
        Ok(())
    }

    /// Of an idle machine that nobody has anything to send to before `until`: one bit time, and if that has changed no register, so
    /// that none before `until` would, those are left out.
    pub fn rest_until(&mut self, until: u64) {
        let before = self.registers();
        let Ok(()) = self.tick(|_| Ok::<(), Infallible>(()));
        let from = self.fabric.bit_time();
        if self.registers() == before && from < until {
            self.fabric.let_pass(until - from);
            self.left_out.push(from..until);
        }
    }
}
