//! Points of a grid that cannot be, though each of their coordinates can: a partial load of a sort that carries full
//! permutations only, copies of cycles of 3 levels, transpose at an odd number of dimensions. A sweep goes without them, and
//! says so; one that has no others is refused.

use std::fmt::Write as _;
use std::mem::{Discriminant, discriminant};

use rtl_model::error::Error as ModelError;

use crate::error::Error;
use crate::interrupt;
use crate::measure::axes::{self, Coordinate};
use crate::measure::{GridPoint, SweepOptions};
use crate::output::{is_quiet, tell};

/// Reasons of one kind are told once; of what is refused, once for each that refuses it.
type Kind = (
    Discriminant<Error>,
    Option<Discriminant<ModelError>>,
    Option<&'static str>,
);

/// The kind of a reason for which a point is left out; none if it is a reason to refuse the sweep.
fn kind(reason: &Error) -> Option<Kind> {
    let of_model = match reason {
        Error::Model(model) => Some(discriminant(model)),
        _ => None,
    };
    let kind = (discriminant(reason), of_model, reason.kind_together());
    reason.concerns_one_point().then_some(kind)
}

/// The first point of a kind, and how many more there are.
#[derive(Debug)]
struct Example {
    kind: Kind,
    point: String,
    reason: Error,
    more: u64,
}

/// What a grid goes without.
#[derive(Debug, Default)]
pub struct LeftOut(Vec<Example>);

impl LeftOut {
    /// Those points of which a check says that they can be.
    ///
    /// # Errors
    /// Any reason but that one of them cannot be.
    pub fn kept<P: GridPoint>(
        &mut self,
        points: Vec<P>,
        mut check: impl FnMut(&P) -> Result<(), Error>,
    ) -> Result<Vec<P>, Error> {
        let mut kept = Vec::with_capacity(points.len());
        for point in points {
            let result = check(&point);
            if self.keep(result, (|| point.name(), 1))?.is_some() {
                kept.push(point);
            }
        }
        Ok(kept)
    }

    /// The points of places that can be, each sized up; a place stands for `amount` of them, which differ in their seed.
    ///
    /// # Errors
    /// Any reason but that one of them cannot be, and at which point it was met.
    pub fn sized<P, T>(
        &mut self,
        (places, amount): (Vec<P>, u64),
        coordinates: impl Fn(&P) -> Vec<Coordinate>,
        mut size_up: impl FnMut(P) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut points = Vec::new();
        for place in places {
            interrupt::check()?;
            let name = axes::name(&coordinates(&place));
            let point = self.keep(size_up(place), (|| name.clone(), amount));
            points.extend(point.map_err(|reason| Error::AtPoint {
                point: name,
                reason: Box::new(reason),
            })?);
        }
        Ok(points)
    }

    /// What a point gave, unless it cannot be: then it is put down here. It may stand for several, which differ in their seed.
    ///
    /// # Errors
    /// Any reason but such.
    pub fn keep<T>(
        &mut self,
        result: Result<T, Error>,
        (name, amount): (impl FnOnce() -> String, u64),
    ) -> Result<Option<T>, Error> {
        let reason = match result {
            Ok(value) => return Ok(Some(value)),
            Err(reason) => reason,
        };
        let Some(kind) = kind(&reason) else {
            return Err(reason);
        };
        match self.0.iter_mut().find(|known| known.kind == kind) {
            Some(known) => known.more += amount,
            None => self.0.push(Example {
                kind,
                point: name(),
                reason,
                more: amount.saturating_sub(1),
            }),
        }
        Ok(None)
    }

    /// The points that are left, if there are any or none was left out.
    ///
    /// # Errors
    /// The first point, and why it was left out.
    pub fn leaves<T>(self, points: Vec<T>) -> Result<(Vec<T>, Self), Error> {
        if !points.is_empty() {
            return Ok((points, self));
        }
        match self.0.into_iter().next() {
            Some(Example { point, reason, .. }) => Err(Error::AtPoint {
                point,
                reason: Box::new(reason),
            }),
            None => Ok((points, LeftOut::default())),
        }
    }

    /// Says on standard error what was left out: rows on standard output stay rows.
    pub(super) fn tell(&self, options: &SweepOptions) {
        if is_quiet() || options.is_silent() {
            return;
        }
        self.text().lines().for_each(tell);
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for Example {
            point,
            reason,
            more,
            ..
        } in &self.0
        {
            let others = match more {
                0 => String::new(),
                1 => ", and 1 more for the same reason".to_owned(),
                more => format!(", and {more} more for the same reason"),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "note: left out: {point}{others}: {reason}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::embedding::copies::Copies;
    use rtl_model::machine::topology::hypercube::Dimensions;

    use super::*;
    use crate::error::refusal::Refusal;

    fn copies(levels: usize) -> Result<(), Error> {
        Ok(Copies::new(levels).map(|_| ())?)
    }

    #[test]
    fn reasons_are_told_once_and_others_refuse() {
        let mut left_out = LeftOut::default();
        assert_eq!(
            left_out.keep(Ok(5), (|| "a".to_owned(), 1)).unwrap(),
            Some(5)
        );
        assert_eq!(left_out.text(), "");
        for levels in [3, 5, 6] {
            assert_eq!(
                left_out
                    .keep(copies(levels), (|| levels.to_string(), 1))
                    .unwrap(),
                None
            );
        }
        let transpose = ModelError::NoTransposeAtOddDimensions { dimensions: 3 };
        let transposed = left_out.keep::<()>(Err(transpose.into()), (|| "transpose".to_owned(), 5));
        assert_eq!(transposed.unwrap(), None);
        assert_eq!(
            left_out.text(),
            "note: left out: 3, and 2 more for the same reason: no hypercube has as many nodes as cube-connected cycles \
             of 3 levels: the levels must be a power of two, 2 to 16: choose 2 or 4\n\
             note: left out: transpose, and 4 more for the same reason: transpose swaps the halves of an address and an address of 3 bits has none: use \
             an even number of dimensions, or shuffle\n"
        );
        let (points, left_out) = left_out.leaves(vec![5]).unwrap();
        assert_eq!(points, [5]);
        let refused = left_out.leaves(Vec::<u8>::new()).unwrap_err();
        assert!(refused.to_string().starts_with("3: no hypercube"));
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let mut left_out = LeftOut::default();
        assert!(left_out.keep(copies(17), (|| "a".to_owned(), 1)).is_err());
        let none = Refusal::why("0 copies in use are out of range");
        assert!(
            left_out
                .keep::<()>(Err(none.into()), (|| "a".to_owned(), 1))
                .is_err()
        );
        let dimensions = Dimensions::new(40).unwrap_err();
        assert!(
            left_out
                .keep::<()>(Err(dimensions.into()), (|| "a".to_owned(), 1))
                .is_err()
        );
        assert!(left_out.leaves(Vec::<u8>::new()).is_ok());
    }
}
