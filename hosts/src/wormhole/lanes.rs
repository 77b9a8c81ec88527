//! Where a machine of worms and its hosts are compiled: here, for each width of lanes, whatever their users are compiled for.

use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::simulation::Simulation;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::ChannelId;
use waves::probe::Subject;

use crate::wormhole::deadlock;
use crate::wormhole::drawn::Drawing;
use crate::wormhole::engine::Engine;
use crate::wormhole::hosts::{Hosts, Rerun};
use crate::wormhole::wave::Observed;

/// A machine of worms.
type Worms<B> = Fabric<WormholeMachine, B>;

/// Lanes that worms go in.
pub trait WormLanes: Lanes {
    /// An idle machine, or several side by side.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`].
    fn machine(machine: WormholeMachine, machines: usize) -> Result<Worms<Self>, Error>;

    /// It as any machine.
    fn simulation(machine: &Worms<Self>) -> &dyn Simulation;

    /// What an engine does in a bit time until bits are on the wires.
    fn transmit(engine: &mut Engine<Self>);

    /// What it does then: hosts send and take.
    fn exchange(engine: &mut Engine<Self>);

    /// What it does when all have looked.
    fn clock(engine: &mut Engine<Self>);

    /// One bit time of a machine and its hosts alone.
    fn rerun(machine: &mut Worms<Self>, hosts: &mut Hosts<Self>, rerun: &mut Rerun<'_>);

    /// An engine as a waveform and a picture see it.
    fn subject<'a>(observed: &'a Observed<'_, Self>) -> &'a dyn Subject;

    /// As [`Drawing::look`].
    fn draw(drawing: &mut Drawing, engine: &Engine<Self>);

    /// Every register of every node.
    fn registers(machine: &mut Worms<Self>) -> Vec<Self>;

    /// As [`deadlock::waits_for`].
    fn waits_for(machine: &Worms<Self>, place: ChannelId) -> Vec<ChannelId>;

    /// As [`deadlock::wait_for_cycles`].
    fn wait_for_cycles(machine: &Worms<Self>, hosts: &Hosts<Self>) -> Vec<Vec<ChannelId>>;
}

macro_rules! compiled_for {
    ($($lanes:ty),+) => { $(
        impl WormLanes for $lanes {
            fn machine(machine: WormholeMachine, machines: usize) -> Result<Worms<Self>, Error> {
                let mut machine = machine.fabric(machines)?;
                machine.make_routine_when_it_pays(Instructions::widest());
                Ok(machine)
            }

            fn simulation(machine: &Worms<Self>) -> &dyn Simulation {
                machine
            }

            fn transmit(engine: &mut Engine<Self>) {
                engine.transmit();
            }

            fn exchange(engine: &mut Engine<Self>) {
                engine.exchange();
            }

            fn clock(engine: &mut Engine<Self>) {
                engine.clock();
            }

            fn rerun(machine: &mut Worms<Self>, hosts: &mut Hosts<Self>, rerun: &mut Rerun<'_>) {
                hosts.rerun(machine, rerun);
            }

            fn subject<'a>(observed: &'a Observed<'_, Self>) -> &'a dyn Subject {
                observed
            }

            fn draw(drawing: &mut Drawing, engine: &Engine<Self>) {
                drawing.look(engine);
            }

            fn registers(machine: &mut Worms<Self>) -> Vec<Self> {
                deadlock::registers(machine)
            }

            fn waits_for(machine: &Worms<Self>, place: ChannelId) -> Vec<ChannelId> {
                deadlock::waits_for(machine, place)
            }

            fn wait_for_cycles(machine: &Worms<Self>, hosts: &Hosts<Self>) -> Vec<Vec<ChannelId>> {
                deadlock::wait_for_cycles(machine, |group, place| hosts.node_at(group, place))
            }
        }
    )+ };
}
// Single nodes are for tests.
compiled_for!(bool, u64, Words<4>, Words<8>);
