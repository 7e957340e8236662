//! Decides which files Jekyll reads, and how it uses them.

use serde_json::Value;

use crate::folder::data::{self, Data, texts_at};
use crate::folder::dates::short_day;
use crate::folder::globs::{Globs, Style};
use crate::folder::source::Text;
use crate::folder::tree::{ending, prefix, split};

/// How Jekyll uses a file.
pub enum Kind {
    /// A post. Its categories come from the names of its folders.
    Post(Vec<String>),
    Draft,
    /// A document of the collection with this name.
    Of(String),
    Page,
}

/// The settings that decide which files are read.
pub struct Reading {
    include: Patterns,
    exclude: Patterns,
    /// Names of collections, and whether their documents have pages.
    collections: Vec<(String, bool)>,
    /// The folder that contains the collections. Its path ends in `/`, or is empty.
    container: String,
}

struct Patterns {
    texts: Vec<String>,
    globs: Globs,
}

impl Reading {
    pub fn of(settings: &Data) -> Self {
        let has_pages = |settings: &Value| {
            let table = settings.as_object();
            table.is_some_and(|table| data::is_set(table, "output"))
        };
        let collections = match data::get(settings, "collections") {
            Some(Value::Object(table)) => {
                table.iter().map(|(name, own)| (name.clone(), has_pages(own))).collect()
            }
            Some(list) => data::texts(list.clone()).into_iter().map(|name| (name, false)).collect(),
            None => Vec::new(),
        };
        let container = prefix(&data::text_at(settings, "collections_dir").unwrap_or_default());
        let [include, mut exclude] =
            ["include", "exclude"].map(|key| Patterns::new(texts_at(settings, key)));
        // A pattern that is also in `include` has no effect.
        exclude.texts.retain(|pattern| !include.texts.contains(pattern));
        Self { exclude: Patterns::new(exclude.texts), include, collections, container }
    }

    /// Returns whether the documents of a collection have pages.
    pub fn has_pages(&self, collection: &str) -> bool {
        let mut collections = self.collections.iter();
        collections.any(|(name, has_pages)| name == collection && *has_pages)
    }

    /// Returns the folder of a post, or of a document in a collection, without `_posts`.
    pub fn item_folder(&self, path: &str) -> String {
        let path = path.strip_prefix(&self.container).unwrap_or(path);
        let parts = split(path).0.split('/').filter(|part| !matches!(*part, "_posts" | "_drafts"));
        let parts: Vec<&str> = parts.map(|part| part.trim_start_matches('_')).collect();
        parts.join("/")
    }

    /// Returns how Jekyll uses a file.
    ///
    /// # Errors
    ///
    /// Returns the reason if Jekyll does not read the file.
    pub fn kind(&self, path: &str) -> Result<Kind, String> {
        let mut above = String::new();
        let mut rest = path;
        while let Some((name, inner)) = rest.split_once('/') {
            let whole = format!("{above}{name}");
            if matches!(name, "_posts" | "_drafts") {
                if !whole.starts_with(&self.container) {
                    return Err(format!("it is outside the `collections_dir` {}", self.container));
                }
                self.entry(&whole, inner)?;
                return self.post(name, &above, inner);
            }
            let of = name.strip_prefix('_').filter(|_| above == self.container);
            let of = of.filter(|of| self.collections.iter().any(|(name, _)| name == of));
            if let Some(of) = of {
                self.entry(&whole, inner)?;
                return Ok(Kind::Of(of.to_owned()));
            }
            self.folder(&above, name)?;
            above = format!("{whole}/");
            rest = inner;
        }
        self.folder(&above, rest)?;
        Ok(Kind::Page)
    }

    fn post(&self, folder: &str, above: &str, inner: &str) -> Result<Kind, String> {
        let name = ending(split(inner).1).0;
        match folder {
            "_drafts" => Ok(Kind::Draft),
            _ if short_day(name).is_none() => {
                Err("its file name has no date, which posts require".to_owned())
            }
            _ => {
                let above = above.strip_prefix(&self.container).unwrap_or(above);
                let categories = above.split('/').filter(|part| !part.is_empty());
                Ok(Kind::Post(categories.map(str::to_owned).collect()))
            }
        }
    }

    /// Checks that Jekyll reads a folder, or a file in a regular folder. The error is the reason
    /// why it does not.
    fn folder(&self, above: &str, name: &str) -> Result<(), String> {
        self.check_entry(name, name, &format!("{above}{name}"))
    }

    /// Checks that Jekyll reads a file in a folder of posts or in a collection. `inner` is the path
    /// of the file within this folder.
    fn entry(&self, folder: &str, inner: &str) -> Result<(), String> {
        self.check_entry(inner, split(inner).1, &format!("{folder}/{inner}"))
    }

    fn check_entry(&self, entry: &str, name: &str, whole: &str) -> Result<(), String> {
        if self.include.matches_entry(entry) || self.include.matches_entry(name) {
            return Ok(());
        }
        if self.exclude.matches_entry(whole) {
            return Err("excluded by `exclude` in the settings".to_owned());
        }
        let special = ['.', '_', '#', '~'];
        if entry.starts_with(special) || name.starts_with(special) || entry.ends_with('~') {
            return Err(format!("Jekyll ignores {}", split(entry).1));
        }
        Ok(())
    }
}

impl Patterns {
    fn new(texts: Vec<String>) -> Self {
        let texts: Vec<String> = texts
            .iter()
            .map(|text| text.trim_start_matches("./").trim_start_matches('/').to_owned())
            .filter(|text| !text.is_empty())
            .collect();
        let globs = Globs::of(&texts, Style::CROSSING).0;
        Self { texts, globs }
    }

    /// Returns whether a pattern matches a path. In Jekyll, a pattern also matches all paths that
    /// start with the pattern.
    fn matches_entry(&self, entry: &str) -> bool {
        let mut texts = self.texts.iter();
        self.globs.covers(entry)
            || texts.any(|text| entry.starts_with(text.as_str()) || *text == format!("{entry}/"))
    }
}

/// Adds the values that a content file inherits from `defaults` in the settings, depending on its
/// folder and kind. The longest path takes precedence.
pub fn defaults(text: &mut Text, kind: &Kind, settings: &Data) {
    let path = text.path.as_str();
    let own = match kind {
        Kind::Post(_) => "posts",
        Kind::Draft => "drafts",
        Kind::Of(name) => name,
        Kind::Page => "pages",
    };
    let container = data::text_at(settings, "collections_dir").unwrap_or_default();
    let container = format!("{}/", container.trim_matches('/'));
    let short = |path: &str| path.strip_prefix(&container).unwrap_or(path).to_owned();
    let listed = data::get(settings, "defaults").cloned();
    let mut values = Data::new();
    let mut former: Option<(usize, bool)> = None;
    let listed = listed.map(data::list).unwrap_or_default();
    for default in listed.iter().filter_map(Value::as_object) {
        let scope = data::text_at(default, "scope.path").unwrap_or_default();
        let named = data::text_at(default, "scope.type");
        let is_of_kind = named
            .as_deref()
            .is_none_or(|named| named.trim_end_matches('s') == own.trim_end_matches('s'));
        let bare = scope.trim_start_matches('/');
        let is_below = match bare.contains('*') {
            true => {
                Globs::of([bare], Style::default()).0.covers(path)
                    || short(path).starts_with(bare.split('*').next().unwrap_or_default())
                        && Globs::of([&*short(bare)], Style::default()).0.covers(&short(path))
            }
            false => short(path).starts_with(&short(bare)) || path.starts_with(bare),
        };
        let Some(given) = data::table_at(default, "values").filter(|_| is_of_kind && is_below)
        else {
            continue;
        };
        let wins = former.is_none_or(|(length, has_type)| match scope.len() == length {
            true => named.is_some() || !has_type,
            false => scope.len() > length,
        });
        if wins {
            former = Some((scope.len(), named.is_some()));
        }
        for (key, value) in given {
            if wins || !values.contains_key(key) {
                values.insert(key.clone(), value.clone());
            }
        }
    }
    for (key, value) in values {
        // An inherited layout is not a property of the content file itself.
        if key != "layout" {
            text.fields.entry(key).or_insert(value);
        }
    }
}
