//! Chooses the parser for an audio file by its content: a file named `.ogg` can be FLAC, and a file
//! named `.aac` can be MP4.

use std::fs::File;

use super::bounded::{read_at, reader};
use super::{MediaFacts, adts, chunks, flac, mp4, mpeg_audio, ogg};

/// Number of bytes after the tags that are read to identify the format. They can hold two AAC
/// frames.
const HEAD_BYTES: u64 = 32 << 10;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let head = reader(file).and_then(|mut reader| {
        let start = mpeg_audio::skip_tags(&mut reader)?;
        read_at(&mut reader, start, HEAD_BYTES)
    });
    let Some(head) = facts.take("length", head.map_err(|error| error.to_string())) else {
        return;
    };
    let (bytes, form) = (facts.bytes, head.get(8..12));
    match head.get(..4) {
        Some(b"OggS") => ogg::read(facts, file),
        Some(b"fLaC") => flac::read(facts, file),
        Some(b"RIFF" | b"RF64" | b"BW64") if form == Some(b"WAVE") => {
            facts.record_length(chunks::measure_wave(file, bytes), UNKNOWN);
        }
        Some(b"FORM") if matches!(form, Some(b"AIFF" | b"AIFC")) => {
            facts.record_length(chunks::measure_aiff(file, bytes), UNKNOWN);
        }
        Some(b"caff") => facts.record_length(chunks::measure_caf(file, bytes), UNKNOWN),
        _ if head.get(4..8) == Some(b"ftyp") => mp4::read(facts, file),
        _ if adts::starts_with_frames(&head) => {
            facts.record_length(adts::measure(file, bytes), UNKNOWN)
        }
        _ if facts.media_type == "audio/mpeg" || mpeg_audio::starts_with_frames(&head) => {
            mpeg_audio::read(facts, file);
        }
        _ => report_unrecognized(facts),
    }
}

const UNKNOWN: &str = "the file does not state its length reliably; it may be cut off";

/// Records that no parser recognises the content. If there is a parser for the media type, the file
/// is damaged.
fn report_unrecognized(facts: &mut MediaFacts) {
    const SUPPORTED_TYPES: [&str; 6] =
        ["audio/aac", "audio/ogg", "audio/flac", "audio/wav", "audio/aiff", "audio/x-caf"];
    if SUPPORTED_TYPES.contains(&&*facts.media_type) {
        facts.report_no_recording();
    } else {
        facts.add_problem("length", "this audio format is not supported");
    }
}
