//! The front matter keys of dates, as configured in the settings of a Hugo site.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::folder::data::{self, Data, texts_at};
use crate::folder::dates::instant;
use crate::folder::source::{Text, dated};

/// The front matter keys for each kind of date, in order of precedence.
pub struct DateKeys {
    date: Vec<String>,
    lastmod: Vec<String>,
    publish: Vec<String>,
    expiry: Vec<String>,
}

/// Dates of a content file that are not stored in its front matter.
#[derive(Default)]
pub struct Dates {
    pub expiry: Option<Timestamp>,
    /// The first unreadable date, as `key: value`.
    pub unreadable: Option<String>,
    /// The first unreadable modification date, as `key: value`.
    pub unreadable_change: Option<String>,
}

impl DateKeys {
    pub fn of(settings: &Data) -> Self {
        let keys = |key: &str, usual: &[&str]| {
            let named = texts_at(settings, &format!("frontmatter.{key}"));
            let usual = || usual.iter().map(|key| (*key).to_owned());
            let named: Vec<String> = match named.is_empty() {
                true => usual().collect(),
                false => named.iter().map(|name| name.to_lowercase()).collect(),
            };
            let expanded = named.into_iter().flat_map(|name| match &*name {
                ":default" => usual().collect(),
                _ => vec![name],
            });
            let mut all: Vec<String> = expanded.flat_map(with_aliases).collect();
            let mut seen = Vec::new();
            all.retain(|name| {
                let is_new = !seen.contains(name);
                seen.push(name.clone());
                is_new
            });
            all
        };
        Self {
            date: keys("date", &["date", "publishdate", "lastmod"]),
            lastmod: keys("lastmod", &[":git", "lastmod", "date", "publishdate"]),
            publish: keys("publishdate", &["publishdate", "date"]),
            expiry: keys("expirydate", &["expirydate"]),
        }
    }

    /// Returns all front matter keys that contain dates.
    pub fn names(&self) -> Vec<String> {
        let lists = [&self.date, &self.lastmod, &self.publish, &self.expiry];
        let names = lists.into_iter().flatten();
        names.filter(|name| !name.starts_with(':')).cloned().collect()
    }

    /// Reads the dates of a content file, and stores them in its front matter as `date` and
    /// `lastmod`. `name` is the name of the file or bundle, which may start with a date.
    pub fn read(&self, text: &mut Text, name: &str, zone: &TimeZone) -> Dates {
        let mut dates = Dates::default();
        let day = dated(name).map(|(day, _)| day.to_owned());
        let unreadable = std::cell::RefCell::new(None);
        let first = |keys: &[String], date: Option<&str>, fields: &Data| {
            keys.iter().find_map(|key| {
                let written = match &**key {
                    ":filename" => day.clone()?,
                    key => data::text_at(fields, key)
                        .or_else(|| date.filter(|_| key == "date").map(str::to_owned))?,
                };
                // The key `published` can also be a flag.
                if key == "published" && !written.contains(char::is_numeric) {
                    return None;
                }
                let at = instant(&written, zone);
                if at.is_none() {
                    let mut first = unreadable.borrow_mut();
                    first.get_or_insert_with(|| format!("{key}: {written}"));
                }
                // A date in the year 1 means that there is no date.
                at.filter(|at| at.as_second() > -62_000_000_000).map(|at| (written, at))
            })
        };
        let date = first(&self.date, None, &text.fields);
        let written = date.as_ref().map(|(written, _)| written.as_str());
        let publish = first(&self.publish, written, &text.fields);
        let expiry = first(&self.expiry, None, &text.fields);
        dates.unreadable = unreadable.take();
        let own: Vec<String> = self
            .lastmod
            .iter()
            .filter(|key| !["date", "publishdate", "pubdate", "published"].contains(&key.as_str()))
            .cloned()
            .collect();
        let lastmod = first(&own, None, &text.fields);
        dates.unreadable_change = unreadable.take();
        for key in self.names() {
            let is_flag = key == "published"
                && data::get(&text.fields, &key)
                    .is_some_and(|value| data::is_false(value) || data::is_true(value));
            if !is_flag {
                data::take(&mut text.fields, &[&key]);
            }
        }
        let now = Timestamp::now();
        let waits = |(_, at): &&(String, Timestamp)| *at > now;
        let shown = match (&date, &publish) {
            (_, Some(publish)) if waits(&publish) => Some(publish),
            (Some(date), publish) if waits(&date) => publish.as_ref(),
            (date, publish) => date.as_ref().or(publish.as_ref()),
        };
        let mut put = |key: &str, found: Option<&(String, Timestamp)>| {
            let value = found.map(|(written, _)| (key.to_owned(), Value::from(&**written)));
            text.fields.extend(value);
        };
        put("date", shown);
        put("lastmod", lastmod.as_ref());
        dates.expiry = expiry.map(|(_, at)| at);
        dates
    }
}

fn with_aliases(key: String) -> Vec<String> {
    let aliases: &[&str] = match &*key {
        "lastmod" => &["modified"],
        "publishdate" => &["pubdate", "published"],
        "expirydate" => &["unpublishdate"],
        _ => &[],
    };
    let aliases = aliases.iter().map(|alias| (*alias).to_owned());
    std::iter::once(key).chain(aliases).collect()
}
