//! What goes to other ranks in one message: the bits of several bit times, if nothing that comes in between changes them.
//!
//! ```text
//!   bit times                 t      t+1     t+2     t+3
//!   sent to another rank      a       b       c       d      a, b, c, d known from the registers at t
//!   messages                [ a       b       c       d ]    one, at t; d would wait if it came of what is received at t
//! ```
//!
//! A payload that leaves a register bit after bit is such a stream. Whether it is one is read off the operations of the bit
//! times: each result is known at `t` that comes of nothing but registers at `t`, and what comes over a wire is not, be it of
//! another rank or of this one. Where something is sent to another rank that is not known, the stream is over. Of the operations,
//! those are kept that lead to what is sent. They change no register: their results are planes beside the tile, and what they
//! send is worked out again when its bit time comes.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::machine::program::blocks::MovedBlocks;
use crate::machine::program::kernels::Kernel;
use crate::machine::program::operation::{Operand, OperandKind, Operation, ZERO};
use crate::machine::program::{Code, Stream};

/// Bytes that a rank sends at once, over all links to others: with more, messages take longer on their way than to be begun.
const LONG_MESSAGE: usize = 1 << 16;

/// The most bit times of a stream: what is gained by more is little.
const MOST_BIT_TIMES: usize = 64;

/// The most operations that work out what is sent ahead, for each plane of it: more would take longer than a message of its
/// own.
const MOST_OPERATIONS: usize = 8;

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

    /// How often a rank exchanges planes in bit times, in all of which some link to another rank is driven; and how many
    /// operations work out ahead what is in them.
    pub(crate) fn exchanges(&self, Range { start, end }: Range<usize>) -> (u64, u64) {
        let (mut exchanges, mut operations) = (0, 0);
        let mut at = start;
        while at < end {
            let links = self.roads.to_ranks().iter();
            let stream = self.stream(at, end);
            let sends = |link: &&usize| match stream {
                Some(stream) => stream.over(**link).next().is_some(),
                None => self.drives(at, **link),
            };
            exchanges += links.filter(sends).count() as u64;
            operations += stream.map_or(0, |stream| stream.operations.len() as u64);
            at = stream.map_or(at + 1, |stream| stream.bit_times.end);
        }
        (exchanges, operations)
    }

    /// The planes that the stream sends which begins in a bit time.
    pub(super) fn planes_of_stream(&self, bit_time: usize) -> usize {
        let stream = self.stream(bit_time, usize::MAX);
        stream.map_or(0, |stream| stream.planes.len())
    }

    /// Finds all streams, one after the other, each as long as it can be.
    pub(super) fn find_streams(&mut self) {
        let links = self.roads.to_ranks().to_vec();
        let most = LONG_MESSAGE / (self.layout.words * size_of::<u64>()).max(1);
        if most < 2 {
            return;
        }
        let (mut start, end) = (0, self.length());
        while start < end {
            let (idle_until, busy_until) = self.idle_then_busy(&links, start..end, 1);
            let mut at = idle_until;
            while at < busy_until {
                let mut ahead = Ahead::new(self.scratch);
                let until = self.work_ahead(&mut ahead, at..busy_until, most);
                if until > at + 1 {
                    let (operations, scratch) = ahead.needed();
                    let from = self.operations.len();
                    self.operations.extend(operations);
                    self.scratch_of_streams = self.scratch_of_streams.max(scratch);
                    self.planes_of_streams = self.planes_of_streams.max(ahead.sent.len());
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
            if !ahead.send(self, bit_time, most) {
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
            let OperandKind::Wire(link) = operation.to.place() else {
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
                to: Operand::of(OperandKind::Wire(self.sent.len())),
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
                OperandKind::Slot(slot) => _ = self.slots.insert(slot, result),
                _ => _ = beside.insert(operation.to, result),
            }
        }
        // What lies at these places then is not known.
        let moved = code.blocks(bit_time).map(MovedBlocks::places);
        self.slots
            .extend(moved.into_iter().flatten().map(|slot| (slot, None)));
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
        let to = Operand::of(OperandKind::Scratch(self.scratch));
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
        let mut operands = [Operand::of(OperandKind::Scratch(ZERO)); 3];
        for (number, operand) in operation.operands.into_iter().enumerate() {
            if !operation.kernel.reads(number) {
                continue;
            }
            operands[number] = match operand.place() {
                OperandKind::Slot(slot) => {
                    self.slots.get(&slot).copied().unwrap_or(Some(operand))?
                }
                OperandKind::Wire(_) | OperandKind::Gathered(_) => return None,
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
            OperandKind::Scratch(plane) => plane.checked_sub(self.first_scratch),
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
            Some(plane) => Operand::of(OperandKind::Scratch(place[plane])),
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
mod tests;
