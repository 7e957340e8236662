//! Converts differences between the ledger and the site to events.
//!
//! `created`, `updated` and `deleted` report changes to files. `published`, `unlisted` and
//! `unpublished` report changes in visibility, and are sent in addition to events about the file.
//! `unlisted` means that a resource is public, but only at its own address. To track what is
//! public, a webhook needs only `published`, `unlisted` and `unpublished`.

use std::collections::BTreeSet;

use super::payload::NAVIGATION_UPDATED;
use super::resource::{NAVIGATION, Parts, ResourceDescription, THEME};
use super::visibility::Visibility;
use model::{EVENTS, GeneratedKind};
use state::Resource;

/// A change to report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The type of the event.
    pub kind: &'static str,
    /// The changed parts of the resource. `None` if events of this type do not report parts.
    pub changed: Option<BTreeSet<String>>,
}

/// Returns the changes to an existing resource. `has_kind` is true if the ledger contains a
/// resource of this kind.
pub fn changes(
    kind: &str,
    before: Option<&Resource>,
    visibility: Visibility,
    now: &ResourceDescription,
    has_kind: bool,
) -> Vec<Change> {
    let changed = before.map(|before| changed(before, now));
    let is_other = changed.as_ref().is_some_and(|changed| !changed.is_empty());
    match kind {
        NAVIGATION => {
            let changed = changed.filter(|_| is_other);
            return changed.map(navigation_updated).into_iter().collect();
        }
        THEME => {
            // The ledger may come from an older version of feedwright and contain no themes. In
            // that case, the first recorded theme is not new.
            let is_new = before.is_none() && has_kind;
            let former = change(kind, "deactivated", None).filter(|_| is_other);
            let new = change(kind, "activated", None).filter(|_| is_other || is_new);
            return former.into_iter().chain(new).collect();
        }
        _ => {}
    }
    let was = before.map_or(Visibility::Hidden, Visibility::of);
    let mut changes = Vec::new();
    match changed {
        None => changes.extend(change(kind, "created", None)),
        Some(changed) if is_other => changes.extend(change(kind, "updated", Some(changed))),
        Some(_) => {}
    }
    if was != visibility {
        changes.extend(change(kind, visibility.event(), None));
    }
    changes
}

fn navigation_updated(changed: BTreeSet<String>) -> Change {
    Change { kind: NAVIGATION_UPDATED, changed: Some(changed) }
}

/// Returns the changes to report for a deleted resource.
pub fn deletion(before: &Resource) -> Vec<Change> {
    match &*before.kind {
        NAVIGATION => return Vec::new(),
        THEME => return change(THEME, "deactivated", None).into_iter().collect(),
        // Without the custom template, the generated site file is published again.
        "site_file" if is_generated(before) => {
            return change("site_file", "reset", None).into_iter().collect();
        }
        _ => {}
    }
    let unpublished = change(&before.kind, "unpublished", None).filter(|_| before.is_public);
    let deleted = change(&before.kind, "deleted", None);
    unpublished.into_iter().chain(deleted).collect()
}

fn is_generated(site_file: &Resource) -> bool {
    let name = site_file.file.rsplit('/').next().unwrap_or_default();
    GeneratedKind::ALL.iter().any(|kind| kind.filename() == name)
}

/// Returns a change, or `None` if the type of event does not exist.
fn change(kind: &str, what: &str, changed: Option<BTreeSet<String>>) -> Option<Change> {
    let is_it = |name: &str| name.split_once('.') == Some((kind, what));
    let (kind, _) = EVENTS.into_iter().find(|(name, _)| is_it(name))?;
    Some(Change { kind, changed })
}

fn changed(before: &Resource, now: &ResourceDescription) -> BTreeSet<String> {
    // If another version of feedwright wrote the hashes in a different format, they are not
    // compared.
    let Ok(old) = serde_json::from_str::<Parts>(&before.keys) else {
        return BTreeSet::new();
    };
    let names: BTreeSet<&String> = old.keys().chain(now.parts.keys()).collect();
    let differ = names.into_iter().filter(|name| old.get(*name) != now.parts.get(*name));
    let mut changed: BTreeSet<String> = differ.map(|name| name.replace(' ', "_")).collect();
    if before.file != now.file {
        changed.insert("file".into());
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(is_public: bool, parts: &str) -> Resource {
        Resource {
            kind: "item".into(),
            id: "a".into(),
            file: "content/items/a.md".into(),
            is_public,
            keys: parts.into(),
            data: "{}".into(),
            journal: 0,
        }
    }

    fn reported_events(
        before: Option<&Resource>,
        is_public: bool,
        parts: &[(&str, u64)],
    ) -> Vec<String> {
        let now = ResourceDescription {
            file: "content/items/a.md".into(),
            parts: parts.iter().map(|(name, hash)| ((*name).to_owned(), *hash)).collect(),
            data: "{}".into(),
        };
        let visibility = match is_public {
            true => Visibility::Public,
            false => Visibility::Hidden,
        };
        let all = changes("item", before, visibility, &now, true);
        let word = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join("+");
        all.into_iter()
            .map(|one| {
                format!(
                    "{}{}",
                    &one.kind[5..],
                    one.changed.map_or(String::new(), |set| format!(" {}", word(set)))
                )
            })
            .collect()
    }

    #[test]
    fn events_follow_the_file_and_its_visibility() {
        let draft = known(false, r#"{"title":1,"body":2}"#);
        let public = known(true, r#"{"title":1,"body":2}"#);
        let same = [("title", 1), ("body", 2)];
        assert_eq!(reported_events(None, false, &same), ["created"]);
        assert_eq!(reported_events(None, true, &same), ["created", "published"]);
        assert_eq!(reported_events(Some(&draft), false, &same), [""; 0]);
        // The publication date has passed.
        assert_eq!(reported_events(Some(&draft), true, &same), ["published"]);
        assert_eq!(
            reported_events(Some(&public), true, &[("title", 1), ("body", 3)]),
            ["updated body"]
        );
        assert_eq!(
            reported_events(Some(&public), false, &[("title", 1), ("body", 2), ("status", 9)]),
            ["updated status", "unpublished"]
        );
        assert_eq!(reported_events(Some(&public), true, &[("body", 2)]), ["updated title"]);
        let gone: Vec<_> = deletion(&public).into_iter().map(|one| one.kind).collect();
        assert_eq!(gone, ["item.unpublished", "item.deleted"]);
        assert_eq!(deletion(&draft).len(), 1);
    }

    #[test]
    fn pages_outside_lists_are_unlisted() {
        let now = |part: u64| ResourceDescription {
            file: "content/items/a.md".into(),
            parts: [("status".to_owned(), part)].into(),
            data: "{}".into(),
        };
        let kinds = |before: Option<&Resource>, visibility| {
            let all = changes("item", before, visibility, &now(1), true);
            all.into_iter().map(|one| one.kind).collect::<Vec<_>>()
        };
        let draft = known(false, r#"{"status":0}"#);
        let public = known(true, r#"{"status":0}"#);
        let unlisted = Resource { data: r#"{"status":"unlisted"}"#.into(), ..public.clone() };
        for (before, visibility, event) in [
            (&draft, Visibility::Unlisted, "item.unlisted"),
            (&public, Visibility::Unlisted, "item.unlisted"),
            (&unlisted, Visibility::Public, "item.published"),
            (&unlisted, Visibility::Hidden, "item.unpublished"),
        ] {
            assert_eq!(kinds(Some(before), visibility), ["item.updated", event]);
        }
        let new = kinds(None, Visibility::Unlisted);
        assert_eq!(new, ["item.created", "item.unlisted"]);
        assert_eq!(Visibility::of(&unlisted), Visibility::Unlisted);
    }

    #[test]
    fn a_theme_is_activated_once_the_ledger_knows_themes() {
        let now = ResourceDescription {
            file: String::new(),
            parts: [("version".to_owned(), 2)].into(),
            data: "{}".into(),
        };
        let before =
            Resource { kind: THEME.into(), file: String::new(), ..known(true, r#"{"version":1}"#) };
        let kinds = |before: Option<&Resource>, has_kind| {
            let all = changes(THEME, before, Visibility::Public, &now, has_kind);
            all.into_iter().map(|one| one.kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds(None, false), [""; 0]);
        assert_eq!(kinds(None, true), ["theme.activated"]);
        let both = ["theme.deactivated", "theme.activated"];
        assert_eq!(kinds(Some(&before), true), both);
        assert_eq!(deletion(&before)[0].kind, "theme.deactivated");
    }
}
