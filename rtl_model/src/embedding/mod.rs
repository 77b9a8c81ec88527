//! STUB until the real one is merged.
use crate::error::Error;
use crate::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::topology::hypercube::Dimensions;
/// Copies.
#[derive(Clone, Debug)]
pub struct Copies {
    n: usize,
    r: usize,
    windows: Vec<Vec<usize>>,
    bars: Vec<Vec<usize>>,
}
#[allow(missing_docs)]
impl Copies {
    pub fn new(n: usize) -> Result<Self, Error> {
        if !(2..=16).contains(&n) || !n.is_power_of_two() {
            return Err(Error::CopiesOfLevels { levels: n });
        }
        let r = n.ilog2() as usize;
        let windows: Vec<Vec<usize>> = (0..n)
            .map(|k| {
                (0..r)
                    .map(|i| if i == 0 { 1 } else { (1 << i) + (k >> (r - i)) })
                    .collect()
            })
            .collect();
        let bars = (0..n)
            .map(|k| {
                (0..n)
                    .map(|l: usize| {
                        if windows[k].contains(&l) {
                            n + l.ilog2() as usize
                        } else {
                            l
                        }
                    })
                    .collect()
            })
            .collect();
        Ok(Copies {
            n,
            r,
            windows,
            bars,
        })
    }
    pub fn levels(&self) -> usize {
        self.n
    }
    pub fn cycles(&self) -> CubeConnectedCycles {
        CubeConnectedCycles::new(self.n).unwrap_or_else(|_| unreachable!())
    }
    pub fn dimensions(&self) -> Dimensions {
        Dimensions::new(self.n + self.r).unwrap_or_else(|_| unreachable!())
    }
    pub fn window(&self, k: usize) -> &[usize] {
        &self.windows[k]
    }
    pub fn cycle(&self, k: usize, l: usize) -> usize {
        (l ^ (l >> 1)) ^ k
    }
    pub fn cross_dimension(&self, k: usize, l: usize) -> usize {
        self.bars[k][l]
    }
    pub fn straight_dimension(&self, k: usize, l: usize) -> usize {
        let g = if l == self.n - 1 {
            self.r - 1
        } else {
            (l + 1).trailing_zeros() as usize
        };
        self.windows[k][self.r - 1 - g]
    }
    pub fn map(&self, k: usize, l: usize, c: usize) -> usize {
        let h = self.cycle(k, l);
        let mut v = 0;
        for i in 0..self.r {
            v |= (h >> (self.r - 1 - i) & 1) << self.windows[k][i];
        }
        for j in 0..self.n {
            v |= (c >> j & 1) << self.bars[k][j];
        }
        v
    }
    pub fn unmap(&self, k: usize, v: usize) -> (usize, usize) {
        for l in 0..self.n {
            let mut c = 0;
            for j in 0..self.n {
                c |= (v >> self.bars[k][j] & 1) << j;
            }
            if self.map(k, l, c) == v {
                return (l, c);
            }
        }
        unreachable!()
    }
}
