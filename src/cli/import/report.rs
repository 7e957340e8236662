//! Prints the report at the end of an import.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::super::output::{count, print_json, say};
use import::{Found, Hidden, Note, Outcome};
use model::Config;

/// The part of the report that is known before the import begins.
pub struct ImportSummary {
    kind: String,
    root: PathBuf,
    is_new: bool,
    has_episodes: bool,
}

/// Maximum number of notes to print. `--json` prints all notes.
const MAX_NOTES: usize = 40;
/// Maximum number of locations to print for one note.
const MAX_PLACES: usize = 5;
/// Maximum number of hidden posts and pages to print.
const MAX_HIDDEN: usize = 500;

impl ImportSummary {
    pub fn of(found: &Found, root: &Path, is_new: bool) -> Self {
        Self {
            kind: found.kind.clone(),
            root: root.to_owned(),
            is_new,
            has_episodes: found.theme() == "podcast",
        }
    }

    pub fn print(&self, outcome: &Outcome, config: &Config, as_json: bool) {
        if as_json {
            let notes = outcome.notes.iter().map(|note| {
                json!({
                    "message": note.message, "place": note.place, "count": note.count,
                    "places": note.places().collect::<Vec<_>>(),
                })
            });
            let hidden = outcome.hidden.iter().map(|text| {
                json!({ "place": text.place, "reason": text.reason, "fate": text.fate.as_str() })
            });
            print_json(&json!({
                "ok": outcome.stopped.is_none(), "kind": self.kind, "items": outcome.items, "pages": outcome.pages,
                "known": outcome.known, "media": outcome.media, "with_html": outcome.with_html,
                "hidden": hidden.collect::<Vec<_>>(), "notes": notes.collect::<Vec<_>>(), "stopped": outcome.stopped,
            }));
            return;
        }
        let mut line = format!("{}: {}", self.kind, count(outcome.items, "new item", "new items"));
        for (number, one, many) in [
            (outcome.pages, "new page", "new pages"),
            (outcome.media, "media file", "media files"),
            (outcome.known, "already imported", "already imported"),
        ] {
            if number > 0 {
                line += &format!(", {}", count(number, one, many));
            }
        }
        say!("{line}");
        if outcome.with_html > 0 {
            say!(
                "{} HTML that has no Markdown equivalent and was kept",
                count(outcome.with_html, "entry contains", "entries contain")
            );
        }
        hidden(&outcome.hidden);
        notes(&outcome.notes);
        if outcome.stopped.is_none() {
            self.next(outcome, config);
        }
    }

    fn next(&self, outcome: &Outcome, config: &Config) {
        if outcome.items + outcome.pages == 0 {
            return;
        }
        say!("");
        if self.is_new {
            let folder = self.root.display();
            say!(
                "Created a site in {folder} for {}. Preview it: feedwright serve --open --site {folder}",
                config.base_url
            );
        } else {
            say!("Preview it: feedwright serve --open");
        }
        if self.has_episodes {
            say!(
                "When the new site is published, redirect the address of the old feed to {}/rss.xml with status 301. If the old host\n\
                 allows it, also add <itunes:new-feed-url>{}/rss.xml</itunes:new-feed-url> to the old feed. Keep both for at least\n\
                 four weeks, until apps and directories have switched. The guids are unchanged, so apps show no episode as new.",
                config.base_url,
                config.base_url
            );
        }
    }
}

/// Lists all posts and pages that are not public at the source.
fn hidden(texts: &[Hidden]) {
    if texts.is_empty() {
        return;
    }
    say!("\nNot public at the source, so not published here:");
    for text in texts.iter().take(MAX_HIDDEN) {
        say!("  {}: {}; {}", text.place, text.reason, text.fate.as_str());
    }
    if texts.len() > MAX_HIDDEN {
        say!("  … and {} more; --json lists them all", texts.len() - MAX_HIDDEN);
    }
}

fn notes(notes: &[Note]) {
    if notes.is_empty() {
        return;
    }
    say!("\nNotes on the import:");
    for note in notes.iter().take(MAX_NOTES) {
        let times = if note.count > 1 { format!(" ({} times)", note.count) } else { String::new() };
        say!("  {}{times}", note.message);
        let places = note.places().count();
        for place in note.places().take(MAX_PLACES) {
            say!("    {place}");
        }
        if places > MAX_PLACES {
            say!("    … and {} more places", places - MAX_PLACES);
        }
    }
    if notes.len() > MAX_NOTES {
        say!("  … and {} more; --json lists them all", notes.len() - MAX_NOTES);
    }
}
