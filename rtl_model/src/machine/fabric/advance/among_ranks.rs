//! A share of a machine among others: what its links to other ranks carry is exchanged between two turns.
//!
//! ```text
//!   turn    edge t-1, send t            edge t, send t+1            edge t+1, ...
//!                     |                           |
//!             wires   v     to and from           v     of a stream: from what came with t
//!                    [ ] <=============> rank    [ ] <- - -
//! ```
//!
//! While none of these links is driven, a share goes on by itself. Bits of several bit times go in one message where that is
//! possible: `machine/program/streams.rs`.

use std::ops::Range;

use crate::machine::fabric::advance::{Advance, Block, Stopped};
use crate::machine::program::work::{Beside, Outcome, Turn};
use crate::machine::program::{Code, Stream};
use crate::machine::share::Rank;

/// What is exchanged with other ranks.
struct Exchanges<'a> {
    code: &'a Code,
    rank: &'a Rank,
    /// The bit time before which links to other ranks are driven without a pause.
    until: usize,
    /// The planes of a stream, tile by tile.
    ahead: Vec<u64>,
    /// The stream that is under way.
    stream: Option<&'a Stream>,
    /// What came with it, plane by plane.
    came: Vec<u64>,
    /// Room for a message to another rank.
    sent: Vec<u64>,
    /// Room for one from it.
    received: Vec<u64>,
}

impl<'a> Exchanges<'a> {
    fn new(code: &'a Code, rank: &'a Rank) -> Self {
        Exchanges {
            code,
            rank,
            until: 0,
            ahead: Vec::new(),
            stream: None,
            came: Vec::new(),
            sent: Vec::new(),
            received: Vec::new(),
        }
    }

    /// Words of a plane, of all tiles.
    fn plane(&self) -> usize {
        self.code.layout().words
    }

    /// Puts in the place of what was sent in a bit time what comes from other ranks.
    fn exchange(&mut self, bit_time: usize, wires: &mut [u64]) {
        let (code, links) = (self.code, self.code.links());
        for &link in code.roads().to_ranks() {
            if !code.drives(bit_time, link) {
                continue;
            }
            self.sent.clear();
            gather(code, (wires, links), link, &mut self.sent);
            self.over(link);
            scatter(code, (wires, links), link, &self.received);
        }
    }

    /// Exchanges what all bit times of a stream send, which is worked out.
    fn exchange_stream(&mut self, stream: &'a Stream) {
        let (code, plane) = (self.code, self.plane());
        let planes = stream.planes.len();
        self.came.resize(planes * plane, 0);
        for &link in code.roads().to_ranks() {
            self.sent.clear();
            for number in stream.over(link) {
                gather(code, (&self.ahead, planes), number, &mut self.sent);
            }
            if self.sent.is_empty() {
                continue;
            }
            self.over(link);
            for (number, received) in stream.over(link).zip(self.received.chunks_exact(plane)) {
                self.came[number * plane..][..plane].copy_from_slice(received);
            }
        }
        self.stream = Some(stream);
    }

    /// Sends words over a link to another rank, and receives as many.
    fn over(&mut self, link: usize) {
        let Some(bit) = self.code.roads().rank_bit(link) else {
            unreachable!("link {link} leads to no rank");
        };
        self.received.resize(self.sent.len(), 0);
        self.rank.exchange(bit, &self.sent, &mut self.received);
    }

    /// Puts in the place of what was sent in a bit time of a stream what came with it; says whether there is one under way.
    fn take_from_stream(&mut self, bit_time: usize, wires: &mut [u64]) -> bool {
        let Some(stream) = self.stream else {
            return false;
        };
        let plane = self.plane();
        for (number, &(of, link)) in stream.planes.iter().enumerate() {
            if of == bit_time {
                let came = &self.came[number * plane..][..plane];
                scatter(self.code, (wires, self.code.links()), link, came);
            }
        }
        if bit_time + 1 == stream.bit_times.end {
            self.stream = None;
        }
        true
    }
}

/// Appends a plane of all tiles, which is the `number`-th of so many that each of them has.
fn gather(code: &Code, (words, of_tile): (&[u64], usize), number: usize, to: &mut Vec<u64>) {
    let tile = code.layout().shape.words();
    for (index, words) in words.chunks_exact(of_tile * tile).enumerate() {
        to.extend_from_slice(&words[number * tile..][..filled(code, index)]);
    }
}

/// Writes it.
fn scatter(code: &Code, (words, of_tile): (&mut [u64], usize), number: usize, mut from: &[u64]) {
    let tile = code.layout().shape.words();
    for (index, words) in words.chunks_exact_mut(of_tile * tile).enumerate() {
        let (here, rest) = from.split_at(filled(code, index));
        words[number * tile..][..here.len()].copy_from_slice(here);
        from = rest;
    }
}

/// Words of a plane that are in a tile: only the last one may be filled in part.
fn filled(code: &Code, tile: usize) -> usize {
    let of_tile = code.layout().shape.words();
    of_tile.min(code.layout().words - tile * of_tile)
}

impl<const WORDS: usize, const VECTORS: usize> Advance<'_, WORDS, VECTORS> {
    /// Takes a share through the bit times: by itself while no link is driven that leads to another rank, and else bit time
    /// after bit time, with what is on these links exchanged in between, if it has not come before.
    pub(super) fn among_ranks(
        &self,
        mut block: Block<'_>,
        bit_times: Range<usize>,
        threads: usize,
        rank: &Rank,
    ) -> Result<(), Stopped> {
        let links = self.code.roads().to_ranks();
        let mut exchanges = Exchanges::new(self.code, rank);
        let mut start = bit_times.start;
        while start < bit_times.end {
            let left = start..bit_times.end;
            let (idle_until, busy_until) = self.code.idle_then_busy(links, left, 1);
            if idle_until > start {
                self.run(block.whole(), start..idle_until, threads)?;
            }
            if busy_until > idle_until {
                exchanges.until = busy_until;
                let mut workers = self.workers(&block, threads, Beside::among_ranks);
                let busy = idle_until..busy_until;
                self.turn_by_turn(
                    &mut block,
                    busy,
                    &mut workers,
                    &mut |block, workers, turned| {
                        self.exchange(&mut exchanges, block, workers, turned)
                    },
                )?;
            }
            start = busy_until;
        }
        Ok(())
    }

    /// Exchanges what a bit time has put onto wires to other ranks.
    fn exchange<'a>(
        &'a self,
        exchanges: &mut Exchanges<'a>,
        block: &mut Block<'_>,
        workers: &mut [Beside],
        (bit_time, outcome): (usize, Outcome),
    ) -> Outcome {
        // All ranks stop in the same bit time.
        if self.code.may_clash(bit_time) && exchanges.rank.any(outcome != Outcome::ToTheEnd) {
            return Outcome::Clash(bit_time);
        }
        if let Some(stream) = self.code.stream(bit_time, exchanges.until) {
            self.work_ahead(stream, block, workers, &mut exchanges.ahead);
            exchanges.exchange_stream(stream);
        }
        if !exchanges.take_from_stream(bit_time, block.now) {
            exchanges.exchange(bit_time, block.now);
        }
        outcome
    }

    /// Works out what a stream sends, tile by tile.
    fn work_ahead(
        &self,
        stream: &Stream,
        block: &mut Block<'_>,
        workers: &mut [Beside],
        ahead: &mut Vec<u64>,
    ) {
        let of_tile = stream.planes.len() * self.code.layout().shape.words();
        ahead.resize(block.tiles.len() * of_tile, 0);
        let turn = Turn {
            ahead: Some(stream.bit_times.start),
            ..Turn::default()
        };
        let mut worked_out = Block {
            first: block.first,
            tiles: block.tiles,
            now: &mut [],
            next: ahead,
            gauges: &mut [],
            meters: None,
        };
        _ = self.turn(&mut worked_out, turn, workers);
    }
}
