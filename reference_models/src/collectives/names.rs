//! What algorithms are called.

use std::fmt;

use super::{Algorithm, Scatter, Tree};

impl fmt::Display for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Tree::Binomial => "sbt",
            Tree::Balanced => "bst",
            Tree::TwoRooted => "tcbt",
        })
    }
}

impl fmt::Display for Scatter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scatter::Packets { tree, .. } => tree.fmt(formatter),
            Scatter::Levels(tree) => write!(formatter, "{tree}-levels"),
            Scatter::OneShot(tree) => write!(formatter, "{tree}-one-shot"),
            Scatter::Subtrees(Tree::Binomial) => formatter.write_str("sbt-halving"),
            Scatter::Subtrees(tree) => write!(formatter, "{tree}-subtrees"),
            Scatter::Distribute1 => formatter.write_str("distribute-1"),
            Scatter::Distribute2 => formatter.write_str("distribute-2"),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Algorithm::OcSend1 => "oc-send-1",
            Algorithm::OcSend2 => "oc-send-2",
            Algorithm::OcSend3 => "oc-send-3",
            Algorithm::OcSend4 { .. } => "oc-send-4",
            Algorithm::ArbitrarySend1 { .. } => "arbitrary-send-1",
            Algorithm::ArbitrarySend2 { .. } => "arbitrary-send-2",
            Algorithm::ArbitrarySend3 { .. } => "arbitrary-send-3",
            Algorithm::XocSend1 { .. } => "xoc-send-1",
            Algorithm::XocSend2 { .. } => "xoc-send-2",
            Algorithm::Scatter(scatter) => return scatter.fmt(formatter),
            Algorithm::Gather(Scatter::Distribute1) => "collect",
            Algorithm::Gather(scatter) => return write!(formatter, "gather-{scatter}"),
            Algorithm::CompleteBroadcast => "complete-broadcast",
            Algorithm::Inversion => "inversion",
            Algorithm::CompleteExchange => "complete-exchange",
            Algorithm::PermutedSend { .. } => "permuted-send",
            Algorithm::TransposeBySubmatrices { .. } => "transpose-by-submatrices",
            Algorithm::Histogram { .. } => "histogram",
        })
    }
}
