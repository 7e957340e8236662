//! The file format of a manifest.
//!
//! The first line identifies the format. Three little-endian numbers follow: a hash of the names
//! and facts, a hash of the versions, and the length of all names in bytes. Then come the names,
//! each with a line end, [`FACTS_LENGTH`] bytes for each file, and the version of each file. Names
//! come first, so most of them can be recovered from a truncated manifest. Earlier versions of the
//! program wrote a text file with one line for each file of the output.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::{FileRecord, Line, Trust, one_line, push_line};

const MAGIC: &[u8] = b"feedwright output 3\n";

const EARLIER_MAGIC: &str = "feedwright output 2 ";

/// Number of bytes before the names.
const HEADER_LENGTH: usize = MAGIC.len() + 3 * NUMBER_LENGTH;

/// Number of bytes of a file's fingerprint, hash and length.
const FACTS_LENGTH: usize = 3 * NUMBER_LENGTH;

const NUMBER_LENGTH: usize = 8;

/// The content of a manifest file.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The names of all files, one per line.
    pub names: String,
    pub files: Vec<Line>,
    /// Whether no file occurs twice.
    pub is_distinct: bool,
    /// How far the lines can be trusted. [`Trust::MaybeOurs`] means that the manifest is damaged.
    pub trust: Option<Trust>,
    /// The hash of the names and facts, without the versions.
    pub hash: u64,
}

/// Encodes a manifest. Returns its bytes and the hash of its names and facts.
pub(super) fn encode<'f>(
    files: impl Iterator<Item = (&'f str, FileRecord)> + Clone,
) -> (Vec<u8>, u64) {
    let count = files.clone().count();
    let mut bytes = Vec::with_capacity(HEADER_LENGTH + count * (FACTS_LENGTH + NUMBER_LENGTH + 48));
    bytes.resize(HEADER_LENGTH, 0);
    for (file, _) in files.clone() {
        bytes.extend_from_slice(one_line(file).as_bytes());
        bytes.push(b'\n');
    }
    let names = (bytes.len() - HEADER_LENGTH) as u64;
    for (_, record) in files.clone() {
        for number in [record.fingerprint, record.hash, record.length] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
    let versions = bytes.len();
    for (_, record) in files {
        bytes.extend_from_slice(&record.version.to_le_bytes());
    }
    let hash = xxh3_64(&bytes[HEADER_LENGTH..versions]);
    let head = [hash, xxh3_64(&bytes[versions..]), names].map(u64::to_le_bytes);
    bytes[..MAGIC.len()].copy_from_slice(MAGIC);
    bytes[MAGIC.len()..HEADER_LENGTH].copy_from_slice(head.as_flattened());
    (bytes, hash)
}

pub(super) fn decode(bytes: &[u8]) -> Written {
    if bytes.is_empty() {
        return Written::default();
    }
    current_format(bytes).or_else(|| text(bytes)).unwrap_or_else(|| recover_names(bytes))
}

/// Decodes the current format. Returns None if the bytes are damaged or in another format.
fn current_format(bytes: &[u8]) -> Option<Written> {
    let (head, rest) = bytes.split_at_checked(HEADER_LENGTH)?;
    let mut numbers = numbers(head.strip_prefix(MAGIC)?);
    let (hash, of_versions) = (numbers.next()?, numbers.next()?);
    let (names, rest) = rest.split_at_checked(usize::try_from(numbers.next()?).ok()?)?;
    let count = rest.len() / (FACTS_LENGTH + NUMBER_LENGTH);
    let (facts, versions) = rest.split_at(count * FACTS_LENGTH);
    let written = &bytes[HEADER_LENGTH..bytes.len() - versions.len()];
    if xxh3_64(written) != hash || xxh3_64(versions) != of_versions {
        return None;
    }
    let names = String::from_utf8(names.to_vec()).ok()?;
    let mut facts = self::numbers(facts);
    let mut versions = self::numbers(versions);
    let mut files = Vec::with_capacity(count);
    for name in lines(&names) {
        let record = FileRecord {
            fingerprint: facts.next()?,
            hash: facts.next()?,
            length: facts.next()?,
            version: versions.next()?,
        };
        files.push(Line { name, record, trust: Trust::Known });
    }
    Some(Written { names, files, is_distinct: true, trust: Some(Trust::Known), hash })
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (numbers, _) = bytes.as_chunks::<NUMBER_LENGTH>();
    numbers.iter().map(|number| u64::from_le_bytes(*number))
}

/// Returns the byte ranges of the lines in a string, without line ends.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.match_indices('\n').map(move |(end, _)| {
        let line = start..end;
        start = end + 1;
        line
    })
}

/// Recovers the names in a damaged manifest. The named files may have been written by a build.
fn recover_names(bytes: &[u8]) -> Written {
    let names =
        String::from_utf8_lossy(bytes.get(HEADER_LENGTH..).unwrap_or_default()).into_owned();
    let line = |name| Line { name, record: FileRecord::default(), trust: Trust::MaybeOurs };
    Written {
        files: lines(&names).map(line).collect(),
        is_distinct: false,
        trust: Some(Trust::MaybeOurs),
        hash: xxh3_64(bytes),
        names,
    }
}

/// Decodes the text format of earlier versions of the program. Returns None for other formats.
fn text(bytes: &[u8]) -> Option<Written> {
    let text = String::from_utf8_lossy(bytes);
    let (head, lines) = text.split_once('\n')?;
    let trust = match head.strip_prefix(EARLIER_MAGIC) {
        Some(checksum) if checksum == format!("{:016x}", xxh3_64(lines.as_bytes())) => Trust::Known,
        Some(_) => Trust::MaybeOurs,
        // The first version wrote no checksum.
        None if head == "feedwright output 1" => Trust::Known,
        None if head == "feedwright output 1, unfinished" => Trust::Ours,
        None => return None,
    };
    let mut written = Written { trust: Some(trust), hash: xxh3_64(bytes), ..Written::default() };
    for (name, record) in lines.split_inclusive('\n').filter_map(parsed) {
        push_line(&mut written.names, &mut written.files, name, (record, trust));
    }
    Some(written)
}

/// Parses a line of the text format into a path and its record. Returns None for a truncated line.
fn parsed(line: &str) -> Option<(&str, FileRecord)> {
    let mut parts = line.splitn(4, ' ');
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let record =
        FileRecord { fingerprint: number()?, hash: number()?, length: number()?, version: 0 };
    Some((parts.next()?.strip_suffix('\n')?, record))
}
