//! What a run as a program is going to do, known before it without any node: which bit times parts of a machine go through
//! together, how large these parts are, and what an operation costs them in fetches. The order is that of
//! `machine/fabric/advance.rs`, which does it.
//!
//! Halves of a machine do the same in the same bit times, so one path from the whole to the smallest part tells all.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::language::lanes::Lanes;
use crate::machine::fabric::{Blocking, Fabric};
use crate::machine::program::{Code, Pass, Program, Touched};
use crate::machine::router::Router;
use crate::machine::share::Share;
use crate::machine::topology::Topology;

/// Bit times that parts of one size go through, each of them together and apart from the others. Operations and planes are of
/// every part, and so of every node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Bytes of registers and wires of such a part.
    pub bytes: u64,
    /// How many bit times these are.
    pub bit_times: u64,
    /// Operations on a plane of the part, measuring included.
    pub operations: u64,
    /// Planes that pass between memory and a cache which keeps nothing from one bit time to the next.
    pub touched: Touched,
}

/// What a run of a share is going to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreseen {
    /// Bit times until the last step is over.
    pub bit_times: u64,
    /// Words of 64 bits that the rank sends to others.
    pub words_to_ranks: u64,
    /// How often it exchanges words with another.
    pub exchanges: u64,
    /// The parts, the smallest first.
    pub parts: Vec<Part>,
}

impl<R: Router, B: Lanes> Fabric<R, B> {
    /// What a run of a share on so many threads is going to do, measuring; nothing where [no program can be
    /// made](Program::can_be_made). The program is made and kept for the next run of an equal router.
    pub fn foreseen(router: &R, share: Share, threads: usize) -> Option<Foreseen> {
        if !Program::can_be_made(router) {
            return None;
        }
        let groups = share.groups(router.topology().groups::<B>(1)).len();
        let program = Program::last_or_made::<B>(router, (groups, share), true);
        Some(Ahead::new(program.code(), Blocking::default()).foreseen(threads.max(1)))
    }
}

/// Goes through a program as a run would.
struct Ahead<'a> {
    code: &'a Code,
    blocking: Blocking,
    passes: Vec<Pass>,
    /// By the tiles of a part.
    parts: BTreeMap<usize, Part>,
    exchanges: u64,
}

impl<'a> Ahead<'a> {
    fn new(code: &'a Code, blocking: Blocking) -> Self {
        Ahead {
            code,
            blocking,
            passes: code.passes(),
            parts: BTreeMap::new(),
            exchanges: 0,
        }
    }

    fn foreseen(mut self, threads: usize) -> Foreseen {
        let code = self.code;
        let (tiles, all) = (code.layout().tiles(), 0..code.length());
        match code.roads().is_shared() {
            true => self.among_ranks(tiles, all, threads),
            false => self.run(tiles, all, threads),
        }
        Foreseen {
            bit_times: code.length() as u64,
            words_to_ranks: code.words_to_ranks(0..code.length()),
            exchanges: self.exchanges,
            parts: self.parts.into_values().collect(),
        }
    }

    /// Bytes of a tile and its wires.
    fn bytes(&self) -> usize {
        let planes = self.code.registers() + 2 * self.code.links();
        planes * self.code.layout().shape.words() * size_of::<u64>()
    }

    fn among_ranks(&mut self, tiles: usize, bit_times: Range<usize>, threads: usize) {
        let links = self.code.roads().to_ranks();
        let mut start = bit_times.start;
        while start < bit_times.end {
            let left = start..bit_times.end;
            let (idle_until, busy_until) = self.code.idle_then_busy(links, left, 1);
            if idle_until > start {
                self.run(tiles, start..idle_until, threads);
            }
            self.together(tiles, idle_until..busy_until);
            if busy_until > idle_until {
                let (exchanges, operations) = self.code.exchanges(idle_until..busy_until);
                self.exchanges += exchanges;
                self.parts.entry(tiles).or_default().operations += operations;
            }
            start = busy_until;
        }
    }

    fn run(&mut self, tiles: usize, bit_times: Range<usize>, threads: usize) {
        let is_small = threads == 1 && tiles * self.bytes() <= self.blocking.cache;
        let roads = self.code.roads();
        let of_machine = roads.tiles_of_machine();
        let Some(of_machine) = of_machine.filter(|_| tiles > 1 && !is_small) else {
            return self.together(tiles, bit_times);
        };
        let links = roads.join_halves((of_machine / tiles).ilog2() as usize);
        let mut start = bit_times.start;
        while start < bit_times.end {
            let left = start..bit_times.end;
            let (idle_until, busy_until) =
                (self.code).idle_then_busy(links, left, self.blocking.shortest_pause);
            if idle_until > start {
                self.run(tiles / 2, start..idle_until, threads - threads / 2);
            }
            self.together(tiles, idle_until..busy_until);
            start = busy_until;
        }
    }

    fn together(&mut self, tiles: usize, bit_times: Range<usize>) {
        if bit_times.is_empty() {
            return;
        }
        let bytes = (tiles * self.bytes()) as u64;
        let part = self.parts.entry(tiles).or_default();
        part.bytes = bytes;
        part.bit_times += bit_times.len() as u64;
        for pass in &self.passes[bit_times] {
            part.operations += pass.operations;
            part.touched = part.touched + pass.touched;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::Words;
    use crate::machine::router::Machine;
    use crate::machine::topology::hypercube::{Dimensions, MAX_DIMENSIONS};
    use crate::routers::kuszmaul::plain::Plain;
    use crate::routers::permutation::PermutationRouter;

    type Fabric8 = Fabric<PermutationRouter<Plain>, Words<8>>;

    fn router(dims: usize) -> PermutationRouter<Plain> {
        PermutationRouter::new(Dimensions::new(dims).unwrap(), 8).unwrap()
    }

    #[test]
    fn every_bit_time_is_foreseen_once() {
        are_foreseen_once(&[10, 14]);
    }

    #[test]
    #[ignore = "long: machines of any size"]
    fn every_bit_time_is_foreseen_once_whatever_the_size() {
        are_foreseen_once(&[18, 22, MAX_DIMENSIONS]);
    }

    fn are_foreseen_once(dims: &[usize]) {
        for &dims in dims {
            let router = router(dims);
            for threads in [1, 2, 3] {
                for ranks in [1, 2, 8] {
                    let share = Share::new(ranks - 1, ranks).unwrap();
                    let foreseen = Fabric8::foreseen(&router, share, threads).unwrap();
                    let bit_times: u64 = foreseen.parts.iter().map(|part| part.bit_times).sum();
                    assert_eq!(bit_times, router.bit_times().value);
                    assert_eq!(foreseen.bit_times, bit_times);
                    let parts = foreseen.parts.windows(2);
                    assert!(parts.into_iter().all(|two| two[0].bytes < two[1].bytes));
                }
            }
        }
    }

    /// What each node does is the same in parts of any size.
    #[test]
    fn operations_do_not_depend_on_threads() {
        let router = router(20);
        let sums = |threads| {
            let foreseen = Fabric8::foreseen(&router, Share::WHOLE, threads).unwrap();
            let parts = foreseen.parts.iter();
            parts.map(|part| part.operations).sum::<u64>()
        };
        assert_eq!([1, 2, 4].map(sums), [sums(1); 3]);
    }

    /// What is worked out ahead is done beside all else.
    #[test]
    fn operations_are_those_of_bit_times_and_streams() {
        let router = router(14);
        let share = Share::new(0, 4).unwrap();
        let groups = share.groups(router.topology().groups::<Words<8>>(1)).len();
        let program = Program::last_or_made::<Words<8>>(&router, (groups, share), true);
        let passes: u64 = (program.code().passes().iter())
            .map(|pass| pass.operations)
            .sum();
        let foreseen = Fabric8::foreseen(&router, share, 1).unwrap();
        let all: u64 = foreseen.parts.iter().map(|part| part.operations).sum();
        let (_, ahead) = program.code().exchanges(0..program.length());
        assert!(ahead > 0);
        assert_eq!(all, passes + ahead);
    }

    #[test]
    fn what_ranks_send_is_the_closed_form_up_to_the_largest_cube() {
        for (dims, ranks) in [(12, 2), (12, 8), (20, 4), (MAX_DIMENSIONS, 8)] {
            let router = router(dims);
            let share = Share::new(0, ranks).unwrap();
            let foreseen = Fabric8::foreseen(&router, share, 1).unwrap();
            let forms = (0..share.log2_ranks()).map(|dimension| {
                let form = router.driven_bit_times(dimension);
                form.unwrap().value
            });
            let driven: u64 = forms.sum();
            // One message for each bit time, unless planes are short.
            match dims {
                MAX_DIMENSIONS => assert_eq!(foreseen.exchanges, driven),
                _ => assert!(foreseen.exchanges < driven),
            }
            let nodes = (1u64 << dims) / ranks as u64;
            assert_eq!(64 * foreseen.words_to_ranks, nodes * driven);
        }
    }
}
