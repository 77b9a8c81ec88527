//! Which of the sizes that a construction has is asked for.

use crate::embedding::constructions::construction::{Ask, Construction};
use crate::error::Error;

/// The dimensions that are asked for, of those that there are, in ascending order; or the construction's default.
///
/// # Errors
/// A size that is not there, with the nearest on both sides.
pub(super) fn one_of(
    of: &dyn Construction,
    ask: &Ask,
    there_are: &[usize],
    why: &str,
) -> Result<usize, Error> {
    ask.only_dimensions(of)?;
    let dimensions = ask.dimensions.unwrap_or(of.default_dimensions());
    if there_are.contains(&dimensions) {
        return Ok(dimensions);
    }
    let below = there_are.iter().rev().find(|&&size| size < dimensions);
    let above = there_are.iter().find(|&&size| size > dimensions);
    let nearest: Vec<String> = below
        .into_iter()
        .chain(above)
        .map(usize::to_string)
        .collect();
    let instead = format!("choose {}", nearest.join(" or "));
    Err(of.refused(dimensions, why, instead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::constructions::construction;

    fn refusal(dimensions: usize) -> String {
        let of = construction("ccc-copies").unwrap();
        let ask = Ask::of_dimensions(dimensions);
        one_of(of, &ask, &[3, 6, 11], "so it is")
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_refusal_names_the_nearest_sizes_on_both_sides() {
        assert!(refusal(2).ends_with("so it is: choose 3"));
        assert!(refusal(7).ends_with("so it is: choose 6 or 11"));
        assert!(refusal(12).ends_with("so it is: choose 11"));
    }

    #[test]
    fn axes_are_refused() {
        let of = construction("ccc-copies").unwrap();
        let ask = Ask {
            axes: Some(2),
            ..Ask::default()
        };
        assert!(one_of(of, &ask, &[3], "").is_err());
    }
}
