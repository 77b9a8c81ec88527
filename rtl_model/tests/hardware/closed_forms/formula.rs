//! Reads a formula and works it out.

/// A formula: sums, products with or without a sign, quotients, remainders (`a mod b`), powers, `min(a,b)` and `max(a,b)`.
struct Formula<'a> {
    rest: &'a str,
    /// What its letters stand for; of two that begin alike, the longer one first.
    letters: &'a [(&'a str, f64)],
}

/// Its value; nothing, if it is no formula in these letters.
pub fn value(text: &str, letters: &[(&str, f64)]) -> Option<f64> {
    let mut formula = Formula {
        rest: text,
        letters,
    };
    let value = formula.sum()?;
    formula.rest.trim().is_empty().then_some(value)
}

impl Formula<'_> {
    fn takes(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        let mut sum = self.product()?;
        loop {
            if self.takes("+") {
                sum += self.product()?;
            } else if self.takes("-") {
                sum -= self.product()?;
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut product = self.power()?;
        loop {
            if self.takes("/") {
                product /= self.power()?;
            } else if self.takes("*") {
                product *= self.power()?;
            } else if self.takes("mod") {
                product %= self.power()?;
            } else if let Some(factor) = self.power() {
                product *= factor;
            } else {
                return Some(product);
            }
        }
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.factor()?;
        Some(match self.takes("^") {
            true => base.powf(self.factor()?),
            false => base,
        })
    }

    fn factor(&mut self) -> Option<f64> {
        for (name, of) in [
            ("min(", f64::min as fn(f64, f64) -> f64),
            ("max(", f64::max),
        ] {
            if self.takes(name) {
                let one = self.sum()?;
                let other = self.takes(",").then(|| self.sum())??;
                return self.takes(")").then(|| of(one, other));
            }
        }
        if self.takes("(") {
            let inside = self.sum()?;
            return self.takes(")").then_some(inside);
        }
        for &(letter, value) in self.letters {
            if self.takes(letter) {
                return Some(value);
            }
        }
        let digits = self.rest.len()
            - self
                .rest
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }
}
