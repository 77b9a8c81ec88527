//! What a run is measured by beside a closed form, each quantity said once: its entries of results, its row of the summary, and its
//! check.

use crate::report::{Behind, Check, Entry, Formula};

/// A quantity that has a closed form.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// What was measured.
    pub of: Entry,
    /// Its closed form.
    pub form: Entry,
    /// Its row of the summary, and its check.
    pub title: &'static str,
    /// What is said behind the number: what is counted, and how.
    pub said: &'static str,
}

/// Bit times of a run.
pub const BIT_TIMES: Quantity = Quantity {
    of: Entry::of::<u64>("bit_times", "Bit times of the run, measured")
        .unit("bit times")
        .less()
        .headed("bit times")
        .panel("Bit times", "bit times")
        .bounded_by("bit_times_formula", "bit_times_text"),
    form: Entry::form(
        "bit_times_formula",
        "bit_times_text",
        "The closed form of bit times, where there is one",
    )
    .unit("bit times")
    .headed("formula"),
    title: "bit times",
    said: "measured",
};

/// Steps of a schedule: packets over a wire, one after the other.
pub const ROUTING_STEPS: Quantity = Quantity {
    of: Entry::of::<Option<u64>>(
        "routing_steps",
        "Steps of the schedule: packets over a wire, one after the other",
    )
    .unit("steps")
    .less()
    .behind(Behind::BitTimes)
    .headed("steps")
    .panel("Routing steps", "steps"),
    form: Entry::form(
        "routing_steps_formula",
        "routing_steps_text",
        "The closed form of routing steps",
    )
    .unit("steps")
    .behind(Behind::BitTimes)
    .headed("formula"),
    title: "routing steps",
    said: "measured",
};

/// The most bits that a node was to send on, those in flight to it among them.
pub const FORWARDING_BUFFER: Quantity = Quantity {
    of: Entry::part("peak.forwarding_buffer_bits")
        .column("forwarding_buffer_bits")
        .unit("bits")
        .less()
        .headed("to send on")
        .panel("To send on", "bits of a node"),
    form: Entry::form(
        "forwarding_buffer_bound",
        "forwarding_buffer_text",
        "The most bits that a node may have to send on, those in flight to it among them",
    )
    .unit("bits")
    .behind(Behind::Peak)
    .headed("formula"),
    title: "forwarding",
    said: "bits measured",
};

/// Register bits of a node.
pub const STORAGE: Quantity = Quantity {
    of: Entry::part("storage_bits_per_node.total")
        .column("storage_bits_per_node")
        .less()
        .headed("storage")
        .panel("Storage of a node", "register bits"),
    form: Entry::form(
        "storage_bits_formula",
        "storage_bits_text",
        "The closed form of storage",
    )
    .unit("bits"),
    title: "storage",
    said: "bits a node",
};

impl Quantity {
    /// What only its check has: that is called so, and says this behind the number.
    pub const fn checked(title: &'static str, said: &'static str) -> Self {
        Quantity {
            of: Entry::part(title),
            form: Entry::part(title),
            title,
            said,
        }
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
