//! Writes to the author's files: creates, replaces, renames and removes them.
//!
//! An edit changes only the bytes of the edited field or body. A write flushes a temporary file in
//! the same folder, then puts it in place of the old file. A crash leaves the old file or the new
//! one.
//!
//! [`replace_if`] never loses data that another program writes to the file at the same time.
//! `transaction` prepares the writes of APIs: every step that may fail is done before the API
//! confirms the write to the client.
//!
//! The crate [`front_matter`] produces the new text of a file. [`apply()`] changes the fields and
//! the body of a file's text, and reports faults as errors in the file. [`NewEvent`] produces the
//! text of a new event. A [`NewFolder`] appears with all its files at once.

mod apply;
mod name;
mod new_event;
mod new_folder;
mod open_files;
mod replace;
mod revision_chain;
mod sweep;
pub mod transaction;
mod translation;
mod trash;
mod write;
mod write_lockdown;

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{RoundMode, Timestamp, TimestampRound, Unit, Zoned};
use serde_json::json;

pub use name::{free_name, free_name_except};
pub use replace::{Replaced, replace_if};
pub use sweep::sweep;
pub use trash::remove_to_trash;
pub use write::{create, rename, replace};

pub use apply::apply;
pub use new_event::{EventError, NewEvent, new_calendar};
pub use new_folder::NewFolder;
pub use replace::is_being_written;
pub use sweep::sweep_ended_processes;
pub use translation::{
    KnownText, LanguagePlace, NotTranslatable, existing_translation, translation_path,
    translation_text, unknown_language, unstated_language,
};
pub use trash::TRASH;
pub use write::keep;
pub use write_lockdown::WriteLockdown;

use model::{Diagnostic, ItemId, SitePath, Source};
use source::text::read_text;

/// Returns a new random id. The system's randomness seeds the standard library's hasher.
pub fn new_id() -> ItemId {
    ItemId::from_number(RandomState::new().hash_one(Timestamp::now().as_nanosecond()))
}

/// Returns the current time in a time zone, rounded down to the second.
pub fn current_time(zone: &TimeZone) -> Zoned {
    let to_the_second = TimestampRound::new().smallest(Unit::Second).mode(RoundMode::Floor);
    let now = Timestamp::now().round(to_the_second).unwrap_or_default();
    now.to_zoned(zone.clone())
}

/// Formats a time as in front matter: `2026-11-20T09:30:00+01:00`, or with `Z` for UTC.
pub fn written(time: &Zoned) -> String {
    let text = time.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    match text.strip_suffix("+00:00") {
        Some(utc) => format!("{utc}Z"),
        None => text,
    }
}

/// Quotes a string for TOML. TOML's basic strings accept JSON's escapes.
pub fn quoted(text: &str) -> String {
    let printable: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    json!(printable).to_string()
}

/// Adds an id to a content file that has none, as a new line.
pub fn insert_id(root: &Path, path: &SitePath, id: &ItemId) -> Result<(), Diagnostic> {
    let text = read_text(root, path)?;
    let source = Source { path, text: &text };
    let front = source.front_matter().map_err(|errors| {
        errors.into_iter().next().unwrap_or_else(|| {
            Diagnostic::error("this front matter cannot be read").file(path.as_str())
        })
    })?;
    if front.table.get("id").is_some() {
        return Ok(());
    }
    let edited = front_matter::insert_first_key(&text, &front, "id", id.as_str());
    match replace_if(&path.on_disk(root), text.as_bytes(), edited.as_bytes()) {
        Ok(Replaced::Done) => Ok(()),
        Ok(Replaced::Changed | Replaced::Open) => {
            Err(Diagnostic::error("this file was changed meanwhile")
                .file(path.as_str())
                .help("try again"))
        }
        Err(error) => Err(Diagnostic::error(format!("this file cannot be written: {error}"))
            .file(path.as_str())
            .help("check its permissions")),
    }
}
