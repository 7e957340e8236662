//! What of an item's file has to change, so that it says what a client sent.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::input::{
    AttachmentInput, AuthorInput, AuthorKindInput, ItemExtensionInput, ItemInput, ItemPodcastInput,
    SeoInput, SocialImageInput,
};
use crate::edit::Change;
use crate::model::{Category, Item, Slug, Status};
use crate::server::api::edits::Edits;
use crate::server::api::input::Patch;
use crate::server::api::{ApiError, Own};
use crate::source::value::{self, Table};

/// An item's file as it is, and what becomes of it.
pub struct ItemChanges<'a> {
    own: &'a Own<'a>,
    item: &'a Item,
    edits: Edits<'a>,
}

impl<'a> ItemChanges<'a> {
    /// Starts with an item as its file has it, and as the API shows it.
    pub fn of(own: &'a Own<'a>, table: &'a Table, item: &'a Item, shown: &'a Value) -> Self {
        Self {
            own,
            item,
            edits: Edits::of(table, shown),
        }
    }

    /// The changes of the front matter that make the item what the client sent.
    pub fn collect(mut self, input: &ItemInput) -> Result<Vec<Change>, ApiError> {
        self.edits.text(&["title"], &input.title);
        self.edits.status(self.item.status, &input.status)?;
        self.date(input)?;
        let extension = match &input.service {
            Patch::Value(extension) => extension,
            // There is nothing in it that a null could mean.
            Patch::Null | Patch::Omitted => &ItemExtensionInput::default(),
        };
        self.address(&input.title, &extension.slug)?;
        self.edits.text(&["guid"], &input.guid);
        self.url(&input.url);
        self.edits.text(&["language"], &input.language);
        self.image(&input.image);
        self.tags(&input.tags);
        self.attachment(input)?;
        self.authors(&extension.authors);
        self.seo(&extension.seo);
        self.podcast(&extension.podcast);
        self.itunes(extension);
        Ok(self.edits.finish())
    }

    fn date(&mut self, input: &ItemInput) -> Result<(), ApiError> {
        const KEYS: [&str; 2] = ["date_published", "date"];
        let by_text = match &input.date_published {
            Patch::Value(text) => Some(text.parse::<jiff::Timestamp>().map_err(|_| {
                ApiError::bad(format!(
                    "date_published: {text:?} is no date and time of RFC 3339, such as 2026-11-20T09:30:00Z"
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
                "date_published_ms: it is another time than date_published",
            ));
        }
        let same = |date: jiff::Timestamp| {
            self.item
                .date_published
                .is_some_and(|own| own.as_millisecond() == date.as_millisecond())
        };
        match by_text.or(by_number) {
            Some(date) if same(date) => {}
            Some(date) => self
                .edits
                .set(&[self.edits.spelled(&KEYS)], date.to_string()),
            None if input.date_published.is_sent() || input.date_published_ms.is_sent() => {
                self.edits.remove_all(&KEYS);
            }
            None => {}
        }
        Ok(())
    }

    /// The slug, and with it or with the title of an item without one, the former segment.
    fn address(&mut self, title: &Patch<String>, slug: &Patch<String>) -> Result<(), ApiError> {
        let mut next = self.item.clone();
        if let Patch::Value(title) = title {
            title.trim().clone_into(&mut next.title);
        } else if *title == Patch::Null {
            next.title.clear();
        }
        match slug {
            Patch::Omitted => {}
            Patch::Value(text) if !text.is_empty() => {
                let slug = Slug::parse(text)
                    .map_err(|error| ApiError::bad(format!("_service.slug: {error}")))?;
                if self.item.slug.as_ref() != Some(&slug) {
                    self.edits.set(&["slug"], slug.as_str());
                }
                next.slug = Some(slug);
            }
            Patch::Null | Patch::Value(_) => {
                self.edits.remove_all(&["slug"]);
                next.slug = None;
            }
        }
        let (former, own) = (self.item.segment(), next.segment());
        if former == own {
            return Ok(());
        }
        // A draft's address was never public, unless its author chose it.
        let was_known = self.item.status != Status::Unpublished || self.item.slug.is_some();
        let is_new = was_known && former != self.item.id.as_str();
        self.edits
            .former_name(if is_new { &former } else { "" }, &own);
        Ok(())
    }

    fn url(&mut self, url: &Patch<String>) {
        let shown = self.edits.shown_as::<String>("/url");
        match url {
            Patch::Value(url) if shown.as_ref() == Some(url) => {}
            Patch::Value(url) if !url.is_empty() => self.edits.set(&["url"], url.as_str()),
            // A `url` that is a path is another generator's, and says where the item was.
            Patch::Null | Patch::Value(_) if self.item.url.is_some() => self.edits.remove(&["url"]),
            Patch::Null | Patch::Value(_) | Patch::Omitted => {}
        }
    }

    fn image(&mut self, image: &Patch<String>) {
        let is_table = matches!(
            self.edits.table.get("image").map(|node| &node.value),
            Some(value::Value::Table(_))
        );
        let shown = self.edits.shown_as::<String>("/image");
        match image {
            Patch::Value(url) if shown.as_ref() == Some(url) => {}
            Patch::Value(url) if !url.is_empty() => {
                let path: &[&str] = if is_table {
                    &["image", "url"]
                } else {
                    &["image"]
                };
                self.edits.set(path, self.own.path(url));
            }
            Patch::Value(_) | Patch::Null => self.edits.remove(&["image"]),
            Patch::Omitted => {}
        }
    }

    fn tags(&mut self, tags: &Patch<Vec<String>>) {
        match tags {
            Patch::Value(tags) if *tags == self.item.tags => {}
            Patch::Value(tags) if !tags.is_empty() => {
                self.edits.remove_all(&["categories", "category"]);
                self.edits.set(&["tags"], tags.clone());
            }
            Patch::Value(_) | Patch::Null => {
                self.edits.remove_all(&["tags", "categories", "category"])
            }
            Patch::Omitted => {}
        }
    }

    fn attachment(&mut self, input: &ItemInput) -> Result<(), ApiError> {
        const KEYS: [&str; 2] = ["attachment", "attachments"];
        if let Patch::Value(list) = &input.attachments
            && list.len() > 1
        {
            return Err(ApiError::bad(
                "attachments: an item has at most one; link to the others in the text",
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
                        "attachment: it is another one than that of attachments",
                    ));
                }
            },
            (_, Patch::Null) | (Patch::Null, Patch::Omitted) => None,
            (Patch::Null, Patch::Value(one)) => Some(one),
        };
        match sent {
            None => self.edits.remove_all(&KEYS),
            Some(attachment) if self.is_shown(attachment) => {}
            Some(attachment) => {
                self.edits.remove_all(&["attachments"]);
                let declared = self.declared(attachment);
                self.edits.set(&["attachment"], declared);
            }
        }
        Ok(())
    }

    /// Whether an attachment is what the item has. What is left out is not asked for.
    fn is_shown(&self, sent: &AttachmentInput) -> bool {
        let Some(own) = &self.item.attachment else {
            return false;
        };
        sent.url == own.url
            && sent
                .category
                .is_none_or(|category| Category::from(category) == own.category)
            && sent
                .mime_type
                .as_ref()
                .is_none_or(|kind| *kind == own.mime_type)
            && sent
                .size_in_bytes
                .is_none_or(|size| Some(size) == own.size_in_bytes)
            && sent.duration_in_seconds.is_none_or(|seconds| {
                own.duration_in_seconds
                    .is_some_and(|own| (own - seconds).abs() < 0.001)
            })
    }

    /// An attachment as front matter: what can be read from a file of the site is not written.
    fn declared(&self, sent: &AttachmentInput) -> Value {
        let path = self.own.path(&sent.url);
        let mut fields = match serde_json::to_value(sent) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        fields.insert("url".into(), path.clone().into());
        let found = self.own.reference(&self.item.source, &path);
        if let Some(reference) = &found {
            let media_type = reference.media_type();
            if sent.mime_type.as_ref() == Some(&media_type) {
                fields.remove("mime_type");
            }
            let named = sent.mime_type.as_ref().unwrap_or(&media_type);
            if sent.category.map(Category::from) == Some(Category::of_media_type(named)) {
                fields.remove("category");
            }
            if let Some(facts) = reference.facts() {
                if sent.size_in_bytes == Some(facts.bytes) {
                    fields.remove("size_in_bytes");
                }
                let same = |own: f64| {
                    sent.duration_in_seconds
                        .is_some_and(|sent| (own - sent).abs() < 0.001)
                };
                if facts.duration.is_some_and(same) {
                    fields.remove("duration_in_seconds");
                }
            }
        }
        match fields.len() {
            1 => path.into(),
            _ => Value::Object(fields),
        }
    }

    fn authors(&mut self, authors: &Patch<Vec<AuthorInput>>) {
        let shown: Vec<AuthorInput> = self.edits.shown_as("/_service/authors").unwrap_or_default();
        match authors {
            Patch::Value(authors) if *authors == shown => {}
            Patch::Value(authors) if !authors.is_empty() => {
                self.edits.remove_all(&["author"]);
                let list: Vec<Value> = authors.iter().map(declared_author).collect();
                self.edits.set(&["authors"], list);
            }
            Patch::Value(_) | Patch::Null => self.edits.remove_all(&["authors", "author"]),
            Patch::Omitted => {}
        }
    }

    fn seo(&mut self, seo: &Patch<SeoInput>) {
        let seo = match seo {
            Patch::Omitted => return,
            Patch::Null => return self.edits.remove_all(&["seo"]),
            Patch::Value(seo) => seo,
        };
        for (key, text) in [("title", &seo.title), ("description", &seo.description)] {
            let shown = self
                .edits
                .shown_as::<String>(&format!("/_service/seo/{key}"));
            match text {
                Patch::Value(text) if shown.as_ref() == Some(text) => {}
                Patch::Value(text) if !text.is_empty() => {
                    self.edits.set(&["seo", key], text.as_str())
                }
                Patch::Value(_) | Patch::Null => self.edits.remove(&["seo", key]),
                Patch::Omitted => {}
            }
        }
        let shown = self
            .edits
            .shown_as::<SocialImageInput>("/_service/seo/social_image");
        match &seo.social_image {
            Patch::Value(image) if shown.as_ref() == Some(image) => {}
            Patch::Value(image) => {
                let declared = self.social_image(image);
                self.edits.set(&["seo", "social_image"], declared);
            }
            Patch::Null => self.edits.remove(&["seo", "social_image"]),
            Patch::Omitted => {}
        }
    }

    fn social_image(&self, image: &SocialImageInput) -> Value {
        let path = self.own.path(&image.url);
        let is_file = self
            .own
            .reference(&self.item.source, &path)
            .is_some_and(|reference| reference.facts().is_some());
        match (&image.alt, is_file) {
            (None, true) => path.into(),
            (Some(alt), true) => json!({ "url": path, "alt": alt }),
            (_, false) => {
                let mut value = plain(image);
                value["url"] = path.into();
                value
            }
        }
    }

    fn podcast(&mut self, podcast: &Patch<ItemPodcastInput>) {
        let podcast = match podcast {
            Patch::Omitted => return,
            Patch::Null => return self.edits.remove_all(&["podcast"]),
            Patch::Value(podcast) => podcast,
        };
        self.list("transcripts", &podcast.transcripts, &["url"]);
        self.chapters(podcast);
        self.list("people", &podcast.people, &["img"]);
        let shown = self.edits.shown_as("/_service/podcast/license");
        match &podcast.license {
            Patch::Value(license) if shown.as_ref() == Some(license) => {}
            Patch::Value(license) => self.edits.set(&["podcast", "license"], plain(license)),
            Patch::Null => self.edits.remove(&["podcast", "license"]),
            Patch::Omitted => {}
        }
    }

    /// The chapters. An empty list is written where the attachment has chapters of its own.
    fn chapters(&mut self, podcast: &ItemPodcastInput) {
        let is_empty = match &podcast.chapters {
            Patch::Omitted => return,
            Patch::Null => true,
            Patch::Value(chapters) => chapters.is_empty(),
        };
        let declared = self
            .edits
            .table
            .get("podcast")
            .is_some_and(|node| match &node.value {
                value::Value::Table(table) => table.get("chapters").is_some(),
                _ => false,
            });
        if is_empty && !declared && !self.item.podcast.chapters.is_empty() {
            self.edits.set(&["podcast", "chapters"], json!([]));
        } else {
            self.list("chapters", &podcast.chapters, &["img"]);
        }
    }

    /// A list of `podcast`, whose `urls` may be addresses of this site.
    fn list<T>(&mut self, key: &str, list: &Patch<Vec<T>>, urls: &[&str])
    where
        T: Serialize + DeserializeOwned + PartialEq,
    {
        let shown: Vec<T> = self
            .edits
            .shown_as(&format!("/_service/podcast/{key}"))
            .unwrap_or_default();
        match list {
            Patch::Value(list) if *list == shown => {}
            Patch::Value(list) if !list.is_empty() => {
                let values = list.iter().map(|element| {
                    let mut value = plain(element);
                    for url in urls {
                        if let Some(Value::String(text)) = value.get_mut(*url) {
                            *text = self.own.path(text);
                        }
                    }
                    value
                });
                let values: Vec<Value> = values.collect();
                self.edits.set(&["podcast", key], values);
            }
            Patch::Value(_) | Patch::Null => self.edits.remove(&["podcast", key]),
            Patch::Omitted => {}
        }
    }

    fn itunes(&mut self, input: &ItemExtensionInput) {
        self.apple("title", &input.itunes_title);
        self.apple("block", &input.itunes_block);
        self.apple("explicit", &input.itunes_explicit);
        self.apple("season", &input.itunes_season);
        self.apple("episode", &input.itunes_episode);
        self.apple("episodeType", &input.itunes_episode_type);
    }

    fn apple<T: Serialize + DeserializeOwned + PartialEq>(&mut self, key: &str, value: &Patch<T>) {
        let shown = self.edits.shown_as::<T>(&format!("/_service/itunes:{key}"));
        match value {
            Patch::Value(value) if shown.as_ref() == Some(value) => {}
            Patch::Value(value) => self.edits.set(&["itunes", key], plain(value)),
            Patch::Null => self.edits.remove(&["itunes", key]),
            Patch::Omitted => {}
        }
    }
}

/// An author as front matter: a name alone where there is no more to say.
fn declared_author(author: &AuthorInput) -> Value {
    match (&author.url, author.kind) {
        (None, AuthorKindInput::Person) => author.name.clone().into(),
        (Some(url), AuthorKindInput::Person) => json!({ "name": author.name, "url": url }),
        _ => plain(author),
    }
}

/// A value as JSON. Input types hold only what JSON can, so this cannot fail; whole seconds are
/// written without a fraction.
fn plain(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or(Value::Null);
    whole_numbers(&mut value);
    value
}

fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
            if let Some(float) = number.as_f64().filter(|float| {
                !number.is_i64() && !number.is_u64() && float.fract() == 0.0 && float.abs() < 1e15
            }) {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(whole_numbers),
        Value::Object(object) => object.values_mut().for_each(whole_numbers),
        _ => {}
    }
}
