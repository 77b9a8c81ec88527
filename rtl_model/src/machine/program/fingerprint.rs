//! What tells a router from others that are described alike: a sum over all that its nodes do, bit time by bit time.

use std::hash::{Hash, Hasher};

use crc::{CRC_64_XZ, Crc, Digest, Table};

use crate::circuit::expression::Expression;
use crate::language::bit::Bit;
use crate::language::register::Registers;
use crate::machine::program::logic::Logic;
use crate::machine::program::scheduled::Scheduled;
use crate::machine::program::{Held, Program};
use crate::machine::router::{Router, Sequencer};

static CRC: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

/// A CRC-64 of what is hashed.
struct Sum<'a>(Digest<'a, u64, Table<16>>);

impl Hasher for Sum<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        self.0.clone().finalize()
    }
}

impl<R: Router> Program<R> {
    /// The CRC-64 of the logic of all bit times: what each sends and what its clock edge leaves in the registers, and where the
    /// schedule stands. It does not depend on memory, threads or ranks. No node is made; it takes as long as making a program.
    pub fn fingerprint(router: &R) -> u64 {
        let mut node = router.node::<Scheduled>();
        // Which register is in which slot makes no difference to the logic; which is known does.
        let mut held = Vec::new();
        node.visit_mut(&mut |_| held.push(Held::In(0)));
        node.visit_witnesses(&mut |_| held.push(Held::In(0)));
        let mut sequencer = router.sequencer::<bool>();
        let mut sum = Sum(CRC.digest());
        loop {
            let logic = Logic::of(router, &sequencer, &mut node, &held, None);
            let position = router.position(&sequencer);
            (position.step, position.iteration).hash(&mut sum);
            logic.graph.gates().hash(&mut sum);
            logic.sent.hash(&mut sum);
            logic.after.hash(&mut sum);
            if sequencer.is_done() || logic.conflict.is_some() {
                return sum.finish();
            }
            for (held, after) in held.iter_mut().zip(&logic.after) {
                *held = match *after {
                    Expression::ZERO => Held::Known(false),
                    Expression::ONE => Held::Known(true),
                    _ => Held::In(0),
                };
            }
            sequencer.clock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::overlapped::Overlapped;
    use crate::routers::kuszmaul::plain::Plain;
    use crate::routers::permutation::{PermutationRouter, Schedule};

    fn of<S: Schedule>(dims: usize, payload_bits: usize) -> u64 {
        let cube = Dimensions::new(dims).unwrap();
        Program::fingerprint(&PermutationRouter::<S>::new(cube, payload_bits).unwrap())
    }

    #[test]
    fn equal_routers_have_one_fingerprint_and_others_have_others() {
        let mut all = Vec::new();
        for dims in 1..=6 {
            for payload_bits in 1..=4 {
                all.push(of::<Plain>(dims, payload_bits));
                all.push(of::<Overlapped>(dims, payload_bits));
                assert_eq!(of::<Plain>(dims, payload_bits), all[all.len() - 2]);
            }
        }
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number);
    }
}
