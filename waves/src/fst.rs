//! Fast signal trace, GTKWave's compact format. Text is a vector of characters
//! ([`TextForm::Characters`]), which viewers show as ASCII. It always begins at tick 0: before a
//! window that begins later, signals are x.

use std::io::{self, Seek, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};

use crate::VERSION;
use crate::provenance::Provenance;
use crate::trace::{BITS_OF_CHARACTER, Kind, SignalId, TextForm, Trace, Value};

/// The unit of the axis: 10^-10 s, as in the VCD.
const TIMESCALE_EXPONENT: i8 = -10;
/// Changes are kept in memory until they are about so many bytes.
pub const BUFFER_BYTES: usize = 1 << 26;
/// Bytes of the header's version, with the 0 at its end.
const LONGEST_VERSION: usize = 128;

/// Writes a wave as FST.
pub struct FstTrace<'w> {
    phase: Phase<'w>,
    signals: Vec<Declared>,
    digits: Vec<u8>,
    /// Changes are kept in memory until they are about this many bytes.
    buffer_bytes: usize,
}

struct Declared {
    id: FstSignalId,
    /// What it is called and the longest text that it takes, if it is text.
    text: Option<(String, usize)>,
}

/// What is written to.
trait Output: Write + Seek {}

impl<W: Write + Seek> Output for W {}

enum Phase<'w> {
    Declaring(FstHeaderWriter<Box<dyn Output + 'w>>),
    Changing(FstBodyWriter<Box<dyn Output + 'w>>),
    Finished,
}

impl<'w> FstTrace<'w> {
    /// Writes to `output`, which should be buffered. The command stands behind the version if it fits: an FST has no comments,
    /// and what there is for scripts is in its views.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn new(output: impl Write + Seek + 'w, from: &Provenance) -> io::Result<Self> {
        Self::of(Box::new(output), from)
    }

    fn of(output: Box<dyn Output + 'w>, from: &Provenance) -> io::Result<Self> {
        let both = format!("{VERSION}: {}", from.command);
        let fits = !from.command.is_empty() && both.len() < LONGEST_VERSION;
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: TIMESCALE_EXPONENT,
            version: if fits { both } else { VERSION.to_owned() },
            date: from.date.clone().unwrap_or_default(),
            file_type: FstFileType::Verilog,
        };
        Ok(FstTrace {
            phase: Phase::Declaring(FstHeaderWriter::new(output, &info).map_err(io_error)?),
            signals: Vec::new(),
            digits: Vec::new(),
            buffer_bytes: BUFFER_BYTES,
        })
    }

    fn header(&mut self) -> io::Result<&mut FstHeaderWriter<Box<dyn Output + 'w>>> {
        match &mut self.phase {
            Phase::Declaring(header) => Ok(header),
            _ => Err(io::Error::other("declared after the wave began")),
        }
    }

    fn body(&mut self) -> io::Result<&mut FstBodyWriter<Box<dyn Output + 'w>>> {
        match &mut self.phase {
            Phase::Changing(body) => Ok(body),
            _ => Err(io::Error::other("changed before the wave began")),
        }
    }
}

fn io_error(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}

impl Trace for FstTrace<'_> {
    fn text_form(&self) -> TextForm {
        TextForm::Characters
    }

    fn push_scope(&mut self, name: &str) -> io::Result<()> {
        let header = self.header()?;
        header
            .scope(name, "", FstScopeType::Module)
            .map_err(io_error)
    }

    fn pop_scope(&mut self) -> io::Result<()> {
        self.header()?.up_scope().map_err(io_error)
    }

    fn add_signal(&mut self, name: &str, kind: Kind) -> io::Result<SignalId> {
        let var_type = match kind {
            Kind::Wire | Kind::Bus { .. } | Kind::Number { .. } => FstVarType::Wire,
            Kind::Register { .. } | Kind::Text { .. } => FstVarType::Reg,
            Kind::Count => FstVarType::Integer,
        };
        let width = TextForm::Characters.width(kind);
        let spelled = match TextForm::Characters.has_range(kind) {
            true => format!("{name} [{}:0]", width - 1),
            false => name.to_owned(),
        };
        let signal_type = FstSignalType::bit_vec(width as u32);
        let direction = FstVarDirection::Implicit;
        let id = self
            .header()?
            .var(spelled, signal_type, var_type, direction, None)
            .map_err(io_error)?;
        let text = match kind {
            Kind::Text { longest } => Some((name.to_owned(), longest)),
            _ => None,
        };
        self.signals.push(Declared { id, text });
        Ok(self.signals.len() - 1)
    }

    fn begin(&mut self, tick: u64) -> io::Result<()> {
        if let Phase::Declaring(header) = std::mem::replace(&mut self.phase, Phase::Finished) {
            self.phase = Phase::Changing(header.finish().map_err(io_error)?);
        }
        self.body()?.time_change(tick).map_err(io_error)
    }

    fn advance(&mut self, tick: u64) -> io::Result<()> {
        let most = self.buffer_bytes;
        let body = self.body()?;
        if body.size() > most {
            // Right before a later time, and only there.
            body.flush().map_err(io_error)?;
        }
        body.time_change(tick).map_err(io_error)
    }

    fn change(&mut self, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        let mut digits = std::mem::take(&mut self.digits);
        digits.clear();
        let declared = &self.signals[signal];
        match (value, &declared.text) {
            (Value::Text(text), Some((name, longest))) => {
                spell(text, *longest, &mut digits).map_err(|why| {
                    io::Error::other(format!("the text `{text}` of {name} {why}"))
                })?;
            }
            (Value::Bits(bits), None) => {
                digits.extend(bits.iter().rev().map(|&bit| b'0' + u8::from(bit)));
            }
            _ => return Err(io::Error::other("text and bits are mixed up")),
        }
        let id = declared.id;
        let changed = self.body()?.signal_change(id, &digits);
        self.digits = digits;
        changed.map_err(io_error)
    }

    fn finish(&mut self, tick: u64) -> io::Result<()> {
        self.advance(tick)?;
        if let Phase::Changing(body) = std::mem::replace(&mut self.phase, Phase::Finished) {
            body.finish().map_err(io_error)?.flush()?;
        }
        Ok(())
    }
}

/// Writes text as the digits of a vector of `longest` characters, the highest bit first. Else says
/// why that cannot be.
fn spell(text: &str, longest: usize, digits: &mut Vec<u8>) -> Result<(), String> {
    if text.len() > longest {
        return Err(format!(
            "has {} characters, and {longest} are declared",
            text.len()
        ));
    }
    // A 0 could not be told from what is left over, and viewers show nothing else as one character.
    if let Some(strange) = text.chars().find(|c| !c.is_ascii_graphic() && *c != ' ') {
        return Err(format!(
            "has the character {strange:?}, which is no visible ASCII"
        ));
    }
    digits.resize((longest.max(1) - text.len()) * BITS_OF_CHARACTER, b'0');
    for byte in text.bytes() {
        digits.extend(
            (0..BITS_OF_CHARACTER)
                .rev()
                .map(|bit| b'0' + (byte >> bit & 1)),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A counter of 3 bits and its lowest bit, for 40 bit times.
    fn write(buffer_bytes: usize) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        let mut trace = FstTrace::new(&mut file, &Provenance::default()).unwrap();
        trace.buffer_bytes = buffer_bytes;
        trace.push_scope("cube").unwrap();
        let bit = trace.add_signal("bit", Kind::Wire).unwrap();
        let counter = trace
            .add_signal("counter", Kind::Register { width: 3 })
            .unwrap();
        trace.pop_scope().unwrap();
        trace.begin(0).unwrap();
        for time in 0..40u64 {
            if time > 0 {
                trace.advance(10 * time).unwrap();
            }
            let bits: Vec<bool> = (0..3).map(|place| time >> place & 1 == 1).collect();
            trace.change(bit, Value::Bits(&bits[..1])).unwrap();
            trace.change(counter, Value::Bits(&bits)).unwrap();
        }
        trace.finish(400).unwrap();
        drop(trace);
        file.into_inner()
    }

    /// (path, [(tick, value)]) of each signal.
    fn read(file: Vec<u8>) -> Vec<(String, Vec<(u64, String)>)> {
        let mut wave = wellen::simple::read_from_reader(Cursor::new(file)).unwrap();
        let variables: Vec<_> = wave.hierarchy().all_vars().collect();
        let mut signals = Vec::new();
        for variable in variables {
            let id = wave.hierarchy()[variable].signal_ref();
            wave.load_signals(&[id]);
            let ticks = wave.time_table();
            let changes = wave.get_signal(id).unwrap().iter_changes();
            let changes = changes
                .map(|(index, value)| (ticks[index as usize], value.to_string()))
                .collect();
            let name = wave.hierarchy()[variable].full_name(wave.hierarchy());
            signals.push((name, changes));
        }
        signals
    }

    #[test]
    fn what_is_written_is_read_back_however_often_the_buffer_is_emptied() {
        let expected = |width: usize, modulus: u64| -> Vec<(u64, String)> {
            (0..40)
                .map(|time| (10 * time, format!("{:0width$b}", time % modulus)))
                .collect()
        };
        assert!(
            write(30).len() > write(BUFFER_BYTES).len(),
            "in several blocks"
        );
        for buffer_bytes in [30, 200, BUFFER_BYTES] {
            let signals = read(write(buffer_bytes));
            assert_eq!(signals[0], ("cube.bit".to_owned(), expected(1, 2)));
            assert_eq!(signals[1], ("cube.counter".to_owned(), expected(3, 8)));
        }
    }

    #[test]
    fn a_register_is_written_whole_however_wide_it_is() {
        for width in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            let top = |place| place + 1 == width;
            let values: [&dyn Fn(usize) -> bool; 4] = [
                &|place| place * place % 7 < 3,
                &|_| true,
                &|place| !top(place),
                &top,
            ];
            let values = values.map(|bit| (0..width).map(bit).collect::<Vec<bool>>());
            let mut file = Cursor::new(Vec::new());
            let mut trace = FstTrace::new(&mut file, &Provenance::default()).unwrap();
            let kind = Kind::Register { width };
            trace.push_scope("cube").unwrap();
            let register = trace.add_signal("message", kind).unwrap();
            trace.pop_scope().unwrap();
            trace.begin(0).unwrap();
            for (time, bits) in (0..).zip(&values) {
                trace.advance(10 * time).unwrap();
                trace.change(register, Value::Bits(bits)).unwrap();
            }
            trace.finish(50).unwrap();
            drop(trace);
            let (_, changes) = read(file.into_inner()).remove(0);
            let digit = |bit: &bool| char::from(b'0' + u8::from(*bit));
            let expected = values.map(|bits| bits.iter().rev().map(digit).collect::<String>());
            let read = changes.into_iter().map(|(_, value)| value);
            // What stays as it is may be read as one value or several.
            let [mut read, mut expected] = [read.collect::<Vec<_>>(), expected.to_vec()];
            read.dedup();
            expected.dedup();
            assert_eq!(read, expected, "{width} bits");
        }
    }

    #[test]
    fn the_header_has_what_is_said_if_it_fits() {
        let version = |said: &str| {
            let mut file = Cursor::new(Vec::new());
            let from = Provenance {
                command: said.to_owned(),
                date: Some("2001-09-09T01:46:40Z".to_owned()),
                ..Provenance::default()
            };
            FstTrace::new(&mut file, &from).unwrap().finish(10).ok();
            // The version begins at byte 74.
            let header = file.into_inner()[74..74 + LONGEST_VERSION].to_vec();
            let text = header.split(|byte| *byte == 0).next().unwrap().to_vec();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(version("run it"), format!("{VERSION}: run it"));
        assert_eq!(version(""), VERSION);
        // A 0 ends it.
        let most = LONGEST_VERSION - 1 - format!("{VERSION}: ").len();
        let lengths = [most, most + 1].map(|length| version(&"x".repeat(length)).len());
        assert_eq!(lengths, [LONGEST_VERSION - 1, VERSION.len()]);
    }

    /// A text of three characters at most, as written: what is read back.
    fn texts(texts: &[&str]) -> io::Result<Vec<String>> {
        let mut file = Cursor::new(Vec::new());
        let mut trace = FstTrace::new(&mut file, &Provenance::default())?;
        trace.push_scope("cube")?;
        let worm = trace.add_signal("worm", Kind::Text { longest: 3 })?;
        trace.pop_scope()?;
        trace.begin(0)?;
        for (time, text) in (0..).zip(texts) {
            trace.advance(10 * time)?;
            trace.change(worm, Value::Text(text))?;
        }
        trace.finish(1000)?;
        drop(trace);
        let (name, changes) = read(file.into_inner()).remove(0);
        assert_eq!(name, "cube.worm");
        Ok(changes.into_iter().map(|(_, value)| value).collect())
    }

    #[test]
    fn text_is_a_vector_of_characters_as_verilog_has_it() {
        let bits = |text: &[u8]| -> String { text.iter().map(|c| format!("{c:08b}")).collect() };
        assert_eq!(
            texts(&["", "a", "1>2", "b/"]).unwrap(),
            [bits(b"\0\0\0"), bits(b"\0\0a"), bits(b"1>2"), bits(b"\0b/")]
        );
    }

    #[test]
    fn text_that_does_not_fit_is_an_error_and_never_cut() {
        for (text, why) in [
            ("four", "has 4 characters, and 3 are declared"),
            ("é", "has the character 'é', which is no visible ASCII"),
            ("a\tb", "has the character '\\t', which is no visible ASCII"),
        ] {
            let refusal = texts(&["ok", text]).unwrap_err().to_string();
            assert_eq!(refusal, format!("the text `{text}` of worm {why}"));
        }
        assert!(texts(&["a b"]).is_ok());
    }
}
