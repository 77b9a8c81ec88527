//! Names in one Verilog module, each used once.

use std::collections::{HashMap, HashSet};

use crate::circuit::expression::Expression;
use crate::language::bit::Bit;

/// What an expression is called: a scalar, or a bit of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub base: String,
    pub index: Option<usize>,
}

/// The names that are taken, and what they stand for.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    references: HashMap<Expression, Reference>,
    /// Lowest and highest index of each vector.
    ranges: HashMap<String, (usize, usize)>,
}

impl Names {
    /// Takes `name`, or the nearest name that is free.
    pub fn take(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 2;
        while is_keyword(&free) || !self.taken.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    /// Whether the name stands for something.
    pub fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Calls one bit by a name of its own.
    pub fn scalar(&mut self, name: &str, bit: Expression) -> String {
        let base = self.take(name);
        let reference = Reference {
            base: base.clone(),
            index: None,
        };
        self.references.insert(bit, reference);
        base
    }

    /// Calls bits by one name, with indices from `first` on.
    pub fn vector(&mut self, name: &str, first: usize, bits: &[Expression]) -> String {
        let base = self.take(name);
        for (place, bit) in bits.iter().enumerate() {
            let reference = Reference {
                base: base.clone(),
                index: Some(first + place),
            };
            self.references.insert(*bit, reference);
        }
        let range = (first, first + bits.len().saturating_sub(1));
        self.ranges.insert(base.clone(), range);
        base
    }

    /// A register or port of so many bits: one bit has no index.
    pub fn word(&mut self, name: &str, bits: &[Expression]) -> String {
        match bits {
            [bit] => self.scalar(name, *bit),
            bits => self.vector(name, 0, bits),
        }
    }

    /// What an expression is called, if it has a name.
    pub fn reference(&self, expression: Expression) -> Option<&Reference> {
        self.references.get(&expression)
    }

    /// The name as it is written, constants included.
    pub fn text(&self, expression: Expression) -> Option<String> {
        match expression {
            Expression::ZERO => return Some("1'b0".to_owned()),
            Expression::ONE => return Some("1'b1".to_owned()),
            _ => {}
        }
        let reference = self.references.get(&expression)?;
        Some(match reference.index {
            None => reference.base.clone(),
            Some(index) => format!("{}[{index}]", reference.base),
        })
    }

    /// The lowest and the highest index of a vector.
    pub fn range(&self, base: &str) -> Option<(usize, usize)> {
        self.ranges.get(base).copied()
    }

    /// Bits `low` to `high` of a vector as they are written.
    pub fn slice(&self, base: &str, low: usize, high: usize) -> String {
        match self.ranges.get(base) {
            Some(range) if *range == (low, high) => base.to_owned(),
            _ if low == high => format!("{base}[{low}]"),
            _ => format!("{base}[{high}:{low}]"),
        }
    }
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.split(' ').any(|keyword| keyword == name)
}

/// Words that mean something in Verilog or SystemVerilog.
const KEYWORDS: &str = "\
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic \
    before begin bind bins bit break buf bufif0 bufif1 byte case casex casez cell chandle checker \
    class clocking cmos config const constraint context continue cover covergroup coverpoint cross \
    deassign default defparam design disable dist do edge else end endcase endclass endclocking \
    endconfig endfunction endgenerate endgroup endinterface endmodule endpackage endprimitive \
    endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect \
    export extends extern final first_match for force foreach forever fork forkjoin function \
    generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies \
    import incdir include initial inout input inside instance int integer interconnect interface \
    intersect join join_any join_none large let liblist library local localparam logic longint \
    macromodule matches medium modport module nand negedge nettype new nexttime nmos nor \
    noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge \
    primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect \
    pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on \
    release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually \
    s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed \
    small soft solve specify specparam static string strong strong0 strong1 struct super supply0 \
    supply1 sync_accept_on sync_reject_on table tagged task this throughout time timeprecision \
    timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique \
    unique0 unsigned until until_with untyped use uwire var vectored virtual void wait wait_order \
    wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::expression::Graph;

    #[test]
    fn no_name_is_used_twice_and_none_is_a_keyword() {
        let mut names = Names::default();
        assert_eq!(names.take("rank"), "rank");
        assert_eq!(names.take("rank"), "rank_2");
        assert_eq!(names.take("rank"), "rank_3");
        assert_eq!(names.take("reg"), "reg_2");
        assert!(names.is_taken("rank_3") && !names.is_taken("reg"));
    }

    #[test]
    fn slices_are_written_as_short_as_they_can_be() {
        Graph::record(|| {
            let bits: Vec<Expression> = (0..4).map(|_| Expression::variable()).collect();
            let mut names = Names::default();
            names.vector("pass", 1, &bits);
            assert_eq!(names.slice("pass", 1, 4), "pass");
            assert_eq!(names.slice("pass", 2, 4), "pass[4:2]");
            assert_eq!(names.slice("pass", 3, 3), "pass[3]");
            assert_eq!(names.text(bits[0]).as_deref(), Some("pass[1]"));
            assert_eq!(names.text(Expression::ONE).as_deref(), Some("1'b1"));
        });
    }
}
