//! Length and chapters of Ogg Vorbis, Opus and FLAC files, and the length of other audio
//! (WAV, AIFF, AAC), by the lofty library.

use std::fs::File;
use std::io::Seek;
use std::time::Duration;

use lofty::config::ParseOptions;
use lofty::file::{AudioFile, FileType};
use lofty::flac::FlacFile;
use lofty::ogg::tag::VorbisComments;
use lofty::ogg::{OpusFile, VorbisFile};
use lofty::probe::Probe;

use super::bounded::reader;
use super::{MediaFacts, contained};
use crate::model::chapter::Chapter;
use crate::source::chapters::parse_time;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let audio = contained(|| parse(file));
    if let Some((duration, chapters)) = facts.take("length", audio) {
        // Zero is how the library says that it could not tell.
        if duration.is_zero() {
            facts.problem("length", "the file does not tell it; is it cut off?");
        } else {
            facts.duration = Some(duration.as_secs_f64());
        }
        facts.chapters = chapters;
    }
}

fn parse(file: &File) -> Result<(Duration, Vec<Chapter>), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let options = ParseOptions::new().read_cover_art(false);
    let probe = Probe::new(reader(file).map_err(|error| text(&error))?)
        .guess_file_type()
        .map_err(|error| text(&error))?;
    let kind = probe.file_type();
    let mut reader = probe.into_inner();
    reader.rewind().map_err(|error| text(&error))?;
    match kind {
        Some(FileType::Opus) => {
            let file = OpusFile::read_from(&mut reader, options).map_err(|error| text(&error))?;
            Ok((
                file.properties().duration(),
                chapters(file.vorbis_comments()),
            ))
        }
        Some(FileType::Vorbis) => {
            let file = VorbisFile::read_from(&mut reader, options).map_err(|error| text(&error))?;
            Ok((
                file.properties().duration(),
                chapters(file.vorbis_comments()),
            ))
        }
        Some(FileType::Flac) => {
            let file = FlacFile::read_from(&mut reader, options).map_err(|error| text(&error))?;
            Ok((
                file.properties().duration(),
                file.vorbis_comments().map_or_else(Vec::new, chapters),
            ))
        }
        Some(kind) => {
            let file = Probe::with_file_type(reader, kind)
                .options(ParseOptions::new().read_tags(false))
                .read()
                .map_err(|error| text(&error))?;
            Ok((file.properties().duration(), Vec::new()))
        }
        None => Err("this kind of audio cannot be read".to_owned()),
    }
}

/// The chapters in Vorbis comments: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…`,
/// `CHAPTER001URL=…` (Xiph wiki, "Chapter Extension").
fn chapters(comments: &VorbisComments) -> Vec<Chapter> {
    let value = |key: &str, suffix: &str| {
        let value = comments.get(&format!("{key}{suffix}"))?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    comments
        .items()
        .filter_map(|(key, time)| {
            let number = key
                .get(..7)
                .filter(|name| name.eq_ignore_ascii_case("CHAPTER"))
                .and_then(|_| key.get(7..))?;
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            Some(Chapter {
                start_time: parse_time(time.trim()).ok().filter(|_| is_number)?,
                title: value(key, "NAME"),
                url: value(key, "URL"),
                ..Chapter::default()
            })
        })
        .collect()
}
