//! The content files and settings of another generator's site.

use std::collections::{BTreeMap, HashMap, HashSet};

use fetch::Url;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde_json::Value;

use super::data::{self, Data};
use super::dates;
use super::front::{self, Fault, Fences};
use super::tags::{Form, Replacement, Tag};
use super::tree::{Tree, ending, is_html, split};
use crate::found::{Fate, Hidden, Note, note};
use crate::naming::key;

/// A description of a generator.
pub struct Description {
    /// Name of the source in messages, such as `Hugo site`.
    pub kind: &'static str,
    /// Top-level folders that contain no source files.
    pub without: &'static [&'static str],
    pub fences: Fences,
    pub engine: Engine,
    /// Translates a tag in a content file.
    pub translate: fn(&Tag<'_>, &TagContext<'_>) -> Replacement,
    /// Settings that form the address of the site when they are joined.
    pub address: &'static [&'static str],
    /// Settings, each with the corresponding key of the channel, or `timezone` or `items_per_page`.
    pub settings: &'static [(&'static str, &'static str)],
    /// Other settings that are read, or that only affect how the generator runs. They are separated
    /// by spaces.
    pub others: &'static str,
    /// Name of the table with the theme's settings. It is empty if there is no such table.
    pub theme: &'static str,
    /// Reads the settings and the content files of a folder.
    pub read: fn(&mut Tree) -> Result<Source, String>,
}

/// The content files of a site, and data that they share.
pub struct Source {
    pub description: &'static Description,
    pub base_url: Option<Url>,
    pub zone: TimeZone,
    /// Front matter of the channel.
    pub channel: Data,
    pub texts: Vec<Text>,
    /// Folders whose files are public at the root of the site. Each path ends in `/`, or is empty.
    pub roots: Vec<String>,
    /// Details of authors, by short name.
    pub authors: Data,
    /// Front matter keys of additional taxonomies, which become tags.
    pub taxonomies: Vec<String>,
    /// Labels and positions of navigation entries, by address.
    pub navigation: HashMap<String, (Option<String>, i64)>,
    pub engine: Engine,
    /// Values that tags can refer to, such as `site.title`.
    pub values: Data,
    /// Lines for the new site's `site.toml`.
    pub settings: Vec<(&'static str, String)>,
    /// Languages of the site: the default language first. Empty for a site with one language.
    pub languages: Vec<SourceLanguage>,
    /// Whether the site shows the texts of lists.
    pub shows_list_texts: bool,
    /// Whether links between content files point to translations in the language of the link.
    pub links_in_language: bool,
    /// Whether texts without a translation appear in all languages.
    pub shows_untranslated: bool,
    /// Front matter keys that the items in a folder inherit, by path below `content/items`.
    pub inherited: BTreeMap<String, Vec<&'static str>>,
    /// Former paths that belong to no content file, and the targets of their redirects.
    pub redirects: Vec<(String, String)>,
    /// The paths of [`add_redirect`](Self::add_redirect).
    redirected: HashSet<String>,
    /// Shortcodes that do not show the text between their tags.
    pub silent: Vec<String>,
    /// Shortcodes that show the text between their tags conditionally.
    pub deciding: Vec<String>,
    /// Content files that are left out because the generator does not publish them.
    pub skipped: Vec<Hidden>,
    pub notes: Vec<Note>,
}

/// A language of another generator's site.
#[derive(Debug, Clone, Default)]
pub struct SourceLanguage {
    /// Language tag.
    pub tag: String,
    /// Start of the language's paths, such as `/de`. Empty for paths at the root.
    pub path: String,
    /// Front matter of the language's channel.
    pub channel: Data,
}

/// The delimiters of tags in content files, and the tags that decide whether the text up to their
/// end tag is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Engine {
    pub forms: &'static [Form],
    pub conditions: &'static [&'static str],
}

/// The context in which a tag is translated.
pub struct TagContext<'a> {
    pub source: &'a Source,
    pub text: &'a Text,
}

/// A content file of the site: front matter and a body. It becomes an item or a page.
#[derive(Debug, Clone, Default)]
pub struct Text {
    pub path: String,
    pub fields: Data,
    pub body: String,
    /// Number of lines before the body.
    pub above: usize,
    pub is_html: bool,
    pub is_page: bool,
    /// The reason why the generator does not publish the content file.
    pub hidden: Option<String>,
    /// Template engine of the content file, if it differs from the site's engine.
    pub engine: Option<Engine>,
    /// Whether the content file has a page, but appears in no list and no feed.
    pub is_unlisted: bool,
    /// Front matter keys without a value.
    pub empty: Vec<String>,
    /// Former path of the page.
    pub address: Option<String>,
    /// Whether the content file states its address itself.
    pub states_address: bool,
    /// Folder of an item in the folder of all items, if the generator's addresses depend on folders.
    pub item_folder: String,
    /// Identity in feed readers, if it is not the address.
    pub guid: Option<String>,
    pub segment: Option<String>,
    /// Date from the file name.
    pub date: Option<String>,
    /// Language of the content file. `None` means the site's main language.
    pub language: Option<String>,
    /// Key shared by all translations of the content file.
    pub same: Option<String>,
    /// Folder below `content/items`, for an item of a section or for the text of a section.
    pub section: String,
    /// Whether this is the text of a section. Such a text is also a page.
    pub is_section: bool,
    pub tags: Vec<String>,
    pub aliases: Vec<String>,
    /// Folder that belongs to the content file, including all files in the folder. The path ends in
    /// `/`.
    pub folder: Option<String>,
}

impl Source {
    /// Creates a source with the values of its settings, and without content files.
    pub fn new(description: &'static Description, settings: &Data, authors: Data) -> Self {
        let parts = description.address.iter().filter_map(|key| data::text_at(settings, key));
        let base_url = Url::parse(&parts.collect::<String>()).ok();
        let is_public = |url: &Url| url.host_str().is_some_and(|host| host != "localhost");
        let values = settings.get(description.theme).and_then(Value::as_object);
        let mut source = Self {
            description,
            base_url: base_url.filter(is_public),
            zone: TimeZone::UTC,
            channel: Data::new(),
            texts: Vec::new(),
            roots: Vec::new(),
            authors,
            taxonomies: Vec::new(),
            navigation: HashMap::new(),
            engine: description.engine,
            values: values.cloned().unwrap_or_default(),
            settings: Vec::new(),
            languages: Vec::new(),
            shows_list_texts: false,
            links_in_language: false,
            shows_untranslated: false,
            inherited: BTreeMap::new(),
            redirects: Vec::new(),
            redirected: HashSet::new(),
            silent: Vec::new(),
            deciding: Vec::new(),
            skipped: Vec::new(),
            notes: Vec::new(),
        };
        for (path, key) in description.settings {
            source.take_setting(settings, path, key);
        }
        source
    }

    /// Stores the value of a setting under a key of the channel, unless the key already has a
    /// value.
    pub fn take_setting(&mut self, settings: &Data, path: &str, key: &'static str) {
        let is_known =
            self.channel.contains_key(key) || self.settings.iter().any(|(known, _)| *known == key);
        let Some(value) = data::at(settings, path).filter(|_| !is_known) else {
            return;
        };
        let text = || data::text(value);
        let value = match key {
            "timezone" => {
                let zone = text().and_then(|name| TimeZone::get(&name).ok());
                return self.zone = zone.unwrap_or(TimeZone::UTC);
            }
            "items_per_page" => {
                let count = value.as_u64().map(|count| (key, count.to_string()));
                return self.settings.extend(count);
            }
            "authors" => self.author_list(value.clone()),
            "language" => text().map(|name| name.replace('_', "-").into()),
            _ => text().map(Value::from),
        };
        self.channel.extend(value.map(|value| (key.to_owned(), value)));
    }

    /// Returns authors as names, or as tables with name and address. Short names are replaced with
    /// the details of their authors.
    pub fn author_list(&self, value: Value) -> Option<Value> {
        let named = data::list(value).into_iter().filter_map(|author| {
            let known =
                data::text(&author).and_then(|name| data::get(&self.authors, &name).cloned());
            let Value::Object(table) = known.unwrap_or_else(|| author.clone()) else {
                return data::text(&author).map(Value::from);
            };
            let first = |keys: &[&str]| keys.iter().find_map(|key| data::text_at(&table, key));
            let name = first(&["name", "title", "display_name"]).or_else(|| data::text(&author))?;
            let address = first(&["url", "homepage", "website", "web", "uri", "link"]);
            Some(match address.filter(|url| url.starts_with("http")) {
                Some(url) => serde_json::json!({ "name": name, "url": url }),
                None => name.into(),
            })
        });
        let named: Vec<Value> = named.collect();
        (!named.is_empty()).then(|| named.into())
    }

    pub fn note(&mut self, message: impl Into<String>, place: impl Into<String>) {
        note(&mut self.notes, message, place);
    }

    /// Reports that the text of a list page was left out.
    pub fn report_left_list(&mut self, text: &Text) {
        let message = match text.body.trim() {
            "" => "a list page was left out: feedwright generates its own lists",
            _ => "the text above a list of pages was left out",
        };
        self.note(message, &*text.path);
    }

    /// Adds the text of a section. Removes the text if the site does not show it.
    pub fn add_section(&mut self, mut text: Text, folder: String) {
        if !self.shows_list_texts && !text.body.trim().is_empty() {
            self.report_left_list(&text);
            text.body.clear();
        }
        text.section = folder;
        (text.is_page, text.is_section) = (true, true);
        self.texts.push(text);
    }

    /// Reads a content file. If that fails, reports the reason and returns `None`.
    pub fn read(&mut self, tree: &mut Tree, path: &str) -> Option<Text> {
        let whole = tree.text(path)?;
        let front = match front::read(&whole, self.description.fences) {
            Ok(front) => front,
            Err(Fault::Unreadable(why, line)) => {
                let message =
                    format!("a file was left out because its front matter is invalid: {why}");
                self.note(message, format!("{path}:{line}"));
                return None;
            }
            Err(Fault::Program(language)) => {
                self.report_unpublished(
                    path,
                    format!("its front matter is code ({language}), which was not run"),
                );
                return None;
            }
        };
        Some(Text {
            path: path.to_owned(),
            fields: front.fields,
            empty: front.empty,
            body: whole[front.body..].to_owned(),
            above: whole[..front.body].matches('\n').count(),
            is_html: is_html(path),
            ..Text::default()
        })
    }

    /// Adds a redirect, unless the path already has a redirect.
    pub fn add_redirect(&mut self, from: String, to: String) {
        if from != to && self.redirected.insert(from.clone()) {
            self.redirects.push((from, to));
        }
    }

    /// Reports that a content file was left out because the generator does not publish it.
    pub fn report_unpublished(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(Hidden {
            place: path.into(),
            reason: reason.into(),
            fate: Fate::LeftOut,
        });
    }

    /// Redirects list pages to the home page, unless an imported content file has the same address.
    pub fn redirect_lists(&mut self, lists: impl IntoIterator<Item = String>) {
        let addresses = self.texts.iter().filter_map(|text| text.address.as_deref());
        let taken: Vec<String> = addresses.map(key).collect();
        let free = lists.into_iter().filter(|list| !taken.contains(list));
        self.redirects.extend(free.map(|list| (format!("/{list}/"), "/".to_owned())));
    }

    /// Reports settings that were not imported.
    pub fn report_unread_settings(&mut self, settings: &Data, place: &str) {
        let Description { settings: taken, others, address, theme, .. } = *self.description;
        let taken = taken.iter().map(|(path, _)| *path);
        let read: Vec<&str> =
            taken.chain(others.split(' ')).chain(address.iter().copied()).collect();
        let is_read = |key: &str| {
            let mut names =
                read.iter().flat_map(|path| [*path, path.split('.').next().unwrap_or(path)]);
            names.any(|name| name.eq_ignore_ascii_case(key))
        };
        let own: Vec<String> = settings.keys().cloned().collect();
        let of_theme = self.values.keys().filter(|_| !theme.is_empty());
        let of_theme = of_theme.map(|key| format!("{theme}.{key}")).collect();
        for (what, keys) in [("settings", own), ("theme settings", of_theme)] {
            let skipped = keys.iter().filter(|key| !is_read(key)).map(|key| format!("`{key}`"));
            let skipped: Vec<String> = skipped.collect();
            if !skipped.is_empty() {
                self.note(
                    format!(
                        "these {what} were not imported, because feedwright has no equivalent: {}",
                        skipped.join(", ")
                    ),
                    place,
                );
            }
        }
    }

    /// Returns the path of the base address, without a trailing slash.
    pub fn base_path(&self) -> &str {
        self.base_url.as_ref().map_or("", |url| url.path().trim_end_matches('/'))
    }
}

impl Text {
    /// Returns the file name without its extension, or the name of the folder for an `index` file.
    pub fn stem(&self) -> &str {
        let (folder, name) = split(&self.path);
        match ending(name).0 {
            "index" => split(folder).1,
            stem => stem,
        }
    }

    pub fn has_date(&self) -> bool {
        data::get(&self.fields, "date").is_some() || self.date.is_some()
    }

    /// Returns whether the content file is the home page or the error page. Both are generated from
    /// templates.
    pub fn is_template(&self) -> bool {
        self.address.as_deref().map(key).is_some_and(|key| key.is_empty() || key == "404")
    }

    /// Returns the publication date and time in the author's time zone.
    pub fn moment(&self, zone: &TimeZone) -> Option<DateTime> {
        let text = data::text_at(&self.fields, "date").or_else(|| self.date.clone())?;
        dates::civil(&text, zone)
    }

    /// Returns the line number of a tag in the file.
    pub fn line_of(&self, tag: &Tag<'_>) -> usize {
        self.above + tag.line() + 1
    }

    /// Hides the content file. If it is hidden several times, the first reason is kept.
    pub fn hide(&mut self, reason: impl Into<String>) {
        self.hidden.get_or_insert_with(|| reason.into());
    }
}

/// Splits a name that starts with a date into the date and the rest.
pub fn dated(name: &str) -> Option<(&str, &str)> {
    let (day, rest) = (name.get(..10)?, name.get(10..)?);
    let rest = rest.strip_prefix(['-', '_'])?;
    day.parse::<Date>().ok().map(|_| (day, rest))
}

/// Returns a name without the date at its start.
pub fn without_day(name: &str) -> &str {
    dated(name).map_or(name, |(_, rest)| rest)
}

/// Replaces the tokens in a pattern such as `/:year/:title/`. Returns `None` if a token has no
/// value.
pub fn expand_pattern(pattern: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(':') {
        out += &rest[..at];
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        // A range in brackets selects parts of the value, as in `:sections[1:]`.
        let range = rest[end..].find(']').filter(|_| rest[end..].starts_with('['));
        let end = end + range.map_or(0, |range| range + 1);
        out += &value(&rest[..end])?;
        rest = &rest[end..];
    }
    out += rest;
    while out.contains("//") {
        out = out.replace("//", "/");
    }
    Some(if out.starts_with('/') { out } else { format!("/{out}") })
}

/// Returns the value of a token that depends on the date.
pub fn date_token(token: &str, at: DateTime) -> Option<String> {
    let form = match token {
        "year" => "%Y",
        "short_year" => "%y",
        "month" => "%m",
        "i_month" => "%-m",
        "monthname" | "long_month" => "%B",
        "short_month" => "%b",
        "day" => "%d",
        "i_day" => "%-d",
        "weekday" => "%w",
        "weekdayname" | "long_day" => "%A",
        "short_day" => "%a",
        "yearday" => "%-j",
        "y_day" => "%j",
        "week" => "%V",
        "hour" => "%H",
        "minute" => "%M",
        "second" => "%S",
        _ => return None,
    };
    jiff::fmt::strtime::format(form, at).ok()
}
