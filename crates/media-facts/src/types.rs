//! Media types by file extension.

use std::path::Path;

/// What feeds and players expect where it differs from what a general table says, or matters
/// enough to be pinned.
const TYPES: &[(&str, &str)] = &[
    // Audio. Apple Podcasts' feed requirements name audio/x-m4a for .m4a; for .m4b they name
    // nothing, and RFC 4337 registers audio/mp4.
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/x-m4a"),
    ("m4b", "audio/mp4"),
    ("aac", "audio/aac"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    // RFC 7845 section 9; audio/opus (RFC 7587) is the bare codec in RTP.
    ("opus", "audio/ogg"),
    ("flac", "audio/flac"),
    ("wav", "audio/wav"),
    ("aif", "audio/aiff"),
    ("aiff", "audio/aiff"),
    ("weba", "audio/webm"),
    ("mka", "audio/x-matroska"),
    // Video, as Apple Podcasts lists it.
    ("mp4", "video/mp4"),
    ("m4v", "video/x-m4v"),
    ("mov", "video/quicktime"),
    ("webm", "video/webm"),
    ("mkv", "video/x-matroska"),
    ("ogv", "video/ogg"),
    // Streams in parts (RFC 8216), which Apple Podcasts lists as alternate enclosures.
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("ts", "video/mp2t"),
    ("m4s", "video/iso.segment"),
    // Documents.
    ("pdf", "application/pdf"),
    ("epub", "application/epub+zip"),
    // Transcripts, as Podcasting 2.0 `podcast:transcript` lists them.
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

/// The extensions that feeds and players expect, in small letters, with their media types.
pub fn media_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    TYPES.iter().copied()
}

/// The media type that a file's extension stands for, whatever its case;
/// `application/octet-stream` when it stands for none.
///
/// Audio and video follow Apple Podcasts' feed requirements (`audio/x-m4a` for `.m4a`), transcripts
/// Podcasting 2.0 `podcast:transcript` (`application/x-subrip` for `.srt`).
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
