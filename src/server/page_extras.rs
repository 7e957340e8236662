//! The data that a page of the preview depends on in addition to its own bytes: draft marks, and
//! the media files on the page.

use std::path::Path;
use std::time::UNIX_EPOCH;

use percent_encoding::percent_decode_str;
use serde_json::json;

use super::moment::Moment;
use model::url::encode_path;
use render::{Document, PathAnswer};

/// Returns the marks of all paths that a page shows or links to. The paths are percent-encoded, as
/// in links.
pub fn marks_on<'m>(moment: &'m Moment, page: &[u8]) -> Vec<(String, &'m str)> {
    if moment.marks.is_empty() {
        return Vec::new();
    }
    let text = unescape_slashes(page);
    let base = moment.site.snapshot.config.base_path();
    let marks = moment.marks.iter().map(|(path, mark)| {
        let path = format!("{base}{}", encode_path(path));
        (path, mark.as_str())
    });
    marks.filter(|(path, _)| text.contains(path.as_str())).collect()
}

/// Returns the preview's marks on a page, and the sizes and modification times of its media files, as bytes
/// to hash.
pub fn of(root: &Path, moment: &Moment, page: &[u8]) -> Vec<u8> {
    let mut extras = String::new();
    for (path, mark) in marks_on(moment, page) {
        extras.push_str(&format!("{path} {mark}\n"));
    }
    let text = unescape_slashes(page);
    for (at, _) in text.match_indices("/media/") {
        let end = text[at..].find(['"', '\'', '<', '>', ' ', ')', '?', '#', '&', '\n', '\\']);
        let path = &text[at..end.map_or(text.len(), |end| at + end)];
        let decoded = percent_decode_str(path).decode_utf8_lossy();
        let Some(PathAnswer::Document(Document::Media(medium))) = moment.site.find(&decoded) else {
            continue;
        };
        let file = moment.site.snapshot.media[medium].source.on_disk(root);
        let facts = file.metadata().ok();
        let modified = facts.as_ref().and_then(|facts| facts.modified().ok());
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let length = facts.map(|facts| facts.len());
        let of_file = json!([path, length, modified.map(|time| time.as_nanos().to_string())]);
        extras.push_str(&format!("{of_file}\n"));
    }
    extras.into_bytes()
}

/// Returns the HTML of a page, with the escape sequences for slashes replaced by slashes.
fn unescape_slashes(page: &[u8]) -> String {
    String::from_utf8_lossy(page).replace("&#x2F;", "/")
}
