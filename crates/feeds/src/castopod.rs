//! Castopod: reads data that its API returns in addition to a show's feed.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::feed::{Enclosure, Item, StoredData, Text};
use crate::json_value::{count, moment, object, take_bool, text};
use crate::values::InvalidValues;

/// A show, as returned by the API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Show {
    /// Numeric id of the show in Castopod.
    pub id: u64,
    /// Name of the show in URLs: `walks` for `@walks`.
    pub handle: String,
    pub title: String,
    pub feed_url: Option<String>,
}

/// Parses a show from the API. Returns None if the value is not a show.
pub fn show(value: Value) -> Option<Show> {
    let mut show = object(value)?;
    Some(Show {
        id: count(&mut show, "id")?,
        handle: text(&mut show, "handle")?,
        title: text(&mut show, "title").unwrap_or_default(),
        feed_url: text(&mut show, "feed_url"),
    })
}

/// Parses an episode from the API. Returns the numeric id of its show and the episode, or None if
/// the value is not an episode.
pub fn episode(value: Value) -> Option<(u64, Item)> {
    let mut episode = object(value)?;
    let show = count(&mut episode, "podcast_id")?;
    let id = text(&mut episode, "id")?;
    let mut invalid_values = InvalidValues::default();
    let published = moment(&mut episode, "published_at", &mut invalid_values);
    let status = text(&mut episode, "publication_status");
    let hidden = match status.as_deref() {
        _ if take_bool(&mut episode, "is_premium") => Some("is for subscribers only"),
        _ if published.is_none() => Some("is a draft"),
        _ if published > Some(Timestamp::now()) => Some("was scheduled for later"),
        None | Some("published") => None,
        Some(_) => Some("is not published at the source"),
    };
    let stored = StoredData {
        hidden: hidden.map(str::to_owned),
        segment: text(&mut episode, "slug"),
        ..StoredData::default()
    };
    let mut item = Item {
        line: 1,
        guid: text(&mut episode, "guid").or(Some(format!("castopod-episode-{id}"))),
        title: text(&mut episode, "title").map(Text::Plain),
        link: text(&mut episode, "link"),
        published,
        updated: moment(&mut episode, "updated_at", &mut invalid_values),
        image: text(&mut episode, "cover_url")
            .filter(|_| episode.get("cover_id").is_some_and(|id| !id.is_null())),
        content: text(&mut episode, "description_html").map(Text::Html),
        invalid_values,
        ..Item::default()
    };
    let duration = text(&mut episode, "duration")
        .and_then(|text| item.invalid_values.seconds("duration", &text));
    item.enclosures.extend(text(&mut episode, "audio_url").map(|url| Enclosure {
        url,
        duration,
        ..Enclosure::default()
    }));
    for (key, name) in [("number", "episode"), ("season_number", "season")] {
        let number =
            text(&mut episode, key).and_then(|text| item.invalid_values.number(key, &text));
        item.itunes.extend(number.map(|number| (name.to_owned(), number.into())));
    }
    let kind = text(&mut episode, "type").filter(|kind| kind != "full");
    item.itunes.extend(kind.map(|kind| ("episodeType".to_owned(), kind.into())));
    let advisory = text(&mut episode, "parental_advisory");
    item.itunes.extend(advisory.map(|word| ("explicit".to_owned(), (word == "explicit").into())));
    let is_blocked = take_bool(&mut episode, "is_blocked");
    item.itunes.extend(is_blocked.then(|| ("block".to_owned(), true.into())));
    if let Some(name) = text(&mut episode, "location_name") {
        let mut place = Map::from_iter([("name".to_owned(), Value::from(name))]);
        for (key, name) in [("location_geo", "geo"), ("location_osm", "osm")] {
            place.extend(text(&mut episode, key).map(|text| (name.to_owned(), text.into())));
        }
        item.podcast.insert("location".to_owned(), place.into());
    }
    if let Some(url) = text(&mut episode, "transcript_remote_url") {
        item.podcast.insert("transcripts".to_owned(), json!([url]));
    }
    if let Some(url) = text(&mut episode, "chapters_remote_url") {
        item.podcast.insert("chapters".to_owned(), url.into());
    }
    item.stored = Some(stored);
    Some((show, item))
}
