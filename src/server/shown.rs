//! What a reader finds at a public path: the one answer of both the page and the question whether an
//! open page still shows what is there.

use std::path::PathBuf;

use warp::http::StatusCode;
use xxhash_rust::xxh3::Xxh3;

use super::live::Live;
use super::moment::Moment;
use super::{notices, reload};
use crate::model::{Access, Config};
use crate::render::{Body, Document, PathAnswer, media_type};

/// What a reader finds at a path.
#[derive(Debug)]
pub enum Shown {
    /// A document, or a notice in the place of one.
    Page(Page),
    /// A medium: its file, from the site's root.
    File {
        /// The file.
        file: PathBuf,
        /// Its media type.
        media_type: String,
    },
    /// Another path, for good (301) or for now (302).
    Moved {
        /// The path, not percent-encoded.
        to: String,
        /// Whether it is for good.
        for_good: bool,
    },
}

/// Bytes to send.
#[derive(Debug)]
pub struct Page {
    /// The status they are sent with.
    pub status: StatusCode,
    /// Their media type.
    pub media_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Page {
    /// Whether it is HTML that a browser shows by itself.
    pub fn is_html(&self) -> bool {
        self.media_type.starts_with("text/html")
    }
}

/// Looks at a path, percent-decoded; none stands for one that no site can have.
pub fn look(live: &Live, moment: &Moment, path: Option<&str>) -> Shown {
    let Some(path) = path else {
        return not_found(live, moment);
    };
    let config = &moment.site.snapshot.config;
    if path == notices::SETUP {
        return if is_set_up(moment) {
            Shown::Moved {
                to: "/".into(),
                for_good: false,
            }
        } else {
            Shown::Page(notices::setup(moment))
        };
    }
    if !is_set_up(moment) && (path == "/" || is_chapters(config, path)) {
        return Shown::Moved {
            to: notices::SETUP.into(),
            for_good: false,
        };
    }
    match moment.site.find(path) {
        Some(PathAnswer::Document(document)) => {
            render(live, moment, &document, path, StatusCode::OK)
        }
        Some(PathAnswer::Redirect(to)) => Shown::Moved { to, for_good: true },
        None if path == "/" => Shown::Page(notices::access(moment)),
        None => not_found(live, moment),
    }
}

fn not_found(live: &Live, moment: &Moment) -> Shown {
    const NOT_FOUND: &str = "/404.html";
    match moment.site.find(NOT_FOUND) {
        Some(PathAnswer::Document(document)) => {
            render(live, moment, &document, NOT_FOUND, StatusCode::NOT_FOUND)
        }
        _ => Shown::Page(notices::nothing_here()),
    }
}

fn render(
    live: &Live,
    moment: &Moment,
    document: &Document,
    path: &str,
    status: StatusCode,
) -> Shown {
    let site = &moment.site;
    let media_type = media_type(document, path, &site.snapshot);
    let page = |bytes| Page {
        status,
        media_type: media_type.clone(),
        bytes,
    };
    let renderings = live.renderings(&site.snapshot);
    let rendered = renderings.publish(&site.renderer(), document);
    match rendered {
        Ok(Body::Bytes(bytes)) => Shown::Page(page(bytes)),
        Ok(Body::File(file)) => Shown::File { file, media_type },
        Err(fault) => Shown::Page(notices::broken(&fault, media_type.starts_with("text/html"))),
    }
}

/// Whether the channel has the one thing that everything else needs.
fn is_set_up(moment: &Moment) -> bool {
    !moment.site.snapshot.channel.title.is_empty()
}

fn is_chapters(config: &Config, path: &str) -> bool {
    let key = path
        .strip_prefix("/i/")
        .and_then(|rest| rest.strip_suffix("/chapters.json"));
    let served = config.feed.rss && config.access != Access::Offline;
    served && key.is_some_and(|key| !key.is_empty() && !key.contains('/'))
}

impl Shown {
    /// Whether it is what stands in for nothing.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Page(page) if page.status == StatusCode::NOT_FOUND)
    }

    /// A number that tells what a reader sees now from what a reader saw before, media on the page
    /// included.
    pub fn state(&self, live: &Live, moment: &Moment) -> u64 {
        let mut hash = Xxh3::new();
        match self {
            Self::Page(page) => {
                hash.update(&page.status.as_u16().to_le_bytes());
                hash.update(&page.bytes);
                if page.is_html() {
                    hash.update(&reload::around(live.root(), moment, &page.bytes));
                }
            }
            Self::Moved { to, .. } => hash.update(to.as_bytes()),
            Self::File { file, .. } => hash.update(file.as_os_str().as_encoded_bytes()),
        }
        hash.digest()
    }
}
