//! What of a content file's front matter has to change, so that it says what a client sent: what
//! items and Pages have in common.
//!
//! What is sent just as the API shows it is no change: a client may read a thing, set one field and
//! send all of it back, and the diff is one line.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ApiError;
use super::input::Patch;
use super::items::StatusInput;
use crate::edit::Change;
use crate::model::Status;
use crate::source::value::{self, Table};

/// The changes of one file's front matter.
pub struct Edits<'a> {
    /// The front matter as it is.
    pub table: &'a Table,
    /// The thing as the API shows it.
    pub shown: &'a Value,
    changes: Vec<Change>,
}

impl<'a> Edits<'a> {
    /// No changes yet.
    pub fn of(table: &'a Table, shown: &'a Value) -> Self {
        Self {
            table,
            shown,
            changes: Vec::new(),
        }
    }

    /// The changes.
    pub fn finish(self) -> Vec<Change> {
        self.changes
    }

    /// Gives a key a value.
    pub fn set(&mut self, path: &[&str], value: impl Into<Value>) {
        self.changes.push(Change::set(path, value.into()));
    }

    /// Removes a key.
    pub fn remove(&mut self, path: &[&str]) {
        self.changes.push(Change::remove(path));
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

    /// A value of the thing as the API shows it, under the same name.
    pub fn shown_as<T: DeserializeOwned>(&self, pointer: &str) -> Option<T> {
        T::deserialize(self.shown.pointer(pointer)?).ok()
    }

    /// A text that stands under the same name in the API and in the file; empty is null.
    pub fn text(&mut self, path: &[&str], text: &Patch<String>) {
        let shown = self.shown_as::<String>(&format!("/{}", path.join("/")));
        match text {
            Patch::Value(text) if shown.as_ref() == Some(text) => {}
            Patch::Value(text) if !text.is_empty() => self.set(path, text.as_str()),
            Patch::Value(_) | Patch::Null => self.remove(path),
            Patch::Omitted => {}
        }
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

    /// Adds `former` to `aliases`, unless it is empty, and takes `own` out of them.
    pub fn former_name(&mut self, former: &str, own: &str) {
        let before = self.aliases();
        let mut aliases = before.clone();
        aliases.retain(|alias| alias != own);
        if !former.is_empty()
            && !aliases
                .iter()
                .any(|alias| alias.trim_matches('/') == former)
        {
            aliases.push(former.to_owned());
        }
        match aliases.is_empty() {
            _ if aliases == before => {}
            true => self.remove(&["aliases"]),
            false => self.set(&["aliases"], aliases),
        }
    }

    /// `aliases` as the file has them, former paths of other generators among them.
    fn aliases(&self) -> Vec<String> {
        let text = |value: &value::Value| match value {
            value::Value::String(text) | value::Value::Plain(_, text) => Some(text.clone()),
            _ => None,
        };
        match self.table.get("aliases").map(|node| &node.value) {
            Some(value::Value::List(list)) => {
                list.iter().filter_map(|node| text(&node.value)).collect()
            }
            Some(value) => text(value).into_iter().collect(),
            None => Vec::new(),
        }
    }
}
