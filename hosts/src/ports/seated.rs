//! Where nodes lie in the words of 64 nodes that hosts and monitor read at once.

use rtl_model::machine::host::Seats;
use rtl_model::machine::simulation::Lockstep;

/// The nodes of a word.
#[derive(Clone, Debug)]
pub struct Seated {
    /// By place.
    pub seats: Seats,
    /// The places at which there is one.
    there: u64,
}

impl Seated {
    /// Of each word of a machine.
    pub fn of(machine: &dyn Lockstep) -> Vec<Self> {
        let nodes = machine.nodes();
        (0..machine.words())
            .map(|word| {
                let seats = machine.seats(word);
                let places = seats.iter().enumerate();
                let there = places.fold(0, |there, (place, &node)| {
                    there | u64::from(node < nodes) << place
                });
                Seated { seats, there }
            })
            .collect()
    }

    /// What the nodes of word `word` drive onto a wire: 0 at places without a node.
    pub fn driven(&self, machine: &dyn Lockstep, word: usize, wire: usize) -> u64 {
        machine.driven_word(word, wire) & self.there
    }
}

/// The places of a word in which a bit is 1.
pub fn places(word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        let place = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        place
    })
}
