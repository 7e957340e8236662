//! Downloads media for entries that an earlier run wrote, and replaces unchanged media addresses in
//! the existing files.
//!
//! - In the author's file, only media addresses change. If a recording is now a local file, its
//!   size, type and duration are removed too, unless the author edited them.
//! - Values that the author edited stay unchanged and are reported.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use fetch::Fault;
use front_matter::{Change, Node, Table, Value as Written};
use serde_json::{Map, Value};

use super::found::{Note, note};
use super::media::{self, Media, Place};
use edit::{self, Replaced};
use model::{Languages, SitePath, Source};

/// An entry of the source that already has a file in the site.
pub struct ExistingEntry<'a> {
    pub path: &'a SitePath,
    pub fields: &'a Map<String, Value>,
    /// Addresses of the media shown in the entry's body at the source.
    pub shown: &'a [String],
    pub place: &'a str,
}

/// A front matter value that refers to a file: the path of its key, the value, and its byte range.
struct FileReference<'t> {
    role: String,
    text: &'t str,
    span: Range<usize>,
}

/// Maximum number of attempts to edit a file that is being saved at the same time.
const MAX_ATTEMPTS: usize = 3;

impl ExistingEntry<'_> {
    /// Downloads the media that the file still references by an address at the source. Returns the
    /// number of downloaded files.
    ///
    /// # Errors
    ///
    /// Returns a message if files can no longer be written.
    pub fn bring(&self, media: &Media<'_>, notes: &mut Vec<Note>) -> Result<usize, String> {
        let Some(folder) = self.folder(media.languages) else {
            return Ok(0);
        };
        let file = self.path.on_disk(media.root);
        let mut own = Place {
            file: self.path,
            folder: &folder,
            place: self.place,
            notes,
            brought: HashMap::new(),
        };
        for _ in 0..MAX_ATTEMPTS {
            let Ok(text) = fs::read_to_string(&file) else {
                break;
            };
            let edited = self.edited(&text, media, &mut own);
            let Some(edited) = edited.map_err(|fault| fault.message)? else {
                break;
            };
            if edited == text {
                return Ok(own.count());
            }
            match edit::replace_if(&file, text.as_bytes(), edited.as_bytes()) {
                Ok(Replaced::Done) => return Ok(own.count()),
                Ok(Replaced::Changed | Replaced::Open) => {}
                Err(error) => return Err(format!("{} cannot be written: {error}", self.path)),
            }
        }
        let message =
            "this file cannot be read or is being edited; its addresses were not replaced";
        note(own.notes, message, self.path.as_str());
        Ok(own.count())
    }

    /// Returns the folder for downloads: `x/` for `x/index.md`, `x.md` and `x.de.md`. The author's file
    /// stays where it is.
    fn folder(&self, languages: &Languages) -> Option<SitePath> {
        let text_path = languages.of_file(self.path).map(|(_, path)| path);
        let path = text_path.as_deref().unwrap_or(self.path.page_path());
        match self.path.section_folder() {
            Some(folder) => SitePath::parse(folder),
            None if path == "content/channel" => SitePath::parse(media::SHARED),
            None => SitePath::parse(path),
        }
    }

    /// Returns the contents of the file with references to the downloaded media. Returns `None` if
    /// the front matter cannot be parsed.
    fn edited(
        &self,
        text: &str,
        media: &Media<'_>,
        own: &mut Place<'_>,
    ) -> Result<Option<String>, Fault> {
        let Ok(front) = front_matter::parse(text) else {
            return Ok(None);
        };
        let size = self.attachment("size_in_bytes").and_then(Value::as_u64);
        let (mut head, mut body) = (text[..front.body].to_owned(), text[front.body..].to_owned());
        let mut changes = Vec::new();
        // Values are replaced from last to first, so that the offsets of the earlier values stay
        // valid.
        for one in file_references(&front.table).into_iter().rev() {
            let source = self.addresses(&one.role);
            let is_elsewhere = one.text.starts_with("http") && !source.is_empty();
            if is_elsewhere && !source.iter().any(|url| url == one.text) {
                let message = format!(
                    "`{}` was not changed, because it differs from the address in the source: {}",
                    one.role, one.text
                );
                note(own.notes, message, self.path.as_str());
                continue;
            }
            let written = head[one.span.clone()].find(one.text);
            let Some(at) = written.filter(|_| is_elsewhere) else {
                continue;
            };
            let is_main = one.role == "attachment.url";
            let length = size.filter(|_| is_main);
            if let Some(reference) = media.bring(one.text, &one.role, length, own)? {
                let at = one.span.start + at;
                head.replace_range(at..at + one.text.len(), &reference);
                if is_main {
                    changes = self.facts(&front.table);
                }
            }
        }
        media.bring_body(&mut body, self.shown, own)?;
        let text = head + &body;
        let source = Source { path: self.path, text: &text };
        Ok(Some(edit::apply(source, &changes, None).unwrap_or(text)))
    }

    /// Returns changes that remove the recording's size, type and duration, because feedwright
    /// reads them from the downloaded file. Values that the author edited stay.
    fn facts(&self, table: &Table) -> Vec<Change> {
        let written = match table.get("attachment").map(|node| &node.value) {
            Some(Written::Table(table)) => table,
            _ => return Vec::new(),
        };
        let is_of_source = |key: &&str| {
            let (Some(node), Some(value)) = (written.get(key), self.attachment(key)) else {
                return false;
            };
            match node.value.bare() {
                Written::Integer(number) => value.as_f64() == Some(*number as f64),
                Written::Float(number) => value.as_f64() == Some(*number),
                Written::String(text) => value.as_str() == Some(text),
                _ => false,
            }
        };
        let facts = media::FACTS.into_iter().filter(is_of_source);
        facts.map(|key| Change::remove(&["attachment", key])).collect()
    }

    fn attachment(&self, key: &str) -> Option<&Value> {
        self.fields.get("attachment")?.get(key)
    }

    /// Returns the addresses under a key in the source's entry.
    fn addresses(&self, role: &str) -> Vec<String> {
        let mut found = Vec::new();
        media::each_file(&mut self.fields.clone(), &mut |name, value| {
            let url = value.as_str().filter(|_| name == role);
            found.extend(url.map(str::to_owned));
        });
        found
    }

    /// Returns the files that an earlier run downloaded to the shared folder: the address of each
    /// file, and the reference to it in this content file.
    pub fn shared(&self, root: &Path) -> Vec<(String, String)> {
        let Ok(text) = fs::read_to_string(self.path.on_disk(root)) else {
            return Vec::new();
        };
        let Ok(front) = front_matter::parse(&text) else {
            return Vec::new();
        };
        let written = file_references(&front.table);
        let mut found = Vec::new();
        media::each_file(&mut self.fields.clone(), &mut |role, value| {
            let mut here = written.iter().filter(|one| one.role == role);
            let (Some(url), Some(one), None) = (value.as_str(), here.next(), here.next()) else {
                return;
            };
            let path = one.text.strip_prefix('/').and_then(SitePath::parse);
            let is_of_it = |path: SitePath| {
                path.parent() == Some(media::SHARED)
                    && path.stem().starts_with(&media::stem_of(url))
                    && path.on_disk(root).is_file()
            };
            if path.is_some_and(is_of_it) {
                found.push((url.to_owned(), one.text.to_owned()));
            }
        });
        found
    }
}

/// Returns the values that can refer to files, in the order in which the front matter lists them.
fn file_references(table: &Table) -> Vec<FileReference<'_>> {
    let mut found = Vec::new();
    gather(table, "", &mut found);
    found.sort_by_key(|one| one.span.start);
    found
}

fn gather<'t>(table: &'t Table, above: &str, found: &mut Vec<FileReference<'t>>) {
    for entry in &table.entries {
        gather_node(&entry.node, format!("{above}{}", entry.key), found);
    }
}

fn gather_node<'t>(node: &'t Node, role: String, found: &mut Vec<FileReference<'t>>) {
    match &node.value {
        Written::String(text) if media::FILES.contains(&&*role) => {
            found.push(FileReference { role, text, span: node.span.clone() })
        }
        Written::Table(table) => gather(table, &format!("{role}."), found),
        Written::List(list) => {
            list.iter().for_each(|one| gather_node(one, format!("{role}.[]"), found))
        }
        _ => {}
    }
}
