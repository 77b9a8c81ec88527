//! What a probe asks of a machine.

use rtl_model::language::register::Visitor;
use rtl_model::machine::router::{Position, Steps};
use rtl_model::machine::shown::{Shown, Told};
use rtl_model::machine::simulation::{Lockstep, Simulation, Transmitted};
use rtl_model::machine::topology::Tap;

use crate::trace::Kind;

/// Bits of the code of a step.
pub(super) fn code_bits(steps: Steps) -> usize {
    (steps.names.len() as u32 - 1).ilog2() as usize + 1
}

/// The name of a step, or none.
pub(super) fn name_kind(steps: Steps) -> Kind {
    text_of(steps.names)
}

/// The short name of a unit, or none.
pub(super) fn unit_kind(steps: Steps) -> Kind {
    let longest = steps
        .units
        .iter()
        .map(|unit| short_unit(unit, steps.units).len());
    Kind::Text {
        longest: longest.max().unwrap_or(0),
    }
}

/// What a unit is called where there is room for two letters or three: as many of its own as tell it from the others, and two at
/// least.
/// A number at the end of its name goes with it: `greedy_lane_1` is `gr1`.
pub fn short_unit(unit: &str, units: &[&str]) -> String {
    let short = |unit: &str, letters: usize| {
        let number = unit
            .rsplit('_')
            .next()
            .filter(|word| word.parse::<u32>().is_ok());
        let begin: String = unit.chars().take(letters).collect();
        begin + number.unwrap_or("")
    };
    let is_free = |letters: &usize| {
        let mut others = units.iter().filter(|other| **other != unit);
        !others.any(|other| short(other, *letters) == short(unit, *letters))
    };
    let letters = (2..unit.len()).find(is_free);
    letters.map_or(unit.to_owned(), |letters| short(unit, letters))
}

/// Text that is one of these.
fn text_of(names: &[&str]) -> Kind {
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    Kind::Text { longest }
}

/// Text beside the registers of a module: something that the simulator knows, and the hardware does
/// not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The module inside a node: the names of the modules on the way to it and its own, none for the node itself; or the scope
    /// of a link, for what is said of its wires.
    pub module: Vec<String>,
    /// What the text is called there.
    pub name: String,
    /// Characters of the longest that there can be, at any node.
    pub longest: usize,
}

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// By a number.
    pub what: usize,
    /// The first bit time, after this one, in which it may be something else.
    pub until: u64,
}

/// Something with a machine in it that can be traced.
pub trait Subject {
    /// The machine.
    fn simulation(&self) -> &dyn Simulation;

    /// Its steps, if it has any.
    fn steps(&self) -> Option<Steps> {
        None
    }

    /// Where the schedule stands, if there is one.
    fn position(&self) -> Option<Position> {
        None
    }

    /// Message bits that a node holds, the bit time `after` being over (none: before the first).
    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32;

    /// Appends the same of all nodes, which are at these places as [`Simulation::seats`] has them; at a place without a node it
    /// may be anything.
    fn append_occupied_bits(
        &self,
        seats: &[usize],
        after: Option<Position>,
        occupied: &mut Vec<u32>,
    ) {
        let nodes = self.simulation().nodes();
        let of_seat = |&node: &usize| match node < nodes {
            true => self.occupied_bits(node, after),
            false => 0,
        };
        occupied.extend(seats.iter().map(of_seat));
    }

    /// What is on a wire at a node in this bit time.
    fn tapped(&self, node: usize, wire: Tap) -> bool {
        self.simulation().tapped(node, wire)
    }

    /// Appends the register bits of a node.
    fn registers(&self, node: usize, bits: &mut Vec<bool>) {
        self.simulation().append_registers(node, bits);
    }

    /// Register bits of a node.
    fn register_bits(&self) -> usize {
        let mut bits = Vec::new();
        self.registers(0, &mut bits);
        bits.len()
    }

    /// Shows the registers of a node, by name and in the same order.
    fn show_registers(&self, node: usize, visitor: &mut dyn Visitor<bool>) {
        self.simulation().show_registers(node, visitor);
    }

    /// What runs, in a sentence of visible ASCII and blanks that holds all the time; nothing if nobody says it.
    fn about(&self) -> String {
        String::new()
    }

    /// What names in a waveform mean, in phrases of visible ASCII and blanks.
    fn legend(&self) -> Vec<String> {
        Vec::new()
    }

    /// What is shown beside wires and registers.
    fn shown(&self) -> Shown {
        Shown::default()
    }

    /// Appends what the text about the sequencer of that number says in this bit time, in visible ASCII; it may be nothing.
    fn text(&self, number: usize, text: &mut String) {
        let _ = (number, text);
    }

    /// Appends the bits of all numbers of a node, the least significant first.
    fn numbers(&self, node: usize, bits: &mut Vec<bool>) {
        let _ = (node, bits);
    }

    /// Appends what the told text of that number says of a node in this bit time, in visible ASCII; it may be nothing.
    fn told(&self, node: usize, number: usize, text: &mut String) {
        let _ = (node, number, text);
    }

    /// What a waveform follows, such as a message, told as texts about the whole machine; none if it follows nothing.
    fn followed(&self) -> Vec<Told> {
        Vec::new()
    }

    /// Appends what the text of that number says of what is followed in this bit time, in visible ASCII and blanks; it may be
    /// nothing.
    fn append_followed(&self, number: usize, text: &mut String) {
        let _ = (number, text);
    }

    /// The text that every node has.
    fn remarks(&self) -> Vec<Remark> {
        Vec::new()
    }

    /// What a remark of a node is about in this bit time, such as a message: as long as that is the same, the remark says the same.
    /// None, where the text has to be looked at.
    fn about_remark(&self, node: usize, number: usize) -> Option<About> {
        let _ = (node, number);
        None
    }

    /// Appends to `text` what remark `number` says of `node` in this bit time, in visible ASCII; it
    /// may be nothing.
    fn remark(&self, node: usize, number: usize, text: &mut String) {
        let _ = (node, number, text);
    }
}

/// Machines in lockstep.
/// A subject that ticks, between the two halves of a bit time.
pub struct Ticking<'a>(pub &'a dyn Subject);

impl Transmitted for Ticking<'_> {
    fn bit_time(&self) -> u64 {
        self.0.simulation().bit_time()
    }

    fn is_done(&self) -> bool {
        self.0.simulation().is_done()
    }

    fn position(&self) -> Option<Position> {
        self.0.position()
    }

    fn append_text(&self, number: usize, text: &mut String) {
        self.0.text(number, text);
    }

    fn is_driven(&self, link: usize) -> bool {
        self.0.simulation().driver(link).is_some()
    }

    fn copy_driven(&self, wire: usize, words: &mut [u64]) {
        self.0.simulation().copy_driven(wire, words);
    }
}

impl Subject for &(dyn Lockstep + '_) {
    fn simulation(&self) -> &dyn Simulation {
        self.as_simulation()
    }

    fn steps(&self) -> Option<Steps> {
        Some(self.device().steps())
    }

    fn position(&self) -> Option<Position> {
        Some(Lockstep::position(*self))
    }

    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32 {
        Lockstep::occupied_bits(*self, node, after)
    }

    fn append_occupied_bits(
        &self,
        _seats: &[usize],
        after: Option<Position>,
        occupied: &mut Vec<u32>,
    ) {
        Lockstep::append_occupied_bits(*self, after, occupied);
    }

    fn register_bits(&self) -> usize {
        self.device().storage().total
    }

    fn shown(&self) -> Shown {
        self.device().shown()
    }

    fn text(&self, number: usize, text: &mut String) {
        self.append_text(number, text);
    }

    fn numbers(&self, node: usize, bits: &mut Vec<bool>) {
        self.append_numbers(node, bits);
    }

    fn told(&self, node: usize, number: usize, text: &mut String) {
        self.append_told(node, number, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_short_names_that_tell_them_apart() {
        let short = |units: &[&str]| {
            let each = units.iter().map(|unit| short_unit(unit, units));
            each.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(short(&["exchange", "enumeration", "packing"]), "ex en pa");
        assert_eq!(
            short(&["packing", "packing_lane_0", "packing_lane_1", "greedy"]),
            "pa pa0 pa1 gr"
        );
        assert_eq!(short(&["packing", "passing"]), "pac pas");
        assert_eq!(short(&["pack", "packing", "x"]), "pack packi x");
        assert_eq!(short_unit("", &["packing"]), "");
    }

    #[test]
    fn a_name_is_not_that_of_a_longer_number() {
        for (text, followed, expected) in [
            ("1->2", "1->2", true),
            ("1->23", "1->2", false),
            ("0->7,1->2", "1->2", true),
            ("1->2/3", "1->2", true),
            ("e0_p1", "e0_", true),
            ("", "1->2", false),
            ("11->2", "1->2", false),
        ] {
            assert_eq!(super::super::is_about(text, followed), expected, "{text}");
        }
    }
}
