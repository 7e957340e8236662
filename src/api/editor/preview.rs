//! A text that is not saved, in the theme, as visitors would see it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use super::text::{Unsaved, known};
use super::{Answer, page};
use crate::api::shared::ApiError;
use crate::model::{Item, Page, Report, SitePath, Source, Status, Visibility};
use crate::project::Site;
use crate::render::{Body, PathAnswer};
use crate::server::http::Response;
use crate::server::{App, Moment};
use crate::site::{Previous, gather, paths};
use crate::source::reading::{ContentFile, unsaved};
use crate::source::schema::Kind;
use crate::source::sources::Sources;

/// Most pages that are kept: one that is shown was just made.
const MOST: usize = 16;

/// What the page of a preview may do: nothing but look as it will. Whatever stands in a text runs no script and sends no
/// form there; so the editor may look into it, to keep the place to which one has scrolled.
const POLICY: &str = "sandbox allow-same-origin allow-popups; frame-ancestors 'self'";

/// The pages that were made last, each by an id that nobody can guess.
#[derive(Default)]
pub struct Previews(Mutex<VecDeque<(String, Vec<u8>)>>);

impl Previews {
    /// Makes the page of a text, and answers its address.
    pub fn make(&self, app: &App, asked: &Unsaved) -> Answer {
        let (path, kind) = known(&asked.path)?;
        let bytes = Published::of(app, &path, kind, &asked.text)?.page()?;
        let id = crate::state::random_id()?;
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.push_back((id.clone(), bytes));
        if pages.len() > MOST {
            pages.pop_front();
        }
        Ok(json!({ "address": format!("preview/{id}") }))
    }

    /// A page that was made.
    pub fn show(&self, id: &str) -> Result<Response, ApiError> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = pages.iter().find(|(own, _)| own == id);
        let (_, bytes) = found.ok_or_else(|| ApiError::not_found("this preview is gone"))?;
        Ok(page("text/html; charset=utf-8", bytes.clone(), POLICY))
    }
}

/// The site with a text as if that was published now.
pub struct Published {
    site: Site,
    /// What is wrong between its files.
    pub faults: Report,
    /// The path of the text's page.
    pub address: String,
}

impl Published {
    /// Puts a text in its place. Err if it can be no file of the site.
    pub fn of(app: &App, path: &SitePath, kind: Kind, text: &str) -> Result<Self, ApiError> {
        let moment = app.live.newest();
        let source = Source { path, text };
        let root = app.live.root();
        let config = &moment.site.snapshot.config;
        let mut sources = moment.sources.clone();
        let mut address = String::from("/");
        let now = moment.site.snapshot.now;
        match kind {
            Kind::Item => {
                let (item, fingerprint) =
                    unsaved::<Item>(root, config, source).ok_or_else(no_page)?;
                let date = item.date_published.filter(|date| *date <= now);
                let item = Item {
                    status: Status::Published,
                    date_published: Some(date.unwrap_or(now)),
                    ..item
                };
                address = paths::item(&item.segment());
                put(&mut sources.items, item, fingerprint);
            }
            Kind::Page => {
                let (page, fingerprint) =
                    unsaved::<Page>(root, config, source).ok_or_else(no_page)?;
                let date = page.date_published.filter(|date| *date <= now);
                let page = Page {
                    status: Status::Published,
                    date_published: date,
                    ..page
                };
                address = paths::page(page.slug.as_str());
                put(&mut sources.pages, page, fingerprint);
            }
            _ => {}
        }
        let (site, faults) = gathered(app, &moment, sources);
        Ok(Self {
            site,
            faults,
            address,
        })
    }

    /// The page of the text.
    pub fn page(&self) -> Result<Vec<u8>, ApiError> {
        match self.site.find(&self.address) {
            Some(PathAnswer::Document(document)) => match self.site.renderer().render(&document) {
                Ok(Body::Bytes(bytes)) => Ok(bytes),
                Ok(_) => Err(no_page()),
                Err(fault) => Err(ApiError::bad(fault.message)),
            },
            _ => Err(no_page()),
        }
    }
}

fn no_page() -> ApiError {
    ApiError::bad("this text has no page to show yet: mend what is wrong with it")
}

/// Puts what was read of a file in the place of what is there of it.
fn put<T: ContentFile + crate::source::sources::OfFile>(
    list: &mut crate::model::List<(Arc<T>, u64)>,
    value: T,
    fingerprint: u64,
) {
    let own = value.walked();
    let at = list.partition_point(|(one, _)| one.walked() < own);
    let is_there = list.get(at).is_some_and(|(one, _)| one.walked() == own);
    let entry = (Arc::new(value), fingerprint);
    match is_there {
        true => list.replace(at, entry),
        false => list.insert(at, entry),
    }
}

/// The site with other files.
fn gathered(app: &App, moment: &Moment, sources: Sources) -> (Site, Report) {
    let snapshot = &moment.site.snapshot;
    let visibility = Visibility {
        now: snapshot.now,
        ..app.live.options().visibility
    };
    let previous = Previous {
        snapshot,
        sources: &moment.sources,
    };
    let config = snapshot.config.clone();
    let (snapshot, faults) = gather(app.live.root(), config, sources, visibility, Some(previous));
    let mut site = Site::new(snapshot, Arc::clone(&moment.site.theme));
    site.make_pictures();
    (site, faults)
}
