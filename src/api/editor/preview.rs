//! Renders an unsaved document in the theme, as visitors would see it.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use warp::http::header::CONTENT_SECURITY_POLICY;

use super::kind::FileKind;
use super::text::Unsaved;
use super::{Answer, calendar, page};
use api_shared::ApiError;
use model::{ContentFolder, Item, Page, Report, SitePath, Source, Status, Visibility};
use project::Site;
use render::{Body, PathAnswer};
use server::http::{Request, Response, set};
use server::{App, Moment, sending};
use site::{FolderSources, gather_network, paths};
use source::calendar::CalendarFile;
use source::html::{Role, rewrite};
use source::reading::ContentFile;
use source::schema::Kind;
use source::unsaved::unsaved_for_preview;

/// Maximum number of rendered pages to keep. A few are enough, because the editor shows each page
/// immediately.
const MAX_PREVIEWS: usize = 16;

/// The content security policy of a preview. The document cannot run scripts or submit forms, so
/// the preview may keep this origin. The editor can then read and restore the scroll position.
const PREVIEW_POLICY: &str = "sandbox allow-same-origin allow-popups; frame-ancestors 'self'";

/// The most recently rendered pages.
#[derive(Default)]
pub struct Previews(Mutex<VecDeque<Preview>>);

/// A rendered page at an unguessable address. The media files of the page have addresses below it,
/// because the media files of a draft are not published.
struct Preview {
    id: String,
    bytes: Vec<u8>,
    site: Arc<Site>,
}

impl Previews {
    /// Renders the page of a document, and returns the address of the page.
    pub fn make(&self, app: &App, asked: &Unsaved) -> Answer {
        let (path, kind) = FileKind::at(&asked.path)?;
        let published = Published::of(app, &path, kind, &asked.text, true)?;
        let times = match kind {
            FileKind::Content(Kind::Event) => {
                let faults = published.faults.clone().sorted();
                calendar::times(&published.site.snapshot, &faults, &path)
            }
            _ => Value::Null,
        };
        let (bytes, site) = (published.page()?, published.site);
        let id = state::random_id()?;
        let html = String::from_utf8_lossy(&bytes);
        let own = format!("{}preview/{id}", super::BASE);
        let base = site.snapshot.config.base_path().to_owned();
        let media = format!("{base}/media/");
        let bytes = rewrite(&html, |role, address, _| {
            let is_shown = role != Role::Link && address.starts_with(&media);
            is_shown.then(|| format!("{base}{own}{}", &address[base.len()..]))
        });
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.push_back(Preview {
            id: id.clone(),
            bytes: bytes.into_bytes(),
            site: Arc::new(site),
        });
        if pages.len() > MAX_PREVIEWS {
            pages.pop_front();
        }
        Ok(json!({ "address": format!("preview/{id}"), "times": times }))
    }

    /// Returns a rendered page, or one of its media files.
    pub fn show(&self, app: &App, request: &Request, path: &str) -> Result<Response, ApiError> {
        let expired = || ApiError::not_found("preview not found or expired");
        let (id, medium) = path.split_at(path.find('/').unwrap_or(path.len()));
        let site = {
            let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let found = pages.iter().find(|page| page.id == id).ok_or_else(expired)?;
            if medium.is_empty() {
                return Ok(page("text/html; charset=utf-8", found.bytes.clone(), PREVIEW_POLICY));
            }
            Arc::clone(&found.site)
        };
        let media_type = media_facts::media_type(Path::new(medium));
        let file = match site.find(medium) {
            Some(PathAnswer::Document(document)) if medium.starts_with("/media/") => {
                match site.renderer().render(&document) {
                    Ok(Body::File(file)) => file,
                    // The editor's player needs only the audio.
                    Ok(Body::Recording(recording)) => recording.file,
                    Ok(Body::Bytes(bytes)) => return Ok(page(&media_type, bytes, PREVIEW_POLICY)),
                    _ => return Err(expired()),
                }
            }
            _ => {
                let (file, _) = site.snapshot.picture(medium).ok_or_else(expired)?;
                PathBuf::from(file.source.as_str())
            }
        };
        let mut response = sending::file(request, app.live.root(), &file, &media_type);
        set(&mut response, CONTENT_SECURITY_POLICY, PREVIEW_POLICY);
        Ok(response)
    }
}

/// The site as if an unsaved document were published now. An event has no page and appears on the
/// home page.
pub struct Published {
    site: Site,
    /// The problems that involve several files.
    pub faults: Report,
    /// The public path of the document's page.
    pub address: String,
}

impl Published {
    /// Replaces a file of the site with an unsaved document. With `has_line_marks`, the page names
    /// the lines of the text. Returns an error if the document cannot be parsed or has no page.
    pub fn of(
        app: &App,
        path: &SitePath,
        kind: FileKind,
        text: &str,
        has_line_marks: bool,
    ) -> Result<Self, ApiError> {
        let moment = app.live.newest();
        let source = Source { path, text };
        let root = app.live.root();
        let mut folders = folder_sources(&moment);
        let content = ContentFolder::of(path.as_str());
        let at = folders.iter().position(|(config, _)| config.content == content);
        let (config, sources) = &mut folders[at.unwrap_or_default()];
        let mut address = String::from("/");
        let now = moment.site.snapshot.now;
        match kind {
            FileKind::Content(Kind::Item) => {
                let (item, fingerprint) =
                    unsaved_for_preview::<Item>(root, config, source, has_line_marks)
                        .ok_or_else(no_page_error)?;
                let date = item.date_published.filter(|date| *date <= now);
                let item = Item {
                    status: Status::Published,
                    date_published: Some(date.unwrap_or(now)),
                    ..item
                };
                address = paths::item_in_site(config, &item);
                put(&mut sources.items, item, fingerprint);
            }
            FileKind::Content(Kind::Page) => {
                let (page, fingerprint) =
                    unsaved_for_preview::<Page>(root, config, source, has_line_marks)
                        .ok_or_else(no_page_error)?;
                let date = page.date_published.filter(|date| *date <= now);
                let page = Page { status: Status::Published, date_published: date, ..page };
                address = paths::page_in_site(config, &page);
                put(&mut sources.pages, page, fingerprint);
            }
            FileKind::Content(Kind::Event) => {
                let (event, fingerprint) =
                    unsaved_for_preview::<CalendarFile>(root, config, source, has_line_marks)
                        .ok_or_else(no_page_error)?;
                put(&mut sources.calendars, event, fingerprint);
            }
            FileKind::Content(Kind::Calendar) => return Err(no_page_error()),
            // The home page in the language of the channel.
            FileKind::Content(_) => {
                let languages = &config.languages;
                let language = languages.of_file(path).and_then(|(language, _)| language);
                address.insert_str(0, &languages.mount(languages.index(language)));
            }
            FileKind::Chapters | FileKind::Transcript | FileKind::SiteFile => {
                return Err(no_page_error());
            }
        }
        // The path of the show.
        address.insert_str(0, &config.mount);
        let (site, faults) = build_site(app, &moment, folders);
        Ok(Self { site, faults, address })
    }

    /// Renders the page of the document.
    pub fn page(&self) -> Result<Vec<u8>, ApiError> {
        match self.site.find(&self.address) {
            Some(PathAnswer::Document(document)) => match self.site.renderer().render(&document) {
                Ok(Body::Bytes(bytes)) => Ok(bytes),
                Ok(_) => Err(no_page_error()),
                Err(fault) => Err(ApiError::bad(fault.message)),
            },
            _ => Err(no_page_error()),
        }
    }
}

fn no_page_error() -> ApiError {
    ApiError::bad("this file has no page to preview: fix its errors first")
}

/// Adds a parsed file to a list, or replaces the previous version of the file.
fn put<T: ContentFile + source::sources::FromFile>(
    list: &mut model::List<(Arc<T>, u64)>,
    value: T,
    fingerprint: u64,
) {
    let own = value.walk_order_key();
    let at = list.partition_point(|(one, _)| one.walk_order_key() < own);
    let is_there = list.get(at).is_some_and(|(one, _)| one.walk_order_key() == own);
    let entry = (Arc::new(value), fingerprint);
    match is_there {
        true => list.replace(at, entry),
        false => list.insert(at, entry),
    }
}

/// Returns the files of the site, then the files of each show.
fn folder_sources(moment: &Moment) -> Vec<FolderSources> {
    let snapshot = &moment.site.snapshot;
    let shows = snapshot.network_shows().map(|(name, show)| {
        (show.config.clone(), moment.show_sources.get(name).cloned().unwrap_or_default())
    });
    [(snapshot.config.clone(), moment.sources.clone())].into_iter().chain(shows).collect()
}

/// Builds the site from changed sources.
fn build_site(app: &App, moment: &Moment, mut folders: Vec<FolderSources>) -> (Site, Report) {
    let snapshot = &moment.site.snapshot;
    let visibility = Visibility { now: snapshot.now, ..app.live.options().visibility };
    let previous = moment.as_previous();
    let (root, own) = (app.live.root(), folders.remove(0));
    let (snapshot, faults) = gather_network(root, own, folders, visibility, Some(previous));
    let mut site = Site::new(snapshot, Arc::clone(&moment.site.theme));
    site.make_pictures();
    site.make_recordings();
    (site, faults)
}
