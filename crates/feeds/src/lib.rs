//! Reads feeds in any format: RSS 0.9 to 2.0, RDF, Atom and JSON Feed, with the namespaces that
//! podcasts and blogs use.
//!
//! [`read`] takes bytes and returns a [`Feed`]. Markup that is not well-formed is reported as a
//! [`Fault`], and fixed as a browser would fix it. Data that [`Feed`] has no field for is listed in
//! [`skipped`](Feed::skipped). No input causes a panic. Time and memory are proportional to
//! the length of the feed: an entity declared in a document is expanded only if its replacement
//! text is short and does not refer to another entity.
//!
//! Data that services store in addition to their feeds is read into the same [`Feed`]: [`ghost`],
//! [`microfeed`], [`podlove`], [`castopod`].
//!
//! ```
//! let feed = feeds::read(b"<rss><channel><title>Harbour</title><item><guid>1</guid></item></channel></rss>", None)?;
//! assert_eq!(feed.channel.title.as_deref(), Some("Harbour"));
//! assert_eq!(feed.items[0].guid.as_deref(), Some("1"));
//! # Ok::<(), feeds::NotAFeed>(())
//! ```

mod atom;
mod blogger;
pub mod castopod;
pub mod date;
mod element;
mod entities;
mod feed;
pub mod ghost;
mod json;
mod json_value;
pub mod microfeed;
mod namespaces;
mod podcast;
pub mod podlove;
mod podlove_export;
mod rss;
mod skipped;
mod tags;
mod text;
pub mod values;
mod wordpress;

use serde_json::Value;

use feed::Faults;
pub use feed::{Author, Channel, Enclosure, Fault, Feed, Item, SkippedField, StoredData, Text};
pub use podlove_export::Export as PodloveExport;
use skipped::SkippedFields;
pub use values::InvalidValues;
pub use wordpress::WordPress;

/// Error for a document that is not a feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotAFeed {
    /// The error message, which says what the document is, if that is known.
    pub message: String,
    /// Address of the feed that a web page links to, if the document is a web page.
    pub feed_url: Option<String>,
}

/// Reads a feed. `charset` is the charset in the server's Content-Type header, if it has one.
///
/// # Errors
///
/// Fails when the document is not a feed.
pub fn read(bytes: &[u8], charset: Option<&str>) -> Result<Feed, NotAFeed> {
    let (text, wrong) = text::decode_text(bytes, charset);
    let (mut faults, mut skipped) = (Faults::default(), SkippedFields::default());
    if let Some(message) = wrong {
        faults.push(Fault { line: 1, message });
    }
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let mut feed = if start.starts_with('{') {
        json_feed(start, &mut faults, &mut skipped)?
    } else {
        xml_feed(&text, &mut faults, &mut skipped)?
    };
    feed.faults = faults.into_list();
    feed.skipped = skipped.into_list();
    feed.check_languages();
    Ok(feed)
}

impl Feed {
    /// Converts the feed's languages to language tags (RFC 5646), and removes invalid values.
    pub(crate) fn check_languages(&mut self) {
        let channel = &mut self.channel;
        let own = channel.language.take();
        channel.language = own.and_then(|text| channel.invalid_values.language("language", &text));
        for item in &mut self.items {
            let own = item.language.take();
            item.language = own.and_then(|text| item.invalid_values.language("language", &text));
            let files = item.podcast.get_mut("transcripts");
            for file in files.and_then(Value::as_array_mut).into_iter().flatten() {
                let own = file.get_mut("language");
                if let Some(Value::String(text)) = own
                    && let Some(tag) = values::language(text)
                {
                    *text = tag;
                }
            }
        }
    }
}

fn json_feed(
    text: &str,
    faults: &mut Faults,
    skipped: &mut SkippedFields,
) -> Result<Feed, NotAFeed> {
    let value = serde_json::from_str(text)
        .map_err(|error| not_a_feed(format!("this is not valid JSON: {error}")))?;
    let Value::Object(keys) = value else {
        return Err(not_a_feed("this JSON is not an object"));
    };
    let version = keys.get("version").and_then(Value::as_str).unwrap_or_default();
    if !version.contains("jsonfeed.org") && !keys.contains_key("items") {
        return Err(not_a_feed("this JSON is not a JSON Feed: it has no `version` and no `items`"));
    }
    Ok(json::read(keys, faults, skipped))
}

fn xml_feed(
    text: &str,
    faults: &mut Faults,
    skipped: &mut SkippedFields,
) -> Result<Feed, NotAFeed> {
    let Some(root) = element::parse(text, faults) else {
        return Err(not_a_feed("this is neither XML nor JSON"));
    };
    let name = root.name.to_ascii_lowercase();
    match &*name {
        "rss" | "rdf:rdf" | "channel" => Ok(rss::read(root, faults, skipped)),
        "atom:feed" | "feed" | "atom:entry" => Ok(atom::read(root, faults, skipped)),
        "html" | "xhtml:html" => Err(NotAFeed {
            message: "this is a web page, not a feed".to_owned(),
            feed_url: feed_of_page(&root),
        }),
        _ => Err(not_a_feed(format!(
            "this is XML, but not a feed: its root element is <{}>",
            root.name
        ))),
    }
}

/// Returns the address of the first `<link>` with the media type of a feed.
fn feed_of_page(element: &element::Element) -> Option<String> {
    const FEED_TYPES: [&str; 3] =
        ["application/rss+xml", "application/atom+xml", "application/feed+json"];
    element.elements().find_map(|child| {
        let is_feed = child.attribute("type").is_some_and(|kind| FEED_TYPES.contains(&kind));
        let own = child.attribute("href").filter(|_| is_feed).map(str::to_owned);
        own.or_else(|| feed_of_page(child))
    })
}

fn not_a_feed(message: impl Into<String>) -> NotAFeed {
    NotAFeed { message: message.into(), feed_url: None }
}
