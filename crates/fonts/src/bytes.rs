//! Reads and writes big-endian numbers in font tables. Reading past the end of a table returns
//! `None`.

pub fn read_u16(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(usize::from(u16::from_be_bytes(*bytes)))
}

/// Reads a 24-bit number.
pub fn read_u24(bytes: &[u8], at: usize) -> Option<usize> {
    let [a, b, c] = *bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_be_bytes([0, a, b, c])).ok()
}

pub fn read_u32(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_be_bytes(*bytes)).ok()
}

/// Reads a list of 16-bit numbers. The list starts with the number of entries.
pub fn read_u16_list(bytes: &[u8], at: usize) -> Option<impl Iterator<Item = usize>> {
    let end = at + 2 + read_u16(bytes, at)? * 2;
    let list = bytes.get(at + 2..end)?.chunks_exact(2);
    Some(list.filter_map(|two| read_u16(two, 0)))
}

pub fn push_u16(bytes: &mut Vec<u8>, number: usize) -> Option<()> {
    bytes.extend(u16::try_from(number).ok()?.to_be_bytes());
    Some(())
}

pub fn push_u32(bytes: &mut Vec<u8>, number: usize) -> Option<()> {
    bytes.extend(u32::try_from(number).ok()?.to_be_bytes());
    Some(())
}
