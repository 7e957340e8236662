//! Colour profiles (ICC.1:2022).

/// Maximum size of a profile in bytes. A larger profile is omitted, because it would often be
/// larger than the picture.
const MAX_PROFILE_BYTES: usize = 32 * 1024;

/// Returns whether to add a profile to resized pictures. The profile must be an RGB profile that
/// browsers support, and differ from sRGB, which is the default in browsers.
pub(crate) fn is_worth_keeping(profile: &[u8]) -> bool {
    let length = profile.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    length.and_then(|length| usize::try_from(length).ok()) == Some(profile.len())
        && profile.len() <= MAX_PROFILE_BYTES
        && profile.get(16..20) == Some(b"RGB ")
        && profile.get(36..40) == Some(b"acsp")
        && !is_srgb(profile)
}

/// Returns whether a profile is plain sRGB, according to its description.
fn is_srgb(profile: &[u8]) -> bool {
    let description = tag(profile, *b"desc").unwrap_or_default();
    // The description is ASCII or UTF-16. Without zero bytes, both are the same.
    let letters: Vec<u8> = description.iter().copied().filter(|b| *b != 0).collect();
    letters.windows(4).any(|found| found == b"sRGB")
        && !letters.windows(4).any(|found| found == b"lin_")
}

/// Returns the data of the tag with this name.
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
