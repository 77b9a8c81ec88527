//! The kinds of wires of a link, and what they are called.

use std::ops::Range;

use crate::routers::wormhole::plan::LinkPlan;

/// Wires of a link that are one thing.
pub(super) struct Kind {
    /// In a comment.
    pub(super) described: &'static str,
    /// The name, after `tx` or `rx`.
    pub(super) name: String,
    pub(super) wires: Range<usize>,
    /// It comes back from where the link leads.
    pub(super) is_credit: bool,
}

/// The wires of a link, in order. Credits are one kind for all channels.
pub(super) fn kinds(link: &LinkPlan) -> Vec<Kind> {
    let wires = &link.wires;
    let kind = |described, name: &str, wires: Range<usize>| Kind {
        described,
        name: name.to_owned(),
        wires,
        is_credit: false,
    };
    let mut kinds = vec![
        kind("bit", "", wires.data.clone()),
        kind("valid", "_valid", wires.valid..wires.valid + 1),
        kind("tail", "_tail", wires.tail..wires.tail + 1),
        kind("channel", "_channel", wires.channel.clone()),
    ];
    kinds.push(Kind {
        is_credit: true,
        ..kind("credits", "_credit", wires.credits.clone())
    });
    kinds.retain(|kind| !kind.wires.is_empty());
    kinds
}

/// As in waves, where each channel's credit has a name of its own.
pub(super) fn signals(link: &LinkPlan) -> Vec<Kind> {
    let each = |kind: Kind| -> Vec<Kind> {
        if !kind.is_credit {
            return vec![kind];
        }
        let wires = kind.wires.clone().enumerate();
        wires
            .map(|(channel, wire)| Kind {
                name: format!("{}_{channel}", kind.name),
                wires: wire..wire + 1,
                ..kind
            })
            .collect()
    };
    kinds(link).into_iter().flat_map(each).collect()
}
