//! The draft of an item that a show leaves for its author, with the recording, the transcript and the
//! summary. Fields that the author changed, and published items, are never touched.

use front_matter::Change;
use serde_json::{Value, json};

use super::show::Show;
use super::show_history::DraftContent;
use api_shared::{ApiError, Step, Writing, cannot_edit};
use model::calendar::EventTime;
use model::{AppId, Item, ItemId, SitePath, Slug, Source, Status};
use source::fields::Reader;
use source::item;

/// Where new items lie.
const FOLDER: &str = "content/items";

/// A field of the draft, and its other spellings.
type Slot = (&'static [&'static str], &'static [&'static [&'static str]]);

const ATTACHMENT: Slot = (&["attachment"], &[&["attachments"]]);
const TRANSCRIPTS: Slot = (&["podcast", "transcripts"], &[&["podcast", "transcript"]]);

/// The draft of a show.
#[derive(Debug)]
pub struct Draft {
    pub id: ItemId,
    /// Its file, if it was changed.
    pub written: Option<SitePath>,
}

/// Makes the draft, or updates its content from `before` to `after`. None if the author has removed it.
pub fn write(
    writing: &Writing<'_>,
    app: &AppId,
    show: &Show<'_>,
    before: &DraftContent,
    after: &DraftContent,
) -> Result<Option<Draft>, ApiError> {
    let remembered = show.item();
    let is_remembered = remembered.is_some();
    // The id is derived from the show, so that a draft is found again after a crash.
    let id = remembered
        .cloned()
        .unwrap_or_else(|| ItemId::derive(&format!("realtime/{app}/{}", show.key())));
    let snapshot = &writing.before.site.snapshot;
    let found = snapshot.find(id.as_str());
    let written = match found.filter(|entry| entry.item.id == id) {
        Some(entry) => complete(writing, &entry.item, before, after)?,
        None if is_remembered => return Ok(None),
        None => Some(create(writing, &id, show, after)?),
    };
    Ok(Some(Draft { id, written }))
}

fn check(reader: &Reader<'_>) {
    let _ = item::read(reader);
}

fn create(
    writing: &Writing<'_>,
    id: &ItemId,
    show: &Show<'_>,
    draft_content: &DraftContent,
) -> Result<SitePath, ApiError> {
    let title = title(show);
    let fields = [
        ("id", json!(id.as_str())),
        ("title", json!(title)),
        ("status", json!(Status::Unpublished.as_str())),
        ("date_published", json!(show.start().to_string())),
        ("attachment", json!(draft_content.attachment)),
        ("podcast", json!({ "transcripts": draft_content.transcripts })),
    ];
    // An empty table says nothing.
    let is_said = |(_, value): &&(&str, Value)| {
        let parts = value.as_object();
        parts.is_none_or(|parts| parts.values().any(|part| !part.is_null()))
    };
    let fields: Vec<(&str, Value)> = fields.iter().filter(is_said).cloned().collect();
    let stem = Slug::from_title(&title).map_or_else(|| id.to_string(), |slug| slug.to_string());
    let path = writing.free_name(FOLDER, &stem, "md")?;
    let text = front_matter::compose(&fields, &draft_content.body);
    let step = Step::create(&path, &text, check);
    writing.write(id.as_str(), Some(&path), &[step])?;
    Ok(path)
}

/// What the show is called, and its day.
fn title(show: &Show<'_>) -> String {
    let event = &show.occurrence.event;
    let name = event.summary.as_deref().unwrap_or("Live show");
    let day = match &show.occurrence.span.start {
        EventTime::Day(day) => *day,
        EventTime::Moment(moment) => moment.date(),
    };
    format!("{name}, {day}")
}

fn complete(
    writing: &Writing<'_>,
    item: &Item,
    before: &DraftContent,
    after: &DraftContent,
) -> Result<Option<SitePath>, ApiError> {
    if item.status != Status::Unpublished || before == after {
        return Ok(None);
    }
    let path = &item.source;
    let step = Step::change(path, check, |text| {
        let source = Source { path, text };
        let slots = [
            (ATTACHMENT, &before.attachment, &after.attachment),
            (TRANSCRIPTS, &before.transcripts, &after.transcripts),
        ];
        let changes: Vec<Change> = slots
            .into_iter()
            .filter(|(slot, before, _)| is_as_left(source, *slot, before))
            .map(|((key, _), _, after)| to(key, after))
            .collect();
        let body = (path.extension() == "md" && has_body(source, &before.body))
            .then_some(after.body.as_str());
        edit::apply(source, &changes, body).map_err(cannot_edit)
    });
    let changed = writing.write_if_other(item.id.as_str(), path, &[step])?;
    Ok(changed.then(|| path.clone()))
}

fn to(key: &[&str], value: &Option<Value>) -> Change {
    match value {
        Some(value) => Change::set(key, value.clone()),
        None => Change::remove(key),
    }
}

/// Whether a field still has the value that was written: writing it again would change nothing.
fn is_as_left(source: Source<'_>, (key, others): Slot, left: &Option<Value>) -> bool {
    let others = others.iter().map(|other| Change::remove(other));
    let changes: Vec<Change> = others.chain([to(key, left)]).collect();
    edit::apply(source, &changes, None).is_ok_and(|edited| edited == source.text)
}

fn has_body(source: Source<'_>, left: &str) -> bool {
    source.front_matter().is_ok_and(|front| {
        let body = source.text[front.body..].trim().replace("\r\n", "\n");
        body == left.trim()
    })
}
