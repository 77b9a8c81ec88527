//! A bit time of an engine, with whoever looks on.

use std::convert::Infallible;

use rtl_model::machine::fabric::Fabric;
use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::wormhole::engine::Engine;
use crate::wormhole::lanes::WormLanes;

impl<B: WormLanes> Engine<B> {
    /// One bit time. `observe` is shown the machine with its bits on the wires.
    ///
    /// # Errors
    /// Whatever `observe` returns. A wire with two drivers is kept in `conflict`.
    pub fn tick<E>(&mut self, observe: impl FnOnce(&Self) -> Result<(), E>) -> Result<(), E> {
        self.tick_with(|_| (), observe)
    }

    /// The same with faults: `tamper` is given the machine with its bits on the wires, before anybody reads them.
    ///
    /// # Errors
    /// As [`Engine::tick`].
    pub fn tick_with<E>(
        &mut self,
        tamper: impl FnOnce(&mut Fabric<WormholeMachine, B>),
        observe: impl FnOnce(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        B::transmit(self);
        tamper(&mut self.fabric);
        B::exchange(self);
        observe(self)?;
        B::clock(self);
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
