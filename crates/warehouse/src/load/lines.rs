//! Reads a file as lines of limited length. Gzip files (RFC 1952) are decompressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::Source;
use crate::control::Control;
use crate::error::{Fault, Reason};

/// Maximum size of a row, in bytes: 16 MiB.
pub const MAX_ROW_BYTES: usize = 16 * 1024 * 1024;
/// Number of bytes read at once: 128 KiB.
const BUFFER_BYTES: usize = 128 * 1024;

/// A reader for the lines of a file.
pub(super) struct Lines<'a> {
    /// The name of the file, for error messages.
    pub name: &'a str,
    input: Box<dyn BufRead>,
    /// The number of the next line, counted from 1.
    pub number: u64,
    /// The byte offset of the next line in the decompressed file.
    pub offset: u64,
    control: &'a Control,
}

/// The result of reading a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// A line, including its line break.
    Line,
    /// The row is too long. The rest of the line was skipped.
    TooLong,
    /// The end of the file.
    End,
}

impl<'a> Lines<'a> {
    pub(super) fn open(source: &'a Source, control: &'a Control) -> Result<Self, Fault> {
        let name = source.name.as_str();
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Fault::not_found(format!("{name}: file not found")).at(name),
            _ => broken_file(name, 0, &error),
        };
        let file = File::open(&source.path).map_err(failed)?;
        let mut file = BufReader::with_capacity(BUFFER_BYTES, file);
        let is_gzip = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead> = if is_gzip {
            Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        Ok(Self { name, input, number: 1, offset: 0, control })
    }

    /// Appends the next line to `row`, which contains the earlier lines of this row.
    pub(super) fn next(&mut self, row: &mut Vec<u8>) -> Result<Next, Fault> {
        let before = row.len();
        // Tries to read one byte more than the maximum. If that succeeds, the row is too long.
        let most = (MAX_ROW_BYTES + 1).saturating_sub(before);
        let read = (&mut self.input)
            .take(most as u64)
            .read_until(b'\n', row)
            .map_err(|error| broken_file(self.name, self.offset, &error))?;
        if read == 0 {
            return Ok(Next::End);
        }
        let is_first = self.number == 1;
        self.number += 1;
        self.offset += read as u64;
        if read == most {
            if row.last() != Some(&b'\n') {
                self.skip_line()?;
            }
            return Ok(Next::TooLong);
        }
        if is_first {
            self.check_start(row)?;
        }
        Ok(Next::Line)
    }

    /// Removes a UTF-8 byte order mark, and rejects files that start with a UTF-16 byte order mark.
    fn check_start(&self, row: &mut Vec<u8>) -> Result<(), Fault> {
        if row.starts_with(&[0xef, 0xbb, 0xbf]) {
            row.drain(..3);
        }
        if row.starts_with(&[0xff, 0xfe]) || row.starts_with(&[0xfe, 0xff]) {
            Err(Fault::invalid(format!("{}: the file is UTF-16; save it as UTF-8", self.name))
                .at(self.name))
        } else {
            Ok(())
        }
    }

    fn skip_line(&mut self) -> Result<(), Fault> {
        loop {
            self.control.check()?;
            let bytes = self
                .input
                .fill_buf()
                .map_err(|error| broken_file(self.name, self.offset, &error))?;
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let passed = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(passed);
            self.offset += passed as u64;
            if end.is_some() || passed == 0 {
                return Ok(());
            }
        }
    }
}

/// Returns the fault for an error that occurred while reading a file: the file is truncated or not
/// valid gzip, or the disk failed.
fn broken_file(name: &str, offset: u64, error: &io::Error) -> Fault {
    let reason = match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::InvalidInput
        | io::ErrorKind::InvalidData
        | io::ErrorKind::IsADirectory => Reason::Invalid,
        _ => Reason::Internal,
    };
    let message = format!("{name}: the file cannot be read after byte {offset}: {error}");
    Fault::new(reason, message).at(name)
}
