//! Networks laid into a hypercube: nodes on nodes, links on wires.
//!
//! Of Greenberg and Bhatt (*Routing Multiple Paths in Hypercubes*, 1990):
//!
//! | module | what it is |
//! |---|---|
//! | [`paths`] | a guest whose edges lie on several paths each, and what is said of it: width, dilation, congestion |
//! | [`phase`] | every edge carries its packets once: in which step which packet crosses which wire |
//! | [`moment`] | a label that all neighbours of a node have different |
//! | [`hamiltonian`] | Lemma 1: a hypercube's edges divided into Hamiltonian cycles |
//! | [`constructions`] | the paper's embeddings, by the name of their guest |
//! | [`copies`] | Theorem 3: `n` copies of the cube-connected cycles of `n` levels; [`congestion`] counts what they do to wires |
//!
//! [`reduced_hypercube`] has the hypercube in the reduced one, and cube-connected cycles in that (Mukherjee 1994). [`distances`]
//! and [`gray_code`] are for all.

pub mod congestion;
pub mod constructions;
pub mod copies;
pub mod distances;
pub mod gray_code;
pub mod hamiltonian;
pub mod moment;
pub mod paths;
pub mod phase;
pub mod reduced_hypercube;
