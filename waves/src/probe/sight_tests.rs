//! What a probe says of the bit times that a view opens on: tests.

use std::ops::Range;

use rtl_model::machine::router::{Position, Steps};
use rtl_model::machine::simulation::{Lockstep, Simulation};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::plain::PLAIN;

use super::*;
use crate::memory::MemoryTrace;

/// A machine that somebody says something of: `3->4,1->2` in some bit times, `1->23` in others, and in some it holds a bit.
struct SpokenOf<'a> {
    machine: &'a dyn Lockstep,
    named: Range<u64>,
    others: Range<u64>,
    holds: Range<u64>,
}

impl<'a> SpokenOf<'a> {
    fn new(machine: &'a dyn Lockstep, times: &[Range<u64>; 3]) -> Self {
        let [named, others, holds] = times.clone();
        SpokenOf {
            machine,
            named,
            others,
            holds,
        }
    }
}

impl Subject for SpokenOf<'_> {
    fn simulation(&self) -> &dyn Simulation {
        self.machine.as_simulation()
    }

    fn steps(&self) -> Option<Steps> {
        self.machine.steps()
    }

    fn about(&self) -> String {
        "a machine of 4 nodes".to_owned()
    }

    fn position(&self) -> Option<Position> {
        Subject::position(&self.machine)
    }

    fn shown(&self) -> rtl_model::machine::shown::Shown {
        self.machine.shown()
    }

    fn occupied_bits(&self, _node: usize, _after: Option<Position>) -> u32 {
        u32::from(self.holds.contains(&self.machine.bit_time()))
    }

    fn remarks(&self) -> Vec<Remark> {
        vec![Remark {
            module: Vec::new(),
            name: "message".to_owned(),
            longest: 9,
        }]
    }

    fn about_remark(&self, _node: usize, _number: usize) -> Option<About> {
        let now = self.machine.bit_time();
        let all = [&self.named, &self.others];
        let changes = all.into_iter().flat_map(|times| [times.start, times.end]);
        Some(About {
            what: all
                .iter()
                .position(|times| times.contains(&now))
                .map_or(0, |text| text + 1),
            until: changes
                .filter(|change| *change > now)
                .min()
                .unwrap_or(u64::MAX),
        })
    }

    fn remark(&self, _node: usize, _number: usize, text: &mut String) {
        let now = self.machine.bit_time();
        if self.named.contains(&now) {
            *text += "3->4,1->2";
        } else if self.others.contains(&now) {
            *text += "1->23";
        }
    }
}

/// What a probe tells of the text and the bit, if a view opens on bit times 4 to 7 and follows `1->2`.
fn probed(times: &[Range<u64>; 3]) -> [Signal; 2] {
    let device = PLAIN.device(Dimensions::new(2).unwrap(), 2).unwrap();
    let mut machine = device.build(1).unwrap();
    let selection = Selection {
        nodes: vec![1],
        window: 0..20,
    };
    let mut probe = Probe::attach(
        MemoryTrace::default(),
        &SpokenOf::new(&*machine, times),
        selection,
    )
    .unwrap();
    probe.follow("1->2");
    probe.open_on(4..8);
    while machine.bit_time() < 12 {
        machine.transmit().unwrap();
        probe.sample(&SpokenOf::new(&*machine, times)).unwrap();
        machine.clock();
    }
    let signals = probe.finish().unwrap().signals;
    ["message", "occupied_bits"].map(|name| {
        let mut signals = signals.iter();
        let signal = signals.find(|one| one.name == name).unwrap();
        assert!(signal.ever_set, "{name}");
        signal.clone()
    })
}

/// Whether the text and the bit are in sight, and whether the text follows.
fn seen(named: Range<u64>, others: Range<u64>, holds: Range<u64>) -> (bool, bool, bool) {
    let [text, bits] = probed(&[named, others, holds]);
    (text.in_sight, text.follows, bits.in_sight)
}

#[test]
fn what_is_said_in_the_first_or_the_last_bit_time_is_in_sight() {
    assert_eq!(seen(4..5, 0..0, 4..5), (true, true, true));
    assert_eq!(seen(7..8, 0..0, 7..8), (true, true, true));
    assert_eq!(seen(0..12, 0..0, 0..12), (true, true, true));
}

/// However many of them nothing changes of when the view opens.
#[test]
fn what_held_before_the_view_opens_is_in_sight() {
    let device = PLAIN.device(Dimensions::new(3).unwrap(), 2).unwrap();
    let mut machine = device.build(1).unwrap();
    let selection = Selection {
        nodes: (0..8).collect(),
        window: 0..20,
    };
    let times = [0..0, 0..0, 0..12];
    let subject = SpokenOf::new(&*machine, &times);
    let mut probe = Probe::attach(MemoryTrace::default(), &subject, selection).unwrap();
    probe.open_on(4..5);
    while machine.bit_time() < 12 {
        machine.transmit().unwrap();
        probe.sample(&SpokenOf::new(&*machine, &times)).unwrap();
        machine.clock();
    }
    let signals = probe.finish().unwrap().signals;
    assert!(signals.len() > 2 * COMPARED_AT_ONCE);
    let held = signals.iter().filter(|one| one.name == "occupied_bits");
    assert_eq!(held.filter(|one| one.in_sight).count(), 8);
}

#[test]
fn what_is_said_before_or_after_is_not() {
    assert_eq!(seen(0..4, 0..0, 0..4), (false, false, false));
    assert_eq!(seen(8..12, 0..0, 8..12), (false, false, false));
}

/// That of a longer number is another message.
#[test]
fn another_message_is_in_sight_and_not_followed() {
    assert_eq!(seen(0..4, 4..8, 0..4), (true, false, false));
    assert_eq!(seen(0..0, 4..12, 5..6), (true, false, true));
}

/// From what holds where a view opens on, to where its bit times end: the lengths of texts, at ticks of ten to a bit time.
#[test]
fn changes_of_a_text_are_told_up_to_the_end_of_the_sight() {
    let said = |named, others| probed(&[named, others, 0..1])[0].said.clone();
    assert_eq!(said(2..6, 6..7), [(20, 9), (60, 5), (70, 0)]);
    assert_eq!(said(5..6, 1..2), [(20, 0), (50, 9), (60, 0)]);
    assert_eq!(said(8..9, 4..5), [(40, 5), (50, 0)]);
}

/// It holds all the time: written once, and in sight wherever a view opens.
#[test]
fn what_runs_is_said_once() {
    let device = PLAIN.device(Dimensions::new(2).unwrap(), 2).unwrap();
    let mut machine = device.build(1).unwrap();
    let selection = Selection {
        nodes: vec![1],
        window: 3..20,
    };
    let times = [0..0, 0..0, 0..0];
    let subject = SpokenOf::new(&*machine, &times);
    let mut trace = MemoryTrace::default();
    let mut probe = Probe::attach(&mut trace, &subject, selection).unwrap();
    for _ in 0..8 {
        machine.transmit().unwrap();
        probe.sample(&SpokenOf::new(&*machine, &times)).unwrap();
        machine.clock();
    }
    let recording = probe.finish().unwrap();
    let signal = trace.signal("cube.about").unwrap();
    let blanks = " ".repeat(caption::INDENTATION);
    let said = [(30, format!("{blanks}a machine of 4 nodes"))];
    assert_eq!(trace.changes(signal), Some(&said[..]));
    let about = recording
        .signals
        .iter()
        .find(|one| one.name == caption::CAPTIONS[0])
        .unwrap();
    assert!(about.ever_set && about.in_sight);
}
