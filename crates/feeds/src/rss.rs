//! RSS 0.9 to 2.0 and RDF, with the namespaces that podcasts and blogs use.

use serde_json::Value;

use crate::element::Element;
use crate::entities::unescape;
use crate::feed::{Author, Channel, Enclosure, Fault, Faults, Feed, Item};
use crate::skipped::SkippedFields;
use crate::values::InvalidValues;
use crate::{podcast, tags, wordpress};

/// Parses a document whose root is `rss` or `rdf:RDF`.
pub fn read(mut root: Element, faults: &mut Faults, skipped: &mut SkippedFields) -> Feed {
    let format = match &*root.name {
        "rdf:RDF" => "RSS 1.0 (RDF)".to_owned(),
        _ => format!("RSS {}", root.attribute("version").unwrap_or("2.0")),
    };
    let mut channel = root.take("channel").unwrap_or_default();
    let language = language_of(&channel);
    // In RDF, and in some invalid feeds, items are next to the channel instead of inside it.
    let mut items = channel.take_all("item");
    items.extend(root.take_all("item"));
    let beside = root.take("image").and_then(|mut image| image.take_text("url"));
    let items = items
        .into_iter()
        .map(|element| item(element, language.as_deref(), faults, skipped))
        .collect();
    let writers = wordpress::authors(&mut channel);
    let mut items: Vec<Item> = items;
    wordpress::complete_terms(&mut channel, &mut items);
    for author in items.iter_mut().flat_map(|item| &mut item.authors) {
        let known = writers.iter().find(|(login, _)| *login == author.name);
        if let Some((_, known)) = known {
            author.name.clone_from(&known.name);
        }
    }
    let mut read = self::channel(&mut channel);
    read.image = read.image.or(beside);
    // RSS 1.0 repeats the list of items in `items`, and refers to a search form in `textinput`.
    for listed in ["items", "textinput", "textInput"] {
        channel.take_all(listed);
    }
    skipped.add_children(&channel, "channel");
    Feed { format, channel: read, items, ..Feed::default() }
}

/// Returns the language of the channel. The dates of the feed may have month names in this
/// language.
fn language_of(channel: &Element) -> Option<String> {
    let mut named = channel.elements().filter(|it| matches!(&*it.name, "language" | "dc:language"));
    named.next().map(Element::text)
}

fn channel(element: &mut Element) -> Channel {
    let mut channel = Channel::default();
    tags::links(element, "atom:link", &mut channel);
    channel.link = element.take_text("link").or(channel.link);
    channel.title = element.take_text("title");
    let description = element.take("description").and_then(|it| tags::text_of(&it));
    let summary = element.take("itunes:summary").and_then(|it| tags::text_of(&it));
    channel.description = description.or(summary);
    channel.language = element.take_text("language").or_else(|| element.take_text("dc:language"));
    channel.copyright = element.take_text("copyright").or_else(|| element.take_text("dc:rights"));
    channel.generator = element.take_text("generator");
    let image = element.take("image").and_then(|mut image| image.take_text("url"));
    channel.image = tags::itunes_image(element).or(image);
    channel.categories = tags::topics(element);
    channel.podcast = podcast::read_channel(element);
    channel.authors = tags::authors(element);
    channel.owner = owner(element);
    channel.itunes = tags::itunes(element, &mut channel.invalid_values);
    channel.expired = channel.itunes.get("complete") == Some(&Value::Bool(true));
    element.take_all("itunes:subtitle");
    element.take_all("itunes:keywords");
    channel
}

/// Returns the owner of the feed: Apple's owner, or else RSS's editor or webmaster.
fn owner(element: &mut Element) -> Option<Author> {
    let owner = element.take("itunes:owner").map(|mut owner| Author {
        name: owner.take_text("itunes:name").unwrap_or_default(),
        url: None,
        email: owner.take_text("itunes:email"),
    });
    let editor = element.take_text("managingEditor");
    let webmaster = element.take_text("webMaster");
    let editor = editor.or(webmaster).map(|text| tags::parse_author(&text));
    owner.or(editor)
}

fn item(
    mut element: Element,
    language: Option<&str>,
    faults: &mut Faults,
    skipped: &mut SkippedFields,
) -> Item {
    let line = element.line;
    let element = &mut element;
    let mut item = Item {
        line,
        base: element.attribute("xml:base").map(str::to_owned),
        podcast: podcast::read_item(element),
        ..Item::default()
    };
    let titles = ["title", "dc:title", "media:title"].map(|name| element.take(name));
    item.title = titles.iter().flatten().find_map(tags::text_of);
    identity(element, &mut item);
    item.wordpress = wordpress::read_item(element, &mut item);
    let published = first_date(
        element,
        &["pubDate", "dc:date", "dcterms:issued", "dcterms:created", "atom:published"],
        language,
        &mut item.invalid_values,
    );
    item.published = item.published.or(published);
    let changed = ["atom:updated", "dcterms:modified"];
    let updated = first_date(element, &changed, language, &mut item.invalid_values);
    item.updated = item.updated.or(updated);
    texts(element, &mut item);
    item.authors = tags::authors(element);
    if item.wordpress.is_some() {
        wordpress::set_terms(element, &mut item);
    }
    for tag in element.take_all("category").iter().chain(&element.take_all("dc:subject")) {
        item.add_tag(&unescape(&tag.own_text()));
    }
    let keywords = element.take_text("itunes:keywords").filter(|_| item.tags.is_empty());
    let keywords = keywords.into_iter().chain(element.take_text("tags"));
    for tag in keywords.collect::<Vec<_>>().iter().flat_map(|line| line.split(',')) {
        item.add_tag(tag);
    }
    let linked = std::mem::take(&mut item.enclosures);
    for file in element.take_all("enclosure") {
        item.enclosures.extend(enclosure(&file, &mut item.invalid_values, faults));
    }
    for file in linked {
        let is_known = item.enclosures.iter().any(|known| known.url == file.url);
        item.enclosures.extend((!is_known).then_some(file));
    }
    tags::read_item(element, &mut item);
    skipped.add_children(element, "item");
    item
}

/// Reads the id of an item, and the address of its page.
fn identity(element: &mut Element, item: &mut Item) {
    let guid = element.take("guid");
    // FeedBurner stores the original address of an item in `feedburner:origLink`. The item's link
    // redirects to that address.
    let original = element.take_text("feedburner:origLink");
    let about = element.attribute("rdf:about").map(str::to_owned);
    // Some feeds use Atom elements in RSS without declaring Atom's namespace.
    let id = element.take_text("id").or_else(|| element.take_text("atom:id"));
    item.guid = guid.as_ref().map(Element::text).filter(|guid| !guid.is_empty()).or(id);
    let is_permalink = guid.is_some_and(|guid| {
        guid.attribute("isPermaLink").is_none_or(|flag| flag.eq_ignore_ascii_case("true"))
    });
    let permalink = item.guid.clone().filter(|guid| is_permalink && guid.starts_with("http"));
    let (written, linked): (Vec<Element>, Vec<Element>) =
        element.take_all("link").into_iter().partition(|link| link.attribute("href").is_none());
    let link = written.iter().map(Element::text).find(|text| !text.is_empty());
    let mut linked = linked;
    linked.extend(element.take_all("atom:link"));
    for link in linked.iter().filter(|link| link.attribute("rel") == Some("enclosure")) {
        item.enclosures.extend(enclosure_of(link, &mut item.invalid_values));
    }
    let linked =
        linked.iter().find(|link| matches!(link.attribute("rel"), None | Some("alternate")));
    let linked = linked.and_then(|link| link.attribute("href").map(str::to_owned));
    item.link = original.or(link).or(linked).or(permalink).or_else(|| about.clone());
    item.guid = item.guid.take().or(about);
}

/// Reads the full text and the summary of an item. `description` can be either of them.
fn texts(element: &mut Element, item: &mut Item) {
    let media_text = tags::media_text(element);
    let mut text = |name: &str| element.take(name).and_then(|it| tags::text_of(&it));
    let content = text("content:encoded")
        .or_else(|| text("xhtml:body"))
        .or_else(|| text("content"))
        .or_else(|| text("body"))
        .or_else(|| text("fullitem"));
    let description = text("description");
    let others = [
        text("itunes:summary"),
        text("summary"),
        text("dc:description"),
        media_text,
        text("dcterms:abstract"),
        text("excerpt:encoded"),
        text("itunes:subtitle"),
    ];
    let mut others = others.into_iter().flatten();
    (item.content, item.summary) = match (content, description) {
        (Some(content), description) => (Some(content), description.or_else(|| others.next())),
        (None, Some(description)) => (Some(description), others.next()),
        (None, None) => (others.next(), None),
    };
    if item.summary == item.content {
        item.summary = None;
    }
}

fn first_date(
    element: &mut Element,
    names: &[&str],
    language: Option<&str>,
    invalid_values: &mut InvalidValues,
) -> Option<jiff::Timestamp> {
    let mut found = None;
    for name in names {
        for written in element.take_all(name) {
            found = found.or(invalid_values.date(name, &written.text(), language));
        }
    }
    found
}

fn enclosure(
    element: &Element,
    invalid_values: &mut InvalidValues,
    faults: &mut Faults,
) -> Option<Enclosure> {
    let file = enclosure_of(element, invalid_values);
    if file.is_none() {
        let message = "an enclosure without an address was skipped".to_owned();
        faults.push(Fault { line: element.line, message });
    }
    file
}

/// Returns the file that an element's attributes describe.
fn enclosure_of(element: &Element, invalid_values: &mut InvalidValues) -> Option<Enclosure> {
    let url = element.attribute("url").or(element.attribute("href"))?;
    Some(Enclosure {
        url: url.to_owned(),
        media_type: element.attribute("type").map(str::to_owned),
        length: element
            .attribute("length")
            .and_then(|text| invalid_values.length("enclosure length", text)),
        duration: None,
        title: None,
        category: None,
    })
}
