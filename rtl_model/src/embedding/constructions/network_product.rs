//! Theorem 4 of the cube-connected cycles and of the butterfly: the induced cross product (`product`) of their `m` copies in
//! `n = m + log m` dimensions.
//!
//! - *Cube-connected cycles.* Of the `n` packets of an edge the first hops take 2 steps, as a vertex has two edges out of it, and so
//!   do the last ones. Those in between cross the wires of the copies with the labels of `n` neighbours, some labels twice, and take
//!   3: `7 = 2 + 3 + 2`.
//! - *Butterfly.* A cross edge crosses two wires in its row or column, and so takes paths of four hops, where the theorem has
//!   three. Hop by hop the `n` packets of an edge take 10 steps, over the four levels of hops: 2 for first hops; 3 and 4 for the hops
//!   along rows and columns, with the last hops of straight edges in the second of them; and 1 for the last hops of cross edges,
//!   `2 + 3 + 4 + 1`.

use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::{ccc_copies, product, sizes};
use crate::embedding::paths::Embedding;
use crate::error::Error;

#[cfg(test)]
mod tests;

/// The construction, of either network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkProduct {
    /// Of cube-connected cycles.
    Ccc,
    /// Of butterflies.
    Butterfly,
}

/// Twice the dimensions of 2 and 4 copies.
pub(super) const HOSTS: [usize; 2] = [6, 12];

/// Why there are no others.
const WHY: &str =
    "m copies, m = 2 or 4, take m + log m dimensions for rows and as many for columns";

impl Construction for NetworkProduct {
    fn name(&self) -> &'static str {
        match self {
            NetworkProduct::Ccc => "ccc-product",
            NetworkProduct::Butterfly => "butterfly-product",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            NetworkProduct::Ccc => "the induced cross product of the cube-connected cycles",
            NetworkProduct::Butterfly => "the induced cross product of the butterfly",
        }
    }

    fn theorem(&self) -> &'static str {
        "Theorem 4"
    }

    fn default_dimensions(&self) -> usize {
        6
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &HOSTS
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        sizes::one_of(self, ask, &HOSTS, WHY)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let bits = self.host(ask)? / 2;
        let copies = ccc_copies::copies_in(bits)?;
        let links = match self {
            NetworkProduct::Ccc => product::ccc_links(&copies),
            NetworkProduct::Butterfly => product::butterfly_links(&copies),
        };
        product::induced(bits, &links)
    }

    /// The cost is `c + 2 * 2`, where `c` is that of `n` copies: a constant.
    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let bits = self.host(ask)? / 2;
        Ok(Claim {
            width: Figure::Is(bits),
            dilation: match self {
                NetworkProduct::Ccc => Figure::Is(3),
                NetworkProduct::Butterfly => Figure::Unsaid,
            },
            congestion: Figure::Unsaid,
            packets: Figure::Is(bits),
            cost: Figure::Order("O(1)"),
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        let (dilation, cost) = match self {
            NetworkProduct::Ccc => (3, 7),
            NetworkProduct::Butterfly => (4, 10),
        };
        Ok(Claim {
            dilation: Figure::Is(dilation),
            congestion: Figure::Is(cost),
            cost: Figure::Is(cost),
            ..self.paper(ask)?
        })
    }
}
