//! HEIC and AVIF files, which consist of boxes (ISO/IEC 14496-12, 23008-12). Boxes refer to data by
//! byte offsets from the start of the file. Metadata is therefore overwritten in place, not
//! removed.

/// Boxes that contain pictures, or data that is needed to display them.
const KEPT_BOXES: [&[u8; 4]; 8] =
    [b"ftyp", b"meta", b"mdat", b"moov", b"free", b"skip", b"styp", b"sidx"];

/// Returns whether a file is HEIC or AVIF, based on its first box.
pub(crate) fn is_heif(bytes: &[u8]) -> bool {
    let brands = [b"avif", b"avis", b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"];
    bytes.get(4..8) == Some(b"ftyp")
        && bytes.get(8..12).is_some_and(|brand| brands.iter().any(|known| *known == brand))
}

/// Returns a copy of the file in which Exif, XMP and additional boxes from cameras are overwritten.
/// Returns `None` if there is no such data, or if the boxes are inconsistent.
pub(crate) fn without_metadata(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut copy = bytes.to_vec();
    for part in BoxRange::all(bytes, 0..bytes.len()) {
        if part.kind == *b"meta" {
            // A `meta` box starts with a version. Other boxes follow.
            overwrite_items(bytes, part.content.start + 4..part.content.end, &mut copy);
        } else if !KEPT_BOXES.contains(&&part.kind) {
            copy.get_mut(part.name..part.name + 4)?.copy_from_slice(b"free");
            copy.get_mut(part.content)?.fill(0);
        }
    }
    (copy != bytes).then_some(copy)
}

/// Returns the file's Exif data.
pub(crate) fn exif(bytes: &[u8]) -> Option<&[u8]> {
    let meta = BoxRange::all(bytes, 0..bytes.len()).find(|part| part.kind == *b"meta")?;
    let meta = meta.content.start + 4..meta.content.end;
    let find = |kind: &[u8; 4]| BoxRange::all(bytes, meta.clone()).find(|part| part.kind == *kind);
    let items = metadata_items(bytes, &find(b"iinf")?)?;
    let (exif, _) = items.into_iter().find(|(_, is_exif)| *is_exif)?;
    let data = find(b"idat").map(|data| data.content);
    let mut found = None;
    let mut look = |item, place: std::ops::Range<usize>| {
        if item == exif {
            found.get_or_insert(place);
        }
    };
    let _ = each_extent(bytes, &find(b"iloc")?, data.as_ref(), &mut look);
    // The item starts with the offset of the TIFF header behind these four bytes.
    let (offset, item) = bytes.get(found?)?.split_first_chunk()?;
    item.get(u32::from_be_bytes(*offset) as usize..)
}

/// Returns whether a part of a picture's data is beyond the end of the file.
pub(crate) fn is_cut_off(bytes: &[u8]) -> bool {
    let truncation =
        |kind: &[u8; 4]| BoxRange::all(bytes, 0..bytes.len()).find(|part| part.kind == *kind);
    let Some(meta) = truncation(b"meta").map(|part| part.content.start + 4..part.content.end)
    else {
        // An image sequence can consist of only a movie.
        return truncation(b"moov").is_none();
    };
    let locations = BoxRange::all(bytes, meta).find(|part| part.kind == *b"iloc");
    let mut is_cut_off = false;
    let look = &mut |_, place: std::ops::Range<usize>| is_cut_off |= place.end > bytes.len();
    if let Some(locations) = locations {
        let _ = each_extent(bytes, &locations, None, look);
    }
    is_cut_off
}

/// Returns the displayed width and height of the file's main picture in pixels, after cropping and
/// rotation.
pub(crate) fn dimensions(bytes: &[u8]) -> Option<(u32, u32)> {
    let find = |within: std::ops::Range<usize>, kind: &[u8; 4]| {
        BoxRange::all(bytes, within).find(|part| part.kind == *kind).map(|part| part.content)
    };
    let meta = find(0..bytes.len(), b"meta")?;
    let meta = meta.start + 4..meta.end;
    let mut main = Numbers::within(bytes, find(meta.clone(), b"pitm")?);
    let version = main.next(1)?;
    main.at += 3;
    let main = main.next(if version == 0 { 2 } else { 4 })?;
    let properties = find(meta, b"iprp")?;
    let all: Vec<BoxRange> = BoxRange::all(bytes, find(properties.clone(), b"ipco")?).collect();
    let mut size = None;
    for number in item_properties(bytes, find(properties, b"ipma")?, main)? {
        let property = all.get(number.checked_sub(1)?)?;
        let mut numbers = Numbers::within(bytes, property.content.clone());
        match (&property.kind, size) {
            (b"ispe", None) => {
                numbers.at += 4;
                size = Some((numbers.next(4)?, numbers.next(4)?));
            }
            (b"clap", Some(_)) => {
                let [width, of_width, height, of_height] = numbers.array()?;
                size = width.checked_div(of_width).zip(height.checked_div(of_height));
            }
            (b"irot", Some((width, height))) if numbers.next(1)? & 1 == 1 => {
                size = Some((height, width));
            }
            _ => {}
        }
    }
    let (width, height) = size?;
    u32::try_from(width).ok().zip(u32::try_from(height).ok())
}

/// Returns the indexes of an item's properties, counted from 1, in the order in which they apply.
fn item_properties(bytes: &[u8], ipma: std::ops::Range<usize>, item: usize) -> Option<Vec<usize>> {
    let mut numbers = Numbers::within(bytes, ipma);
    let version = numbers.next(1)?;
    let of_number = if numbers.next(3)? & 1 == 1 { 2 } else { 1 };
    for _ in 0..numbers.next(4)? {
        let found = numbers.next(if version == 0 { 2 } else { 4 })?;
        let count = numbers.next(1)?;
        let number =
            |_| Some(numbers.next(of_number)? & if of_number == 2 { 0x7fff } else { 0x7f });
        let list: Option<Vec<usize>> = (0..count).map(number).collect();
        if found == item {
            return list;
        }
        list?;
    }
    None
}

/// A box: its type, the offset of the type, and the range of the content.
struct BoxRange {
    kind: [u8; 4],
    name: usize,
    content: std::ops::Range<usize>,
}

impl BoxRange {
    /// Iterates over the consecutive boxes in a byte range.
    fn all(bytes: &[u8], within: std::ops::Range<usize>) -> impl Iterator<Item = Self> {
        let mut at = within.start;
        std::iter::from_fn(move || {
            let mut head = Numbers { bytes, at };
            let length = head.next(4)?;
            let kind = *bytes.get(head.at..)?.first_chunk()?;
            head.at += 4;
            let end = match length {
                0 => within.end,
                1 => at.checked_add(head.next(8)?)?,
                length => at.checked_add(length)?,
            };
            if end > within.end || end < head.at {
                return None;
            }
            let part = Self { kind, name: at + 4, content: head.at..end };
            at = end;
            Some(part)
        })
    }
}

/// A reader of consecutive big-endian numbers.
struct Numbers<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Numbers<'b> {
    fn within(bytes: &'b [u8], part: std::ops::Range<usize>) -> Self {
        Self { bytes: bytes.get(..part.end).unwrap_or(bytes), at: part.start }
    }

    /// Reads the next four numbers, of four bytes each.
    fn array(&mut self) -> Option<[usize; 4]> {
        Some([self.next(4)?, self.next(4)?, self.next(4)?, self.next(4)?])
    }

    /// Reads the next number, which has `length` bytes. Returns 0 if `length` is 0.
    fn next(&mut self, length: usize) -> Option<usize> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        bytes
            .iter()
            .try_fold(0_usize, |number, byte| Some(number.checked_mul(256)? + usize::from(*byte)))
    }
}

/// Overwrites the Exif and XMP items of a `meta` box.
fn overwrite_items(bytes: &[u8], meta: std::ops::Range<usize>, copy: &mut [u8]) {
    let find = |kind: &[u8; 4]| BoxRange::all(bytes, meta.clone()).find(|part| part.kind == *kind);
    let (Some(kinds), Some(locations)) = (find(b"iinf"), find(b"iloc")) else {
        return;
    };
    let data = find(b"idat").map(|data| data.content);
    let telling = metadata_items(bytes, &kinds).unwrap_or_default();
    // If the boxes are inconsistent, the items found before the inconsistency are still
    // overwritten.
    let mut blank = |item, place: std::ops::Range<usize>| {
        let found = telling.iter().find(|(telling, _)| *telling == item);
        if let (Some((_, is_exif)), Some(payload)) = (found, copy.get_mut(place)) {
            payload.fill(if *is_exif { 0 } else { b' ' });
            let nothing: &[u8] = if *is_exif { EMPTY_EXIF } else { EMPTY_XMP };
            if let Some(start) = payload.get_mut(..nothing.len()) {
                start.copy_from_slice(nothing);
            }
        }
    };
    let _ = each_extent(bytes, &locations, data.as_ref(), &mut blank);
}

/// An empty Exif item: the offset of the TIFF header, then a TIFF header with an empty directory.
const EMPTY_EXIF: &[u8] = b"\0\0\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0";
const EMPTY_XMP: &[u8] = b"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>";

/// Returns the ids of the Exif items (with `true`) and of the XMP items (with `false`).
fn metadata_items(bytes: &[u8], kinds: &BoxRange) -> Option<Vec<(usize, bool)>> {
    let version = *bytes.get(kinds.content.start)?;
    let entries = kinds.content.start + if version == 0 { 6 } else { 8 };
    let mut telling = Vec::new();
    for entry in BoxRange::all(bytes, entries..kinds.content.end) {
        let mut head = Numbers { bytes, at: entry.content.start };
        let version = head.next(1)?;
        head.at += 3;
        let item = head.next(if version >= 3 { 4 } else { 2 })?;
        head.at += 2;
        let rest = bytes.get(head.at..entry.content.end)?;
        if version >= 2 && rest.starts_with(b"Exif") {
            telling.push((item, true));
        } else if version >= 2
            && rest.starts_with(b"mime")
            && contains_bytes(rest, b"application/rdf+xml")
        {
            telling.push((item, false));
        }
    }
    Some(telling)
}

fn contains_bytes(bytes: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(bytes, word).is_some()
}

/// Calls `call` for each extent of each item, with the id of the item and the range of the extent
/// in the file.
fn each_extent(
    bytes: &[u8],
    locations: &BoxRange,
    data: Option<&std::ops::Range<usize>>,
    call: &mut impl FnMut(usize, std::ops::Range<usize>),
) -> Option<()> {
    let mut head =
        Numbers { bytes: bytes.get(..locations.content.end)?, at: locations.content.start };
    let version = head.next(1)?;
    head.at += 3;
    let sizes = head.next(2)?;
    let [of_offset, of_length, of_base, of_index] = [12, 8, 4, 0].map(|at| (sizes >> at) & 15);
    let of_item = if version < 2 { 2 } else { 4 };
    let of_extent = of_offset + of_length + if version > 0 { of_index } else { 0 };
    for _ in 0..head.next(of_item)? {
        let item = head.next(of_item)?;
        let method = if version > 0 { head.next(2)? & 15 } else { 0 };
        head.at += 2;
        let base = head.next(of_base)?;
        let extents = head.next(2)?;
        // Without a limit, a few bytes could declare billions of empty extents.
        if of_extent == 0 && extents > 1 {
            return None;
        }
        for _ in 0..extents {
            if version > 0 {
                head.next(of_index)?;
            }
            let offset = base.checked_add(head.next(of_offset)?)?;
            let length = head.next(of_length)?;
            let (start, end) = match (method, data) {
                (0, _) => (0, bytes.len()),
                (1, Some(data)) => (data.start, data.end),
                _ => continue,
            };
            let start = start.checked_add(offset)?;
            let truncation = end.saturating_sub(start);
            let length = if length == 0 { truncation } else { length };
            call(item, start..start.checked_add(length)?);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len() + 8).unwrap_or_default();
        [&length.to_be_bytes(), kind.as_slice(), content].concat()
    }

    /// Returns a file with an Exif item in `mdat`, an XMP item in `idat`, and a camera-specific box
    /// at the end.
    fn file() -> Vec<u8> {
        let exif = b"\0\0\0\0MM\0*\0\0\0\x08\0\x01 a place, and a time";
        let xmp = b"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">a place</x:xmpmeta>";
        let kinds = [
            b"\0\0\0\0\0\x02".to_vec(),
            part(b"infe", b"\x02\0\0\0\0\x01\0\0Exif\0"),
            part(b"infe", b"\x02\0\0\0\0\x02\0\0mime\0application/rdf+xml\0"),
        ];
        let locations = |at: u32| {
            let lengths = [exif.len(), xmp.len()].map(|n| u32::try_from(n).unwrap_or_default());
            let mut locations = b"\x01\0\0\0\x44\0\0\x02".to_vec();
            for (item, method, at, length) in [(1, 0, at, lengths[0]), (2, 1, 0, lengths[1])] {
                locations.extend([0, item, 0, method, 0, 0, 0, 1]);
                locations.extend(at.to_be_bytes());
                locations.extend(length.to_be_bytes());
            }
            part(b"iloc", &locations)
        };
        let head = |at| {
            let content = [
                b"\0\0\0\0".to_vec(),
                part(b"iinf", &kinds.concat()),
                locations(at),
                part(b"idat", xmp),
            ];
            [part(b"ftyp", b"avif\0\0\0\0"), part(b"meta", &content.concat())].concat()
        };
        let at = u32::try_from(head(0).len() + 8).unwrap_or_default();
        [head(at), part(b"mdat", exif), part(b"mpvd", b"a film of a place")].concat()
    }

    #[test]
    fn location_metadata_is_overwritten_in_place() {
        let file = file();
        let copy = without_metadata(&file).unwrap_or_default();
        assert_eq!(copy.len(), file.len());
        assert!(contains_bytes(&file, b"a place") && !contains_bytes(&copy, b"place"));
        assert!(
            contains_bytes(&copy, EMPTY_EXIF)
                && contains_bytes(&copy, EMPTY_XMP)
                && contains_bytes(&copy, b"free")
        );
        assert_eq!(without_metadata(&copy), None);
    }

    /// Each of these items takes 10 bytes and states 65,535 empty extents.
    #[test]
    fn empty_extents_are_not_counted() {
        let kinds = [b"\0\0\0\0\0\x01".to_vec(), part(b"infe", b"\x02\0\0\0\0\x01\0\0Exif\0")];
        let mut locations = b"\x01\0\0\0\0\0\xff\xff".to_vec();
        for item in 0..u16::MAX {
            locations.extend(item.to_be_bytes());
            locations.extend([0, 0, 0, 0, 0xff, 0xff]);
        }
        let content =
            [b"\0\0\0\0".to_vec(), part(b"iinf", &kinds.concat()), part(b"iloc", &locations)];
        let file = [part(b"ftyp", b"avif\0\0\0\0"), part(b"meta", &content.concat())].concat();
        let start = std::time::Instant::now();
        assert_eq!(exif(&file), None);
        let _ = without_metadata(&file);
        assert!(start.elapsed().as_secs() < 5);
    }

    #[test]
    fn a_truncated_file_is_read_up_to_the_damage() {
        let file = file();
        for end in 0..file.len() {
            let _ = without_metadata(&file[..end]);
            let mut wrong = file.clone();
            wrong[end] = 0xff;
            let _ = without_metadata(&wrong);
        }
    }
}
