//! Logic depths, each worked out once.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use rtl_model::depth::LogicDepth;
use rtl_model::error::Error;
use rtl_model::router::Router;

/// The depth of a router, kept for the equal ones that come later: so that a sweep does not pay for it at every point, and a
/// run's time is that of the run.
///
/// # Errors
/// A circuit that has none.
pub(crate) fn logic_depth<R: Router>(router: &R) -> Result<LogicDepth, Error> {
    static KNOWN: Mutex<Vec<Box<dyn Any + Send>>> = Mutex::new(Vec::new());
    type Known<R> = (R, LogicDepth);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let of_router = |kept: &Box<dyn Any + Send>| {
        let (of, depth) = kept.downcast_ref::<Known<R>>()?;
        (of == router).then(|| depth.clone())
    };
    if let Some(depth) = known().iter().find_map(of_router) {
        return Ok(depth);
    }
    let depth = LogicDepth::of(router)?;
    known().push(Box::new((router.clone(), depth.clone())));
    Ok(depth)
}

#[cfg(test)]
mod tests {
    use rtl_model::kuszmaul::folded::Folded;
    use rtl_model::kuszmaul::plain::Plain;
    use rtl_model::permutation::{PermutationRouter, Schedule};
    use rtl_model::topology::hypercube::Dimensions;

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
