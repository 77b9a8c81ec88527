//! What is stated of a router that promises something of messages: where each of them is when all is over, and that none of
//! their bits is lost or doubled on the way.

use std::fmt::Write;

use crate::circuit::metered::Readings;
use crate::circuit::verilog::properties::arrivals;
use crate::circuit::verilog::properties::stated::Stated;
use crate::circuit::verilog::properties::subject::{Subject, digits};
use crate::circuit::verilog::text::{note, word_range};
use crate::machine::host::Field;
use crate::machine::router::Promise;

/// A machine and what it promises.
pub(super) struct Promised<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) readings: &'a Readings,
    pub(super) promise: Promise,
}

impl Promised<'_> {
    /// What is stated of it, beside what is of each node.
    pub(super) fn stated(&self) -> Stated {
        let arrives = match self.promise.in_order {
            true => arrivals::in_slots(self.subject),
            false => arrivals::in_any_order(self.subject),
        };
        let (valid, _) = self.subject.written(Field::VALID);
        let every_node_sends = match self.promise.full_only {
            true => format!("      from_every_node: assume (&{valid});\n"),
            false => String::new(),
        };
        Stated {
            declared: arrives.declared + &self.all_nodes(),
            assumed: arrives.assumed + &every_node_sends,
            asserted: "      messages_kept: assert (bits_held == bits_live);\n".to_owned()
                + &arrives.asserted,
            ..arrives
        }
    }

    /// The most live bits that a node is said to hold.
    fn most_bits(&self) -> u64 {
        let all = self.readings.iter().map(|(reading, _)| {
            let bits = reading.bits.iter().map(|(_, bits)| u64::from(*bits));
            bits.sum()
        });
        all.max().unwrap_or(0)
    }

    /// Digits of the live bits of a node, and of all nodes.
    pub(super) fn bit_digits(&self) -> [usize; 2] {
        let most = self.most_bits();
        [
            digits(most),
            digits(most * self.subject.nodes() as u64).max(digits(self.most_live())),
        ]
    }

    /// The most live bits that all messages have together.
    fn most_live(&self) -> u64 {
        let nodes = self.subject.nodes() as u64;
        let all = self.readings.iter().filter_map(|(reading, _)| {
            let live = reading.live.as_ref()?;
            Some(nodes * live.iter().map(|bits| u64::from(*bits)).sum::<u64>())
        });
        all.max().unwrap_or(0)
    }

    /// The live bits of all nodes, and those of all messages that were loaded.
    fn all_nodes(&self) -> String {
        let nodes = self.subject.nodes();
        let [width, all] = self.bit_digits();
        let (valid, slots) = self.subject.written(Field::VALID);
        let of_slot = |name: &str, slot: usize| match slots {
            1 => name.to_owned(),
            _ => format!("{name}_{slot}"),
        };
        let range = word_range(all);
        let mut text = note(
            "Live message bits that all nodes hold, and that all messages have which were loaded.",
        );
        text += "  integer i;\n";
        for slot in 0..slots {
            let [sent, loaded] = ["sent", "loaded"].map(|name| of_slot(name, slot));
            let _ = write!(text, "  reg {range}{sent};\n  reg {range}{loaded};\n");
        }
        let _ = write!(
            text,
            "  reg {range}bits_held;\n\
             \x20 reg {range}bits_live;\n\
             \x20 always @* begin\n"
        );
        for slot in 0..slots {
            let _ = writeln!(text, "    {} = {all}'d0;", of_slot("sent", slot));
        }
        let _ = write!(
            text,
            "    bits_held = {all}'d0;\n\
             \x20   for (i = 0; i < {nodes}; i = i + 1) begin\n"
        );
        for slot in 0..slots {
            let (sent, more) = (of_slot("sent", slot), all - 1);
            let place = match slots {
                1 => "i".to_owned(),
                _ => format!("i * {slots} + {slot}"),
            };
            let _ = writeln!(
                text,
                "      {sent} = {sent} + {{{{{more}{{1'b0}}}}, {valid}[{place}]}};"
            );
        }
        let _ = write!(
            text,
            "      bits_held = bits_held + {{{{{wider}{{1'b0}}}}, bits_of_node[i * {width} +: {width}]}};\n\
             \x20   end\n\
             \x20   case (bit_times_over)\n",
            // There are two nodes at the least, so that all of them take a digit more.
            wider = all - width,
        );
        for (live, times) in self.live() {
            let times = self.subject.listed(&times);
            let of_slots = live.iter().flatten().enumerate();
            let of_slots = of_slots
                .filter(|(_, live)| **live > 0 || slots == 1)
                .map(|(slot, live)| format!("{} * {all}'d{live}", of_slot("loaded", slot)));
            let sum = match (&live, of_slots.collect::<Vec<_>>().join(" + ")) {
                (None, _) => {
                    "bits_held; // what is on its way is not told message by message".to_owned()
                }
                (_, sum) if sum.is_empty() => format!("{all}'d0;"),
                (_, sum) => sum + ";",
            };
            let _ = writeln!(text, "      {times}: bits_live = {sum}");
        }
        let _ = write!(
            text,
            "      default: bits_live = {all}'d0;\n\
             \x20   endcase\n\
             \x20 end\n\
             \x20 always @(posedge clk) begin\n\
             \x20   if (reset) begin\n"
        );
        for slot in 0..slots {
            let [sent, loaded] = ["sent", "loaded"].map(|name| of_slot(name, slot));
            let _ = writeln!(text, "      {loaded} <= {sent};");
        }
        text + "    end\n  end\n\n"
    }

    /// The live bits of a message of each slot, each number of them with when there are so many.
    fn live(&self) -> Vec<(Option<Vec<u32>>, Vec<usize>)> {
        let mut all: Vec<(Option<Vec<u32>>, Vec<usize>)> = Vec::new();
        for (reading, times) in self.readings {
            match all.iter_mut().find(|(live, _)| *live == reading.live) {
                Some((_, known)) => known.extend(times),
                None => all.push((reading.live.clone(), times.clone())),
            }
        }
        all.iter_mut().for_each(|(_, times)| times.sort_unstable());
        all
    }
}
