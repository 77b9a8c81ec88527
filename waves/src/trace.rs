//! The seam between what is simulated and how it is written down.

use std::io;

/// Ticks of the time axis in one bit time: the unit is 100 ps, a bit time 1 ns.
pub const TICKS_PER_BIT_TIME: u64 = 10;

/// What a signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A wire of one bit.
    Wire,
    /// So many wires side by side.
    Bus {
        /// How many.
        width: usize,
    },
    /// A register of so many bits.
    Register {
        /// Its width.
        width: usize,
    },
    /// A word of so many bits, made by the simulator from registers.
    Number {
        /// Its width.
        width: usize,
        /// People read it in decimal, as a rank; else in hexadecimal.
        is_decimal: bool,
    },
    /// A count, made by the simulator.
    Count,
    /// A name, made by the simulator.
    Text {
        /// Characters of the longest that there can be.
        longest: usize,
    },
}

impl Kind {
    /// Whether the signal's name carries a range, as in `rank[4:0]`.
    pub fn has_range(self) -> bool {
        matches!(
            self,
            Kind::Bus { width } | Kind::Register { width } | Kind::Number { width, .. } if width > 1
        )
    }

    /// Bits of a value; 0 for text.
    pub fn width(self) -> usize {
        match self {
            Kind::Wire => 1,
            Kind::Bus { width } | Kind::Register { width } | Kind::Number { width, .. } => width,
            Kind::Count => 32,
            Kind::Text { .. } => 0,
        }
    }
}

/// The value of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Bits, least significant first.
    Bits(&'a [bool]),
    /// Visible ASCII and blanks.
    Text(&'a str),
}

/// How a format holds text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// As it is, however long.
    Strings,
    /// As a vector of so many characters as [`Kind::Text`] says, of 8 bits each, as Verilog does:
    /// the last character is the lowest, and what the text leaves over above the first is 0.
    Characters,
}

/// Bits of a character.
pub const BITS_OF_CHARACTER: usize = 8;

impl TextForm {
    /// Bits of a signal in a file; 0 for a string.
    pub fn width(self, kind: Kind) -> usize {
        match (self, kind) {
            (TextForm::Characters, Kind::Text { longest }) => BITS_OF_CHARACTER * longest.max(1),
            _ => kind.width(),
        }
    }

    /// Whether the signal's name carries a range in a file.
    pub fn has_range(self, kind: Kind) -> bool {
        let is_vector = self == TextForm::Characters && matches!(kind, Kind::Text { .. });
        is_vector || kind.has_range()
    }
}

/// A declared signal: its number in the order of declaration.
pub type SignalId = usize;

/// Takes down a wave: scopes and signals first, then their values, then what changes and when.
pub trait Trace {
    /// How signals of [`Kind::Text`] are held.
    fn text_form(&self) -> TextForm {
        TextForm::Strings
    }

    /// A scope begins inside the one that is open.
    ///
    /// # Errors
    /// Whatever writing meets.
    fn push_scope(&mut self, name: &str) -> io::Result<()>;

    /// The innermost scope ends.
    ///
    /// # Errors
    /// Whatever writing meets.
    fn pop_scope(&mut self) -> io::Result<()>;

    /// A signal of the innermost scope.
    ///
    /// # Errors
    /// Whatever writing meets.
    fn add_signal(&mut self, name: &str, kind: Kind) -> io::Result<SignalId>;

    /// All is declared; the values that [`Trace::change`] gives next are those at `tick`.
    ///
    /// # Errors
    /// Whatever writing meets.
    fn begin(&mut self, tick: u64) -> io::Result<()>;

    /// What follows changes at `tick`, later than any before.
    ///
    /// # Errors
    /// Whatever writing meets.
    fn advance(&mut self, tick: u64) -> io::Result<()>;

    /// A signal takes a value.
    ///
    /// # Errors
    /// Whatever writing meets.
    fn change(&mut self, signal: SignalId, value: Value<'_>) -> io::Result<()>;

    /// The wave ends at `tick`.
    ///
    /// # Errors
    /// Whatever writing meets.
    fn finish(&mut self, tick: u64) -> io::Result<()>;
}

/// A trace that somebody keeps.
impl<T: Trace + ?Sized> Trace for &mut T {
    fn text_form(&self) -> TextForm {
        (**self).text_form()
    }

    fn push_scope(&mut self, name: &str) -> io::Result<()> {
        (**self).push_scope(name)
    }

    fn pop_scope(&mut self) -> io::Result<()> {
        (**self).pop_scope()
    }

    fn add_signal(&mut self, name: &str, kind: Kind) -> io::Result<SignalId> {
        (**self).add_signal(name, kind)
    }

    fn begin(&mut self, tick: u64) -> io::Result<()> {
        (**self).begin(tick)
    }

    fn advance(&mut self, tick: u64) -> io::Result<()> {
        (**self).advance(tick)
    }

    fn change(&mut self, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        (**self).change(signal, value)
    }

    fn finish(&mut self, tick: u64) -> io::Result<()> {
        (**self).finish(tick)
    }
}
