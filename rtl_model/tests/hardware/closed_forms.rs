//! Closed forms up to the largest cubes, of which no node but one is made, and in the pages on them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::{Router, Sequencer};
use rtl_model::machine::share::LOG2_FEWEST_NODES;
use rtl_model::machine::topology::hypercube::{Dimensions, MAX_DIMENSIONS};
use rtl_model::routers::kuszmaul::batches::AnyPipeline;
use rtl_model::routers::kuszmaul::batches::vertex_packing::VertexPacking;
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::{
    folded::Folded, overlapped::Overlapped, plain::Plain, radix4::Radix4, spread::Spread,
};
use rtl_model::routers::permutation::{PermutationRouter, Schedule, Size};
use rtl_model::routers::reduced_hypercube::collective::Collective;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::sorting::{bitonic, radix};

use crate::ports::common::{each, machine, taken};
use crate::reduced_hypercube::common::reduced;

/// What is done with routers of hypercubes.
trait Visit {
    fn router<R: Router<Topology = Dimensions>>(&mut self, router: &R);
}

fn every_router(k: usize, payload_bits: usize, visit: &mut impl Visit) {
    let cube = Dimensions::new(k).unwrap();
    fn schedule<S: Schedule>(cube: Dimensions, payload_bits: usize, visit: &mut impl Visit) {
        visit.router(&PermutationRouter::<S>::new(cube, payload_bits).unwrap());
    }
    schedule::<Plain>(cube, payload_bits, visit);
    schedule::<Overlapped>(cube, payload_bits, visit);
    schedule::<Folded>(cube, payload_bits, visit);
    schedule::<Spread>(cube, payload_bits, visit);
    schedule::<Radix4>(cube, payload_bits, visit);
    schedule::<bitonic::SortAndUnpack>(cube, payload_bits, visit);
    schedule::<bitonic::Sort>(cube, payload_bits, visit);
    schedule::<radix::SortAndUnpack>(cube, payload_bits, visit);
    schedule::<radix::Sort>(cube, payload_bits, visit);
    visit.router(&EnumerationRouter::new(cube));
    visit.router(&PackingRouter::new(cube, payload_bits).unwrap());
}

/// The sequencer counts as many bit times, and a node has as many registers.
struct Counted;

impl Visit for Counted {
    fn router<R: Router<Topology = Dimensions>>(&mut self, router: &R) {
        let mut sequencer = router.sequencer::<bool>();
        let mut bit_times = 0;
        while !sequencer.is_done() {
            sequencer.clock();
            bit_times += 1;
        }
        let (form, cube) = (router.bit_times(), router.dimensions());
        assert_eq!(bit_times, form.value, "{} at k = {cube}", form.text);
        let form = router.storage_bits();
        let storage = Storage::of(&router.node::<bool>()).total;
        assert_eq!(storage as u64, form.value, "{} at k = {cube}", form.text);
    }
}

#[test]
fn sequencers_and_nodes_of_the_largest_cubes_are_as_foretold() {
    for k in 1..=MAX_DIMENSIONS {
        for payload_bits in [1, 2, 3, 8, 40, 1000] {
            every_router(k, payload_bits, &mut Counted);
            for h in [1, 2, 3, 16] {
                let cube = Dimensions::new(k).unwrap();
                Counted.router(&CountingRouter::new(cube, payload_bits, h).unwrap());
            }
        }
    }
}

/// Ranks exchange the lowest dimensions: these have one case, which is printed with the sum over them.
struct OneCase;

impl Visit for OneCase {
    fn router<R: Router<Topology = Dimensions>>(&mut self, router: &R) {
        let k = router.dimensions().count();
        let forms = (0..k).map(|dimension| router.driven_bit_times(dimension).unwrap());
        let texts: Vec<&str> = forms.map(|form| form.text).collect();
        let to_ranks = &texts[..k.saturating_sub(LOG2_FEWEST_NODES)];
        assert!(to_ranks.iter().all(|text| *text == texts[0]), "{texts:?}");
    }
}

#[test]
fn dimensions_between_ranks_have_one_form() {
    for k in 1..=MAX_DIMENSIONS {
        for payload_bits in [1, 2, 40] {
            every_router(k, payload_bits, &mut OneCase);
        }
    }
}

/// What is said in the pages, spaced and with squares as in formulas.
fn pages() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let pages = fs::read_dir(folder)
        .unwrap()
        .map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|extension| extension == "md"));
    evenly_spaced(
        &pages
            .map(|page| fs::read_to_string(page).unwrap())
            .collect::<String>(),
    )
}

/// With a space between words, and none beside signs.
fn evenly_spaced(text: &str) -> String {
    let text = text.replace('²', "^2").replace('`', "");
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for sign in "+-*/^,<>)]".chars() {
        text = text.replace(&format!(" {sign}"), &sign.to_string());
    }
    for sign in "+-*/^,<>([".chars() {
        text = text.replace(&format!("{sign} "), &sign.to_string());
    }
    text
}

/// Whether a text has the formula, and not as a part of another.
fn has(text: &str, formula: &str) -> bool {
    let goes_on = |letter: char| letter.is_alphanumeric() || "+-*/^()".contains(letter);
    text.match_indices(formula).any(|(place, _)| {
        let (before, after) = (&text[..place], &text[place + formula.len()..]);
        !before.ends_with(goes_on) && !after.starts_with(goes_on)
    })
}

/// All that are printed of machines of usual sizes.
#[derive(Default)]
struct Printed(BTreeSet<&'static str>);

impl Printed {
    /// A page says in words which sizes they are for.
    fn add(&mut self, forms: impl IntoIterator<Item = ClosedForm>) {
        self.0.extend(forms.into_iter().map(|form| form.formula));
    }
}

impl Visit for Printed {
    fn router<R: Router<Topology = Dimensions>>(&mut self, router: &R) {
        self.add([router.bit_times(), router.storage_bits()]);
        self.add((0..router.dimensions().count()).filter_map(|d| router.driven_bit_times(d)));
    }
}

#[test]
fn pages_have_the_closed_forms_that_are_printed() {
    let mut printed = Printed::default();
    for k in [8, 9] {
        for payload_bits in [1, 8] {
            every_router(k, payload_bits, &mut printed);
            let cube = Dimensions::new(k).unwrap();
            let size = Size {
                dimensions: k,
                payload_bits,
            };
            printed.router(&CountingRouter::new(cube, payload_bits, 2).unwrap());
            let all: [&dyn AnyPipeline; 4] = [&Overlapped, &Spread, &Radix4, &VertexPacking];
            for forms in all.map(|one| one.forms()) {
                let texts = [
                    forms.interval,
                    forms.latency,
                    forms.wires,
                    forms.storage_bits,
                ];
                printed.add(texts.map(|text| size.form(text)));
            }
        }
    }
    for kind in each() {
        for packets in taken(kind.0, 5, &[11]) {
            let machine = machine(kind, 5, 0, packets, (8, 3));
            printed.add([machine.broadcast().routing_steps()]);
        }
    }
    for form in [ReductionForm::Printed, ReductionForm::Short] {
        printed.add([Reduction::new(reduced(3, 2), form, Operator::Add, 8)
            .unwrap()
            .steps()]);
    }
    for form in [PrefixForm::Printed, PrefixForm::Short, PrefixForm::InPlace] {
        printed.add([Prefix::new(reduced(3, 2), form, Operator::Add, 8)
            .unwrap()
            .steps()]);
    }
    let pages = pages();
    let missing: Vec<&str> = (printed.0.iter().copied())
        .filter(|text| !has(&pages, &evenly_spaced(text)))
        .collect();
    assert!(missing.is_empty(), "no page has {missing:#?}");
}
