//! The list of pages.

use std::cmp::Reverse;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::output::{PageOutput, value};
use crate::input::{STATUSES, parse_name_list};
use crate::{Answer, ContentCall, cursor};
use api_shared::ApiError;
use model::{Page, Status};
use site::PageEntry;

/// Maximum number of pages in an answer.
const MAX_LIMIT: usize = 100;

/// Parameters that select Pages.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PageQuery {
    /// Maximum number of Pages in this answer.
    #[schemars(range(min = 1, max = 100), extend("default" = 20))]
    limit: Option<usize>,
    /// Cursor for the rest of the list: `next_cursor` of the previous answer.
    #[schemars(length(min = 1, max = 2048))]
    next_cursor: Option<String>,
    /// Statuses to include, separated by commas, each at most once. Defaults to all statuses.
    #[schemars(
        regex(pattern = STATUSES),
        extend("default" = "published,unlisted,unpublished")
    )]
    status: Option<String>,
    /// Language tag (RFC 5646). Includes only Pages in this language.
    language: Option<String>,
}

/// List of Pages.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PageListOutput {
    /// Pages, most recently updated first.
    #[schemars(with = "Vec<PageOutput<'static>>")]
    items: Vec<Value>,
    /// Cursor of the rest of the list, if there are more Pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A position in the list: the sort key of the page at this position.
type PagePosition = (Reverse<Option<Timestamp>>, (i64, String, String));

fn position(page: &Page) -> PagePosition {
    let (updated, (order, title, slug)) = page.recency();
    (updated, (order, title.to_owned(), slug.to_owned()))
}

pub fn list(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let query: PageQuery = call.parameters()?;
    let limit = query.limit.unwrap_or(20);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ApiError::bad(format!("limit: must be from 1 to {MAX_LIMIT}")));
    }
    let known: Vec<_> = Status::NAMES.iter().map(|name| (*name, *name)).collect();
    let mut statuses = match &query.status {
        None => Status::NAMES.to_vec(),
        Some(text) => parse_name_list("status", text, &known)?,
    };
    statuses.sort_unstable();
    let language = query.language.as_deref();
    let in_language = language.map(|language| format!(" {language}")).unwrap_or_default();
    let list = format!("pages {}{in_language}", statuses.join(","));
    let moment = call.moment()?;
    let snapshot = &moment.site.snapshot;
    let root = call.app.live.root();
    let mut pages: Vec<(PagePosition, &PageEntry)> = snapshot
        .all_pages()
        .filter(|entry| statuses.contains(&entry.page.status.as_str()))
        .filter(|entry| {
            let own = entry.page.language.as_deref();
            language.is_none_or(|language| snapshot.is_in_language(own, language))
        })
        .map(|entry| (position(&entry.page), entry))
        .collect();
    pages.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let start = match &query.next_cursor {
        None => 0,
        Some(text) => {
            let last: PagePosition = cursor::read("next_cursor", &list, text)?;
            pages.partition_point(|(own, _)| *own <= last)
        }
    };
    let rest = &pages[start..];
    let shown = &rest[..limit.min(rest.len())];
    let next_cursor = match shown.last() {
        Some((last, _)) if rest.len() > shown.len() => Some(cursor::write(&list, last)?),
        _ => None,
    };
    let items = shown.iter().map(|(_, entry)| value(root, &moment, entry));
    Answer::ok(&PageListOutput { items: items.collect(), next_cursor })
}
