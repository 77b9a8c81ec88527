//! HISTOGRAM (Stout & Wagar 1987, section 8): every node has a number for each of `b` bins, and of each bin one node gets the sum.
//!
//! ```text
//!   d = 3        stage 0    stage 1    stage 2
//!   part 0       port 0     port 1     port 2
//!   part 1       port 1     port 2     port 0
//!   part 2       port 2     port 0     port 1
//!   sums left    1/2        1/4        1/8
//! ```
//!
//! Recursive halving, symmetrized. Node `i` is to have the sums of `ceil(b / 2^d)` bins, cut into `d` parts. In stage `k` part `i`
//! crosses dimension `(i + k) mod d`: a node sends what it has summed up for the half of the nodes on the other side of it, and
//! adds what comes to what it has for its own side. In memory a part's pieces follow each other by the node they are for, its
//! relative address rotated right by `i` and read backwards, so that what is left is the first half each time, and what is sent is
//! the second. Numbers are added bit by bit where they lie, the least significant first; nothing is forwarded as it came.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan, refused};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::room::room;
use crate::routers::collectives::program::{
    Line, Segment, Transfer, TransferProgram, View, every_node,
};
use crate::routers::ports::algorithm::PortModel;

/// HISTOGRAM.
pub(super) struct Histogram;

/// How bins are cut, and where parts lie.
#[derive(Clone, Copy)]
struct Bins {
    dims: usize,
    all: usize,
    /// Of one node.
    of_a_node: usize,
    /// Of one part.
    of_a_part: usize,
    /// Bits of a number.
    width: usize,
}

impl Bins {
    /// Where the piece of a part lies that is for the node at a relative address.
    fn address(&self, part: usize, node: usize) -> usize {
        let backwards = (0..self.dims).fold(0, |number, place| {
            number << 1 | node >> ((part + place) % self.dims) & 1
        });
        ((part << self.dims) + backwards) * self.of_a_part * self.width
    }

    /// How many bins a piece really has.
    fn real(&self, part: usize, node: usize) -> usize {
        let first = node * self.of_a_node + part * self.of_a_part;
        let end = (node + 1) * self.of_a_node;
        let end = end.min(first + self.of_a_part).min(self.all);
        end.saturating_sub(first)
    }

    fn segment(&self, at: Option<usize>, (part, partner): (usize, usize)) -> Option<Segment> {
        let bins = self.real(part, at.unwrap_or(0) ^ partner);
        (bins > 0).then(|| Segment {
            at,
            partner,
            bit: part * self.of_a_part * self.width,
            bits: bins * self.width,
            address: self.address(part, partner),
        })
    }

    /// What nodes have for the node at a relative address.
    fn segments(&self, partner: usize) -> Vec<Segment> {
        let (bins, nodes) = (*self, 1 << self.dims);
        let parts = (0..self.dims).flat_map(move |part| {
            // The last nodes may have fewer bins; all have the same if the first and the last have.
            let at = match bins.real(part, 0) == bins.real(part, nodes - 1) {
                true => vec![None],
                false => (0..nodes).map(Some).collect(),
            };
            at.into_iter()
                .filter_map(move |at| bins.segment(at, (part, partner)))
        });
        parts.collect()
    }
}

impl Algorithm for Histogram {
    fn operation(&self) -> Operation {
        Operation::Histogram
    }

    fn name(&self) -> &'static str {
        "histogram"
    }

    fn paper_name(&self) -> &'static str {
        "HISTOGRAM"
    }

    fn models(&self) -> &'static str {
        "sums of bins by recursive halving, in d parts; of so many bits as the numbers"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 8"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let (d, width, start_up) = (ask.dims(), ask.message_bits, ask.start_up);
        if width == 0 {
            return refused(self, "numbers of 0 bits: it takes 1 at least".to_string());
        }
        // Rounding up adds less than d bins to those of a node.
        room(self, ask, ("bins", ask.bins), |bins| {
            (bins.div_ceil(1 << d).next_multiple_of(d as u128) << d).saturating_mul(width as u128)
        })?;
        let of_a_node = ask.bins.div_ceil(1 << d);
        let bins = Bins {
            dims: d,
            all: ask.bins,
            of_a_node,
            of_a_part: of_a_node.div_ceil(d),
            width,
        };
        let piece = bins.of_a_part * width;
        let lines = move |stage: usize, first: usize| {
            (0..d).map(move |port| Line {
                line: port,
                address: ((((port + d - stage) % d) << d) + first) * piece,
                counted: false,
            })
        };
        let stage = |stage: usize| {
            // Of 2^(d - stage) pieces that are left the second half goes.
            let half = 1 << (d - stage - 1);
            Transfer {
                begin: stage * start_up + ((1 << d) - 2 * half) * piece,
                start_up,
                bits: half * piece,
                sends: every_node(lines(stage, half)),
                receives: every_node(lines(stage, 0)),
                adds: Some(width),
            }
        };
        let transfers: Vec<Transfer> = (0..d).map(stage).collect();
        let divides = ask.bins.is_multiple_of(d << d);
        let bit_times = match divides {
            true => ((1 << d) - 1) * (ask.bins >> d) / d * width + d * start_up,
            false => ((1 << d) - 1) * piece + d * start_up,
        };
        let form = |text| ask.form(text, &[("b", ask.bins as u64)]);
        Ok(OperationPlan {
            routing_steps: form("d"),
            bit_times: form(match divides {
                true => "(1 - 2^-d)/d b m + dT",
                false => "(2^d - 1) ceil(b/(d 2^d)) m + dT",
            }),
            forwarding_buffer: form("0"),
            divides,
            groups: None,
            packet_bits: None,
            program: TransferProgram {
                cube: ask.cube,
                source: 0,
                ports: ask.ports,
                view: View::Relative,
                low_part: (1 << d) - 1,
                unused: 0,
                memory_bits: (d * piece) << d,
                bit_times,
                steps: transfers.iter().map(|one| one.begin).collect(),
                transfers,
                loads: (0..1 << d).flat_map(|node| bins.segments(node)).collect(),
                arrivals: bins.segments(0),
                reorder: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::algorithm::Ask;
    use crate::routers::collectives::algorithms::tests::{are_whole, ask};

    fn asked(dims: usize, bins: usize, (width, start_up): (usize, usize)) -> Ask {
        Ask {
            bins,
            ..ask(dims, width, start_up)
        }
    }

    /// A = (1 - 2^-d)/d and S = d.
    #[test]
    fn where_it_divides_the_time_is_the_papers() {
        for (d, bins, width, start_up) in
            [(1, 6, 3, 2), (2, 24, 1, 0), (3, 24, 4, 1), (5, 480, 2, 3)]
        {
            let plan = Histogram.plan(&asked(d, bins, (width, start_up))).unwrap();
            assert!(plan.divides);
            let time = ((1 << d) - 1) * bins * width / (d << d) + d * start_up;
            assert_eq!(plan.bit_times.value as usize, time);
            assert_eq!(plan.program.memory_bits, bins * width);
        }
        assert!(!Histogram.plan(&asked(3, 8, (1, 0))).unwrap().divides);
    }

    /// Packets begin and end between words, so that adders find the least significant bit first.
    #[test]
    fn packets_are_whole_words_at_multiples_of_the_width() {
        let program = Histogram.plan(&asked(3, 70, (5, 1))).unwrap().program;
        for transfer in &program.transfers {
            assert_eq!((transfer.adds, transfer.bits % 5), (Some(5), 0));
            let lines = transfer.sends.lines.iter().chain(&transfer.receives.lines);
            assert!(lines.into_iter().all(|line| line.address % 5 == 0));
        }
    }

    /// Every node has every bin once, and every bin's sum comes out once.
    #[test]
    fn every_bin_is_loaded_everywhere_and_arrives_once() {
        for (d, bins) in [(2, 1), (2, 8), (3, 5), (3, 24), (3, 70)] {
            let program = Histogram.plan(&asked(d, bins, (2, 0))).unwrap().program;
            let bits = |segments: &[Segment]| {
                let each = segments.iter().map(|one| match one.at {
                    Some(_) => one.bits,
                    None => one.bits << d,
                });
                each.sum::<usize>()
            };
            assert_eq!(bits(&program.loads), (bins * 2) << d);
            assert_eq!(bits(&program.arrivals), bins * 2);
            if bins.is_multiple_of(1 << d) {
                are_whole(&program, (bins * 2) >> d);
            }
        }
    }

    #[test]
    fn no_bins_and_no_bits_are_refused() {
        let why = |bins, width| {
            let refused = Histogram.plan(&asked(3, bins, (width, 0)));
            refused.unwrap_err().to_string()
        };
        assert_eq!(why(0, 4), "histogram: 0 bins: it takes 1 at least");
        assert_eq!(
            why(4, 0),
            "histogram: numbers of 0 bits: it takes 1 at least"
        );
        assert_eq!(
            why(4, usize::MAX),
            "histogram: 4 bins: the memories of 2^3 nodes would have more than 2^32 bits; it takes fewer dimensions or bits"
        );
    }
}
