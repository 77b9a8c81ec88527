//! In place of a sequencer: nothing is broadcast, and nobody broadcasts it.

use std::marker::PhantomData;

use crate::language::bit::Strobe;
use crate::language::register::{Name, Registers, Visitor};
use crate::language::strobes::{Label, LineVisitor, Strobes};
use crate::machine::router::Sequencer;

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
#[derive(Clone, Copy, Debug)]
pub struct NoSequencer<S>(PhantomData<S>);

impl<S> Default for NoSequencer<S> {
    fn default() -> Self {
        NoSequencer(PhantomData)
    }
}

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
