//! Reads and writes the tables of font files. Supports TrueType and OpenType files, which are
//! uncompressed, and WOFF 1.0, which compresses each table.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::bytes::{push_u16, push_u32, read_u16, read_u32};

pub type Tag = [u8; 4];

/// Maximum unpacked size in bytes, about twice the size of fonts with all Chinese characters.
const MAX_UNPACKED: usize = 64 << 20;

/// The tables of a font by tag.
#[derive(Debug, Clone)]
pub struct Tables<'f> {
    /// Type of the outlines: the first four bytes of the unpacked font.
    pub flavour: Tag,
    pub all: BTreeMap<Tag, Cow<'f, [u8]>>,
}

impl<'f> Tables<'f> {
    /// Reads the tables of a file. Returns `None` if a table extends past the end of the file or
    /// cannot be unpacked.
    pub fn read(file: &'f [u8]) -> Option<Self> {
        let is_packed = file.starts_with(b"wOFF");
        let (flavour, count, start, size) = if is_packed {
            (4, read_u16(file, 12)?, 44, 20)
        } else {
            (0, read_u16(file, 4)?, 12, 16)
        };
        let mut left = MAX_UNPACKED;
        let entries = (0..count).map(|index| {
            let at = start + index * size;
            let tag = *file.get(at..)?.first_chunk()?;
            let bytes = if is_packed {
                let [from, packed, length] = [4, 8, 12].map(|field| read_u32(file, at + field));
                left = left.checked_sub(length?)?;
                unpack(part(file, from?, packed?)?, length?)?
            } else {
                Cow::Borrowed(part(file, read_u32(file, at + 8)?, read_u32(file, at + 12)?)?)
            };
            Some((tag, bytes))
        });
        Some(Self {
            all: entries.collect::<Option<_>>()?,
            flavour: *file.get(flavour..)?.first_chunk()?,
        })
    }

    pub fn get(&self, tag: &Tag) -> Option<&[u8]> {
        self.all.get(tag).map(AsRef::as_ref)
    }

    pub fn has(&self, tag: &Tag) -> bool {
        self.all.contains_key(tag)
    }

    pub fn set(&mut self, tag: Tag, bytes: Vec<u8>) {
        self.all.insert(tag, Cow::Owned(bytes));
    }

    /// Writes a WOFF 1.0 file. Each table is compressed unless compression would make it larger.
    pub fn into_woff(mut self) -> Option<Vec<u8>> {
        self.write_checksum_adjustment();
        let count = self.all.len();
        let start = 44 + 20 * count;
        let (mut directory, mut data) = (Vec::new(), Vec::new());
        for (tag, table) in &self.all {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(table).ok()?;
            let packed = encoder.finish().ok()?;
            let is_smaller = packed.len() < table.len();
            let kept = if is_smaller { &packed } else { table.as_ref() };
            directory.extend(tag);
            push_u32(&mut directory, start + data.len())?;
            push_u32(&mut directory, kept.len())?;
            push_u32(&mut directory, table.len())?;
            directory.extend(sum(table).to_be_bytes());
            data.extend(kept);
            data.resize(data.len().next_multiple_of(4), 0);
        }
        let mut file = b"wOFF".to_vec();
        file.extend(self.flavour);
        push_u32(&mut file, start + data.len())?;
        push_u16(&mut file, count)?;
        file.extend([0, 0]);
        push_u32(&mut file, self.unpacked_length())?;
        // Version 1.0, without metadata or private data.
        file.extend([0, 1, 0, 0]);
        file.extend([0; 20]);
        file.extend(directory);
        file.extend(data);
        Some(file)
    }

    /// Writes an uncompressed font file.
    pub fn into_sfnt(mut self) -> Vec<u8> {
        self.write_checksum_adjustment();
        let mut file = self.directory();
        for table in self.all.values() {
            file.extend(table.as_ref());
            file.resize(file.len().next_multiple_of(4), 0);
        }
        file
    }

    /// Returns the size of the uncompressed font file in bytes.
    pub fn unpacked_length(&self) -> usize {
        let tables = self.all.values();
        12 + tables.map(|table| 16 + table.len().next_multiple_of(4)).sum::<usize>()
    }

    /// Writes the checksum adjustment of the unpacked font into the `head` table.
    fn write_checksum_adjustment(&mut self) {
        let Some(head) = self.all.get_mut(b"head") else {
            return;
        };
        if head.len() < 12 {
            return;
        }
        head.to_mut()[8..12].fill(0);
        let whole = sum(&self.directory()).wrapping_add(
            self.all.values().fold(0, |whole: u32, table| whole.wrapping_add(sum(table))),
        );
        let left = 0xb1b0_afba_u32.wrapping_sub(whole).to_be_bytes();
        if let Some(head) = self.all.get_mut(b"head") {
            head.to_mut()[8..12].copy_from_slice(&left);
        }
    }

    /// Returns the header and the table directory of the unpacked font.
    fn directory(&self) -> Vec<u8> {
        let count = self.all.len();
        let mut bytes = self.flavour.to_vec();
        let log = count.max(1).ilog2();
        let range = 16 << log;
        for number in [count, range, log as usize, count * 16 - range.min(count * 16)] {
            let _ = push_u16(&mut bytes, number);
        }
        let mut at = 12 + 16 * count;
        for (tag, table) in &self.all {
            bytes.extend(tag);
            bytes.extend(sum(table).to_be_bytes());
            let _ = push_u32(&mut bytes, at);
            let _ = push_u32(&mut bytes, table.len());
            at += table.len().next_multiple_of(4);
        }
        bytes
    }
}

fn part(file: &[u8], from: usize, length: usize) -> Option<&[u8]> {
    file.get(from..from.checked_add(length)?)
}

fn unpack(packed: &[u8], length: usize) -> Option<Cow<'_, [u8]>> {
    if packed.len() == length {
        return Some(Cow::Borrowed(packed));
    }
    let mut bytes = Vec::new();
    let most = u64::try_from(length).ok()? + 1;
    let read = ZlibDecoder::new(packed).take(most).read_to_end(&mut bytes);
    (read.ok()? == length).then_some(Cow::Owned(bytes))
}

/// Returns the checksum of a table: the wrapping sum of its 32-bit numbers.
fn sum(bytes: &[u8]) -> u32 {
    let longs = bytes.chunks(4).map(|chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        u32::from_be_bytes(word)
    });
    longs.fold(0, u32::wrapping_add)
}
