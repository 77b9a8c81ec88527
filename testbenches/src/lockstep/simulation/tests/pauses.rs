//! Runs that pause on several ranks.

use rtl_model::machine::arrivals;
use rtl_model::machine::share::Share;
use rtl_model::machine::share::threads::on_threads;
use rtl_model::routers::kuszmaul::plain::PLAIN;
use rtl_model::traffic::pattern::Pattern;

use super::*;

/// A pause after each so many bit times.
struct Every(u64, usize);

impl Pauses for Every {
    fn begin(&mut self, _readings: &Readings) -> Duration {
        Duration::ZERO
    }

    fn until(&mut self, machine: &dyn Lockstep) -> u64 {
        machine.bit_time() + self.0
    }

    fn at(
        &mut self,
        _machine: &mut dyn Lockstep,
        _readings: &Readings,
    ) -> Result<(), crate::error::Error> {
        self.1 += 1;
        Ok(())
    }
}

/// A pause waits until nothing has been exchanged of what comes after it.
#[test]
fn ranks_that_pause_meet_as_often_as_those_that_do_not() {
    let cube = Dimensions::new(8).unwrap();
    let device = || PLAIN.device(cube, 20).unwrap();
    let traffic = Traffic::drawn(cube, 20, Pattern::Randperm, 0.8, 3).unwrap();
    let foreseen = device().foreseen(Share::new(0, 2).unwrap(), 1).unwrap();
    // The 28 bit times of the first iteration are one stream.
    assert_eq!(foreseen.exchanges, 1);
    for every in [1, 5, 27, 1000] {
        let outcomes = on_threads(2, |rank| {
            let mut machine = device().build_share(rank.clone()).unwrap();
            arrivals::load(&mut *machine, std::slice::from_ref(&traffic)).unwrap();
            let mut pauses = Every(every, 0);
            let held_to = Run::held_to(&|_| None);
            let measured = advance_with(&mut *machine, held_to, Some(&mut pauses)).unwrap();
            (pauses.1, measured.between_ranks.unwrap().exchanges)
        })
        .unwrap();
        for (paused, exchanges) in outcomes {
            assert_eq!(exchanges, foreseen.exchanges, "every {every} bit times");
            assert_eq!(paused == 0, every == 1000);
        }
    }
}
