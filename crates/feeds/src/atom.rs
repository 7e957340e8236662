//! Atom 1.0 (RFC 4287) and 0.3.

use base64::Engine;

use crate::element::Element;
use crate::feed::{Author, Channel, Enclosure, Fault, Faults, Feed, Item, Text};
use crate::skipped::SkippedFields;
use crate::values::InvalidValues;
use crate::{blogger, podcast, tags};

/// Parses an Atom document, whose root is `feed` or `entry`.
pub fn read(mut root: Element, faults: &mut Faults, skipped: &mut SkippedFields) -> Feed {
    remove_atom_prefixes(&mut root);
    let version = root.attribute("version").unwrap_or("1.0").to_owned();
    let language = root.attribute("xml:lang").map(str::to_owned);
    let (channel, entries) = if root.name == "entry" {
        (Channel::default(), vec![root])
    } else {
        let mut entries = root.take_all("entry");
        // Some feeds use the name `item` from RSS for entries.
        entries.extend(root.take_all("item"));
        let channel = channel(&mut root);
        skipped.add_children(&root, "feed");
        (channel, entries)
    };
    let language = language.as_deref();
    let items: Vec<Item> =
        entries.into_iter().filter_map(|entry| item(entry, language, faults, skipped)).collect();
    Feed { format: format!("Atom {version}"), items, channel, ..Feed::default() }
}

/// Removes the prefix from Atom's own elements, so that their names match the names in RSS.
fn remove_atom_prefixes(element: &mut Element) {
    if let Some(name) = element.name.strip_prefix("atom:") {
        element.name = name.to_owned();
    }
    for node in &mut element.children {
        if let crate::element::Node::Element(child) = node {
            remove_atom_prefixes(child);
        }
    }
}

fn channel(element: &mut Element) -> Channel {
    let mut channel = Channel {
        language: element.attribute("xml:lang").map(str::to_owned),
        base: element.attribute("xml:base").map(str::to_owned),
        ..Channel::default()
    };
    tags::links(element, "link", &mut channel);
    channel.title = element.take("title").and_then(|it| text_of(&it)).map(Text::into_plain);
    let subtitle = element.take("subtitle").or_else(|| element.take("tagline"));
    channel.description = subtitle.and_then(|it| text_of(&it));
    channel.copyright = element.take_text("rights").or_else(|| element.take_text("copyright"));
    channel.generator = element.take_text("generator");
    let logo = element.take_text("logo");
    channel.icon = element.take_text("icon");
    channel.image = tags::itunes_image(element).or(logo);
    channel.categories = tags::topics(element);
    channel.podcast = podcast::read_channel(element);
    channel.authors = authors(element);
    channel.itunes = tags::itunes(element, &mut channel.invalid_values);
    channel
}

/// Parses an entry. Returns None for comments, templates and settings of Blogger.
fn item(
    mut element: Element,
    language: Option<&str>,
    faults: &mut Faults,
    skipped: &mut SkippedFields,
) -> Option<Item> {
    let element = &mut element;
    let mut item = Item {
        line: element.line,
        guid: element.take_text("id"),
        podcast: podcast::read_item(element),
        language: element.attribute("xml:lang").map(str::to_owned),
        ..Item::default()
    };
    let language = item.language.clone().or(language.map(str::to_owned));
    let language = language.as_deref();
    let original = element.take_text("feedburner:origLink");
    for link in element.take_all("link") {
        let Some(url) = link.attribute("href").map(str::to_owned) else {
            continue;
        };
        match link.attribute("rel").unwrap_or("alternate") {
            "alternate" => item.link = item.link.or(Some(url)),
            "enclosure" => item.enclosures.push(Enclosure {
                url,
                media_type: link.attribute("type").map(str::to_owned),
                length: link
                    .attribute("length")
                    .and_then(|text| item.invalid_values.length("enclosure length", text)),
                duration: None,
                title: link.attribute("title").map(str::to_owned),
                category: None,
            }),
            "related" | "via" => item.external_url = item.external_url.or(Some(url)),
            _ => {}
        }
    }
    item.link = original.or(item.link);
    item.title = element.take("title").and_then(|it| text_of(&it));
    item.published =
        take_date(element, &["published", "issued", "created"], language, &mut item.invalid_values);
    item.updated = take_date(element, &["updated", "modified"], language, &mut item.invalid_values);
    item.summary = element.take("summary").and_then(|it| text_of(&it));
    let content = element.take("content");
    let base = content.as_ref().unwrap_or(element).attribute("xml:base");
    item.base = base.map(str::to_owned);
    if let Some(source) = content.as_ref().and_then(|it| it.attribute("src")) {
        skipped.add("entry/content/src", item.line);
        item.external_url = item.external_url.or(Some(source.to_owned()));
    }
    item.content = content.and_then(|it| text_of(&it));
    // Videos on YouTube and feeds that mix Atom with RSS have their text in other elements.
    let mut other = |name: &str| element.take(name).and_then(|it| tags::text_of(&it));
    let others = [other("content:encoded"), other("description")];
    let others = others.into_iter().flatten().chain(tags::media_text(element));
    item.content = item.content.or_else(|| others.into_iter().next());
    if item.content.is_none() || item.summary == item.content {
        item.content = item.content.or(item.summary.take());
        item.summary = None;
    }
    item.authors = authors(element);
    match blogger::take_entry_fields(element, &mut item) {
        None => {}
        Some(blogger::Entry::Item(stored)) => item.stored = Some(stored),
        Some(blogger::Entry::Other(what)) => {
            let message = format!("{what} were left out");
            faults.push_once(Fault { line: item.line, message });
            return None;
        }
    }
    for topic in element.take_all("category") {
        let name = topic.attribute("label").or(topic.attribute("term"));
        item.add_tag(&name.map_or_else(|| topic.text(), str::to_owned));
    }
    tags::read_item(element, &mut item);
    skipped.add_children(element, "entry");
    Some(item)
}

/// Parses a text construct: plain text, escaped HTML or XHTML (RFC 4287, section 3.1).
fn text_of(element: &Element) -> Option<Text> {
    let kind = element.attribute("type").unwrap_or("text");
    let is_escaped = element.attribute("mode") == Some("escaped");
    if element.attribute("mode") == Some("base64") || kind == "application/octet-stream" {
        let packed: String = element.text().split_whitespace().collect();
        let bytes = base64::engine::general_purpose::STANDARD.decode(packed).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        return Some(Text::Html(text)).filter(|text| !text.is_empty());
    }
    match kind {
        "xhtml" | "application/xhtml+xml" => {
            // The `div` that wraps XHTML content is not part of the content.
            let inner = element.elements().find(|it| it.name == "xhtml:div" || it.name == "div");
            let html = inner.unwrap_or(element).html();
            Some(Text::Html(html)).filter(|text| !text.is_empty())
        }
        "html" | "text/html" => {
            // Some feeds escape their HTML and wrap it in an XHTML `div`.
            let is_div = |it: &&Element| matches!(&*it.name, "div" | "xhtml:div");
            let mut inner = element.elements();
            let only = inner.next().filter(|_| inner.next().is_none());
            let only = only.filter(is_div).filter(|it| it.elements().next().is_none());
            tags::text_of(only.filter(|_| element.own_text().is_empty()).unwrap_or(element))
        }
        _ if is_escaped => tags::text_of(element),
        "text" | "text/plain" => Some(Text::Plain(element.text())).filter(|text| !text.is_empty()),
        // Text of any other type may contain markup, so it is treated as HTML.
        _ => tags::text_of(element),
    }
}

fn authors(element: &mut Element) -> Vec<Author> {
    let mut authors = Vec::new();
    let mut people = element.take_all("author");
    people.extend(element.take_all("contributor"));
    for mut person in people {
        let url = person.take_text("uri").or_else(|| person.take_text("url"));
        let email = person.take_text("email");
        let named = person.take_text("name");
        let name = named.or_else(|| email.clone()).or_else(|| url.clone());
        let name = name.unwrap_or_else(|| person.text());
        tags::push(&mut authors, Author { name, url, email });
    }
    if authors.is_empty() { tags::authors(element) } else { authors }
}

fn take_date(
    element: &mut Element,
    names: &[&str],
    language: Option<&str>,
    invalid_values: &mut InvalidValues,
) -> Option<jiff::Timestamp> {
    let mut found = None;
    for name in names {
        let Some(written) = element.take(name) else {
            continue;
        };
        found = found.or(invalid_values.date(name, &written.text(), language));
    }
    found
}
