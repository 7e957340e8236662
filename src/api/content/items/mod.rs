//! Items of the feed.

mod changes;
mod empty_items;
mod input;
mod operations;

use std::cell::RefCell;
use std::sync::Arc;

use front_matter::{Change, Table};
use jiff::Timestamp;
use serde_json::Value;
use warp::http::StatusCode;
use warp::http::header::HeaderName;
use xxhash_rust::xxh3::xxh3_64;

pub use input::*;
pub use operations::OPERATIONS;

use changes::{ItemChanges, PathChange};

use super::addresses::NewAddress;
use super::body::{Body, SentBody};
use super::changes::FileChanges;
use super::input::Patch;
use super::languages::{language_after, language_of};
use super::output::{self, Empty, ItemCreated, Validated};
use super::redirects;
use super::{Answer, ContentCall};
use api_shared::{ApiError, SiteUrls, Step, Writing, cannot_edit, times};
use model::{Content, Item, ItemId, SitePath, Slug, Source, Status, Untranslated};
use server::Moment;
use site::{ItemEntry, Snapshot, paths};
use source::fields::Reader;
use source::item;
use source::sources::of_file;
use source::text::read_text as read_file;
use state::{Reservation, Ticket};

/// The reason why an update cannot name the original of a translation.
pub const NOT_IN_UPDATES: &str = "is set only when a translation is created";

/// An encoded slash, which separates the language and the slug in a key such as `de%2Fwalk`.
pub const SLASH: &str = "%2F";

/// Finds an item by its id, path segment or alias. A segment without a language can be in any
/// language; the default language comes first. Also accepts any string that ends in a hyphen and the
/// item's id.
pub fn find<'s>(snapshot: &'s Snapshot, key: &str) -> Result<&'s Arc<ItemEntry>, ApiError> {
    let key = &*key.replace(SLASH, "/");
    let ends = key.match_indices('-').map(|(at, _)| &key[at + 1..]);
    snapshot
        .find(key)
        .or_else(|| {
            let found = snapshot.editions.iter().find_map(|edition| edition.snapshot.find(key));
            snapshot.find(found?.item.id.as_str())
        })
        .or_else(|| {
            ends.filter(|end| !end.is_empty())
                .filter_map(|end| snapshot.find(end).filter(|e| e.item.id.as_str() == end))
                .next()
        })
        .ok_or_else(|| ApiError::not_found(format!("item not found: {key:?}")))
}

/// Finds the item for a write. A parameter that is neither a valid id nor a valid slug gets a 400.
fn find_to_write<'s>(snapshot: &'s Snapshot, key: &str) -> Result<&'s Arc<ItemEntry>, ApiError> {
    let slug = key.split_once(SLASH).map_or(key, |(_, slug)| slug);
    Slug::parse(slug)
        .map(|_| ())
        .or_else(|_| ItemId::parse(key).map(|_| ()))
        .map_err(|_| ApiError::bad(format!("itemId: {key:?} is not a valid item id or slug")))?;
    find(snapshot, key)
}

/// Begins a write to an item, with the settings of the item's show. Returns the item's id, too.
fn begin_writing_item<'a>(call: &'a ContentCall<'_>) -> Result<(Writing<'a>, ItemId), ApiError> {
    let writing = call.begin_writing()?;
    let item = Arc::clone(&find_to_write(&writing.before.site.snapshot, call.id())?.item);
    Ok((writing.in_show_of(&item.source)?, item.id.clone()))
}

/// Prepares the creation of an item. A translation belongs to the show of its original.
fn in_show_of_original<'a>(
    writing: Writing<'a>,
    input: &ItemInput,
) -> Result<Writing<'a>, ApiError> {
    match original(&writing.before.site.snapshot, input).map(|found| found.map(Arc::clone)) {
        Ok(Some(original)) => writing.in_show_of(&original.item.source),
        // The creation reports an original that does not exist.
        _ => Ok(writing),
    }
}

/// Returns the item that a new item translates.
fn original<'s>(
    snapshot: &'s Snapshot,
    input: &ItemInput,
) -> Result<Option<&'s Arc<ItemEntry>>, ApiError> {
    let key = input.service.value().and_then(|service| language_of(&service.translation_of));
    let found = key.map(|key| find(snapshot, key)).transpose();
    found.map_err(|error| error.in_field("_service.translation_of"))
}

fn read(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let moment = call.moment()?;
    let snapshot = &moment.site.snapshot;
    let entry = find(snapshot, call.id())?;
    let path = format!("/items/{}/", entry.item.id);
    Answer::ok(&output::feed(call.app.live.root(), &moment, &path, &[entry.as_ref()]))
}

fn check(reader: &Reader<'_>) {
    let _ = item::read(reader);
}

fn validate(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: ItemInput = call.input()?;
    let id = id_or_new(&input);
    let writing = in_show_of_original(call.only_look()?, &input)?;
    let draft = NewItem::of(&writing, &input, id)?;
    writing.check(&draft.path, None, &draft.text, check)?;
    empty_items::refuse_empty_item(call, &writing.own(), &draft.path, None, &draft.text)?;
    Answer::ok(&Validated::valid_answer())
}

fn create(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: ItemInput = call.input()?;
    let id = id_or_new(&input);
    let Some(key) = &call.head.idempotency_key else {
        let writing = in_show_of_original(call.begin_writing()?, &input)?;
        let (path, step) = new_file(call, &writing, &input, &id)?;
        writing.write(id.as_str(), Some(&path), &[step])?;
        return Answer::created(&ItemCreated { id: id.to_string() });
    };
    // The parsed input is canonical: different spellings with the same meaning become equal.
    let payload = serde_json::to_vec(&input).map_err(ApiError::failed)?;
    // Header values have no line breaks, so the name is unique.
    let key = match &call.show {
        Some(show) => format!("{show}\n{key}"),
        None => key.clone(),
    };
    let reserved = call.app.state.reserve(&key, &payload, &id, Timestamp::now())?;
    match reserved {
        Reservation::New(ticket) => create_once(call, &input, ticket, false),
        Reservation::Resumed(ticket) => create_once(call, &input, ticket, true),
        Reservation::Conflict => Err(ApiError::conflict(
            "Idempotency-Key: this key was already used for a different item",
        )),
        Reservation::Replay(answer) => Ok(mark_replayed(Answer {
            status: StatusCode::from_u16(answer.status).map_err(ApiError::failed)?,
            body: answer.body.into_bytes(),
            headers: Vec::new(),
        })),
    }
}

/// Creates the item for a reserved key. If `resumed` is true, an earlier request may have written
/// the item already.
fn create_once(
    call: &ContentCall<'_>,
    input: &ItemInput,
    ticket: Ticket,
    resumed: bool,
) -> Result<Answer, ApiError> {
    let id = ticket.item_id().clone();
    let writing = in_show_of_original(call.begin_writing()?, input)?;
    let answer = Answer::created(&ItemCreated { id: id.to_string() })?;
    let kept = state::Answer {
        status: answer.status.as_u16(),
        body: String::from_utf8_lossy(&answer.body).into_owned(),
    };
    let written = match writing.before.site.snapshot.find(id.as_str()) {
        Some(entry) if resumed => {
            let entry = writing.entry(id.as_str(), Some(&entry.item.source));
            // The item exists even if storing the answer fails. The next request with the same key
            // finds the item.
            let _ = ticket.complete(&kept, &entry);
            return Ok(mark_replayed(answer));
        }
        _ => new_file(call, &writing, input, &id).and_then(|(path, step)| {
            writing.write_once(id.as_str(), &path, &[step], (&ticket, &kept))
        }),
    };
    match written {
        Ok(()) if resumed => Ok(mark_replayed(answer)),
        Ok(()) => Ok(answer),
        // A retry of the same request continues the creation.
        Err(error) if error.is_server_fault() => Err(error),
        Err(error) => {
            // If the release fails, the key stays reserved for this item.
            let _ = ticket.release();
            Err(error)
        }
    }
}

fn mark_replayed(mut answer: Answer) -> Answer {
    let name = HeaderName::from_static("idempotency-replayed");
    answer.headers.push((name, "true".into()));
    answer
}

/// Returns the id that the client sent for a new item. Returns a new id if the sent id is missing,
/// empty or invalid.
fn id_or_new(input: &ItemInput) -> ItemId {
    let sent = input.id.value().and_then(|id| ItemId::parse(id).ok());
    sent.unwrap_or_else(edit::new_id)
}

/// Returns the path of a new item's file, and the step that writes it.
fn new_file(
    call: &ContentCall<'_>,
    writing: &Writing<'_>,
    input: &ItemInput,
    id: &ItemId,
) -> Result<(SitePath, Step<'static>), ApiError> {
    let snapshot = &writing.before.site.snapshot;
    // Ids are unique across all shows.
    let taken = [snapshot, &writing.whole.site.snapshot].map(|known| known.find(id.as_str()));
    if taken.iter().any(Option::is_some) {
        return Err(ApiError::conflict(format!("id: {id} is already taken")));
    }
    let draft = NewItem::of(writing, input, id.clone())?;
    empty_items::refuse_empty_item(call, &writing.own(), &draft.path, None, &draft.text)?;
    check_segment_free(snapshot, input, (&draft.segment, language_of(&input.language)), id)?;
    let item = read_text(&writing.own(), &draft.path, &draft.text).ok();
    item.map_or(Ok(()), |item| check_address_free(writing, item, None))?;
    let step = Step::create(&draft.path, &draft.text, check);
    Ok((draft.path, step))
}

struct NewItem {
    path: SitePath,
    text: String,
    segment: String,
}

impl NewItem {
    fn of(writing: &Writing<'_>, input: &ItemInput, id: ItemId) -> Result<Self, ApiError> {
        let own = writing.own();
        let body = sent(input).body(&own)?;
        let path = free_path(writing, input, &id, body.as_ref())?;
        let start = format!("+++\nid = \"{id}\"\n+++\n");
        let (blank, table, shown) = read_item(&writing.before, &own, &path, &start, None)?;
        let start_changes = FileChanges::new(&own, &path, &table, &shown);
        let (mut changes, segment) = ItemChanges::of(start_changes, &blank).collect(input, None)?;
        let status = input.status.value().map_or(Status::Published, |status| status.0);
        let is_dated =
            input.date_published.value().is_some() || input.date_published_ms.value().is_some();
        let now = times::now()?;
        if status != Status::Unpublished && !is_dated {
            changes.push(Change::set(&["date_published"], now.to_string()));
        }
        changes.push(Change::set(&["date_created"], now.to_string()));
        let text = edit::apply(
            Source { path: &path, text: &start },
            &changes,
            body.as_ref().map(|body| body.text.as_str()),
        )
        .map_err(cannot_edit)?;
        Ok(Self { path, text, segment })
    }
}

/// Returns an unused path for a new item. The file name is based on the title, or on the id if
/// there is no title.
fn free_path(
    writing: &Writing<'_>,
    input: &ItemInput,
    id: &ItemId,
    body: Option<&Body>,
) -> Result<SitePath, ApiError> {
    let words = input.title.value().and_then(|title| Slug::from_title(title));
    let stem = words.map_or_else(|| id.to_string(), |slug| slug.to_string());
    let extension = body.map_or("md", |body| body.extension);
    let language = language_of(&input.language);
    match original(&writing.before.site.snapshot, input)? {
        None => {
            let folder = writing.before.site.snapshot.config.content.join("items");
            writing.free_text_name(&folder, language, (&stem, extension))
        }
        Some(original) => {
            let file = &original.item.source;
            writing.translation_path(file, language.unwrap_or_default(), extension)
        }
    }
}

/// Returns the item in a file's text, its front matter, and the API's output for the item without
/// the body. `known` is the item, if the same text was parsed before.
fn read_item(
    moment: &Moment,
    own: &SiteUrls<'_>,
    path: &SitePath,
    text: &str,
    known: Option<&Item>,
) -> Result<(Item, Table, Value), ApiError> {
    let front = Source { path, text }.front_matter().map_err(cannot_edit)?;
    let item = match known {
        Some(known) => known.clone(),
        None => read_text(own, path, text)?,
    };
    let bare = Item { content: Content::default(), ..item.clone() };
    let entry = ItemEntry::of(own.config, bare.into(), 0, item.status);
    Ok((item, front.table, output::item(own.root, moment, &entry)))
}

fn read_text(own: &SiteUrls<'_>, path: &SitePath, text: &str) -> Result<Item, ApiError> {
    let reader = Reader::new(Source { path, text }, own.config, own.root);
    match item::read(&reader) {
        Some(item) => Ok(item),
        None => Err(cannot_edit(reader.finish().0)),
    }
}

/// Returns the item that was last parsed from a file, if the file's text has not changed.
fn known_item<'m>(moment: &'m Moment, path: &SitePath, text: &str) -> Option<&'m Item> {
    let (item, _) = of_file(&moment.sources.items, path.as_str())?;
    let was_read = item.content.place()?.file_hash;
    (was_read == xxh3_64(text.as_bytes())).then_some(item)
}

/// Checks that no other item of the language uses a segment. The error names the field that
/// determines the segment.
fn check_segment_free(
    snapshot: &Snapshot,
    input: &ItemInput,
    (segment, language): (&str, Option<&str>),
    id: &ItemId,
) -> Result<(), ApiError> {
    let slug = input.service.value().map(|extension| &extension.slug);
    let field = if slug.is_some_and(Patch::is_sent) { "_service.slug" } else { "title" };
    match snapshot.find_in_language(language, segment) {
        Some(other) if other.item.id != *id => Err(ApiError::conflict(format!(
            "{field}: the URL segment {segment} is already used by the item {}",
            other.item.id
        ))),
        _ => Ok(()),
    }
}

/// Rejects an item whose new address the site already uses.
fn check_address_free(
    writing: &Writing<'_>,
    item: Item,
    before: Option<&ItemEntry>,
) -> Result<(), ApiError> {
    let next = ItemEntry::of(writing.own().config, item.into(), 0, Status::Published);
    let is_known = before.is_some_and(|before| {
        before.item.status != Status::Unpublished && before.path == next.path
    });
    match is_known {
        true => Ok(()),
        false => NewAddress::of_item(&next).check_free(&writing.before),
    }
}

/// Rejects changes to fields that only a new item can have.
fn check_fixed_fields(input: &ItemInput, id: &ItemId) -> Result<(), ApiError> {
    if let Patch::Value(sent) = &input.id
        && !sent.is_empty()
        && sent != id.as_str()
    {
        return Err(ApiError::bad("id: the id of an item cannot be changed"));
    }
    match input.service.value().and_then(|service| language_of(&service.translation_of)) {
        Some(_) => Err(ApiError::conflict(NOT_IN_UPDATES).in_field("_service.translation_of")),
        None => Ok(()),
    }
}

fn update(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: ItemInput = call.input()?;
    let (writing, id) = begin_writing_item(call)?;
    let snapshot = &writing.before.site.snapshot;
    let entry = find(snapshot, id.as_str())?;
    let (id, path) = (&entry.item.id, &entry.item.source);
    check_fixed_fields(&input, id)?;
    let own = writing.own();
    let shown = || output::item(own.root, &writing.before, entry);
    let body = sent(&input).new_body(&own, shown, path)?;
    let extension = body.as_ref().map(|body| body.extension);
    let language = language_after(&own, path, entry.item.language.as_deref(), &input.language);
    let languages = &own.config.languages;
    let has_moved = languages.index(language) != languages.index(entry.item.language.as_deref());
    if has_moved {
        writing.check_language_free(path, language)?;
    }
    let written = RefCell::new(String::new());
    let edit = |text: &str| {
        // The author may have just saved the file, so the edit uses the current text.
        let known = known_item(&writing.before, path, text);
        let (item, table, shown) = read_item(&writing.before, &own, path, text, known)?;
        if item.id != *id || item.segment() != entry.in_edition().segment {
            return Err(ApiError::conflict(
                "the URL of this item is being changed by someone else; try again",
            ));
        }
        let body = body.as_ref().map(|body| body.text.as_str());
        let edited = |moved: Option<&PathChange>| {
            let changes = FileChanges::new(&own, path, &table, &shown);
            let (changes, segment) = ItemChanges::of(changes, &item).collect(&input, moved)?;
            check_segment_free(snapshot, &input, (&segment, language), id)?;
            edit::apply(Source { path, text }, &changes, body).map_err(cannot_edit)
        };
        let mut new = edited(None)?;
        // The write rejects a text that cannot be read.
        let next = read_text(&own, path, &new).ok();
        let moved = next.as_ref().and_then(|next| PathChange::of(own.config, &item, next));
        if moved.is_some() {
            new = edited(moved.as_ref())?;
        }
        empty_items::refuse_empty_item(call, &own, path, Some(&item), &new)?;
        next.map_or(Ok(()), |next| check_address_free(&writing, next, Some(entry)))?;
        written.replace(new.clone());
        Ok(new)
    };
    let redirects = match has_moved || !snapshot.redirects.is_empty() {
        true => {
            let new = edit(&read_file(own.root, path)?);
            let next = new.and_then(|new| read_text(&own, path, &new));
            let step = next.and_then(|next| redirects_of_move(&writing, entry, next, has_moved));
            // The author may be saving the file. The edit below waits until that has ended.
            step.or_else(|error| if has_moved { Err(error) } else { Ok(None) })?
        }
        false => None,
    };
    let (step, path) = writing.rewrite(path, extension, check, edit)?;
    let steps: Vec<Step<'_>> = redirects.into_iter().chain([step]).collect();
    let moment = writing.write(id.as_str(), Some(&path), &steps)?;
    match moment.site.snapshot.find(id.as_str()) {
        Some(entry) => Answer::ok(&output::item(own.root, &moment, entry)),
        // The item was written, but the author has removed it since.
        None => {
            let text = written.borrow();
            let item = Arc::new(read_text(&own, &path, &text)?);
            let entry = ItemEntry::of(own.config, Arc::clone(&item), 0, item.status);
            Answer::ok(&output::item(own.root, &moment, &entry))
        }
    }
}

/// Returns the step that removes redirects from the new addresses of an item. If the item `has_moved`
/// to another language, its former addresses are not below the path of its language, and the step
/// redirects them. `next` is the item after the change.
fn redirects_of_move<'s>(
    writing: &Writing<'_>,
    entry: &ItemEntry,
    next: Item,
    has_moved: bool,
) -> Result<Option<Step<'s>>, ApiError> {
    let next = ItemEntry::of(writing.own().config, next.into(), 0, entry.item.status);
    let addresses = |entry: &ItemEntry| -> Vec<String> {
        let own = entry.in_edition();
        let keys = own.names().map(|name| paths::key_of(entry, &name));
        keys.chain([entry.path.clone()]).collect()
    };
    let former = addresses(entry);
    let mut used = addresses(&next);
    // A language that shows untranslated texts still has an item of the default language.
    let languages = &writing.own().config.languages;
    let is_shown = languages.untranslated == Untranslated::Show
        && languages.index(next.item.language.as_deref()) == 0;
    let shown: Vec<String> = used.iter().map(|path| [&*entry.mount, path].concat()).collect();
    used.retain(|path| !former.contains(path));
    let is_known = has_moved && entry.item.status != Status::Unpublished;
    let is_gone = |path: &String| is_known && !(is_shown && shown.contains(path));
    let former = former.into_iter().filter(is_gone);
    redirects::step(writing, former.map(|from| (from, next.path.clone())), &used)
}

fn sent(input: &ItemInput) -> SentBody<'_> {
    SentBody { html: &input.content_html, markdown: &input.content_markdown }
}

fn delete(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let (writing, id) = begin_writing_item(call)?;
    let path = &find(&writing.before.site.snapshot, id.as_str())?.item.source;
    writing.write(id.as_str(), Some(path), &[Step::remove(path)])?;
    Answer::ok(&Empty {})
}
