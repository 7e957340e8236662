//! Computes the changes to a content file's front matter from the fields that a client sent.
//!
//! A field with the same value as in the API's output is not a change. A client can therefore read
//! a resource, set one field and send everything back, and only one line of the file changes. An
//! item's slug is the exception: a sent slug is always written.

use front_matter::{Change, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::input::Patch;
use super::json_values::{keep_spelling, to_plain_json, unwrap_single_key};
use super::shared_inputs::StatusInput;
use api_shared::{ApiError, SiteUrls, times};
use model::sent::{Receive, Sent};
use model::shape::{Kind, Need};
use model::{Author, SitePath, Slug, Status};
use site::paths;
use source::defaults;

/// The changes to one file, collected field by field.
pub struct FileChanges<'a> {
    pub own: &'a SiteUrls<'a>,
    pub source: &'a SitePath,
    /// The current front matter.
    pub table: &'a Table,
    /// The API's current output for the file.
    pub shown: &'a Value,
    pub found: Vec<Change>,
}

impl<'a> FileChanges<'a> {
    /// Creates an empty set of changes.
    pub fn new(
        own: &'a SiteUrls<'a>,
        source: &'a SitePath,
        table: &'a Table,
        shown: &'a Value,
    ) -> Self {
        Self { own, source, table, shown, found: Vec::new() }
    }

    pub fn set(&mut self, path: &[&str], value: impl Into<Value>) {
        self.found.push(Change::set(path, value));
    }

    /// Removes a value. A value with a default is replaced by an empty value.
    pub fn remove(&mut self, path: &[&str]) {
        self.found.push(defaults::removal(self.own.config, self.source, path));
    }

    /// Removes these keys if the file has them, or if they have defaults.
    pub fn remove_all(&mut self, keys: &[&str]) {
        for key in keys {
            let default =
                self.own.config.defaults.value(&self.own.config.languages, self.source, &[key]);
            if self.table.get(key).is_some() || default.is_some() {
                self.remove(&[key]);
            }
        }
    }

    /// Returns the first of these keys that the file has, otherwise the first key.
    pub fn existing_key(&self, keys: &[&'static str]) -> &'static str {
        keys.iter().find(|key| self.table.get(key).is_some()).unwrap_or(&keys[0])
    }

    /// Returns the value at a JSON pointer (RFC 6901) in the API's output.
    pub fn current_value<T: DeserializeOwned>(&self, pointer: &str) -> Option<T> {
        T::deserialize(self.shown.pointer(pointer)?).ok()
    }

    /// Sets a string field. `pointer` is its location in the API's output, and `path` is its
    /// location in the file. An empty string counts as null.
    pub fn text(&mut self, pointer: &str, path: &[&str], text: &Patch<String>) {
        let shown = self.current_value::<String>(pointer);
        match text {
            Patch::Value(text) if shown.as_ref() == Some(text) => {}
            Patch::Value(text) if !text.is_empty() => self.set(path, text.as_str()),
            Patch::Value(_) | Patch::Null if shown.is_some() => self.remove(path),
            Patch::Value(_) | Patch::Null | Patch::Omitted => {}
        }
    }

    /// Sets a field that is not a string, but has the same value in the API and in the file.
    pub fn value<T>(&mut self, pointer: &str, path: &[&str], value: &Patch<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq,
    {
        let shown = self.current_value::<T>(pointer);
        match value {
            Patch::Value(value) if shown.as_ref() == Some(value) => {}
            Patch::Value(value) => self.set(path, to_plain_json(value)),
            Patch::Null if shown.is_some() => self.remove(path),
            Patch::Null | Patch::Omitted => {}
        }
    }

    /// Sets a string field of Apple's tags: `itunes:<key>` in the API, `itunes.<key>` in the file.
    /// An empty string counts as null.
    pub fn itunes_text(&mut self, key: &str, text: &Patch<String>) {
        let pointer = self.at(&format!("itunes:{key}"));
        self.text(&pointer, &["itunes", key], text);
    }

    /// Sets a field of Apple's tags that is not a string.
    pub fn itunes<T>(&mut self, key: &str, value: &Patch<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq,
    {
        let pointer = self.at(&format!("itunes:{key}"));
        self.value(&pointer, &["itunes", key], value);
    }

    /// Sets the status. `own` is the current status.
    pub fn status(&mut self, own: Status, status: &Patch<StatusInput>) -> Result<(), ApiError> {
        let status = match status {
            Patch::Omitted => return Ok(()),
            Patch::Null => {
                return Err(ApiError::bad("status: must be published, unlisted or unpublished"));
            }
            Patch::Value(status) => status.0,
        };
        if status == own {
            return Ok(());
        }
        // Keeps the keys `draft` and `published`, which other generators use, if they can express
        // the status.
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

    /// Sets the publication date to the current time, under the key that the file already uses.
    pub fn set_current_date(&mut self, keys: &[&'static str]) -> Result<(), ApiError> {
        let key = self.existing_key(keys);
        self.set(&[key], times::now()?.to_string());
        Ok(())
    }

    /// Records that the addresses changed to `own`. Adds the `former` segments and paths to
    /// `aliases`, and removes `own` from `aliases`.
    pub fn record_moves<const N: usize>(&mut self, former: [Option<&str>; N], own: &[&str]) {
        let before = self.aliases();
        let mut aliases = before.clone();
        aliases.retain(|alias| !own.contains(&&**alias));
        for former in former.into_iter().flatten() {
            // A former segment can end in an id that contains `_`. Such a segment is not a valid
            // slug, so the alias is the whole path.
            let former = match Slug::parse(former) {
                Err(_) if !former.starts_with('/') => paths::item_key(former),
                _ => former.to_owned(),
            };
            if !aliases.contains(&former) {
                aliases.push(former);
            }
        }
        match aliases.is_empty() {
            _ if aliases == before => {}
            true => self.remove(&["aliases"]),
            false => self.set(&["aliases"], aliases),
        }
    }

    /// Returns the `aliases` of the file, including former paths from other generators.
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

    /// Sets a picture. `pointer` is the location of its URL in the API's output. The file contains
    /// a path, a URL, or a table of `url` and `alt`.
    pub fn picture(&mut self, pointer: &str, key: &'static str, image: &Patch<String>) {
        let is_table = matches!(
            self.table.get(key).map(|node| &node.value),
            Some(front_matter::Value::Table(_))
        );
        let shown = self.current_value::<String>(pointer);
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

    /// Sets `authors`, which the API shows at `pointer`. An empty list counts as null.
    pub fn authors(&mut self, pointer: &str, authors: &Patch<Vec<Sent<Author>>>) {
        let shown: Vec<Sent<Author>> = self.current_value(pointer).unwrap_or_default();
        match authors {
            Patch::Value(authors) if *authors == shown => {}
            Patch::Value(authors) if !authors.is_empty() => {
                let current = self.table.get("authors");
                let list = keep_spelling(current, &shown, authors, |one| self.front_value(one));
                self.remove_all(&["author"]);
                self.set(&["authors"], list);
            }
            Patch::Value(_) | Patch::Null => self.remove_all(&["authors", "author"]),
            Patch::Omitted => {}
        }
    }

    /// Returns a JSON pointer into the extension object.
    pub fn at(&self, rest: &str) -> String {
        format!("/_{}/{rest}", self.own.config.namespace)
    }

    /// Sets a list in the `podcast` table. An empty list counts as null.
    pub fn podcast_list<T>(&mut self, key: &str, list: &Patch<Vec<Sent<T>>>)
    where
        T: Serialize + Receive + PartialEq,
    {
        let shown: Vec<Sent<T>> =
            self.current_value(&self.at(&format!("podcast/{key}"))).unwrap_or_default();
        match list {
            Patch::Value(list) if *list == shown => {}
            Patch::Value(list) if !list.is_empty() => {
                let current = self.table.get("podcast").and_then(|node| match &node.value {
                    front_matter::Value::Table(podcast) => podcast.get(key),
                    _ => None,
                });
                let list = keep_spelling(current, &shown, list, |one| self.front_value(one));
                self.set(&["podcast", key], list);
            }
            Patch::Value(_) | Patch::Null => self.remove(&["podcast", key]),
            Patch::Omitted => {}
        }
    }

    /// Returns a record as front matter. URLs of this site become paths, and default values are
    /// left out. A table that has only its main field is replaced by the value of that field.
    fn front_value<T: Serialize + Receive>(&self, record: &Sent<T>) -> Value {
        let mut value = to_plain_json(record);
        for field in T::SHAPE.fields {
            let is_default = |word: &str| match field.kind {
                Kind::Word([first, ..]) => field.need == Need::Filled && word == *first,
                _ => false,
            };
            match value.get_mut(field.key) {
                Some(Value::String(text)) if matches!(field.kind, Kind::Address) => {
                    *text = self.own.path(text);
                }
                Some(Value::String(word)) if is_default(word) => {
                    value.as_object_mut().map(|fields| fields.remove(field.key));
                }
                _ => {}
            }
        }
        let key = T::SHAPE.fields.iter().find(|field| field.stands_alone);
        key.map_or(value.clone(), |field| unwrap_single_key(field.key, value))
    }

    /// Sets the record at a path of the front matter. `name` is its pointer in the extension.
    pub fn record<T>(&mut self, name: &str, path: &[&str], record: &Patch<Sent<T>>)
    where
        T: Serialize + Receive + PartialEq,
    {
        let shown = self.current_value::<Sent<T>>(&self.at(name));
        match record {
            Patch::Value(record) if shown.as_ref() == Some(record) => {}
            Patch::Value(record) => self.set(path, self.front_value(record)),
            Patch::Null => self.remove(path),
            Patch::Omitted => {}
        }
    }
}

/// Returns whether a change of status publishes the content. If so, content without a date needs a
/// publication date.
pub fn becomes_public(own: Status, status: &Patch<StatusInput>) -> bool {
    let status = status.value();
    status.is_some_and(|status| own.is_published_by(status.0))
}
