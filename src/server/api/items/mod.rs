//! Items.

mod changes;
mod input;

use std::sync::Arc;

use jiff::Timestamp;
use warp::http::StatusCode;
use warp::http::header::HeaderName;

pub use input::*;

use changes::ItemChanges;

use super::body::{Body, Sent};
use super::changes::Changes;
use super::input::Patch;
use super::operation::{Operation, schema};
use super::output::{self, Empty, FeedOutput, ItemCreated, ItemOutput, Validated};
use super::writing::Writing;
use super::{Answer, ApiError, Call, Own, times};
use crate::edit;
use crate::model::{Item, ItemId, SitePath, Slug, Source, Status};
use crate::site::{Entry, Snapshot};
use crate::source::fields::Reader;
use crate::source::value::Table;
use crate::source::{front_matter, item};
use crate::state::{Reservation, Scope, Ticket};

/// Where new items lie.
const FOLDER: &str = "content/items";

/// The operations on items.
pub const OPERATIONS: &[Operation] = &[
    Operation {
        id: "createItem",
        method: "POST",
        path: "/items/",
        tag: "Items",
        summary: "Create an item",
        description: "Writes a new file in `content/items/`. With an `Idempotency-Key` a retry within 24 hours answers the first response again and creates nothing.",
        scope: Scope::CONTENT_WRITE,
        traced: true,
        idempotent: true,
        query: None,
        body: Some(schema::<ItemInput>),
        status: 201,
        output: schema::<ItemCreated>,
        errors: &[400, 409],
        run: create,
    },
    Operation {
        id: "validateItem",
        method: "POST",
        path: "/items/validate/",
        tag: "Items",
        summary: "Validate an item",
        description: "Says whether an item could be created from this body. Nothing is written.",
        scope: Scope::CONTENT_WRITE,
        traced: false,
        idempotent: false,
        query: None,
        body: Some(schema::<ItemInput>),
        status: 200,
        output: schema::<Validated>,
        errors: &[400],
        run: validate,
    },
    Operation {
        id: "getItem",
        method: "GET",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Read an item",
        description: "Answers a feed with this one item. The path takes the item's id, its slug, a former slug, or any slug that ends in the id.",
        scope: Scope::CONTENT_READ,
        traced: false,
        idempotent: false,
        query: None,
        body: None,
        status: 200,
        output: schema::<FeedOutput>,
        errors: &[404],
        run: read,
    },
    Operation {
        id: "updateItem",
        method: "PUT",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Change an item",
        description: "Changes the fields that are sent, and no other byte of the item's file. `content_html` makes a Markdown item an HTML one.",
        scope: Scope::CONTENT_WRITE,
        traced: true,
        idempotent: false,
        query: None,
        body: Some(schema::<ItemInput>),
        status: 200,
        output: schema::<ItemOutput>,
        errors: &[400, 404, 409],
        run: update,
    },
    Operation {
        id: "deleteItem",
        method: "DELETE",
        path: "/items/{itemId}/",
        tag: "Items",
        summary: "Delete an item",
        description: "Moves the item's file to `.feedwright/trash/`.",
        scope: Scope::CONTENT_WRITE,
        traced: true,
        idempotent: false,
        query: None,
        body: None,
        status: 200,
        output: schema::<Empty>,
        errors: &[400, 404],
        run: delete,
    },
];

/// The item that a path's parameter means: by id, segment, alias, or a text that ends in its id.
pub fn find<'s>(snapshot: &'s Snapshot, key: &str) -> Result<&'s Arc<Entry>, ApiError> {
    let ends = key.match_indices('-').map(|(at, _)| &key[at + 1..]);
    snapshot
        .find(key)
        .or_else(|| {
            ends.filter(|end| !end.is_empty())
                .filter_map(|end| snapshot.find(end).filter(|e| e.item.id.as_str() == end))
                .next()
        })
        .ok_or_else(|| ApiError::not_found(format!("there is no item {key:?}")))
}

/// The item that a write means. A text that can be neither id nor slug is an error of its own.
fn find_to_write<'s>(snapshot: &'s Snapshot, key: &str) -> Result<&'s Arc<Entry>, ApiError> {
    Slug::parse(key)
        .map(|_| ())
        .or_else(|_| ItemId::parse(key).map(|_| ()))
        .map_err(|_| ApiError::bad(format!("itemId: {key:?} is no id of an item")))?;
    find(snapshot, key)
}

fn read(call: &Call<'_>) -> Result<Answer, ApiError> {
    let moment = call.moment();
    let snapshot = &moment.site.snapshot;
    let entry = find(snapshot, call.id())?;
    let path = format!("/items/{}/", entry.item.id);
    Answer::ok(&output::feed(snapshot, &path, &[entry.as_ref()]))
}

fn check(reader: &Reader<'_>) {
    let _ = item::read(reader);
}

fn validate(call: &Call<'_>) -> Result<Answer, ApiError> {
    let input: ItemInput = call.input()?;
    let writing = Writing::begin(call);
    let draft = NewItem::of(&writing, &input, new_id()?)?;
    writing.check(&draft.path, None, &draft.text, check)?;
    Answer::ok(&Validated::yes())
}

fn create(call: &Call<'_>) -> Result<Answer, ApiError> {
    let input: ItemInput = call.input()?;
    let id = match &input.id {
        Patch::Value(id) => {
            ItemId::parse(id).map_err(|error| ApiError::bad(format!("id: {error}")))?
        }
        Patch::Null | Patch::Omitted => new_id()?,
    };
    let Some(key) = &call.head.idempotency_key else {
        let writing = Writing::begin(call);
        let path = create_file(&writing, &input, &id)?;
        writing.record(id.as_str(), Some(&path))?;
        return Answer::created(&ItemCreated { id: id.to_string() });
    };
    // The typed input is the canonical form: spellings that mean the same are equal in it.
    let payload = format!("{input:?}");
    let reserved = call
        .app
        .state
        .reserve(key, payload.as_bytes(), &id, Timestamp::now())
        .map_err(ApiError::failed)?;
    match reserved {
        Reservation::New(ticket) => create_once(call, &input, ticket, false),
        Reservation::Resumed(ticket) => create_once(call, &input, ticket, true),
        Reservation::Conflict => Err(ApiError::conflict(
            "Idempotency-Key: this key was sent with another item",
        )),
        Reservation::Replay(answer) => Ok(replayed(Answer {
            status: StatusCode::from_u16(answer.status).map_err(ApiError::failed)?,
            body: answer.body.into_bytes(),
            headers: Vec::new(),
        })),
    }
}

/// Creates the item of a reserved key. `resumed`: an earlier request may have written it already.
fn create_once(
    call: &Call<'_>,
    input: &ItemInput,
    ticket: Ticket,
    resumed: bool,
) -> Result<Answer, ApiError> {
    let id = ticket.item_id().clone();
    let writing = Writing::begin(call);
    let written = match writing.before.site.snapshot.find(id.as_str()) {
        Some(entry) if resumed => Ok(entry.item.source.clone()),
        _ => create_file(&writing, input, &id),
    };
    let path = match written {
        Ok(path) => path,
        Err(error) => {
            ticket.release().map_err(ApiError::failed)?;
            return Err(error);
        }
    };
    let answer = Answer::created(&ItemCreated { id: id.to_string() })?;
    let kept = crate::state::Answer {
        status: answer.status.as_u16(),
        body: String::from_utf8_lossy(&answer.body).into_owned(),
    };
    let entry = writing.entry(id.as_str(), Some(&path));
    ticket.complete(&kept, &entry).map_err(ApiError::failed)?;
    Ok(if resumed { replayed(answer) } else { answer })
}

fn replayed(mut answer: Answer) -> Answer {
    let name = HeaderName::from_static("idempotency-replayed");
    answer.headers.push((name, "true".into()));
    answer
}

fn new_id() -> Result<ItemId, ApiError> {
    getrandom::u64()
        .map(ItemId::from_number)
        .map_err(ApiError::failed)
}

fn create_file(
    writing: &Writing<'_>,
    input: &ItemInput,
    id: &ItemId,
) -> Result<SitePath, ApiError> {
    let snapshot = &writing.before.site.snapshot;
    if snapshot.find(id.as_str()).is_some() {
        return Err(ApiError::conflict(format!("id: {id} is already taken")));
    }
    let draft = NewItem::of(writing, input, id.clone())?;
    if let Some(slug) = &draft.slug {
        is_free(snapshot, slug.as_str(), id)?;
    }
    writing.create(&draft.path, &draft.text, check)?;
    writing.show(std::slice::from_ref(&draft.path));
    Ok(draft.path)
}

/// A new item's file.
struct NewItem {
    path: SitePath,
    text: String,
    slug: Option<Slug>,
}

impl NewItem {
    fn of(writing: &Writing<'_>, input: &ItemInput, id: ItemId) -> Result<Self, ApiError> {
        let snapshot = &writing.before.site.snapshot;
        let own = Own {
            root: writing.call.app.live.root(),
            config: &snapshot.config,
        };
        let body = sent(input).body(&own)?;
        let path = free_path(writing, input, &id, body.as_ref())?;
        let start = format!("+++\nid = \"{id}\"\n+++\n");
        let (blank, table) = read_blank(&own, &path, &start)?;
        let entry = Entry::of(own.config, blank.clone().into(), 0, blank.status);
        let shown = output::item(snapshot, &entry);
        let start_changes = Changes::new(&own, &path, &table, &shown);
        let mut changes = ItemChanges::of(start_changes, &blank).collect(input)?;
        let status = input
            .status
            .value()
            .map_or(Status::Published, |status| status.0);
        let is_dated =
            input.date_published.value().is_some() || input.date_published_ms.value().is_some();
        let now = times::now()?;
        if status != Status::Unpublished && !is_dated {
            changes.push(edit::Change::set(&["date_published"], now.to_string()));
        }
        changes.push(edit::Change::set(&["date_created"], now.to_string()));
        let text = edit::apply(
            Source {
                path: &path,
                text: &start,
            },
            &changes,
            body.as_ref().map(|body| body.text.as_str()),
        )
        .map_err(super::writing::cannot_edit)?;
        let slug = input
            .service
            .value()
            .and_then(|extension| extension.slug.value())
            .and_then(|slug| Slug::parse(slug).ok());
        Ok(Self { path, text, slug })
    }
}

/// A name for a new item's file that people recognize: the words of its title.
fn free_path(
    writing: &Writing<'_>,
    input: &ItemInput,
    id: &ItemId,
    body: Option<&Body>,
) -> Result<SitePath, ApiError> {
    let words = input
        .title
        .value()
        .and_then(|title| Slug::from_title(title));
    let stem = words.map_or_else(|| id.to_string(), |slug| slug.to_string());
    let extension = body.map_or("md", |body| body.extension);
    writing.free_name(FOLDER, &stem, extension)
}

/// The item that a file with an id alone is.
fn read_blank(own: &Own<'_>, path: &SitePath, text: &str) -> Result<(Item, Table), ApiError> {
    let source = Source { path, text };
    let reader = Reader::new(source, own.config, own.root);
    let front = front_matter::parse(source).map_err(super::writing::cannot_edit)?;
    item::read(&reader)
        .map(|item| (item, front.table))
        .ok_or_else(|| ApiError::bad("id: it cannot be written"))
}

/// Whether a segment is free for an item.
fn is_free(snapshot: &Snapshot, segment: &str, id: &ItemId) -> Result<(), ApiError> {
    match snapshot.find(segment) {
        Some(other) if other.item.id != *id => Err(ApiError::conflict(format!(
            "_service.slug: {segment} is already that of the item {}",
            other.item.id
        ))),
        _ => Ok(()),
    }
}

fn update(call: &Call<'_>) -> Result<Answer, ApiError> {
    let input: ItemInput = call.input()?;
    let writing = Writing::begin(call);
    let snapshot = &writing.before.site.snapshot;
    let entry = find_to_write(snapshot, call.id())?;
    let id = &entry.item.id;
    if let Patch::Value(sent) = &input.id
        && sent != id.as_str()
    {
        return Err(ApiError::bad("id: the id of an item cannot change"));
    }
    let own = Own {
        root: call.app.live.root(),
        config: &snapshot.config,
    };
    let shown = output::item(snapshot, entry);
    let body = sent(&input).new_body(&own, &shown, &entry.item.source)?;
    let slug = input
        .service
        .value()
        .and_then(|extension| extension.slug.value());
    if let Some(slug) = slug.and_then(|slug| Slug::parse(slug).ok()) {
        is_free(snapshot, slug.as_str(), id)?;
    }
    let edit = |text: &str| {
        let path = &entry.item.source;
        let source = Source { path, text };
        let front = front_matter::parse(source).map_err(super::writing::cannot_edit)?;
        let changes = Changes::new(&own, path, &front.table, &shown);
        let changes = ItemChanges::of(changes, &entry.item).collect(&input)?;
        let body = body.as_ref().map(|body| body.text.as_str());
        edit::apply(source, &changes, body).map_err(super::writing::cannot_edit)
    };
    let path = writing.rewrite(&entry.item.source, body.as_ref(), check, edit)?;
    let moment = writing.show(&[entry.item.source.clone(), path.clone()]);
    writing.record(id.as_str(), Some(&path))?;
    let snapshot = &moment.site.snapshot;
    Answer::ok(&output::item(snapshot, find(snapshot, id.as_str())?))
}

fn sent(input: &ItemInput) -> Sent<'_> {
    Sent {
        html: &input.content_html,
        markdown: &input.content_markdown,
    }
}

fn delete(call: &Call<'_>) -> Result<Answer, ApiError> {
    let writing = Writing::begin(call);
    let entry = find_to_write(&writing.before.site.snapshot, call.id())?;
    let path = &entry.item.source;
    writing.remove(path)?;
    writing.show(std::slice::from_ref(path));
    writing.record(entry.item.id.as_str(), Some(path))?;
    Answer::ok(&Empty {})
}
