//! The languages of items and Pages that clients send.

use super::input::Patch;
use api_shared::SiteUrls;
use model::SitePath;

/// Returns the language that a client sent for a new item or Page.
pub fn language_of(sent: &Patch<String>) -> Option<&str> {
    sent.value().map(String::as_str).filter(|language| !language.is_empty())
}

/// Returns the language of an item or Page after a change: the sent language, or else the language
/// of the file's name or folder. `current` is the language before.
pub fn language_after<'a>(
    own: &'a SiteUrls<'_>,
    path: &'a SitePath,
    current: Option<&'a str>,
    sent: &'a Patch<String>,
) -> Option<&'a str> {
    let of_file = || own.config.languages.of_file(path).and_then(|(language, _)| language);
    match sent {
        Patch::Omitted => current,
        sent => language_of(sent).or_else(of_file),
    }
}
