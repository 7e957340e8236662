//! The published form of a recording: new bytes, and ranges of the author's file.

use std::borrow::Borrow;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// A part of the published form.
#[derive(Clone, PartialEq, Eq)]
pub enum Piece {
    /// New bytes.
    Bytes(Vec<u8>),
    /// A range of the author's file.
    Source(Range<u64>),
    /// A range of the author's file, in which some bytes are replaced.
    Patched(Range<u64>, Vec<Patch>),
}

/// Eight bytes that replace bytes of the author's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Position in the author's file.
    pub at: u64,
    pub bytes: [u8; 8],
}

impl Piece {
    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Source(range) | Self::Patched(range, _) => range.end - range.start,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The published form of a recording. It does not contain the audio, only its place in the author's
/// file.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tagged {
    pieces: Vec<Piece>,
    /// Position after each piece, so that a reader finds a position without adding up lengths.
    ends: Vec<u64>,
}

impl Tagged {
    /// Returns the size of the published form in bytes.
    pub fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the parts, in the order of the published form.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Writes the published form. If both ends are a [`std::fs::File`], the operating system copies
    /// the audio without passing it through the program.
    ///
    /// # Errors
    ///
    /// Fails if reading or writing fails, or if `source` ends early because it changed meanwhile.
    pub fn copy<S: Read + Seek, W: Write>(&self, source: &mut S, output: &mut W) -> io::Result<()> {
        for piece in &self.pieces {
            match piece {
                Piece::Bytes(bytes) => output.write_all(bytes)?,
                Piece::Source(range) => copy_range(source, range.clone(), output)?,
                Piece::Patched(range, patches) => {
                    let mut position = range.start;
                    for patch in patches {
                        copy_range(source, position..patch.at, output)?;
                        output.write_all(&patch.bytes)?;
                        position = patch.at + patch.bytes.len() as u64;
                    }
                    copy_range(source, position..range.end, output)?;
                }
            }
        }
        Ok(())
    }

    /// Returns a reader of the published form. `tagged` can be a reference or an `Arc`.
    pub fn reader<T: Borrow<Self>, S: Read + Seek>(tagged: T, source: S) -> Reader<T, S> {
        Reader { tagged, source, position: 0 }
    }

    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Bytes(last)) => {
                last.extend_from_slice(bytes);
                self.ends.pop();
            }
            _ => self.pieces.push(Piece::Bytes(bytes.to_owned())),
        }
        self.record_end();
    }

    pub(crate) fn push_source(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Source(last)) if last.end == range.start => {
                last.end = range.end;
                self.ends.pop();
            }
            _ => self.pieces.push(Piece::Source(range)),
        }
        self.record_end();
    }

    pub(crate) fn push_patched(&mut self, range: Range<u64>, patches: Vec<Patch>) {
        self.pieces.push(Piece::Patched(range, patches));
        self.record_end();
    }

    /// Appends all parts of another form.
    pub(crate) fn append(&mut self, other: Self) {
        for piece in other.pieces {
            match piece {
                Piece::Bytes(bytes) => self.push_bytes(&bytes),
                Piece::Source(range) => self.push_source(range),
                Piece::Patched(range, patches) => self.push_patched(range, patches),
            }
        }
    }

    fn record_end(&mut self) {
        let start = self.len();
        self.ends.extend(self.pieces.last().map(|piece| start + piece.len()));
    }
}

fn copy_range<S: Read + Seek, W: Write>(
    source: &mut S,
    range: Range<u64>,
    output: &mut W,
) -> io::Result<()> {
    let length = range.end.saturating_sub(range.start);
    source.seek(SeekFrom::Start(range.start))?;
    match io::copy(&mut source.take(length), output)? {
        copied if copied == length => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// A reader of the published form, which also seeks.
pub struct Reader<T, S> {
    tagged: T,
    source: S,
    position: u64,
}

impl<T: Borrow<Tagged>, S: Read + Seek> Read for Reader<T, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { tagged, source, position } = self;
        let tagged: &Tagged = (*tagged).borrow();
        let index = tagged.ends.partition_point(|end| end <= position);
        let Some(piece) = tagged.pieces.get(index).filter(|_| !buffer.is_empty()) else {
            return Ok(0);
        };
        let start = index.checked_sub(1).map_or(0, |before| tagged.ends[before]);
        let offset = *position - start;
        let most = usize::try_from(piece.len() - offset).unwrap_or(usize::MAX).min(buffer.len());
        let buffer = &mut buffer[..most];
        let count = match piece {
            Piece::Bytes(bytes) => (&bytes[offset as usize..]).read(buffer)?,
            Piece::Source(range) => read_source(source, range.start + offset, buffer)?,
            Piece::Patched(range, patches) => {
                let at = range.start + offset;
                let count = read_source(source, at, buffer)?;
                patch(at, &mut buffer[..count], patches);
                count
            }
        };
        *position += count as u64;
        Ok(count)
    }
}

impl<T: Borrow<Tagged>, S> Seek for Reader<T, S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.tagged.borrow().len().checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// Reads bytes of the author's file. If the file is shorter than before, this is an error, so that
/// a caller never takes the result for the whole file.
fn read_source(
    source: &mut (impl Read + Seek),
    position: u64,
    buffer: &mut [u8],
) -> io::Result<usize> {
    source.seek(SeekFrom::Start(position))?;
    match source.read(buffer)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        count => Ok(count),
    }
}

/// Replaces the bytes that belong to patches in a buffer with the bytes at a position of the
/// author's file.
fn patch(position: u64, buffer: &mut [u8], patches: &[Patch]) {
    let end = position + buffer.len() as u64;
    let first = patches.partition_point(|patch| patch.at + 8 <= position);
    for patch in patches[first..].iter().take_while(|patch| patch.at < end) {
        for (at, byte) in (patch.at..).zip(patch.bytes) {
            if (position..end).contains(&at) {
                buffer[(at - position) as usize] = byte;
            }
        }
    }
}
