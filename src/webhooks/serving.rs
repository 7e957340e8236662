//! Compares the ledger with the site and sends messages while the site is served.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;

use super::ledger_comparer::LedgerComparer;
use super::sender::{Sender, Wake};
use model::{Config, Diagnostic, Severity};
use server::http::{self, Request, Response};
use server::{Api, ApiAnswer, ApiError, App, Moment, ServeEvent};
use source::load::load_config;
use state::StateError;

/// Maximum time until this process notices that another process has queued a message.
const QUEUE_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The webhooks of a served site. The server starts and stops them like an API that handles no
/// paths.
#[derive(Default)]
pub struct Webhooks(Mutex<Option<mpsc::Sender<Wake>>>);

impl Api for Webhooks {
    fn owns(&self, _path: &str) -> bool {
        false
    }

    fn answer(self: Arc<Self>, _app: Arc<App>, _request: Request) -> ApiAnswer {
        let nothing = ApiError::not_found("There is nothing at this address.");
        Box::pin(std::future::ready(Err(nothing)))
    }

    fn error(&self, _app: &App, _path: &str, error: &ApiError) -> Response {
        http::text(error.status, &error.message)
    }

    fn start(self: Arc<Self>, app: Arc<App>) -> BoxFuture<'static, ()> {
        let environment = app.environment.clone();
        let variables = Arc::new(move |name: &str| environment.get(name));
        let (sender, wake, wakes) = Sender::new(app.state.clone(), variables);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(wake.clone());
        let mut changes = app.live.changes();
        tokio::spawn(async move {
            while changes.changed().await.is_ok() && wake.send(Wake::Changed).is_ok() {}
        });
        let serving = Serving {
            app,
            sender,
            ledger_comparer: None,
            compared_serial: None,
            last_failure: None,
            has_forgotten: false,
            is_read: false,
        };
        thread::spawn(move || serving.run(&wakes));
        Box::pin(std::future::ready(()))
    }

    fn stop(&self) {
        let wake = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(wake) = wake {
            let _ = wake.send(Wake::Stop);
        }
    }
}

struct Serving {
    app: Arc<App>,
    sender: Sender,
    /// `None` while another process has the right to compare and send.
    ledger_comparer: Option<LedgerComparer>,
    /// The serial number of the last [`Moment`] that was compared with the ledger.
    compared_serial: Option<u64>,
    /// The error message of the last [`turn`](Self::turn), if it failed.
    last_failure: Option<String>,
    /// Whether the ledger was deleted because the site has no webhooks.
    has_forgotten: bool,
    /// Whether a valid `site.toml` has been read.
    is_read: bool,
}

impl Serving {
    fn run(mut self, wakes: &Receiver<Wake>) {
        loop {
            let pause = match self.turn() {
                Ok(pause) => {
                    self.last_failure = None;
                    pause
                }
                Err(error) => {
                    self.report_failure(&error);
                    Some(QUEUE_CHECK_INTERVAL)
                }
            };
            let wake = match pause {
                Some(pause) => wakes.recv_timeout(pause),
                None => wakes.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match wake {
                Ok(Wake::AttemptEnd(ended)) => {
                    let notices = self.sender.ended(*ended);
                    self.announce(notices);
                }
                Ok(Wake::Changed) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Compares the ledger with the site if the site has changed, and sends due messages. Returns
    /// the time until the next check. Returns `None` if the site has no webhooks, or if no valid
    /// `site.toml` has been read yet.
    fn turn(&mut self) -> Result<Option<Duration>, StateError> {
        let moment = self.app.live.now();
        let config = &moment.site.snapshot.config;
        // A moment contains the last valid `site.toml`. If there has been none yet, the list of
        // webhooks may be incomplete.
        self.is_read |= !has_errors(&moment, "site.toml");
        if !self.is_read {
            return Ok(None);
        }
        if config.webhooks.is_empty() {
            (self.ledger_comparer, self.compared_serial) = (None, None);
            if !self.has_forgotten {
                self.app.state.forget_resources()?;
                self.has_forgotten = true;
            }
            return Ok(None);
        }
        self.has_forgotten = false;
        if self.ledger_comparer.is_none() {
            self.ledger_comparer = LedgerComparer::take(self.app.live.root(), &self.app.state)?;
        }
        let Some(ledger_comparer) = &mut self.ledger_comparer else {
            return Ok(Some(QUEUE_CHECK_INTERVAL));
        };
        let mut notices = Vec::new();
        if self.compared_serial != Some(moment.serial) {
            let published = published(&self.app, &moment);
            let now = Timestamp::now();
            let cut = ledger_comparer
                .queue_changes(&moment.site.snapshot, &published, &config.webhooks, now)?;
            notices.extend(loop_warning(&cut));
            self.compared_serial = Some(moment.serial);
        }
        notices.extend(self.sender.begin(config, &ledger_comparer.turn)?);
        self.announce(notices);
        Ok(Some(QUEUE_CHECK_INTERVAL))
    }

    fn announce(&self, notices: impl IntoIterator<Item = String>) {
        for words in notices {
            self.app.live.announce(ServeEvent::Refused(words));
        }
    }

    /// Reports a failure, unless it is the same as the last failure.
    fn report_failure(&mut self, why: &StateError) {
        let words = format!("webhook messages are not sent: {why}");
        if self.last_failure.as_ref() != Some(&words) {
            self.announce([words.clone()]);
            self.last_failure = Some(words);
        }
    }
}

fn has_errors(moment: &Moment, file: &str) -> bool {
    let is_error =
        |one: &Diagnostic| one.severity == Severity::Error && one.file.as_deref() == Some(file);
    moment.faults.iter().any(is_error)
}

/// Returns the configuration of the published site, because a preview has a different address.
fn published(app: &App, moment: &Moment) -> Config {
    let (config, found) = load_config(app.live.root());
    if found.has_errors() { moment.site.snapshot.config.clone() } else { config }
}

/// Returns a warning for the author about chains of events that were cut off.
pub fn loop_warning(cut: &BTreeSet<String>) -> Option<String> {
    let names: Vec<&str> = cut.iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| {
        format!(
            "no webhook messages are sent for {}: a receiver changes it after each message, in a loop",
            names.join(", ")
        )
    })
}
