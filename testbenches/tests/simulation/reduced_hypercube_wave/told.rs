//! What the text `way` says of a bit time.

use crate::reduced_hypercube_wave::dumped::Dumped;

/// Who may send, over which wires.
#[derive(Debug, Default)]
pub struct Told {
    pub wires: Vec<usize>,
    /// The sub-block of the senders,
    subblock: Option<usize>,
    /// and what they have in the address bit that is crossed, if not all of them send.
    side: Option<bool>,
    /// Sub-blocks take turns.
    pub is_turn: bool,
}

fn number(text: &str) -> usize {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is no number"))
}

pub fn told(dumped: &Dumped, way: &str) -> Told {
    let mut told = Told::default();
    if way.is_empty() {
        return told;
    }
    let (low, links) = (dumped.low_bits(), dumped.links());
    if way.contains("all_SBs") {
        assert!(["all_SBs->SB_0", "SB_0->all_SBs"].contains(&way));
        told.wires = (low..links - 1).collect();
        told.is_turn = true;
        return told;
    }
    let (from, to) = way.split_once("->").unwrap();
    let from = from.trim_end_matches('<');
    let both = way.contains("<->");
    if let Some(bit) = to.strip_prefix("BB_bit_") {
        let subblock = number(from.strip_prefix("SB_").unwrap());
        assert_eq!(subblock, number(bit), "{way}");
        told.wires = vec![links - 1];
        told.subblock = Some(subblock);
        return told;
    }
    if let Some(to) = to.strip_prefix("SB_") {
        let from = number(from.strip_prefix("SB_").unwrap());
        let differs = from ^ number(to);
        assert!(differs.is_power_of_two(), "{way}");
        told.wires = vec![low + differs.ilog2() as usize];
        told.subblock = Some(from);
        return told;
    }
    let mut parts: Vec<&str> = from.split(':').collect();
    let side = number(parts.pop().unwrap()) == 1;
    assert_eq!(number(to) == 1, !side, "{way}");
    told.wires = vec![number(parts.pop().unwrap().strip_prefix("dim_").unwrap())];
    told.side = (!both).then_some(side);
    told.subblock = parts
        .pop()
        .map(|part| number(part.strip_prefix("SB_").unwrap()));
    told
}

impl Told {
    pub fn sends(&self, dumped: &Dumped, node: usize, wire: usize) -> bool {
        let of_subblock = self.subblock.is_none_or(|one| dumped.subblock(node) == one);
        let of_side = self.side.is_none_or(|side| (node >> wire & 1 == 1) == side);
        self.wires.contains(&wire) && of_subblock && of_side
    }

    /// Whether the node is at the upper end of the wire.
    pub fn crossed(&self, dumped: &Dumped, node: usize) -> bool {
        node > dumped.neighbour(node, self.wires[0])
    }
}
