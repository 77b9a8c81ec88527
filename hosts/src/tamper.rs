//! Who puts faults into a machine while hosts work beside it: four moments of a bit time at which somebody may change what there is.
//!
//! ```text
//!   begin   transmit   send   hosts write and read   receive   clock   take
//!   |registers         |wires                        |wires            |registers
//!   |may change        |between nodes may change     |are what they are|may change
//! ```

use rtl_model::machine::simulation::Simulation;

/// Somebody who tampers with a machine in every bit time.
pub trait Tamper {
    /// Before anybody sends: registers may be changed.
    fn begin(&mut self, machine: &mut dyn Simulation) {
        let _ = machine;
    }

    /// With the nodes' bits on the wires, before anybody reads them: they may be changed.
    fn send(&mut self, machine: &mut dyn Simulation) {
        let _ = machine;
    }

    /// With those of hosts on the wires as well, before the clock edge.
    fn receive(&mut self, machine: &dyn Simulation) {
        let _ = machine;
    }

    /// After the clock edge: registers may be changed, before anybody looks at them.
    fn take(&mut self, machine: &mut dyn Simulation) {
        let _ = machine;
    }
}

/// Nobody does.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Tamper for Nobody {}

/// Two functions do: one changes registers before anybody sends, the other what is on the wires.
#[derive(Debug)]
pub struct Tampering<R, W> {
    /// Changes registers.
    pub registers: R,
    /// Changes what nodes have put onto wires.
    pub wires: W,
}

impl<R: FnMut(&mut dyn Simulation), W: FnMut(&mut dyn Simulation)> Tamper for Tampering<R, W> {
    fn begin(&mut self, machine: &mut dyn Simulation) {
        (self.registers)(machine);
    }

    fn send(&mut self, machine: &mut dyn Simulation) {
        (self.wires)(machine);
    }
}
