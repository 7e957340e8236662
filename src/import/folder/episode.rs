//! Front matter of episodes: recordings, numbers, people, transcripts and chapters.

use serde_json::{Map, Value, json};

use super::data::{self, Data, take, text, text_within, texts};
use super::links::TextReferences;
use crate::found::{Entry, Found};

const RECORDINGS: &[&str] = &[
    "audio", "audio_file", "audio_url", "audioUrl", "podcast_file", "podcastFile", "enclosure",
    "mp3", "media_file", "podcast", "video_file",
];

pub fn fill(
    entry: &mut Entry,
    data: &mut Data,
    own: &mut TextReferences<'_, '_>,
    found: &mut Found,
) {
    let place = own.text.path.clone();
    let mut invalid_values = |key: &str, value: &Value| {
        let value = text(value).unwrap_or_else(|| value.to_string());
        found.note(format!("`{key}: {value}` is not valid; it was left out"), &*place);
    };
    let recording = RECORDINGS.iter().find_map(|key| {
        let value = data::get(data, key)?;
        let url = text_within(value, &["file", "url", "src", "mp3", "path", "link"])?;
        url.contains('.').then(|| ((*key).to_owned(), url))
    });
    let mut options = Map::new();
    if let Some((key, url)) = &recording {
        let whole = take(data, &[key]);
        if let Some(Value::Object(table)) = whole {
            options = table;
        }
        attach(entry, url, &mut options, data, own, &mut invalid_values);
    }
    let mut podcast = Map::new();
    let mut first = |keys: &[&str]| take(data, keys).or_else(|| take(&mut options, keys));
    let number = |value: &Value| value.as_f64().or_else(|| text(value)?.parse().ok());
    for (key, names) in [
        ("episode", ["episode", "episode_number", "episodeNumber", "number"]),
        ("season", ["season", "season_number", "seasonNumber", "series_number"]),
    ] {
        if let Some(value) = first(&names) {
            let table = match value {
                Value::Object(table) => Value::Object(table),
                value => match number(&value) {
                    Some(number) if number.fract() == 0.0 => json!({ "number": number as i64 }),
                    Some(number) => json!({ "number": number }),
                    None => {
                        invalid_values(key, &value);
                        continue;
                    }
                },
            };
            podcast.insert(key.to_owned(), table);
        }
    }
    let mut people = Vec::new();
    for (role, keys) in [("host", ["hosts", "host"]), ("guest", ["guests", "guest"])] {
        for name in first(&keys).map(texts).unwrap_or_default() {
            let known = data::get(site_authors(own), &name).and_then(Value::as_object);
            let name = known
                .and_then(|known| {
                    data::text_at(known, "name").or_else(|| data::text_at(known, "title"))
                })
                .unwrap_or(name);
            people.push(if role == "host" {
                json!({ "name": name })
            } else {
                json!({ "name": name, "role": role })
            });
        }
    }
    if !people.is_empty() {
        podcast.insert("people".into(), people.into());
    }
    if let Some(value) = first(&["transcript", "transcripts"]) {
        let files =
            texts(value).into_iter().filter(|name| name.contains('.') && !name.contains('\n'));
        let files: Vec<String> = files.map(|name| own.file(&name).unwrap_or(name)).collect();
        podcast.extend((!files.is_empty()).then(|| ("transcripts".to_owned(), files.into())));
    }
    if let Some(chapters) = first(&["chapters"]) {
        let chapters = match text(&chapters) {
            Some(name) => Value::from(own.file(&name).unwrap_or(name)),
            None => chapters,
        };
        podcast.insert("chapters".into(), chapters);
    }
    let mut itunes = Map::new();
    if let Some(explicit) = first(&["explicit"]) {
        let written = text(&explicit).unwrap_or_default().to_lowercase();
        let is_clean = data::is_false(&explicit) || matches!(&*written, "clean" | "notexplicit");
        if data::is_true(&explicit) || written == "explicit" {
            itunes.insert("explicit".into(), true.into());
        } else if is_clean {
            itunes.insert("explicit".into(), false.into());
        } else {
            invalid_values("explicit", &explicit);
        }
    }
    if let Some(kind) = first(&["episode_type", "episodeType"]).as_ref().and_then(text) {
        itunes.insert("episodeType".into(), kind.to_lowercase().into());
    }
    for (key, value) in options {
        data.entry(key).or_insert(value);
    }
    entry.set("podcast", podcast);
    entry.set("itunes", itunes);
}

fn site_authors<'s>(own: &TextReferences<'_, 's>) -> &'s Data {
    own.links.authors()
}

/// Sets the recording. Properties of a local recording, such as its duration, are omitted, because
/// feedwright reads them from the file.
fn attach(
    entry: &mut Entry,
    url: &str,
    options: &mut Data,
    data: &mut Data,
    own: &mut TextReferences<'_, '_>,
    invalid_values: &mut dyn FnMut(&str, &Value),
) {
    let mut first = |keys: &[&str]| take(options, keys).or_else(|| take(data, keys));
    let facts = [
        ("mime_type", first(&["type", "mime_type", "mimetype"])),
        ("size_in_bytes", first(&["length", "bytes", "podcast_bytes", "size", "filesize"])),
        ("duration_in_seconds", first(&["duration", "podcast_duration", "podcastDuration"])),
    ];
    for key in ["file", "url", "src", "mp3", "path", "link"] {
        if options.get(key).and_then(text).as_deref() == Some(url) {
            options.remove(key);
        }
    }
    let reference = own.file(url).unwrap_or_else(|| url.to_owned());
    if !reference.starts_with("http") {
        return entry.set("attachment", reference);
    }
    let mut table = Map::from_iter([("url".to_owned(), Value::from(reference))]);
    for (key, value) in facts {
        let Some(written) = value.as_ref().and_then(text) else {
            continue;
        };
        let value = match key {
            "size_in_bytes" => bytes(&written).map(Value::from),
            "duration_in_seconds" => seconds(&written).map(Value::from),
            _ => Some(Value::from(&*written)),
        };
        if value.is_none() {
            invalid_values(key, &written.into());
        }
        table.extend(value.map(|value| (key.to_owned(), value)));
    }
    entry.set("attachment", table);
}

/// Parses a duration such as `1:02:10` or `3730` into seconds. Numbers after the third are ignored,
/// as in Apple Podcasts.
fn seconds(text: &str) -> Option<u64> {
    let parts: Vec<&str> = text.trim().split(':').take(3).collect();
    if let [whole] = parts[..] {
        let seconds = whole.parse::<f64>().ok();
        return seconds
            .filter(|seconds| (0.0..1e9).contains(seconds))
            .map(|seconds| seconds as u64);
    }
    parts
        .iter()
        .try_fold(0_u64, |all, part| all.checked_mul(60)?.checked_add(part.trim().parse().ok()?))
}

/// Parses a size in bytes, such as `12345678` or `12,345,678`.
fn bytes(text: &str) -> Option<u64> {
    text.trim().replace([',', '_', ' '], "").parse().ok()
}
