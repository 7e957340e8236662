//! Finds what the standard EN 301 549 requires of recordings and of the site's language.
//! `text_faults` finds pictures without alternative text.

use std::path::Path;

use super::Site;
use super::podcast_faults::is_show;
use model::{Category, Config, Diagnostic, Item, Rule, Status};
use render::{caption_file, webvtt_captions};
use source::channel_file::channel_file;
use source::place::place_of;

/// Returns warnings about recordings without a transcript or captions, and about a missing
/// language.
pub fn accessibility_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let items = snapshot.entries.iter().map(|entry| &*entry.item);
    let items = items.filter(|item| item.status != Status::Unpublished);
    let mut found: Vec<Diagnostic> =
        items.filter_map(|item| silent_media(root, &snapshot.config, item)).collect();
    // `podcast_faults` reports a show without a language.
    if snapshot.channel.language.is_none()
        && !is_show(site)
        && let Some(file) = channel_file(root, &snapshot.config.content)
    {
        let warning = Diagnostic::warning(
            Rule::Language,
            "the site has no `language`: screen readers read its pages as English",
        );
        let warning = warning.help("write the language, such as `language = \"de\"`");
        found.push(place_of(root, &file, "title", "", warning));
    }
    found
}

/// Warns about audio without a transcript, or video without captions.
fn silent_media(root: &Path, config: &Config, item: &Item) -> Option<Diagnostic> {
    let transcripts = &item.podcast.transcripts;
    let (rule, message) = match item.attachment.as_ref()?.category {
        Category::Audio if transcripts.is_empty() => {
            (Rule::MissingTranscript, "this recording has no transcript")
        }
        Category::Video
            if webvtt_captions(config, item).is_none() && caption_file(config, item).is_none() =>
        {
            (Rule::MissingCaptions, "this video has no captions")
        }
        _ => return None,
    };
    let help = "write a WebVTT file, and its name below [podcast]: transcripts = [\"said.vtt\"]";
    let warning = Diagnostic::warning(rule, message).help(help);
    Some(place_of(root, &item.source, "attachment", "", warning))
}
