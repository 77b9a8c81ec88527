//! What the machine does at the most: how fast it stores to the first-level cache, and copies from and to any level of memory.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

const WORD_BYTES: usize = size_of::<u64>();
/// As much as one wide instruction loads or stores.
const WORDS_OF_A_STORE: usize = 4;
/// A line of the cache: no load or store may lie across two.
const LINE_BYTES: usize = 64;

/// What the store kernel fills: half of a small first-level cache.
pub const STORE_BYTES: usize = 16 << 10;

/// A loop over arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// `a = s`: nothing is loaded.
    Store,
    /// `a = b ^ s`: a copy that no library's copying takes the place of.
    Copy,
    /// `a = b + s * c`, of 64-bit floating-point numbers.
    Triad,
}

impl Kernel {
    /// Arrays that it goes through.
    pub fn arrays(self) -> usize {
        match self {
            Kernel::Store => 1,
            Kernel::Copy => 2,
            Kernel::Triad => 3,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Store => "store",
            Kernel::Copy => "copy",
            Kernel::Triad => "triad",
        }
    }
}

/// Words from the beginning of a line on.
struct Array {
    words: Vec<u64>,
    first: usize,
    length: usize,
}

impl Array {
    /// All of them 1.0, written once so that memory is there.
    fn new(length: usize) -> Self {
        let words = vec![1.0f64.to_bits(); length + LINE_BYTES / WORD_BYTES];
        Array {
            first: words.as_ptr().align_offset(LINE_BYTES),
            words,
            length,
        }
    }

    fn words(&self) -> &[u64] {
        &self.words[self.first..][..self.length]
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.first..][..self.length]
    }
}

/// Arrays of a kernel.
pub struct Arrays {
    kernel: Kernel,
    a: Array,
    b: Array,
    c: Array,
}

impl Arrays {
    /// So many bytes in all.
    pub fn new(kernel: Kernel, bytes: usize) -> Self {
        let words = bytes / kernel.arrays() / LINE_BYTES * LINE_BYTES / WORD_BYTES;
        let array = |number| Array::new(if number < kernel.arrays() { words } else { 0 });
        Arrays {
            kernel,
            a: array(0),
            b: array(1),
            c: array(2),
        }
    }

    /// Bytes that the kernel reads and writes each time; lines that are fetched to be written do not count.
    pub fn bytes(&self) -> usize {
        self.a.length * WORD_BYTES * self.kernel.arrays()
    }

    /// Stores of 32 bytes each time.
    pub fn stores(&self) -> usize {
        self.a.length / WORDS_OF_A_STORE
    }

    /// Goes through them so many times, with AVX2 if it is there.
    pub fn run(&mut self, times: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = pulp::x86::V3::try_new() {
            return avx2.vectorize(Wide(self, times));
        }
        self.go(times);
    }

    #[inline(always)]
    fn go(&mut self, times: usize) {
        let Arrays { kernel, a, b, c } = self;
        let (a, b, c) = (a.words_mut(), b.words(), c.words());
        for _ in 0..times {
            let key = black_box(0);
            match kernel {
                Kernel::Store => {
                    for a in &mut *a {
                        *a = key;
                    }
                }
                Kernel::Copy => {
                    for (a, b) in a.iter_mut().zip(b) {
                        *a = b ^ key;
                    }
                }
                Kernel::Triad => {
                    let factor = f64::from_bits(key);
                    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                        *a = (f64::from_bits(*b) + factor * f64::from_bits(*c)).to_bits();
                    }
                }
            }
            black_box(&mut *a);
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct Wide<'a>(&'a mut Arrays, usize);

#[cfg(target_arch = "x86_64")]
impl pulp::NullaryFnOnce for Wide<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.go(self.1);
    }
}

/// Bytes a second that a kernel reads and writes, on threads that each have arrays of so many bytes.
pub fn bandwidth(kernel: Kernel, bytes: usize, threads: usize, at_least: usize) -> f64 {
    let times = at_least.div_ceil(bytes).max(2);
    let barrier = Barrier::new(threads);
    let shares: Vec<(usize, f64)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut arrays = Arrays::new(kernel, bytes);
                    arrays.run(1);
                    barrier.wait();
                    let start = Instant::now();
                    arrays.run(times);
                    let seconds = start.elapsed().as_secs_f64();
                    (arrays.bytes() * times, seconds)
                })
            })
            .collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .collect()
    });
    let moved: usize = shares.iter().map(|(bytes, _)| bytes).sum();
    let slowest = shares
        .iter()
        .fold(0.0, |slowest: f64, (_, seconds)| slowest.max(*seconds));
    moved as f64 / slowest
}

/// Nanoseconds that a store of 32 bytes takes in the first-level cache, one after the other.
pub fn store_nanoseconds(times: usize) -> f64 {
    let mut arrays = Arrays::new(Kernel::Store, STORE_BYTES);
    arrays.run(times / 8 + 1);
    let start = Instant::now();
    arrays.run(times);
    start.elapsed().as_secs_f64() * 1e9 / (times * arrays.stores()) as f64
}
