//! Theorem 3: where copy `k` of the CCC lies in the hypercube, `n = 2^r` levels, `n + r` dimensions.
//!
//! Copy `k` has a window of `r` dimensions, which carry the level as a Gray code; the others carry the
//! column. Corrected here: the window's first dimension carries the code's most significant bit, and the
//! columns' bits that the window displaces go to the dimensions from `n` on.

/// The hypercube addresses of one copy's vertices and the other way round.
pub struct Copy {
    /// `address[level][column]`.
    pub address: Vec<Vec<usize>>,
    /// For each hypercube address `(level, column)`.
    pub vertex: Vec<(usize, usize)>,
}

impl Copy {
    /// Copy `k` of the CCC of `levels` levels, a power of two.
    pub fn new(levels: usize, k: usize) -> Copy {
        let codes = gray_walk(levels);
        let window = window(levels, k);
        let column_dimensions = column_dimensions(levels, &window);
        let mut vertex = vec![(usize::MAX, usize::MAX); levels << levels];
        let mut address = vec![Vec::new(); levels];
        for level in 0..levels {
            let code = codes[level] ^ k;
            for column in 0..1 << levels {
                let mut place = 0;
                for (i, dimension) in window.iter().rev().enumerate() {
                    place += ((code >> i) % 2) << dimension;
                }
                for (bit, dimension) in column_dimensions.iter().enumerate() {
                    place += ((column >> bit) % 2) << dimension;
                }
                address[level].push(place);
                vertex[place] = (level, column);
            }
        }
        Copy { address, vertex }
    }
}

/// The Gray code of `0..levels`: each half is the half before it, backwards, with one more bit.
pub fn gray_walk(levels: usize) -> Vec<usize> {
    let mut codes = vec![0];
    while codes.len() < levels {
        let bit = codes.len();
        let back: Vec<usize> = codes.iter().rev().map(|code| code + bit).collect();
        codes.extend(back);
    }
    codes
}

/// The walk from the root of a binary tree (node 1, children `2x` and `2x + 1`) that turns by the bits
/// of `k`, most significant first: as many nodes as `k` has bits, the last bit unused.
pub fn window(levels: usize, k: usize) -> Vec<usize> {
    let mut nodes = Vec::new();
    let mut node = 1;
    let mut half = levels / 2;
    while half >= 1 {
        nodes.push(node);
        node = 2 * node + (k / half) % 2;
        half /= 2;
    }
    nodes
}

/// For each column bit its dimension: the same number, and `n`, `n + 1`, ... for those in the window,
/// from the root down.
pub fn column_dimensions(levels: usize, window: &[usize]) -> Vec<usize> {
    let mut dimensions: Vec<usize> = (0..levels).collect();
    for (depth, taken) in window.iter().enumerate() {
        dimensions[*taken] = levels + depth;
    }
    dimensions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_worked_by_hand() {
        assert_eq!(gray_walk(4), [0, 1, 3, 2]);
        assert_eq!(window(4, 1), [1, 2]);
        assert_eq!(column_dimensions(4, &[1, 2]), [0, 4, 5, 3]);
        assert_eq!(window(8, 5), [1, 3, 6]);
        assert_eq!(column_dimensions(8, &[1, 3, 6]), [0, 8, 2, 9, 4, 5, 10, 7]);
        let copy = Copy::new(8, 5);
        assert_eq!(copy.address[0][0], 66);
        assert_eq!(copy.address[3][77], 1615);
        assert_eq!(copy.address[7][255], 2037);
    }

    #[test]
    fn every_address_is_one_vertex_and_neighbours_stay_neighbours() {
        for levels in [2, 4, 8] {
            for k in 0..levels {
                let copy = Copy::new(levels, k);
                for (address, &(level, column)) in copy.vertex.iter().enumerate() {
                    assert_eq!(copy.address[level][column], address);
                    let straight = copy.address[(level + 1) % levels][column];
                    let cross = copy.address[level][column ^ 1 << level];
                    assert_eq!((address ^ straight).count_ones(), 1);
                    assert_eq!((address ^ cross).count_ones(), 1);
                }
            }
        }
    }
}
