//! How many bits a node holds of what it is to send on: counted for measurement alone, and no hardware.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::parts::counter::Number;
use crate::routers::collectives::seen::PerPort;

/// The most bits of the count.
const MOST_BITS: usize = 32;

/// The count.
#[derive(Clone, Debug)]
pub(super) struct Held<B> {
    /// Once the bit time is over.
    now: ArrayVec<B, MOST_BITS>,
    /// While it lasted, before what was sent on had gone.
    during: ArrayVec<B, MOST_BITS>,
}

impl<B: Bit> Held<B> {
    /// Nothing, in so many bits.
    pub fn new(bits: usize) -> Self {
        let zeros = || (0..bits.min(MOST_BITS)).map(|_| B::ZERO).collect();
        Held {
            now: zeros(),
            during: zeros(),
        }
    }

    /// The bits of the count, as they were in the bit time that is over.
    pub fn during(&self) -> &[B] {
        &self.during
    }

    /// More by the amount that the lines spell, for each of the ports that is 1.
    pub fn add(&mut self, ports: &[B], amount: &Lines<B::Strobe>) {
        for (place, times) in multiples(ports, amount) {
            let mut carry = B::ZERO;
            for (number, bit) in self.now.iter_mut().skip(place).enumerate() {
                let (was, half) = (*bit, *bit ^ times.bit(number));
                *bit = half ^ carry;
                carry = half.mux(carry, was);
            }
        }
    }

    /// It is what has been added by now.
    pub fn note(&mut self) {
        self.during.copy_from_slice(&self.now);
    }

    /// Less by that amount, for each of the ports that is 1.
    pub fn take(&mut self, ports: &[B], amount: &Lines<B::Strobe>) {
        for (place, times) in multiples(ports, amount) {
            let mut borrow = B::ZERO;
            for (number, bit) in self.now.iter_mut().skip(place).enumerate() {
                let (less, half) = (times.bit(number), *bit ^ times.bit(number));
                *bit = half ^ borrow;
                borrow = half.mux(less, borrow);
            }
        }
    }

    /// Hands out the bits, for whoever copies a node.
    pub fn visit(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.now
            .iter_mut()
            .chain(&mut self.during)
            .for_each(visitor);
    }
}

/// How many of the ports are 1, for each line of an amount that may be 1, with the line's place, from which on it is to be added: it is
/// worked out once for all of them, and they add up to the product.
fn multiples<B: Bit>(
    ports: &[B],
    amount: &Lines<B::Strobe>,
) -> impl Iterator<Item = (usize, Number<B>)> {
    let busy: PerPort<B> = (ports.iter().copied())
        .filter(|port| !port.is_known_zero())
        .collect();
    let ones = (!busy.is_empty()).then(|| Number::ones(&busy));
    let lines = amount.iter();
    lines.filter_map(move |(place, line)| {
        let ones = ones?;
        let bits = (0..ones.width()).map(|bit| B::gated(line, || ones.bit(bit)));
        Some((place, Number::of_bits(bits)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::strobes::Strobes;

    /// More and less by up to seven times an amount, of which each line is 1 once; what is between is noted.
    #[test]
    fn it_is_as_much_as_has_been_added_and_not_taken() {
        const BITS: usize = 9;
        let number = |bits: &[bool]| {
            let bits = bits.iter().rev();
            bits.fold(0, |number, bit| 2 * number + usize::from(*bit))
        };
        let mut held = Held::<bool>::new(BITS);
        let mut due = 0;
        for round in 0..500 {
            let amount = round * 7 % 64;
            let mut lines = Lines::idle();
            lines.drive(true, 0..6, |line| amount >> line & 1 == 1);
            let [more, less] = [round * 5, round * 3].map(|ports| {
                let ports: Vec<bool> = (0..7).map(|port| ports >> port & 1 == 1).collect();
                let times = ports.iter().filter(|port| **port).count();
                (ports, times * amount)
            });
            held.add(&more.0, &lines);
            held.note();
            due = (due + more.1) % (1 << BITS);
            assert_eq!(number(held.during()), due);
            held.take(&less.0, &lines);
            due = (due + (7 << BITS) - less.1) % (1 << BITS);
            assert_eq!(number(&held.now), due);
        }
    }
}
