//! The dependencies of an irregular network, link by link: nothing there is like anything else.

use crate::routers::wormhole::dependencies::quotient::Quotient;
use crate::routers::wormhole::dependencies::{Channel, Dependencies};
use crate::routers::wormhole::networks::irregular::TableRouted;
use crate::routers::wormhole::networks::irregular::routes::Next;

/// The class of the channels of a link, by where the link begins.
type Kind = (usize, Next);

/// The dependencies of an irregular network and its routes.
pub fn of(routed: &TableRouted) -> Dependencies {
    let (network, nodes) = (&routed.network, routed.network.nodes());
    // Wherever a worm is, it may have begun there: each entry of a table and the next one on the way make a pair.
    let pairs = (0..nodes).flat_map(|node| (0..nodes).map(move |to| (node, to)));
    let pairs = pairs.filter_map(|(node, to)| {
        let next = routed.routes.next(node, to)?;
        let far = network.far(node, next.colour)?;
        let behind = routed.routes.next(far, to).map(|next| (far, next));
        Some([(node, next)].into_iter().chain(behind))
    });
    let quotient = Quotient::<Kind>::of(pairs);
    quotient.dependencies(
        |_| 0,
        |(from, Next { colour, class }), _| Channel::Irregular {
            from,
            to: network.far(from, colour).unwrap_or(from),
            colour,
            class,
        },
    )
}
