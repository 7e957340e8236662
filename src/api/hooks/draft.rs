//! Writes a draft item for the author of a show, with the recording, the transcripts and the
//! summaries. Never changes published items or fields that the author has edited.

use front_matter::Change;
use serde_json::{Value, json};

use super::show::Show;
use super::show_history::DraftContent;
use api_shared::{ApiError, Step, Writing, cannot_edit};
use model::calendar::EventTime;
use model::{AppId, Item, ItemId, SitePath, Slug, Source, Status};
use source::fields::Reader;
use source::item;

/// The folder for new items.
const FOLDER: &str = "content/items";

/// The key of a field in the draft, and alternative keys for the same field.
type Slot = (&'static [&'static str], &'static [&'static [&'static str]]);

const ATTACHMENT: Slot = (&["attachment"], &[&["attachments"]]);
const TRANSCRIPTS: Slot = (&["podcast", "transcripts"], &[&["podcast", "transcript"]]);

/// The draft item of a show.
#[derive(Debug)]
pub struct Draft {
    pub id: ItemId,
    /// The draft's file, if the write changed it.
    pub written: Option<SitePath>,
}

/// Creates the draft, or updates its content from `before` to `after`. Returns None if the author
/// has removed the draft.
pub fn write(
    writing: &Writing<'_>,
    app: &AppId,
    show: &Show<'_>,
    before: &DraftContent,
    after: &DraftContent,
) -> Result<Option<Draft>, ApiError> {
    let remembered = show.item();
    let is_remembered = remembered.is_some();
    // The id is derived from the show, so that the draft is found again after a crash.
    let id = remembered
        .cloned()
        .unwrap_or_else(|| ItemId::derive(&format!("realtime/{app}/{}", show.key())));
    let snapshot = &writing.before.site.snapshot;
    let found = snapshot.find(id.as_str());
    let written = match found.filter(|entry| entry.item.id == id) {
        Some(entry) => update(writing, &entry.item, before, after)?,
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
    // Leaves out tables that have only null values.
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

/// Returns the title of the draft: the name of the show and its date.
fn title(show: &Show<'_>) -> String {
    let event = &show.occurrence.event;
    let name = event.summary.as_deref().unwrap_or("Live show");
    let day = match &show.occurrence.span.start {
        EventTime::Day(day) => *day,
        EventTime::Moment(moment) => moment.date(),
    };
    format!("{name}, {day}")
}

fn update(
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
            .filter(|(slot, before, _)| is_unedited(source, *slot, before))
            .map(|((key, _), _, after)| set_field(key, after))
            .collect();
        let body = (path.extension() == "md" && has_written_body(source, &before.body))
            .then_some(after.body.as_str());
        edit::apply(source, &changes, body).map_err(cannot_edit)
    });
    let changed = writing.write_if_changed(item.id.as_str(), path, &[step])?;
    Ok(changed.then(|| path.clone()))
}

fn set_field(key: &[&str], value: &Option<Value>) -> Change {
    match value {
        Some(value) => Change::set(key, value.clone()),
        None => Change::remove(key),
    }
}

/// Returns whether a field still has the value `previous`. If so, writing `previous` to the field
/// again changes nothing.
fn is_unedited(source: Source<'_>, (key, others): Slot, previous: &Option<Value>) -> bool {
    let others = others.iter().map(|other| Change::remove(other));
    let changes: Vec<Change> = others.chain([set_field(key, previous)]).collect();
    edit::apply(source, &changes, None).is_ok_and(|edited| edited == source.text)
}

fn has_written_body(source: Source<'_>, previous: &str) -> bool {
    source.front_matter().is_ok_and(|front| {
        let body = source.text[front.body..].trim().replace("\r\n", "\n");
        body == previous.trim()
    })
}
