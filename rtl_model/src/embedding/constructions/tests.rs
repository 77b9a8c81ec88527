//! What holds of all constructions.

use super::*;
use crate::embedding::paths::{Embedding, Measures};
use crate::embedding::phase::{Order, Phase};

/// Its paths lead from vertex to vertex, and what they have and the packets of a phase take is what is said to hold.
pub(super) fn assert_holds(
    construction: &dyn Construction,
    dimensions: usize,
) -> (Measures, Phase) {
    let embedding = holds(construction, &Ask::of_dimensions(dimensions));
    assert_eq!(embedding.host().count(), dimensions);
    let phase = Phase::of(&embedding, Order::HopByHop);
    (embedding.measures(), phase)
}

/// The same of what is asked for.
pub(super) fn holds(construction: &dyn Construction, ask: &Ask) -> Embedding {
    let embedding = construction.embed(ask).unwrap();
    assert_eq!(construction.host(ask), Ok(embedding.host().count()));
    let what = format!("{} of {ask:?}", construction.name());
    assert_eq!(embedding.check(), Ok(()), "{what}");
    let corrected = construction.corrected(ask).unwrap();
    let (counted, is_grid) = (counted(&embedding), construction.name() == "grid");
    for (counted, corrected) in figures(&counted).into_iter().zip(figures(&corrected)) {
        // Of a grid that is no torus hardly anything is said.
        assert!(
            counted == corrected || is_grid && *corrected == Figure::Unsaid,
            "{what}: {counted} {corrected}"
        );
    }
    embedding
}

fn figures(claim: &Claim) -> [&Figure; 5] {
    [
        &claim.width,
        &claim.dilation,
        &claim.congestion,
        &claim.packets,
        &claim.cost,
    ]
}

/// All edges.
pub(super) fn edges(embedding: &Embedding) -> Vec<[usize; 2]> {
    let all = 0..embedding.edges();
    all.map(|edge| embedding.edge(edge)).collect()
}

/// Steps that each level of hops takes, hop by hop, where every packet sets off at once.
pub(super) fn steps_by_level(embedding: &Embedding) -> Vec<u32> {
    let phase = Phase::of(embedding, Order::HopByHop);
    let mut ends: Vec<u32> = Vec::new();
    let mut of_packet = (u32::MAX, 0);
    for hop in phase.hops() {
        let level = match of_packet {
            (packet, before) if packet == hop.packet => before + 1,
            _ => 0,
        };
        of_packet = (hop.packet, level);
        match ends.get_mut(level) {
            Some(end) => *end = hop.step.max(*end),
            None => ends.push(hop.step),
        }
    }
    let begins = std::iter::once(0).chain(ends.iter().map(|&end| end + 1));
    ends.iter()
        .zip(begins)
        .map(|(end, begin)| end + 1 - begin)
        .collect()
}

/// The refusal of that many dimensions.
pub(super) fn refusal(construction: &dyn Construction, dimensions: usize) -> String {
    let ask = Ask::of_dimensions(dimensions);
    let error = construction.host(&ask).unwrap_err();
    assert_eq!(construction.embed(&ask).unwrap_err(), error);
    assert_eq!(construction.paper(&ask).unwrap_err(), error);
    assert_eq!(construction.corrected(&ask).unwrap_err(), error);
    error.to_string()
}

/// Edge `e` leads from vertex `e` to the next one, and the last one to the first.
pub(super) fn assert_one_cycle(embedding: &Embedding) {
    assert_eq!(embedding.edges(), embedding.vertices());
    for edge in 0..embedding.edges() {
        let next = (edge + 1) % embedding.vertices();
        assert_eq!(embedding.edge(edge), [edge, next]);
    }
}

#[test]
fn every_construction_holds_where_it_is_shown() {
    for construction in CONSTRUCTIONS {
        for &dimensions in construction.shown_dimensions() {
            assert_holds(construction, dimensions);
        }
    }
}

#[test]
fn names_are_different_and_found() {
    for one in CONSTRUCTIONS {
        assert_eq!(construction(one.name()).unwrap().models(), one.models());
    }
    assert!(construction("no-such-guest").is_none());
}

/// What an embedding has and its phase takes, counted.
pub(super) fn counted(embedding: &Embedding) -> Claim {
    let measures = embedding.measures();
    Claim {
        width: Figure::Is(measures.width),
        dilation: Figure::Is(measures.dilation),
        congestion: Figure::Is(measures.congestion),
        packets: Figure::Is(embedding.packets().len()),
        cost: Figure::Is(Phase::of(embedding, Order::HopByHop).steps()),
    }
}
