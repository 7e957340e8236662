//! Full-text search of items and pages.

use std::borrow::Cow;
use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use search::{Field, Filter, Hit, Kind, Query, SearchError, Status};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::input::{STATUSES, parse_name_list};
use super::operation::{Operation, schema};
use super::output;
use super::{Answer, ContentCall, pages};
use api_shared::{ApiError, in_language};
use server::Moment;

pub const OPERATIONS: &[Operation] = &[Operation {
    id: "search",
    path: "/search/",
    tag: "Search",
    summary: "Search items and Pages",
    description: "Finds items and Pages by title or plain-text content. All terms must match. The last term also matches as a prefix, and a quoted clause as an exact phrase. If the query consists only of words, titles with similar words follow the exact matches. A clause of two or more characters with Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer or Myanmar matches as a literal substring.",
    query: Some(schema::<SearchQuery>),
    errors: &[400],
    ..Operation::reads(search, schema::<SearchOutput>)
}];

/// Search terms and filters.
#[derive(Debug, Deserialize, JsonSchema)]
struct SearchQuery {
    /// Search terms.
    #[schemars(length(min = 1, max = 200))]
    q: String,
    /// Kinds of content to search.
    #[serde(default)]
    #[schemars(extend("enum" = ["items", "pages", "items,pages", "pages,items"], "default" = "items"))]
    types: Option<String>,
    /// Fields to search.
    #[serde(default)]
    #[schemars(extend("enum" = ["title", "content", "title,content", "content,title"], "default" = "title,content"))]
    fields: Option<String>,
    /// Statuses to include, separated by commas, each at most once. Defaults to all statuses.
    #[serde(default)]
    #[schemars(
        regex(pattern = STATUSES),
        extend("default" = "published,unlisted,unpublished")
    )]
    status: Option<String>,
    /// Language tag (RFC 5646). Includes only content in this language.
    #[serde(default)]
    language: Option<String>,
    /// Maximum number of results.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100), extend("default" = 20))]
    limit: Option<usize>,
    /// Cursor from the previous page of results.
    #[serde(default)]
    #[schemars(length(min = 1, max = 2048))]
    next_cursor: Option<String>,
    /// Includes only content published strictly after this time, in Unix milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_i64))]
    date_published_ms_gt: Option<i64>,
    /// Includes only content published strictly before this time, in Unix milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_i64))]
    date_published_ms_lt: Option<i64>,
}

/// Results, best match first.
#[derive(Debug, Serialize, JsonSchema)]
struct SearchOutput {
    #[schemars(with = "Vec<ResultOutput>")]
    items: Vec<Value>,
    /// Cursor of the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// An item or page, with its matching parts.
struct ResultOutput;

impl JsonSchema for ResultOutput {
    fn schema_name() -> Cow<'static, str> {
        "ResultOutput".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An item (`ItemOutput`) or a Page (`PageOutput`), with its matches.",
            "type": "object",
            "properties": {
                "type": {
                    "description": "Kind of result: an item or a Page.",
                    "type": "string",
                    "enum": ["item", "page"],
                },
                "highlights": {
                    "description": "Matches in the title and the content.",
                    "allOf": [generator.subschema_for::<HighlightsOutput>()],
                },
            },
            "required": ["type", "highlights"],
            "anyOf": [
                generator.subschema_for::<output::ItemOutput>(),
                generator.subschema_for::<pages::PageOutput<'static>>(),
            ],
        })
    }
}

/// Title and excerpts of a result, with the matches marked. All strings are plain text, not HTML.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct HighlightsOutput {
    /// Whole title, split into segments.
    title: Vec<SegmentOutput>,
    /// Excerpts of the content, split into segments.
    content_text: Vec<SegmentOutput>,
}

/// Segment of a title or an excerpt.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct SegmentOutput {
    /// Text of the segment.
    text: String,
    /// Whether the segment matches the query.
    matched: bool,
}

fn search(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let sent: SearchQuery = call.parameters()?;
    let mut query = Query::new(&sent.q);
    if let Some(types) = &sent.types {
        query.types =
            parse_name_list("types", types, &[("items", Kind::Item), ("pages", Kind::Page)])?;
    }
    if let Some(fields) = &sent.fields {
        let known = [("title", Field::Title), ("content", Field::Content)];
        query.fields = parse_name_list("fields", fields, &known)?;
    }
    if let Some(statuses) = &sent.status {
        let known = [
            ("published", Status::Published),
            ("unlisted", Status::Unlisted),
            ("unpublished", Status::Unpublished),
        ];
        query.statuses = parse_name_list("status", statuses, &known)?;
    }
    query.limit = sent.limit.unwrap_or(query.limit);
    query.cursor = sent.next_cursor.as_deref();
    query.published_after_ms = milliseconds("date_published_ms_gt", sent.date_published_ms_gt)?;
    query.published_before_ms = milliseconds("date_published_ms_lt", sent.date_published_ms_lt)?;
    let moment = call.moment()?;
    let snapshot = &moment.site.snapshot;
    let accepts = sent.language.as_deref().map(|name| (name, in_language(snapshot, name)));
    query.filter = accepts.as_ref().map(|(name, accepts)| Filter { name, accepts });
    let found = call.finder.search(&moment, &query).map_err(|error| match error {
        SearchError::Query(error) => ApiError::bad(error.to_string()),
        error => ApiError::failed(error),
    })?;
    let results = found.hits.iter().filter_map(|hit| result(call.app.live.root(), &moment, hit));
    Answer::ok(&SearchOutput { items: results.collect(), next_cursor: found.next_cursor })
}

/// Validates a time in Unix milliseconds. The maximum is the largest integer that a double
/// represents exactly.
fn milliseconds(field: &str, value: Option<i64>) -> Result<Option<i64>, ApiError> {
    match value {
        Some(value) if !(0..=9_007_199_254_740_991).contains(&value) => {
            Err(ApiError::bad(format!("{field}: must be from 0 to 9007199254740991")))
        }
        value => Ok(value),
    }
}

/// Returns a search result as JSON. Returns None if the content was removed after the search.
fn result(root: &Path, moment: &Moment, hit: &Hit) -> Option<Value> {
    let snapshot = &moment.site.snapshot;
    let (kind, mut shown) = match hit.kind {
        Kind::Item => ("item", output::item(root, moment, snapshot.find(&hit.id)?)),
        Kind::Page => ("page", pages::value(root, moment, snapshot.page(&hit.id)?)),
    };
    let segments = |segments: &[search::Segment]| -> Value {
        segments
            .iter()
            .map(|segment| json!({ "text": segment.text, "matched": segment.matched }))
            .collect()
    };
    shown["type"] = kind.into();
    shown["highlights"] = json!({
        "title": segments(&hit.title),
        "content_text": segments(&hit.content_text),
    });
    Some(shown)
}
