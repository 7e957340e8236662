//! The Markdown versions of items and pages, for machine readers.

use std::fmt::Write;

use super::embed;
use crate::inputs::{Shared, ShownTranscript};
use crate::pictures::shown::ShownPicture;
use crate::text;
use model::{Category, Content, MediaFile, push_link_end};
use site::{ItemEntry, PageEntry, paths};
use words::Words;

/// Writes an item: its title, date, address, attachment, body and transcript.
pub fn item(
    shared: &Shared<'_>,
    entry: &ItemEntry,
    transcript: Option<&ShownTranscript<'_>>,
) -> String {
    let (config, item) = (shared.config, &entry.item);
    let mut out = heading(&embed::title(shared, entry));
    if let Some(date) = item.date_published {
        let _ = write!(out, "{} · ", config.timezone.to_datetime(date).date());
    }
    let _ = writeln!(out, "<{}>", config.url(&entry.path));
    if let Some(attachment) = &item.attachment {
        let address = &attachment.url;
        let name = match attachment.category {
            Category::ExternalUrl => address,
            _ => address.rsplit('/').next().unwrap_or(address),
        };
        let _ = write!(out, "\n[{}]", escaped(name));
        push_link_end(&mut out, address, "");
        if let Some(duration) = attachment.duration_in_seconds {
            let _ = write!(out, " ({})", text::clock(duration));
        }
        out.push('\n');
    }
    body(shared, &item.content, &item.media, &mut out);
    if let Some(transcript) = transcript {
        let words = shared.words_in(item.language.as_deref());
        said(transcript, &words, &mut out);
    }
    out
}

/// Writes a page: its title, date, address and body.
pub fn page(shared: &Shared<'_>, entry: &PageEntry) -> String {
    let (config, page) = (shared.config, &entry.page);
    let mut out = heading(&page.title);
    if let Some(date) = page.updated() {
        let _ = write!(out, "{} · ", config.timezone.to_datetime(date).date());
    }
    let _ = writeln!(out, "<{}>", config.url(&paths::page(page.slug.as_str())));
    body(shared, &page.content, &page.media, &mut out);
    out
}

fn heading(title: &str) -> String {
    format!("# {}\n\n", escaped(title))
}

fn body(shared: &Shared<'_>, content: &Content, media: &[MediaFile], out: &mut String) {
    let body = content.body();
    if body.markdown.is_empty() {
        return;
    }
    out.push('\n');
    // A picture that only bodies show is published only in smaller sizes.
    let sized = media.iter().filter(|file| file.is_only_shown).filter_map(|file| {
        let address = shared.config.media_url(&file.path);
        let shown = ShownPicture::at(shared, media, &address)?.src();
        Some((address, shown))
    });
    let mut pictures = sized.peekable();
    if pictures.peek().is_none() {
        out.push_str(&body.markdown);
    } else {
        let markdown = body.markdown.clone();
        out.push_str(&pictures.fold(markdown, |text, (from, to)| text.replace(&from, &to)));
    }
    out.push('\n');
}

/// Writes a transcript as a section, with a paragraph for each speaker.
fn said(transcript: &ShownTranscript<'_>, words: &Words, out: &mut String) {
    let file = transcript.read();
    let mut has_title = false;
    let mut read = transcripts::read(&file, transcript.format);
    for paragraph in read.paragraphs(ShownTranscript::PARAGRAPH_WORDS) {
        if !has_title {
            let _ = writeln!(out, "\n## {}", words.text("transcript"));
            if transcript.is_machine_made(&file) {
                let _ = writeln!(out, "\n{}", words.text("machine_transcript"));
            }
            has_title = true;
        }
        out.push('\n');
        let start = paragraph.lines.first().and_then(|line| line.start);
        match (&paragraph.speaker, start.map(clock)) {
            (Some(speaker), Some(start)) => {
                let _ = write!(out, "**{}** ({start}): ", escaped(speaker));
            }
            (Some(speaker), None) => {
                let _ = write!(out, "**{}**: ", escaped(speaker));
            }
            (None, Some(start)) => {
                let _ = write!(out, "({start}) ");
            }
            (None, None) => {}
        }
        let text: String = paragraph.lines.into_iter().map(|line| line.text).collect();
        out.push_str(&escaped(&text));
        out.push('\n');
    }
}

/// Formats milliseconds for people. Times are far below 2^53, up to which an `f64` represents every
/// whole number.
#[allow(clippy::cast_precision_loss)]
fn clock(milliseconds: u64) -> String {
    text::clock(milliseconds as f64 / 1000.0)
}

/// Escapes plain text for Markdown, and joins its lines.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for word in text.split_whitespace() {
        let is_first = out.is_empty();
        if !is_first {
            out.push(' ');
        }
        let starts_block = |at: usize, c: char| match c {
            '#' | '>' | '-' | '+' | '=' | ':' | '|' => at == 0,
            // A number at the start of a list.
            '.' | ')' => at > 0 && word[..at].bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        };
        for (at, c) in word.char_indices() {
            let is_special =
                matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '~' | '$');
            if is_special || is_first && starts_block(at, c) {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}
