//! What hosts read when all is over, told by what they loaded, as properties state it: whatever a node is loaded with, a bit that
//! is due somewhere is a copy of one that was loaded, or it is always the same.
//!
//! It is read off what rounds load and expect, which knows the traffic and not the machine. A bit is known by its values round by
//! round: two that have the same in all rounds are one, but for one chance in 2^100 or so, and what is wrongly taken for one is
//! not proved.

use std::collections::HashMap;
use std::fmt::Write;

use rtl_model::circuit::verilog::Design;
use rtl_model::circuit::verilog::properties::Stated;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::Stimulus;

/// Rounds that bits are told apart by: one for each bit of [`Values`].
const ROUNDS: usize = 128;

/// The values of a bit, round by round.
type Values = u128;

/// A bit of a port: the number of the port, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    port: usize,
    at: usize,
}

/// What a bit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Always(bool),
    /// As a bit of a port by which nodes are loaded.
    Loaded(Place),
}

/// Bits of a port that follow one another in a node, of which one thing can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    node: usize,
    from: Place,
    is: Vec<Is>,
}

/// Bits of ports, all nodes of a port side by side.
struct Bits<'a> {
    ports: &'a [(String, usize)],
    /// Port by port.
    values: Vec<Vec<Values>>,
    /// In which rounds they matter.
    matter: Vec<Vec<Values>>,
}

impl<'a> Bits<'a> {
    fn of(ports: &'a [(String, usize)], nodes: usize) -> Self {
        let none = ports.iter().map(|(_, width)| vec![0; nodes * width]);
        let none: Vec<Vec<Values>> = none.collect();
        Bits {
            ports,
            values: none.clone(),
            matter: none,
        }
    }

    /// Notes bits of a node in a round, in the order of its ports.
    fn note(&mut self, round: usize, node: usize, bits: impl IntoIterator<Item = Option<bool>>) {
        let places = self.ports.iter().enumerate();
        let places = places
            .flat_map(|(port, (_, width))| (0..*width).map(move |bit| (port, node * width + bit)));
        for ((port, at), bit) in places.zip(bits) {
            self.values[port][at] |= Values::from(bit == Some(true)) << round;
            self.matter[port][at] |= Values::from(bit.is_some()) << round;
        }
    }

    /// All bits, each with its node.
    fn all(&self) -> impl Iterator<Item = (usize, Place, Values)> + '_ {
        let ports = self.values.iter().zip(self.ports).enumerate();
        ports.flat_map(|(port, (values, (_, width)))| {
            let values = values.iter().enumerate();
            values.map(move |(at, &values)| (at / width, Place { port, at }, values))
        })
    }

    fn matters(&self, place: Place) -> Values {
        self.matter[place.port][place.at]
    }

    fn name(&self, port: usize) -> &str {
        &self.ports[port].0
    }
}

/// Puts what follows one another together.
fn runs(bits: impl IntoIterator<Item = (usize, Place, Is)>) -> Vec<Run> {
    let next = |place: Place| Place {
        at: place.at + 1,
        ..place
    };
    let mut runs: Vec<Run> = Vec::new();
    for (node, from, is) in bits {
        let goes_on = |run: &&mut Run| {
            let follows = match (run.is[run.is.len() - 1], is) {
                (Is::Always(_), Is::Always(_)) => true,
                (Is::Loaded(last), Is::Loaded(this)) => next(last) == this,
                _ => false,
            };
            let last = run.from.at + run.is.len();
            follows && run.node == node && run.from.port == from.port && last == from.at
        };
        match runs.last_mut().filter(goes_on) {
            Some(run) => run.is.push(is),
            None => runs.push(Run {
                node,
                from,
                is: vec![is],
            }),
        }
    }
    runs
}

/// The range of so many bits from a place on.
fn range(from: usize, width: usize) -> String {
    match width {
        1 => format!("[{from}]"),
        _ => format!("[{}:{from}]", from + width - 1),
    }
}

/// A vector that has a 1 for each run whose bits are what they should be; `loaded` is what the ports are called that nodes were
/// loaded by.
fn vector(name: &str, runs: &[Run], port: &str, loaded: &dyn Fn(usize) -> String) -> String {
    let mut text = format!("  wire [{}:0] {name} = {{\n", runs.len() - 1);
    for (number, run) in runs.iter().enumerate().rev() {
        let width = run.is.len();
        let value = match run.is[0] {
            Is::Loaded(first) => loaded(first.port) + &range(first.at, width),
            Is::Always(_) => {
                let bits = run.is.iter().rev();
                let bits = bits.map(|is| if *is == Is::Always(true) { '1' } else { '0' });
                format!("{width}'b{}", bits.collect::<String>())
            }
        };
        let comma = if number == 0 { "" } else { "," };
        let _ = writeln!(
            text,
            "    {port}{} == {value}{comma} // node {}",
            range(run.from.at, width),
            run.node
        );
    }
    text + "  };\n"
}

/// What is stated of a machine with that traffic; its ports are those of its design.
///
/// # Errors
/// Rounds that cannot be drawn; [`Error::Interrupted`].
pub(super) fn stated(stimulus: &dyn Stimulus, design: &Design) -> Result<Stated, Error> {
    let nodes = stimulus.device().topology().nodes();
    let mut loaded = Bits::of(&design.host_writes, nodes);
    let mut due = Bits::of(&design.host_reads, nodes);
    note(stimulus, 0, (&mut loaded, &mut due))?;
    for round in 1..ROUNDS {
        interrupt::check()?;
        let (later, _) = stimulus.later(round + 1)?;
        note(&*later, round, (&mut loaded, &mut due))?;
    }
    Ok(of_bits(&loaded, &due))
}

/// Notes what a round loads, and what is due.
fn note(
    stimulus: &dyn Stimulus,
    round: usize,
    (loaded, due): (&mut Bits<'_>, &mut Bits<'_>),
) -> Result<(), Error> {
    let mut machine = stimulus.device().build(1)?;
    stimulus.load(&mut *machine, &mut |_| Ok(()))?;
    let expected = stimulus.expected();
    for node in 0..machine.nodes() {
        let written = machine.host_writes(node).into_iter();
        loaded.note(round, node, written.map(|(_, bit)| Some(bit)));
        let read = machine.host_reads(node);
        let places = read.iter().enumerate().map(|(place, (field, _))| {
            let before = read[..place].iter().rev();
            let bit = before.take_while(|(known, _)| known == field).count();
            expected(node, *field, bit)
        });
        due.note(round, node, places);
    }
    Ok(())
}

fn of_bits(loaded: &Bits<'_>, due: &Bits<'_>) -> Stated {
    let always = |values: Values| match values {
        0 => Some(Is::Always(false)),
        Values::MAX => Some(Is::Always(true)),
        _ => None,
    };
    let mut first: HashMap<Values, Place> = HashMap::new();
    let assumed = loaded.all().filter_map(|(node, place, values)| {
        let known = always(values).or_else(|| first.get(&values).map(|place| Is::Loaded(*place)));
        if known.is_none() {
            first.insert(values, place);
        }
        Some((node, place, known?))
    });
    let assumed = runs(assumed.collect::<Vec<_>>());
    let is = |values| always(values).or_else(|| first.get(&values).map(|place| Is::Loaded(*place)));
    let matter = due.all().filter(|(_, place, _)| due.matters(*place) != 0);
    let known = matter.map(|(node, place, values)| {
        let in_all = due.matters(place) == Values::MAX;
        is(values).filter(|_| in_all).map(|is| (node, place, is))
    });
    // Of what is computed no bit tells what it is: some may be like another by the rule of what is drawn.
    match known.collect::<Option<Vec<_>>>() {
        Some(known) => written((loaded, &assumed), (due, &runs(known))),
        None => Stated::default(),
    }
}

/// What is assumed of what nodes are loaded with, and what is due.
fn written((loaded, assumed): (&Bits<'_>, &[Run]), (due, runs): (&Bits<'_>, &[Run])) -> Stated {
    let mut stated = Stated::default();
    for (port, (name, _)) in loaded.ports.iter().enumerate() {
        let of_port: Vec<Run> = of_port(assumed, port);
        if !of_port.is_empty() {
            stated.declared += "  // Nodes are always loaded with these.\n";
            let vector = vector(&format!("{name}_is_so"), &of_port, name, &|port| {
                loaded.name(port).to_owned()
            });
            stated.declared += &vector;
            let _ = writeln!(
                stated.assumed,
                "      {name}_as_always: assume (&{name}_is_so);"
            );
        }
        let is_copied = |run: &Run| matches!(run.is[0], Is::Loaded(place) if place.port == port);
        if runs.iter().any(is_copied) {
            let last = loaded.values[port].len() - 1;
            let _ = write!(
                stated.declared,
                "  // what nodes were loaded with\n\
                 \x20 reg [{last}:0] was_{name};\n\
                 \x20 always @(posedge clk) if (reset) was_{name} <= {name};\n"
            );
        }
    }
    for (port, (name, _)) in due.ports.iter().enumerate() {
        let of_port = of_port(runs, port);
        if of_port.is_empty() {
            continue;
        }
        stated.declared += "  // what is due\n";
        stated.declared += &vector(&format!("{name}_has_come"), &of_port, name, &|port| {
            format!("was_{}", loaded.name(port))
        });
        let kind = name.trim_start_matches("unload_");
        let _ = writeln!(
            stated.asserted,
            "      delivery_{kind}: assert (!is_over || &{name}_has_come);"
        );
    }
    stated.declared += "\n";
    stated
}

/// Those of a port.
fn of_port(runs: &[Run], port: usize) -> Vec<Run> {
    let of_port = runs.iter().filter(|run| run.from.port == port);
    of_port.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_constants_are_stated_and_nothing_where_a_bit_is_computed() {
        let ports = |name: &str| vec![(name.to_owned(), 3)];
        let [load, unload] = ["load_word", "unload_word"].map(ports);
        let (mut loaded, mut due) = (Bits::of(&load, 2), Bits::of(&unload, 2));
        let mut computed = Bits::of(&unload, 2);
        for round in 0..ROUNDS {
            let [a, b] = [round % 3 == 0, round % 5 == 0];
            // Node 1 is loaded with a copy of a, and a constant.
            loaded.note(round, 0, [Some(a), Some(b), Some(true)]);
            loaded.note(round, 1, [Some(a), Some(false), Some(round % 7 == 0)]);
            due.note(round, 0, [None, None, Some(false)]);
            computed.note(round, 0, [Some(a ^ b), None, Some(false)]);
            due.note(round, 1, [Some(a), Some(b), Some(true)]);
        }
        let stated = of_bits(&loaded, &due);
        let declared = &stated.declared;
        assert!(declared.contains(
            "wire [2:0] load_word_is_so = {\n    \
             load_word[4] == 1'b0, // node 1\n    \
             load_word[3] == load_word[0], // node 1\n    \
             load_word[2] == 1'b1 // node 0\n  };"
        ));
        assert!(declared.contains(
            "wire [2:0] unload_word_has_come = {\n    \
             unload_word[5] == 1'b1, // node 1\n    \
             unload_word[4:3] == was_load_word[1:0], // node 1\n    \
             unload_word[2] == 1'b0 // node 0\n  };"
        ));
        assert!(stated.asserted.contains("delivery_word: assert"));
        let stated = of_bits(&loaded, &computed);
        assert_eq!(stated.declared + &stated.assumed + &stated.asserted, "");
    }
}
