//! Computes the changes to an item's file from the fields that a client sent.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use front_matter::Change;
use serde_json::{Map, Value, json};

use super::input::{AttachmentInput, ItemExtensionInput, ItemInput, ItemPodcastInput};
use crate::changes::{FileChanges, becomes_public};
use crate::input::Patch;
use api_shared::ApiError;
use model::chapter::Chapter;
use model::sent::Sent;
use model::url::{is_http, split_suffix};
use model::{Category, Config, Item, Slug, Status, rfc3339};
use site::paths;
use source::reference::Reference;

/// A change of an item's path that its pattern of addresses determines. Both paths start at the root
/// of the published site.
pub struct PathChange {
    /// The path before. `None` for the path of a draft, which needs no redirect.
    former: Option<String>,
    own: String,
}

impl PathChange {
    /// Compares the paths of an item before and after a change. Returns `None` if both are the same.
    /// A change of the language has redirects in `redirects.toml` instead.
    pub fn of(config: &Config, before: &Item, after: &Item) -> Option<Self> {
        if !config.addresses.has_patterns() {
            return None;
        }
        let [former, own] = [before, after].map(|item| paths::item_in_site(config, item));
        let [first, second] =
            [before, after].map(|item| config.languages.index(item.language.as_deref()));
        let is_known = before.status != Status::Unpublished
            && first == second
            && !paths::item(config, before).starts_with("/i/");
        (former != own).then(|| Self {
            former: is_known.then(|| config.path_on_own_site(&former)),
            own: config.path_on_own_site(&own),
        })
    }
}

/// The changes to an item's file.
pub struct ItemChanges<'a> {
    changes: FileChanges<'a>,
    item: &'a Item,
}

impl<'a> Deref for ItemChanges<'a> {
    type Target = FileChanges<'a>;

    fn deref(&self) -> &FileChanges<'a> {
        &self.changes
    }
}

impl<'a> DerefMut for ItemChanges<'a> {
    fn deref_mut(&mut self) -> &mut FileChanges<'a> {
        &mut self.changes
    }
}

impl<'a> ItemChanges<'a> {
    /// Combines the changes to a file with the item that the file currently contains.
    pub fn of(changes: FileChanges<'a>, item: &'a Item) -> Self {
        Self { changes, item }
    }

    /// Returns the front matter changes that apply the client's fields, and the resulting segment
    /// of the item's public path. `path` is the resulting change of its whole path.
    pub fn collect(
        mut self,
        input: &ItemInput,
        path: Option<&PathChange>,
    ) -> Result<(Vec<Change>, String), ApiError> {
        self.text("/title", &["title"], &input.title);
        let own = self.item.status;
        self.status(own, &input.status)?;
        self.date(input)?;
        let extension = match &input.service {
            Patch::Value(extension) => extension,
            // Null for the whole extension object changes nothing.
            Patch::Null | Patch::Omitted => &ItemExtensionInput::default(),
        };
        let segment = self.address(&input.title, &extension.slug, path)?;
        self.guid(&input.guid);
        self.url(&input.url)?;
        self.text("/language", &["language"], &input.language);
        self.picture("/image", "image", &input.image);
        self.tags(&input.tags);
        self.attachment(input)?;
        let authors = self.at("authors");
        self.authors(&authors, &extension.authors);
        self.record("series", &["series"], &extension.series);
        self.seo(&extension.seo)?;
        self.podcast(&extension.podcast);
        self.apple(extension);
        Ok((self.changes.found, segment))
    }

    fn guid(&mut self, guid: &Patch<String>) {
        let pointer = self.at("guid");
        self.text(&pointer, &["guid"], guid);
    }

    fn date(&mut self, input: &ItemInput) -> Result<(), ApiError> {
        const KEYS: [&str; 2] = ["date_published", "date"];
        let by_text = match &input.date_published {
            Patch::Value(text) => Some(rfc3339::instant(text).ok_or_else(|| {
                ApiError::bad(format!(
                    "date_published: {text:?} is not an RFC 3339 date and time, such as 2026-11-20T09:30:00Z"
                ))
            })?),
            Patch::Omitted | Patch::Null => None,
        };
        let by_number = match &input.date_published_ms {
            Patch::Value(number) => Some(
                jiff::Timestamp::from_millisecond(*number)
                    .map_err(|_| ApiError::bad("date_published_ms: this time is out of range"))?,
            ),
            Patch::Omitted | Patch::Null => None,
        };
        if let (Some(text), Some(number)) = (by_text, by_number)
            && text.as_millisecond() != number.as_millisecond()
        {
            return Err(ApiError::bad(
                "date_published_ms: must be the same time as date_published",
            ));
        }
        let same = |date: jiff::Timestamp| {
            self.item
                .date_published
                .is_some_and(|own| own.as_millisecond() == date.as_millisecond())
        };
        let is_cleared = input.date_published.is_sent() || input.date_published_ms.is_sent();
        match by_text.or(by_number) {
            Some(date) if same(date) => return Ok(()),
            Some(date) => {
                let key = self.existing_key(&KEYS);
                self.set(&[key], date.to_string());
                return Ok(());
            }
            None if becomes_public(self.item.status, &input.status)
                && (is_cleared || self.item.date_published.is_none()) =>
            {
                self.set_current_date(&KEYS)?;
            }
            None if is_cleared => self.remove_all(&KEYS),
            None => {}
        }
        Ok(())
    }

    /// Changes the slug. If the segment or the path changes, adds the former one to the aliases. Returns
    /// the new segment. A slug that the client sends is always written to the file, even if it
    /// equals the slug derived from the title, so that later changes to the title do not change the
    /// address.
    fn address(
        &mut self,
        title: &Patch<String>,
        slug: &Patch<String>,
        path: Option<&PathChange>,
    ) -> Result<String, ApiError> {
        let mut next = self.item.clone();
        if let Patch::Value(title) = title {
            title.trim().clone_into(&mut next.title);
        } else if *title == Patch::Null {
            next.title.clear();
        }
        match slug {
            Patch::Omitted => {}
            // The segment of an id with a `_` is not a valid slug, so it cannot be written.
            Patch::Value(text)
                if next.slug.is_none() && *text == next.segment() && Slug::parse(text).is_err() => {
            }
            Patch::Value(text) if !text.is_empty() => {
                let slug = Slug::parse(text)
                    .map_err(|error| ApiError::bad(format!("_service.slug: {error}")))?;
                if self.item.slug.as_ref() != Some(&slug) {
                    self.set(&["slug"], slug.as_str());
                }
                next.slug = Some(slug);
            }
            Patch::Null | Patch::Value(_) => {
                self.remove_all(&["slug"]);
                next.slug = None;
            }
        }
        let (former, own) = (self.item.segment(), next.segment());
        if former == own {
            if let Some(path) = path {
                self.record_moves([path.former.as_deref()], &[&path.own]);
            }
            return Ok(own);
        }
        // The address of a draft needs no alias, unless the author chose the slug.
        let was_known = self.item.status != Status::Unpublished || self.item.slug.is_some();
        let former = Some(former).filter(|former| was_known && former != self.item.id.as_str());
        let (former_path, own_path) = match path {
            Some(path) => (path.former.as_deref(), &*path.own),
            None => (None, &*own),
        };
        self.record_moves([former.as_deref(), former_path], &[&own, own_path]);
        Ok(own)
    }

    fn url(&mut self, url: &Patch<String>) -> Result<(), ApiError> {
        let shown = self.current_value::<String>("/url");
        match url {
            Patch::Value(url) if shown.as_ref() == Some(url) => {}
            Patch::Value(url) if !url.is_empty() && !is_http(url) => {
                return Err(ApiError::bad(format!(
                    "url: {url:?} is not an https:// or http:// URL"
                )));
            }
            Patch::Value(url) if !url.is_empty() => self.set(&["url"], url.as_str()),
            // Keeps a `url` that is a path. Another generator wrote it, and it is a former path of
            // the item.
            Patch::Null | Patch::Value(_) if self.item.url.is_some() => self.remove(&["url"]),
            Patch::Null | Patch::Value(_) | Patch::Omitted => {}
        }
        Ok(())
    }

    fn tags(&mut self, tags: &Patch<Vec<String>>) {
        match tags {
            Patch::Value(tags) if *tags == self.item.tags => {}
            Patch::Value(tags) if !tags.is_empty() => {
                self.remove_all(&["categories", "category"]);
                self.set(&["tags"], tags.clone());
            }
            Patch::Value(_) | Patch::Null => self.remove_all(&["tags", "categories", "category"]),
            Patch::Omitted => {}
        }
    }

    fn attachment(&mut self, input: &ItemInput) -> Result<(), ApiError> {
        const KEYS: [&str; 2] = ["attachment", "attachments"];
        if let Patch::Value(list) = &input.attachments
            && list.len() > 1
        {
            return Err(ApiError::bad(
                "attachments: an item can have at most one; link to other files in the body",
            ));
        }
        let sent = match (&input.attachments, &input.attachment) {
            (Patch::Omitted, Patch::Omitted) => return Ok(()),
            (Patch::Omitted, Patch::Value(one)) => Some(one),
            (Patch::Value(list), Patch::Omitted | Patch::Null) => list.first(),
            (Patch::Value(list), Patch::Value(one)) => match list.first() {
                Some(first) if first == one => Some(one),
                _ => {
                    return Err(ApiError::bad(
                        "attachment: must be the same as in attachments, or omitted",
                    ));
                }
            },
            (_, Patch::Null) | (Patch::Null, Patch::Omitted) => None,
            (Patch::Null, Patch::Value(one)) => Some(one),
        };
        let Some(sent) = sent else {
            self.remove_all(&KEYS);
            return Ok(());
        };
        let mut attachment = sent.clone();
        let path = self.own.path(&attachment.url);
        let found = self.own.reference(&self.item.source, &path);
        // The API reports the size of the published file, which has no metadata. The client knows
        // only the size of the file that it uploaded, so the sent size is ignored.
        if found.as_ref().is_some_and(|found| found.facts().is_some()) {
            attachment.size_in_bytes = None;
        }
        if !self.is_current(&attachment) && !self.is_link(&attachment, input) {
            self.remove_all(&["attachments"]);
            self.set(&["attachment"], front_value(&attachment, path, found.as_ref()));
        }
        Ok(())
    }

    /// Returns whether the item already has this attachment. Fields that the client omitted are not
    /// compared.
    fn is_current(&self, sent: &AttachmentInput) -> bool {
        let Some(own) = &self.item.attachment else {
            return false;
        };
        sent.url == own.url
            && sent.category.is_none_or(|category| category == own.category)
            && sent.mime_type.as_ref().is_none_or(|kind| *kind == own.mime_type)
            && sent.size_in_bytes.is_none_or(|size| Some(size) == own.size_in_bytes)
            && sent.duration_in_seconds.is_none_or(|seconds| {
                own.duration_in_seconds.is_some_and(|own| (own - seconds).abs() < 0.001)
            })
    }

    /// Returns whether an attachment only repeats the URL of a link item. The API shows this URL as
    /// the attachment of the link, and clients send it back even if they change `url`. Also returns
    /// true for a new link, if the client sends the same web page as its attachment and its `url`.
    fn is_link(&self, sent: &AttachmentInput, input: &ItemInput) -> bool {
        let is_bare = sent.category.is_none()
            && sent.mime_type.is_none()
            && sent.size_in_bytes.is_none()
            && sent.duration_in_seconds.is_none();
        if !is_bare || self.item.attachment.is_some() {
            return false;
        }
        let is_new_link =
            matches!(&input.url, Patch::Value(url) if *url == sent.url && is_page(url));
        self.item.url.as_ref() == Some(&sent.url) || is_new_link
    }

    fn podcast(&mut self, podcast: &Patch<ItemPodcastInput>) {
        let podcast = match podcast {
            Patch::Omitted => return,
            Patch::Null => {
                self.remove_all(&["podcast"]);
                return self.chapters(&Patch::Null);
            }
            Patch::Value(podcast) => podcast,
        };
        self.podcast_list("transcripts", &podcast.transcripts);
        self.chapters(&podcast.chapters);
        self.podcast_list("people", &podcast.people);
        self.record("podcast/license", &["podcast", "license"], &podcast.license);
    }

    /// Sets the chapters. Removing chapters writes an empty list if the attachment file contains
    /// chapters. Otherwise, the chapters in the attachment file would be shown.
    fn chapters(&mut self, chapters: &Patch<Vec<Sent<Chapter>>>) {
        let is_empty = match chapters {
            Patch::Omitted => return,
            Patch::Null => true,
            Patch::Value(chapters) => chapters.is_empty(),
        };
        if is_empty && self.attachment_has_chapters() {
            self.set(&["podcast", "chapters"], json!([]));
        } else {
            self.podcast_list("chapters", chapters);
        }
    }

    fn attachment_has_chapters(&self) -> bool {
        let attachment = self.item.attachment.as_ref();
        attachment
            .map(|attachment| self.own.path(&attachment.url))
            .and_then(|path| self.own.reference(&self.item.source, &path))
            .and_then(|found| Some(!found.facts()?.chapters.is_empty()))
            .unwrap_or_default()
    }

    fn apple(&mut self, input: &ItemExtensionInput) {
        self.itunes_text("title", &input.itunes_title);
        self.itunes("block", &input.itunes_block);
        self.itunes("explicit", &input.itunes_explicit);
        self.itunes("season", &input.itunes_season);
        self.itunes("episode", &input.itunes_episode);
        self.itunes("episodeType", &input.itunes_episode_type);
    }
}

/// Returns an attachment as front matter. Leaves out fields that can be read from the file on this
/// site.
fn front_value(sent: &AttachmentInput, path: String, found: Option<&Reference>) -> Value {
    let mut fields = match serde_json::to_value(sent) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.insert("url".into(), path.clone().into());
    if let Some(reference) = found {
        let media_type = reference.media_type();
        if sent.mime_type.as_ref() == Some(&media_type) {
            fields.remove("mime_type");
        }
        let named = sent.mime_type.as_ref().unwrap_or(&media_type);
        if sent.category == Some(Category::of_media_type(named)) {
            fields.remove("category");
        }
        let own = reference.facts().and_then(|facts| facts.duration);
        let is_same = |sent: f64| own.is_some_and(|own| (own - sent).abs() < 0.001);
        if sent.duration_in_seconds.is_some_and(is_same) {
            fields.remove("duration_in_seconds");
        }
    }
    match fields.len() {
        1 => path.into(),
        _ => Value::Object(fields),
    }
}

/// Returns whether a URL is a web page: its extension is missing, unknown or HTML.
fn is_page(address: &str) -> bool {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = split_suffix(path).0.split_once('/').map_or("", |(_, path)| path);
    let media_type = media_facts::media_type(Path::new(path));
    matches!(media_type.as_str(), "application/octet-stream" | "text/html")
}
