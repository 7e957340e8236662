//! Media types by file extension.

use std::path::Path;

/// Media types that feeds and players expect. A library's table might list other types for these
/// extensions, or change in a new version.
const TYPES: &[(&str, &str)] = &[
    // Audio. Apple's feed requirements list audio/x-m4a for .m4a, and nothing for .m4b. RFC 4337
    // registers audio/mp4.
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/x-m4a"),
    ("m4b", "audio/mp4"),
    ("aac", "audio/aac"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    // See RFC 7845, section 9. The type audio/opus (RFC 7587) is for Opus in RTP, without a
    // container.
    ("opus", "audio/ogg"),
    ("flac", "audio/flac"),
    ("wav", "audio/wav"),
    ("aif", "audio/aiff"),
    ("aiff", "audio/aiff"),
    ("weba", "audio/webm"),
    ("mka", "audio/x-matroska"),
    // Video types in Apple's feed requirements.
    ("mp4", "video/mp4"),
    ("m4v", "video/x-m4v"),
    ("mov", "video/quicktime"),
    ("webm", "video/webm"),
    ("mkv", "video/x-matroska"),
    ("ogv", "video/ogg"),
    // HTTP live streaming (RFC 8216), which Apple Podcasts supports as alternate enclosures.
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("ts", "video/mp2t"),
    ("m4s", "video/iso.segment"),
    // Documents.
    ("pdf", "application/pdf"),
    ("epub", "application/epub+zip"),
    // Transcript types in the specification of Podcasting 2.0's `podcast:transcript`.
    ("vtt", "text/vtt"),
    ("srt", "application/x-subrip"),
    ("json", "application/json"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("txt", "text/plain"),
    // Pictures.
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("heic", "image/heic"),
    ("heif", "image/heif"),
    ("svg", "image/svg+xml"),
];

/// Returns the media types that feeds and players expect, each with its file extension in lower
/// case.
pub fn media_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    TYPES.iter().copied()
}

/// Returns the media type for a file's extension, in upper or lower case. For an unknown extension,
/// returns `application/octet-stream`.
///
/// Audio and video follow Apple Podcasts' feed requirements (`audio/x-m4a` for `.m4a`). Transcripts
/// follow Podcasting 2.0's `podcast:transcript` (`application/x-subrip` for `.srt`).
///
/// ```
/// use std::path::Path;
///
/// use media_facts::media_type;
///
/// assert_eq!(media_type(Path::new("Episode 1.MP3")), "audio/mpeg");
/// ```
pub fn media_type(path: &Path) -> String {
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    match TYPES.iter().find(|(known, _)| *known == extension) {
        Some((_, media_type)) => (*media_type).to_owned(),
        None => mime_guess::from_ext(&extension).first_or_octet_stream().essence_str().to_owned(),
    }
}
