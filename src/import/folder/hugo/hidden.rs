//! Decides whether Hugo publishes a content file.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::Value;

use super::dates::Dates;
use super::setup::{Language, Setup};
use crate::folder::data::{self, texts_at};
use crate::folder::source::{Source, Text};

/// Hides a content file that Hugo does not publish, and removes the keys that decide this from the
/// front matter. `origins` contains the cascaded keys, each with the file that contains the
/// cascade.
pub fn hide(
    text: &mut Text,
    dates: &Dates,
    origins: &HashMap<String, String>,
    (setup, language): (&Setup, Option<&Language>),
    source: &mut Source,
) {
    let describe_source = |key: &str, value: &str| match origins.get(key) {
        Some(place) => format!("`{key}: {value}` in the cascade of {place}"),
        None => format!("`{key}: {value}`"),
    };
    if let Some(language) = language.filter(|language| language.is_disabled) {
        text.hide(format!("the language `{}` is disabled", language.name));
    }
    if texts_at(&setup.data, "disablekinds").iter().any(|kind| kind.eq_ignore_ascii_case("page")) {
        text.hide("`disableKinds` in the settings includes `page`");
    }
    let draft = data::take(&mut text.fields, &["draft"]);
    let published = data::take(&mut text.fields, &["published"]);
    let is_draft = match (&draft, &published) {
        (Some(draft), _) => !data::is_false(draft),
        (None, published) => published.as_ref().is_some_and(data::is_false),
    };
    if is_draft && !setup.is_true("builddrafts") {
        text.hide(match draft {
            Some(draft) => describe_source("draft", &data::text(&draft).unwrap_or_default()),
            None => describe_source("published", "false"),
        });
    }
    for key in ["build", "_build"] {
        let build = data::take(&mut text.fields, &[key]);
        let Some(Value::Object(build)) = build else {
            continue;
        };
        let value = |inner: &str| data::text_at(&build, inner).unwrap_or_default().to_lowercase();
        let render = value("render");
        if matches!(&*render, "never" | "false" | "link") {
            text.hide(describe_source(key, &format!("{{render: {render}}}")));
        }
        text.is_unlisted |= matches!(&*value("list"), "never" | "false" | "local");
    }
    if data::take_true(&mut text.fields, "headless") {
        text.hide(describe_source("headless", "true"));
    }
    let own = data::take(&mut text.fields, &["outputs"]).map(data::texts);
    let outputs = own
        .filter(|outputs| !outputs.is_empty())
        .unwrap_or_else(|| texts_at(&setup.data, "outputs.page"));
    let is_html = |name: &String| {
        let custom = format!("outputformats.{name}.ishtml");
        ["html", "amp"].contains(&&*name.to_lowercase()) || setup.is_true(&custom)
    };
    if !outputs.is_empty() && !outputs.iter().any(is_html) {
        text.hide(format!("its outputs ({}) do not include HTML", outputs.join(", ")));
    }
    let now = Timestamp::now();
    match dates.expiry {
        Some(at) if at < now && !setup.is_true("buildexpired") => {
            text.hide(format!("it expired at {at}"));
        }
        Some(at) if at >= now => {
            let message = format!("it expires at {at}, but feedwright will not unpublish it then");
            source.note(message, &*text.path);
        }
        _ => {}
    }
    for written in dates.unreadable.iter().chain(&dates.unreadable_change) {
        source.note(format!("`{written}` is not a valid date"), &*text.path);
    }
    if let Some(written) = &dates.unreadable {
        text.hide(format!("`{written}` is not a valid date"));
    }
}
