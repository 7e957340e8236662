//! The response at a public path. The preview sends it, and live reload compares it with the
//! content of an open page.

use std::path::{Path, PathBuf};

use warp::http::StatusCode;
use xxhash_rust::xxh3::Xxh3;

use super::live::Live;
use super::moment::Moment;
use super::sent_document::SentDocument;
use super::{notices, page_extras};
use model::{Access, Config, PublishedRecording};
use render::{Body, Document, PathAnswer, media_type};

/// The content at a public path.
#[derive(Debug)]
pub enum PublicAnswer {
    /// A document, or a notice that replaces it.
    Document(SentDocument),
    /// A media file. `file` is its path relative to the site's root.
    File { file: PathBuf, media_type: String },
    /// A recording with tags.
    Recording { recording: Box<PublishedRecording>, media_type: String },
    /// A redirect to another path, permanent (301) or temporary (302).
    Moved {
        /// The target path, not percent-encoded.
        to: String,
        /// Whether the redirect is permanent.
        for_good: bool,
    },
}

/// Returns the response at a percent-decoded path. `path` is `None` if the requested path is not
/// valid for any site.
pub fn public_answer(live: &Live, moment: &Moment, path: Option<&str>) -> PublicAnswer {
    let Some(path) = path else {
        return not_found(live, moment, "/");
    };
    let config = &moment.site.snapshot.config;
    if path == notices::SETUP {
        return if is_set_up(moment) {
            PublicAnswer::Moved { to: "/".into(), for_good: false }
        } else {
            PublicAnswer::Document(notices::setup(moment))
        };
    }
    if !is_set_up(moment) && (path == "/" || is_chapters(config, path)) {
        return PublicAnswer::Moved { to: notices::SETUP.into(), for_good: false };
    }
    match moment.site.find(path) {
        Some(PathAnswer::Document(document)) => {
            render(live, moment, &document, path, StatusCode::OK)
        }
        Some(PathAnswer::Redirect(to)) => PublicAnswer::Moved { to, for_good: true },
        None if path == "/" => PublicAnswer::Document(notices::access(moment)),
        None if let Some(file) = original(moment, path) => file,
        None => not_found(live, moment, path),
    }
}

/// Returns the original file of a picture, even if pages show only resized versions. The APIs refer
/// to the original file.
fn original(moment: &Moment, path: &str) -> Option<PublicAnswer> {
    let (file, _) = moment.site.snapshot.picture(path)?;
    Some(PublicAnswer::File {
        file: PathBuf::from(file.source.as_str()),
        media_type: media_facts::media_type(Path::new(path)),
    })
}

/// Returns the 404 page of the language or show that a path belongs to.
fn not_found(live: &Live, moment: &Moment, path: &str) -> PublicAnswer {
    let page = [&*moment.site.snapshot.config.mount_of(path), "/404.html"].concat();
    match moment.site.find(&page) {
        Some(PathAnswer::Document(document)) => {
            render(live, moment, &document, &page, StatusCode::NOT_FOUND)
        }
        _ => PublicAnswer::Document(notices::not_found_notice()),
    }
}

fn render(
    live: &Live,
    moment: &Moment,
    document: &Document,
    path: &str,
    status: StatusCode,
) -> PublicAnswer {
    let site = &moment.site;
    let media_type = media_type(document, path, &site.snapshot);
    let page = |bytes| SentDocument { status, media_type: media_type.clone(), bytes };
    let renderings = live.renderings(&site.snapshot);
    let rendered = renderings.publish(&site.renderer(), document);
    match rendered {
        Ok(Body::Bytes(bytes)) => PublicAnswer::Document(page(bytes)),
        Ok(Body::File(file)) => PublicAnswer::File { file, media_type },
        Ok(Body::Recording(recording)) => {
            PublicAnswer::Recording { recording: Box::new(recording), media_type }
        }
        Ok(Body::SearchFile(file)) => match live.search_file(moment, &file) {
            Some(bytes) => PublicAnswer::Document(page(bytes.to_vec())),
            None => not_found(live, moment, path),
        },
        Err(fault) => {
            PublicAnswer::Document(notices::broken(&fault, media_type.starts_with("text/html")))
        }
    }
}

/// Whether the channel has a title. Without a title, the site cannot be shown.
fn is_set_up(moment: &Moment) -> bool {
    !moment.site.snapshot.channel.title.is_empty()
}

fn is_chapters(config: &Config, path: &str) -> bool {
    let key = path.strip_prefix("/i/").and_then(|rest| rest.strip_suffix("/chapters.json"));
    let served = config.feed.rss && config.access != Access::Offline;
    served && key.is_some_and(|key| !key.is_empty() && !key.contains('/'))
}

impl PublicAnswer {
    /// Whether the path has no content.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Document(page) if page.status == StatusCode::NOT_FOUND)
    }

    /// Returns a hash of everything that a reader sees, including the media files on the page.
    pub fn state(&self, live: &Live, moment: &Moment) -> u64 {
        let mut hash = Xxh3::new();
        match self {
            Self::Document(page) => {
                hash.update(&page.status.as_u16().to_le_bytes());
                hash.update(&page.bytes);
                if page.is_html() {
                    hash.update(&page_extras::of(live.root(), moment, &page.bytes));
                }
            }
            Self::Moved { to, .. } => hash.update(to.as_bytes()),
            Self::File { file, .. } => hash.update(file.as_os_str().as_encoded_bytes()),
            Self::Recording { recording, .. } => {
                hash.update(&recording.fingerprint.to_le_bytes());
            }
        }
        hash.digest()
    }
}
