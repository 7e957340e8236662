//! Conversion of `content/channel.md` to the [`Channel`].

use front_matter::{FrontMatter, Node, Table, Value};

use super::body::{body_of, catch_panic};
use super::check::validate_allowed;
use super::defaults::{merge, placed};
use super::fields::{Fields, Reader};
use super::records::{Found, Rules, read_section, record};
use super::{key_advice, podcast, shared_fields};
use model::ArtworkRoles;
use model::field_type::ReadValue;
use model::{CHANNEL, Channel, ChannelItunes, SubscribeMethod, TopicCategory, is_in_language};

/// Keys that differ in each language: a key or a table, and a key of the table. A channel in another
/// language does not have the values of `content/channel.md` for them.
const OWN: [(&str, &str); 6] = [
    ("allow", ""),
    ("language", ""),
    ("homepage_url", ""),
    ("home_page_url", ""),
    ("podcast", "guid"),
    ("itunes", "new-feed-url"),
];

/// Reads the channel. Returns `None` if the front matter cannot be parsed.
pub fn read(reader: &Reader<'_>) -> Option<Channel> {
    let language = reader.config.languages.default.as_deref();
    read_front(reader, &reader.front_matter()?, language)
}

/// Reads the channel in another language. It has the values of `main`, the front matter of
/// `content/channel.md`, for keys that the file omits.
pub fn read_in_language(reader: &Reader<'_>, (language, main): (&str, &Table)) -> Option<Channel> {
    let mut front = reader.front_matter()?;
    inherit(&mut front.table, main);
    read_front(reader, &front, Some(language))
}

/// Adds the values of `main` for keys that a channel in another language omits.
pub fn inherit(own: &mut Table, main: &Table) {
    let mut main = main.clone();
    for (key, inner) in OWN {
        main.entries.retain(|entry| entry.key != key || !inner.is_empty());
        let tables = main.entries.iter_mut().filter(|entry| entry.key == key);
        for table in tables.filter_map(|entry| match &mut entry.node.value {
            Value::Table(table) => Some(table),
            _ => None,
        }) {
            table.entries.retain(|entry| entry.key != inner);
        }
    }
    merge(own, &placed(&main), Some(CHANNEL));
}

/// Reads the channel. `language` is its language according to `site.toml`.
fn read_front(reader: &Reader<'_>, front: &FrontMatter, language: Option<&str>) -> Option<Channel> {
    let fields = Fields::of_file(reader, &front.table, CHANNEL);
    fields.set_key_advice(key_advice::CHANNEL);
    let mut channel = channel(&fields);
    if let (Some(node), Some(own), Some(language)) =
        (fields.node("language"), &channel.language, language)
        && !is_in_language(own, language)
    {
        let message =
            format!("the language is {own:?}, but `[languages]` in site.toml says {language:?}");
        let help = format!("remove `language`, or write {language:?} in both files");
        reader.error(&node.span, message, help);
    }
    let described = fields.string("description");
    validate_allowed(&fields);
    fields.finish();
    let (body, links) = catch_panic(reader, front.body, || body_of(reader, front.body, "channel"));
    channel.description_html = body.html;
    channel.description_text = body.text;
    channel.description_lead = body.lead;
    channel.links = links;
    channel.links.extend(reader.take_links());
    if let Some(text) = described.filter(|_| channel.description_text.is_empty()) {
        channel.description_html = format!("<p>{}</p>", escape(&text));
        channel.description_lead.clone_from(&text);
        channel.description_text = text;
    }
    let (icon, favicon) = (channel.icon.as_ref(), channel.favicon.as_ref());
    let none = ArtworkRoles::default();
    reader.artwork_roles(icon, ArtworkRoles { channel: true, ..none });
    reader.artwork_roles(favicon, ArtworkRoles { favicon: true, ..none });
    Some(channel)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn channel(fields: &Fields<'_, '_>) -> Channel {
    let publisher = fields.node("publisher").and_then(|node| record(fields, "publisher", node));
    Channel {
        title: fields.text("title").unwrap_or_default(),
        homepage_url: fields.first_of("homepage_url", |key| fields.http_url(key)),
        icon: fields.first_of("icon", |key| shared_fields::image(fields, key)),
        favicon: shared_fields::image(fields, "favicon"),
        language: shared_fields::language(fields),
        authors: shared_fields::authors(fields),
        expired: fields.bool("expired").unwrap_or(false),
        copyright: fields.text("copyright"),
        categories: categories(fields),
        subscribe_methods: fields
            .list("subscribe_methods")
            .iter()
            .filter_map(|node| record(fields, "subscribe_methods", node))
            .collect(),
        publisher,
        seo: shared_fields::seo(fields),
        podcast: fields.table("podcast", podcast::channel_podcast).unwrap_or_default(),
        itunes: read_section(fields, "itunes").unwrap_or_default(),
        ..Channel::default()
    }
}

/// Maximum number of top-level categories of a channel.
const MAX_CATEGORIES: usize = 100;

/// Reads `categories`: names, `Parent > Child`, or tables of `name` and `categories`.
fn categories(fields: &Fields<'_, '_>) -> Vec<TopicCategory> {
    let mut found: Vec<TopicCategory> = Vec::new();
    let list = fields.list("categories");
    if let Some(extra) = list.get(MAX_CATEGORIES) {
        let message = format!("a channel can have at most {MAX_CATEGORIES} categories");
        let help = "remove the rest";
        fields.reader.error(&extra.span, message, help);
    }
    for node in list.iter().take(MAX_CATEGORIES) {
        let category = match &node.value {
            Value::Table(table) => fields.read_table("categories", table, |fields| {
                let name = fields.required_text("name", &node.span);
                let children = fields
                    .list("categories")
                    .iter()
                    .filter_map(|node| child(fields, node))
                    .collect();
                Some(TopicCategory { name: name?, categories: children })
            }),
            _ => fields.as_string("categories", node).map(|text| {
                let (name, rest) = text
                    .split_once('>')
                    .map_or((text.as_str(), None), |(name, rest)| (name, Some(rest)));
                let children = rest.map(|rest| TopicCategory {
                    name: rest.trim().to_owned(),
                    categories: Vec::new(),
                });
                TopicCategory {
                    name: name.trim().to_owned(),
                    categories: children.into_iter().collect(),
                }
            }),
        };
        let Some(category) = category else { continue };
        match found.iter_mut().find(|known| known.name == category.name) {
            Some(known) => known.categories.extend(category.categories),
            None => found.push(category),
        }
    }
    found
}

fn child(fields: &Fields<'_, '_>, node: &Node) -> Option<TopicCategory> {
    let name = match &node.value {
        Value::Table(table) => fields
            .read_table("categories", table, |fields| fields.required_text("name", &node.span)),
        _ => fields.as_string("categories", node),
    };
    name.map(|name| TopicCategory { name, categories: Vec::new() })
}

impl Rules for SubscribeMethod {
    /// Reads the icon.
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let image = shared_fields::image(found.fields, key)?;
        Some(ReadValue::Text(image.url))
    }

    fn finish(mut self, _: &Found<'_, '_, '_>) -> Option<Self> {
        if self.kind.is_empty() {
            self.kind = self.name.to_lowercase().replace(' ', "-");
        }
        if self.id.is_empty() {
            self.id.clone_from(&self.kind);
        }
        Some(self)
    }
}

impl Rules for ChannelItunes {}
