//! The channel, which is stored in `content/channel.md`.

use std::fmt::{self, Formatter};

use front_matter::{Change, Table};
use schemars::{JsonSchema, Schema};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::changes::FileChanges;
use super::input::{Patch, add_alias};
use super::operation::{Operation, schema};
use super::output::{self, Empty};
use super::shared_inputs::{SeoInput, TITLE};
use super::{Answer, ContentCall};
use api_shared::{ApiError, Step, cannot_edit};
use edit::unknown_language;
use model::podcast::ChannelPodcast;
use model::sent::{Sent, add_declared};
use model::{
    Author, CATEGORY, CHANNEL, ChannelItunes, SUBCATEGORY, ShowType, SitePath, Source,
    is_in_language,
};
use render::view::Neighbours;
use site::Snapshot;
use source::channel;
use source::channel_file::{channel_file, channel_file_in};
use source::fields::Reader;

const PRIMARY: &str = "primary";

pub const OPERATIONS: &[Operation] = &[Operation {
    id: "updateChannel",
    method: "PUT",
    path: "/channels/{channelId}/",
    tag: "Channel",
    summary: "Change the channel",
    description: "Changes only the sent fields in `content/channel.md`, or in `content/channel.de.md` with `language=de`. The rest of the file stays byte for byte the same. The channel's id is `primary`.",
    query: Some(schema::<ChannelQuery>),
    body: Some(schema::<ChannelInput>),
    errors: &[400, 404, 409],
    ..Operation::writes(update, schema::<Empty>)
}];

/// Parameter that selects the channel of a language.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct ChannelQuery {
    /// One of the site's other languages: changes the channel in this language, which inherits
    /// missing values.
    language: Option<String>,
}

/// Changes to the channel. An omitted field keeps its value, and null clears it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, CHANNEL, ""))]
#[schemars(transform = |schema: &mut Schema| add_alias(schema, "homepage_url", "home_page_url"))]
#[schemars(extend("examples" = [{
    "title": "The harbour show",
    "authors": [{ "name": "Ada", "url": "https://ada.example" }],
    "_service": { "copyright": "© {{current_year}} Ada", "itunes:type": "episodic" },
}]))]
struct ChannelInput {
    /// Title. It cannot be cleared.
    #[schemars(with = "String", length(min = 1), regex(pattern = TITLE))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    title: Patch<String>,
    /// Description, as plain text or HTML.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    description: Patch<String>,
    /// URL of the website that the feed is about, if it is not this site.
    #[serde(alias = "home_page_url")]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    homepage_url: Patch<String>,
    /// Icon: the URL of a picture, or a path of this site.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    icon: Patch<String>,
    /// Language tag (RFC 5646).
    #[schemars(length(max = 64), regex(pattern = "^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$"))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    language: Patch<String>,
    /// Authors of the channel.
    #[schemars(length(max = 50))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    authors: Patch<Vec<Sent<Author>>>,
    /// Whether the channel will never be updated again.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    expired: Patch<bool>,
    /// Fields that JSON Feed does not define.
    #[serde(rename = "_service", skip_serializing_if = "Patch::is_omitted")]
    service: Patch<ChannelExtensionInput>,
}

/// Fields of the channel that JSON Feed does not define.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, CHANNEL, ""))]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, ChannelItunes::SHAPE, "itunes:"))]
struct ChannelExtensionInput {
    /// Copyright notice. `{{current_year}}` is replaced by the current year.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    copyright: Patch<String>,
    /// Topics of the channel.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    categories: Patch<Vec<CategoryInput>>,
    /// Publisher of the channel.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    publisher: Patch<Sent<Author>>,
    /// Metadata for search engines and social networks. Null clears all of it.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    seo: Patch<SeoInput>,
    /// Podcasting 2.0 tags by their front matter names. A null tag is cleared. Null in place of the
    /// object clears all tags.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    #[serde(deserialize_with = "podcast_tags")]
    podcast: Patch<Map<String, Value>>,
    #[serde(rename = "itunes:title", skip_serializing_if = "Patch::is_omitted")]
    itunes_title: Patch<String>,
    #[serde(rename = "itunes:type", skip_serializing_if = "Patch::is_omitted")]
    itunes_type: Patch<ShowType>,
    #[serde(rename = "itunes:explicit", skip_serializing_if = "Patch::is_omitted")]
    itunes_explicit: Patch<bool>,
    #[serde(rename = "itunes:block", skip_serializing_if = "Patch::is_omitted")]
    itunes_block: Patch<bool>,
    #[serde(rename = "itunes:complete", skip_serializing_if = "Patch::is_omitted")]
    itunes_complete: Patch<bool>,
    #[serde(rename = "itunes:email", skip_serializing_if = "Patch::is_omitted")]
    itunes_email: Patch<String>,
    #[serde(rename = "itunes:new-feed-url", skip_serializing_if = "Patch::is_omitted")]
    itunes_new_feed_url: Patch<String>,
}

/// Topic with its subtopics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, CATEGORY, ""))]
struct CategoryInput {
    name: String,
    /// Subtopics of the topic.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    categories: Vec<SubcategoryInput>,
}

/// Subtopic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, SUBCATEGORY, ""))]
struct SubcategoryInput {
    name: String,
}

/// The text of a channel file without any settings.
const EMPTY: &str = "+++\n+++\n";

fn check(reader: &Reader<'_>) {
    let language = reader.config.languages.of_file(reader.source.path).and_then(|(tag, _)| tag);
    let _ = match language {
        Some(language) => channel::read_in_language(reader, (language, &Table::default())),
        None => channel::read(reader),
    };
}

/// Returns the tag of the other language whose channel the call changes. `None` means the site's
/// language.
fn other_language<'s>(
    call: &ContentCall<'_>,
    snapshot: &'s Snapshot,
) -> Result<Option<&'s str>, ApiError> {
    let query: ChannelQuery = call.parameters()?;
    let Some(sent) = query.language.filter(|sent| !sent.is_empty()) else { return Ok(None) };
    let languages = &snapshot.config.languages;
    let own = snapshot.language();
    let message = match languages.others.is_empty() {
        true if is_in_language(&sent, own) => None,
        true => Some(format!("the only language is {own}, not {sent:?}")),
        false => unknown_language(languages, &sent),
    };
    if let Some(message) = message {
        return Err(ApiError::not_found(message).in_field("language"));
    }
    let at = languages.index(Some(&sent)).checked_sub(1);
    Ok(at.map(|at| languages.others[at].as_str()))
}

fn update(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    if call.id() != PRIMARY {
        return Err(ApiError::bad(format!("channelId: must be {PRIMARY:?}, the only channel")));
    }
    let input: ChannelInput = call.input()?;
    if matches!(&input.title, Patch::Null)
        || input.title.value().is_some_and(|t| t.trim().is_empty())
    {
        return Err(ApiError::bad("title: cannot be cleared; a channel must have a title"));
    }
    let writing = call.begin_writing()?;
    let snapshot = &writing.before.site.snapshot;
    let own = writing.own();
    let language = other_language(call, snapshot)?;
    let root = call.app.live.root();
    let at = Neighbours::default();
    let shown = output::feed_page(root, &writing.before, language, &at, &[]);
    let shown = Value::Object(shown);
    let edit = |path: &SitePath, text: &str| {
        let source = Source { path, text };
        let front = source.front_matter().map_err(cannot_edit)?;
        let mut changes = FileChanges::new(&own, path, &front.table, &shown);
        collect(&mut changes, &input)?;
        let body = description(&mut changes, &input, text[front.body..].trim().is_empty());
        edit::apply(source, &changes.found, body.as_deref()).map_err(cannot_edit)
    };
    let content = &snapshot.config.content;
    let before = match language {
        Some(language) => channel_file_in(root, content, language),
        None => channel_file(root, content),
    };
    let (step, path) = match before {
        Some(path) if is_new_html(&input, &shown, &path) => {
            let source = path.clone();
            writing.convert(&path, "html", check, move |text| edit(&source, text))?
        }
        Some(path) => {
            let source = path.clone();
            let step = Step::change(&path, check, move |text| edit(&source, text));
            (step, path)
        }
        None => {
            let name = language.map_or("channel.md".into(), |tag| format!("channel.{tag}.md"));
            let path = SitePath::new(content.join(&name))
                .ok_or_else(|| ApiError::failed("invalid path of the channel"))?;
            let text = edit(&path, EMPTY)?;
            if text == EMPTY {
                return Answer::ok(&Empty {});
            }
            (Step::create(&path, &text, check), path)
        }
    };
    writing.write(PRIMARY, Some(&path), &[step])?;
    Answer::ok(&Empty {})
}

fn collect(changes: &mut FileChanges<'_>, input: &ChannelInput) -> Result<(), ApiError> {
    changes.text("/title", &["title"], &input.title);
    let key = changes.existing_key(&["homepage_url", "home_page_url"]);
    changes.text("/home_page_url", &[key], &input.homepage_url);
    let icon = changes.existing_key(&["icon", "image"]);
    changes.picture("/icon", icon, &input.icon);
    changes.text("/language", &["language"], &input.language);
    let extension = match &input.service {
        Patch::Value(extension) => extension,
        Patch::Null | Patch::Omitted => &ChannelExtensionInput::default(),
    };
    // The feed shows authors without their type.
    changes.authors("/authors", &input.authors);
    changes.value("/expired", &["expired"], &input.expired);
    changes.text(&changes.at("copyright"), &["copyright"], &extension.copyright);
    categories(changes, &extension.categories);
    changes.value(&changes.at("publisher"), &["publisher"], &extension.publisher);
    changes.seo(&extension.seo)?;
    podcast(changes, &extension.podcast);
    itunes(changes, extension);
    Ok(())
}

fn categories(changes: &mut FileChanges<'_>, categories: &Patch<Vec<CategoryInput>>) {
    let shown: Vec<CategoryInput> =
        changes.current_value(&changes.at("categories")).unwrap_or_default();
    match categories {
        Patch::Value(list) if *list == shown => {}
        Patch::Value(list) if !list.is_empty() => {
            let front_value = list.iter().map(|category| {
                if category.categories.is_empty() {
                    Value::from(category.name.clone())
                } else {
                    super::json_values::to_plain_json(category)
                }
            });
            let front_value: Vec<Value> = front_value.collect();
            changes.set(&["categories"], front_value);
        }
        Patch::Value(_) | Patch::Null => changes.remove_all(&["categories"]),
        Patch::Omitted => {}
    }
}

/// Parses the tags that front matter has. Others are ignored, whatever their values are.
fn podcast_tags<'de, D: Deserializer<'de>>(sent: D) -> Result<Patch<Map<String, Value>>, D::Error> {
    struct Tags;

    impl<'de> Visitor<'de> for Tags {
        type Value = Patch<Map<String, Value>>;

        fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Patch::Null)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
            let declared = ChannelPodcast::SHAPE.all_fields();
            let mut tags = Map::new();
            while let Some(name) = object.next_key::<String>()? {
                if declared.iter().any(|tag| tag.keys().any(|key| key == name)) {
                    tags.insert(name, object.next_value()?);
                } else {
                    object.next_value::<IgnoredAny>()?;
                }
            }
            Ok(Patch::Value(tags))
        }
    }

    sent.deserialize_any(Tags)
}

fn podcast(changes: &mut FileChanges<'_>, podcast: &Patch<Map<String, Value>>) {
    let sent = match podcast {
        Patch::Omitted => return,
        Patch::Null => return changes.remove_all(&["podcast"]),
        Patch::Value(sent) => sent,
    };
    for (name, value) in sent {
        let mut shown = changes.current_value::<Value>(&changes.at(&format!("podcast/{name}")));
        shown.iter_mut().for_each(super::json_values::convert_whole_numbers);
        if shown.as_ref() == Some(value) {
            continue;
        }
        match value {
            Value::Null => changes.remove(&["podcast", name]),
            value => changes.set(&["podcast", name], value.clone()),
        }
    }
}

fn itunes(changes: &mut FileChanges<'_>, input: &ChannelExtensionInput) {
    changes.itunes_text("title", &input.itunes_title);
    changes.itunes("type", &input.itunes_type);
    changes.itunes("explicit", &input.itunes_explicit);
    changes.itunes("block", &input.itunes_block);
    changes.itunes("complete", &input.itunes_complete);
    changes.itunes_text("email", &input.itunes_email);
    changes.itunes_text("new-feed-url", &input.itunes_new_feed_url);
}

/// Sets the description. Returns the new body if the description is written to the body. A
/// plain-text description stays in the `description` key if the file has this key and no body.
fn description(
    changes: &mut FileChanges<'_>,
    input: &ChannelInput,
    no_body: bool,
) -> Option<String> {
    let shown = changes.current_value::<String>("/description");
    let text = match &input.description {
        Patch::Omitted => return None,
        Patch::Value(text) if shown.as_ref() == Some(text) => return None,
        Patch::Value(text) => text.as_str(),
        Patch::Null => "",
    };
    let is_key = changes.table.get("description").is_some() && no_body;
    if is_key && !is_html(text) {
        match text {
            "" => changes.remove(&["description"]),
            text => changes.set(&["description"], text),
        }
        return None;
    }
    if is_key {
        changes.found.push(Change::remove(&["description"]));
    }
    Some(changes.own.body(text))
}

/// Returns whether the client sends a new HTML description for a Markdown file.
fn is_new_html(input: &ChannelInput, shown: &Value, path: &SitePath) -> bool {
    let new = input.description.value().filter(|text| is_html(text));
    path.extension() == "md" && new.is_some_and(|text| shown["description"] != text.as_str())
}

fn is_html(text: &str) -> bool {
    text.contains('<') || text.contains('&')
}
