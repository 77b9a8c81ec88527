//! A router, whatever it is, as a device behind an object.

use std::any::Any;

use crate::circuit::depth::LogicDepth;
use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::properties::Stated;
use crate::circuit::verilog::{Design, properties};
use crate::closed_form::ClosedForm;
use crate::error::Error;
#[cfg(not(test))]
use crate::language::lanes::Words;
use crate::machine::device::Device;
use crate::machine::fabric::{Fabric, Foreseen};
use crate::machine::meter::Storage;
use crate::machine::program::Program;
use crate::machine::router::{BufferBounds, Position, Router, Steps};
use crate::machine::share::{Rank, Share};
use crate::machine::shown::Shown;
use crate::machine::simulation::Lockstep;
use crate::machine::topology::Topology;

/// Lanes for so many nodes.
enum Width {
    /// Up to 256: programs lay out words by themselves, and a third width would be compiled for each router.
    Word,
    /// More: a cache line for each register.
    EightWords,
}

/// Unit tests of this crate build machines in single words alone: to compile each machine once more for them would take longer than
/// all of them run. What eight words do is asked of the crate as it is, by `tests/hardware` and whatever is above.
#[cfg(not(test))]
type EightWords = Words<8>;
#[cfg(test)]
type EightWords = u64;

impl<R: Router> Device for R {
    fn topology(&self) -> Box<dyn Topology> {
        Box::new(R::topology(self))
    }

    fn build(&self, machines: usize) -> Result<Box<dyn Lockstep>, Error> {
        Ok(match width(machines * R::topology(self).nodes()) {
            Width::Word => Box::new(Fabric::<R, u64>::new(self.clone(), machines)?),
            Width::EightWords => Box::new(Fabric::<R, EightWords>::new(self.clone(), machines)?),
        })
    }

    fn build_share(&self, rank: Rank) -> Result<Box<dyn Lockstep>, Error> {
        Ok(
            match width_of_share(rank.share().nodes(R::topology(self).nodes())) {
                Width::Word => Box::new(Fabric::<R, u64>::of_rank(self.clone(), rank)?),
                Width::EightWords => {
                    Box::new(Fabric::<R, EightWords>::of_rank(self.clone(), rank)?)
                }
            },
        )
    }

    fn check_share(&self, share: Share) -> Result<(), Error> {
        share.check(&R::topology(self))
    }

    fn bytes_of_share(&self, share: Share) -> u64 {
        match width_of_share(share.nodes(R::topology(self).nodes())) {
            Width::Word => Fabric::<R, u64>::bytes_of_share(self, 1, share),
            Width::EightWords => Fabric::<R, EightWords>::bytes_of_share(self, 1, share),
        }
    }

    fn bytes(&self, machines: usize) -> u64 {
        match width(machines * R::topology(self).nodes()) {
            Width::Word => Fabric::<R, u64>::bytes(self, machines),
            Width::EightWords => Fabric::<R, EightWords>::bytes(self, machines),
        }
    }

    fn has_program(&self) -> bool {
        Program::can_be_made(self)
    }

    fn fingerprint(&self) -> u64 {
        Program::fingerprint(self)
    }

    fn foreseen(&self, share: Share, threads: usize) -> Option<Foreseen> {
        let nodes = R::topology(self).nodes();
        let width = match share.ranks() {
            1 => width(nodes),
            _ => width_of_share(share.nodes(nodes)),
        };
        match width {
            Width::Word => Fabric::<R, u64>::foreseen(self, share, threads),
            Width::EightWords => Fabric::<R, EightWords>::foreseen(self, share, threads),
        }
    }

    fn steps(&self) -> Steps {
        Steps {
            names: R::STEPS,
            overlap: R::STEPS_OVERLAP,
            units: R::UNITS,
            first_screen: R::first_screen(self),
            differ: R::ITERATIONS_DIFFER,
        }
    }

    fn shown(&self) -> Shown {
        R::shown(self)
    }

    fn bit_times(&self) -> ClosedForm {
        R::bit_times(self)
    }

    fn driven_bit_times(&self, dimension: usize) -> Option<ClosedForm> {
        R::driven_bit_times(self, dimension)
    }

    fn storage_bits(&self) -> ClosedForm {
        R::storage_bits(self)
    }

    fn buffer_bounds(&self) -> Option<BufferBounds> {
        R::buffer_bounds(self)
    }

    fn live_bits_per_message(&self, after: Option<Position>) -> Option<u32> {
        R::live_bits_per_message(self, after)
    }

    fn live_bits_of_slot(&self, after: Option<Position>, slot: usize) -> Option<u32> {
        R::live_bits_of_slot(self, after, slot)
    }

    fn storage(&self) -> Storage {
        Storage::of(&self.node::<bool>())
    }

    fn sequencer_storage(&self) -> Storage {
        Storage::of(&self.sequencer::<bool>())
    }

    fn logic_depth(&self) -> Result<LogicDepth, Error> {
        LogicDepth::of(self)
    }

    fn netlist(&self) -> Netlist {
        Netlist::of(self)
    }

    fn design(&self, title: &str) -> Design {
        Design::of(self, title)
    }

    fn properties(&self, title: &str) -> Option<String> {
        properties::of(self, title)
    }

    fn properties_of(&self, stated: &Stated, title: &str) -> Option<String> {
        properties::stated(self, stated, title)
    }

    fn is_like(&self, other: &dyn Device) -> bool {
        other.as_any().downcast_ref::<R>() == Some(self)
    }

    fn another(&self) -> Box<dyn Device> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn width(nodes: usize) -> Width {
    match nodes {
        ..=256 => Width::Word,
        _ => Width::EightWords,
    }
}

/// Lane groups of a share are full.
fn width_of_share(nodes: usize) -> Width {
    match nodes {
        ..512 => Width::Word,
        _ => Width::EightWords,
    }
}
