//! Serves sites, and asks the server like a browser.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use feedwright::project::Options;
use feedwright::server::ServeOptions;
use feedwright::state::State;

use crate::support::served::{Listening, Reply};
use crate::support::wait::{self, MAX_WAIT};

/// How long a test waits for what must not come.
const QUIET_PERIOD: Duration = Duration::from_millis(600);

impl Reply {
    /// The page without the script of the preview.
    pub fn page(&self) -> String {
        let text = self.text();
        let Some((before, rest)) = text.split_once("<script src=\"/.feedwright/live.js\"") else {
            return text;
        };
        let (_, after) = rest.split_once("</script>").unwrap();
        format!("{before}{after}")
    }

    /// A value that the script of the preview is given, as a browser reads it.
    pub fn data(&self, name: &str) -> Option<String> {
        let page = scraper::Html::parse_document(&String::from_utf8_lossy(&self.body));
        let script = scraper::Selector::parse("script[src='/.feedwright/live.js']").unwrap();
        let found = page.select(&script).next()?;
        found.attr(&format!("data-{name}")).map(str::to_owned)
    }
}

/// Serves the site at `root`.
pub fn serve(root: &Path) -> Listening {
    serve_with(root, |_| {})
}

/// Serves the site at `root` with other options.
pub fn serve_with(root: &Path, change: impl FnOnce(&mut ServeOptions)) -> Listening {
    let mut options = ServeOptions {
        site: Options::new(root),
        addr: "127.0.0.1:0".parse().unwrap(),
        state: State::open(root).unwrap(),
        apis: feedwright::api::all(root),
    };
    change(&mut options);
    Listening::start(options, |server| server)
}

impl Listening {
    /// The text at a path.
    pub fn text(&self, path: &str) -> String {
        self.get(path).text()
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send(method, path, headers, b"")
    }

    /// Waits until an answer is as it has to be.
    pub fn wait(&self, path: &str, what: &str, is_right: impl Fn(&Reply) -> bool) -> Reply {
        let mut answer = self.get(path);
        let is_shown = wait::within(MAX_WAIT, || {
            answer = self.get(path);
            is_right(&answer)
        });
        assert!(
            is_shown,
            "{path} never shows {what}; it shows {} {}",
            answer.status,
            String::from_utf8_lossy(&answer.body)
        );
        answer
    }

    /// Waits until the text at a path holds another one.
    pub fn wait_for(&self, path: &str, text: &str) {
        self.wait(path, text, |answer| String::from_utf8_lossy(&answer.body).contains(text));
    }

    /// Waits until there is an answer with this status.
    pub fn wait_for_status(&self, path: &str, status: u16) {
        let is_right = |answer: &Reply| answer.status == status;
        self.wait(path, &status.to_string(), is_right);
    }

    /// Opens a page as a browser does: reads it, then its events.
    pub fn open(&self, path: &str) -> OpenPage {
        self.open_as(&self.get(path))
    }

    /// Reads the events of a page that was read before.
    pub fn open_as(&self, page: &Reply) -> OpenPage {
        let asked = [
            ("path", page.data("path").expect("a page with the script")),
            ("state", page.data("state").unwrap()),
        ];
        let subject = page.data("subject").map(|subject| ("subject", subject));
        let query: Vec<String> = asked
            .iter()
            .chain(&subject)
            .map(|(name, value)| format!("{name}={}", value.replace('%', "%25").replace(' ', "+")))
            .collect();
        let url = format!("{}/.feedwright/events?{}", self.url, query.join("&"));
        let agent: ureq::Agent = ureq::Agent::config_builder().build().into();
        let stream = agent.get(url).call().unwrap();
        let (send, events) = channel();
        thread::spawn(move || {
            let mut name = String::new();
            for line in BufReader::new(stream.into_body().into_reader()).lines() {
                let Ok(line) = line else { return };
                if let Some(event) = line.strip_prefix("event: ") {
                    name = event.to_owned();
                } else if let Some(data) = line.strip_prefix("data:")
                    && send.send((name.clone(), data.trim().to_owned())).is_err()
                {
                    return;
                }
            }
        });
        OpenPage { events }
    }
}

/// A page that is open in a browser.
pub struct OpenPage {
    events: Receiver<(String, String)>,
}

impl OpenPage {
    /// Waits until the page is told to reload.
    pub fn wait_for_reload(&self) {
        let start = Instant::now();
        loop {
            let left = MAX_WAIT.saturating_sub(start.elapsed());
            let (name, _) = self.events.recv_timeout(left).expect("a reload");
            if name == "reload" {
                return;
            }
        }
    }

    /// Whether the page was told to reload by now.
    pub fn has_reloaded(&self) -> bool {
        self.events.try_iter().any(|(name, _)| name == "reload")
    }

    /// Waits until the page is told where it stands now.
    pub fn wait_for_move(&self) -> String {
        let start = Instant::now();
        loop {
            let left = MAX_WAIT.saturating_sub(start.elapsed());
            let (name, data) = self.events.recv_timeout(left).expect("a move");
            assert_ne!(name, "reload");
            if name == "moved" {
                return serde_json::from_str(&data).unwrap();
            }
        }
    }

    /// Waits for errors, as the overlay shows them, until they are as they have to be.
    pub fn faults(&self, is_right: impl Fn(&[String]) -> bool) -> Vec<String> {
        let start = Instant::now();
        loop {
            let left = MAX_WAIT.saturating_sub(start.elapsed());
            let (name, data) = self.events.recv_timeout(left).expect("faults");
            if name != "faults" {
                continue;
            }
            let faults: Vec<String> = serde_json::from_str(&data).unwrap();
            if is_right(&faults) {
                return faults;
            }
        }
    }

    /// Checks that the page is not told to reload.
    pub fn assert_no_reload(&self) {
        let start = Instant::now();
        while let Some(left) = QUIET_PERIOD.checked_sub(start.elapsed()) {
            match self.events.recv_timeout(left) {
                Ok((name, _)) => assert_ne!(name, "reload"),
                Err(_) => return,
            }
        }
    }
}
