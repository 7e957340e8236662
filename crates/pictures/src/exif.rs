//! Reads the few Exif tags that this crate needs (Exif 3.0, TIFF 6.0).

/// Tags for the width and height of a picture in a TIFF file.
const WIDTH: u16 = 0x0100;
const HEIGHT: u16 = 0x0101;
/// Tag for the orientation.
const ORIENTATION: u16 = 0x0112;
/// Tag for the name of the photographer.
const ARTIST: u16 = 0x013b;
/// Tag for the name of the copyright holder.
const COPYRIGHT: u16 = 0x8298;

/// Types of values that can be read (TIFF 6.0, section 2).
const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;
const UTF8: u16 = 129;

/// Maximum length of a string value in bytes. Longer values are omitted.
const MAX_TEXT: usize = 4096;

/// A directory of Exif data.
pub(crate) struct Exif<'d> {
    data: &'d [u8],
    is_little: bool,
    /// Offset of the first entry, and the number of entries.
    entries: (usize, usize),
}

impl<'d> Exif<'d> {
    /// Returns the first directory.
    pub fn of(data: &'d [u8]) -> Option<Self> {
        let is_little = match data.get(..4)? {
            b"II*\0" => true,
            b"MM\0*" => false,
            _ => return None,
        };
        Self { data, is_little, entries: (0, 0) }.directory_at(4)
    }

    /// Returns the directory whose offset is the value of this tag.
    pub fn directory(&self, tag: u16) -> Option<Self> {
        self.directory_at(self.entry(tag, LONG)? + 8)
    }

    /// Returns the directory whose offset is stored at `place`.
    fn directory_at(&self, place: usize) -> Option<Self> {
        let directory = self.read_u32(place)? as usize;
        let count = self.read_u16(directory)?.into();
        Some(Self { entries: (directory + 2, count), ..*self })
    }

    pub fn orientation(&self) -> Option<u16> {
        let entry = self.entry(ORIENTATION, SHORT)?;
        self.read_u16(entry + 8)
    }

    /// Returns the displayed width and height of the first picture in a TIFF file.
    pub fn dimensions(&self) -> Option<(u32, u32)> {
        let (width, height) = (self.integer(WIDTH)?, self.integer(HEIGHT)?);
        let is_turned = self
            .orientation()
            .is_some_and(|stored_orientation| (5..=8).contains(&stored_orientation));
        Some(if is_turned { (height, width) } else { (width, height) })
    }

    /// Returns the value of a tag whose type is SHORT or LONG.
    pub fn integer(&self, tag: u16) -> Option<u32> {
        let read_u16 = || Some(u32::from(self.read_u16(self.entry(tag, SHORT)? + 8)?));
        let read_u32 = || self.read_u32(self.entry(tag, LONG)? + 8);
        read_u16().or_else(read_u32)
    }

    /// Returns the first `N` rational numbers of a tag.
    pub fn rationals<const N: usize>(&self, tag: u16) -> Option<[f64; N]> {
        let entry = self.entry(tag, RATIONAL)?;
        let start = self.read_u32(entry + 8)? as usize;
        let is_complete = self.read_u32(entry + 4)? as usize >= N;
        let mut numbers = [0.0; N];
        for (number, index) in numbers.iter_mut().zip(0..) {
            let at = start.checked_add(8 * index)?;
            let (over, under) = (self.read_u32(at)?, self.read_u32(at.checked_add(4)?)?);
            *number = (under != 0).then(|| f64::from(over) / f64::from(under))?;
        }
        is_complete.then_some(numbers)
    }

    /// Returns the Exif data to keep in a published file: orientation, photographer and copyright,
    /// but no location. Returns `None` if there is nothing to keep.
    pub fn kept(&self) -> Option<Vec<u8>> {
        let turned = self.orientation().filter(|stored_orientation| *stored_orientation != 1);
        let texts = [ARTIST, COPYRIGHT].map(|tag| (tag, self.text(tag)));
        let texts: Vec<_> =
            texts.into_iter().filter_map(|(tag, text)| Some((tag, text?))).collect();
        if turned.is_none() && texts.is_empty() {
            return None;
        }
        let count = texts.len() + usize::from(turned.is_some());
        let mut kept = b"MM\0*\0\0\0\x08".to_vec();
        // This conversion cannot fail, because there are at most three entries.
        kept.extend([0, u8::try_from(count).ok()?]);
        let mut after = kept.len() + 12 * count + 4;
        let mut values = Vec::new();
        if let Some(stored_orientation) = turned {
            kept.extend(entry_head(ORIENTATION, SHORT, 1)?);
            kept.extend(stored_orientation.to_be_bytes());
            kept.extend([0, 0]);
        }
        for (tag, text) in texts {
            kept.extend(entry_head(tag, ASCII, text.len() + 1)?);
            if text.len() < 4 {
                let mut inline = [0; 4];
                inline[..text.len()].copy_from_slice(text);
                kept.extend(inline);
            } else {
                kept.extend(u32::try_from(after).ok()?.to_be_bytes());
                values.extend_from_slice(text);
                values.push(0);
                after += text.len() + 1;
            }
        }
        kept.extend([0; 4]);
        kept.extend(values);
        Some(kept)
    }

    /// Returns the value of a string tag, up to the first zero byte. Returns `None` if it is blank
    /// or too long.
    fn text(&self, tag: u16) -> Option<&'d [u8]> {
        self.text_at(self.entry(tag, ASCII)?)
    }

    /// Returns the value of a string tag, in whatever encoding the camera uses, as one line.
    pub fn string(&self, tag: u16) -> Option<String> {
        let entry = self.entry(tag, ASCII).or_else(|| self.entry(tag, UTF8))?;
        let bytes = self.text_at(entry)?.to_vec();
        // Bytes that are not UTF-8 are read as Latin-1.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
        let text = text.replace(char::is_control, " ");
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn text_at(&self, entry: usize) -> Option<&'d [u8]> {
        let length = self.read_u32(entry + 4)? as usize;
        let start = if length <= 4 { entry + 8 } else { self.read_u32(entry + 8)? as usize };
        let text = self.data.get(start..start.checked_add(length)?)?;
        let end = text.iter().position(|byte| *byte == 0);
        let text = &text[..end.unwrap_or(text.len())];
        (!text.trim_ascii().is_empty() && text.len() <= MAX_TEXT).then_some(text)
    }

    /// Returns the offset of the entry for a tag with this type of value.
    fn entry(&self, tag: u16, kind: u16) -> Option<usize> {
        let (first, count) = self.entries;
        let mut entries = (0..count).map(|entry| first + entry * 12);
        entries.find(|at| self.read_u16(*at) == Some(tag) && self.read_u16(at + 2) == Some(kind))
    }

    fn read_u16(&self, at: usize) -> Option<u16> {
        let bytes = *self.data.get(at..)?.first_chunk()?;
        Some(if self.is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    fn read_u32(&self, at: usize) -> Option<u32> {
        let bytes = *self.data.get(at..)?.first_chunk()?;
        Some(if self.is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }
}

/// Returns the first eight bytes of an entry, without the value.
fn entry_head(tag: u16, kind: u16, count: usize) -> Option<[u8; 8]> {
    let [a, b] = tag.to_be_bytes();
    let [c, d] = kind.to_be_bytes();
    let [e, f, g, h] = u32::try_from(count).ok()?.to_be_bytes();
    Some([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_exif_data_is_read_back() {
        let mut data = b"II*\0\x08\0\0\0\x03\0".to_vec();
        data.extend([0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
        data.extend([0x98, 0x82, 2, 0, 9, 0, 0, 0, 0x40, 0, 0, 0]);
        // This entry points to the GPS directory.
        data.extend([0x25, 0x88, 4, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
        data.resize(0x40, 0);
        data.extend(b"Ada Lind\0");
        let kept = Exif::of(&data).and_then(|exif| exif.kept()).unwrap_or_default();
        let again = Exif::of(&kept).map(|exif| {
            let copyright = exif.text(COPYRIGHT).map(<[u8]>::to_vec);
            (exif.orientation(), copyright, exif.entry(0x8825, 4))
        });
        assert_eq!(again, Some((Some(6), Some(b"Ada Lind".to_vec()), None)));
    }

    #[test]
    fn no_bytes_are_read_past_the_end() {
        let mut data = b"MM\0*\0\0\0\x08\0\x02".to_vec();
        data.extend([0x01, 0x3b, 0, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        for end in 0..data.len() {
            let kept = Exif::of(&data[..end]).and_then(|exif| exif.kept());
            assert_eq!(kept, None);
        }
    }
}
