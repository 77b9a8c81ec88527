//! Warm-up, measurement and drain: how many bit times each takes, and which of them a run may make longer.

use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::wormhole::injection::{DRAIN, MEASUREMENT, OFFERED_LOAD, WARM_UP};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::Parameter;

/// The longest phase, in bit times.
const LONGEST: u64 = 1_000_000_000_000;
/// How often a run may become twice as long.
const MOST_DOUBLINGS: u32 = 6;
/// A run does not become longer if it then would create more worms, which take memory.
const MOST_WORMS: f64 = 1_048_576.0;

/// Bit times of continuous injection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    /// Before the measurement.
    pub warm_up: u64,
    /// Of the measurement.
    pub measurement: u64,
    /// After it, at the most.
    pub drain: u64,
    /// What of that the run may make longer.
    pub left_open: LeftOpen,
    /// How often the end of the measurement may be put off to twice the bit time.
    pub doublings: u32,
    /// If the network is saturated, nobody waits for what counts: the run is only to tell whether the network carries the load.
    pub is_probe: bool,
}

/// Which phases were not asked for, so that the run may make them longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOpen {
    /// Warm-up and measurement: of a longer run the warm-up is a third, or a half.
    Both,
    /// The warm-up.
    WarmUp,
    /// The measurement.
    Measurement,
    /// Nothing.
    Nothing,
}

impl Phases {
    /// When the measurement ends, at the earliest.
    pub fn first_end(&self) -> u64 {
        self.warm_up + self.measurement
    }

    /// When the measurement ends, at the latest.
    pub fn latest_end(&self) -> u64 {
        self.first_end() << self.doublings
    }
}

/// The refusal of an offered load.
pub fn refused_load(load: f64) -> Refusal {
    Refusal::of(format!("{} {load:e}", OFFERED_LOAD.option))
}

/// The bit times that are asked for of a phase, if any are.
pub fn asked(chosen: &Chosen, phase: &Parameter) -> Option<u64> {
    chosen.whole(phase).map(|bit_times| bit_times as u64)
}

impl Phases {
    /// The phases of a run on this machine.
    ///
    /// # Errors
    /// A phase that is too short or too long; a load at which none that the run may choose has a message to expect.
    pub fn of(
        chosen: &Chosen,
        machine: &WormholeMachine,
        (load, message_bits): (f64, usize),
    ) -> Result<Self, Error> {
        let given = [WARM_UP, MEASUREMENT, DRAIN].map(|phase| asked(chosen, &phase));
        let messages = (5.0 * message_bits as f64 / load).ceil() as u64;
        let warm_up = given[0].unwrap_or(messages.clamp(1000, LONGEST / 20));
        let measurement = given[1].unwrap_or(2 * warm_up.clamp(500, LONGEST / 20));
        let drain = given[2].unwrap_or(10 * measurement.min(LONGEST / 10));
        let ranges = [
            (WARM_UP.option, warm_up, 0),
            (MEASUREMENT.option, measurement, 1),
            (DRAIN.option, drain, 0),
        ];
        for (option, bit_times, least) in ranges {
            if !(least..=LONGEST).contains(&bit_times) {
                let what = format!("{option} {bit_times} is out of range");
                let choice = format!("choose {least} to {LONGEST} bit times");
                return Err(Refusal::of(what).instead(choice).into());
            }
        }
        let network = machine.network();
        // A piece has a bit at least.
        let pieces = network.switches().min(message_bits);
        let worms = (network.nodes() * pieces) as f64 * load / message_bits as f64;
        let may_last = |doublings: u32| {
            let end = (warm_up + measurement) << doublings;
            end <= LONGEST && end as f64 * worms <= MOST_WORMS
        };
        let left_open = match (given[0], given[1]) {
            (None, None) => LeftOpen::Both,
            (None, Some(_)) => LeftOpen::WarmUp,
            (Some(_), None) => LeftOpen::Measurement,
            (Some(_), Some(_)) => LeftOpen::Nothing,
        };
        let doublings = match left_open {
            LeftOpen::Nothing => 0,
            _ => (1..=MOST_DOUBLINGS)
                .take_while(|more| may_last(*more))
                .count() as u32,
        };
        let phases = Phases {
            warm_up,
            measurement,
            drain,
            left_open,
            doublings,
            is_probe: false,
        };
        let (nodes, bit_times) = (network.nodes(), phases.latest_end());
        let least = message_bits as f64 / (nodes as f64 * bit_times as f64);
        if given[1].is_none() && load < least {
            let why = format!(
                "in the longest run, {bit_times} bit times of {nodes} nodes, less than one message is to be expected"
            );
            // Rounded up, to two digits.
            let least = format!("offer {:.1e} or more, or give --measurement", least * 1.05);
            let refused = refused_load(load).because(why).instead(least);
            return Err(refused.only_together(OFFERED_LOAD.option).into());
        }
        Ok(phases)
    }
}
