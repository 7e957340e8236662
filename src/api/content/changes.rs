//! What of a content file's front matter has to change, so that it says what a client sent.
//!
//! What is sent just as the API shows it is no change: a client may read something, set one field
//! and send all of it back, and the diff is one line.

use front_matter::{Change, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::input::Patch;
use super::shared_inputs::{
    AuthorInput, AuthorKindInput, LicenseInput, SeoInput, SocialImageInput, StatusInput,
};
use crate::api::shared::{ApiError, OwnAddresses, times};
use crate::model::{SitePath, Slug, Status};
use crate::site::paths;

/// The changes of one file, as they are found.
pub struct Changes<'a> {
    /// The site's own addresses.
    pub own: &'a OwnAddresses<'a>,
    /// The file.
    pub source: &'a SitePath,
    /// The front matter as it is.
    pub table: &'a Table,
    /// What the API shows of it.
    pub shown: &'a Value,
    /// The changes so far.
    pub found: Vec<Change>,
}

impl<'a> Changes<'a> {
    /// Starts with a file as it is.
    pub fn new(
        own: &'a OwnAddresses<'a>,
        source: &'a SitePath,
        table: &'a Table,
        shown: &'a Value,
    ) -> Self {
        Self {
            own,
            source,
            table,
            shown,
            found: Vec::new(),
        }
    }

    /// Sets a key.
    pub fn set(&mut self, path: &[&str], value: impl Into<Value>) {
        self.found.push(Change::set(path, value));
    }

    /// Removes a key.
    pub fn remove(&mut self, path: &[&str]) {
        self.found.push(Change::remove(path));
    }

    /// Removes the keys of these that the file has.
    pub fn remove_all(&mut self, keys: &[&str]) {
        for key in keys {
            if self.table.get(key).is_some() {
                self.remove(&[key]);
            }
        }
    }

    /// The spelling of a key that the file has, or the first.
    pub fn spelled(&self, keys: &[&'static str]) -> &'static str {
        keys.iter()
            .find(|key| self.table.get(key).is_some())
            .unwrap_or(&keys[0])
    }

    /// What the API shows at a JSON pointer (RFC 6901).
    pub fn shown_as<T: DeserializeOwned>(&self, pointer: &str) -> Option<T> {
        T::deserialize(self.shown.pointer(pointer)?).ok()
    }

    /// A text that is shown at `pointer` and stands in the file at `path`; empty is null.
    pub fn text(&mut self, pointer: &str, path: &[&str], text: &Patch<String>) {
        let shown = self.shown_as::<String>(pointer);
        match text {
            Patch::Value(text) if shown.as_ref() == Some(text) => {}
            Patch::Value(text) if !text.is_empty() => self.set(path, text.as_str()),
            Patch::Value(_) | Patch::Null if shown.is_some() => self.remove(path),
            Patch::Value(_) | Patch::Null | Patch::Omitted => {}
        }
    }

    /// Anything else that is one value in both.
    pub fn value<T>(&mut self, pointer: &str, path: &[&str], value: &Patch<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq,
    {
        let shown = self.shown_as::<T>(pointer);
        match value {
            Patch::Value(value) if shown.as_ref() == Some(value) => {}
            Patch::Value(value) => self.set(path, plain(value)),
            Patch::Null if shown.is_some() => self.remove(path),
            Patch::Null | Patch::Omitted => {}
        }
    }

    /// One of Apple's texts: `itunes:<key>` in the API, `itunes.<key>` in the file; empty is null.
    pub fn itunes_text(&mut self, key: &str, text: &Patch<String>) {
        let pointer = self.at(&format!("itunes:{key}"));
        self.text(&pointer, &["itunes", key], text);
    }

    /// Anything else of Apple's.
    pub fn itunes<T>(&mut self, key: &str, value: &Patch<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq,
    {
        let pointer = self.at(&format!("itunes:{key}"));
        self.value(&pointer, &["itunes", key], value);
    }

    /// The status, which is `own` now.
    pub fn status(&mut self, own: Status, status: &Patch<StatusInput>) -> Result<(), ApiError> {
        let status = match status {
            Patch::Omitted => return Ok(()),
            Patch::Null => {
                return Err(ApiError::bad(
                    "status: it can be published, unlisted or unpublished",
                ));
            }
            Patch::Value(status) => status.0,
        };
        if status == own {
            return Ok(());
        }
        // Other generators' `draft` and `published` say the same where they can.
        let flag = ["draft", "published"]
            .into_iter()
            .find(|key| self.table.get("status").is_none() && self.table.get(key).is_some());
        match (flag, status) {
            (Some(flag), Status::Published | Status::Unpublished) => {
                let is_public = status == Status::Published;
                self.set(&[flag], (flag == "published") == is_public);
            }
            (Some(flag), Status::Unlisted) => {
                self.remove(&[flag]);
                self.set(&["status"], status.as_str());
            }
            (None, _) => self.set(&["status"], status.as_str()),
        }
        Ok(())
    }

    /// Dates what is published now, under the spelling of the key that the file has.
    pub fn date_now(&mut self, keys: &[&'static str]) -> Result<(), ApiError> {
        let key = self.spelled(keys);
        self.set(&[key], times::now()?.to_string());
        Ok(())
    }

    /// The address became `own`: a `former` one goes to `aliases`, and `own` is none of them any more.
    pub fn moved(&mut self, former: Option<&str>, own: &str) {
        let before = self.aliases();
        let mut aliases = before.clone();
        aliases.retain(|alias| alias != own);
        // A segment that ends in an id with a `_` is no slug, and an alias as a whole path.
        let former = former.map(|former| match Slug::parse(former) {
            Ok(_) => former.to_owned(),
            Err(_) => paths::item(former),
        });
        if let Some(former) = former.filter(|former| !aliases.contains(former)) {
            aliases.push(former);
        }
        match aliases.is_empty() {
            _ if aliases == before => {}
            true => self.remove(&["aliases"]),
            false => self.set(&["aliases"], aliases),
        }
    }

    /// `aliases` as the file has them, former paths of other generators among them.
    fn aliases(&self) -> Vec<String> {
        let text = |value: &front_matter::Value| match value {
            front_matter::Value::String(text) | front_matter::Value::Plain(_, text) => {
                Some(text.clone())
            }
            _ => None,
        };
        match self.table.get("aliases").map(|node| &node.value) {
            Some(front_matter::Value::List(list)) => {
                list.iter().filter_map(|node| text(&node.value)).collect()
            }
            Some(value) => text(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// A picture: a URL in the API, shown at `pointer`; a path, a URL or a table of `url` and `alt` in
    /// the file.
    pub fn picture(&mut self, pointer: &str, key: &'static str, image: &Patch<String>) {
        let is_table = matches!(
            self.table.get(key).map(|node| &node.value),
            Some(front_matter::Value::Table(_))
        );
        let shown = self.shown_as::<String>(pointer);
        match image {
            Patch::Value(url) if shown.as_ref() == Some(url) => {}
            Patch::Value(url) if !url.is_empty() => {
                let path: &[&str] = if is_table { &[key, "url"] } else { &[key] };
                self.set(path, self.own.path(url));
            }
            Patch::Value(_) | Patch::Null => self.remove(&[key]),
            Patch::Omitted => {}
        }
    }

    /// `authors`, shown at `pointer`; an empty list is null.
    pub fn authors(&mut self, pointer: &str, authors: &Patch<Vec<AuthorInput>>) {
        let shown: Vec<AuthorInput> = self.shown_as(pointer).unwrap_or_default();
        match authors {
            Patch::Value(authors) if *authors == shown => {}
            Patch::Value(authors) if !authors.is_empty() => {
                let held = self.table.get("authors");
                let list = spelled_as(held, &shown, authors, declared_author);
                self.remove_all(&["author"]);
                self.set(&["authors"], list);
            }
            Patch::Value(_) | Patch::Null => self.remove_all(&["authors", "author"]),
            Patch::Omitted => {}
        }
    }

    /// `seo`. What is left out stays, null has its default again, and `seo` null is all of it null.
    pub fn seo(&mut self, seo: &Patch<SeoInput>) -> Result<(), ApiError> {
        let seo = match seo {
            Patch::Omitted => return Ok(()),
            Patch::Null => {
                self.remove_all(&["seo"]);
                return Ok(());
            }
            Patch::Value(seo) => seo,
        };
        self.text(&self.at("seo/title"), &["seo", "title"], &seo.title);
        self.text(
            &self.at("seo/description"),
            &["seo", "description"],
            &seo.description,
        );
        let shown = self.shown_as::<SocialImageInput>(&self.at("seo/social_image"));
        match &seo.social_image {
            Patch::Value(image) if shown.as_ref() == Some(image) => {}
            Patch::Value(image) => {
                let read = shown.filter(|shown| shown.url == image.url);
                let is_read = read.is_some();
                let read = read.or_else(|| self.own_picture(&image.url));
                image.check(&self.named("seo.social_image"), read.as_ref())?;
                let declared = self.social_image(image, is_read);
                self.set(&["seo", "social_image"], declared);
            }
            Patch::Null => self.remove(&["seo", "social_image"]),
            Patch::Omitted => {}
        }
        Ok(())
    }

    /// The name of a field of the extension, for an error.
    pub fn named(&self, field: &str) -> String {
        format!("_{}.{field}", self.own.config.namespace)
    }

    /// A pointer into the extension.
    pub fn at(&self, rest: &str) -> String {
        format!("/_{}/{rest}", self.own.config.namespace)
    }

    /// A picture as front matter. `is_read`: it is the one that the file names, however it spells it.
    fn social_image(&self, image: &SocialImageInput, is_read: bool) -> Value {
        let held = self.held_social_image().filter(|_| is_read);
        let path = held.unwrap_or_else(|| self.own.path(&image.url));
        let is_file = self
            .own
            .reference(self.source, &path)
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

    /// A picture of this site as the API shows it on whatever names it. None where it is none.
    fn own_picture(&self, url: &str) -> Option<SocialImageInput> {
        let reference = self.own.reference(self.source, &self.own.path(url))?;
        let (width, height) = reference.facts()?.dimensions?;
        Some(SocialImageInput {
            url: url.to_owned(),
            width: Some(width),
            height: Some(height),
            mime_type: Some(reference.media_type()),
            alt: None,
        })
    }

    /// The path or URL of the social picture as the file has it.
    fn held_social_image(&self) -> Option<String> {
        let front_matter::Value::Table(seo) = &self.table.get("seo")?.value else {
            return None;
        };
        match as_held(seo.get("social_image")?) {
            Value::String(path) => Some(path),
            picture => picture["url"].as_str().map(str::to_owned),
        }
    }

    /// A list of `podcast`, in whose elements `url` may be an address of this site; an empty list is null.
    pub fn podcast_list<T>(&mut self, key: &str, list: &Patch<Vec<T>>, url: &str)
    where
        T: Serialize + DeserializeOwned + PartialEq,
    {
        let shown: Vec<T> = self
            .shown_as(&self.at(&format!("podcast/{key}")))
            .unwrap_or_default();
        match list {
            Patch::Value(list) if *list == shown => {}
            Patch::Value(list) if !list.is_empty() => {
                let held = self
                    .table
                    .get("podcast")
                    .and_then(|node| match &node.value {
                        front_matter::Value::Table(podcast) => podcast.get(key),
                        _ => None,
                    });
                let list = spelled_as(held, &shown, list, |one| self.declared(one, url));
                self.set(&["podcast", key], list);
            }
            Patch::Value(_) | Patch::Null => self.remove(&["podcast", key]),
            Patch::Omitted => {}
        }
    }

    fn declared(&self, element: &impl Serialize, url: &str) -> Value {
        let mut value = plain(element);
        if let Some(Value::String(text)) = value.get_mut(url) {
            *text = self.own.path(text);
        }
        alone("name", value)
    }

    /// `podcast.license`.
    pub fn license(&mut self, license: &Patch<LicenseInput>) {
        let path = ["podcast", "license"];
        let shown = self.shown_as::<LicenseInput>(&self.at("podcast/license"));
        match license {
            Patch::Value(license) if shown.as_ref() == Some(license) => {}
            Patch::Value(license) => self.set(&path, alone("identifier", plain(license))),
            Patch::Null => self.remove(&path),
            Patch::Omitted => {}
        }
    }
}

/// Whether what has the status `own` is a draft, and `status` lets the public see it: then it gets a
/// date where it has none.
pub fn becomes_public(own: Status, status: &Patch<StatusInput>) -> bool {
    let is_public = |status: &StatusInput| status.0 != Status::Unpublished;
    own == Status::Unpublished && status.value().is_some_and(is_public)
}

/// An object that says one thing, as front matter says it: the text alone.
fn alone(key: &str, mut value: Value) -> Value {
    match value.as_object() {
        Some(object) if object.len() == 1 && object.contains_key(key) => value[key].take(),
        _ => value,
    }
}

/// A list as front matter. What the file holds already stays as it is spelled there: a name alone, a
/// path beside the file.
fn spelled_as<T: PartialEq>(
    held: Option<&front_matter::Node>,
    shown: &[T],
    sent: &[T],
    declared: impl Fn(&T) -> Value,
) -> Vec<Value> {
    let held: Vec<Value> = match held.map(|node| &node.value) {
        Some(front_matter::Value::List(list)) if list.len() == shown.len() => {
            list.iter().map(as_held).collect()
        }
        _ => Vec::new(),
    };
    let spelled = |one: &T| {
        let at = shown.iter().position(|shown| shown == one)?;
        held.get(at).cloned()
    };
    let all = sent.iter();
    all.map(|one| spelled(one).unwrap_or_else(|| declared(one)))
        .collect()
}

/// A value of a file as JSON.
fn as_held(node: &front_matter::Node) -> Value {
    match &node.value {
        front_matter::Value::Null => Value::Null,
        front_matter::Value::Bool(flag) => (*flag).into(),
        front_matter::Value::Integer(number) => (*number).into(),
        front_matter::Value::Float(number) => (*number).into(),
        front_matter::Value::String(text) | front_matter::Value::Plain(_, text) => {
            text.as_str().into()
        }
        front_matter::Value::List(list) => list.iter().map(as_held).collect(),
        front_matter::Value::Table(table) => {
            let entries = table.entries.iter();
            entries
                .map(|entry| (entry.key.clone(), as_held(&entry.node)))
                .collect::<serde_json::Map<_, _>>()
                .into()
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

/// A value as JSON. Input types hold only what JSON can, so this cannot fail; whole numbers are
/// written without a fraction.
pub fn plain(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or(Value::Null);
    whole_numbers(&mut value);
    value
}

/// Writes whole numbers without a fraction, as JSON that is sent is read.
pub fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            #[allow(clippy::cast_possible_truncation)]
            if let Some(float) = number
                .as_f64()
                .filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15)
            {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(whole_numbers),
        Value::Object(object) => object.values_mut().for_each(whole_numbers),
        _ => {}
    }
}
