//! A machine of wormhole routers. It has no sequencer: worms set their own pace, and the host talks over wires.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::bit::{Bit, Strobe};
use crate::error::Error;
use crate::register::{Name, Registers, Visitor};
use crate::router::{Machine, Sequencer};
use crate::strobes::{Label, LineVisitor, Strobes};
use crate::wormhole::network::{Network, Parameters, Wiring};
use crate::wormhole::node::WormholeNode;
use crate::wormhole::plan::Plan;

/// What is broadcast: nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silence;

impl<S: Strobe> Strobes<S> for Silence {
    fn idle() -> Self {
        Silence
    }

    fn visit_mut(&mut self, _label: Label<'_>, _visitor: &mut LineVisitor<'_, S>) {}
}

/// The sequencer that there is not: it has no registers, and is never done.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSequencer<S>(PhantomData<S>);

impl<S: Strobe> Registers<S> for NoSequencer<S> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<S>) {
        visitor.enter(name, "NoSequencer");
        visitor.leave();
    }

    fn visit_mut(&mut self, _visitor: &mut dyn FnMut(&mut S)) {}
}

impl<S: Strobe> Sequencer<S> for NoSequencer<S> {
    type Broadcast = Silence;

    fn broadcast(&self, _silence: &mut Silence) {}

    fn clock(&mut self) {}

    fn is_done(&self) -> S {
        S::ZERO
    }
}

/// The machine.
#[derive(Clone, Debug)]
pub struct WormholeMachine {
    wiring: Wiring,
    plan: Arc<Plan>,
    parameters: Parameters,
}

impl WormholeMachine {
    /// Of a network.
    ///
    /// # Errors
    /// [`Error::VirtualChannels`], [`Error::BufferBits`] out of range.
    pub fn new(network: Network, parameters: Parameters) -> Result<Self, Error> {
        let plan = Arc::new(network.plan(parameters)?);
        Ok(WormholeMachine {
            wiring: Wiring::new(network, Arc::clone(&plan)),
            plan,
            parameters,
        })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.wiring.network()
    }

    /// The network and its wires, without a copy.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// What its nodes are built from.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How they are built.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }
}

impl Machine for WormholeMachine {
    type Topology = Wiring;
    type Broadcast<S: Strobe> = Silence;
    type Node<B: Bit> = WormholeNode<B>;
    type Sequencer<S: Strobe> = NoSequencer<S>;

    fn topology(&self) -> Wiring {
        self.wiring.clone()
    }

    fn node<B: Bit>(&self) -> WormholeNode<B> {
        WormholeNode::new(&self.plan)
    }

    fn sequencer<S: Strobe>(&self) -> NoSequencer<S> {
        NoSequencer(PhantomData)
    }
}
