//! The complete feed, including unlisted and unpublished items.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::operation::{Operation, schema};
use super::output::{self, FeedOutput};
use super::{Answer, BASE, ContentCall, cursor};
use api_shared::ApiError;
use model::{SortKey, SortOrder};
use render::view::Neighbours;
use server::Moment;
use site::{ItemEntry, Snapshot};

/// Maximum number of items on a page.
const MAX_LIMIT: usize = 300;

pub const OPERATIONS: &[Operation] = &[Operation {
    id: "getFeed",
    path: "/feed/",
    tag: "Feed",
    summary: "Read the complete feed",
    description: "Lists published, unlisted and unpublished items, one page per request.",
    query: Some(schema::<FeedQuery>),
    errors: &[400],
    ..Operation::reads(read, schema::<FeedOutput>)
}];

/// Parameters that select and sort the items of the feed.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct FeedQuery {
    /// Maximum number of items on this page. Defaults to `items_per_page` in site.toml.
    #[schemars(range(min = 1, max = 300))]
    limit: Option<usize>,
    /// Cursor for the next page: `_service.items_next_cursor` of the current page.
    #[schemars(length(min = 1, max = 2048))]
    next_cursor: Option<String>,
    /// Cursor for the previous page: `_service.items_prev_cursor` of the current page.
    #[schemars(length(min = 1, max = 2048))]
    prev_cursor: Option<String>,
    /// Language tag (RFC 5646). Includes only items in this language. In a site with several
    /// languages, the feed has the title and description of the language.
    language: Option<String>,
    /// Sort direction. Defaults to the direction in site.toml. Ignored with `newest_first` and
    /// `oldest_first`.
    order: Option<Order>,
    /// Sort key. Defaults to the sort key in site.toml.
    sort: Option<Sort>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Order {
    Asc,
    Desc,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Sort {
    CreatedAt,
    UpdatedAt,
    PublishedAt,
    NewestFirst,
    OldestFirst,
}

/// A position in the feed: an item's sort time and the path of its file.
type FeedPosition = (Option<Timestamp>, String);

/// The sort key and direction of a feed.
#[derive(Debug, Clone, Copy)]
struct Sorting {
    key: SortKey,
    order: SortOrder,
}

impl Sorting {
    fn of(query: &FeedQuery, snapshot: &Snapshot) -> Self {
        let own = &snapshot.config.feed;
        let order = match query.order {
            Some(Order::Asc) => SortOrder::Asc,
            Some(Order::Desc) => SortOrder::Desc,
            None => own.order,
        };
        let (key, order) = match query.sort {
            Some(Sort::CreatedAt) => (SortKey::Created, order),
            Some(Sort::UpdatedAt) => (SortKey::Updated, order),
            Some(Sort::PublishedAt) => (SortKey::Published, order),
            Some(Sort::NewestFirst) => (SortKey::Published, SortOrder::Desc),
            Some(Sort::OldestFirst) => (SortKey::Published, SortOrder::Asc),
            None => (own.sort, order),
        };
        Self { key, order }
    }

    fn position(self, entry: &ItemEntry) -> FeedPosition {
        let item = &entry.item;
        (self.key.date(item), item.source.as_str().to_owned())
    }

    fn compare(self, a: &FeedPosition, b: &FeedPosition) -> Ordering {
        self.order.compare((&a.0, &a.1), (&b.0, &b.1))
    }
}

fn read(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let query: FeedQuery = call.parameters()?;
    let moment = call.moment()?;
    let snapshot = &moment.site.snapshot;
    let limit = query.limit.unwrap_or(snapshot.config.feed.items_per_page);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ApiError::bad(format!("limit: must be from 1 to {MAX_LIMIT}")));
    }
    let language = query.language.as_deref();
    let list = List { sorting: Sorting::of(&query, snapshot), language };
    let is_listed = |entry: &&Arc<ItemEntry>| {
        let own = entry.item.language.as_deref();
        language.is_none_or(|language| snapshot.is_in_language(own, language))
    };
    let mut entries: Vec<(FeedPosition, &ItemEntry)> = (snapshot.entries.iter())
        .filter(is_listed)
        .map(|entry| (list.sorting.position(entry), &**entry))
        .collect();
    entries.sort_unstable_by(|a, b| list.sorting.compare(&a.0, &b.0));
    let page = page(&query, list, limit, &entries)?;
    Answer::ok(&answer(call.app.live.root(), &moment, list, limit, &entries, page)?)
}

/// The items of a feed: their order and their language.
#[derive(Clone, Copy)]
struct List<'q> {
    sorting: Sorting,
    language: Option<&'q str>,
}

impl List<'_> {
    /// Returns the name to which cursors are bound.
    fn name(self) -> String {
        let Sorting { key, order } = self.sorting;
        let language = self.language.map_or_else(String::new, |language| format!(" {language}"));
        format!("feed {} {}{language}", key.as_str(), order.as_str())
    }
}

/// Returns the range of items on the requested page.
fn page(
    query: &FeedQuery,
    list: List<'_>,
    limit: usize,
    entries: &[(FeedPosition, &ItemEntry)],
) -> Result<std::ops::Range<usize>, ApiError> {
    let (sorting, list) = (list.sorting, list.name());
    let start = match (&query.next_cursor, &query.prev_cursor) {
        (Some(_), Some(_)) => {
            return Err(ApiError::bad(
                "prev_cursor: send either prev_cursor or next_cursor, not both",
            ));
        }
        (Some(next), None) => {
            let position: FeedPosition = cursor::read("next_cursor", &list, next)?;
            entries.partition_point(|(own, _)| sorting.compare(own, &position).is_le())
        }
        (None, Some(prev)) => {
            let position: FeedPosition = cursor::read("prev_cursor", &list, prev)?;
            let end = entries.partition_point(|(own, _)| sorting.compare(own, &position).is_lt());
            return Ok(end.saturating_sub(limit)..end);
        }
        (None, None) => 0,
    };
    Ok(start..(start + limit).min(entries.len()))
}

fn answer(
    root: &Path,
    moment: &Moment,
    list: List<'_>,
    limit: usize,
    entries: &[(FeedPosition, &ItemEntry)],
    page: std::ops::Range<usize>,
) -> Result<Value, ApiError> {
    let snapshot = &moment.site.snapshot;
    let List { sorting, language } = list;
    let list = list.name();
    let (sort, order) = (sorting.key.as_str(), sorting.order.as_str());
    let at = |entry: Option<&(FeedPosition, &ItemEntry)>| match entry {
        Some((position, _)) => cursor::write(&list, position).map(Some),
        None => Ok(None),
    };
    let shown = &entries[page.clone()];
    let next = at(shown.last().filter(|_| page.end < entries.len()))?;
    let prev = at(shown.first().filter(|_| page.start > 0))?;
    let url = |name: &str, cursor: &str| {
        let path = snapshot.config.url(&format!("{BASE}/feed/"));
        let language = language.map(|language| format!("&language={language}")).unwrap_or_default();
        format!("{path}?limit={limit}&sort={sort}&order={order}{language}&{name}={cursor}")
    };
    let neighbours = Neighbours {
        own: snapshot.config.url(&format!("{BASE}/feed/")),
        next: next.as_ref().map(|cursor| url("next_cursor", cursor)),
        prev: prev.as_ref().map(|cursor| url("prev_cursor", cursor)),
        next_cursor: next,
        prev_cursor: prev,
    };
    let items: Vec<&ItemEntry> = shown.iter().map(|(_, entry)| *entry).collect();
    let mut feed = Value::Object(output::feed_page(root, moment, language, &neighbours, &items));
    let extension = &mut feed[format!("_{}", snapshot.config.namespace)];
    extension["items_sort"] = json!(sort);
    extension["items_order"] = json!(order);
    Ok(feed)
}
