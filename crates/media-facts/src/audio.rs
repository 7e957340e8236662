//! Audio files that are neither MPEG audio nor MP4: Ogg Vorbis, Opus and FLAC with their chapters,
//! and the length of WAV, AIFF and AAC. Their tags are read by the lofty library.

use std::fmt::Display;
use std::fs::File;

use lofty::config::ParseOptions;
use lofty::file::{AudioFile, FileType};
use lofty::flac::FlacFile;
use lofty::ogg::tag::VorbisComments;
use lofty::ogg::{OpusFile, VorbisFile};
use lofty::probe::Probe;

use super::bounded::reader;
use super::{MediaFacts, contained, ogg};
use crate::Chapter;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let Some(kind) = facts.take("length", kind(file).map_err(text)) else {
        return;
    };
    let length = match kind {
        Some(FileType::Opus | FileType::Vorbis) => ogg::duration(file, facts.bytes).map_err(text),
        Some(kind) => contained(|| duration(file, kind)),
        None => Err("this kind of audio cannot be read".to_owned()),
    };
    facts.duration = facts.take("length", length).flatten();
    if facts.duration.is_none() && facts.problems.is_empty() {
        facts.problem("length", "the file does not tell it; is it cut off?");
    }
    let chapters = contained(|| match kind {
        Some(kind) => chapters(file, kind),
        None => Ok(Vec::new()),
    });
    facts.chapters = facts.take("chapters", chapters).unwrap_or_default();
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// The type of the file by its content.
fn kind(file: &File) -> std::io::Result<Option<FileType>> {
    Ok(Probe::new(reader(file)?).guess_file_type()?.file_type())
}

fn duration(file: &File, kind: FileType) -> Result<Option<f64>, String> {
    let reader = reader(file).map_err(text)?;
    let file = Probe::with_file_type(reader, kind)
        .options(ParseOptions::new().read_tags(false).read_cover_art(false))
        .read()
        .map_err(text)?;
    let duration = file.properties().duration();
    // Zero is how the library says that it could not tell.
    Ok((!duration.is_zero()).then_some(duration.as_secs_f64()))
}

fn chapters(file: &File, kind: FileType) -> Result<Vec<Chapter>, String> {
    let options = ParseOptions::new()
        .read_properties(false)
        .read_cover_art(false);
    let mut reader = reader(file).map_err(text)?;
    Ok(match kind {
        FileType::Opus => {
            let file = OpusFile::read_from(&mut reader, options).map_err(text)?;
            from_comments(file.vorbis_comments())
        }
        FileType::Vorbis => {
            let file = VorbisFile::read_from(&mut reader, options).map_err(text)?;
            from_comments(file.vorbis_comments())
        }
        FileType::Flac => {
            let file = FlacFile::read_from(&mut reader, options).map_err(text)?;
            file.vorbis_comments().map_or_else(Vec::new, from_comments)
        }
        _ => Vec::new(),
    })
}

/// The chapters in Vorbis comments: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…`,
/// `CHAPTER001URL=…` (Xiph wiki, "Chapter Extension").
fn from_comments(comments: &VorbisComments) -> Vec<Chapter> {
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
                start: seconds(time.trim()).filter(|_| is_number)?,
                title: value(key, "NAME"),
                url: value(key, "URL"),
                ..Chapter::default()
            })
        })
        .collect()
}

/// A time such as `00:01:02.500` or `1:02.5`, in seconds. Minutes and seconds go up to 59; there are
/// nine decimals at most.
fn seconds(time: &str) -> Option<f64> {
    let (clock, decimals) = match time.split_once('.') {
        Some((clock, decimals)) => (clock, number(decimals, 9).map(|_| decimals)?),
        None => (time, "0"),
    };
    let (hours, minutes, seconds) = match clock.split(':').collect::<Vec<_>>()[..] {
        [minutes, seconds] => ("0", minutes, seconds),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    let below_sixty = |digits| number(digits, 4).filter(|number| *number < 60);
    let whole = number(hours, 4)? * 3600 + below_sixty(minutes)? * 60 + below_sixty(seconds)?;
    // Through text, so that `0.1` is the f64 nearest to 0.1.
    format!("{whole}.{decimals}").parse().ok()
}

/// A number of at most so many digits, and of nothing else.
fn number(digits: &str, most: usize) -> Option<u32> {
    let is_number =
        (1..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_time_has_minutes_seconds_and_perhaps_hours_and_decimals() {
        for (text, expected) in [
            ("00:00", Some(0.0)),
            ("2:48", Some(168.0)),
            ("00:01:02.500", Some(62.5)),
            ("1:02:03.1", Some(3723.1)),
            ("9999:59:59.999999999", Some(35_999_999.999_999_999)),
            ("0:00.999999999", Some(0.999_999_999)),
            ("", None),
            ("12", None),
            ("1:60", None),
            ("75:00", None),
            ("1:2:3:4", None),
            ("1:02.", None),
            ("1:02.5000000000", None),
            ("1:02,5", None),
            ("-1:02", None),
            ("+1:02", None),
            ("1: 02", None),
            ("12345:00:00", None),
        ] {
            assert_eq!(seconds(text), expected, "{text:?}");
        }
    }
}
