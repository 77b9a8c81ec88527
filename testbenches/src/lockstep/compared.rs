//! What was found against what is due: how much of it is right, and what the first is that is not.

use crate::report::Check;

/// What was found against what is due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// What was looked at: messages, or nodes,
    pub amount: usize,
    /// and how many of them are as they should be.
    pub right: usize,
    /// What the first of the others is.
    pub first_fault: Option<String>,
}

impl Compared {
    /// With one more.
    pub fn add(&mut self, is_right: bool, fault: impl FnOnce() -> String) {
        self.amount += 1;
        self.right += usize::from(is_right);
        if !is_right {
            self.fault(fault);
        }
    }

    /// With a fault, of none of them in particular.
    pub fn fault(&mut self, fault: impl FnOnce() -> String) {
        self.first_fault.get_or_insert_with(fault);
    }

    /// The check that all are right, of which this says how many are.
    pub fn check(&self, name: &'static str, detail: String) -> Check {
        let is_right = self.first_fault.is_none() && self.right == self.amount;
        Check::new(name, is_right, detail + &first(self.first_fault.as_ref()))
    }
}

/// Behind what was counted, the first fault, if there is one.
pub fn first(fault: Option<&String>) -> String {
    fault.map_or(String::new(), |fault| format!("; first: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_is_kept_and_fails_the_check() {
        let mut compared = Compared::default();
        compared.add(true, || unreachable!());
        assert!(compared.check("messages", "1 of 1".to_owned()).passed);
        compared.add(false, || "node 3".to_owned());
        compared.add(false, || "node 4".to_owned());
        assert_eq!((compared.amount, compared.right), (3, 1));
        let check = compared.check("messages", "1 of 3".to_owned());
        assert!(!check.passed);
        assert_eq!(check.detail, "1 of 3; first: node 3");
        let mut beside = Compared::default();
        beside.fault(|| "bits that nobody sent".to_owned());
        assert!(!beside.check("messages", String::new()).passed);
    }
}
