//! The instruction sets that programs and routines are run with. All give the same results; wider
//! ones are faster.

/// A set of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// Those that every machine of the kind has: SSE2, where it is an x86 of 64 bits.
    Portable,
    /// AVX2: 256 bits at once.
    Avx2,
}

/// Something that is worth wide instructions.
pub trait Operation {
    /// What comes of it.
    type Output;

    /// Does it. It and all that it calls have to be inlined: what is not is translated for any
    /// machine of the kind.
    fn perform(self) -> Self::Output;
}

impl Instructions {
    /// All that there are.
    pub const ALL: [Instructions; 2] = [Instructions::Portable, Instructions::Avx2];

    /// Whether the machine that this runs on has them.
    pub fn are_there(self) -> bool {
        match self {
            Instructions::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => pulp::x86::V3::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::Avx2 => false,
        }
    }

    /// The widest that there are.
    pub fn widest() -> Self {
        match Instructions::Avx2.are_there() {
            true => Instructions::Avx2,
            false => Instructions::Portable,
        }
    }

    /// What they are called.
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Portable => "portable",
            Instructions::Avx2 => "AVX2",
        }
    }

    /// Performs an operation with them, or with the portable ones where they are not there.
    #[inline(always)]
    pub fn perform<O: Operation>(self, operation: O) -> O::Output {
        #[cfg(target_arch = "x86_64")]
        if let (Instructions::Avx2, Some(avx2)) = (self, pulp::x86::V3::try_new()) {
            return avx2.vectorize(Widened(operation));
        }
        operation.perform()
    }
}

/// An operation as the library takes it that knows the machine's instructions.
#[cfg(target_arch = "x86_64")]
struct Widened<O>(O);

#[cfg(target_arch = "x86_64")]
impl<O: Operation> pulp::NullaryFnOnce for Widened<O> {
    type Output = O::Output;

    #[inline(always)]
    fn call(self) -> O::Output {
        self.0.perform()
    }
}
