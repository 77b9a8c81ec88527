//! Memory: estimated before anything is allocated.

use crate::error::Error;

/// Bytes that this machine (or the container it runs in) can still give out.
pub fn available() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let machine = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => machine.min(limits.free_memory),
        _ => machine,
    }
}

/// Refuses what would not fit.
///
/// # Errors
/// [`Error::DoesNotFit`], with both figures.
pub fn require(what: impl Into<String>, needed: u64, available: u64) -> Result<(), Error> {
    if needed > available {
        Err(Error::DoesNotFit {
            what: what.into(),
            needed: gibibytes(needed),
            available: gibibytes(available),
        })
    } else {
        Ok(())
    }
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.2} GiB", bytes as f64 / f64::from(1 << 30))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_both_figures() {
        assert!(require("a run", 1 << 30, 1 << 30).is_ok());
        let error = require("a run", 3 << 30, 1 << 30).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a run needs 3.00 GiB of memory and this machine has 1.00 GiB available: use fewer \
             dimensions or fewer payload bits"
        );
        assert!(available() > 0);
    }
}
