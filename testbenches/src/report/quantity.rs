//! What a run is measured by, each quantity said once: its name in the JSON and in rows, its words in the summary and in its check,
//! the heading of its column, and the title of its panel in a plot.

use crate::report::{Check, Entry, Formula};

/// A quantity that has a closed form.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Its name in the JSON and in rows.
    pub name: &'static str,
    /// In rows, the value of its closed form; in the JSON, value and text.
    pub formula: &'static str,
    /// In rows, the text of its closed form.
    pub formula_text: &'static str,
    /// Its row of the summary, and its check.
    pub title: &'static str,
    /// What is said behind the number: what is counted, and how.
    pub said: &'static str,
    /// The heading of its column.
    pub heading: &'static str,
    /// The title of its panel, and the unit.
    pub panel: (&'static str, &'static str),
}

/// Bit times of a run.
pub const BIT_TIMES: Quantity = Quantity {
    name: "bit_times",
    formula: "bit_times_formula",
    formula_text: "bit_times_text",
    title: "bit times",
    said: "measured",
    heading: "bit times",
    panel: ("Bit times", "bit times"),
};

/// Steps of a schedule: packets over a wire, one after the other.
pub const ROUTING_STEPS: Quantity = Quantity {
    name: "routing_steps",
    formula: "routing_steps_formula",
    formula_text: "routing_steps_text",
    title: "routing steps",
    said: "measured",
    heading: "steps",
    panel: ("Routing steps", "steps"),
};

/// The most bits that a node was to send on, those in flight to it among them.
pub const FORWARDING_BUFFER: Quantity = Quantity {
    name: "forwarding_buffer_bits",
    formula: "forwarding_buffer_bound",
    formula_text: "forwarding_buffer_text",
    title: "forwarding",
    said: "bits measured",
    heading: "to send on",
    panel: ("To send on", "bits of a node"),
};

/// Register bits of a node.
pub const STORAGE: Quantity = Quantity {
    name: "storage_bits_per_node",
    formula: "storage_bits_formula",
    formula_text: "storage_bits_text",
    title: "storage",
    said: "bits a node",
    heading: "storage",
    panel: ("Storage of a node", "register bits"),
};

impl Quantity {
    /// What only its check has: that is called so, and says this behind the number.
    pub const fn checked(title: &'static str, said: &'static str) -> Self {
        Quantity {
            name: title,
            formula: "",
            formula_text: "",
            title,
            said,
            heading: title,
            panel: (title, ""),
        }
    }

    /// It and its closed form as entries of results; says what is counted.
    pub const fn entries(&self, says: &'static str) -> [Entry; 2] {
        let (_, unit) = self.panel;
        [
            Entry::of::<Option<u64>>(self.name, says).unit(unit),
            Entry::form(self.formula, self.formula_text, "Its closed form").unit(unit),
        ]
    }

    /// With other words behind the number.
    pub const fn said(self, said: &'static str) -> Self {
        Quantity { said, ..self }
    }

    /// What was measured beside its closed form, with this between.
    pub fn beside(&self, measured: u64, between: &str, form: &Formula) -> String {
        format!("{measured} {}{between} {form}", self.said)
    }

    /// The check that what was measured is its closed form.
    pub fn check(&self, measured: u64, form: &Formula) -> Check {
        let detail = self.beside(measured, ",", form);
        Check::new(self.title, measured == form.value, detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_fails_where_the_number_is_not_its_closed_form() {
        let form = |text: &str| Formula {
            text: text.to_owned(),
            value: 15,
        };
        let check = |measured| ROUTING_STEPS.check(measured, &form("2k-1"));
        assert!(check(15).passed && !check(14).passed && !check(16).passed);
        assert_eq!(check(14).detail, "14 measured, 2k-1 = 15");
        assert_eq!(STORAGE.beside(15, ";", &form("15")), "15 bits a node; 15");
    }
}
