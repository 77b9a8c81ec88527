//! Linear forms, and systems of them that have no solution.
//!
//! That something holds for all sizes is shown from its opposite: the sizes that there are, and what would have to be so that it does
//! not hold, are inequalities between linear forms. Fourier and Motzkin's elimination takes one variable after the other out of
//! them. Where it ends in `0 >= 1` they have no solution, neither in whole numbers nor in fractions.

use std::fmt::Display;
use std::ops::{Add, Mul, Sub};

use rtl_model::parts::windows::Moment;

/// Variables: `m`, `D`, `r`, and others that a claim needs, such as the numbers of bits.
const VARIABLES: usize = 7;

/// What holds for all sizes; or what does not, with sizes.
pub type Shown = Result<(), String>;

/// A linear form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    of: [i64; VARIABLES],
    constant: i64,
}

const fn variable(number: usize) -> Form {
    let mut of = [0; VARIABLES];
    of[number] = 1;
    Form { of, constant: 0 }
}

/// Dimensions that are left.
pub const M: Form = variable(0);
/// Payload bits.
pub const D: Form = variable(1);
/// The number of a stage.
pub const R: Form = variable(2);
/// The number of a bit.
pub const J: Form = variable(3);
/// The number of a bit on a wire.
pub const ONE: Form = variable(4);
/// That of another.
pub const OTHER: Form = variable(5);
/// Dimensions of the cube, where stages of a pipeline leave fewer.
pub const K: Form = variable(6);

/// A whole number.
pub const fn number(constant: i64) -> Form {
    let of = [0; VARIABLES];
    Form { of, constant }
}

impl Add for Form {
    type Output = Form;
    fn add(mut self, other: Form) -> Form {
        for (one, other) in self.of.iter_mut().zip(other.of) {
            *one += other;
        }
        self.constant += other.constant;
        self
    }
}

impl Mul<i64> for Form {
    type Output = Form;
    fn mul(self, times: i64) -> Form {
        Form {
            of: self.of.map(|one| one * times),
            constant: self.constant * times,
        }
    }
}

impl Sub for Form {
    type Output = Form;
    fn sub(self, other: Form) -> Form {
        self + other * -1
    }
}

impl Add<i64> for Form {
    type Output = Form;
    fn add(self, other: i64) -> Form {
        self + number(other)
    }
}

impl Sub<i64> for Form {
    type Output = Form;
    fn sub(self, other: i64) -> Form {
        self + -other
    }
}

impl Form {
    /// Of whole numbers it is no less than 0 where this is so: coefficients without a common divisor.
    fn tight(self) -> Form {
        match self.of.iter().fold(0, |common, one| divisor(common, *one)) {
            0 => self,
            common => Form {
                of: self.of.map(|one| one / common),
                constant: self.constant.div_euclid(common),
            },
        }
    }

    /// Its value, where the first variables are these numbers and the others 0.
    pub fn at(self, numbers: &[usize]) -> i64 {
        let parts = self.of.iter().zip(numbers);
        parts.map(|(of, number)| of * *number as i64).sum::<i64>() + self.constant
    }

    /// What it is where a variable is a number.
    fn with(mut self, variable: usize, value: i64) -> Form {
        self.constant += self.of[variable] * value;
        self.of[variable] = 0;
        self
    }
}

fn divisor(one: i64, other: i64) -> i64 {
    match other {
        0 => one.abs(),
        _ => divisor(other, one % other),
    }
}

/// What the letters of a window stand for, and in which bit time its iteration begins.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub m: Form,
    pub payload_bits: Form,
    pub r: Form,
    pub begins: Form,
}

impl At {
    /// The value of a moment, from the beginning of its iteration.
    pub fn value(&self, moment: Moment) -> Form {
        let [m, payload_bits, r, constant] = moment.coefficients();
        self.m * m + self.payload_bits * payload_bits + self.r * r + constant
    }

    /// Its bit time.
    pub fn time(&self, moment: Moment) -> Form {
        self.begins + self.value(moment)
    }
}

/// `m`, `D` and `r` of any size.
pub fn sizes() -> System {
    System::of(&[M - 1, D - 1, R - 1, M - R])
}

/// In this iteration.
pub fn here() -> At {
    At {
        m: M,
        payload_bits: D,
        r: R,
        begins: number(0),
    }
}

/// In the next one, which begins so much later and has one dimension less: at that stage.
pub fn next(begins: Form, r: Form) -> At {
    At {
        m: M - 1,
        r,
        begins,
        ..here()
    }
}

/// Forms of which all are 0 or more.
#[derive(Clone, Debug)]
pub struct System(Vec<Form>);

impl System {
    /// Of these forms.
    pub fn of(forms: &[Form]) -> Self {
        System(forms.to_vec())
    }

    /// With more of them.
    pub fn and(&self, forms: &[Form]) -> Self {
        System([&self.0, forms].concat())
    }

    /// With two that are equal.
    pub fn equal(&self, one: Form, other: Form) -> Self {
        self.and(&[one - other, other - one])
    }

    /// No whole numbers solve it. The other answer says nothing.
    pub fn has_no_solution(&self) -> bool {
        let mut forms = self.0.clone();
        loop {
            forms = strictest(&forms);
            if forms.iter().any(|form| *form == number(form.constant)) {
                return true;
            }
            let signs = |variable: usize, sign: i64| {
                let of = move |form: &&Form| form.of[variable].signum() == sign;
                forms.iter().filter(of).copied().collect::<Vec<_>>()
            };
            let work = |variable: &usize| signs(*variable, 1).len() * signs(*variable, -1).len();
            let is_left = |variable: &usize| forms.iter().any(|form| form.of[*variable] != 0);
            let Some(variable) = (0..VARIABLES).filter(is_left).min_by_key(work) else {
                return false;
            };
            let mut without = signs(variable, 0);
            for more in signs(variable, 1) {
                for less in signs(variable, -1) {
                    without.push(more * -less.of[variable] + less * more.of[variable]);
                }
            }
            forms = without;
        }
    }

    /// # Errors
    /// It is of no size: whatever is said of it means nothing.
    pub fn may_be(&self, what: &dyn Display) -> Shown {
        match self.has_no_solution() {
            true => Err(format!("{what}: never")),
            false => Ok(()),
        }
    }

    /// A solution in small numbers, if there is one: to say what is wrong.
    pub fn solution(&self) -> Option<[i64; VARIABLES]> {
        self.solution_from(0)
    }

    fn solution_from(&self, variable: usize) -> Option<[i64; VARIABLES]> {
        if self.has_no_solution() {
            return None;
        }
        if variable == VARIABLES {
            return Some([0; VARIABLES]);
        }
        let largest = match self.0.iter().any(|form| form.of[variable] != 0) {
            true => 40,
            false => 0,
        };
        (0..=largest).find_map(|value| {
            let forms = self.0.iter().map(|form| form.with(variable, value));
            let mut solution = System(forms.collect()).solution_from(variable + 1)?;
            solution[variable] = value;
            Some(solution)
        })
    }

    /// # Errors
    /// What is wrong, if it has a solution, or it is not shown that it has none.
    pub fn refuted(&self, what: &dyn Display) -> Shown {
        if self.has_no_solution() {
            return Ok(());
        }
        Err(match self.solution() {
            None => format!("{what}: not shown"),
            Some(numbers) => {
                let names = ["m", "D", "r", "j", "one", "other", "k"];
                let named = names.iter().zip(numbers).filter(|(_, number)| *number != 0);
                let named = named.map(|(name, number)| format!("{name} = {number}"));
                let named = named.collect::<Vec<_>>().join(", ");
                format!("{what}: not so for {named}")
            }
        })
    }
}

/// Without forms that are always 0 or more; of those that differ in their constant alone the least.
fn strictest(forms: &[Form]) -> Vec<Form> {
    let mut kept = Vec::<Form>::new();
    for form in forms.iter().map(|form| form.tight()) {
        if form == number(form.constant) && form.constant >= 0 {
            continue;
        }
        match kept.iter_mut().find(|one| one.of == form.of) {
            Some(one) => one.constant = one.constant.min(form.constant),
            None => kept.push(form),
        }
    }
    kept
}

#[test]
fn a_system_without_a_solution_is_refuted_and_no_other() {
    let sizes = System::of(&[M - 1, D - 1, R - 1, M - R]);
    assert!(!sizes.has_no_solution());
    assert!(sizes.and(&[R - M - 1]).has_no_solution());
    assert!(!sizes.and(&[R - M]).has_no_solution());
    // The same value in whole numbers, of even and of odd ones.
    assert!(sizes.equal(J * 2, OTHER * 2 + 1).has_no_solution());
    assert!(sizes.equal(J * 2, R * 2 + M * 4 + 3).has_no_solution());
    assert!(!sizes.equal(J * 2, OTHER * 2 + M).has_no_solution());
    // 3J = 2D = 6 and more.
    let multiple = sizes.equal(J * 3, D * 2).and(&[J * 3 - 6]);
    assert_eq!(multiple.solution(), Some([1, 3, 1, 2, 0, 0, 0]));
    assert!(multiple.and(&[number(8) - D * 3]).has_no_solution());
}
