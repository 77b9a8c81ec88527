//! What goes to other ranks in one message: the bits of several bit times, if nothing that comes in between changes them.
//!
//! ```text
//!   bit times                 t      t+1     t+2     t+3
//!   sent to another rank      a       b       c       d      a, b, c, d known from the registers at t
//!   messages                [ a       b       c       d ]    one, at t; d would wait if it came of what is received at t
//! ```
//!
//! A payload that leaves a register bit after bit is such a stream. Whether it is one is read off the operations: those that
//! lead to what is sent are followed back to the registers at `t`. Where one leads to a wire, to another node's or another
//! rank's, the stream is over. What is left are the operations that work out all of it at `t`. They change no register: their
//! results are planes beside the tile, and what they send is worked out again when its bit time comes.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::machine::program::Code;
use crate::machine::program::kernels::Kernel;
use crate::machine::program::operation::{Operand, Operation, Place, ZERO};

/// Bytes of a message, above which no more bit times are put into it: it takes longer on its way than to be begun.
const LONG_MESSAGE: usize = 1 << 16;

/// The most bit times of a stream: what is gained by more is little.
const MOST_BIT_TIMES: usize = 64;

/// The most operations that work out what is sent ahead, for each plane of it: more would take longer than a message of its
/// own.
const MOST_OPERATIONS: usize = 8;

/// Bits of several bit times that a rank sends at once.
#[derive(Debug)]
pub(crate) struct Stream {
    /// These bit times, two at the least.
    pub bit_times: Range<usize>,
    /// The planes that are sent: each with its bit time, and its link.
    pub planes: Vec<(usize, usize)>,
    /// What works them out from the registers at the first of the bit times. The wire to which a plane goes is its number
    /// in `planes`.
    pub(super) operations: Range<usize>,
}

impl Stream {
    /// The numbers of the planes that go over a link.
    pub fn over(&self, link: usize) -> impl Iterator<Item = usize> {
        let planes = self.planes.iter().enumerate();
        planes.filter_map(move |(number, (_, over))| (*over == link).then_some(number))
    }
}

impl Code {
    /// The stream that begins in a bit time, if there is one, and if it is over at `end`.
    pub(crate) fn stream(&self, bit_time: usize, end: usize) -> Option<&Stream> {
        let streams = &self.streams;
        let found = streams.binary_search_by_key(&bit_time, |stream| stream.bit_times.start);
        let stream = &streams[found.ok()?];
        (stream.bit_times.end <= end).then_some(stream)
    }

    /// The first bit time from this one on at which no stream is under way.
    pub(crate) fn between_streams(&self, bit_time: usize) -> usize {
        let streams = &self.streams;
        let after = streams.partition_point(|stream| stream.bit_times.end <= bit_time);
        match streams.get(after) {
            Some(stream) if stream.bit_times.start < bit_time => stream.bit_times.end,
            _ => bit_time,
        }
    }

    /// How many messages a rank sends in bit times, in all of which some link to another rank is driven; and how many
    /// operations work out ahead what is in them.
    pub(crate) fn messages(&self, Range { start, end }: Range<usize>) -> (u64, u64) {
        let (mut messages, mut operations) = (0, 0);
        let mut at = start;
        while at < end {
            let links = self.roads.to_ranks().iter();
            let stream = self.stream(at, end);
            let sends = |link: &&usize| match stream {
                Some(stream) => stream.over(**link).next().is_some(),
                None => self.drives(at, **link),
            };
            messages += links.filter(sends).count() as u64;
            operations += stream.map_or(0, |stream| stream.operations.len() as u64);
            at = stream.map_or(at + 1, |stream| stream.bit_times.end);
        }
        (messages, operations)
    }

    /// The planes that the stream sends which begins in a bit time.
    pub(super) fn planes_of_stream(&self, bit_time: usize) -> usize {
        let stream = self.stream(bit_time, usize::MAX);
        stream.map_or(0, |stream| stream.planes.len())
    }

    /// The most planes that any stream sends.
    pub(super) fn planes_of_streams(&self) -> usize {
        let planes = self.streams.iter().map(|stream| stream.planes.len());
        planes.max().unwrap_or(0)
    }

    /// Finds all streams, one after the other, each as long as it can be.
    pub(super) fn find_streams(&mut self) {
        let links = self.roads.to_ranks().to_vec();
        let most = LONG_MESSAGE / (self.layout.words * size_of::<u64>()).max(1);
        let first_scratch = self.scratch;
        let (mut start, end) = (0, self.length());
        while start < end {
            let (idle_until, busy_until) = self.idle_then_busy(&links, start..end, 1);
            let mut at = idle_until;
            while at < busy_until {
                let mut ahead = Ahead::new(first_scratch);
                let until = self.work_ahead(&mut ahead, at..busy_until, most);
                if until > at + 1 {
                    let (operations, scratch) = ahead.needed();
                    let from = self.operations.len();
                    self.operations.extend(operations);
                    self.scratch = self.scratch.max(scratch);
                    self.streams.push(Stream {
                        bit_times: at..until,
                        planes: ahead.sent,
                        operations: from..self.operations.len(),
                    });
                }
                at = until;
            }
            start = busy_until;
        }
    }

    /// Goes through bit times as long as what they send to other ranks is known at the first of them, and gives the one after
    /// the last: it sends so many planes at the most.
    fn work_ahead(&self, ahead: &mut Ahead, bit_times: Range<usize>, most: usize) -> usize {
        let first = bit_times.start;
        let end = bit_times.end.min(first + MOST_BIT_TIMES);
        for bit_time in first..end {
            // Where two units may drive one wire, all ranks have to stop in the same bit time.
            if self.may_clash(bit_time) || !ahead.send(self, bit_time, most) {
                return bit_time.max(first + 1);
            }
            ahead.edge(self, bit_time);
        }
        end
    }
}

/// Works out what bit times come to, one after the other, without what comes over wires.
struct Ahead {
    /// The registers that have changed: where they are, or nothing, if that depends on what comes over a wire.
    slots: FxHashMap<usize, Option<Operand>>,
    /// The next plane beside the tile.
    scratch: usize,
    first_scratch: usize,
    operations: Vec<Operation>,
    /// The planes that are sent to other ranks.
    sent: Vec<(usize, usize)>,
}

impl Ahead {
    fn new(first_scratch: usize) -> Self {
        Ahead {
            slots: FxHashMap::default(),
            scratch: first_scratch,
            first_scratch,
            operations: Vec::new(),
            sent: Vec::new(),
        }
    }

    /// What a bit time sends to other ranks. Where that is not known, or more planes than `most` in all, or takes too many
    /// operations, it is left as it was, and says so by `false`.
    fn send(&mut self, code: &Code, bit_time: usize, most: usize) -> bool {
        let (operations, sent) = (self.operations.len(), self.sent.len());
        let is_sent = self.send_all(code, bit_time)
            && self.sent.len() <= most
            && self.needed().0.len() <= MOST_OPERATIONS * self.sent.len();
        if !is_sent {
            self.operations.truncate(operations);
            self.sent.truncate(sent);
        }
        is_sent
    }

    /// The same, however much it is.
    fn send_all(&mut self, code: &Code, bit_time: usize) -> bool {
        let mut beside = FxHashMap::default();
        for operation in code.sending(bit_time) {
            let Place::Wire(link) = operation.to.place() else {
                let result = self.result(operation, &beside);
                beside.insert(operation.to, result);
                continue;
            };
            if code.roads.rank_bit(link).is_none() {
                continue;
            }
            let Some(operands) = self.operands(operation, &beside) else {
                return false;
            };
            self.operations.push(Operation {
                kernel: operation.kernel,
                to: Operand::of(Place::Wire(self.sent.len())),
                operands,
            });
            self.sent.push((bit_time, link));
        }
        true
    }

    /// The clock edge at its end.
    fn edge(&mut self, code: &Code, bit_time: usize) {
        let mut beside = FxHashMap::default();
        for operation in code.edge(bit_time) {
            let result = self.result(operation, &beside);
            match operation.to.place() {
                Place::Slot(slot) => _ = self.slots.insert(slot, result),
                _ => _ = beside.insert(operation.to, result),
            }
        }
    }

    /// Where the result of an operation is, if it is known.
    fn result(
        &mut self,
        operation: &Operation,
        beside: &FxHashMap<Operand, Option<Operand>>,
    ) -> Option<Operand> {
        let operands = self.operands(operation, beside)?;
        if operation.kernel == Kernel::Copy && !operands[2].place().is_apart() {
            return Some(operands[2]);
        }
        let to = Operand::of(Place::Scratch(self.scratch));
        self.scratch += 1;
        self.operations.push(Operation {
            kernel: operation.kernel,
            to,
            operands,
        });
        Some(to)
    }

    /// Where its operands are; nothing if one of them is not known.
    fn operands(
        &self,
        operation: &Operation,
        beside: &FxHashMap<Operand, Option<Operand>>,
    ) -> Option<[Operand; 3]> {
        let mut operands = [Operand::of(Place::Scratch(ZERO)); 3];
        for (number, operand) in operation.operands.into_iter().enumerate() {
            if !operation.kernel.reads(number) {
                continue;
            }
            operands[number] = match operand.place() {
                Place::Slot(slot) => self.slots.get(&slot).copied().unwrap_or(Some(operand))?,
                Place::Wire(_) | Place::Gathered(_) => return None,
                // Constants and place bits are never worked out.
                _ => beside.get(&operand).copied().unwrap_or(Some(operand))?,
            };
        }
        Some(operands)
    }

    /// The operations that lead to what is sent, in planes beside the tile that follow each other; and the number of the plane
    /// after these.
    fn needed(&self) -> (Vec<Operation>, usize) {
        let mut is_needed = vec![false; self.scratch - self.first_scratch];
        let own = |operand: Operand| match operand.place() {
            Place::Scratch(plane) => plane.checked_sub(self.first_scratch),
            _ => None,
        };
        let mut operations: Vec<Operation> = Vec::new();
        for operation in self.operations.iter().rev() {
            if own(operation.to).is_none_or(|plane| is_needed[plane]) {
                let read = operation.operands.into_iter().filter_map(own);
                read.for_each(|plane| is_needed[plane] = true);
                operations.push(*operation);
            }
        }
        operations.reverse();
        let mut scratch = self.first_scratch;
        let mut place = vec![0; is_needed.len()];
        for (place, _) in place.iter_mut().zip(&is_needed).filter(|(_, is)| **is) {
            *place = scratch;
            scratch += 1;
        }
        let moved = |operand: Operand| match own(operand) {
            Some(plane) => Operand::of(Place::Scratch(place[plane])),
            None => operand,
        };
        for operation in &mut operations {
            operation.to = moved(operation.to);
            operation.operands = operation.operands.map(moved);
        }
        (operations, scratch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::program::Program;
    use crate::machine::router::Router;
    use crate::machine::share::Share;
    use crate::machine::topology::Topology;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::folded::Folded;
    use crate::routers::kuszmaul::plain::Plain;
    use crate::routers::kuszmaul::spread::Spread;
    use crate::routers::permutation::PermutationRouter;
    use crate::routers::sorting::bitonic;

    fn program<R: Router>(router: &R, ranks: usize) -> Program<R> {
        let share = Share::new(ranks - 1, ranks).unwrap();
        let groups = share.groups(router.topology().groups::<u64>(1)).len();
        Program::of_share::<u64>(router, (groups, share), true)
    }

    fn plain(dims: usize, payload_bits: usize) -> PermutationRouter<Plain> {
        PermutationRouter::new(Dimensions::new(dims).unwrap(), payload_bits).unwrap()
    }

    /// Bit times of each stream.
    fn lengths(code: &Code) -> Vec<usize> {
        let streams = code.streams.iter();
        streams.map(|stream| stream.bit_times.len()).collect()
    }

    /// Of two ranks, all that the first iteration sends is known from the beginning: k+D bit times.
    #[test]
    fn a_payload_goes_in_as_few_messages_as_its_length_allows() {
        for (dims, payload_bits, expected) in [
            (10, 8, vec![18]),
            (10, 54, vec![64]),
            (10, 64, vec![64, 10]),
            (16, 64, vec![16; 5]),
            (18, 8, vec![4, 4, 4, 4, 4, 4, 2]),
            // Planes of 32 KiB, and of 64 KiB: one of these is a long message.
            (19, 8, vec![2; 13]),
            (20, 8, vec![]),
            (22, 8, vec![]),
        ] {
            let router = plain(dims, payload_bits);
            let program = program(&router, 2);
            let code = program.code();
            assert_eq!(lengths(code), expected, "{dims}, {payload_bits}");
            let all = code.idle_then_busy(code.roads().to_ranks(), 0..code.length(), 1);
            assert_eq!(all.1 - all.0, dims + payload_bits);
            let alone = all.1 - all.0 - expected.iter().sum::<usize>();
            let (messages, operations) = code.messages(all.0..all.1);
            assert_eq!(messages as usize, expected.len() + alone);
            assert_eq!(operations == 0, expected.is_empty());
        }
    }

    fn check(code: &Code) {
        let length = code.length();
        let mut last = 0;
        for stream in &code.streams {
            let Range { start, end } = stream.bit_times;
            assert!(last <= start && start + 1 < end && end <= length);
            last = end;
            let driven = (start..end).flat_map(|bit_time| {
                let links = code.sending(bit_time).iter();
                let links = links.filter_map(|operation| match operation.to.place() {
                    Place::Wire(link) if code.roads().rank_bit(link).is_some() => Some(link),
                    _ => None,
                });
                links.map(move |link| (bit_time, link))
            });
            assert!(driven.eq(stream.planes.iter().copied()));
            for bit_time in start..end {
                assert!(!code.may_clash(bit_time));
                for link in 0..code.links() {
                    let is_sent = stream.planes.contains(&(bit_time, link));
                    let is_to_rank = code.roads().rank_bit(link).is_some();
                    assert_eq!(is_sent, is_to_rank && code.drives(bit_time, link));
                }
            }
            let bytes = stream.planes.len() * code.layout().words * 8;
            assert!(bytes <= LONG_MESSAGE);
            assert!(stream.operations.len() <= MOST_OPERATIONS * stream.planes.len());
            let mut sent = Vec::new();
            for operation in code.operations(&stream.operations) {
                match operation.to.place() {
                    Place::Wire(number) => sent.push(number),
                    Place::Scratch(plane) => assert!(plane < code.scratch),
                    other => panic!("a stream writes {other:?}"),
                }
                let wires = operation.operands.iter().filter(|operand| {
                    matches!(operand.place(), Place::Wire(_) | Place::Gathered(_))
                });
                assert_eq!(wires.count(), 0);
            }
            assert!(sent.into_iter().eq(0..stream.planes.len()));
            assert!(code.stream(start, end).is_some() && code.stream(start, end - 1).is_none());
        }
        for bit_time in 0..=length + 1 {
            let is_under_way = |at: usize| {
                let mut streams = code.streams.iter();
                streams.any(|stream| stream.bit_times.start < at && at < stream.bit_times.end)
            };
            let next = (bit_time..).find(|at| !is_under_way(*at));
            assert_eq!(Some(code.between_streams(bit_time)), next);
        }
    }

    #[test]
    fn streams_are_what_is_driven_and_come_of_registers_alone() {
        for (dims, payload_bits) in [(9, 1), (9, 20), (12, 64), (16, 16)] {
            let cube = Dimensions::new(dims).unwrap();
            for ranks in [2, 4, 8] {
                let router = plain(dims, payload_bits);
                check(program(&router, ranks).code());
                let router = PermutationRouter::<Spread>::new(cube, payload_bits).unwrap();
                check(program(&router, ranks).code());
                let router = PermutationRouter::<Folded>::new(cube, payload_bits).unwrap();
                check(program(&router, ranks).code());
                let router = PermutationRouter::<bitonic::Sort>::new(cube, payload_bits).unwrap();
                check(program(&router, ranks).code());
            }
        }
    }

    /// Messages of four ranks and more, of which some depend on what was received just before.
    #[test]
    fn what_depends_on_what_is_received_is_sent_alone() {
        let messages = |router: &PermutationRouter<Plain>, ranks| {
            let program = program(router, ranks);
            let code = program.code();
            let (mut start, mut all) = (0, 0);
            while start < code.length() {
                let links = code.roads().to_ranks();
                let (idle_until, busy_until) = code.idle_then_busy(links, start..code.length(), 1);
                all += code.messages(idle_until..busy_until).0;
                start = busy_until;
            }
            let plane = code.layout().words as u64;
            (code.words_to_ranks(0..code.length()) / plane, all)
        };
        let router = plain(16, 64);
        assert_eq!(messages(&router, 2), (80, 5));
        assert_eq!(messages(&router, 4), (365, 91));
        assert_eq!(messages(&router, 8), (851, 497));
    }
}
