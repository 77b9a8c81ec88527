//! Testbench `packing`: Algorithm 1 on any semi-contraction.

use rtl_model::kuszmaul::packing::PackingRouter;
use rtl_model::router::Router;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;

use crate::benches::messages::{self, MessageBench};
use crate::catalogue::Bench;
use crate::error::Error;
use crate::options::Setup;

pub(super) fn router(setup: &Setup) -> Result<PackingRouter, Error> {
    setup.schedule(Bench::Packing)?;
    Ok(PackingRouter::new(
        setup.dimensions()?,
        setup.payload_bits(),
    )?)
}

pub(super) fn set_up(setup: &Setup) -> Result<MessageBench<'_, PackingRouter>, Error> {
    let bench = Bench::Packing;
    let schedule = setup.schedule(bench)?;
    let router = router(setup)?;
    let traffic_name = setup.traffic_name(Pattern::Packed)?;
    messages::require_room(&router)?;
    let traffic = setup.traffic(router.dimensions(), Pattern::Packed)?;
    traffic.check_semi_contraction()?;
    Ok(MessageBench {
        bench,
        router,
        setup,
        schedule,
        traffic_name,
        traffic,
        interesting,
        storage_bound: None,
    })
}

/// The two ends of the message that goes farthest.
fn interesting(traffic: &Traffic) -> Vec<usize> {
    let farthest = traffic
        .messages()
        .iter()
        .max_by_key(|message| (message.source ^ message.destination).count_ones());
    match farthest {
        Some(message) if message.source != message.destination => {
            vec![message.source, message.destination]
        }
        _ => vec![0, traffic.nodes().count() - 1],
    }
}
