//! Data from plugins for podcasts and search engines.

use feeds::values::seconds;
use feeds::{Enclosure, InvalidValues, Item, WordPress};
use serde_json::{Map, Value, json};

use super::library::{Library, meta};

/// Adds data from plugins to an item.
pub fn add_plugin_data(item: &mut Item, entry: &WordPress, library: &Library) {
    let meta = |name: &str| meta(entry, name);
    // An episode of Podlove Publisher has its own guid.
    item.guid = meta("_podlove_guid").map(str::to_owned).or(item.guid.take());
    for key in ["_thumbnail_id", "cover_image_id"] {
        if let Some(id) = meta(key) {
            put_image(item, library, id);
        }
    }
    if item.image.is_none() {
        item.image = meta("cover_image").map(str::to_owned);
    }
    recording(item, entry);
    let field_value =
        |name: &str, key: &str| meta(name).map(str::to_owned).or_else(|| power_press(entry, key));
    for (name, of_power_press, key) in [
        ("itunes_season_number", "season", "season"),
        ("itunes_episode_number", "episode_no", "episode"),
    ] {
        let field_value = field_value(name, of_power_press);
        let number = field_value.and_then(|text| item.invalid_values.number(name, &text));
        if let Some(number) = number {
            item.itunes.entry(key).or_insert_with(|| number.into());
        }
    }
    for (name, of_power_press, key) in [
        ("itunes_episode_type", "episode_type", "episodeType"),
        ("itunes_title", "episode_title", "title"),
    ] {
        if let Some(text) = field_value(name, of_power_press) {
            let text = if key == "title" { text } else { text.to_lowercase() };
            item.itunes.entry(key).or_insert_with(|| text.into());
        }
    }
    for key in ["explicit", "block"] {
        if matches!(field_value(key, key).as_deref(), Some("on" | "yes" | "1" | "true")) {
            item.itunes.entry(key).or_insert_with(|| true.into());
        }
    }
    seo(item, entry);
}

/// Adds the recording of an episode.
fn recording(item: &mut Item, entry: &WordPress) {
    let meta = |name: &str| meta(entry, name);
    if item.enclosures.is_empty() {
        let stored =
            entry.meta.iter().filter(|(key, _)| key == "enclosure" || key == "_podcast:enclosure");
        for (_, text) in stored {
            if let Some(file) = enclosure(text, &mut item.invalid_values)
                && !item.enclosures.iter().any(|known| known.url == file.url)
            {
                item.enclosures.push(file);
            }
        }
    }
    // The plugin Seriously Simple Podcasting stores the recording in these fields.
    if let (true, Some(url)) = (item.enclosures.is_empty(), meta("audio_file")) {
        item.enclosures.push(Enclosure {
            url: url.to_owned(),
            length: meta("filesize_raw")
                .and_then(|text| item.invalid_values.length("filesize_raw", text)),
            ..Enclosure::default()
        });
    }
    if let (Some(file), Some(duration)) = (item.enclosures.first_mut(), meta("duration")) {
        let duration = item.invalid_values.seconds("duration", duration);
        file.duration = file.duration.or(duration);
    }
}

/// Parses an enclosure, which WordPress stores as lines: address, length, type, and data from the
/// plugin PowerPress.
fn enclosure(text: &str, invalid_values: &mut InvalidValues) -> Option<Enclosure> {
    let mut lines = text.lines().map(str::trim);
    let url = lines.next().filter(|url| url.starts_with("http"))?.to_owned();
    let length = lines.next().and_then(|text| invalid_values.length("enclosure length", text));
    let media_type = lines.next().filter(|kind| kind.contains('/')).map(str::to_owned);
    let rest = lines.next().unwrap_or_default();
    let duration = serialized(rest, "duration").filter(|text| !text.is_empty());
    let duration = duration.and_then(|text| {
        if seconds(text).is_none() {
            invalid_values.push("duration", text, "duration");
        }
        seconds(text).filter(|seconds| *seconds > 0.0)
    });
    Some(Enclosure { url, media_type, length, duration, ..Enclosure::default() })
}

/// Returns a value that the plugin PowerPress stores with an episode's enclosure.
fn power_press(entry: &WordPress, key: &str) -> Option<String> {
    let stored = meta(entry, "enclosure").or_else(|| meta(entry, "_podcast:enclosure"))?;
    let said = serialized(stored, key).filter(|text| !text.is_empty())?;
    Some(said.to_owned())
}

/// Returns the value of a key in PHP's serialization format: `s:8:"duration";s:8:"00:32:11";`.
fn serialized<'t>(list: &'t str, key: &str) -> Option<&'t str> {
    let (_, after) = list.split_once(&format!("\"{key}\";"))?;
    if let Some(number) = after.strip_prefix("i:") {
        return number.split(';').next();
    }
    let (length, value) = after.strip_prefix("s:")?.split_once(":\"")?;
    let length: usize = length.parse().ok()?;
    value.get(..length).or_else(|| value.split("\";").next())
}

/// Adds titles, descriptions and pictures that the author chose for search engines and social
/// networks. Templates such as `%%title%%` are ignored.
fn seo(item: &mut Item, entry: &WordPress) {
    let first = |names: &[&str]| {
        let mut field_value = names.iter().filter_map(|name| meta(entry, name));
        let text = field_value.find(|text| !text.contains(['%', '#']))?;
        Some(Value::from(text))
    };
    let title = first(&[
        "_yoast_wpseo_title", "rank_math_title", "_aioseo_title", "_seopress_titles_title",
    ]);
    let description = first(&[
        "_yoast_wpseo_metadesc", "rank_math_description", "_aioseo_description",
        "_seopress_titles_desc",
    ]);
    let picture =
        ["_yoast_wpseo_opengraph-image", "rank_math_facebook_image", "_seopress_social_fb_img"];
    let picture = picture.iter().find_map(|name| meta(entry, name)).map(Value::from);
    let Some(stored) = &mut item.stored else { return };
    if stored.is_page {
        stored.fields.extend(description.map(|text| ("meta_description".to_owned(), text)));
        return;
    }
    let values = [("title", title), ("description", description), ("social_image", picture)];
    let field_value = values.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let field_value: Map<String, Value> = field_value.collect();
    if !field_value.is_empty() {
        stored.fields.insert("seo".to_owned(), field_value.into());
    }
}

/// Sets the featured image of an entry, including its alternative text.
fn put_image(item: &mut Item, library: &Library, id: &str) {
    let Some(file) = library.file(id).filter(|_| item.image.is_none()) else {
        return;
    };
    item.image = Some(file.url.clone());
    if let (false, Some(stored)) = (file.alt.is_empty(), &mut item.stored) {
        let image = json!({ "url": file.url, "alt": file.alt });
        stored.fields.insert("image".to_owned(), image);
    }
}
