//! What the scoreboard ([`hosts::scoreboard`]) says in a report.

use hosts::scoreboard::Score;

use crate::report::Check;

/// The check that all was delivered, and what it cannot see where payloads are not distinct.
pub fn check(score: &Score, payloads_are_distinct: bool) -> Check {
    let all = score.delivered == score.messages && score.wrong == 0;
    let mut detail = match &score.first_fault {
        None => format!(
            "{} of {}, each once and whole",
            score.delivered, score.messages
        ),
        Some(fault) => format!(
            "{} of {}, {} wrong; first: {fault}",
            score.delivered, score.messages, score.wrong
        ),
    };
    if !payloads_are_distinct {
        detail += " (some payloads are alike: such messages cannot be told from each other)";
    }
    Check::new("delivered", all, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_missing_or_wrong_fails_the_check() {
        let score = |delivered, wrong, fault: Option<&str>| Score {
            messages: 3,
            delivered,
            wrong,
            first_fault: fault.map(str::to_owned),
        };
        assert!(check(&score(3, 0, None), true).passed);
        let missing = check(&score(2, 0, Some("it is gone")), true);
        assert!(!missing.passed);
        assert_eq!(missing.detail, "2 of 3, 0 wrong; first: it is gone");
        assert!(!check(&score(3, 1, Some("a stranger")), true).passed);
        assert!(check(&score(3, 0, None), false).detail.contains("alike"));
    }
}
