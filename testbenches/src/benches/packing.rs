//! Testbench `packing`: Algorithm 1 on any semi-contraction.

use rtl_model::kuszmaul::packing::PackingRouter;
use rtl_model::traffic::pattern::Pattern;

use crate::benches::messages::{self, MessageRun};
use crate::catalogue::Bench;
use crate::error::Error;
use crate::options::RunOptions;
use crate::report::Report;

pub(super) fn run(options: &RunOptions) -> Result<Report, Error> {
    let bench = Bench::Packing;
    let schedule = options.schedule(bench)?;
    let dimensions = options.dimensions()?;
    let router = PackingRouter::new(dimensions, options.payload_bits())?;
    let traffic_name = options.traffic_name(Pattern::Packed)?;
    messages::require_room(&router)?;
    let traffic = options.traffic(dimensions, Pattern::Packed)?;
    traffic.check_semi_contraction()?;
    // The two ends of the message that goes farthest.
    let farthest = traffic
        .messages()
        .iter()
        .max_by_key(|message| (message.source ^ message.destination).count_ones());
    let interesting = match farthest {
        Some(message) if message.source != message.destination => {
            vec![message.source, message.destination]
        }
        _ => vec![0, dimensions.nodes() - 1],
    };
    MessageRun {
        bench,
        router,
        options,
        schedule,
        traffic_name,
        traffic,
        interesting,
        storage_bound: None,
    }
    .run()
}
