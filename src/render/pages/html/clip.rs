//! The document of a clip. It has the form of an item's page, so that every theme can render it.

use std::path::Path;

use media_facts::media_type;

use super::Page;
use super::head::{Head, Subject};
use crate::inputs::{ClipPage, Said, Shared, ShownClip, ShownItem};
use crate::pages::context;
use crate::pictures::cards::clip_card_image;
use model::{Attachment, Body, Content, Diagnostic, Item, push_attribute, push_text};
use site::ItemEntry;
use theme::Slot;

pub fn clip(shared: &Shared<'_>, page: &ClipPage<'_>) -> Result<String, Diagnostic> {
    let shown = &page.shown;
    let words = shared.words_in(shown.entry.item.language.as_deref());
    let shared = &shared.with_words(&words);
    let said = shown.words();
    let entry = entry(shared, shown, &said);
    let item = ShownItem {
        entry: &entry,
        tags: Vec::new(),
        authors: page.authors.clone(),
        has_season_page: page.has_season_page,
    };
    let context = context::clip_page(shared, page, &item, &said);
    let head = Head {
        card: clip_card_image(shared, shown, &said),
        above: &page.above,
        subject: Subject::Clip(shown, &entry),
        ..Head::item(shared, &entry)
    };
    Page::new(shared, Slot::WebItem, &page.frame, context).document(&head)
}

/// Returns the clip in the form of an item, with title, words and recording.
fn entry(shared: &Shared<'_>, shown: &ShownClip<'_>, said: &[Said]) -> ItemEntry {
    let of_page = &shown.entry;
    let item = Item {
        title: shown.title(said),
        attachment: of_page.item.attachment.as_ref().map(|whole| recording(shared, whole, shown)),
        content: Content::in_memory(body(shared, shown, said), Vec::new()),
        ..Item::clone(&of_page.item)
    };
    of_page.below(of_page.segment.clone(), item)
}

/// Returns the recording of the clip, or else the passage of the whole recording.
fn recording(shared: &Shared<'_>, whole: &Attachment, shown: &ShownClip<'_>) -> Attachment {
    let facts = |(path, tags): &(String, _)| Some((path.clone(), shared.recordings.facts(tags)?));
    let Some((path, facts)) = shown.cut.as_ref().and_then(facts) else {
        let url = whole.url.split('#').next().unwrap_or_default();
        return Attachment { url: format!("{url}#{}", shown.clip.fragment()), ..whole.clone() };
    };
    let waveform = shared.config.audio.waveform.then(|| shown.waveform(shared.recordings));
    Attachment {
        mime_type: media_type(Path::new(&path)),
        url: shared.config.url(&path),
        size_in_bytes: Some(facts.length),
        duration_in_seconds: Some(shown.clip.end - shown.clip.start),
        waveform: waveform.filter(|waveform| !waveform.is_empty()),
        ..whole.clone()
    }
}

/// Returns the words of the clip as a quotation, and a link to the item, for themes without
/// templates for clips.
fn body(shared: &Shared<'_>, shown: &ShownClip<'_>, said: &[Said]) -> Body {
    let mut html = String::new();
    if !said.is_empty() {
        html.push_str("<blockquote>");
        for Said { speaker, text } in said {
            html.push_str("<p dir=\"auto\">");
            if let Some(speaker) = speaker {
                html.push_str("<b>");
                push_text(&mut html, speaker);
                html.push_str("</b><br>");
            }
            push_text(&mut html, text);
            html.push_str("</p>");
        }
        html.push_str("</blockquote>");
    }
    let words = shared.words;
    let link = words.labelled(words.text("whole_episode"), &shown.episode.1);
    html.push_str("<p><a href=\"");
    push_attribute(&mut html, &context::episode_url(shared, shown));
    html.push_str("\">");
    push_text(&mut html, &link);
    html.push_str("</a></p>");
    let texts: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
    let text = if texts.is_empty() { link } else { texts.join("\n\n") };
    Body { html, lead: text.clone(), text, ..Body::default() }
}
