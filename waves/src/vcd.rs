//! Value change dump (IEEE 1364), as GTKWave, Surfer and other viewers read it.

use std::io::{self, BufWriter, Write};

use ::vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, VarType, Writer};

use crate::VERSION;
use crate::provenance::Provenance;
use crate::trace::{Kind, SignalId, Trace, Value};

/// Writes a wave as VCD.
pub struct VcdTrace<'w> {
    writer: Writer<BufWriter<Box<dyn Write + 'w>>>,
    signals: Vec<(IdCode, Kind)>,
    dumping_first_values: bool,
    /// Room for a vector's digits.
    vector: Vec<u8>,
}

impl<'w> VcdTrace<'w> {
    /// Writes to `output`, some kilobytes at once. Where the dump comes from is said in its date, and in comments: the command, and
    /// what there is for scripts.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn new(output: impl Write + 'w, from: &Provenance) -> io::Result<Self> {
        Self::of(Box::new(output), from)
    }

    fn of(output: Box<dyn Write + 'w>, from: &Provenance) -> io::Result<Self> {
        let mut writer = Writer::new(BufWriter::new(output));
        if let Some(date) = &from.date {
            writer.date(date)?;
        }
        writer.version(VERSION)?;
        for line in from.lines() {
            writer.comment(&in_a_comment(&line))?;
        }
        writer.comment("one bit time is 1 ns; clk rises at its start")?;
        writer.timescale(100, TimescaleUnit::PS)?;
        Ok(VcdTrace {
            writer,
            signals: Vec::new(),
            dumping_first_values: false,
            vector: Vec::new(),
        })
    }
}

/// Text that ends no comment; JSON stays what it is.
fn in_a_comment(text: &str) -> String {
    let instead = if text.starts_with('{') {
        "\\u0024end"
    } else {
        "$ end"
    };
    text.replace("$end", instead)
}

/// A comment at the end of a dump, of what is known when it is over.
pub fn last_comment(text: &str) -> String {
    format!("$comment\n    {}\n$end\n", in_a_comment(text))
}

impl Trace for VcdTrace<'_> {
    fn push_scope(&mut self, name: &str) -> io::Result<()> {
        self.writer.add_module(name)
    }

    fn pop_scope(&mut self) -> io::Result<()> {
        self.writer.upscope()
    }

    fn add_signal(&mut self, name: &str, kind: Kind) -> io::Result<SignalId> {
        let width = kind.width();
        let (var_type, size) = match kind {
            Kind::Wire => (VarType::Wire, 1),
            Kind::Bus { width } | Kind::Number { width, .. } => (VarType::Wire, width as u32),
            Kind::Register { width } => (VarType::Reg, width as u32),
            Kind::Count => (VarType::Integer, 32),
            Kind::Text { .. } => (VarType::String, 1),
        };
        let index = kind
            .has_range()
            .then(|| ReferenceIndex::Range(width as i32 - 1, 0));
        let id = self.writer.add_var(var_type, size, name, index)?;
        self.signals.push((id, kind));
        Ok(self.signals.len() - 1)
    }

    fn begin(&mut self, tick: u64) -> io::Result<()> {
        self.writer.enddefinitions()?;
        self.writer.timestamp(tick)?;
        self.dumping_first_values = true;
        self.writer.begin(SimulationCommand::Dumpvars)
    }

    fn advance(&mut self, tick: u64) -> io::Result<()> {
        if std::mem::take(&mut self.dumping_first_values) {
            self.writer.end()?;
        }
        self.writer.timestamp(tick)
    }

    fn change(&mut self, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        let (id, kind) = self.signals[signal];
        match value {
            // A blank would end it: the escape is that of GTKWave's own library, and its readers and wellen's know it.
            Value::Text(text) if text.contains([' ', '\\']) => {
                let escaped = text.replace('\\', r"\\").replace(' ', r"\040");
                self.writer.change_string(id, &escaped)
            }
            Value::Text(text) => self.writer.change_string(id, text),
            Value::Bits(bits) if kind.width() == 1 => self.writer.change_scalar(id, bits[0]),
            Value::Bits(bits) => {
                // All bits at once: `change_vector` formats them one by one, which takes most of the time of a traced run.
                self.vector.clear();
                self.vector.push(b'b');
                let from_the_top = bits.iter().rev();
                self.vector
                    .extend(from_the_top.map(|&bit| b'0' + u8::from(bit)));
                let output = self.writer.writer();
                output.write_all(&self.vector)?;
                writeln!(output, " {id}")
            }
        }
    }

    fn finish(&mut self, tick: u64) -> io::Result<()> {
        self.advance(tick)?;
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_wave_is_written_as_viewers_expect_it() {
        let mut file = Vec::new();
        let mut trace = VcdTrace::new(&mut file, &Provenance::default()).unwrap();
        trace.push_scope("cube").unwrap();
        let wire = trace.add_signal("tx", Kind::Wire).unwrap();
        let register = trace
            .add_signal("rank", Kind::Register { width: 3 })
            .unwrap();
        let step = trace
            .add_signal("step_name", Kind::Text { longest: 9 })
            .unwrap();
        let bits = trace.add_signal("occupied_bits", Kind::Count).unwrap();
        trace.pop_scope().unwrap();
        trace.begin(0).unwrap();
        trace.change(wire, Value::Bits(&[true])).unwrap();
        trace
            .change(register, Value::Bits(&[true, true, false]))
            .unwrap();
        trace.change(step, Value::Text(r"1 cross\x")).unwrap();
        trace.change(bits, Value::Bits(&[false; 32])).unwrap();
        trace.advance(10).unwrap();
        trace.change(wire, Value::Bits(&[false])).unwrap();
        trace.finish(20).unwrap();
        drop(trace);

        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            String::from_utf8(file).unwrap(),
            format!(
                "$version\n    cubewave {version}\n$end\n\
                 $comment\n    one bit time is 1 ns; clk rises at its start\n$end\n\
                 $timescale 100 ps $end\n\
                 $scope module cube $end\n\
                 $var wire 1 ! tx $end\n\
                 $var reg 3 \" rank [2:0] $end\n\
                 $var string 1 # step_name $end\n\
                 $var integer 32 $ occupied_bits $end\n\
                 $upscope $end\n\
                 $enddefinitions $end\n\
                 #0\n$dumpvars\n1!\nb011 \"\ns1\\040cross\\\\x #\nb{:032b} $\n$end\n\
                 #10\n0!\n#20\n",
                0
            )
        );
    }

    /// Whatever files are called.
    #[test]
    fn what_is_said_of_a_run_ends_no_comment_and_no_line() {
        let mut file = Vec::new();
        let said = "run --traffic-file 'a\nb $end.csv'";
        let from = Provenance {
            command: said.to_owned(),
            date: Some("2001-09-09T01:46:40Z".to_owned()),
            meta: serde_json::json!({ "command": said }).to_string(),
        };
        drop(VcdTrace::new(&mut file, &from).unwrap());
        let text = String::from_utf8(file).unwrap();
        let texts: Vec<&str> = text.split("$end").map(str::trim).collect();
        assert_eq!(texts[0], "$date\n    2001-09-09T01:46:40Z");
        assert_eq!(texts[2], "$comment\n    run --traffic-file 'a b $ end.csv'");
        let json = texts[3].strip_prefix("$comment").unwrap();
        let read: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(read["command"], said);
    }

    /// Of as many bits as a message of 200: each stands in its place.
    #[test]
    fn a_register_is_written_whole_however_wide_it_is() {
        for width in [2, 63, 64, 65, 200] {
            let bits: Vec<bool> = (0..width).map(|place| place * place % 7 < 3).collect();
            let mut file = Vec::new();
            let mut trace = VcdTrace::new(&mut file, &Provenance::default()).unwrap();
            trace.push_scope("cube").unwrap();
            let register = trace
                .add_signal("message", Kind::Register { width })
                .unwrap();
            trace.pop_scope().unwrap();
            trace.begin(0).unwrap();
            trace.change(register, Value::Bits(&bits)).unwrap();
            trace.finish(10).unwrap();
            drop(trace);
            let text = String::from_utf8(file).unwrap();
            let digits: String = bits
                .iter()
                .rev()
                .map(|&bit| if bit { '1' } else { '0' })
                .collect();
            assert!(
                text.contains(&format!("message [{}:0] $end", width - 1)),
                "{text}"
            );
            assert!(text.contains(&format!("\nb{digits} !\n")), "{text}");
        }
    }
}
