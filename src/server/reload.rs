//! Live reload: a script on every page of the preview, and the stream of events that tells it when
//! the page it stands on is another, and what is wrong with the site.
//!
//! The stream is server-sent events (HTML Living Standard, section 9.2): `reload` once what stands
//! at the page's path is not what the page shows, `moved` with the path where it stands now when
//! nothing is left there, `faults` with the errors of the site.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use futures_util::Stream;
use percent_encoding::percent_decode_str;
use serde_json::json;
use tokio::sync::watch;
use warp::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use warp::reply::Reply;

use super::App;
use super::http::{Request, Response, decode_path, set};
use super::moment::Moment;
use super::shown::look;
use crate::model::url::encode_path;
use crate::model::{self, Diagnostic, Item, Severity};
use crate::project::ContentMarks;
use crate::render::{Document, PathAnswer};
use crate::site::paths;
use mustache::escape_into;

/// Where the script lies.
pub const SCRIPT: &str = "/.feedwright/live.js";
/// Where the events come from.
pub const EVENTS: &str = "/.feedwright/events";

/// How long a stream is silent at most: a connection that says nothing is cut somewhere on its way.
const SILENCE: Duration = Duration::from_secs(15);

/// Puts the script at the end of a page's body. `path` is the one that was asked for, as it came.
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
    if !marks.is_empty() {
        tag.push_str(" data-marks=\"");
        escape_into(&serde_json::json!(marks).to_string(), &mut tag);
        tag.push('"');
    }
    tag.push_str(" defer></script>");
    put_into(page, &tag)
}

/// Puts a tag at the end of a page's body, or of the page where it has none.
fn put_into(mut page: Vec<u8>, tag: &str) -> Vec<u8> {
    let end = b"</body>";
    let at = page.windows(end.len()).rposition(|part| part == end);
    let at = at.unwrap_or(page.len());
    page.splice(at..at, tag.bytes());
    page
}

/// The marks of what a page shows or links to, by the path as a browser has it.
fn marks_on<'m>(moment: &'m Moment, page: &[u8]) -> Vec<(String, &'m str)> {
    if moment.marks.is_empty() {
        return Vec::new();
    }
    let text = with_slashes(page);
    let base = moment.site.snapshot.config.base_path();
    let marks = moment.marks.iter().map(|(path, mark)| {
        let path = format!("{base}{}", crate::model::url::encode_path(path));
        (path, mark.as_str())
    });
    marks
        .filter(|(path, _)| text.contains(path.as_str()))
        .collect()
}

/// What belongs to a page and is not in its bytes, as bytes: its marks, and the sizes and times of
/// the media it shows.
pub fn around(root: &Path, moment: &Moment, page: &[u8]) -> Vec<u8> {
    let mut around = String::new();
    for (path, mark) in marks_on(moment, page) {
        around.push_str(&format!("{path} {mark}\n"));
    }
    let text = with_slashes(page);
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
        let of_file = json!([
            path,
            length,
            modified.map(|time| time.as_nanos().to_string())
        ]);
        around.push_str(&format!("{of_file}\n"));
    }
    around.into_bytes()
}

/// A page's text with the slashes that templates escape.
fn with_slashes(page: &[u8]) -> String {
    String::from_utf8_lossy(page).replace("&#x2F;", "/")
}

/// The stream of events of one page.
pub fn events(app: Arc<App>, request: &Request) -> Response {
    let mut page = Page {
        path: String::new(),
        state: None,
        subject: None,
    };
    for (name, value) in form_urlencoded::parse(request.query.as_bytes()) {
        match name.as_ref() {
            "path" => page.path = value.into_owned(),
            "state" => page.state = u64::from_str_radix(&value, 16).ok(),
            "subject" => page.subject = Subject::parse(&value),
            _ => {}
        }
    }
    let events = Events {
        changes: app.live.changes(),
        faults: app.live.faults(),
        app,
        page: Arc::new(page),
        step: Step::Opened,
    };
    let mut response = warp::reply::stream(events.stream()).into_response();
    set(&mut response, CONTENT_TYPE, "text/event-stream");
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}

/// An open page.
struct Page {
    /// Its path, as it was asked for.
    path: String,
    /// The state it shows, where it says so.
    state: Option<u64>,
    /// What it shows, where that has an id.
    subject: Option<Subject>,
}

/// What a page is of: it stays the same when its path is another.
struct Subject {
    is_item: bool,
    id: String,
    /// Those of a file that names no id: under another name it has another one.
    marks: Option<ContentMarks>,
}

impl Subject {
    /// What stands at a path.
    fn at(moment: &Moment, path: &str) -> Option<Self> {
        let snapshot = &moment.site.snapshot;
        match moment.site.find(path)? {
            PathAnswer::Document(Document::Item(at)) => {
                Some(Self::item(&snapshot.entries[at].item))
            }
            PathAnswer::Document(Document::Page(at)) => Some(Self::page(&snapshot.pages[at].page)),
            _ => None,
        }
    }

    fn item(item: &Item) -> Self {
        let marks = || ContentMarks::of(&item.title, &item.content);
        Self {
            is_item: true,
            id: item.id.to_string(),
            marks: item.id_is_derived.then(marks),
        }
    }

    fn page(page: &model::Page) -> Self {
        let marks = || ContentMarks::of(&page.title, &page.content);
        Self {
            is_item: false,
            id: page.id.to_string(),
            marks: page.id_is_derived.then(marks),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let is_item = match parts.next()? {
            "item" => true,
            "page" => false,
            _ => return None,
        };
        let id = parts.next()?.to_owned();
        let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
        let marks = number().zip(number());
        Some(Self {
            is_item,
            id,
            marks: marks.map(|(title, text)| ContentMarks { title, text }),
        })
    }

    /// Its path now, as a browser has it. None where it is not shown.
    fn path(&self, moment: &Moment) -> Option<String> {
        let snapshot = &moment.site.snapshot;
        let path = if self.is_item {
            let items = snapshot.entries.iter();
            let renamed = || {
                items
                    .clone()
                    .find(|entry| self.is_renamed(Self::item(&entry.item)))
            };
            let entry = snapshot.find(&self.id).or_else(renamed)?;
            paths::item(&entry.segment)
        } else {
            let pages = snapshot.pages.iter();
            let renamed = || {
                pages
                    .clone()
                    .find(|entry| self.is_renamed(Self::page(&entry.page)))
            };
            let entry = snapshot.page(&self.id).or_else(renamed)?;
            paths::page(entry.page.slug.as_str())
        };
        let is_shown = matches!(moment.site.find(&path)?, PathAnswer::Document(_));
        let base = snapshot.config.base_path();
        is_shown.then(|| format!("{base}{}", encode_path(&path)))
    }

    /// Whether another one is what this is, in a file of another name.
    fn is_renamed(&self, other: Self) -> bool {
        let is_known = |marks: &ContentMarks| *marks != ContentMarks::NONE;
        self.marks.filter(is_known).is_some() && self.marks == other.marks
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_item { "item" } else { "page" };
        write!(f, "{kind} {}", self.id)?;
        match self.marks {
            Some(ContentMarks { title, text }) => write!(f, " {title:x} {text:x}"),
            None => Ok(()),
        }
    }
}

struct Events {
    app: Arc<App>,
    page: Arc<Page>,
    changes: watch::Receiver<u64>,
    faults: watch::Receiver<Arc<Vec<Diagnostic>>>,
    step: Step,
}

/// How far a stream is.
enum Step {
    Opened,
    Told,
    Watching,
}

impl Events {
    fn stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> + Send + Sync {
        futures_util::stream::unfold(self, |mut events| async {
            let next = events.next().await?;
            Some((Ok(next), events))
        })
    }

    /// The next event. None when the server ends.
    async fn next(&mut self) -> Option<Bytes> {
        match self.step {
            Step::Opened => {
                self.step = Step::Told;
                // A page that lost its stream asks again soon.
                let faults = faults_event(&self.faults.borrow_and_update());
                return Some(format!("retry: 500\n\n{faults}").into());
            }
            Step::Told => {
                self.step = Step::Watching;
                if let Some(event) = self.news_of_page().await {
                    return Some(event);
                }
            }
            Step::Watching => {}
        }
        loop {
            tokio::select! {
                changed = self.changes.changed() => {
                    changed.ok()?;
                    if let Some(event) = self.news_of_page().await {
                        return Some(event);
                    }
                }
                changed = self.faults.changed() => {
                    changed.ok()?;
                    return Some(faults_event(&self.faults.borrow_and_update()).into());
                }
                () = tokio::time::sleep(SILENCE) => return Some(": still here\n\n".into()),
            }
        }
    }

    /// What to tell the page: that what stands at its path is not what it shows, or where that stands
    /// now. None where nothing of it is another.
    async fn news_of_page(&mut self) -> Option<Bytes> {
        self.changes.mark_unchanged();
        let (app, page) = (Arc::clone(&self.app), Arc::clone(&self.page));
        let look = tokio::task::spawn_blocking(move || {
            let moment = app.live.now();
            let path = decode_path(&page.path);
            let shown = look(&app.live, &moment, path.as_deref());
            let known = page.state?;
            if known == shown.state(&app.live, &moment) {
                return None;
            }
            let subject = page.subject.as_ref().filter(|_| shown.is_not_found());
            Some(match subject.and_then(|subject| subject.path(&moment)) {
                Some(path) => format!("event: moved\ndata: {}\n\n", serde_json::json!(path)).into(),
                None => RELOAD.into(),
            })
        });
        look.await.unwrap_or_default()
    }
}

const RELOAD: &str = "event: reload\ndata:\n\n";

/// The errors, in the words of the build.
fn faults_event(faults: &[Diagnostic]) -> String {
    let errors: Vec<String> = faults
        .iter()
        .filter(|fault| fault.severity == Severity::Error)
        .map(ToString::to_string)
        .collect();
    format!("event: faults\ndata: {}\n\n", serde_json::json!(errors))
}

/// The script's media type and bytes.
pub fn script() -> (&'static str, Vec<u8>) {
    let script = include_bytes!("live.js");
    ("text/javascript; charset=utf-8", script.to_vec())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_event_is_one_line_of_data() {
        let fault = Diagnostic::error("a\nb")
            .file("x.md")
            .position(1, 2, "text");
        let event = faults_event(&[fault, Diagnostic::warning("doubtful")]);
        let mut lines = event.lines();
        assert_eq!(lines.next(), Some("event: faults"));
        let data = lines.next().unwrap().strip_prefix("data: ").unwrap();
        let errors: Vec<String> = serde_json::from_str(data).unwrap();
        assert_eq!(errors.len(), 1);
        assert!(errors[0].contains("--> x.md:1:2"));
        assert_eq!(lines.collect::<Vec<_>>(), [""]);
    }

    proptest! {
        #[test]
        fn the_script_is_put_into_a_page_and_nothing_else_changes(
            page in prop::collection::vec(
                prop_oneof![Just("</body>".to_owned()), "[a-z<>/ ]{0,9}", "\\PC{0,3}"],
                0..9,
            ),
            path in "/[\\PC]{0,20}",
        ) {
            let page = page.concat();
            let tag = format!("<script data-path=\"{path}\"></script>");
            let attached = put_into(page.clone().into_bytes(), &tag);
            let attached = String::from_utf8(attached).unwrap();
            prop_assert_eq!(attached.replacen(&tag, "", 1), page.clone());
            if let Some(at) = page.rfind("</body>") {
                prop_assert!(attached[at..].starts_with(&tag));
            }
        }
    }
}
