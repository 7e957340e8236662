//! Which events a difference between the ledger and the site is.
//!
//! `created`, `updated` and `deleted` are the life of a file. `published` and `unpublished` are what the public sees, and
//! come beside them: a webhook that takes only these two always knows what is public.

use std::collections::BTreeSet;

use super::resource::{Described, Parts};
use crate::model::EVENTS;
use crate::state::Resource;

/// A change that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The type of the event.
    pub kind: &'static str,
    /// The parts that changed, where the type says so.
    pub changed: Option<BTreeSet<String>>,
}

/// What became of a resource that is there now.
pub fn changes(
    kind: &str,
    before: Option<&Resource>,
    is_public: bool,
    now: &Described,
) -> Vec<Change> {
    let was_public = before.is_some_and(|before| before.is_public);
    let mut changes = Vec::new();
    match before {
        None => changes.extend(change(kind, "created", None)),
        Some(before) => {
            let changed = changed(before, now);
            if !changed.is_empty() {
                changes.extend(change(kind, "updated", Some(changed)));
            }
        }
    }
    match (was_public, is_public) {
        (false, true) => changes.extend(change(kind, "published", None)),
        (true, false) => changes.extend(change(kind, "unpublished", None)),
        _ => {}
    }
    changes
}

/// What became of a resource that is gone.
pub fn deletion(before: &Resource) -> Vec<Change> {
    let unpublished = change(&before.kind, "unpublished", None).filter(|_| before.is_public);
    let deleted = change(&before.kind, "deleted", None);
    unpublished.into_iter().chain(deleted).collect()
}

/// None where there is no such type of event.
fn change(kind: &str, what: &str, changed: Option<BTreeSet<String>>) -> Option<Change> {
    let is_it = |name: &str| name.split_once('.') == Some((kind, what));
    let (kind, _) = EVENTS.into_iter().find(|(name, _)| is_it(name))?;
    Some(Change { kind, changed })
}

fn changed(before: &Resource, now: &Described) -> BTreeSet<String> {
    // What another version of the program noted in a form of its own is no change.
    let Ok(old) = serde_json::from_str::<Parts>(&before.keys) else {
        return BTreeSet::new();
    };
    let names: BTreeSet<&String> = old.keys().chain(now.parts.keys()).collect();
    let differ = names
        .into_iter()
        .filter(|name| old.get(*name) != now.parts.get(*name));
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

    fn told(before: Option<&Resource>, is_public: bool, parts: &[(&str, u64)]) -> Vec<String> {
        let now = Described {
            file: "content/items/a.md".into(),
            parts: parts
                .iter()
                .map(|(name, hash)| ((*name).to_owned(), *hash))
                .collect(),
            data: "{}".into(),
        };
        let all = changes("item", before, is_public, &now);
        let word = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join("+");
        all.into_iter()
            .map(|one| {
                format!(
                    "{}{}",
                    &one.kind[5..],
                    one.changed
                        .map_or(String::new(), |set| format!(" {}", word(set)))
                )
            })
            .collect()
    }

    #[test]
    fn a_file_has_a_life_and_the_public_a_view_of_it() {
        let draft = known(false, r#"{"title":1,"body":2}"#);
        let public = known(true, r#"{"title":1,"body":2}"#);
        let same = [("title", 1), ("body", 2)];
        assert_eq!(told(None, false, &same), ["created"]);
        assert_eq!(told(None, true, &same), ["created", "published"]);
        assert_eq!(told(Some(&draft), false, &same), [""; 0]);
        // Its date has come.
        assert_eq!(told(Some(&draft), true, &same), ["published"]);
        assert_eq!(
            told(Some(&public), true, &[("title", 1), ("body", 3)]),
            ["updated body"]
        );
        assert_eq!(
            told(
                Some(&public),
                false,
                &[("title", 1), ("body", 2), ("status", 9)]
            ),
            ["updated status", "unpublished"]
        );
        assert_eq!(told(Some(&public), true, &[("body", 2)]), ["updated title"]);
        let gone: Vec<_> = deletion(&public).into_iter().map(|one| one.kind).collect();
        assert_eq!(gone, ["item.unpublished", "item.deleted"]);
        assert_eq!(deletion(&draft).len(), 1);
    }
}
