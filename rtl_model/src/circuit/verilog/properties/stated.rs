//! What is stated of a machine, as lines of SystemVerilog.

/// What is stated of a machine beside what follows from its description: lines of SystemVerilog.
#[derive(Clone, Debug, Default)]
pub struct Stated {
    /// Inputs that the machine has not, with their widths: tools choose what is on them, as on the machine's.
    pub free: Vec<(String, usize)>,
    /// Inputs of the machine that what is declared drives: they are wires.
    pub driven: Vec<String>,
    /// Signals. They may read the ports of the machine, `reset`, `bit_times_over`, `is_over`, which is 1 from the end of the last bit
    /// time on, and `n`, which is a `genvar`.
    pub declared: String,
    /// Assumptions, while nodes are loaded.
    pub assumed: String,
    /// Assertions, from bit time 0 on. What comes before the first `_` of their names is of what they are.
    pub asserted: String,
}
