//! Random broadcasts in cubes of six dimensions and more.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::routers::ports::algorithm::Algorithm;

use crate::broadcast::common::{beside_reference, broadcast, each};

/// So many of each kind, with packets of up to `most_bits` bits.
fn in_dimensions(n: usize, amount: usize, most_bits: usize) {
    for (number, kind) in each().enumerate() {
        let mut random = ChaCha8Rng::seed_from_u64((n * 100 + number) as u64);
        for _ in 0..amount {
            let most = kind.0.most_packets(n).unwrap_or(3 * n);
            let packets = random.random_range(1..=most);
            // A path is as long as there are nodes.
            let most_bits = match kind.0 {
                Algorithm::HamiltonianPath => most_bits.min(1 << (14 - n)),
                _ => most_bits,
            };
            let size = (
                random.random_range(1..=most_bits),
                random.random_range(0..=5),
            );
            let source = random.random_range(0..1 << n);
            let broadcast = broadcast(kind, n, source, packets, size);
            beside_reference(broadcast, random.random());
        }
    }
}

#[test]
fn in_six_dimensions() {
    in_dimensions(6, 8, 40);
}

#[test]
fn in_seven_dimensions() {
    in_dimensions(7, 6, 40);
}

#[test]
fn in_eight_dimensions() {
    in_dimensions(8, 4, 40);
}

#[test]
fn in_nine_dimensions() {
    in_dimensions(9, 2, 40);
}

#[test]
fn in_ten_dimensions() {
    in_dimensions(10, 1, 20);
}

#[test]
#[ignore = "long: thousands of nodes"]
fn in_eleven_dimensions() {
    in_dimensions(11, 1, 6);
}

#[test]
#[ignore = "long: thousands of nodes"]
fn in_twelve_dimensions() {
    in_dimensions(12, 1, 3);
}
