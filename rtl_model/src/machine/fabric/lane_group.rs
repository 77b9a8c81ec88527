//! A lane group behind an object: its registers and its port to the host, whatever its router. What goes through all groups is then
//! compiled once for each width of lanes, and not once more for each router.

use std::borrow::{Borrow, BorrowMut};
use std::ops::Range;

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::machine::field::Field;
use crate::machine::memories::{Memories, MemoriesMut};
use crate::machine::router::{Machine, memory_registers};

/// A lane group that is read.
pub trait LaneGroup<B: Lanes> {
    /// Its registers, but for a [memory](LaneGroup::memory) that lies apart.
    fn registers(&self) -> &dyn Registers<B>;

    /// What the host reads: see [`Machine::host_reads`].
    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B));

    /// The memories of its nodes, where they lie apart from the other registers and are not among what the host reads of these.
    fn memory(&self) -> Option<&dyn Memories> {
        None
    }
}

/// A lane group that is written.
pub trait LaneGroupMut<B: Lanes>: LaneGroup<B> {
    /// Its registers, but for a [memory](LaneGroupMut::memory_mut) that lies apart.
    fn registers_mut(&mut self) -> &mut dyn Registers<B>;

    /// What the host writes: see [`Machine::host_writes`].
    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B));

    /// The memories of its nodes, where they lie apart from the other registers and are not among what the host writes of these.
    fn memory_mut(&mut self) -> Option<&mut dyn MemoriesMut> {
        None
    }

    /// Takes the [memory](Machine::memory) out of its nodes. Gives which of their registers that was, by number.
    fn part_with_memory(&mut self) -> Range<usize>;
}

/// Reads a lane group, by its number.
pub type Read<'a, B> = dyn FnMut(usize, &dyn LaneGroup<B>) -> Result<(), Error> + 'a;

/// Writes a lane group, by its number.
pub type Write<'a, B> = dyn FnMut(usize, &mut dyn LaneGroupMut<B>) -> Result<(), Error> + 'a;

/// Makes a lane group whose registers hold what they begin with.
pub(super) type Make<'a, B> = dyn Fn() -> Box<dyn LaneGroupMut<B> + 'a> + 'a;

/// The same, on several threads.
pub(super) type MakeOnThreads<'a, B> = dyn Fn() -> Box<dyn LaneGroupMut<B> + 'a> + Sync + 'a;

/// A lane group of a router: its nodes, owned or borrowed.
pub(crate) struct GroupOf<'a, R, N> {
    pub router: &'a R,
    pub node: N,
}

impl<R: Machine, B: Lanes, N: Borrow<R::Node<B>>> LaneGroup<B> for GroupOf<'_, R, N> {
    fn registers(&self) -> &dyn Registers<B> {
        self.node.borrow()
    }

    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        self.router.host_reads(self.node.borrow(), port);
    }
}

impl<R: Machine, B: Lanes, N: BorrowMut<R::Node<B>>> LaneGroupMut<B> for GroupOf<'_, R, N> {
    fn registers_mut(&mut self) -> &mut dyn Registers<B> {
        self.node.borrow_mut()
    }

    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        self.router.host_writes(self.node.borrow_mut(), port);
    }

    fn part_with_memory(&mut self) -> Range<usize> {
        let node = self.node.borrow_mut();
        let registers = memory_registers(self.router, node);
        if let Some(memory) = self.router.memory(node) {
            *memory = Box::default();
        }
        registers
    }
}
