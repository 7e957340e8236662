//! Pages of an Ogg stream (RFC 3533, section 6).

use std::io::{Read, Seek};

use crate::bytes::{le_u32, read_at, read_whole};
use crate::refusal::{Refusal, Result};
use crate::tagged::Patch;

/// Size of the head without its list of segments.
const HEAD_BYTES: usize = 27;

/// Maximum number of segments on a page.
const MAX_SEGMENTS: usize = 255;

/// Position of the page's number in the head. The checksum follows it.
const SEQUENCE_AT: usize = 18;

/// Flag of a page that starts with the rest of a packet.
const IS_CONTINUED: u8 = 1;

/// The head of a page in the file.
pub(super) struct Page {
    start: u64,
    pub(super) serial: u32,
    pub(super) sequence: u32,
    checksum: u32,
    /// Lengths of the segments.
    pub(super) segments: Vec<u8>,
}

impl Page {
    /// Returns the page at a position, or None if there is none.
    pub(super) fn at(
        source: &mut (impl Read + Seek),
        start: u64,
        end: u64,
    ) -> Result<Option<Self>> {
        let head = read_at(source, start, (HEAD_BYTES + MAX_SEGMENTS) as u64)?;
        let Some(count) = head.get(26).filter(|_| head.starts_with(b"OggS\0")) else {
            return Ok(None);
        };
        let segments = head.get(HEAD_BYTES..HEAD_BYTES + usize::from(*count));
        let number = |at| le_u32(&head, at).unwrap_or(0);
        let page = Self {
            start,
            serial: number(14),
            sequence: number(SEQUENCE_AT),
            checksum: number(SEQUENCE_AT + 4),
            segments: segments
                .ok_or_else(|| Refusal::CutOff("its last page").at(start))?
                .to_owned(),
        };
        if page.end() > end {
            return Err(Refusal::CutOff("its last page").at(start));
        }
        Ok(Some(page))
    }

    fn content_start(&self) -> u64 {
        self.start + (HEAD_BYTES + self.segments.len()) as u64
    }

    /// Returns the position after the page.
    pub(super) fn end(&self) -> u64 {
        self.content_start() + self.segments.iter().map(|length| u64::from(*length)).sum::<u64>()
    }

    pub(super) fn content(&self, source: &mut (impl Read + Seek)) -> Result<Vec<u8>> {
        let start = self.content_start();
        read_whole(source, start, self.end() - start, "its headers")
    }

    /// Returns the page's number plus `shift`, and the checksum that belongs to it.
    pub(super) fn renumbered(&self, shift: u32) -> Patch {
        let sequence = self.sequence.wrapping_add(shift);
        let change = (self.sequence ^ sequence).to_le_bytes();
        // The checksum is linear: the checksum of the change is the change of the checksum.
        let after = self.end() - self.start - SEQUENCE_AT as u64 - change.len() as u64;
        let checksum = self.checksum ^ append_zeros(checksum(&change), after);
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&sequence.to_le_bytes());
        bytes[4..].copy_from_slice(&checksum.to_le_bytes());
        Patch { at: self.start + SEQUENCE_AT as u64, bytes }
    }
}

/// Returns pages with these packets, and the number of pages. The numbers start at `sequence`.
pub(super) fn paginate(packets: &[Vec<u8>], serial: u32, mut sequence: u32) -> (Vec<u8>, u32) {
    let content = packets.concat();
    let segments: Vec<u8> = packets.iter().flat_map(|packet| lacing(packet.len())).collect();
    let (mut pages, mut rest, mut before) = (Vec::new(), &content[..], 0);
    let parts = segments.chunks(MAX_SEGMENTS);
    let count = parts.len() as u32;
    for part in parts {
        let length = part.iter().map(|length| usize::from(*length)).sum();
        let (own, after) = rest.split_at(length);
        let flags = if before == 255 { IS_CONTINUED } else { 0 };
        // The position is 0 on a page on which a packet ends, and -1 on other pages.
        let position = if part.iter().any(|length| *length < 255) { [0; 8] } else { [255; 8] };
        let numbers = [serial, sequence, 0].map(u32::to_le_bytes);
        let head = [b"OggS\0", &[flags][..], &position, numbers.as_flattened()].concat();
        let mut page = [&head, &[part.len() as u8][..], part, own].concat();
        let sum = checksum(&page).to_le_bytes();
        page[SEQUENCE_AT + 4..SEQUENCE_AT + 8].copy_from_slice(&sum);
        pages.extend_from_slice(&page);
        (rest, before, sequence) = (after, part.last().copied().unwrap_or(0), sequence + 1);
    }
    (pages, count)
}

/// Returns the lengths of a packet's segments. The last is shorter than 255 bytes.
fn lacing(length: usize) -> impl Iterator<Item = u8> {
    std::iter::repeat_n(255, length / 255).chain([(length % 255) as u8])
}

/// Polynomial of the checksum, without its highest bit.
const POLYNOMIAL: u32 = 0x04c1_1db7;

fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum, byte| sum << 8 ^ TABLE[(sum >> 24) as usize ^ usize::from(*byte)])
}

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = append_bits((byte as u32) << 24, 8);
        byte += 1;
    }
    table
};

/// Multiplies a polynomial with x as many times as there are bits.
const fn append_bits(mut sum: u32, bits: u32) -> u32 {
    let mut bit = 0;
    while bit < bits {
        sum = sum << 1 ^ if sum >> 31 == 1 { POLYNOMIAL } else { 0 };
        bit += 1;
    }
    sum
}

/// Returns the checksum of bytes followed by zeros, from the checksum of these bytes.
fn append_zeros(sum: u32, mut zeros: u64) -> u32 {
    // Squares x^8 for each bit of the number.
    let (mut sum, mut power) = (sum, 1 << 8);
    while zeros > 0 {
        if zeros & 1 == 1 {
            sum = multiply(sum, power);
        }
        power = multiply(power, power);
        zeros >>= 1;
    }
    sum
}

/// Multiplies two polynomials, modulo the polynomial of the checksum.
fn multiply(a: u32, b: u32) -> u32 {
    (0..32)
        .rev()
        .fold(0, |product, bit| append_bits(product, 1) ^ if b >> bit & 1 == 1 { a } else { 0 })
}
