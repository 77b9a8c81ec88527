//! Words with structure, and drawn ones.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::reduced_hypercube::host::Words;
use crate::reduced_hypercube::job::ones;

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Words of so many bits, drawn; `keys` at each node.
pub fn drawn(nodes: usize, keys: usize, bits: usize, seed: u64) -> Words {
    let mut random = generator(seed);
    let mut word = || random.random::<u128>() & ones(bits);
    (0..nodes)
        .map(|_| (0..keys).map(|_| word()).collect())
        .collect()
}

/// The lowest bits of a number, in reverse.
fn reversed(number: usize, bits: usize) -> usize {
    (0..bits).fold(0, |word, bit| word << 1 | number >> bit & 1)
}

/// Words by the number of the node, as numbers rise, fall, stand still, and stand alone.
pub fn structured(nodes: usize, bits: usize) -> Vec<Words> {
    let last = nodes - 1;
    let address_bits = nodes.ilog2() as usize;
    let words = |of: &dyn Fn(usize) -> u128| -> Words {
        (0..nodes).map(|node| vec![of(node) & ones(bits)]).collect()
    };
    let mut all = vec![
        words(&|_| 0),
        words(&|_| u128::MAX),
        words(&|_| 1),
        words(&|node| node as u128),
        words(&|node| (last - node) as u128),
        words(&|node| reversed(node, address_bits) as u128),
        words(&|node| (node ^ node >> 1) as u128),
        // The high bits decide, and the low ones say where a word comes from.
        words(&|node| (node as u128).reverse_bits() >> (128 - bits)),
        words(&|node| if node % 2 == 0 { 0 } else { u128::MAX }),
        // Sets: every node is an element, and the first and the last half.
        words(&|node| 1 << (node % bits)),
        words(&|node| u128::MAX ^ 1 << (node % bits)),
        words(&|node| if node < nodes / 2 { 0 } else { u128::MAX }),
        words(&|node| if node < nodes / 2 { u128::MAX } else { 0 }),
        // Alternating bits, as propagating and generating go.
        words(&|_| u128::MAX / 3),
        words(&|_| u128::MAX / 3 * 2),
        words(&|node| {
            if node == 0 {
                u128::MAX / 3
            } else {
                u128::MAX / 3 * 2
            }
        }),
    ];
    for here in [0, 1, nodes / 2 - 1, nodes / 2, last] {
        all.push(words(&|node| if node == here { u128::MAX } else { 0 }));
        all.push(words(&|node| if node == here { 0 } else { u128::MAX }));
    }
    all
}
