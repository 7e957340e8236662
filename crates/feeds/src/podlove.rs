//! Podlove Publisher: reads data that its API and WordPress's own API return in addition to the
//! feeds.

use serde_json::{Map, Value, json};

use crate::WordPress;
use crate::feed::{Author, Enclosure, Item, StoredData, Text};
use crate::json_value::{Keys, count, list, moment, object, table, take_bool, text};
use crate::values::{InvalidValues, seconds};

/// Parses a post, a page or an episode from WordPress's own API. Returns None if the value is none
/// of these.
pub fn post(value: Value) -> Option<Item> {
    let mut post = object(value)?;
    let (id, kind) = (text(&mut post, "id")?, text(&mut post, "type")?);
    // If the user is allowed to edit the post, the API returns the content as it was written.
    // Otherwise it returns the rendered content.
    let protected = post.get("content").and_then(|content| content.get("protected"))
        == Some(&Value::Bool(true));
    let mut written = |key: &str| {
        let mut both = table(&mut post, key)?;
        text(&mut both, "raw")
            .map(|raw| (raw, true))
            .or(Some((text(&mut both, "rendered")?, false)))
    };
    let (title, content, excerpt) = (written("title"), written("content"), written("excerpt"));
    let guid = written("guid").map(|(guid, _)| guid);
    let mut invalid_values = InvalidValues::default();
    let mut item = Item {
        line: 1,
        guid,
        title: title.map(
            |(title, is_raw)| {
                if is_raw { Text::Plain(title) } else { Text::Html(title) }
            },
        ),
        link: text(&mut post, "link"),
        published: moment(&mut post, "date_gmt", &mut invalid_values),
        updated: moment(&mut post, "modified_gmt", &mut invalid_values),
        content: content.map(|(html, _)| Text::Html(html)),
        summary: excerpt.filter(|(_, is_raw)| *is_raw).map(|(html, _)| Text::Html(html)),
        invalid_values,
        ..Item::default()
    };
    let mut around = table(&mut post, "_embedded").unwrap_or_default();
    for mut author in list(&mut around, "author") {
        item.authors
            .extend(text(&mut author, "name").map(|name| Author { name, ..Author::default() }));
    }
    let picture = list(&mut around, "wp:featuredmedia").into_iter().next();
    item.image = picture.and_then(|mut picture| text(&mut picture, "source_url"));
    let terms = around.remove("wp:term");
    let terms = terms.as_ref().and_then(Value::as_array).into_iter().flatten();
    for term in terms.flat_map(|terms| terms.as_array().into_iter().flatten()) {
        let said = |key: &str| term.get(key).and_then(Value::as_str).unwrap_or_default();
        if matches!(said("taxonomy"), "post_tag" | "category") && said("slug") != "uncategorized" {
            item.add_tag(&crate::entities::text_of_html(said("name")));
        }
    }
    item.wordpress = Some(WordPress {
        id,
        kind,
        status: text(&mut post, "status").unwrap_or_else(|| "publish".to_owned()),
        name: text(&mut post, "slug").unwrap_or_default(),
        parent: text(&mut post, "parent").unwrap_or_default(),
        order: text(&mut post, "menu_order").and_then(|text| text.parse().ok()).unwrap_or_default(),
        has_password: protected || text(&mut post, "password").is_some(),
        ..WordPress::default()
    });
    Some(item)
}

/// Adds Podlove's data about an episode to the item.
pub fn episode(value: Value, item: &mut Item) -> Option<()> {
    let mut episode = object(value)?;
    item.guid = text(&mut episode, "guid").or(item.guid.take());
    item.title = text(&mut episode, "title_clean").map(Text::Plain).or(item.title.take());
    let (subtitle, summary) = (text(&mut episode, "subtitle"), text(&mut episode, "summary"));
    item.summary = summary.or(subtitle).map(Text::Plain).or(item.summary.take());
    item.image = text(&mut episode, "episode_poster").or(item.image.take());
    let duration = text(&mut episode, "duration")
        .and_then(|text| item.invalid_values.seconds("duration", &text));
    if let Some(file) = item.enclosures.first_mut() {
        file.duration = duration;
    }
    for (key, name) in [("number", "episode"), ("season_id", "season")] {
        let number =
            text(&mut episode, key).and_then(|text| item.invalid_values.number(key, &text));
        item.itunes.extend(number.map(|number| (name.to_owned(), number.into())));
    }
    let kind =
        text(&mut episode, "type").filter(|kind| matches!(kind.as_str(), "trailer" | "bonus"));
    item.itunes.extend(kind.map(|kind| ("episodeType".to_owned(), kind.into())));
    let is_explicit = take_bool(&mut episode, "explicit");
    item.itunes.extend(is_explicit.then(|| ("explicit".to_owned(), true.into())));
    if let Some(name) = text(&mut episode, "license_name") {
        let mut license = Map::from_iter([("identifier".to_owned(), Value::from(name))]);
        license.extend(text(&mut episode, "license_url").map(|url| ("url".to_owned(), url.into())));
        item.podcast.insert("license".to_owned(), license.into());
    }
    let mut time = |key: &str| {
        let text = text(&mut episode, key)?;
        let read = seconds(&text);
        if read.is_none() {
            item.invalid_values.push(key, &text, "time");
        }
        read
    };
    let (start, length) = (time("soundbite_start"), time("soundbite_duration"));
    if let (Some(start), Some(length)) = (start, length.filter(|length| *length > 0.0)) {
        let mut bite = json!({ "startTime": start, "duration": length });
        if let Some(title) = text(&mut episode, "soundbite_title") {
            bite["title"] = title.into();
        }
        item.podcast.insert("soundbites".to_owned(), json!([bite]));
    }
    Some(())
}

/// Adds the media files of an episode, MP3 first. Skips files with an unknown extension.
pub fn files(value: Value, item: &mut Item) -> Option<()> {
    let mut files = Vec::new();
    for mut file in list(&mut object(value)?, "results") {
        let (is_used, url) = (take_bool(&mut file, "enable"), text(&mut file, "url"));
        let Some(url) = url.filter(|_| is_used) else {
            continue;
        };
        let ending = url.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        const AUDIO_EXTENSIONS: [&str; 8] =
            ["mp3", "m4a", "mp4", "opus", "ogg", "oga", "flac", "m4v"];
        let Some(rank) = AUDIO_EXTENSIONS.iter().position(|known| *known == ending) else {
            continue;
        };
        let file = Enclosure {
            url,
            length: count(&mut file, "size"),
            title: text(&mut file, "asset"),
            ..Enclosure::default()
        };
        files.push((rank, file));
    }
    files.sort_by_key(|(rank, _)| *rank);
    item.enclosures = files.into_iter().map(|(_, file)| file).collect();
    Some(())
}

/// Adds the chapters of an episode.
pub fn chapters(value: Value, item: &mut Item) -> Option<()> {
    let mut chapters = Vec::new();
    for mut chapter in list(&mut object(value)?, "chapters") {
        let Some(start) = text(&mut chapter, "start") else {
            continue;
        };
        let Some(start) = seconds(&start) else {
            item.invalid_values.push("start of a chapter", &start, "time");
            continue;
        };
        let mut own = Map::from_iter([("startTime".to_owned(), json!(start))]);
        for (key, name) in [("title", "title"), ("href", "url"), ("image", "img")] {
            own.extend(text(&mut chapter, key).map(|text| (name.to_owned(), text.into())));
        }
        chapters.push(Value::Object(own));
    }
    if !chapters.is_empty() {
        item.podcast.insert("chapters".to_owned(), chapters.into());
    }
    Some(())
}

/// Adds the people of an episode. Contributions refer to contributors and roles by id.
pub fn people(contributions: Value, known: &Contributors, item: &mut Item) -> Option<()> {
    let mut own = object(contributions)?;
    // PHP encodes a list with gaps as a JSON object.
    let rows = match own.remove("contribution")? {
        Value::Array(rows) => rows,
        Value::Object(rows) => rows.into_iter().map(|(_, row)| row).collect(),
        _ => return None,
    };
    let mut people = Vec::new();
    for mut row in rows.into_iter().filter_map(object) {
        let find = |list: &[Keys], id: Option<String>| {
            let id = id?;
            list.iter().find(|one| text(&mut (*one).clone(), "id").as_ref() == Some(&id)).cloned()
        };
        let Some(mut person) = find(&known.people, text(&mut row, "contributor_id")) else {
            continue;
        };
        let names = ["publicname", "name", "realname", "nickname"];
        let Some(name) = names.iter().find_map(|key| text(&mut person, key)) else {
            continue;
        };
        let mut own = Map::from_iter([("name".to_owned(), Value::from(name))]);
        let role = find(&known.roles, text(&mut row, "role_id"));
        let role = role.and_then(|mut role| text(&mut role, "title"));
        own.extend(role.map(|role| ("role".to_owned(), role.to_lowercase().into())));
        own.extend(text(&mut person, "avatar_url").map(|url| ("img".to_owned(), url.into())));
        people.push(Value::Object(own));
    }
    if !people.is_empty() {
        item.podcast.insert("people".to_owned(), people.into());
    }
    Some(())
}

/// The contributors of a site's shows, and the roles of contributors.
#[derive(Debug, Clone, Default)]
pub struct Contributors {
    people: Vec<Keys>,
    roles: Vec<Keys>,
}

impl Contributors {
    /// Creates the lists from the responses of the API.
    pub fn new(people: Option<Value>, roles: Option<Value>) -> Self {
        let read = |answer: Option<Value>, key: &str| {
            answer.and_then(object).map(|mut keys| list(&mut keys, key)).unwrap_or_default()
        };
        Self { people: read(people, "contributors"), roles: read(roles, "roles") }
    }
}

/// Adds the transcript of an episode as a separate WebVTT file.
pub fn transcript(value: Value, item: &mut Item) -> Option<()> {
    let mut vtt = String::from("WEBVTT\n");
    let rows = list(&mut object(value)?, "transcript");
    if rows.is_empty() {
        return None;
    }
    for mut row in rows {
        let (start, end) = (text(&mut row, "start")?, text(&mut row, "end")?);
        let said =
            text(&mut row, "text").unwrap_or_default().replace("\n\n", "\n").replace("-->", "→");
        let voice = text(&mut row, "voice").filter(|voice| voice.parse::<u64>().is_err());
        let voice = voice.map(|voice| format!("<v {}>", voice.replace(['>', '\n'], " ")));
        vtt += &format!("\n{start} --> {end}\n{}{said}\n", voice.unwrap_or_default());
    }
    let stored = item.stored.get_or_insert_with(StoredData::default);
    stored.files.push(("transcript.vtt".to_owned(), vtt));
    item.podcast.insert("transcripts".to_owned(), json!(["transcript.vtt"]));
    Some(())
}

/// Returns the addresses of a show's feeds, the MP3 feed first.
pub fn feeds(show: Value) -> Vec<String> {
    let named = list(&mut object(show).unwrap_or_default(), "feeds");
    // Each feed is a table with one key: the key is the feed's name, and the value is its address.
    let named = named.iter().flat_map(|feed| feed.values());
    let mut feeds: Vec<String> = named.filter_map(|url| Some(url.as_str()?.to_owned())).collect();
    feeds.sort_by_key(|url| !url.contains("mp3"));
    feeds
}
