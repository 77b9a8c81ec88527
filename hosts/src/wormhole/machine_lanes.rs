//! Where a machine of worms and its hosts are compiled: here, for each width of lanes, whatever their users are compiled for.

use rtl_model::error::Error;
use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::simulation::Simulation;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::ChannelId;

use crate::wormhole::deadlock;
use crate::wormhole::hosts::{Hosts, Rerun};

/// A machine of worms.
type Worms<B> = Fabric<WormholeMachine, B>;

/// Lanes of which there are machines of worms.
pub trait MachineLanes: Lanes {
    /// An idle machine, or several side by side.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`].
    fn machine(machine: WormholeMachine, machines: usize) -> Result<Worms<Self>, Error>;

    /// It as any machine.
    fn simulation(machine: &Worms<Self>) -> &dyn Simulation;

    /// The same, to be changed.
    fn simulation_mut(machine: &mut Worms<Self>) -> &mut dyn Simulation;

    /// One bit time of a machine and its hosts alone.
    fn rerun(machine: &mut Worms<Self>, hosts: &mut Hosts<Self>, rerun: &mut Rerun<'_>);

    /// Every register of every node.
    fn registers(machine: &mut Worms<Self>) -> Vec<Self>;

    /// As [`deadlock::waits_for`].
    fn waits_for(machine: &Worms<Self>, place: ChannelId) -> Vec<ChannelId>;

    /// As [`deadlock::wait_for_cycles`].
    fn wait_for_cycles(machine: &Worms<Self>, hosts: &Hosts<Self>) -> Vec<Vec<ChannelId>>;
}

/// Has `$compiled` done for all lanes in which worms go. Single nodes are for tests.
macro_rules! for_lanes_of_worms {
    ($compiled:ident) => {
        $compiled!(
            bool,
            u64,
            rtl_model::language::lanes::Words<4>,
            rtl_model::language::lanes::Words<8>
        );
    };
}

pub(super) use for_lanes_of_worms;

macro_rules! compiled_for {
    ($($lanes:ty),+) => { $(
        impl MachineLanes for $lanes {
            fn machine(machine: WormholeMachine, machines: usize) -> Result<Worms<Self>, Error> {
                let mut machine = machine.fabric(machines)?;
                machine.make_routine_when_it_pays(Instructions::widest());
                Ok(machine)
            }

            fn simulation(machine: &Worms<Self>) -> &dyn Simulation {
                machine
            }

            fn simulation_mut(machine: &mut Worms<Self>) -> &mut dyn Simulation {
                machine
            }

            fn rerun(machine: &mut Worms<Self>, hosts: &mut Hosts<Self>, rerun: &mut Rerun<'_>) {
                hosts.rerun(machine, rerun);
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

for_lanes_of_worms!(compiled_for);
