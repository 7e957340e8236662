//! The event stream of one open page.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use tokio::sync::watch;
use warp::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use warp::reply::Reply;

use super::subject::Subject;
use crate::app::App;
use crate::http::{Request, Response, decode_path, set};
use crate::public_answer::public_answer;
use model::{Diagnostic, Severity};

/// Maximum time without output on the stream. Proxies close connections without traffic.
const SILENCE: Duration = Duration::from_secs(15);

/// Opens the event stream of one page.
pub fn events(app: Arc<App>, request: &Request) -> Response {
    let mut page = OpenPage { path: String::new(), state: None, subject: None };
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
        stage: StreamStage::Opened,
    };
    let mut response = warp::reply::stream(events.stream()).into_response();
    set(&mut response, CONTENT_TYPE, "text/event-stream");
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}

struct OpenPage {
    /// The page's path, as requested.
    path: String,
    /// The state hash of the shown page, if the request contains it.
    state: Option<u64>,
    /// The item or page that the browser shows, if any.
    subject: Option<Subject>,
}

struct Events {
    app: Arc<App>,
    page: Arc<OpenPage>,
    changes: watch::Receiver<u64>,
    faults: watch::Receiver<Arc<Vec<Diagnostic>>>,
    stage: StreamStage,
}

/// The progress of a stream.
enum StreamStage {
    Opened,
    /// The errors of the site were sent.
    FaultsSent,
    Watching,
}

impl Events {
    fn stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> + Send + Sync {
        futures_util::stream::unfold(self, |mut events| async {
            let next = events.next().await?;
            Some((Ok(next), events))
        })
    }

    /// Returns the next event, or `None` when the server stops.
    async fn next(&mut self) -> Option<Bytes> {
        match self.stage {
            StreamStage::Opened => {
                self.stage = StreamStage::FaultsSent;
                // A browser that loses the stream reconnects after 500 ms.
                let faults = faults_event(&self.faults.borrow_and_update());
                return Some(format!("retry: 500\n\n{faults}").into());
            }
            StreamStage::FaultsSent => {
                self.stage = StreamStage::Watching;
                if let Some(event) = self.event_of_page().await {
                    return Some(event);
                }
            }
            StreamStage::Watching => {}
        }
        loop {
            tokio::select! {
                changed = self.changes.changed() => {
                    changed.ok()?;
                    if let Some(event) = self.event_of_page().await {
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

    /// Returns the event for a page that has changed: a reload, or the path it has moved to.
    /// Returns `None` if the page is unchanged.
    async fn event_of_page(&mut self) -> Option<Bytes> {
        self.changes.mark_unchanged();
        let (app, page) = (Arc::clone(&self.app), Arc::clone(&self.page));
        let event = tokio::task::spawn_blocking(move || {
            let moment = app.live.now();
            let path = decode_path(&page.path);
            let answer = public_answer(&app.live, &moment, path.as_deref());
            let known = page.state?;
            if known == answer.state(&app.live, &moment) {
                return None;
            }
            let subject = page.subject.as_ref().filter(|_| answer.is_not_found());
            Some(match subject.and_then(|subject| subject.path(&moment)) {
                Some(path) => format!("event: moved\ndata: {}\n\n", serde_json::json!(path)).into(),
                None => RELOAD.into(),
            })
        });
        event.await.unwrap_or_default()
    }
}

const RELOAD: &str = "event: reload\ndata:\n\n";

/// Returns the event with the site's errors, formatted as `build` prints them.
fn faults_event(faults: &[Diagnostic]) -> String {
    let errors: Vec<String> = faults
        .iter()
        .filter(|fault| fault.severity == Severity::Error)
        .map(ToString::to_string)
        .collect();
    format!("event: faults\ndata: {}\n\n", serde_json::json!(errors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Rule;

    #[test]
    fn an_event_is_one_line_of_data() {
        let fault = Diagnostic::error("a\nb").file("x.md").position(1, 2, "text");
        let event = faults_event(&[fault, Diagnostic::warning(Rule::DeadLink, "doubtful")]);
        let mut lines = event.lines();
        assert_eq!(lines.next(), Some("event: faults"));
        let data = lines.next().unwrap().strip_prefix("data: ").unwrap();
        let errors: Vec<String> = serde_json::from_str(data).unwrap();
        assert_eq!(errors.len(), 1);
        assert!(errors[0].contains("--> x.md:1:2"));
        assert_eq!(lines.collect::<Vec<_>>(), [""]);
    }
}
