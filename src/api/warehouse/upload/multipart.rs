//! Parses a multipart body (RFC 2046, section 5.1) as it arrives. The parser buffers only a few
//! lines.
//!
//! The first boundary line determines whether lines end in CRLF or in LF. This way, a body with
//! CRLF loses no byte of data, and a body with LF is parsed as its sender intended.
//!
//! The crate `multer` (3.1.0) is not used because it does not support bodies with LF, parts without
//! headers, or a body that ends directly after its last boundary ("incomplete multipart stream").
//! It also accepts only `multipart/form-data`.

use super::boundary::Boundary;

/// Maximum length of the headers of a part, and of the text before the first part, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// A parsed section of a body. Events are emitted in the order of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MultipartEvent<'a> {
    /// The start of a part, with its headers.
    Part(&'a [u8]),
    /// Some of the data of a part.
    SpooledFile(&'a [u8]),
    /// The end of the last part.
    End,
}

#[derive(Debug)]
pub struct Multipart {
    /// Two dashes and the boundary.
    delimiter: Vec<u8>,
    /// Bytes that have arrived but are not parsed yet.
    buffer: Vec<u8>,
    place: Place,
    newline: &'static [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first part. The value is the number of bytes skipped so far.
    Preamble(usize),
    /// In the headers of a part.
    Headers,
    /// At the first byte of a part's data.
    DataStart,
    /// In the data of a part.
    SpooledFile,
    /// After the last part.
    Epilogue,
}

const CRLF: &[u8] = b"\r\n";
const LF: &[u8] = b"\n";

/// The progress of one step of parsing.
enum Progress {
    /// Number of bytes that were parsed.
    Took(usize),
    /// More bytes are needed.
    Wants,
}

/// The reason why a multipart body cannot be parsed.
#[cfg_attr(test, derive(Clone, PartialEq))]
#[derive(Debug)]
pub struct MultipartError(pub String);

impl From<&str> for MultipartError {
    fn from(why: &str) -> Self {
        Self(why.to_owned())
    }
}

/// The end of a boundary line, after two dashes and the boundary.
enum BoundaryEnd {
    /// Another part begins after this number of bytes. The boundary line ends in this line break.
    Part(usize, &'static [u8]),
    Close,
}

impl Multipart {
    /// Creates a parser for a body with this boundary.
    pub fn new(boundary: &Boundary) -> Self {
        Self {
            delimiter: boundary.delimiter(),
            buffer: Vec::new(),
            place: Place::Preamble(0),
            newline: CRLF,
        }
    }

    /// Parses more bytes, and calls `emit` with each event. Returns an error for a problem in the
    /// body, or the error of `emit`.
    pub fn read<E: From<MultipartError>>(
        &mut self,
        bytes: &[u8],
        mut emit: impl FnMut(MultipartEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.extend_from_slice(bytes);
        let mut at = 0;
        while let Progress::Took(taken) = self.step(&buffer[at..], &mut emit)? {
            at += taken;
        }
        buffer.drain(..at);
        self.buffer = buffer;
        Ok(())
    }

    /// Returns an error if the body ended before the closing boundary.
    pub fn finish(&self) -> Result<(), MultipartError> {
        match self.place {
            Place::Epilogue => Ok(()),
            Place::Preamble(_) => Err("the body does not contain the boundary".into()),
            _ => Err("the body is incomplete: the closing boundary is missing".into()),
        }
    }

    fn step<E: From<MultipartError>>(
        &mut self,
        buffer: &[u8],
        emit: &mut impl FnMut(MultipartEvent<'_>) -> Result<(), E>,
    ) -> Result<Progress, E> {
        match self.place {
            Place::Preamble(skipped) => self.preamble(buffer, skipped, emit),
            Place::Headers => self.headers(buffer, emit),
            Place::DataStart => self.data_start(buffer, emit),
            Place::SpooledFile => self.data(buffer, emit),
            Place::Epilogue if buffer.is_empty() => Ok(Progress::Wants),
            Place::Epilogue => Ok(Progress::Took(buffer.len())),
        }
    }

    /// Skips lines up to the first boundary.
    fn preamble<E: From<MultipartError>>(
        &mut self,
        buffer: &[u8],
        skipped: usize,
        emit: &mut impl FnMut(MultipartEvent<'_>) -> Result<(), E>,
    ) -> Result<Progress, E> {
        if buffer.starts_with(&self.delimiter) {
            return match boundary_end(&buffer[self.delimiter.len()..])? {
                None => Ok(Progress::Wants),
                Some(boundary_end) => {
                    if let BoundaryEnd::Part(_, newline) = boundary_end {
                        self.newline = newline;
                    }
                    self.begin(&boundary_end, 0, emit)
                }
            };
        }
        match find(buffer, LF) {
            Some(at) if skipped + at < MAX_HEAD => {
                self.place = Place::Preamble(skipped + at + 1);
                Ok(Progress::Took(at + 1))
            }
            None if skipped + buffer.len() < MAX_HEAD => Ok(Progress::Wants),
            _ => {
                let message = "the body must begin with a line of two dashes and the boundary";
                Err(MultipartError::from(message).into())
            }
        }
    }

    /// Continues after a boundary line that begins at `at`.
    fn begin<E: From<MultipartError>>(
        &mut self,
        boundary_end: &BoundaryEnd,
        at: usize,
        emit: &mut impl FnMut(MultipartEvent<'_>) -> Result<(), E>,
    ) -> Result<Progress, E> {
        let line = at + self.delimiter.len();
        match boundary_end {
            BoundaryEnd::Part(length, _) => {
                self.place = Place::Headers;
                Ok(Progress::Took(line + length))
            }
            BoundaryEnd::Close => {
                self.place = Place::Epilogue;
                emit(MultipartEvent::End)?;
                Ok(Progress::Took(line + 2))
            }
        }
    }

    fn headers<E: From<MultipartError>>(
        &mut self,
        buffer: &[u8],
        emit: &mut impl FnMut(MultipartEvent<'_>) -> Result<(), E>,
    ) -> Result<Progress, E> {
        // The part has no headers, or its headers end with an empty line.
        let (end, length) = if buffer.starts_with(self.newline) {
            (0, self.newline.len())
        } else {
            match find(buffer, &self.newline.repeat(2)) {
                Some(at) => (at, at + 2 * self.newline.len()),
                None if buffer.len() > MAX_HEAD => {
                    let message = format!("the headers of a part must be at most {MAX_HEAD} bytes");
                    return Err(MultipartError(message).into());
                }
                None => return Ok(Progress::Wants),
            }
        };
        self.place = Place::DataStart;
        emit(MultipartEvent::Part(&buffer[..end]))?;
        Ok(Progress::Took(length))
    }

    /// Checks for a boundary line at the start of the data. If a part has no data, the boundary
    /// line can follow directly after its headers.
    fn data_start<E: From<MultipartError>>(
        &mut self,
        buffer: &[u8],
        emit: &mut impl FnMut(MultipartEvent<'_>) -> Result<(), E>,
    ) -> Result<Progress, E> {
        if buffer.len() < self.delimiter.len() && self.delimiter.starts_with(buffer) {
            return Ok(Progress::Wants);
        }
        if !buffer.starts_with(&self.delimiter) {
            self.place = Place::SpooledFile;
            return Ok(Progress::Took(0));
        }
        match boundary_end(&buffer[self.delimiter.len()..])? {
            Some(boundary_end) => self.begin(&boundary_end, 0, emit),
            None => Ok(Progress::Wants),
        }
    }

    fn data<E: From<MultipartError>>(
        &mut self,
        buffer: &[u8],
        emit: &mut impl FnMut(MultipartEvent<'_>) -> Result<(), E>,
    ) -> Result<Progress, E> {
        let line = [self.newline, &self.delimiter].concat();
        if buffer.starts_with(&line) {
            return match boundary_end(&buffer[line.len()..])? {
                Some(boundary_end) => self.begin(&boundary_end, self.newline.len(), emit),
                None => Ok(Progress::Wants),
            };
        }
        // Bytes that may begin a boundary line stay in the buffer until more bytes arrive.
        let end = find(buffer, &line).unwrap_or_else(|| buffer.len() - overlap(buffer, &line));
        match end {
            0 => Ok(Progress::Wants),
            end => {
                emit(MultipartEvent::SpooledFile(&buffer[..end]))?;
                Ok(Progress::Took(end))
            }
        }
    }
}

/// Parses the end of a boundary line, after two dashes and the boundary. Returns None if more bytes
/// are needed.
fn boundary_end(rest: &[u8]) -> Result<Option<BoundaryEnd>, MultipartError> {
    if rest.starts_with(b"--") {
        return Ok(Some(BoundaryEnd::Close));
    }
    let padding = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
    match &rest[padding..] {
        [b'\r', b'\n', ..] => Ok(Some(BoundaryEnd::Part(padding + 2, CRLF))),
        [b'\n', ..] => Ok(Some(BoundaryEnd::Part(padding + 1, LF))),
        [] | [b'\r'] if padding <= MAX_HEAD => Ok(None),
        [b'-'] if padding == 0 => Ok(None),
        _ => Err("unexpected text after a boundary on the same line".into()),
    }
}

/// Returns the position of `wanted` in `text`.
fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let (first, rest) = wanted.split_first()?;
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|byte| byte == first) {
        let at = from + at;
        if text[at + 1..].starts_with(rest) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Returns the length of the longest suffix of `text` that is a proper prefix of `wanted`.
fn overlap(text: &[u8], wanted: &[u8]) -> usize {
    let most = text.len().min(wanted.len() - 1);
    (1..=most).rev().find(|length| text.ends_with(&wanted[..*length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Parses a body that arrives in these pieces. Returns the headers and data of each part.
    fn parts(pieces: &[&[u8]]) -> Result<Vec<(String, Vec<u8>)>, MultipartError> {
        let boundary = Boundary::of("multipart/related; boundary=b").map_err(MultipartError)?;
        let mut multipart = Multipart::new(&boundary);
        let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
        for piece in pieces {
            multipart.read(piece, |found| {
                match found {
                    MultipartEvent::Part(head) => {
                        parts.push((String::from_utf8_lossy(head).into_owned(), Vec::new()));
                    }
                    MultipartEvent::SpooledFile(data) => {
                        parts.last_mut().unwrap().1.extend_from_slice(data)
                    }
                    MultipartEvent::End => {}
                }
                Ok::<(), MultipartError>(())
            })?;
        }
        multipart.finish()?;
        Ok(parts)
    }

    fn two_parts(a: (&str, &[u8]), b: (&str, &[u8])) -> Vec<(String, Vec<u8>)> {
        vec![(a.0.to_owned(), a.1.to_vec()), (b.0.to_owned(), b.1.to_vec())]
    }

    #[test]
    fn parts_are_split_at_boundary_lines() {
        for (body, expected) in [
            (
                "--b\r\nA: 1\r\n\r\n{}\r\n--b\r\n\r\ndata\r\n--b--",
                two_parts(("A: 1", b"{}"), ("", b"data")),
            ),
            (
                "hello\r\n--b  \r\nA: 1\r\nB: 2\r\n\r\n{}\r\n--b\r\n\r\n\r\n--b--\r\nbye",
                two_parts(("A: 1\r\nB: 2", b"{}"), ("", b"")),
            ),
            ("--b\n\n{}\n--b\nA: 1\n\nx\r\n--b--\n", two_parts(("", b"{}"), ("A: 1", b"x\r"))),
            (
                "--b\r\n\r\n{}\r\n--b\r\n\r\nx\n--b\n--b\r\r\n--b--",
                two_parts(("", b"{}"), ("", b"x\n--b\n--b\r")),
            ),
            (
                "--b\r\nA: 1\r\n\r\n--b\r\n\r\n--\r\n--\r\n--b--",
                two_parts(("A: 1", b""), ("", b"--\r\n--")),
            ),
        ] {
            assert_eq!(parts(&[body.as_bytes()]).as_ref(), Ok(&expected), "{body:?}");
        }
    }

    #[test]
    fn an_invalid_multipart_body_is_refused() {
        for wrong in [
            "",
            "{}",
            "--c\r\n\r\n{}\r\n--c--",
            "--b",
            "--b\r\n",
            "--b\r\n\r\n{}",
            "--b\r\n\r\n{}\r\n--b\r\n\r\ndata",
            "--b\r\n\r\n{}\r\n--b\r\n\r\ndata\r\n--b",
            "--b\r\n\r\n{}\r\n--b\r\n\r\ndata\r\n--b-",
            "--b\r\n\r\n{}\r\n--bc\r\n\r\ndata\r\n--b--",
            "--bc\r\n\r\n{}\r\n--b--",
        ] {
            assert!(parts(&[wrong.as_bytes()]).is_err(), "{wrong:?}");
        }
        let long = format!("--b\r\n{}", "a".repeat(MAX_HEAD + 1));
        assert!(parts(&[long.as_bytes()]).is_err());
        assert!(parts(&["a\n".repeat(MAX_HEAD).as_bytes()]).is_err());
    }

    proptest! {
        #[test]
        fn chunk_sizes_do_not_change_the_result(
            data in prop::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'-'), Just(b'b'), any::<u8>()], 0..60),
            cuts in prop::collection::vec(0_usize..120, 0..6),
        ) {
            let body = [b"--b\r\nA: 1\r\n\r\n{}\r\n--b\r\n\r\n", &data[..], b"\r\n--b--\r\n"].concat();
            let whole = parts(&[&body]);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.extend([0, body.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &body[pair[0]..pair[1]]).collect();
            prop_assert_eq!(parts(&pieces), whole.clone());
            let bytewise: Vec<&[u8]> = body.chunks(1).collect();
            prop_assert_eq!(parts(&bytewise), whole.clone());
            if find(&data, b"--b").is_none() {
                prop_assert_eq!(whole, Ok(two_parts(("A: 1", b"{}"), ("", &data))));
            }
        }

        #[test]
        fn any_bytes_are_parsed_without_panic(
            bytes in prop::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'-'), Just(b'b'), Just(b' '), any::<u8>()], 0..80),
        ) {
            let pieces: Vec<&[u8]> = bytes.chunks(3).collect();
            prop_assert_eq!(parts(&pieces).is_ok(), parts(&[&bytes]).is_ok());
        }
    }
}
