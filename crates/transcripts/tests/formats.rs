//! Tests of format detection.

use transcripts::Format;

use super::SAMPLES;

#[test]
fn format_is_detected_by_media_type_then_extension_then_content() {
    for (media_type, path, content, wanted) in [
        ("text/vtt; charset=utf-8", "a.srt", "{", Format::Vtt),
        ("Application/X-SubRip", "", "", Format::Srt),
        ("application/srt", "a.json", "", Format::Srt),
        ("application/json", "", "", Format::Json),
        ("text/html", "a.txt", "", Format::Html),
        ("text/plain", "a.srt", "", Format::Srt),
        ("text/plain", "a", "{\"", Format::Plain),
        ("", "https://example.com/a.VTT?x=.json#y", "", Format::Vtt),
        ("application/octet-stream", "dir.x/a.htm", "", Format::Html),
        ("", "a.bin", "\u{FEFF}WEBVTT", Format::Vtt),
        ("", "", "[00:00:01] Hello", Format::Plain),
        ("", "", " [ {\"body\": \"\"}]", Format::Json),
        ("", "", "", Format::Plain),
    ] {
        let found = Format::of(media_type, path, content.as_bytes());
        assert_eq!(found, wanted, "{media_type} {path} {content}");
    }
}

#[test]
fn every_sample_is_detected_by_its_content() {
    for (format, sample) in SAMPLES {
        assert_eq!(Format::of("", "", sample.as_bytes()), format);
    }
}
