use super::*;
use crate::embedding::constructions::tests::{edges, holds, steps_by_level};

#[test]
fn it_holds_what_is_said() {
    for dimensions in HOSTS {
        let embedding = holds(&CycleProduct, &Ask::of_dimensions(dimensions));
        assert_eq!(steps_by_level(&embedding), [1, 1, 1]);
    }
}

#[test]
fn every_row_and_every_column_is_one_cycle() {
    for dimensions in HOSTS {
        let bits = dimensions / 2;
        let embedding = CycleProduct.embed(&Ask::of_dimensions(dimensions)).unwrap();
        // By node, what follows in its row and in its column.
        let mut next = vec![[usize::MAX; 2]; embedding.vertices()];
        for [from, to] in edges(&embedding) {
            let in_row = from >> bits == to >> bits;
            let slot = &mut next[from][usize::from(!in_row)];
            assert_eq!(*slot, usize::MAX);
            *slot = to;
        }
        for line in 0..1 << bits {
            for (kind, begin) in [(0, line << bits), (1, line)] {
                let (mut node, mut length) = (begin, 0);
                loop {
                    (node, length) = (next[node][kind], length + 1);
                    if node == begin {
                        break;
                    }
                }
                assert_eq!(length, 1 << bits);
            }
        }
    }
}
