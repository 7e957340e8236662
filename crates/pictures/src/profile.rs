//! Colour profiles (ICC.1:2022).

/// Bytes of a profile above which it is left out: it would outweigh the picture.
const MAX: usize = 32 * 1024;

/// A profile that goes with every size: one of red, green and blue that a browser can use, and that does not
/// say what a browser thinks without it.
pub(crate) fn worth_keeping(profile: &[u8]) -> bool {
    let length = profile.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    length.and_then(|length| usize::try_from(length).ok()) == Some(profile.len())
        && profile.len() <= MAX
        && profile.get(16..20) == Some(b"RGB ")
        && profile.get(36..40) == Some(b"acsp")
        && !is_srgb(profile)
}

/// Whether a profile is that of sRGB by its description.
fn is_srgb(profile: &[u8]) -> bool {
    let description = tag(profile, *b"desc").unwrap_or_default();
    // As text, or in UTF-16.
    let letters: Vec<u8> = description.iter().copied().filter(|b| *b != 0).collect();
    letters.windows(4).any(|found| found == b"sRGB")
        && !letters.windows(4).any(|found| found == b"lin_")
}

/// The data under a tag.
fn tag(profile: &[u8], name: [u8; 4]) -> Option<&[u8]> {
    let number = |at: usize| {
        let bytes = *profile.get(at..)?.first_chunk()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    let count = number(128)?.min(256);
    let entry = (0..count)
        .map(|entry| 132 + entry * 12)
        .find(|entry| profile.get(*entry..entry + 4) == Some(&name))?;
    let (start, length) = (number(entry + 4)?, number(entry + 8)?);
    profile.get(start..start.checked_add(length)?)
}
