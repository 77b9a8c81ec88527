//! What is asserted of each node: of its wires, and of the messages that it holds.

use std::collections::HashSet;
use std::fmt::Write;

use crate::circuit::expression::Expression;
use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::logic::Logic;
use crate::circuit::verilog::module::names_of_node;
use crate::circuit::verilog::names::Names;
use crate::circuit::verilog::properties::messages::Promised;
use crate::circuit::verilog::properties::subject::{Subject, digits, joined_by_yosys};
use crate::circuit::verilog::properties::wires::{Contended, contended, variables};
use crate::circuit::verilog::text::{note, range, word_range};

/// Flags, each with how much there is where it is 1.
type Amounts = Vec<(Expression, u32)>;

/// The block of every node.
pub(super) struct Block {
    /// What it reads of the node, each with its range.
    signals: Vec<(String, String)>,
    /// What it makes of that.
    logic: String,
    /// The vectors in which all nodes say what they make of it.
    vectors: String,
    /// What is asserted of those.
    pub asserted: String,
}

impl Block {
    /// Of a machine, with what it promises of messages, if that is to be asserted too.
    pub fn of(subject: &Subject<'_>, promised: Option<&Promised<'_>>) -> Self {
        let netlist = subject.netlist;
        let names = names_of_node(netlist, subject.ports);
        let contended = contended(netlist, &names);
        let read = read(promised, &contended);
        let mut block = Block {
            signals: signals(netlist, &names, &read),
            logic: String::new(),
            vectors: String::new(),
            asserted: String::new(),
        };
        let mut logic = Logic::new(&netlist.graph, names, &[read]);
        block.wires(subject, &mut logic, &contended);
        if let Some(promised) = promised {
            block.counts(promised, &mut logic);
        }
        block
    }

    /// The blocks of all nodes; nothing where nothing is read of one.
    pub fn text(&self, subject: &Subject<'_>) -> String {
        if self.logic.is_empty() {
            return String::new();
        }
        let (nodes, machine) = (subject.nodes(), subject.name());
        let [addresses, address] = subject.address();
        let inside = self.signals.iter().filter(|(name, _)| name != ADDRESS);
        let inside = (0..nodes).flat_map(|node| {
            let named = move |(name, range): &(String, String)| {
                (inside_of(machine, &node.to_string(), name), range.clone())
            };
            inside.clone().map(named)
        });
        let signals = self.signals.iter().map(|(name, range)| {
            let source = match &**name {
                ADDRESS => address.clone(),
                _ => inside_of(machine, "n", name),
            };
            format!("      wire {range}{name} = {source};\n")
        });
        let signals: String = signals.collect();
        let addresses = match signals.contains(&address) {
            true => &*addresses,
            false => "",
        };
        format!(
            "{}{addresses}{}  generate\n\
             \x20   for (n = 0; n < {nodes}; n = n + 1) begin : node\n\
             {}{}\
             \x20   end\n\
             \x20 endgenerate\n\n",
            joined_by_yosys(inside),
            self.vectors,
            signals,
            self.logic,
        )
    }

    /// That each wire has at most one driver.
    fn wires(&mut self, subject: &Subject<'_>, logic: &mut Logic<'_>, contended: &Contended) {
        for (wire, drives) in contended {
            let of: Vec<&str> = drives.iter().map(|drive| drive.driver).collect();
            let enables: Vec<Expression> = drives.iter().map(|drive| drive.enable).collect();
            let value = logic.concatenation(&enables, 6);
            let (width, name) = (enables.len(), logic.names.take(&format!("drive_{wire}")));
            let _ = write!(
                self.logic,
                "\n{}{}      wire {}{name} = {value};\n\
                 \x20     assign one_drives_{wire}[n] = ({name} & ({name} - {width}'d1)) == {width}'d0;\n",
                indented(&note(&format!("who drives tx[{wire}]: {}", of.join(", ")))),
                indented(&logic.take_wires()),
                word_range(width),
            );
            self.tells(
                &format!("one_drives_{wire}"),
                subject.nodes(),
                &format!("wires_{wire}"),
            );
        }
    }

    /// A vector in which every node says that something is so, and that this is asserted.
    fn tells(&mut self, vector: &str, nodes: usize, assertion: &str) {
        let _ = writeln!(self.vectors, "  wire [{}:0] {vector};", nodes - 1);
        let _ = writeln!(self.asserted, "      {assertion}: assert (&{vector});");
    }

    /// How many messages a node holds, where there is a bound, and how many live bits.
    fn counts(&mut self, promised: &Promised<'_>, logic: &mut Logic<'_>) {
        if let Some(most) = promised.promise.most_messages {
            self.bounded(promised, logic, u64::from(most));
        }
        let [width, _] = promised.bit_digits();
        let readings = promised.readings.iter();
        let bits = grouped(readings.map(|(reading, times)| (reading.bits.clone(), times)));
        let name = self.count(promised, logic, ("bits", width), &bits);
        let _ = writeln!(
            self.logic,
            "      assign bits_of_node[n * {width} +: {width}] = {name};"
        );
        let range = word_range(promised.subject.nodes() * width);
        let _ = writeln!(self.vectors, "  wire {range}bits_of_node;");
    }

    /// That a node holds so many messages at the most.
    fn bounded(&mut self, promised: &Promised<'_>, logic: &mut Logic<'_>, most: u64) {
        let readings = promised.readings.iter();
        let messages = readings.map(|(reading, times)| {
            let ones = reading.messages.iter().map(|flag| (*flag, 1));
            (ones.collect(), times)
        });
        let messages = grouped(messages);
        let flags = messages.iter().map(|(flags, _)| flags.len() as u64);
        let width = digits(flags.max().unwrap_or(0).max(most));
        let name = self.count(promised, logic, ("messages", width), &messages);
        let _ = writeln!(
            self.logic,
            "      assign few_messages[n] = {name} <= {width}'d{most};"
        );
        self.tells(
            "few_messages",
            promised.subject.nodes(),
            &format!("messages_at_most_{most}"),
        );
    }

    /// What adds up to something, so many digits wide, when so many bit times are over. Gives what that is called.
    fn count(
        &mut self,
        promised: &Promised<'_>,
        logic: &mut Logic<'_>,
        (name, width): (&str, usize),
        sums: &[(Amounts, Vec<usize>)],
    ) -> String {
        let name = logic.names.take(name);
        let range = word_range(width);
        let text = match sums {
            [(always, _)] => format!(
                "      wire {range}{name} = {};\n",
                sum(logic, always, width)
            ),
            _ => {
                let arms = sums.iter().map(|(amounts, times)| {
                    let (times, sum) = (promised.subject.listed(times), sum(logic, amounts, width));
                    format!("          {times}: {name} = {sum};\n")
                });
                format!(
                    "      reg {range}{name};\n\
                     \x20     always @* begin\n\
                     \x20       case (bit_times_over)\n\
                     {}\
                     \x20         default: {name} = {width}'d0;\n\
                     \x20       endcase\n\
                     \x20     end\n",
                    arms.collect::<String>(),
                )
            }
        };
        let _ = write!(self.logic, "\n{}{text}", indented(&logic.take_wires()));
        name
    }
}

/// Like amounts together, each with all its times.
fn grouped<'a>(
    amounts: impl Iterator<Item = (Amounts, &'a Vec<usize>)>,
) -> Vec<(Amounts, Vec<usize>)> {
    let mut groups: Vec<(Amounts, Vec<usize>)> = Vec::new();
    for (amounts, times) in amounts {
        match groups.iter_mut().find(|(known, _)| *known == amounts) {
            Some((_, known)) => known.extend(times),
            None => groups.push((amounts, times.clone())),
        }
    }
    groups
        .iter_mut()
        .for_each(|(_, times)| times.sort_unstable());
    groups
}

/// The parameter of a node that says which one it is: other modules know it without.
const ADDRESS: &str = "ADDRESS";

/// A signal inside of a node as other modules call it.
fn inside_of(machine: &str, node: &str, name: &str) -> String {
    format!("{machine}.node[{node}].router.{name}")
}

/// All that is written down.
fn read(promised: Option<&Promised<'_>>, contended: &Contended) -> Vec<Expression> {
    let drives = contended.iter().flat_map(|(_, drives)| drives);
    let readings = promised.into_iter().flat_map(|promised| promised.readings);
    let readings = readings.flat_map(|(reading, _)| {
        let bits = reading.bits.iter().map(|(flag, _)| flag);
        reading.messages.iter().chain(bits)
    });
    let mut seen = HashSet::new();
    (drives.map(|drive| drive.enable))
        .chain(readings.copied())
        .filter(|one| seen.insert(*one))
        .collect()
}

/// The registers and strobes that are read, each with its range.
fn signals(netlist: &Netlist, names: &Names, read: &[Expression]) -> Vec<(String, String)> {
    let mut signals: Vec<(String, String)> = Vec::new();
    for variable in variables(netlist, read) {
        let Some(reference) = names.reference(variable) else {
            continue;
        };
        let base = &reference.base;
        if signals.iter().any(|(known, _)| known == base) {
            continue;
        }
        let range = match (reference.index, names.range(base)) {
            (Some(_), Some((low, high))) => range(Some(low), high + 1 - low),
            _ => String::new(),
        };
        signals.push((base.clone(), range));
    }
    signals
}

/// The sum of what flags say, so many digits wide.
fn sum(logic: &mut Logic<'_>, flags: &[(Expression, u32)], width: usize) -> String {
    let terms = flags.iter().map(|(flag, amount)| {
        let flag = match logic.condition(*flag) {
            flag if flag.contains(' ') => format!("({flag})"),
            flag => flag,
        };
        format!("({flag} ? {width}'d{amount} : {width}'d0)")
    });
    let terms: Vec<String> = terms.collect();
    match terms.is_empty() {
        true => format!("{width}'d0"),
        false => terms.join("\n            + "),
    }
}

/// Lines of a module as those of a block of a generate loop.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("    {line}\n")).collect()
}
