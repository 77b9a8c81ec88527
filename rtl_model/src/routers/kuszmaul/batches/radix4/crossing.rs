//! When a stage's exchange has the wires of its first two dimensions, `a` and `b`; or of one, in a cube of one.
//!
//! ```text
//!   wire a:  [who] [bit b] ............. [over_first] ..
//!   wire b:        [who K] [who R] ..... [kept] [received] ..        K: kept over a, R: received over a
//!   bit time   0      1       2
//! ```

use crate::language::bit::Strobe;
use crate::parts::windows::{Claim, Stretch, Window};
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::radix4::pair_exchange::PairExchangeStrobes;
use crate::routers::kuszmaul::radix4::windows::{END_OF_ONE, WHO};

/// The windows of an exchange.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// Bits behind the two address bits go over `a`.
    pub over_first: Stretch,
    /// Those of messages that were kept go over `b`, and of those that came over `a`; nothing, where there is no `b`.
    pub over_second: Option<[Stretch; 2]>,
}

impl Crossing {
    /// Two bit times for each bit: the first over `a` and for what was kept, the second for what was received.
    pub fn by_turns(halves: [Stretch; 2]) -> Self {
        Crossing {
            over_first: halves[0],
            over_second: Some(halves),
        }
    }

    /// Its claims, given `a`.
    pub fn claims(self, lowest: usize) -> Vec<Claim> {
        let claim = |dimension, window| Claim {
            dimension,
            unit: "exchange",
            window,
        };
        let fixed = |window: Window| window.stretch(0, 0, 0);
        let Some([kept, received]) = self.over_second else {
            let [decide, _] = END_OF_ONE;
            return vec![claim(lowest, fixed(decide)), claim(lowest, self.over_first)];
        };
        let mut claims = vec![
            claim(lowest, fixed(WHO[0])),
            claim(lowest, self.over_first),
            claim(lowest + 1, fixed(WHO[1])),
            claim(lowest + 1, kept),
        ];
        if received != kept {
            claims.push(claim(lowest + 1, received));
        }
        claims
    }

    /// Its strobes in this bit time.
    pub fn drive<S: Strobe>(self, at: &At<'_, S>, strobes: &mut PairExchangeStrobes<S>) {
        let lowest = at.extent.lowest;
        let over_first = at.during(self.over_first);
        strobes.decide = at.is(0).named("decide");
        strobes.latch = over_first;
        let Some([kept, received]) = self.over_second else {
            return at.line(&mut strobes.first, lowest, strobes.decide | over_first);
        };
        strobes.decide_kept = at.is(1).named("decide_kept");
        strobes.decide_received = at.is(2).named("decide_received");
        strobes.send_kept = at.during(kept);
        strobes.send_received = at.during(received);
        let decides = strobes.decide | strobes.decide_kept;
        at.line(&mut strobes.first, lowest, decides | over_first);
        let decides = strobes.decide_kept | strobes.decide_received;
        let streams = strobes.send_kept | strobes.send_received;
        at.line(&mut strobes.second, lowest + 1, decides | streams);
    }
}
