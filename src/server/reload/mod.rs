//! Live reload. Each page of the preview has a script that listens to an event stream. The stream
//! reports when the page has changed, and which errors the site has.
//!
//! The stream consists of server-sent events (HTML Living Standard, section 9.2). `reload` means
//! that the content at the page's path has changed. `moved` contains the new path of a page whose
//! old path no longer exists. `faults` contains the errors of the site.

mod events;
mod subject;

use mustache::escape_into;

use super::http::decode_path;
use super::moment::Moment;
use super::page_extras::marks_on;
pub use events::events;
use subject::Subject;

/// The path of the script.
pub const SCRIPT: &str = "/.feedwright/live.js";
/// The path of the event stream.
pub const EVENTS: &str = "/.feedwright/events";

/// Inserts the script at the end of a page's body. `path` is the requested path, as received.
pub fn attach(page: Vec<u8>, moment: &Moment, path: &str, state: u64) -> Vec<u8> {
    let base = moment.site.snapshot.config.base_path();
    let marks = marks_on(moment, &page);
    let mut tag = format!("<script src=\"{base}{SCRIPT}\" data-path=\"");
    escape_into(path, &mut tag);
    tag.push_str(&format!("\" data-state=\"{state:016x}\""));
    if let Some(subject) = decode_path(path).and_then(|path| Subject::at(moment, &path)) {
        tag.push_str(" data-subject=\"");
        escape_into(&subject.to_string(), &mut tag);
        tag.push('"');
    }
    if moment.site.snapshot.entries.is_empty() {
        tag.push_str(" data-empty");
    }
    if !marks.is_empty() {
        tag.push_str(" data-marks=\"");
        escape_into(&serde_json::json!(marks).to_string(), &mut tag);
        tag.push('"');
    }
    tag.push_str(" defer></script>");
    insert_tag(page, &tag)
}

/// Inserts a tag at the end of a page's body, or at the end of the page if it has no body.
fn insert_tag(mut page: Vec<u8>, tag: &str) -> Vec<u8> {
    let end = b"</body>";
    let at = page.windows(end.len()).rposition(|part| part == end);
    let at = at.unwrap_or(page.len());
    page.splice(at..at, tag.bytes());
    page
}

/// Returns the script's media type and bytes.
pub fn script() -> (&'static str, Vec<u8>) {
    let script = include_bytes!("live.js");
    ("text/javascript; charset=utf-8", script.to_vec())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_script_is_inserted_and_the_page_is_otherwise_unchanged(
            page in prop::collection::vec(
                prop_oneof![Just("</body>".to_owned()), "[a-z<>/ ]{0,9}", "\\PC{0,3}"],
                0..9,
            ),
            path in "/[\\PC]{0,20}",
        ) {
            let page = page.concat();
            let tag = format!("<script data-path=\"{path}\"></script>");
            let attached = insert_tag(page.clone().into_bytes(), &tag);
            let attached = String::from_utf8(attached).unwrap();
            prop_assert_eq!(attached.replacen(&tag, "", 1), page.clone());
            if let Some(at) = page.rfind("</body>") {
                prop_assert!(attached[at..].starts_with(&tag));
            }
        }
    }
}
