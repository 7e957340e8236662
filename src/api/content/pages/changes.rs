//! Computes the changes to a page's file from the fields that a client sent.

use front_matter::Change;

use super::input::PageInput;
use crate::changes::{FileChanges, becomes_public};
use crate::input::Patch;
use api_shared::ApiError;
use model::{Page, Status};

/// Returns the front matter changes that apply the client's fields to a page.
pub fn collect(
    mut changes: FileChanges<'_>,
    page: &Page,
    input: &PageInput,
) -> Result<Vec<Change>, ApiError> {
    changes.text("/title", &["title"], &input.title);
    if let Patch::Value(slug) = &input.slug
        && slug != page.slug.as_str()
    {
        changes.set(&["slug"], slug.as_str());
        changes.record_moves([Some(page.slug.as_str())], &[slug]);
    }
    changes.status(page.status, &input.status)?;
    let is_draft = page.status == Status::Unpublished;
    if is_draft && page.date_published.is_none() && becomes_public(page.status, &input.status) {
        changes.set_current_date(&["date_published", "date"])?;
    }
    navigation(&mut changes, page, input)?;
    changes.text("/language", &["language"], &input.language);
    let label = &input.navigation_label;
    changes.text("/navigation_label", &["navigation_label"], label);
    let description = &input.meta_description;
    changes.text("/meta_description", &["meta_description"], description);
    Ok(changes.found)
}

/// Sets whether the navigation shows the page. The navigation never shows an unlisted page, but the
/// file of such a page keeps the setting.
fn navigation(
    changes: &mut FileChanges<'_>,
    page: &Page,
    input: &PageInput,
) -> Result<(), ApiError> {
    const KEY: &str = "show_in_navigation";
    let status = input.status.value().map_or(page.status, |status| status.0);
    let is_listed = status != Status::Unlisted;
    let kept = page.show_in_navigation && is_listed;
    let shown = match &input.show_in_navigation {
        Patch::Omitted => kept,
        Patch::Null => false,
        Patch::Value(shown) => *shown && is_listed,
    };
    if shown != kept {
        if shown { changes.set(&[KEY], true) } else { changes.remove(&[KEY]) }
    }
    let label = match &input.navigation_label {
        Patch::Omitted => page.navigation_label.as_deref(),
        Patch::Null => None,
        // The API shows a missing label as an empty string.
        Patch::Value(label) => Some(label.as_str()).filter(|label| !label.is_empty()),
    };
    let was_shown = page.show_in_navigation && page.status != Status::Unlisted;
    let as_before = shown == was_shown && label == page.navigation_label.as_deref();
    if as_before { Ok(()) } else { check_label(shown, label) }
}

/// Checks that a page shown in the navigation has a label.
pub fn check_label(shown: bool, label: Option<&str>) -> Result<(), ApiError> {
    if shown && label.is_none_or(|label| label.trim().is_empty()) {
        Err(ApiError::bad("navigation_label: is required if show_in_navigation is true"))
    } else {
        Ok(())
    }
}

/// Rejects changes to protected fields of the 404 page, and to its language if it `has_moved` to
/// another one. A sent field with the current value is not a change.
pub fn check_not_found_page(
    (page, has_moved): (&Page, bool),
    input: &PageInput,
) -> Result<(), ApiError> {
    let is_protected = |field: &str| {
        Err(ApiError::bad(format!(
            "{field}: the path, language and status of the 404 Page cannot be changed, and the navigation never shows it"
        )))
    };
    if input.slug.is_sent() && input.slug.value().map(String::as_str) != Some(page.slug.as_str()) {
        return is_protected("slug");
    }
    if has_moved {
        return is_protected("language");
    }
    let status = input.status.value().map(|status| status.0);
    if input.status.is_sent() && status != Some(page.status) {
        return is_protected("status");
    }
    if input.show_in_navigation.value() == Some(&true) {
        return is_protected("show_in_navigation");
    }
    if input.navigation_label.value().is_some_and(|label| !label.is_empty()) {
        return is_protected("navigation_label");
    }
    Ok(())
}
