//! What tells a router from others that are described alike: a sum over all that its nodes do, bit time by bit time.

use crc::{CRC_64_XZ, Crc, Digest, Table};
use rustc_hash::FxHashMap;

use crate::circuit::expression::{Expression, Gate};
use crate::language::bit::Bit;
use crate::machine::described::Description;
use crate::machine::program::logic::{Logic, Schedulable};
use crate::machine::program::meters::Flags;
use crate::machine::program::repeated::Repeated;
use crate::machine::program::{Held, Program};
use crate::machine::router::{Blocks, Heard, Router};

static CRC: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

impl<R: Router> Program<R> {
    /// The CRC-64 of the logic of all bit times: what each sends, what its clock edge leaves in the registers, what is measured
    /// before it, and where the schedule stands. It depends neither on memory, threads or ranks nor on the processor. No node is
    /// made; it takes as long as making a program.
    pub fn fingerprint(router: &R) -> u64 {
        sum(&mut Description::of(router))
    }
}

/// The sum over all bit times of a description. Where nodes hear the same again, that is all that is added.
fn sum(described: &mut dyn Schedulable) -> u64 {
    // Which register is in which slot makes no difference to the logic; which is known does.
    let mut held = Vec::new();
    described.registers(None, &mut |_| held.push(Held::In(0)));
    let mut repeated = Repeated::of(described, &held);
    let mut known: FxHashMap<(Vec<u64>, Vec<Held>), Vec<Held>> = FxHashMap::default();
    let mut sum = Sum(CRC.digest());
    let mut before = None;
    loop {
        repeated.hear(described);
        let position = described.position();
        sum.numbers(&[position.step, position.iteration]);
        let registers = repeated.registers(held.len());
        let now = registers.iter().map(|&register| held[register as usize]);
        let now: Vec<Held> = now.collect();
        let key = repeated.heard().map(|heard| {
            sum.heard(heard);
            (heard.words.clone(), now.clone())
        });
        let earlier = key.as_ref().and_then(|key| known.get(key));
        if let Some(after) = earlier.filter(|_| !described.is_done()) {
            take(&mut held, &registers, after);
            before = Some(position);
            described.clock_sequencer();
            continue;
        }
        let logic = Logic::of(described, (&now, repeated.touched()), Some(before));
        sum.logic(&logic);
        if described.is_done() || logic.conflict.is_some() {
            return sum.0.finalize();
        }
        let after = logic.after[..registers.len()].iter();
        let after = after.map(|after| match *after {
            Expression::ZERO => Held::Known(false),
            Expression::ONE => Held::Known(true),
            _ => Held::In(0),
        });
        let after: Vec<Held> = after.collect();
        take(&mut held, &registers, &after);
        known.extend(key.map(|key| (key, after)));
        before = Some(position);
        described.clock_sequencer();
    }
}

/// After a bit time these registers are so.
fn take(held: &mut [Held], registers: &[u32], after: &[Held]) {
    for (&register, &after) in registers.iter().zip(after) {
        held[register as usize] = after;
    }
}

/// A CRC-64 of numbers, the lowest byte of each first.
struct Sum<'a>(Digest<'a, u64, Table<16>>);

impl Sum<'_> {
    fn numbers(&mut self, numbers: &[u32]) {
        for number in numbers {
            self.0.update(&number.to_le_bytes());
        }
    }

    fn heard(&mut self, heard: &Heard) {
        let Heard {
            words,
            addresses,
            blocks,
        } = heard;
        let halves = words
            .iter()
            .flat_map(|&word| [word as u32, (word >> 32) as u32]);
        self.list(halves);
        self.list(addresses.iter().map(|&address| address as u32));
        if let Some(Blocks {
            from,
            to,
            bits,
            count,
        }) = *blocks
        {
            self.numbers(&[from, to, bits, count].map(|number| number as u32));
        }
    }

    fn logic(&mut self, logic: &Logic) {
        let gates = logic.graph.gates();
        self.numbers(&[gates.len() as u32]);
        gates.iter().for_each(|gate| self.gate(gate));
        let sent = logic.sent.iter();
        self.list(sent.flat_map(|(link, bit)| [*link as u32, bit.number()]));
        self.list(logic.after.iter().map(|bit| bit.number()));
        self.numbers(&[logic.driven as u32, logic.clash.number()]);
        for Flags { flags, .. } in [&logic.bits, &logic.messages] {
            self.list(flags.iter().flat_map(|(flag, bits)| [flag.number(), *bits]));
        }
    }

    /// Numbers, with how many they are.
    fn list(&mut self, numbers: impl Iterator<Item = u32>) {
        let numbers: Vec<u32> = numbers.collect();
        self.numbers(&[numbers.len() as u32]);
        self.numbers(&numbers);
    }

    fn gate(&mut self, gate: &Gate) {
        match *gate {
            Gate::Constant(value) => self.numbers(&[0, u32::from(value)]),
            Gate::Variable(number) => self.numbers(&[1, number]),
            Gate::Not(a) => self.numbers(&[2, a.number()]),
            Gate::And(a, b) => self.numbers(&[3, a.number(), b.number()]),
            Gate::Or(a, b) => self.numbers(&[4, a.number(), b.number()]),
            Gate::Xor(a, b) => self.numbers(&[5, a.number(), b.number()]),
            Gate::Mux(select, one, zero) => {
                self.numbers(&[6, select.number(), one.number(), zero.number()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::collectives::CollectiveMachine;
    use crate::routers::collectives::algorithms::{Ask, Operation, OperationPlan, algorithm};
    use crate::routers::collectives::program::Reorder;
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

    fn planned(operation: Operation, name: &str) -> OperationPlan {
        let ask = Ask {
            start_up: 1,
            permutation: Some((0..8).rev().collect()),
            ..Ask::of(Dimensions::new(3).unwrap(), 4)
        };
        algorithm(operation, name).unwrap().plan(&ask).unwrap()
    }

    fn of_plan(plan: &OperationPlan) -> u64 {
        Program::fingerprint(&CollectiveMachine::new(Arc::new(plan.clone())).unwrap())
    }

    /// What is at other addresses is another program, though its logic is the same.
    #[test]
    fn addresses_are_part_of_it() {
        let mut plan = planned(Operation::AllGather, "complete-broadcast");
        let before = of_plan(&plan);
        assert_eq!(of_plan(&plan), before);
        let transfer = plan.program.transfers.last_mut().unwrap();
        let lines = &mut transfer.sends.lines;
        assert_ne!(lines[0].address, lines[1].address);
        (lines[0].address, lines[1].address) = (lines[1].address, lines[0].address);
        assert_ne!(of_plan(&plan), before);
    }

    /// So are blocks that change places: where they lie, where they go, and when.
    #[test]
    fn blocks_are_part_of_it() {
        let plan = planned(Operation::PermutedSend, "permuted-send");
        let after = |change: fn(&mut Reorder)| {
            let mut plan = plan.clone();
            change(plan.program.reorder.as_mut().unwrap());
            of_plan(&plan)
        };
        let before = after(|_| ());
        assert_eq!(before, of_plan(&plan));
        for changed in [
            after(|reorder| reorder.to += 1),
            after(|reorder| reorder.from += 1),
            after(|reorder| reorder.block_bits -= 1),
            after(|reorder| reorder.bit_time += 1),
        ] {
            assert_ne!(changed, before);
        }
    }

    /// It stands in files that other computers read, which may have been compiled by another compiler.
    #[test]
    fn it_is_the_same_on_all_computers() {
        assert_eq!(format!("{:016x}", of::<Plain>(3, 2)), "3d9e718f9eb75319");
    }
}
