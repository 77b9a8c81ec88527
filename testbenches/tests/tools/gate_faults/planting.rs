//! Gate faults: operators of exported Verilog, each replaced by another.

/// An operator that is replaced.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The file.
    pub file: &'static str,
    /// Where in it, counted in bytes.
    place: usize,
    /// By which.
    by: u8,
}

const OPERATORS: &[u8] = b"^&|";

/// All faults of a file: each `^`, `&` and `|` between two operands, outside comments, replaced by each of the others.
pub fn faults(file: &'static str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap().as_bytes();
        for place in 1..code.len().saturating_sub(1) {
            // A reduction has no operand on its left, and no blank on its right.
            let between = code[place - 1] == b' ' && code[place + 1] == b' ';
            if between && OPERATORS.contains(&code[place]) {
                let others = OPERATORS.iter().filter(|other| **other != code[place]);
                faults.extend(others.map(|by| Fault {
                    file,
                    place: start + place,
                    by: *by,
                }));
            }
        }
        start += line.len();
    }
    faults
}

impl Fault {
    /// The file with it.
    pub fn planted(&self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        bytes[self.place] = self.by;
        String::from_utf8(bytes).unwrap()
    }

    /// Its line, for people.
    pub fn shown(&self, text: &str) -> String {
        let planted = self.planted(text);
        let number = text[..self.place].matches('\n').count();
        let line = planted.lines().nth(number).unwrap().trim();
        format!("{}:{}: {line}", self.file, number + 1)
    }
}

#[test]
fn operators_are_found_and_nothing_else_is() {
    let text = "// a & b\nwire n = ~a & (b ^ c); // a | b\nwire unused = &{1'b0, d};\n  | e\n";
    let planted: Vec<String> = (faults("node.v", text).iter())
        .map(|fault| fault.shown(text))
        .collect();
    assert_eq!(
        planted,
        [
            "node.v:2: wire n = ~a ^ (b ^ c); // a | b",
            "node.v:2: wire n = ~a | (b ^ c); // a | b",
            "node.v:2: wire n = ~a & (b & c); // a | b",
            "node.v:2: wire n = ~a & (b | c); // a | b",
            "node.v:4: ^ e",
            "node.v:4: & e",
        ]
    );
}
