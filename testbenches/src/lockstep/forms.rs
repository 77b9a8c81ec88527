//! The closed forms of bit times and storage: below the table, and as the curves of a plot.

use rtl_model::closed_form::ClosedForm;

use crate::error::Error;
use crate::lockstep::parameters::DIMS;
use crate::lockstep::requirement::Requirement;
use crate::lockstep::sweep::{dims, who};
use crate::measure::axes::Series;
use crate::measure::plot::Panel;
use crate::measure::ranges::insert;
use crate::measure::sweep::Point;
use crate::testbench::chosen::Given;

/// The texts of closed forms by `k`, as one: each with the sizes that it is for, where that is not all.
fn texts(mut by_size: Vec<(usize, &ClosedForm)>) -> Vec<String> {
    by_size.sort_by_key(|(k, form)| (*k, form.text));
    let mut distinct: Vec<(usize, &ClosedForm)> = Vec::new();
    for (k, form) in by_size {
        if !distinct.iter().any(|(_, known)| known.text == form.text) {
            distinct.push((k, form));
        }
    }
    let several = distinct.len() > 1;
    let texts = distinct
        .into_iter()
        .map(|(k, form)| match several && form.text == form.formula {
            true => format!("{} (k from {k})", form.text),
            false => form.text.to_owned(),
        });
    texts.collect()
}

/// Those of each schedule, a line each.
pub(super) fn text(points: &[Point]) -> String {
    let mut all: Vec<String> = Vec::new();
    for point in points {
        insert(&mut all, who(&point.chosen));
    }
    let line = |name: String| {
        let of = |form: fn(&Requirement) -> Option<&ClosedForm>| {
            let points = points.iter().filter(|point| who(&point.chosen) == name);
            let forms =
                points.filter_map(|point| Some((dims(point), form(point.requirement.as_ref()?)?)));
            texts(forms.collect()).join(", ")
        };
        let bit_times = of(|requirement| Some(&requirement.bit_times));
        let storage = of(|requirement| Some(&requirement.storage_bits));
        let bound = match of(|requirement| requirement.storage_bound.as_ref()) {
            text if text.is_empty() => text,
            text => format!(", bound {text}"),
        };
        format!("  {name}: bit times {bit_times}, storage {storage}{bound}\n")
    };
    all.into_iter().map(line).collect()
}

/// Puts those of bit times and storage in the place of the lines through what was measured, for all sizes from the smallest to
/// the largest.
pub(super) fn draw(
    points: &[Point],
    series: &Series,
    panels: [&mut Panel; 2],
) -> Result<(), Error> {
    let all = || points.iter().map(dims);
    let (first, last) = (all().min().unwrap_or(1), all().max().unwrap_or(1));
    let mut by_series = Vec::new();
    for one in 0..series.names.len() {
        let Some(point) = series.of.iter().position(|known| *known == one) else {
            continue;
        };
        let chosen = &points[point].chosen;
        let mut forms = Vec::new();
        for k in first..=last {
            let of_size = chosen.clone().with(&DIMS, Given::number(k));
            let requirement = (chosen.bench().job)(&of_size)?.requirement();
            forms.push((k, [requirement.bit_times, requirement.storage_bits]));
        }
        by_series.push((one, forms));
    }
    for (which, panel) in panels.into_iter().enumerate() {
        for curve in &mut panel.curves {
            let known = by_series.iter().find(|(series, _)| *series == curve.series);
            let Some((_, forms)) = known else {
                continue;
            };
            let values = forms
                .iter()
                .map(|(k, form)| (*k as f64, form[which].value as f64));
            curve.line = values.collect();
            let by_size = || forms.iter().map(|(k, form)| (*k, &form[which]));
            // The form of the largest cubes, an even and an odd one; small ones may lack parts.
            let largest: Vec<&str> = by_size().rev().take(2).map(|(_, form)| form.text).collect();
            let mut texts = texts(by_size().collect());
            texts.retain(|form| largest.iter().any(|text| form.starts_with(text)));
            curve.form = texts.join(", ");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_say_which_sizes_they_are_for_where_there_are_several() {
        let texts_of = |text, sizes: &[usize]| {
            let form = |&k: &usize| (k, ClosedForm::of(text, &[("k", k as u64)]));
            let forms: Vec<_> = sizes.iter().map(form).collect();
            texts(forms.iter().map(|(k, form)| (*k, form)).collect())
        };
        let small = "14 (k=2); 12k";
        assert_eq!(
            texts_of(small, &[4, 2, 5, 2]),
            ["14 (k=2)", "12k (k from 4)"]
        );
        assert_eq!(texts_of(small, &[4, 5]), ["12k"]);
        let alternating = "k (even k); 2k (odd k)";
        assert_eq!(
            texts_of(alternating, &[4, 5, 6, 7]),
            ["k (even k)", "2k (odd k)"]
        );
    }
}
