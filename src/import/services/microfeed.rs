//! microfeed: imports the public feed, or all content through the API.

use std::collections::HashSet;

use feeds::microfeed::{SiteFile, page, site_file};
use serde_json::Value;

use super::super::parts::{self, MAX_PARTS};
use super::from_api::{Refusal, Site};
use super::{Found, found};

const REMEDY: &str = "enable the API in the dashboard under API > API Settings; create a key with permission to \
    read content under API Authentication; set FEEDWRIGHT_IMPORT_KEY to this key";

pub fn from_api(mut site: Site<'_>) -> Result<Found, String> {
    let Some(key) = site.key.clone() else {
        return public(&site);
    };
    site.authorization = Some(Box::new(move || format!("Bearer {}", key.expose())));
    let into_message = |refusal: Refusal| refusal.into_message(REMEDY);
    let mut all =
        all(&site, "api/v1/feed/?limit=300&sort=created_at&order=asc").map_err(into_message)?;
    let mut first = all.swap_remove(0);
    for mut next in all {
        if let (Some(items), Some(Value::Array(more))) =
            (first.get_mut("items").and_then(Value::as_array_mut), next.get_mut("items"))
        {
            items.append(more);
        }
    }
    let read = feeds::read(first.to_string().as_bytes(), None)
        .map_err(|error| format!("{}: {error}", site.base))?;
    let mut whole = super::of_feed(read, "microfeed", &site.base);
    whole.note(
        "unlisted and unpublished items were not imported: microfeed's API lists only published items",
        site.base.as_str(),
    );
    let pages = match self::all(&site, "api/v1/pages/?limit=100") {
        Ok(answers) => answers,
        Err(Refusal::Missing(_)) => Vec::new(),
        Err(refusal) => return Err(into_message(refusal)),
    };
    let pages = pages.iter().flat_map(|answer| answer.get("items")?.as_array()).flatten();
    let pages = pages.cloned().filter_map(page).collect();
    let pages = found("microfeed", feeds::Channel::default(), pages, &site.base);
    whole.append(pages);
    let files = site.ask_for("api/v1/site-files/")?;
    let files = files.as_ref().and_then(|answer| answer.get("items")?.as_array());
    for file in files.into_iter().flatten().cloned().filter_map(site_file) {
        add(file, &mut whole);
    }
    Ok(whole)
}

/// Imports the public feed. This is used if there is no key.
fn public(site: &Site<'_>) -> Result<Found, String> {
    let feeds = ["json/", "feed.json"].map(|path| site.base.join(path));
    let mut last = Err(format!("{} has no feed", site.base));
    for url in feeds.into_iter().flatten() {
        last = parts::read(url.as_str(), site.client);
        if let Ok(found) = &mut last {
            found.note(
                "drafts, pages and site files were not imported: they require a key",
                site.base.as_str(),
            );
            break;
        }
    }
    last
}

/// Requests all pages of a list. Each response contains the cursor for the next page.
fn all(site: &Site<'_>, path: &str) -> Result<Vec<Value>, Refusal> {
    let (mut answers, mut seen) = (Vec::new(), HashSet::new());
    let mut next = Some(path.to_owned());
    while let Some(path) = next.take().filter(|_| answers.len() < MAX_PARTS) {
        let answer = site.send_checked(&path)?;
        let own = answer.as_object().into_iter().flatten();
        let mut own = own.filter(|(key, _)| key.starts_with('_'));
        let cursor =
            own.find_map(|(_, table)| table.get("items_next_cursor")).or(answer.get("next_cursor"));
        let cursor = cursor.and_then(|cursor| match cursor {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        next = cursor.filter(|cursor| !cursor.is_empty() && seen.insert(cursor.clone())).map(
            |cursor| {
                let cursor = percent_encoding::utf8_percent_encode(
                    &cursor,
                    percent_encoding::NON_ALPHANUMERIC,
                );
                format!("{path}&next_cursor={cursor}")
            },
        );
        answers.push(answer);
    }
    Ok(answers)
}

/// Adds a site file. Its template needs no conversion, because feedwright uses the same template
/// syntax.
fn add(file: SiteFile, found: &mut Found) {
    let path = format!("site-files/{}", file.name);
    let mut add_note = |message: String| found.note(message, path.clone());
    let texts = [&file.published, &file.draft];
    if texts.into_iter().flatten().any(|text| text.contains("_microfeed")) {
        add_note("its template uses `_microfeed`: set `namespace = \"microfeed\"` in site.toml to keep that name".to_owned());
    }
    if !file.is_enabled {
        add_note(format!(
            "it was disabled at the source: to disable it here, write `[site_files.\"{}\"]` with `enabled = false` in site.toml",
            file.name
        ));
    }
    let drafts = file.draft.map(|text| (format!("{path}.draft"), text));
    found.texts.extend(drafts);
    found.texts.extend(file.published.map(|text| (path, text)));
}
