//! Finds recordings that cannot get tags, and values that are too large for tags.

use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;

use super::Site;
use super::tag_values::{MAX_CHAPTER_PICTURES, MAX_PICTURE};
use model::{ContentFolder, Diagnostic, Omitted, RecordingTags, Rule, TagPicture};
use render::PublishedRecordings;
use site::ItemEntry;
use source::channel_file::channel_file;
use source::place::{place_of, place_of_chapter, place_of_tag};

/// Warns about recordings that cannot get tags, and about values that are left out. The readers of
/// content already warn about a file whose duration cannot be read.
pub(super) fn tag_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let published = PublishedRecordings::of(&site.snapshot);
    let Some(writer) = &site.snapshot.recordings else {
        return Vec::new();
    };
    let entries = site.snapshot.entries.par_iter();
    let faults = entries.flat_map_iter(|entry| {
        let tags = published.tags(entry);
        let facts = tags.as_ref().and_then(|tags| writer.facts(tags));
        let found = tags.zip(facts).map(|(tags, facts)| {
            let is_readable = || entry.item.attachment.as_ref()?.duration_in_seconds;
            let refusal = facts.refusal.filter(|_| is_readable().is_some());
            let refusal = refusal.map(|own| {
                let message =
                    format!("{} is published unchanged, without tags: {}", tags.file, own.reason);
                let help = format!("{}, or write `audio_tags = false`", own.remedy);
                let warning = Diagnostic::warning(Rule::Media, message).help(help);
                place_of(root, &entry.item.source, "attachment", "", warning)
            });
            let omitted = facts.omitted.into_iter();
            let omitted = omitted.filter_map(|one| omission(root, entry, &tags, one));
            refusal.into_iter().chain(omitted).collect::<Vec<_>>()
        });
        found.unwrap_or_default()
    });
    // Many recordings can have the same cover.
    let mut seen = HashSet::new();
    let mut faults: Vec<Diagnostic> = faults.collect();
    faults.retain(|fault| seen.insert(fault.to_string()));
    faults
}

fn omission(
    root: &Path,
    entry: &ItemEntry,
    tags: &RecordingTags<'_>,
    omitted: Omitted,
) -> Option<Diagnostic> {
    let warn = |message: String, help: &str| Diagnostic::warning(Rule::Media, message).help(help);
    let (source, file) = (&entry.item.source, tags.file);
    Some(match omitted {
        Omitted::Cover => {
            let TagPicture { file: cover, .. } = tags.cover?;
            let message = format!(
                "{} is not in the tags of recordings: it is larger than {}, and cannot be made smaller",
                cover.source,
                megabytes(MAX_PICTURE)
            );
            let warning = warn(message, "save it again as a JPEG with 1400 × 1400 pixels");
            let is_own = entry.item.media.iter().any(|own| own.source == cover.source);
            match channel_file(root, &ContentFolder::of(source.as_str())).filter(|_| !is_own) {
                Some(channel) => place_of(root, &channel, "icon", "", warning),
                None => place_of(root, source, "image", "", warning),
            }
        }
        Omitted::ChapterPictures { first, count } => {
            let message = format!(
                "{count} pictures of chapters are not in the tags of {file}: together, they would be larger than {}",
                megabytes(MAX_CHAPTER_PICTURES)
            );
            let warning = warn(message, "use fewer or simpler pictures");
            place_of_chapter(root, source, first, warning)
        }
        Omitted::Lyrics => {
            let message =
                format!("the transcript is not in the tags of {file}: it is too long, or empty");
            let help = "shorten it, or write `lyrics = false` under [audio] in site.toml";
            let keys = (&["transcripts", "transcript"][..], 0);
            place_of_tag(root, source, keys, "url", warn(message, help))
        }
    })
}

fn megabytes(bytes: usize) -> String {
    format!("{} MB", bytes >> 20)
}
