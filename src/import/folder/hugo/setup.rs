//! The settings of a Hugo site. They determine which files are content files.

use std::collections::BTreeSet;

use regex::RegexSet;
use serde_json::Value;

use crate::folder::data::{self, Data, texts_at};
use crate::folder::fields;
use crate::folder::globs::{Globs, Style};
use crate::folder::tree::{Tree, ending, prefix, split};
use crate::found::Note;

/// The settings of a Hugo site, parsed as far as the import needs them.
pub struct Setup {
    pub data: Data,
    /// Languages, starting with the default language.
    pub languages: Vec<Language>,
    pub in_subfolder: bool,
    mounts: Vec<Mount>,
    ignored: RegexSet,
}

pub struct Language {
    /// Name in the settings and in paths.
    pub name: String,
    /// Language tag.
    pub tag: String,
    /// Language tag with a region, if the settings have one.
    pub locale: Option<String>,
    pub is_disabled: bool,
    /// Address of a language with its own host, whose paths do not contain its name.
    pub base_url: Option<String>,
    weight: i64,
    folder: Option<String>,
}

/// A folder that contains content files.
struct Mount {
    /// Path of the folder, ending in `/`.
    folder: String,
    /// The path below `content` at which the files appear. It is empty, or ends in `/`.
    target: String,
    language: Option<String>,
    included: Option<Globs>,
    excluded: Globs,
}

/// The location of a content file in the site.
pub struct Place<'s> {
    /// Path below the content folder, without a language code.
    pub inner: String,
    pub language: Option<&'s Language>,
    /// The reason why Hugo ignores the file, if it does.
    pub ignored: Option<&'static str>,
}

impl Place<'_> {
    /// Returns whether this is the main file of a bundle.
    pub fn is_index(&self) -> bool {
        ending(split(&self.inner).1).0 == "index"
    }
}

impl Setup {
    pub fn of(data: Data, tree: &mut Tree) -> Self {
        let usual = data::text_at(&data, "defaultcontentlanguage").unwrap_or_else(|| "en".into());
        let named = data::get(&data, "languages").and_then(Value::as_object);
        let disabled = texts_at(&data, "disablelanguages");
        let mut languages: Vec<Language> = named
            .into_iter()
            .flatten()
            .map(|(name, language)| {
                let language = language.as_object();
                let text = |key| language.and_then(|language| data::text_at(language, key));
                let flag = language.and_then(|language| data::get(language, "disabled"));
                let locale = text("locale").or_else(|| text("languagecode"));
                let weight = language.and_then(|language| data::get(language, "weight"));
                Language {
                    name: name.clone(),
                    tag: tag(name, locale.as_deref()),
                    locale: locale.map(|locale| fields::tag(&locale)),
                    weight: weight.and_then(Value::as_i64).filter(|at| *at > 0).unwrap_or(i64::MAX),
                    is_disabled: disabled.contains(name) || flag.is_some_and(data::is_true),
                    base_url: text("baseurl"),
                    folder: text("contentdir").map(|folder| prefix(&folder)),
                }
            })
            .collect();
        languages.sort_by_key(|language| (language.name != usual, language.weight));
        let patterns = texts_at(&data, "ignorefiles");
        let ignored = RegexSet::new(&patterns).unwrap_or_else(|_| {
            let message = "`ignoreFiles` has an invalid pattern and was not applied; files that it excludes may be imported";
            tree.notes.push(Note::new(message, "the settings"));
            RegexSet::empty()
        });
        Self {
            in_subfolder: data::is_set(&data, "defaultcontentlanguageinsubdir"),
            mounts: mounts(&data, &languages, tree),
            languages,
            ignored,
            data,
        }
    }

    /// Returns the default language, which applies to content files without a specified language.
    pub fn usual(&self) -> Option<&Language> {
        self.languages.first()
    }

    pub fn is_true(&self, key: &str) -> bool {
        data::is_set(&self.data, key)
    }

    /// Returns the location of a file in the site, or `None` if the file is outside the content
    /// folders.
    pub fn place(&self, tree: &Tree, path: &str) -> Option<Place<'_>> {
        let below = |mount: &&Mount| path.starts_with(&mount.folder);
        // If several mounted folders contain the file, the innermost folder is used.
        let mount = self.mounts.iter().filter(below).max_by_key(|mount| mount.folder.len())?;
        let own = path.strip_prefix(&mount.folder)?;
        let is_left = mount.excluded.covers(own)
            || mount.included.as_ref().is_some_and(|globs| !globs.covers(own));
        let whole = tree.files.get(path).map(|file| file.to_string_lossy());
        let ignored = match whole {
            Some(whole) if self.ignored.is_match(&whole) => {
                Some("excluded by `ignoreFiles` in the settings")
            }
            _ if is_left => Some("excluded by the mounts in the settings"),
            _ => None,
        };
        let inner = format!("{}{own}", mount.target);
        let of_mount = mount.language.as_ref();
        let language =
            of_mount.and_then(|name| self.languages.iter().find(|one| one.name == *name));
        let language = language.or_else(|| self.usual());
        let (stem, kind) = ending(&inner);
        let suffix = stem.rsplit_once('.').and_then(|(stem, suffix)| {
            let named = self.languages.iter().find(|one| one.name.eq_ignore_ascii_case(suffix))?;
            Some((format!("{stem}.{kind}"), Some(named)))
        });
        let (inner, language) = suffix.unwrap_or((inner, language));
        Some(Place { inner, language, ignored })
    }

    /// Returns the path prefix of a language's addresses, such as `/de`. It is empty if the
    /// language has no prefix.
    pub fn path_of(&self, language: Option<&Language>) -> String {
        let usual = self.usual().map(|usual| &usual.name);
        match language {
            Some(language) if language.base_url.is_some() => String::new(),
            Some(language) if self.in_subfolder || Some(&language.name) != usual => {
                format!("/{}", language.name)
            }
            _ => String::new(),
        }
    }

    /// Returns the languages with pages, starting with the default language. The result is empty for
    /// a site with one language.
    pub fn enabled(&self) -> impl Iterator<Item = &Language> {
        let is_multilingual = self.languages.len() > 1;
        self.languages.iter().filter(move |own| is_multilingual && !own.is_disabled)
    }

    /// Returns the value of a setting, which languages can override.
    pub fn value(&self, language: Option<&Language>, key: &str) -> Option<&Value> {
        let own = language.map(|language| format!("languages.{}.{key}", language.name));
        own.and_then(|key| data::at(&self.data, &key)).or_else(|| data::at(&self.data, key))
    }

    /// Returns the plural names of the taxonomies in all languages, as far as the settings name them.
    pub fn taxonomies(&self) -> Vec<String> {
        let of_languages =
            self.languages.iter().map(|own| format!("languages.{}.taxonomies", own.name));
        let keys = std::iter::once("taxonomies".to_owned()).chain(of_languages);
        let tables = keys.filter_map(|key| data::at(&self.data, &key)?.as_object());
        let names: BTreeSet<String> =
            tables.flat_map(|table| table.values().filter_map(data::text)).collect();
        names.into_iter().collect()
    }

    /// Returns the plural names of the taxonomies, or else of Hugo's default taxonomies.
    pub fn taxonomies_or_default(&self) -> Vec<String> {
        let own = self.taxonomies();
        if own.is_empty() { ["categories", "tags"].map(str::to_owned).into() } else { own }
    }

    /// Returns the cascades in the settings that apply to a language.
    pub fn cascades(&self, language: Option<&Language>) -> impl Iterator<Item = &Value> {
        let own = language.map(|language| format!("languages.{}.cascade", language.name));
        let own = own.and_then(|key| data::at(&self.data, &key));
        own.into_iter().chain(data::get(&self.data, "cascade"))
    }
}

/// Returns the tag of a language: its name in the settings, unless that is not the start of its
/// locale, as in `cn` for `zh-CN`.
fn tag(name: &str, locale: Option<&str>) -> String {
    let locale = locale.map(fields::tag);
    let is_region = locale.as_ref().is_some_and(|locale| locale.eq_ignore_ascii_case(name));
    let is_start = locale.as_ref().is_none_or(|locale| model::is_in_language(locale, name));
    match locale {
        Some(locale) if is_region || !is_start => locale,
        _ => fields::tag(name),
    }
}

fn mounts(settings: &Data, languages: &[Language], tree: &mut Tree) -> Vec<Mount> {
    let plain = |folder: String, language: Option<String>| Mount {
        folder,
        target: String::new(),
        language,
        included: None,
        excluded: Globs::of([""; 0], Style::default()).0,
    };
    let listed = data::at(settings, "module.mounts").cloned();
    let listed = listed.map(data::list).unwrap_or_default();
    let mut mounts: Vec<Mount> =
        listed.iter().filter_map(Value::as_object).filter_map(|table| mount(table, tree)).collect();
    if !mounts.is_empty() {
        return mounts;
    }
    let own = languages
        .iter()
        .filter_map(|language| Some(plain(language.folder.clone()?, Some(language.name.clone()))));
    mounts.extend(own);
    // The default content folder is also read if a language has no separate folder.
    let without = languages.iter().find(|language| language.folder.is_none());
    if languages.is_empty() || without.is_some() {
        let base = data::text_at(settings, "contentdir").unwrap_or_else(|| "content".into());
        mounts.push(plain(prefix(&base), without.map(|language| language.name.clone())));
    }
    mounts
}

fn mount(table: &Data, tree: &mut Tree) -> Option<Mount> {
    let target = data::text_at(table, "target")?;
    let inner = target.trim_matches('/').strip_prefix("content")?;
    if !inner.is_empty() && !inner.starts_with('/') {
        return None;
    }
    let source = data::text_at(table, "source")?;
    let (mut included, mut excluded) =
        (texts_at(table, "includefiles"), texts_at(table, "excludefiles"));
    for pattern in texts_at(table, "files") {
        match pattern.strip_prefix('!') {
            Some(pattern) => excluded.push(pattern.trim().to_owned()),
            None => included.push(pattern),
        }
    }
    let mut globs = |patterns: &[String]| {
        let patterns = patterns.iter().map(|pattern| pattern.trim_start_matches('/'));
        let (globs, unreadable) = Globs::of(patterns, Style::ANY_CASE);
        for pattern in unreadable {
            let message = format!("the pattern `{pattern}` of a mount is invalid and was ignored");
            tree.notes.push(Note::new(message, "the settings"));
        }
        globs
    };
    let language = data::text_at(table, "lang")
        .or_else(|| texts_at(table, "sites.matrix.languages").into_iter().next());
    Some(Mount {
        folder: prefix(&source),
        target: prefix(inner),
        language,
        included: (!included.is_empty()).then(|| globs(&included)),
        excluded: globs(&excluded),
    })
}

/// Reads `hugo.toml` or `config.toml`, then the files in `config/`, each of which is named after a
/// key of the settings.
pub fn settings(tree: &mut Tree) -> Data {
    let of_root = ["hugo", "config"]
        .into_iter()
        .flat_map(|name| ["toml", "yaml", "yml", "json"].map(|ending| format!("{name}.{ending}")));
    let root = of_root.into_iter().find(|path| tree.has(path));
    let folders = ["config/_default/", "config/production/"];
    let mut paths: Vec<String> = root.into_iter().collect();
    for folder in folders {
        let mut inner: Vec<String> = tree.below(folder).cloned().collect();
        // The file that can contain all keys comes first.
        inner.sort_by_key(|path| !matches!(ending(split(path).1).0, "hugo" | "config"));
        paths.extend(inner);
    }
    let mut settings = Data::new();
    for path in paths {
        let (name, kind) = ending(split(&path).1);
        if !matches!(kind, "toml" | "yaml" | "yml" | "json") {
            continue;
        }
        let read = tree.text(&path).and_then(|text| data::of_file(&path, &text));
        let Some(read) = read else {
            tree.notes.push(Note::new("the settings in this file cannot be read", &*path));
            continue;
        };
        let held = match name {
            "hugo" | "config" => read,
            name => {
                let mut parts = name.splitn(2, '.');
                let key = parts.next().unwrap_or_default().to_owned();
                let value = match read.get("list") {
                    Some(list) if read.len() == 1 => list.clone(),
                    _ => read.into(),
                };
                let inner = Data::from_iter([(key, value)]);
                match parts.next() {
                    // A file such as `menus.de.toml` applies to one language.
                    Some(language) => {
                        let inner = Data::from_iter([(language.to_owned(), inner.into())]);
                        Data::from_iter([("languages".to_owned(), inner.into())])
                    }
                    None => inner,
                }
            }
        };
        data::merge(&mut settings, held);
    }
    settings
}
