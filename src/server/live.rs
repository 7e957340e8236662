//! The holder of the newest state of a site: the one place of the server that changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use jiff::Timestamp;
use tokio::sync::watch;

use crate::build::{self, Options, Silent, Site};
use crate::model::{Diagnostic, Report, SitePath};
use crate::render::Document;

/// One immutable state of the site, and what it needs to answer requests.
pub struct Moment {
    /// How many moments there were before.
    pub serial: u64,
    /// The snapshot, the theme and the route table.
    pub site: Site,
    /// What is wrong with the site, and doubtful.
    pub faults: Vec<Diagnostic>,
    paths: HashMap<String, Found>,
}

/// What stands at a public path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A document.
    Document(Document),
    /// Another path, for good (301).
    Redirect(String),
}

impl Moment {
    fn new(serial: u64, site: Site, faults: Vec<Diagnostic>) -> Self {
        let redirects = site
            .routes()
            .redirects
            .iter()
            .map(|redirect| (redirect.from.clone(), Found::Redirect(redirect.to.clone())));
        let documents = site
            .routes()
            .routes
            .iter()
            .map(|route| (route.path.clone(), Found::Document(route.document.clone())));
        // Documents win: a redirect page of a host is not served where the redirect itself is.
        let mut paths: HashMap<String, Found> = documents.collect();
        for (from, to) in redirects {
            match paths.get(&from) {
                Some(Found::Document(Document::RedirectPage(_))) | None => {
                    paths.insert(from, to);
                }
                Some(_) => {}
            }
        }
        Self {
            serial,
            site,
            faults,
            paths,
        }
    }

    /// What stands at a public path, percent-decoded.
    pub fn find(&self, path: &str) -> Option<&Found> {
        self.paths.get(path)
    }
}

/// Holds the newest moment, and makes the next.
pub struct Live {
    options: Options,
    now: RwLock<Arc<Moment>>,
    /// Held while files are read into the next moment, and while the API writes them.
    pen: Mutex<()>,
    changed: watch::Sender<u64>,
}

impl Live {
    /// Reads a site.
    pub fn read(options: Options) -> Result<Self, Report> {
        let moment = read_moment(&options, 0)?;
        Ok(Self {
            options,
            now: RwLock::new(Arc::new(moment)),
            pen: Mutex::new(()),
            changed: watch::Sender::new(0),
        })
    }

    /// The newest moment.
    pub fn now(&self) -> Arc<Moment> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The serial of the newest moment, whenever there is a new one.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The pen: whoever holds it is the only one that writes files or makes moments.
    pub fn pen(&self) -> Pen<'_> {
        Pen {
            live: self,
            _held: self.pen.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// The site's root.
    pub fn root(&self) -> &std::path::Path {
        &self.options.root
    }
}

/// The right to write.
pub struct Pen<'a> {
    live: &'a Live,
    _held: MutexGuard<'a, ()>,
}

impl Pen<'_> {
    /// Applies what was saved and is not in the newest moment yet.
    pub fn catch_up(&self) -> Arc<Moment> {
        self.refresh()
    }

    /// Reads these files again, and makes that the newest moment.
    pub fn wrote(&self, _paths: &[SitePath]) -> Arc<Moment> {
        self.refresh()
    }

    /// Reads what changed on disk, and makes it the newest moment.
    pub fn refresh(&self) -> Arc<Moment> {
        let serial = self.live.now().serial + 1;
        let Ok(moment) = read_moment(&self.live.options, serial).map(Arc::new) else {
            return self.live.now();
        };
        *self
            .live
            .now
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::clone(&moment);
        self.live.changed.send_replace(serial);
        moment
    }
}

fn read_moment(options: &Options, serial: u64) -> Result<Moment, Report> {
    let mut options = options.clone();
    options.visibility.now = Timestamp::now();
    let (site, report) = build::read(&options, &Silent);
    match site {
        Some(site) => Ok(Moment::new(serial, site, report.sorted())),
        None => Err(report),
    }
}
