//! Where an engine of worms, and what looks at it in every bit time, are compiled: here, as their
//! [machine](crate::wormhole::machine_lanes) is.

use waves::probe::Subject;

use crate::tamper::Tamper;
use crate::wormhole::drawn::Drawing;
use crate::wormhole::engine::Engine;
use crate::wormhole::machine_lanes::{MachineLanes, for_lanes_of_worms};
use crate::wormhole::wave::Observed;

/// Lanes that worms go in.
pub trait WormLanes: MachineLanes {
    /// What an engine does in a bit time until bits are on the wires.
    fn transmit(engine: &mut Engine<Self>);

    /// What it does then: hosts send and take.
    fn exchange(engine: &mut Engine<Self>);

    /// What it does when all have looked.
    fn clock(engine: &mut Engine<Self>, tamper: &mut dyn Tamper);

    /// An engine as a waveform and a picture see it.
    fn subject<'a>(observed: &'a Observed<'_, Self>) -> &'a dyn Subject;

    /// As [`Drawing::look`].
    fn draw(drawing: &mut Drawing, engine: &Engine<Self>);
}

macro_rules! compiled_for {
    ($($lanes:ty),+) => { $(
        impl WormLanes for $lanes {
            fn transmit(engine: &mut Engine<Self>) {
                engine.transmit();
            }

            fn exchange(engine: &mut Engine<Self>) {
                engine.exchange();
            }

            fn clock(engine: &mut Engine<Self>, tamper: &mut dyn Tamper) {
                engine.clock(tamper);
            }

            fn subject<'a>(observed: &'a Observed<'_, Self>) -> &'a dyn Subject {
                observed
            }

            fn draw(drawing: &mut Drawing, engine: &Engine<Self>) {
                drawing.look(engine);
            }
        }
    )+ };
}

for_lanes_of_worms!(compiled_for);
