//! A router run with all meters on.

use rtl_model::lanes::Lanes;
use rtl_model::router::MessageRouter;
use rtl_model::traffic::Traffic;
use testbenches::scoreboard::{Arrivals, Score};
use testbenches::simulation::{self, Run};

use super::loaded;

/// Runs a routing with all meters on: it must deliver, take the bit times of its closed form, drive no wire twice, and have
/// every message bit in one place, neither lost nor doubled, after every bit time.
pub fn delivers_with_meters_on<R: MessageRouter + Copy, B: Lanes>(router: R, traffic: &Traffic) {
    let messages = traffic.messages().len();
    let mut fabric = loaded::<R, B>(router, traffic);
    let measured = simulation::advance(&mut fabric, Run::of(messages as u64)).unwrap();
    let what = || {
        let k = router.dimensions().count();
        let routing = traffic.messages().to_vec();
        format!("k = {k}, D = {}: {routing:?}", router.payload_bits())
    };
    assert_eq!(measured.not_conserved, None, "{}", what());
    assert_eq!(measured.conflict, None, "{}", what());
    assert_eq!(measured.bit_times, router.bit_times().value, "{}", what());
    assert!(
        measured.peak_bits_per_node as usize <= measured.storage.total,
        "{}",
        what()
    );
    let score = Score::new(traffic, &Arrivals::read(&fabric, 0));
    assert_eq!(score.first_fault, None, "{}", what());
    assert_eq!(score.delivered, messages, "{}", what());
}
