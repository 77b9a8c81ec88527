//! Selection: of the output channels that would do, an input channel asks for the first that is free.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::routers::wormhole::levels::Here;
use crate::routers::wormhole::round_robin::firsts;
use crate::routers::wormhole::switch::{Asked, MAX_REQUESTERS, Switch};

impl<B: Bit> Switch<B> {
    /// What input channels select of their lanes, where nobody else may be asked for: by output channel and requester. Nothing where
    /// they select none.
    #[inline]
    pub(super) fn select(&self, here: Here<'_, B>, free: &[B], selected: &mut Asked<B>) {
        selected.clear();
        if self.plan.selections.is_empty() {
            return;
        }
        let last = self.plan.eject();
        let all = self.plan.outputs[last].first_grant + self.requesters(last).len();
        selected.extend((0..all).map(|_| B::ZERO));
        for selection in &self.plan.selections {
            let input = self.plan.inputs[selection.input].name;
            let wanted = selection.lanes.iter().map(|&(output, place)| {
                let requester = &self.requesters(output)[place];
                let requests = self.requests_output(output, requester, here) & free[output];
                let output = self.plan.outputs[output].name;
                requests.named(format_args!("{input}_may_have_{output}"))
            });
            let wanted: ArrayVec<B, MAX_REQUESTERS> = wanted.collect();
            let firsts = B::within(input, || firsts(&wanted));
            for (&(output, place), first) in selection.lanes.iter().zip(firsts) {
                let name = self.plan.outputs[output].name;
                selected[self.plan.outputs[output].first_grant + place] =
                    first.named(format_args!("{input}_selects_{name}"));
            }
        }
    }
}
