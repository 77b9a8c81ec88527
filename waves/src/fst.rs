//! Fast signal trace, GTKWave's compact format. It holds bits only: names of steps are left to the
//! view's filter file. It always begins at tick 0: before a window that begins later, signals are x.

use std::io::{self, Seek, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};

use crate::trace::{Kind, SignalId, Trace, Value};

/// The unit of the axis: 10^-10 s, as in the VCD.
const TIMESCALE_EXPONENT: i8 = -10;
const BUFFER_BYTES: usize = 1 << 26;

/// Writes a wave as FST. Without a date, so that the same run gives the same file.
pub struct FstTrace<W: Write + Seek> {
    phase: Phase<W>,
    signals: Vec<FstSignalId>,
    digits: Vec<u8>,
    /// Changes are kept in memory until they are about this many bytes.
    buffer_bytes: usize,
}

enum Phase<W: Write + Seek> {
    Declaring(FstHeaderWriter<W>),
    Changing(FstBodyWriter<W>),
    Finished,
}

impl<W: Write + Seek> FstTrace<W> {
    /// Writes to `output`, which should be buffered.
    ///
    /// # Errors
    /// Whatever writing meets.
    pub fn new(output: W) -> io::Result<Self> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: TIMESCALE_EXPONENT,
            version: concat!("cubewave ", env!("CARGO_PKG_VERSION")).to_owned(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        Ok(FstTrace {
            phase: Phase::Declaring(FstHeaderWriter::new(output, &info).map_err(io_error)?),
            signals: Vec::new(),
            digits: Vec::new(),
            buffer_bytes: BUFFER_BYTES,
        })
    }

    fn header(&mut self) -> io::Result<&mut FstHeaderWriter<W>> {
        match &mut self.phase {
            Phase::Declaring(header) => Ok(header),
            _ => Err(io::Error::other("declared after the wave began")),
        }
    }

    fn body(&mut self) -> io::Result<&mut FstBodyWriter<W>> {
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

impl<W: Write + Seek> Trace for FstTrace<W> {
    fn holds_text(&self) -> bool {
        false
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
            Kind::Wire | Kind::Bus { .. } => FstVarType::Wire,
            Kind::Register { .. } => FstVarType::Reg,
            Kind::Count => FstVarType::Integer,
            Kind::Text => return Err(io::Error::other("FST holds no text")),
        };
        let name = if kind.has_range() {
            format!("{name} [{}:0]", kind.width() - 1)
        } else {
            name.to_owned()
        };
        let signal_type = FstSignalType::bit_vec(kind.width() as u32);
        let direction = FstVarDirection::Implicit;
        let signal = self
            .header()?
            .var(name, signal_type, var_type, direction, None)
            .map_err(io_error)?;
        self.signals.push(signal);
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
        let Value::Bits(bits) = value else {
            return Err(io::Error::other("FST holds no text"));
        };
        let mut digits = std::mem::take(&mut self.digits);
        digits.clear();
        digits.extend(bits.iter().rev().map(|&bit| b'0' + u8::from(bit)));
        let signal = self.signals[signal];
        let changed = self.body()?.signal_change(signal, &digits);
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A counter of 3 bits and its lowest bit, for 40 bit times.
    fn write(buffer_bytes: usize) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        let mut trace = FstTrace::new(&mut file).unwrap();
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
    fn text_is_refused() {
        let mut trace = FstTrace::new(Cursor::new(Vec::new())).unwrap();
        assert!(!trace.holds_text());
        assert!(trace.add_signal("step_name", Kind::Text).is_err());
    }
}
