//! Writes the data from hooks to the `live` table of the event's file. An instance of a series gets
//! a separate file for this table.

use front_matter::Change;
use serde_json::{Map, Value, json};

use super::show::Show;
use api_shared::{ApiError, Step, Writing, cannot_edit};
use model::calendar::EventTime;
use model::{ItemId, SitePath, Source};
use source::calendar;
use source::fields::Reader;

/// Sets fields of a show's `live` table. Returns the file's path if the file changed.
pub fn set_live_fields(
    writing: &Writing<'_>,
    show: &Show<'_>,
    live: Map<String, Value>,
) -> Result<Option<SitePath>, ApiError> {
    if !show.has_file() {
        return instance(writing, show, live).map(Some);
    }
    let path = &show.occurrence.event.source;
    let step = Step::change(path, check, |text| {
        let source = Source { path, text };
        let front = source.front_matter().map_err(cannot_edit)?;
        let current = front.table.get("live").map(|node| &node.value);
        let changes = changes(current, &live);
        edit::apply(source, &changes, None).map_err(cannot_edit)
    });
    let changed = writing.write_if_changed(&show.occurrence.id(), path, &[step])?;
    Ok(changed.then(|| path.clone()))
}

fn check(reader: &Reader<'_>) {
    let _ = calendar::read(reader);
}

/// Returns the changes to the `live` table. Replaces `live = true` with a table.
fn changes(current: Option<&front_matter::Value>, live: &Map<String, Value>) -> Vec<Change> {
    match current {
        None | Some(front_matter::Value::Table(_)) => {
            live.iter().map(|(key, value)| Change::set(&["live", key], value.clone())).collect()
        }
        Some(_) => vec![Change::set(&["live"], live.clone())],
    }
}

/// Writes the file of a series exception that differs from the series only in its `live` table.
fn instance(
    writing: &Writing<'_>,
    show: &Show<'_>,
    live: Map<String, Value>,
) -> Result<SitePath, ApiError> {
    let series = &show.occurrence.series;
    let original = &show.occurrence.span.start;
    // With the start time appended, the id of a series can be too long.
    let subject = show.occurrence.id();
    let id = ItemId::parse(&subject).unwrap_or_else(|_| ItemId::derive(&subject));
    let fields = [
        ("id", json!(id.as_str())),
        ("recurringEventId", json!(series.id.as_str())),
        ("originalStartTime", time(original)),
        ("live", live.into()),
    ];
    let text = front_matter::compose(&fields, "");
    let folder = series.source.parent().unwrap_or_default();
    let stem = format!("{}-{}", series.source.stem(), original.compact());
    let path = writing.free_name(folder, &stem, "md")?;
    let step = Step::create(&path, &text, check);
    writing.write(&subject, Some(&path), &[step])?;
    Ok(path)
}

/// Returns a time as front matter: a date, or a date and time with a time zone.
fn time(time: &EventTime) -> Value {
    match time {
        EventTime::Day(day) => json!({ "date": day.to_string() }),
        EventTime::Moment(moment) => {
            let text = moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
            json!({ "dateTime": text, "timeZone": moment.time_zone().iana_name() })
        }
    }
}
