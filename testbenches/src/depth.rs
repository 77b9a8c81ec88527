//! Logic depths, each worked out once.

use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::machine::memory;

/// The depth of a router, kept for the equal ones that come later: so that a sweep does not pay for it at every point, and a
/// run's time is that of the run.
///
/// # Errors
/// A circuit that has none.
pub(crate) fn logic_depth(device: &dyn Device) -> Result<LogicDepth, Error> {
    static KNOWN: Mutex<Vec<(Box<dyn Device>, LogicDepth)>> = Mutex::new(Vec::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let depth_of =
        |(of, depth): &(Box<dyn Device>, LogicDepth)| of.is_like(device).then(|| depth.clone());
    if let Some(depth) = known().iter().find_map(depth_of) {
        return Ok(depth);
    }
    let depth = device.logic_depth()?;
    known().push((device.another(), depth.clone()));
    Ok(depth)
}

/// Works it out on a thread of its own, where one can be had: once that is joined, [`logic_depth`] knows it.
pub(crate) fn begin(device: &dyn Device) -> Option<JoinHandle<()>> {
    let device = device.another();
    memory::on_another_thread(move || _ = logic_depth(&*device))
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::kuszmaul::folded::Folded;
    use rtl_model::routers::kuszmaul::plain::Plain;
    use rtl_model::routers::permutation::{PermutationRouter, Schedule};

    use super::*;

    /// Of the same type, dimensions or payload, never the same in all.
    #[test]
    fn each_router_has_its_own_depth_however_often_it_is_asked_for() {
        fn router<S: Schedule>(k: usize, payload_bits: usize) -> PermutationRouter<S> {
            PermutationRouter::new(Dimensions::new(k).unwrap(), payload_bits).unwrap()
        }
        for _ in 0..2 {
            let mut found = Vec::new();
            for (k, payload_bits) in [(3, 8), (6, 8), (3, 100)] {
                let (plain, folded) = (
                    router::<Plain>(k, payload_bits),
                    router::<Folded>(k, payload_bits),
                );
                let depths = [logic_depth(&plain).unwrap(), logic_depth(&folded).unwrap()];
                assert_eq!(depths[0], LogicDepth::of(&plain).unwrap());
                assert_eq!(depths[1], LogicDepth::of(&folded).unwrap());
                found.extend(depths.map(|depth| depth.total));
            }
            found.sort_unstable();
            found.dedup();
            assert!(
                found.len() > 3,
                "they differ, or nothing is shown: {found:?}"
            );
        }
    }
}
