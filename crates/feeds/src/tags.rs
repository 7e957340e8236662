//! Reads tags of namespaces that occur in both RSS and Atom: `itunes:`, `dc:`, `media:`, `psc:`.

use serde_json::{Map, Value, json};

use crate::element::Element;
use crate::feed::{Author, Channel, Enclosure, Item, Text};
use crate::values::{InvalidValues, seconds};

/// Returns the text of an element as HTML, or None if it is empty.
pub fn text_of(element: &Element) -> Option<Text> {
    // Unescaped markup is kept as HTML.
    let has_tags = element.elements().next().is_some();
    let text = if has_tags { element.html() } else { element.text() };
    (!text.is_empty()).then_some(Text::Html(text))
}

/// Reads the addresses of a channel from Atom's links. `name` is the name of the link elements.
pub fn links(element: &mut Element, name: &str, channel: &mut Channel) {
    for link in element.take_all(name) {
        let url = link.attribute("href").map(str::to_owned);
        let field = match link.attribute("rel").unwrap_or("alternate") {
            "self" => &mut channel.feed_url,
            "next" => &mut channel.next_url,
            "alternate" => &mut channel.link,
            _ => continue,
        };
        *field = field.take().or(url);
    }
}

/// Reads an item's tags from other namespaces: picture, files, duration, chapters and Apple's keys.
pub fn read_item(element: &mut Element, item: &mut Item) {
    let picture = media(element, item);
    item.image = itunes_image(element).or(picture);
    let duration = element.take_text("itunes:duration");
    let duration = duration.and_then(|text| item.invalid_values.seconds("itunes:duration", &text));
    if let Some(file) = item.enclosures.first_mut() {
        file.duration = duration.or(file.duration);
    }
    item.chapters = simple_chapters(element, &mut item.invalid_values);
    item.itunes = itunes(element, &mut item.invalid_values);
}

/// Returns the authors from `dc:creator`, `author` and `itunes:author`, without duplicates.
pub fn authors(element: &mut Element) -> Vec<Author> {
    let mut authors = Vec::new();
    let mut writers = element.take_all("dc:creator");
    writers.extend(element.take_all("dc:author"));
    writers.extend(element.take_all("author"));
    for author in &writers {
        push(&mut authors, parse_author(&author.text()));
    }
    // `itunes:author` has all authors in one line.
    let line = element.take_text("itunes:author");
    if let Some(line) = line.filter(|_| authors.is_empty()) {
        push(&mut authors, parse_author(&line));
    }
    authors
}

pub fn push(authors: &mut Vec<Author>, author: Author) {
    let is_known = authors.iter().any(|known| known.name == author.name);
    if !author.name.is_empty() && !is_known {
        authors.push(author);
    }
}

/// Parses an author, in any of these forms: `Ada Lind`, `ada@example.com (Ada Lind)`,
/// `Ada Lind <ada@example.com>`, `ada@example.com`.
pub fn parse_author(text: &str) -> Author {
    let text = text.trim();
    let parts = text.split_once('(').map(|(email, name)| (name.trim_end_matches(')'), email));
    // Either the name or the address may be in parentheses.
    let parts = parts.map(|(name, email)| match name.contains('@') {
        true => (email, name),
        false => (name, email),
    });
    let parts = parts.filter(|(_, email)| email.contains('@'));
    let parts = parts
        .or_else(|| text.split_once('<').map(|(name, email)| (name, email.trim_end_matches('>'))));
    let (name, email) = match parts {
        Some((name, email)) if email.contains('@') => (name.trim(), Some(email.trim())),
        _ if text.contains('@') && !text.contains(' ') => ("", Some(text)),
        _ => (text, None),
    };
    let email = email.map(|email| email.trim_start_matches("mailto:").to_owned());
    Author {
        name: if name.is_empty() { email.clone().unwrap_or_default() } else { name.to_owned() },
        url: None,
        email,
    }
}

/// Returns the address in `itunes:image`. It is in the `href` attribute or, in some invalid feeds,
/// in the text.
pub fn itunes_image(element: &mut Element) -> Option<String> {
    let image = element.take("itunes:image")?;
    let named = image.attribute("href").or(image.attribute("url")).map(str::to_owned);
    named.or_else(|| Some(image.text()).filter(|url| !url.is_empty()))
}

/// Returns the topics: each `itunes:category` with its subcategories, or `category` if there are
/// none.
pub fn topics(element: &mut Element) -> Vec<(String, Vec<String>)> {
    let mut topics: Vec<(String, Vec<String>)> = Vec::new();
    for topic in element.take_all("itunes:category") {
        let below = topic.elements().filter_map(|it| it.attribute("text")).map(str::to_owned);
        let name = topic.attribute("text").map(str::to_owned);
        let name = name.unwrap_or_else(|| topic.text());
        add_topic(&mut topics, name, below.collect());
    }
    for topic in element.take_all("googleplay:category") {
        let name = topic.attribute("text").unwrap_or_default().to_owned();
        add_topic(&mut topics, name, Vec::new());
    }
    let plain = element.take_all("category");
    if topics.is_empty() {
        for topic in plain {
            let name = topic.attribute("term").map_or_else(|| topic.text(), str::to_owned);
            match name.split_once('/') {
                Some((above, below)) => {
                    add_topic(&mut topics, above.trim().to_owned(), vec![below.trim().to_owned()])
                }
                None => add_topic(&mut topics, name, Vec::new()),
            }
        }
    }
    topics
}

fn add_topic(topics: &mut Vec<(String, Vec<String>)>, name: String, below: Vec<String>) {
    if name.is_empty() {
        return;
    }
    let at = topics.iter().position(|(known, _)| *known == name);
    let at = at.unwrap_or_else(|| {
        topics.push((name, Vec::new()));
        topics.len() - 1
    });
    for name in below {
        let known = &mut topics[at].1;
        if !known.contains(&name) && !name.is_empty() {
            known.push(name);
        }
    }
}

/// Returns the `itunes:` tags that have a key in front matter.
pub fn itunes(element: &mut Element, invalid_values: &mut InvalidValues) -> Map<String, Value> {
    let mut keys = Map::new();
    for (tag, key) in [
        ("title", "title"),
        ("type", "type"),
        ("new-feed-url", "new-feed-url"),
        ("episodeType", "episodeType"),
    ] {
        let text = element.take_text(&format!("itunes:{tag}"));
        keys.extend(text.map(|text| (key.to_owned(), Value::String(text))));
    }
    for key in ["type", "episodeType"] {
        if let Some(Value::String(text)) = keys.get_mut(key) {
            text.make_ascii_lowercase();
        }
    }
    for key in ["season", "episode"] {
        let tag = format!("itunes:{key}");
        let text = element.take_text(&tag);
        let number = text.and_then(|text| invalid_values.number(&tag, &text));
        keys.extend(number.map(|number| (key.to_owned(), number.into())));
    }
    for key in ["block", "complete"] {
        // Values other than `yes` have no meaning.
        let is_set = element
            .take_text(&format!("itunes:{key}"))
            .is_some_and(|text| text.eq_ignore_ascii_case("yes"));
        keys.extend(is_set.then(|| (key.to_owned(), Value::Bool(true))));
    }
    let explicit =
        element.take_text("itunes:explicit").or_else(|| element.take_text("googleplay:explicit"));
    let explicit = explicit.and_then(|text| match &*text.to_ascii_lowercase() {
        "yes" | "true" | "explicit" => Some(true),
        "no" | "false" | "clean" => Some(false),
        _ => None,
    });
    keys.extend(explicit.map(|explicit| ("explicit".to_owned(), Value::Bool(explicit))));
    keys
}

/// Converts Simple Chapters (`psc:chapters`) to JSON chapters. Skips a chapter whose start time is
/// missing or invalid.
fn simple_chapters(element: &mut Element, invalid_values: &mut InvalidValues) -> Option<Value> {
    let chapters = element.take("psc:chapters")?;
    let chapters = chapters.elements().filter_map(|one| {
        let start = one.attribute("start").unwrap_or_default();
        let Some(start_time) = seconds(start) else {
            invalid_values.push("psc:chapter start", start, "time");
            return None;
        };
        let mut chapter = Map::new();
        chapter.insert("startTime".into(), json!(start_time));
        for (attribute, key) in [("title", "title"), ("href", "url"), ("image", "img")] {
            let value = one.attribute(attribute);
            chapter.extend(value.map(|value| (key.to_owned(), value.into())));
        }
        Some(Value::Object(chapter))
    });
    let chapters: Vec<Value> = chapters.collect();
    (!chapters.is_empty()).then_some(Value::Array(chapters))
}

/// Returns the description from Media RSS. It is plain text unless its type is HTML.
pub fn media_text(element: &mut Element) -> Option<Text> {
    flatten_groups(element);
    let description = element.take("media:description")?;
    match description.attribute("type") {
        Some("html") => text_of(&description),
        _ => Some(Text::Plain(description.text())).filter(|text| !text.is_empty()),
    }
}

/// Moves the content of Media RSS groups into the item. The files in a group are the same media in
/// different formats.
fn flatten_groups(element: &mut Element) {
    for group in element.take_all("media:group") {
        element.children.extend(group.children);
    }
}

/// Reads Media RSS: pictures and, if the item has no enclosure, files. Returns the picture that
/// represents the item.
fn media(element: &mut Element, item: &mut Item) -> Option<String> {
    let mut picture = None;
    let mut files = Vec::new();
    flatten_groups(element);
    for file in element.take_all("media:content") {
        let is_picture = file.attribute("medium") == Some("image")
            || file.attribute("type").is_some_and(|kind| kind.starts_with("image/"));
        let thumbnail = file.elements().find(|it| it.name == "media:thumbnail");
        picture = picture.or_else(|| thumbnail?.attribute("url").map(str::to_owned));
        let Some(url) = file.attribute("url") else {
            continue;
        };
        if is_picture {
            picture.get_or_insert_with(|| url.to_owned());
        } else {
            files.push(Enclosure {
                url: url.to_owned(),
                media_type: file.attribute("type").map(str::to_owned),
                length: file
                    .attribute("fileSize")
                    .and_then(|text| item.invalid_values.length("media:content fileSize", text)),
                duration: file
                    .attribute("duration")
                    .and_then(|text| item.invalid_values.seconds("media:content duration", text)),
                title: None,
                category: None,
            });
        }
    }
    let thumbnail = element.take("media:thumbnail");
    let thumbnail = thumbnail.and_then(|it| it.attribute("url").map(str::to_owned));
    for tag in ["media:title", "media:rating", "media:credit", "media:copyright", "media:keywords"]
    {
        element.take_all(tag);
    }
    if item.enclosures.is_empty() {
        // Flash players are skipped: their address is a web page, not a media file.
        item.enclosures.extend(files.into_iter().filter(|file| {
            file.media_type.as_deref().is_none_or(|kind| kind != "application/x-shockwave-flash")
        }));
    }
    picture.or(thumbnail)
}
