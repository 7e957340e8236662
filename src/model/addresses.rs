//! Addresses of pages: the patterns of `[addresses]` in `site.toml`.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use unicode_normalization::UnicodeNormalization;

use super::declare::keys;
use super::shape::Kind::{self, Own};
use super::shape::Written::Plain;
use super::{Item, Languages, Sections, Slug};

keys! {
    /// Keys of `[addresses]` in `site.toml`.
    ADDRESSES {
        /// [pattern](addresses.md#patterns) of the addresses of items
        Optional "items", PATTERN, left_out("`/i/<segment>/`");
        /// pattern for items with audio or video
        Optional "episodes", PATTERN, left_out("as `items`");
        /// pattern for items with a picture as attachment
        Optional "photos", PATTERN, left_out("as `items`");
        /// pattern for items whose `url` is an address elsewhere
        Optional "links", PATTERN, left_out("as `items`");
        /// patterns for the items in a folder, by its path below `content/items`; they come before
        /// patterns for kinds of item
        Optional "folders", Own("table", &[Each(&[Plain])]);
        /// whether the address of a page contains the folders of its file:
        /// `content/pages/docs/setup.md` is `/docs/setup/`
        Optional "nested_pages", Flag => false;
    }
}

const PATTERN: Kind = Own("pattern", &[Plain]);

/// Patterns of addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Addresses {
    /// Pattern for all items that no other pattern applies to. `None` means `/i/<segment>/`.
    pub items: Option<AddressPattern>,
    pub episodes: Option<AddressPattern>,
    pub photos: Option<AddressPattern>,
    pub links: Option<AddressPattern>,
    /// Patterns by folder. A folder is a path that ends in `/`. Inner folders come first.
    pub folders: Vec<(String, AddressPattern)>,
    pub nested_pages: bool,
    /// Sections of the snapshot, which `{section}` depends on. Empty in `site.toml`.
    pub sections: Sections,
}

impl Addresses {
    /// Returns the pattern for an item, with its key or its folder.
    pub fn pattern_of(&self, item: &Item) -> Option<(&str, &AddressPattern)> {
        let mut folders = self.folders.iter();
        if let Some((folder, pattern)) = folders.find(|(folder, _)| item.is_below(folder)) {
            return Some((folder, pattern));
        }
        let (key, of_kind) = match item {
            item if item.is_episode() => ("episodes", &self.episodes),
            item if item.is_photo() => ("photos", &self.photos),
            item if item.url.is_some() => ("links", &self.links),
            _ => ("items", &self.items),
        };
        let of_kind = of_kind.as_ref().map(|pattern| (key, pattern));
        of_kind.or_else(|| Some(("items", self.items.as_ref()?)))
    }

    /// Returns whether there is a pattern for items.
    pub fn has_patterns(&self) -> bool {
        let of_kinds = [&self.items, &self.episodes, &self.photos, &self.links];
        !self.folders.is_empty() || of_kinds.into_iter().any(Option::is_some)
    }

    /// Returns the path of an item's page, if a pattern applies to the item. An error is the
    /// placeholder for which the item has no value.
    pub fn path_of(
        &self,
        item: &Item,
        languages: &Languages,
        zone: &TimeZone,
    ) -> Option<Result<String, Placeholder>> {
        let (_, pattern) = self.pattern_of(item)?;
        let language = languages.index(item.language.as_deref());
        Some(pattern.fill(|value| match value {
            Placeholder::Section => {
                let section = self.sections.of_item(item, language).next();
                Some(section.map_or_else(String::new, |section| section.slug.clone()))
            }
            Placeholder::Language => Some(languages.code(language)),
            value => value.of_item(item, zone),
        }))
    }

    /// Returns the front matter keys that determine the address of an item, for a message: "`slug`".
    pub fn keys_of(&self, item: &Item) -> String {
        let mut keys = match self.pattern_of(item) {
            Some((_, pattern)) => pattern.keys(),
            None => vec!["slug"],
        };
        keys.dedup();
        let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        keys.join(" or ")
    }

    /// Returns the maximum number of parts in an address of a page, or of an item that a pattern
    /// applies to.
    pub fn max_parts(&self) -> usize {
        let of_kinds = [&self.items, &self.episodes, &self.photos, &self.links];
        let of_folders = self.folders.iter().map(|(_, pattern)| pattern);
        let patterns = of_kinds.into_iter().flatten().chain(of_folders);
        let of_pages = if self.nested_pages { AddressPattern::MAX_PARTS } else { 1 };
        let of_sections = self.sections.max_parts();
        let parts = patterns.map(|pattern| pattern.parts() + of_sections.saturating_sub(1));
        parts.fold(of_pages.max(of_sections), usize::max).min(AddressPattern::MAX_PARTS)
    }
}

/// A pattern of addresses, such as `/{year}/{slug}/`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AddressPattern(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Part {
    Text(String),
    Value(Placeholder),
}

/// A placeholder of an [`AddressPattern`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Placeholder {
    Year,
    Month,
    Day,
    Slug,
    Id,
    Section,
    Season,
    Episode,
    Language,
}

impl Placeholder {
    const ALL: [(&str, Self); 9] = [
        ("year", Self::Year),
        ("month", Self::Month),
        ("day", Self::Day),
        ("slug", Self::Slug),
        ("id", Self::Id),
        ("section", Self::Section),
        ("season", Self::Season),
        ("episode", Self::Episode),
        ("language", Self::Language),
    ];

    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, placeholder)| *placeholder == self).map_or("", |(name, _)| name)
    }

    /// Returns the front matter key that provides the value.
    pub fn key(self) -> &'static str {
        match self {
            Self::Year | Self::Month | Self::Day => "date_published",
            Self::Slug => "slug",
            Self::Id => "id",
            Self::Section => "section.md",
            Self::Season => "itunes.season",
            Self::Episode => "itunes.episode",
            Self::Language => "language",
        }
    }

    fn of_item(self, item: &Item, zone: &TimeZone) -> Option<String> {
        match self {
            Self::Year | Self::Month | Self::Day => {
                self.of_date(zone.to_datetime(item.date_published?).date())
            }
            Self::Slug => Some(slug(item)),
            Self::Id => Some(item.id.to_string()),
            Self::Section | Self::Language => None,
            Self::Season => Some(item.season()?.to_string()),
            Self::Episode => Some(item.episode()?.to_string()),
        }
    }

    /// Returns the value of a placeholder for a part of a date.
    pub fn of_date(self, date: Date) -> Option<String> {
        match self {
            Self::Year => Some(format!("{:04}", date.year())),
            Self::Month => Some(format!("{:02}", date.month())),
            Self::Day => Some(format!("{:02}", date.day())),
            _ => None,
        }
    }
}

impl AddressPattern {
    /// Maximum number of parts between slashes.
    pub const MAX_PARTS: usize = 6;

    fn keys(&self) -> Vec<&'static str> {
        let keys = self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Value(value) => Some(value.key()),
        });
        keys.collect()
    }

    fn parts(&self) -> usize {
        let slashes = self.0.iter().map(|part| match part {
            Part::Text(text) => text.matches('/').count(),
            Part::Value(_) => 0,
        });
        slashes.sum::<usize>().saturating_sub(1)
    }

    /// Parses a pattern. The error explains what to write instead.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text: String = text.nfc().collect();
        if text.len() < 3 || !text.starts_with('/') || !text.ends_with('/') {
            return Err(
                "write a path that starts and ends with /, such as \"/{year}/{slug}/\"".into()
            );
        }
        if text[1..text.len() - 1].split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err("write a path without empty, `.` and `..` parts".into());
        }
        if text.contains("/.") || text.starts_with("/_") {
            return Err("start parts with a letter or digit".into());
        }
        let mut folders = text.split('/');
        if folders.any(|part| part.contains("{section}") && part != "{section}") {
            return Err("write {section} directly between two slashes".into());
        }
        let mut parts = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, inner)) = rest.split_once('{') {
            parts.push(Part::Text(before.to_owned()));
            let (name, after) = inner.split_once('}').unwrap_or((inner, ""));
            let known = Placeholder::ALL.into_iter().find(|(known, _)| *known == name);
            let Some((_, placeholder)) = known else {
                let names = Placeholder::ALL.map(|(name, _)| format!("{{{name}}}"));
                return Err(format!("a pattern can contain {}", names.join(", ")));
            };
            parts.push(Part::Value(placeholder));
            rest = after;
        }
        parts.push(Part::Text(rest.to_owned()));
        let is_allowed = |c: char| matches!(c, '/' | '-' | '_' | '.') || c.is_alphanumeric();
        let mut texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Value(_) => None,
        });
        if !texts.all(|text| text.chars().all(is_allowed)) {
            return Err(
                "use only letters, digits, `-`, `_`, `.`, `/` and placeholders in braces".into()
            );
        }
        let values = [Placeholder::Slug, Placeholder::Id, Placeholder::Episode];
        if !values.into_iter().any(|value| parts.contains(&Part::Value(value))) {
            return Err(
                "add {slug}, {id} or {episode}, so that each item gets its own address".into()
            );
        }
        let pattern = Self(parts);
        if pattern.parts() > Self::MAX_PARTS {
            return Err(format!("write at most {} parts between slashes", Self::MAX_PARTS));
        }
        Ok(pattern)
    }

    /// Returns the path with these values. A part of the path without text is left out. An error
    /// is a placeholder without a value.
    pub fn fill(
        &self,
        value: impl Fn(Placeholder) -> Option<String>,
    ) -> Result<String, Placeholder> {
        let mut path = String::with_capacity(64);
        for part in &self.0 {
            match part {
                Part::Text(text) if path.ends_with('/') => {
                    path.push_str(text.strip_prefix('/').unwrap_or(text));
                }
                Part::Text(text) => path.push_str(text),
                Part::Value(own) => path.push_str(&value(*own).ok_or(*own)?),
            }
        }
        Ok(path)
    }
}

/// Returns the slug of an item in patterns: its `slug`, or else the name of its file or folder
/// without a date, or else its id.
fn slug(item: &Item) -> String {
    if let Some(slug) = &item.slug {
        return slug.to_string();
    }
    let path = item.text_path();
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_dated = name.get(..10).is_some_and(|date| date.parse::<Date>().is_ok());
    let name = if is_dated { &name[10..] } else { name };
    Slug::from_title(name).map_or_else(|| item.id.to_string(), |slug| slug.to_string())
}
