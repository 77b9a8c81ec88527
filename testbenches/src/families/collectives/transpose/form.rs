//! Entries of a matrix: what their bits mean, and how they are written.

use hosts::numbers;
use rtl_model::csv_file::{is_whole, whole};

use crate::error::Error;
use crate::families::collectives::parameters::ENTRIES;
use crate::values::shown;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Double precision.
    Double,
    /// Single precision.
    Single,
    /// A whole number without a sign, of so many bits.
    Whole(usize),
}

impl Form {
    /// Of so many bits.
    ///
    /// # Errors
    /// A number of bits that has no meaning.
    pub fn of_bits(bits: Option<usize>) -> Result<Self, Error> {
        match bits {
            None | Some(64) => Ok(Form::Double),
            Some(32) => Ok(Form::Single),
            Some(bits @ 1..=31) => Ok(Form::Whole(bits)),
            Some(bits) => Err(ENTRIES.blamed(format!(
                "{bits} bits are no number of a known form: choose 64 for doubles, 32 for single precision, or 1 to 31 for whole \
                 numbers"
            ))),
        }
    }

    /// Bits of an entry.
    pub fn bits(self) -> usize {
        match self {
            Form::Double => 64,
            Form::Single => 32,
            Form::Whole(bits) => bits,
        }
    }

    /// In words.
    pub fn text(self) -> String {
        match self {
            Form::Double => "doubles".to_owned(),
            Form::Single => "numbers of single precision".to_owned(),
            Form::Whole(bits) => format!("whole numbers of {bits} bits"),
        }
    }

    /// Reads one.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(self, text: &str) -> Result<u64, String> {
        let no_number = || format!("`{}` is no number", shown(text));
        match self {
            Form::Double => {
                let number: f64 = text.parse().map_err(|_| no_number())?;
                check_kept(text, number, "a double")?;
                Ok(number.to_bits())
            }
            Form::Single => {
                let number: f32 = text.parse().map_err(|_| no_number())?;
                check_kept(text, number.into(), "single precision")?;
                Ok(number.to_bits().into())
            }
            Form::Whole(bits) => {
                if !is_whole(text) {
                    return Err(format!("`{}` is no whole number, 0 or more", shown(text)));
                }
                // Of too many digits there is none.
                let fitting = whole::<u64>(text).filter(|number| number >> bits == 0);
                fitting.ok_or_else(|| format!("`{}` does not fit into {bits} bits", shown(text)))
            }
        }
    }

    /// Writes one, so that it is read as it was.
    pub fn write(self, bits: u64) -> String {
        match self {
            Form::Double => f64::from_bits(bits).to_string(),
            Form::Single => f32::from_bits(bits as u32).to_string(),
            Form::Whole(_) => bits.to_string(),
        }
    }

    /// Draws so many: thousandths between -1000 and 1000, or any whole numbers.
    pub fn drawn(self, amount: usize, seed: u64) -> Vec<u64> {
        match self {
            Form::Double => numbers::doubles(amount, seed),
            Form::Single => numbers::singles(amount, seed),
            Form::Whole(bits) => numbers::whole(amount, bits, seed),
        }
    }
}

/// Refuses what is not finite, and what a number of some precision has become infinite or 0 of.
fn check_kept(text: &str, number: f64, precision: &str) -> Result<(), String> {
    let is_written_in_digits = text.bytes().any(|byte| byte.is_ascii_digit());
    if !number.is_finite() {
        return Err(match is_written_in_digits {
            true => format!("`{}` does not fit into {precision}", shown(text)),
            false => format!("`{}` is not finite: it has to be a number", shown(text)),
        });
    }
    let exponent = text.find(['e', 'E']).unwrap_or(text.len());
    let is_zero = !text[..exponent]
        .bytes()
        .any(|byte| matches!(byte, b'1'..=b'9'));
    match number == 0.0 && !is_zero {
        true => Err(format!(
            "`{}` is too small for {precision}: it would become 0",
            shown(text)
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for form in [Form::Double, Form::Single, Form::Whole(1), Form::Whole(31)] {
            for bits in form.drawn(200, 3) {
                assert_eq!(form.read(&form.write(bits)), Ok(bits));
            }
            assert_eq!(Form::of_bits(Some(form.bits())).unwrap(), form);
        }
        for text in ["0", "-0.0", "0e-999", "1e-45"] {
            assert!(Form::Single.read(text).is_ok(), "{text}");
        }
        for text in ["1e300", "-0.1", "-0", "5e-324"] {
            let bits = Form::Double.read(text).unwrap();
            assert_eq!(Form::Double.read(&Form::Double.write(bits)), Ok(bits));
        }
    }

    #[test]
    fn what_is_no_number_or_too_large_is_refused() {
        for (form, text, refusal) in [
            (Form::Double, "1,5", "`1,5` is no number"),
            (Form::Double, "1e400", "`1e400` does not fit into a double"),
            (
                Form::Single,
                "1e39",
                "`1e39` does not fit into single precision",
            ),
            (
                Form::Single,
                "1e300",
                "`1e300` does not fit into single precision",
            ),
            (
                Form::Single,
                "-1e-60",
                "`-1e-60` is too small for single precision: it would become 0",
            ),
            (
                Form::Double,
                "0.001E-400",
                "`0.001E-400` is too small for a double: it would become 0",
            ),
            (
                Form::Double,
                "nan",
                "`nan` is not finite: it has to be a number",
            ),
            (
                Form::Single,
                "-Infinity",
                "`-Infinity` is not finite: it has to be a number",
            ),
            (Form::Whole(3), "8", "`8` does not fit into 3 bits"),
            (
                Form::Whole(8),
                "99999999999999999999999",
                "`99999999999999999999999` does not fit into 8 bits",
            ),
            (
                Form::Whole(8),
                "99999999999999999999999x",
                "`99999999999999999999999x` is no whole number, 0 or more",
            ),
            (Form::Whole(8), "+5", "`+5` is no whole number, 0 or more"),
            (Form::Whole(3), "-1", "`-1` is no whole number, 0 or more"),
        ] {
            assert_eq!(form.read(text).unwrap_err(), refusal);
        }
        for bits in [0, 33, 63, 65] {
            let refusal = Form::of_bits(Some(bits)).unwrap_err().to_string();
            assert!(refusal.contains("choose 64 for doubles"), "{refusal}");
        }
    }
}
