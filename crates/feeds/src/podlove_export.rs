//! Podlove Publisher's own export: the tables of its database, as one group of elements per table.
//!
//! It complements a WordPress export, which contains the text and the dates of the episodes. Table
//! rows are converted to the format of Podlove's API, and then read like responses of that API.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::element::{Element, parse};
use crate::feed::{Author, Channel, Faults, Item, Text};
use crate::json_value::{Keys, text};
use crate::podlove::{Contributors, chapters, episode, files, people, transcript};
use crate::text::decode_text;

/// The tables of an export.
#[derive(Debug, Clone, Default)]
pub struct Export {
    tables: HashMap<String, Vec<Keys>>,
    /// Settings by name, as lists in PHP's serialized format.
    options: HashMap<String, String>,
}

impl Export {
    /// Parses an export. Returns None if the bytes are not an export of Podlove.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (text, _) = decode_text(bytes, None);
        let root = parse(&text, &mut Faults::default())?;
        if local_name(&root) != "export" || root.attribute("podlove-publisher-version").is_none() {
            return None;
        }
        let mut export = Self::default();
        for group in root.elements() {
            match local_name(group) {
                "options" => {
                    let options = group.elements().map(|one| (local_name(one).into(), one.text()));
                    export.options = options.collect();
                }
                name => {
                    let rows = group.elements().map(|row| {
                        let cells = row.elements().map(|one| (local_name(one), one.text()));
                        Map::from_iter(cells.map(|(name, text)| (name.to_owned(), text.into())))
                    });
                    export.tables.insert(name.to_owned(), rows.collect());
                }
            }
        }
        Some(export)
    }

    /// Adds Podlove's data about a WordPress entry, if the entry is an episode.
    pub fn add_episode(&self, item: &mut Item) -> Option<()> {
        let post = &item.wordpress.as_ref()?.id;
        let mut row = self.find("episodes", "post_id", post)?.clone();
        let id = cell(&row, "id").to_owned();
        files(self.files(&row), item);
        chapters(json!({ "chapters": parse_chapters(cell(&row, "chapters")) }), item);
        let contributions = self.rows_of("contributor-episode-contributions", &id, "position");
        let known = Contributors::new(
            Some(json!({ "contributors": self.contributors() })),
            Some(json!({ "roles": self.table("contributor-roles") })),
        );
        people(json!({ "contribution": contributions }), &known, item);
        transcript(self.transcript(&id), item);
        for (own, answered) in [("title", "title_clean"), ("cover_art", "episode_poster")] {
            let value = row.remove(own);
            row.extend(value.map(|value| (answered.to_owned(), value)));
        }
        row.extend(self.season(item).map(|number| ("season_id".into(), number.into())));
        episode(Value::Object(row), item)
    }

    /// Adds Podlove's data about the show.
    pub fn add_show(&self, channel: &mut Channel) {
        let show = |key: &str| self.option("podlove_podcast", key);
        channel.title = show("title").or(channel.title.take());
        let about = show("summary").or_else(|| show("subtitle"));
        channel.description = about.map(Text::Plain).or(channel.description.take());
        channel.image = show("cover_image").or(channel.image.take());
        channel.copyright = show("copyright").or(channel.copyright.take());
        let named = |name: Option<String>, email| {
            name.map(|name| Author { name, email, ..Author::default() })
        };
        if channel.authors.is_empty() {
            channel.authors.extend(named(show("author_name"), None));
        }
        channel.owner = named(show("owner_name"), show("owner_email")).or(channel.owner.take());
    }

    /// Returns the media files of an episode. A file name consists of the episode's slug, a suffix
    /// for the type of asset, and a file extension.
    fn files(&self, episode: &Keys) -> Value {
        let base = self.option("podlove_podcast", "media_file_base_uri");
        let base = base.map_or_else(String::new, |base| format!("{}/", base.trim_end_matches('/')));
        let form = self.option("podlove_website", "url_template");
        let form = form.unwrap_or_else(|| {
            "%media_file_base_url%%episode_slug%%suffix%.%format_extension%".to_owned()
        });
        let slug = encode_path(cell(episode, "slug"));
        let rows = self.rows_of("mediafiles", cell(episode, "id"), "id");
        let files = rows.into_iter().filter_map(|row| {
            let asset = self.find("assets", "id", cell(row, "episode_asset_id"))?;
            let kind = self.find("filetypes", "id", cell(asset, "file_type_id"))?;
            let url = form
                .replace("%media_file_base_url%", &base)
                .replace("%episode_slug%", &slug)
                .replace("%suffix%", cell(asset, "suffix"))
                .replace("%format_extension%", cell(kind, "extension"));
            // Versions without the `active` column only stored files that existed.
            let is_used = !matches!(cell(row, "active"), "0");
            Some(json!({ "enable": is_used, "url": url, "size": cell(row, "size"), "asset": cell(asset, "title") }))
        });
        json!({ "results": files.collect::<Vec<_>>() })
    }

    fn contributors(&self) -> Vec<Keys> {
        let seen = self.table("contributors").iter();
        let seen = seen.filter(|row| cell(row, "visibility") != "0");
        let pictured = seen.cloned().map(|mut row| {
            let picture = text(&mut row, "avatar").filter(|url| url.starts_with("http"));
            row.extend(picture.map(|url| ("avatar_url".to_owned(), url.into())));
            row
        });
        pictured.collect()
    }

    fn transcript(&self, episode: &str) -> Value {
        let voices: HashMap<&str, &str> = self
            .rows_of("voice_assignments", episode, "id")
            .into_iter()
            .filter_map(|row| {
                let person = self.find("contributors", "id", cell(row, "contributor_id"))?;
                let names = ["publicname", "realname", "nickname"].map(|key| cell(person, key));
                let name = names.into_iter().find(|name| !name.is_empty())?;
                Some((cell(row, "voice"), name))
            })
            .collect();
        let rows = self.rows_of("transcripts", episode, "start").into_iter();
        let cues = rows.map(|row| {
            let voice = cell(row, "voice");
            json!({
                "start": format_timestamp(cell(row, "start")), "end": format_timestamp(cell(row, "end")), "text": cell(row, "content"),
                "voice": voices.get(voice).unwrap_or(&voice),
            })
        });
        json!({ "transcript": cues.collect::<Vec<_>>() })
    }

    /// Returns the number of the season that had begun most recently when the item was published.
    fn season(&self, item: &Item) -> Option<usize> {
        let day = item.published?.to_string();
        let begun = self.table("seasons").iter();
        let begun = begun.filter(|row| cell(row, "start_date") <= day.as_str()).count();
        (begun > 0).then_some(begun)
    }

    fn table(&self, name: &str) -> &[Keys] {
        self.tables.get(name).map_or(&[], Vec::as_slice)
    }

    fn find(&self, table: &str, key: &str, value: &str) -> Option<&Keys> {
        let mut rows = self.table(table).iter();
        rows.find(|row| cell(row, key) == value)
    }

    /// Returns the rows of an episode, sorted by the number in the column `order`.
    fn rows_of(&self, table: &str, episode: &str, order: &str) -> Vec<&Keys> {
        let rows = self.table(table).iter();
        let mut rows: Vec<&Keys> = rows.filter(|row| cell(row, "episode_id") == episode).collect();
        let number = |row: &Keys| cell(row, order).parse().unwrap_or(0.0_f64);
        rows.sort_by(|one, other| number(one).total_cmp(&number(other)));
        rows
    }

    /// Returns a string from a list in PHP's serialized format: `s:5:"title";s:6:"Walks!";`.
    /// Ignores the lengths in the list, because the conversion to XML can change the length of a
    /// string.
    fn option(&self, name: &str, key: &str) -> Option<String> {
        let list = self.options.get(name)?;
        let (_, after) = list.split_once(&format!("\"{key}\";s:"))?;
        let (_, value) = after.split_once(":\"")?;
        let ends =
            ["s", "i", "b", "d", "a", "N", "}"].map(|next| value.find(&format!("\";{next}")));
        let end = ends.into_iter().flatten().min()?;
        Some(value[..end].to_owned()).filter(|value| !value.trim().is_empty())
    }
}

/// Returns the name of an element, without its prefix.
fn local_name(element: &Element) -> &str {
    let name = element.name.as_str();
    name.rsplit_once(':').map_or(name, |(_, own)| own)
}

fn cell<'r>(row: &'r Keys, key: &str) -> &'r str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Percent-encodes a string like PHP's `rawurlencode`, but keeps `/`.
fn encode_path(slug: &str) -> String {
    let parts = slug.trim().bytes().map(|byte| match byte {
        b'/' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    parts.collect()
}

/// Formats a number of milliseconds as a WebVTT timestamp.
fn format_timestamp(milliseconds: &str) -> String {
    let all: u64 = milliseconds.parse().unwrap_or_default();
    let (seconds, rest) = (all / 1000, all % 1000);
    format!("{:02}:{:02}:{:02}.{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Parses chapters. They are a JSON list, or lines such as
/// `00:01:02.000 Quay <https://quay.example>`.
fn parse_chapters(written: &str) -> Vec<Value> {
    match serde_json::from_str(written) {
        Ok(Value::Array(list)) => return list,
        Ok(Value::Object(mut keys)) => {
            return match keys.remove("chapters") {
                Some(Value::Array(list)) => list,
                _ => Vec::new(),
            };
        }
        _ => {}
    }
    let lines = written.lines().filter_map(|line| {
        let (start, title) = line.trim().split_once(char::is_whitespace)?;
        let is_clock = |byte: u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.');
        start.bytes().all(is_clock).then_some(())?;
        let linked = title.trim().strip_suffix('>').and_then(|title| title.rsplit_once('<'));
        Some(match linked {
            Some((title, href)) => json!({ "start": start, "title": title.trim(), "href": href }),
            None => json!({ "start": start, "title": title.trim() }),
        })
    });
    lines.collect()
}
